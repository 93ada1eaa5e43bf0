# ruff: noqa: E501 - markup is not wrapped
"""Streams that the detector was not built with: other markup, other languages, other noise."""

from __future__ import annotations

import json
from random import Random

from change_hard import Hard

_NAMES = ("Amsel", "Buche", "Clara", "Dorn", "Esche", "Farn", "Ginster", "Hasel", "Iris", "Kiefer")
_LINES = (
    "How to keep herbs alive through a dark winter",
    "Five bridges that were never meant to last",
    "A short history of the paper clip",
    "Why trains sing when they leave the station",
    "The village that moved uphill",
    "What bees do on rainy days",
    "Night markets worth staying up for",
    "Small boats, long voyages",
    "The last lamplighter of the harbour",
)


def _html(body: str, lang: str = "en", title: str = "Page", head: str = "") -> str:
    return f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>{head}</head><body>{body}</body></html>'


def _hash(random: Random) -> str:
    return f"{random.getrandbits(32):08x}"


def spanish_shop(random: Random, look: int, changed: bool) -> str:
    """A product in Spanish, marked up in its elements; visits and a bar of offers."""
    price = "129,90" if not changed else "119,90"
    offers = random.choice(
        ("Envío gratis hoy", "Rebajas: hasta 30% en botas", "Suscríbete y ahorra", "Paga en tres plazos")
    )
    seen = random.sample(_NAMES, 4)
    return _html(
        f'<div class="a{_hash(random)}"><div>{offers}</div><div><a href="/?s={_hash(random)}">Inicio</a> <a href="/botas">Botas</a></div></div>'
        f'<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Botas Cumbre</h1>'
        f'<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="{price.replace(",", ".")}">{price} €</span>'
        f'<meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock"></div>'
        f"<p>{random.randint(5, 80)} personas están viendo este producto</p><p>Botas de piel con suela de goma para caminos húmedos.</p></div>"
        f"<div><h3>También te puede gustar</h3>{''.join(f'<div><a href=/p/{one}>{one}</a> <b>{random.randint(20, 99)},00 €</b></div>' for one in seen)}</div>",
        "es",
        "Botas Cumbre",
    )


def weblog(random: Random, look: int, changed: bool) -> str:
    """An entry of a weblog with widgets; one figure in it is corrected."""
    recent = "".join(f"<li><a href='/{one[:5]}'>{one}</a></li>" for one in random.sample(_LINES, 5))
    cost = "1,250" if changed else "1,150"
    return _html(
        f"<div id='page'><div id='primary'><article><h1>Rebuilding the shed</h1><div>Posted on 3 May 2026 by Mara · {random.randint(3, 9)} min read</div>"
        f"<p>It took us three weekends and far more nails than planned.</p><p>In the end the timber alone came to {cost} crowns, which was less than we feared.</p>"
        f"<p>Next year we will paint it.</p><div>Share this: <a href='https://x.example/share?u={_hash(random)}'>X</a> {random.randint(1, 300)}</div></article></div>"
        f"<div id='secondary'><div><h2>From the archive</h2><ul>{recent}</ul></div><div>Visitors: {8000 + look * 13}</div></div></div>"
    )


def releases(random: Random, look: int, changed: bool) -> str:
    """A page of releases; a new one comes on top, stars and ages move."""
    tags = [
        ("v3.2.0", "Faster start, smaller download."),
        ("v3.1.4", "Fixes a crash on empty files."),
        ("v3.1.3", "Security fix."),
    ]
    tags = [("v3.2.1", "Fixes the search in nested folders."), *tags] if changed else tags
    rows = "".join(
        f"<section><h2><a href='/r/{tag}'>{tag}</a></h2><relative-time>{look + at * 9 + 1} days ago</relative-time><div>{words}</div>"
        f"<a href='/dl/{tag}.tar.gz'>Source code</a></section>"
        for at, (tag, words) in enumerate(tags)
    )
    return _html(
        f"<div><span>Star {random.randint(900, 999)}</span><span>Fork {random.randint(50, 60)}</span></div><main><h1>Releases</h1>{rows}</main>"
    )


