# ruff: noqa: E501 - markup is not wrapped
"""A second set of pages that the detector was not built with; run after it was finished."""

from __future__ import annotations

from random import Random

from change_hard import Hard

_TEASERS = (
    "Fog lifts over the delta",
    "A kiln for the village",
    "Sails mended while you wait",
    "Letters to a lighthouse",
    "The bell that rang twice",
    "Maps of the underground",
    "Tea at half past never",
)


def _doc(body: str, title: str = "Doc", head: str = "", lang: str = "en") -> str:
    return f"<html lang={lang}><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def grid_shop(random: Random, look: int, changed: bool) -> str:
    """A grid of products with ratings; one price falls; a recommendation strip without a telling heading."""
    goods = [
        ("Kettle", "34.90"),
        ("Toaster", "27.50"),
        ("Grinder", "59.00" if not changed else "54.00"),
        ("Scale", "19.00"),
    ]
    cells = "".join(
        f"<div class=x{random.randint(1, 999)}><a href='/g/{name}?s={random.getrandbits(60):x}'>{name}</a><div>${price}</div><div>★ 4.{random.randint(1, 9)} ({random.randint(100, 999)})</div></div>"
        for name, price in goods
    )
    strip = "".join(f"<div><span>{one}</span></div>" for one in random.sample(_TEASERS, 2))
    return _doc(f"<div id=app><h1>Kitchen</h1><div>{cells}</div><div>{strip}</div></div>")


def minutes(random: Random, look: int, changed: bool) -> str:
    """Minutes of a council; a paragraph is added in the middle; a visitor count and weather at the top."""
    extra = "<p>The motion on street lighting was adjourned to the next session.</p>" if changed else ""
    return _doc(
        f"<div>{random.randint(-5, 30)}°C, {random.choice(('sunny', 'rain', 'cloudy', 'fog'))}</div><div><h2>Minutes of 3 June</h2><p>The session opened at seven in the evening.</p>{extra}<p>The accounts of last year were approved without objection.</p><p>The session closed at nine.</p></div><small>{4000 + look} hits</small>"
    )


def player(random: Random, look: int, changed: bool) -> str:
    """A library of recordings; one is withdrawn; the list is shuffled and plays grow."""
    tapes = [
        ("Overture", "4:31"),
        ("Nocturne", "6:02"),
        ("Gigue", "2:58"),
        ("Largo", "8:15"),
        ("Finale", "5:40"),
    ]
    tapes = [one for one in tapes if not (changed and one[0] == "Gigue")]
    random.shuffle(tapes)
    return _doc(
        "<h1>Recordings</h1><ul>"
        + "".join(
            f"<li><b>{name}</b> {length} <i>{random.randint(1000, 9999)} plays</i></li>"
            for name, length in tapes
        )
        + "</ul>"
    )


def tender(random: Random, look: int, changed: bool) -> str:
    """A tender in Portuguese with a list of terms; the date moves; the portal shows the time and news."""
    date = "30/09/2026" if changed else "15/09/2026"
    return _doc(
        f"<header>Lisboa, {8 + look % 10}:{random.randint(10, 59)}</header><main><h1>Concurso 14/2026</h1><dl><dt>Entidade</dt><dd>Câmara Municipal</dd><dt>Prazo</dt><dd>{date}</dd><dt>Valor</dt><dd>120 000 €</dd></dl></main><aside>{random.choice(_TEASERS)}</aside>",
        lang="pt",
    )


def package(random: Random, look: int, changed: bool) -> str:
    """A package index; the latest version rises; downloads and a banner move."""
    version = "5.1.0" if changed else "5.0.3"
    return _doc(
        f"<div>{random.choice(_TEASERS)}</div><div><h1>fastcopy {version}</h1><pre>pip install fastcopy=={version}</pre><div>Released: 12 May 2026</div><div>{random.randint(10000, 99999)} downloads last week</div><p>Copies files with several threads.</p></div>",
        f"fastcopy {version}",
    )


def chat_help(random: Random, look: int, changed: bool) -> str:
    """Opening hours beside a queue that never rests."""
    hours = "Monday to Thursday, 9 to 4" if changed else "Monday to Friday, 9 to 5"
    return _doc(
        f"<div><div>Help desk</div><div>{hours}</div><div>Waiting: {random.randint(0, 40)}</div><div>Agents: {random.randint(1, 9)}</div><div>{random.choice(_TEASERS)}</div></div>"
    )


SECOND_SIGHT: tuple[Hard, ...] = (
    ("grid shop", frozenset({"price"}), grid_shop),
    ("minutes", frozenset({"text_added"}), minutes),
    ("player", frozenset({"text_removed"}), player),
    ("tender", frozenset({"text_changed"}), tender),
    ("package", frozenset({"title", "text_changed"}), package),
    ("help desk", frozenset({"text_changed"}), chat_help),
)
