# ruff: noqa: E501 - markup is not wrapped
"""Hard streams, each made by hand: noise that is rare, slow or right beside what matters."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random

from change_streams import ADS, PRODUCTS, QUOTES, STORIES

# Name, kinds that a reader would call the change, and the page at a look (changed or not).
Hard = tuple[str, frozenset[str], Callable[[Random, int, bool], str]]


def _page(body: str, title: str = "Example", head: str = "") -> str:
    return f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def _p(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


PROSE = (
    "The town hall opens its doors to the public on every first Saturday of the month.",
    "Guided walks start at the northern gate and take about ninety minutes in all weathers.",
    "Children under twelve enter free of charge when they come with an adult.",
)


def rare_banner(random: Random, look: int, changed: bool) -> str:
    """A bar that shows itself at one look in three; a paragraph is edited."""
    bar = "<div><p>Subscribe to our newsletter for weekly ideas</p></div>" if random.random() < 0.33 else ""
    prose = (PROSE[0].replace("first", "second") if changed else PROSE[0], *PROSE[1:])
    return _page(f"{bar}<div><h1>Town hall</h1>{_p(*prose)}</div>")


def slow_quote(random: Random, look: int, changed: bool) -> str:
    """A quotation in the text that holds for two looks; a paragraph goes."""
    quote = QUOTES[look // 2 % len(QUOTES)]
    return _page(
        f"<main><h1>Town hall</h1>{_p(*PROSE[: 2 if changed else 3])}<blockquote>{quote}</blockquote></main>"
    )


def ticker_table(random: Random, look: int, changed: bool) -> str:
    """A column of rates that never rests beside one that does."""
    rows = "".join(
        f"<tr><td>{name}</td><td>{random.uniform(1, 99):.2f}</td><td>{fee}</td></tr>"
        for name, fee in (("Alpha", "1.5 %"), ("Beta", "0.9 %" if changed else "0.7 %"), ("Gamma", "2.0 %"))
    )
    return _page(
        f"<h1>Funds</h1><table><tr><th>Fund</th><th>Rate</th><th>Fee</th></tr>{rows}</table>{_p(*PROSE)}"
    )


def boxes_only(random: Random, look: int, changed: bool) -> str:
    """Nothing but boxes: a stable fact among rotating ones at the same depth."""
    items = [f"<div><div>{one}</div></div>" for one in random.sample(STORIES, 3)]
    facts = [
        "Opening hours: 9 to 5",
        "Telephone: 555 0142",
        "Entrance fee: 8 euro" if not changed else "Entrance fee: 10 euro",
    ]
    return _page(
        "<div>" + "".join(f"<div><div>{one}</div></div>" for one in facts) + "".join(items) + "</div>"
    )


def boxes_added(random: Random, look: int, changed: bool) -> str:
    """The same, and a new fact is added."""
    items = [f"<div><div>{one}</div></div>" for one in random.sample(STORIES, 3)]
    facts = [
        "Opening hours: 9 to 5",
        "Telephone: 555 0142",
        *(["The museum is closed on 24 December"] if changed else []),
    ]
    return _page(
        "<div>" + "".join(f"<div><div>{one}</div></div>" for one in facts) + "".join(items) + "</div>"
    )


def spa(random: Random, look: int, changed: bool) -> str:
    """A page that its script fills; what it says is in its state, among ids and times."""
    state = {
        "props": {
            "pageProps": {
                "product": {
                    "id": 77,
                    "title": "Trailhead 28L Backpack",
                    "price": 44.5 if changed else 49.0,
                    "currency": "EUR",
                    "description": " ".join(PROSE),
                },
                "recommendations": [
                    {"title": one, "price": random.randint(9, 99)} for one in random.sample(PRODUCTS, 3)
                ],
                "session": f"{random.getrandbits(64):x}",
                "renderedAt": f"2026-03-12T08:{look:02}:00Z",
            }
        },
        "buildId": f"{random.getrandbits(40):x}",
    }
    return _page(
        f'<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>',
        "Trailhead",
    )


def spa_text(random: Random, look: int, changed: bool) -> str:
    """The same for a text."""
    body = " ".join(PROSE).replace("ninety", "sixty" if changed else "ninety")
    state = {
        "page": {
            "heading": "Town hall",
            "body": f"<p>{body}</p>",
            "views": random.randint(1, 10**6),
            "token": f"{random.getrandbits(80):x}",
        }
    }
    return _page(
        f'<div id="app"></div><script>window.__INITIAL_STATE__ = {json.dumps(state)}</script>', "Town hall"
    )


def sold_in_list(random: Random, look: int, changed: bool) -> str:
    """One product of a list sells out, while the list's order and badges change."""
    names = list(PRODUCTS[:6])
    random.shuffle(names)
    cells = "".join(
        f"<li><a href='/p/{PRODUCTS.index(one)}'>{one}</a> <span>€{20 + PRODUCTS.index(one)}.00</span> "
        f"<em>{'Sold out' if changed and one == PRODUCTS[2] else 'In stock'}</em></li>"
        for one in names
    )
    return _page(f"<h1>Shop</h1><ul>{cells}</ul><p>{random.choice(ADS)}</p>")