def old_tables(random: Random, look: int, changed: bool) -> str:
    """A page laid out with tables; the office moves."""
    street = "12 Mill Lane" if changed else "7 Station Road"
    return _html(
        f"<table width=100%><tr><td bgcolor=#eee><font>You are visitor {100000 + look * 7}</font></td></tr><tr><td><table><tr><td><b>Parish council</b>"
        f"<p>Meetings are held on the second Tuesday of each month at half past seven.</p><p>The clerk's office is at {street}, open on weekday mornings.</p></td>"
        f"<td><i>{random.choice(_LINES)}</i></td></tr></table></td></tr></table>",
        title="Parish council",
    )


def german_news(random: Random, look: int, changed: bool) -> str:
    """A German front page; a report is taken down, tickers move."""
    stories = list(_NAMES[:7])
    if changed:
        stories.remove("Esche")
    body = "".join(
        f"<article><h2><a href='/a/{one}'>Bericht über {one} und die Folgen für das Tal</a></h2><p>vor {look + at + 1} Stunden · {random.randint(0, 99)} Kommentare</p></article>"
        for at, one in enumerate(stories)
    )
    return _html(
        f"<header><div>Donnerstag, 12. März 2026, {7 + look % 12}:{random.randint(10, 59)} Uhr</div><div>DAX {random.randint(17000, 18000)} · Gold {random.randint(1900, 2000)}</div></header><main><h1>Nachrichten</h1>{body}</main>"
        f"<aside><h3>Meistgelesen</h3><ol>{''.join(f'<li>{one}</li>' for one in random.sample(_LINES, 3))}</ol></aside>",
        "de",
        "Nachrichten",
    )


def react_status(random: Random, look: int, changed: bool) -> str:
    """Components as boxes with generated names; one degrades; latencies never rest."""

    def box(inner: str) -> str:
        return f'<div class="sc-{_hash(random)} {_hash(random)[:6]}">{inner}</div>'

    rows = [
        ("Login", "Operational"),
        ("Uploads", "Degraded performance" if changed else "Operational"),
        ("Search", "Operational"),
    ]
    return _html(
        box(
            box("<h1>Service health</h1>")
            + "".join(
                box(box(name) + box(state) + box(f"{random.randint(20, 300)} ms")) for name, state in rows
            )
            + box(f"Refreshed {random.randint(1, 59)} seconds ago")
        )
    )


def italian_notice(random: Random, look: int, changed: bool) -> str:
    """A call in Italian whose deadline moves; cookies, a counter and news of the day."""
    day = "30 settembre 2026" if changed else "15 settembre 2026"
    cookie = (
        "<div role='dialog'><p>Questo sito usa i cookie.</p><button>Accetta</button></div>"
        if random.random() < 0.5
        else ""
    )
    return _html(
        f"{cookie}<div><div><h1>Bando per borse di studio</h1><div><p>Le domande devono pervenire entro il {day}.</p><p>Il bando è riservato agli studenti iscritti al secondo anno.</p>"
        f"<p>Letto {random.randint(100, 900)} volte</p></div></div><div><div>In evidenza</div><div>{random.choice(_LINES)}</div><div>{random.choice(_LINES)}</div></div></div>",
        "it",
    )


def next_listing(random: Random, look: int, changed: bool) -> str:
    """Homes to let from a script's state; one is taken off; boosts and ids change."""
    homes = [
        {
            "title": f"Flat {name} with balcony",
            "price": 700 + 30 * at,
            "status": "available",
            "boost": random.random(),
        }
        for at, name in enumerate(_NAMES[:6])
    ]
    if changed:
        homes.pop(3)
    random.shuffle(homes)
    state = {
        "props": {"pageProps": {"homes": homes, "ts": look, "trace": _hash(random) * 4}},
        "buildId": _hash(random),
    }
    cards = "".join(
        f"<div class='{_hash(random)}'><div>{one['title']}</div><div>{one['price']} €</div></div>"
        for one in homes
    )
    return _html(
        f"<div id=__next><div>{cards}</div><div>{random.randint(2, 60)} searches saved in the last hour</div></div><script id=__NEXT_DATA__ type=application/json>{json.dumps(state)}</script>",
        title="Flats to let",
    )


