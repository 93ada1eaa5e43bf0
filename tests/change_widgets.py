# ruff: noqa: E501 - markup is not wrapped
"""Streams for classes of noise and change that a first evaluation by somebody else had found wanting."""

from __future__ import annotations

from random import Random

from change_hard import PROSE, Hard

_GUESTS = ("Anna", "Bob", "Chiara", "Dmitri", "Eve", "Farid", "Gesine")
_SLIDES = (
    "A harbour under snow",
    "Seven ways to bake rye",
    "The last tram driver",
    "Night market on the quay",
    "Bees above the theatre",
    "An orchard for everyone",
    "Where the canal begins",
)


def _p(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _doc(body: str, title: str = "Page", lang: str = "en") -> str:
    return f"<!doctype html><html lang={lang}><head><title>{title}</title></head><body>{body}</body></html>"


def related_events(random: Random, look: int, changed: bool) -> str:
    """The list that the page is for stands under a heading of kinship; an event is added."""
    events = ["Tour with the curator, Sunday 14:00", "Drawing for children, Saturday 10:30"]
    events += ["Concert among the casts, Friday 19:00"] if changed else []
    items = "".join(f"<li><a href='/e/{at}'>{one}</a></li>" for at, one in enumerate(events))
    return _doc(
        f"<main><h1>Casts and copies</h1><p>{PROSE[0]}</p><h2>Related events</h2><ul>{items}</ul></main>"
        f"<footer><p>{random.randint(10, 99)} visitors online</p></footer>"
    )


def related_events_de(random: Random, look: int, changed: bool) -> str:
    """The same in German without links; a date moves, and the age of a note grows."""
    day = "21" if changed else "14"
    return _doc(
        f"<main><h1>Gipse</h1><h2>Verwandte Veranstaltungen</h2><ul><li>Führung am {day}. März</li><li>Zeichnen für Kinder am 2. April</li></ul>"
        f"<p>Notiz · vor {look + 2} Minuten</p></main>",
        lang="de",
    )


def opening_hours(random: Random, look: int, changed: bool) -> str:
    """Opening hours in spans; a clock beside them and a captcha below."""
    ends = "18:00" if changed else "20:00"
    return _doc(
        f"<div><h1>Reading room</h1><div><span>Mon–Fri</span> <span>10:00 - {ends}</span></div><div><span>Sat</span> <span>10–14</span></div>"
        f"<p>It is now {random.randint(8, 19)}:{random.randint(10, 59)}</p><label>What is {random.randint(1, 9)} + {random.randint(1, 9)}?</label></div>"
    )


def opening_hours_terms(random: Random, look: int, changed: bool) -> str:
    """Opening hours in a list of terms."""
    hours = "9–16" if changed else "9–17"
    return _doc(
        f"<main><h1>Registry</h1>{_p(*PROSE)}<dl><dt>Mon–Fri</dt><dd>{hours}</dd><dt>Sat</dt><dd>closed</dd></dl></main><div>Wartezeit im Chat: {random.randint(1, 30)} Minuten</div>"
    )


def departures(random: Random, look: int, changed: bool) -> str:
    """A departure moves by five minutes; a countdown and the time above the table."""
    rows = "".join(
        f"<tr><td>{to}</td><td>{time}</td></tr>"
        for to, time in (
            ("Harbour", "08:15"),
            ("Airport", "09:45" if changed else "09:40"),
            ("Mill", "11:05"),
        )
    )
    return _doc(
        f"<h1>Ferries</h1><p>Il est {8 + look % 10}:{random.randint(10, 59)}</p><p>Next sale ends in {90 - look} hours</p><table><tr><th>To</th><th>Departs</th></tr>{rows}</table>"
    )


def hygiene(random: Random, look: int, changed: bool) -> str:
    """An official grade falls while an audience grows."""
    return _doc(
        f"<main><h1>Golden Fork</h1><p>Hygiene rating: {2 if changed else 5}</p>{_p(*PROSE)}<p>{1200 + look * 7} votes · {300 + look} reviews · Ratings ({40 + look})</p></main>"
    )


def drawn_board(random: Random, look: int, changed: bool) -> str:
    """A board that is a drawing; the slope closes. A bar of promotion changes its words."""
    state = "closed" if changed else "open"
    return _doc(
        f"<main><h1>Slopes</h1><svg viewBox='0 0 9 9'><title>Board {look}</title><path d='M0 0'/><text x=1 y=1>North face</text><text x=5 y=1><tspan>{state}</tspan></text></svg>{_p(*PROSE)}</main><div>{random.choice(_SLIDES)}</div>"
    )


def card_target(random: Random, look: int, changed: bool) -> str:
    """A card that is one link leads to another form; its neighbours are shuffled."""
    cards = [
        ("Passport form", "/forms/p-2027.pdf" if changed else "/forms/p-2026.pdf"),
        ("Visa form", "/forms/v.pdf"),
        ("Fees", "/fees"),
    ]
    random.shuffle(cards)
    body = "".join(
        f"<a href='{to}?utm_source=x{look}'><img src='/i{random.random()}.png' alt=''><div><h3>{name}</h3><p>Open the document</p></div></a>"
        for name, to in cards
    )
    return _doc(f"<main><h1>Forms</h1>{_p(*PROSE)}<div>{body}</div></main>")


def toggling_box(random: Random, look: int, changed: bool) -> str:
    """A box of four lines that shows itself at two looks of three, with a number that differs; a sentence is edited."""
    box = (
        f"<div><p>Our app is here</p><p>Loved by {random.randint(900, 990)} towns</p><p>Get it on your phone today</p><p>Not now, thanks</p></div>"
        if random.random() < 0.66
        else ""
    )
    prose = (PROSE[0].replace("first", "third") if changed else PROSE[0], *PROSE[1:])
    return _doc(f"<div><h1>Town hall</h1>{_p(*prose[:2])}{box}{_p(prose[2])}</div>")


def returning_status(random: Random, look: int, changed: bool) -> str:
    """A component whose outage is over says what it said before; ages move."""
    state = "Operational" if changed or look < 1 else "Partial outage"
    return _doc(
        f"<main><h1>Status</h1><ul><li><span>API</span><span>{state}</span></li><li><span>Mail</span><span>Operational</span></li></ul><p>Checked {look + 1} minutes ago</p></main>"
    )


def online_list(random: Random, look: int, changed: bool) -> str:
    """Who is there, with a link upwards behind it; a rule of the forum is edited."""
    names = ", ".join(random.sample(_GUESTS, 3))
    rule = "Be brief and kind." if changed else "Be polite and patient."
    return _doc(
        f"<div><h1>Forum</h1><p>{rule}</p>{_p(*PROSE)}<p>Who is online: {names} and {random.randint(3, 40)} guests</p><p><a href='#top'>Up</a></p></div>"
    )


def one_of_seven(random: Random, look: int, changed: bool) -> str:
    """One slide of seven above the text; a paragraph goes."""
    return _doc(
        f"<div><div class=hero><h2>{random.choice(_SLIDES)}</h2></div><h1>Town</h1>{_p(*PROSE[: 2 if changed else 3])}</div>"
    )


def three_of_seven(random: Random, look: int, changed: bool) -> str:
    """Three slides of seven below the text; a sentence is edited."""
    slides = "".join(
        f"<div><a href='/s/{_SLIDES.index(one)}'>{one}</a></div>" for one in random.sample(_SLIDES, 3)
    )
    prose = (PROSE[0].replace("first", "third") if changed else PROSE[0], *PROSE[1:])
    return _doc(f"<div><h1>Town</h1>{_p(*prose)}<div>{slides}</div></div>")


def two_of_seven(random: Random, look: int, changed: bool) -> str:
    """Two slides of seven in the main part; the deadline moves."""
    slides = "".join(
        f"<section><h3>{one}</h3><p>Read on about {one.lower()}</p></section>"
        for one in random.sample(_SLIDES, 2)
    )
    day = "22 March 2026" if changed else "15 March 2026"
    return _doc(f"<main><h1>Call</h1><p>Submissions close on {day}.</p>{_p(*PROSE)}{slides}</main>")


def renamed(random: Random, look: int, changed: bool) -> str:
    """A product gets another name at the same price."""
    name = "Lathe Pro II" if changed else "Lathe Pro"
    data = f'{{"@context":"https://schema.org","@type":"Product","name":"{name}","offers":{{"@type":"Offer","price":"649.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}}}'
    return _doc(
        f"<script type='application/ld+json'>{data}</script><main><h1>{name}</h1><p>€649.00 · {random.randint(9, 400)} people are looking</p>{_p(*PROSE)}</main>"
    )


def booked_out(random: Random, look: int, changed: bool) -> str:
    """A course is fully booked; weather and market beside it."""
    state = "Fully booked" if changed else "6 places free"
    return _doc(
        f"<main><h1>Pottery</h1><p>{state}</p>{_p(*PROSE)}</main><aside><h3>Weather</h3><p>{random.randint(-4, 30)} °C, {random.choice(('sun', 'rain', 'fog'))}</p><p>Index {random.randint(1000, 2000)} ▲ {random.uniform(0, 2):.2f} %</p></aside>"
    )


def poll_and_comments(random: Random, look: int, changed: bool) -> str:
    """A poll and the latest comments beside an article that is corrected."""
    yes = random.randint(30, 60)
    said = "".join(f"<li>{random.choice(_GUESTS)}: {random.choice(_SLIDES)}, really?</li>" for _ in range(2))
    prose = (PROSE[0].replace("first", "last") if changed else PROSE[0], *PROSE[1:])
    return _doc(
        f"<article><h1>Doors</h1>{_p(*prose)}</article><div class='poll-box'><p>More trams?</p><p>Yes {yes} %</p><p>No {100 - yes} %</p></div><aside><h4>Derniers commentaires</h4><ul>{said}</ul></aside>",
        lang="fr",
    )


WIDGETS: tuple[Hard, ...] = (
    ("related events", frozenset({"text_added"}), related_events),
    ("related, German", frozenset({"text_changed"}), related_events_de),
    ("hours in spans", frozenset({"text_changed"}), opening_hours),
    ("hours in terms", frozenset({"text_changed"}), opening_hours_terms),
    ("departures", frozenset({"table"}), departures),
    ("official grade", frozenset({"text_changed"}), hygiene),
    ("drawn board", frozenset({"status"}), drawn_board),
    ("card's target", frozenset({"link"}), card_target),
    ("box comes and goes", frozenset({"text_changed"}), toggling_box),
    ("status returns", frozenset({"status"}), returning_status),
    ("who is online", frozenset({"text_changed"}), online_list),
    ("one of seven", frozenset({"text_removed"}), one_of_seven),
    ("three of seven", frozenset({"text_changed"}), three_of_seven),
    ("two of seven", frozenset({"text_changed"}), two_of_seven),
    ("renamed", frozenset({"title"}), renamed),
    ("fully booked", frozenset({"availability"}), booked_out),
    ("poll and comments", frozenset({"text_changed"}), poll_and_comments),
)