def forum(random: Random, look: int, changed: bool) -> str:
    """A thread with ages and scores; the first post is edited."""
    posts = [
        (
            "ana",
            "Use the second valve, it worked for me after 20 minutes."
            if changed
            else "Use the second valve, it worked for me after 45 minutes.",
        )
    ]
    posts += [("ben", "Thanks, that solved it."), ("cho", "Same here with the older model.")]
    body = "".join(
        f"<div class='post'><div>{name} · {look + at + 2} hours ago · {random.randint(1, 90)} points</div><div>{said}</div></div>"
        for at, (name, said) in enumerate(posts)
    )
    return _page(
        f"<h1>Valve stuck</h1>{body}<div>{random.randint(10, 99)} guests and {random.randint(1, 9)} members are reading this</div>"
    )


def event(random: Random, look: int, changed: bool) -> str:
    """A concert that is cancelled; seats left and a countdown move."""
    state = "Cancelled" if changed else "Scheduled"
    return _page(
        f"<main><h1>Spring concert</h1><dl><dt>Date</dt><dd>14 March 2026</dd><dt>Status</dt><dd>{state}</dd></dl>"
        f"<p>Starts in {40 - look} days</p><p>{random.randint(3, 60)} seats left in block B</p>{_p(*PROSE)}</main>"
    )


def testimonials(random: Random, look: int, changed: bool) -> str:
    """Praise that rotates in the middle of a page; the price on it rises."""
    praise = random.sample([f"“{one}” says a happy customer" for one in (*QUOTES, *ADS)], 2)
    price = "€12 per month" if changed else "€9 per month"
    return _page(f"<div><h1>Plans</h1><div>{price}</div>{_p(*PROSE)}<div>{_p(*praise)}</div></div>", "Plans")


def cells_shifted(random: Random, look: int, changed: bool) -> str:
    """A timetable that loses a row; the header counts travellers."""
    rows = [("08:15", "Harbour"), ("09:40", "Airport"), ("11:05", "University"), ("12:30", "Harbour")]
    rows = rows[:2] + rows[3:] if changed else rows
    body = "".join(
        f"<tr><td>{time}</td><td>{to}</td><td>{random.choice(('on time', 'on time', 'on time'))}</td></tr>"
        for time, to in rows
    )
    return _page(
        f"<p>{random.randint(100, 999)} travellers today</p><h1>Departures</h1><table><tr><th>Time</th><th>To</th><th>State</th></tr>{body}</table>"
    )


HARD: tuple[Hard, ...] = (
    ("rare banner", frozenset({"text_changed"}), rare_banner),
    ("slow quotation", frozenset({"text_removed"}), slow_quote),
    ("restless column", frozenset({"table"}), ticker_table),
    ("boxes only", frozenset({"text_changed", "price"}), boxes_only),
    ("boxes, one more", frozenset({"text_added"}), boxes_added),
    ("state of a script", frozenset({"price"}), spa),
    ("text of a script", frozenset({"text_changed"}), spa_text),
    ("sold out in a list", frozenset({"availability"}), sold_in_list),
    ("forum", frozenset({"text_changed"}), forum),
    ("event", frozenset({"status", "text_changed"}), event),
    ("testimonials", frozenset({"price"}), testimonials),
    ("timetable", frozenset({"table"}), cells_shifted),
)


def looks(hard: Hard, seed: int, change_at: int, count: int) -> Iterator[bytes]:
    """The bytes of each look."""
    for at in range(count):
        yield hard[2](Random(f"{hard[0]}{seed}{at}"), at, at >= change_at).encode()