def course(random: Random, look: int, changed: bool) -> str:
    """A course whose places run out; a teacher's saying of the day."""
    state = "Waiting list only" if changed else "Places available"
    return _html(
        f"<main><h1>Pottery for beginners</h1><ul><li>Eight evenings, from 4 October 2026</li><li>Fee: £180</li><li>{state}</li></ul>"
        f"<p>Bring an apron and something to drink.</p><blockquote>{random.choice(_LINES)}</blockquote></main><footer><p>Session {_hash(random)}{_hash(random)}</p></footer>"
    )


def russian_schedule(random: Random, look: int, changed: bool) -> str:
    """A timetable in Russian; one departure moves; views grow."""
    time = "14:40" if changed else "14:10"
    rows = "".join(
        f"<tr><td>{at}</td><td>{to}</td></tr>"
        for at, to in (("09:15", "Псков"), (time, "Тверь"), ("18:05", "Рязань"))
    )
    return _html(
        f"<h1>Расписание</h1><p>{1500 + look * 11} просмотров · {look + 1} часа назад</p><table><tr><th>Время</th><th>Город</th></tr>{rows}</table><p>{random.choice(_LINES)}</p>",
        "ru",
    )


def manual(random: Random, look: int, changed: bool) -> str:
    """A manual whose step is rewritten; feedback and a tip that rotates."""
    step = (
        "Hold the button for ten seconds until the lamp turns green."
        if changed
        else "Hold the button for five seconds until the lamp turns blue."
    )
    return _html(
        f"<nav><a href=/a>Start</a> <a href=/b>Setup</a></nav><div><h1>Reset the router</h1><ol><li>Unplug the cable from the wall.</li><li>{step}</li><li>Plug it in again.</li></ol>"
        f"<div>{random.randint(40, 90)} of {random.randint(91, 200)} found this helpful</div></div><div>Tip: {random.choice(_LINES)}</div>"
    )


def prices_by_box(random: Random, look: int, changed: bool) -> str:
    """Plans as boxes; one plan costs more; a logo wall rotates."""
    plans = (("Solo", "€5"), ("Duo", "€11" if changed else "€9"), ("Team", "€29"))
    boxes = "".join(
        f"<div><h3>{name}</h3><div>{cost}</div><div>per month</div><button>Choose</button></div>"
        for name, cost in plans
    )
    logos = "".join(f"<div>{one}</div>" for one in random.sample(_NAMES, 4))
    return _html(
        f"<section><h1>Choose a plan</h1><div>{boxes}</div></section><section><div>{logos}</div></section><p>{random.randint(10, 99)} sign-ups so far this week</p>"
    )


HELD_OUT: tuple[Hard, ...] = (
    ("spanish shop", frozenset({"price"}), spanish_shop),
    ("weblog", frozenset({"text_changed"}), weblog),
    ("releases", frozenset({"text_added"}), releases),
    ("old tables", frozenset({"text_changed", "table"}), old_tables),
    ("german news", frozenset({"text_removed"}), german_news),
    ("react status", frozenset({"status"}), react_status),
    ("italian notice", frozenset({"text_changed"}), italian_notice),
    ("next listing", frozenset({"text_removed"}), next_listing),
    ("course", frozenset({"availability", "text_changed", "status"}), course),
    ("russian schedule", frozenset({"table"}), russian_schedule),
    ("manual", frozenset({"text_changed"}), manual),
    ("prices by box", frozenset({"price"}), prices_by_box),
)
