# ruff: noqa: E501 - markup is not wrapped
"""The rules of change detection, one test for each."""

from __future__ import annotations

import json

import pytest

from digestlog.core.changes import KINDS, Change, Compared, Memory, compare, remember
from digestlog.core.snapshot import Snapshot, read_page
from digestlog.core.watching.memory import MAX_EDITED, MAX_GONE, MAX_PLACES

PROSE = "<p>The town hall opens on every first Saturday.</p><p>Walks start at the northern gate at noon.</p>"


def _read(body: str) -> Snapshot:
    return read_page(body.encode(), "https://example.com/page", "utf-8")


def _run(*bodies: str) -> list[Compared]:
    """The comparisons of looks at the given bodies."""
    found = []
    before = _read(bodies[0])
    memory = remember(before)
    for body in bodies[1:]:
        after = _read(body)
        found.append(compare(before, after, memory))
        before, memory = after, Memory.from_json(found[-1].memory.to_json())
    return found


def _last(*bodies: str) -> list[tuple[str, str]]:
    return [(change.kind, change.state) for change in _run(*bodies)[-1].changes]


def _only(*bodies: str) -> Change:
    [change] = _run(*bodies)[-1].changes
    return change


# --- standing, places, youth --------------------------------------------------------------------


def test_equal_looks_change_nothing_and_are_one_more_check() -> None:
    first, second = _run(PROSE, PROSE, PROSE)
    assert first.changes == second.changes == ()
    assert (first.memory.looks, second.memory.looks) == (2, 3)


def test_reordering_is_no_change() -> None:
    assert _last("<ul><li>a1<li>b2<li>c3</ul>", "<ul><li>c3<li>a1<li>b2</ul>") == []


def test_one_of_several_equal_lines_that_goes_is_a_change() -> None:
    page = "<ul><li>Seat free<li>Seat free<li>Seat taken</ul>"
    assert _last(*[page] * 5, page.replace("<li>Seat free", "", 1)) == [("text_removed", "real")]


def test_a_line_that_stood_for_four_checks_and_goes_is_real() -> None:
    assert _last(*[PROSE + "<p>Gone soon, dear reader.</p>"] * 4, PROSE) == [("text_removed", "real")]


def test_other_differences_of_a_young_page_are_provisional() -> None:
    assert _last(PROSE, PROSE + "<p>A new line of text.</p>") == [("text_added", "provisional")]


def test_after_four_comparisons_a_new_line_in_a_quiet_place_is_real() -> None:
    assert _last(*[PROSE] * 5, PROSE + "<p>A new line of text.</p>") == [("text_added", "real")]


def test_a_place_that_changed_in_two_of_the_last_four_comparisons_is_volatile() -> None:
    pages = [
        f"{PROSE}<div><b>{word} of the day</b></div>" for word in ("Apple", "Brick", "Cloud", "Drum", "Eagle")
    ]
    states = [[change.state for change in found.changes] for found in _run(*pages)]
    assert states == [["provisional"], ["provisional"], ["volatile"], ["volatile"]]


def test_what_is_suppressed_is_kept_with_its_words() -> None:
    pages = [
        f"{PROSE}<blockquote>{word}</blockquote>"
        for word in ("Be swift", "Go slow", "Sit still", "Get going")
    ]
    change = _only(*pages)
    assert (change.state, change.before, change.after) == ("volatile", "Sit still", "Get going")


def test_a_place_that_was_quiet_for_long_is_trusted_again() -> None:
    moving = [f"{PROSE}<blockquote>{word}</blockquote>" for word in ("Be swift", "Go slow", "Sit still")]
    still = [f"{PROSE}<blockquote>Sit still</blockquote>"] * 20
    assert _last(*moving, *still, f"{PROSE}<blockquote>Walk home</blockquote>") == [("text_changed", "real")]


def test_a_long_standing_word_in_a_line_that_never_rests_is_real() -> None:
    def line(fee: int, carts: int) -> str:
        return f"{PROSE}<div>Fee {fee} crowns, {carts} carts hold it</div>"

    restless = [line(49, carts) for carts in (231, 187, 402, 77, 310, 95)]
    assert _last(*restless) == [("text_changed", "volatile")]
    assert _last(*restless, line(44, 118)) == [("text_changed", "real")]


def test_a_restless_line_that_goes_as_a_whole_is_real_if_most_of_it_stood() -> None:
    pages = [
        f"{PROSE}<div>Fee 49 crowns for {carts} members of the club</div>" for carts in (2, 7, 4, 1, 6, 3)
    ]
    assert _last(*pages, PROSE) == [("text_removed", "real")]


def test_one_more_line_in_a_rotating_list_of_steady_length_is_told() -> None:
    words = ("Apple", "Brick", "Cloud", "Drum", "Eagle", "Ferry", "Glass")
    pages = [f"<ul><li>Plumber<li>Baker<li>{word}</ul>" for word in words]
    grown = "<ul><li>Plumber<li>Baker<li>Potter<li>House</ul>"
    assert ("text_added", "real") in _last(*pages, grown)


def test_what_comes_and_goes_is_not_told_each_time() -> None:
    banner = f"<div><i>Try our letter</i></div>{PROSE}"
    found = _run(*[PROSE] * 5, banner, PROSE, banner, PROSE, PROSE, banner)
    assert [[change.state for change in one.changes] for one in found[4:]] == [
        ["real"], ["real"], ["volatile"], ["volatile"], [], ["volatile"],
    ]  # fmt: skip


def test_a_newcomer_at_the_edge_is_told_once_it_has_stood() -> None:
    page = f"<main>{PROSE}</main>"
    notice = f"<div>Our office has moved to the harbour</div>{page}"
    found = _run(*[page] * 5, *[notice] * 6)
    assert [change.state for change in found[4].changes] == ["volatile"]
    told = [change for one in found[5:] for change in one.changes]
    assert [(change.kind, change.state, change.after) for change in told] == [
        ("text_added", "real", "Our office has moved to the harbour")
    ]


def test_a_line_at_the_edge_that_never_stood_is_no_event_of_a_young_page() -> None:
    assert _last(
        *(f"<main>{PROSE}</main><footer>{word} of the day</footer>" for word in ("Apple", "Brick"))
    ) == [("text_changed", "volatile")]


def test_a_state_at_the_edge_counts_as_anywhere() -> None:
    pages = (
        f"<header><div>{state}</div></header><main>{PROSE}</main>"
        for state in ("All systems operational", "Major outage")
    )
    assert _last(*pages) == [("status", "provisional")]


def test_a_memory_that_was_lost_begins_anew() -> None:
    found = compare(_read(PROSE), _read(PROSE + "<p>More of it.</p>"), Memory())
    assert [change.state for change in found.changes] == ["provisional"]
    assert found.memory.looks == 2


def _noisy(word: str, more: str = "") -> str:
    return f"{PROSE}<section><h2>Most read</h2><p>{word}</p>{more}</section>"


def test_noise_that_says_so_is_never_told_however_long_it_stood() -> None:
    stood = [_noisy("Ten walks for a rainy weekend")] * 6
    assert _last(*stood, _noisy("Ten walks for a sunny weekend")) == [("text_changed", "volatile")]
    assert _last(*stood, _noisy("Museum opens after long delay", "<p>Old mill to be a library</p>")) == [
        ("text_added", "volatile"),
        ("text_removed", "volatile"),
    ]


def test_a_line_that_has_been_there_all_the_time_and_is_edited_is_real_in_any_place() -> None:
    stable = "<li>The entrance fee for adults is eight crowns</li>"
    pages = [
        f"<ul>{stable}<li>{word}</li></ul>" for word in ("Apple", "Brick", "Cloud", "Drum", "Eagle", "Ferry")
    ]
    assert ("text_changed", "real") in _last(*pages, pages[0].replace("eight", "nine"))
    assert ("text_changed", "provisional") in _last(*pages[:3], pages[0].replace("eight", "nine"))


def test_a_line_that_came_back_is_real_only_after_very_long() -> None:
    def page(*words: str) -> str:
        return "<ul><li>Plumber" + "".join(f"<li>{word}" for word in words) + "</ul>"

    rotating = [page(word) for word in ("Apple", "Brick", "Apple", "Brick", "Apple", "Brick")]
    assert _last(*rotating, *[page("Apple")] * 5, page("Brick")) == [("text_changed", "volatile")]


def test_at_the_edge_one_change_makes_a_place_restless() -> None:
    def page(word: str) -> str:
        return f"<main>{PROSE}</main><footer><p>{word}</p></footer>"

    stood = [page("Apples for everybody")] * 5
    found = _run(*stood, *[page("Brick by brick")] * 2, *[page("Clouds above")] * 5, page("Drums of old"))
    assert [change.state for change in found[4].changes] == ["real"]
    assert [change.state for change in found[6].changes] == ["volatile"]
    assert [change.state for change in found[-1].changes] == ["volatile"]


def test_an_advertisement_never_becomes_a_line_of_the_page() -> None:
    def page(advert: str, more: str = "") -> str:
        return f"{PROSE}<div><span>Sponsored</span> {advert}</div>{more}"

    pages = [page(advert) for advert in ("Boots", "Hats", "Gloves", "Socks", "Scarfs", "Belts")]
    assert ("text_added", "real") in _last(
        *pages,
        page("Belts").replace("<div><span>Sponsored</span> Belts</div>", "<div>Closed on Monday</div>"),
    )


# --- kinds --------------------------------------------------------------------------------------


def _shop(price: str, stock: str, text: str) -> str:
    offer = {
        "@type": "Offer",
        "price": price,
        "priceCurrency": "EUR",
        "availability": f"https://schema.org/{stock}",
    }
    value = {"@context": "https://schema.org", "@type": "Product", "name": "Pack", "offers": offer}
    return f'<script type="application/ld+json">{json.dumps(value)}</script><h1>Pack</h1><div>&euro;{price}</div><p>{text}</p>'


def test_a_price_in_text_and_in_data_is_one_event() -> None:
    change = _only(_shop("49.00", "InStock", "Good"), _shop("44.50", "InStock", "Good"))
    assert (change.kind, change.before, change.after) == ("price", "49.00 EUR", "44.50 EUR")
    assert change.diff == (("-", "49.00"), ("+", "44.50"), ("=", " EUR"))
    assert change.magnitude >= 0.3


def test_what_machines_are_told_of_an_offer_is_always_trusted() -> None:
    pages = [_shop(f"4{at}.00", "InStock", "Good").replace(f"&euro;4{at}.00", "") for at in range(7)]
    assert [[c.state for c in one.changes] for one in _run(*pages)] == [["provisional"]] * 4 + [["real"]] * 2


def test_an_offer_that_comes_is_an_event_of_its_kind() -> None:
    page = "<h1>Pack</h1><p>A good pack for the road.</p>"
    assert ("price", "provisional") in _last(page, _shop("49.00", "InStock", "Good"))


def test_availability() -> None:
    change = _only(
        _shop("49.00", "InStock", "In stock"), _shop("49.00", "OutOfStock", "Sold out, back in May")
    )
    assert (change.kind, change.before, change.after) == ("availability", "In stock", "Out of stock")


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("€49.00 incl. VAT", "€44.50 incl. VAT", "price"),
        ("Preis: 49,00 EUR", "Preis: 44,50 EUR", "price"),
        ("In stock, ships soon", "Currently unavailable", "availability"),
        ("Auf Lager", "Ausverkauft", "availability"),
        ("API Operational", "API Partial outage", "status"),
        ("Open", "Closed", "status"),
        ("Version 2.3.1", "Version 2.4.0", "text_changed"),
        ("Submissions close on 15 March 2026", "Submissions close on 22 March 2026", "text_changed"),
        ("Save on running shoes this week", "New phones at the mall today", "text_changed"),
        (
            "Refunds within 30 days after the payment",
            "Refunds within 14 days after the payment",
            "text_changed",
        ),
    ],
)
def test_a_line_that_became_another_has_the_kind_of_its_words(before: str, after: str, kind: str) -> None:
    change = _only(*(f"<h1>Page</h1><section><p>{line}</p></section>" for line in (before, after)))
    assert (change.kind, change.before, change.after) == (kind, before, after)


@pytest.mark.parametrize(
    ("line", "kind"), [("Sold out", "availability"), ("Cancelled", "status"), ("A longer line", "text_added")]
)
def test_a_line_that_comes_alone_has_the_kind_of_its_words(line: str, kind: str) -> None:
    assert _last(PROSE, f"{PROSE}<div><b>{line}</b></div>") == [(kind, "provisional")]


def test_title_and_heading_are_one_event_and_repetitions_are_none() -> None:
    def page(title: str) -> str:
        return f"<title>{title} | Daily</title><div><a href=/>Home</a> › {title}</div><h1>{title}</h1>{PROSE}"

    change = _only(page("Bus fleet replaced"), page("Bus fleet delayed"))
    assert (change.kind, change.before, change.after) == ("title", "Bus fleet replaced", "Bus fleet delayed")


def test_a_title_alone_that_changes() -> None:
    change = _only(f"<title>One | Daily</title>{PROSE}", f"<title>Two | Daily</title>{PROSE}")
    assert (change.kind, change.before) == ("title", "One | Daily")


def _table(*rows: str) -> str:
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row.split("|")) + "</tr>" for row in rows)
    return f"<table><tr><th>Plan</th><th>Limit</th></tr>{body}</table>"


def test_a_cell_is_named_by_its_row_and_column() -> None:
    change = _only(_table("Free|20", "Team|600"), _table("Free|20", "Team|500"))
    assert (change.kind, change.before, change.after) == ("table", "Team, Limit: 600", "Team, Limit: 500")


def test_a_row_that_comes_or_gets_a_cell() -> None:
    assert _only(_table("Free|20", "Team|600"), _table("Free|20", "Team|600", "Big|900")).after == "Big | 900"
    change = _only(_table("Free|20", "Team|600"), _table("Free|20", "Team|600|new"))
    assert (change.before, change.after) == ("Row: Team | 600", "Row: Team | 600 | new")


def test_a_row_without_named_columns() -> None:
    rows = "<table><tr><td>a</td><td>{}</td></tr><tr><td>b</td><td>2</td></tr></table>"
    assert _only(rows.format(1), rows.format(7)).after == "a: 7"
    assert (
        _only(rows.format(1), rows.format(1).replace("<td>a<", "<td>z<").replace("<td>1<", "<td>1<")).after
        == "Cell: z"
    )


def test_a_link_whose_text_stays_and_leads_elsewhere() -> None:
    page = PROSE + "<p><a href='/fw-{}.bin'>Download firmware</a></p>"
    change = _only(page.format("4.1"), page.format("4.2"))
    assert (change.kind, change.after) == ("link", "Download firmware → example.com/fw-4.2.bin")


def test_a_link_that_goes_with_its_text_is_an_event_of_its_text() -> None:
    assert _last(f"{PROSE}<p><a href=/x>More of it</a></p>", PROSE) == [("text_removed", "provisional")]


def test_a_link_in_a_place_that_never_rests_is_volatile() -> None:
    pages = [f"{PROSE}<div><a href='/out/{at}'>Buy boots</a></div>" for at in range(6)]
    assert _last(*pages) == [("link", "volatile")]


def test_components_that_swap_their_states() -> None:
    row = "<div><div>{}</div><div>{}</div></div>"
    before = row.format("API", "Operational") + row.format("Web", "Offline")
    after = row.format("API", "Offline") + row.format("Web", "Operational")
    change = _only(before, after)
    assert (change.kind, change.before) == ("status", "API: Operational\nWeb: Offline")


# --- bounds -------------------------------------------------------------------------------------


def test_there_is_one_event_for_each_kind_and_state() -> None:
    one = _table("Free|20") + _shop("1.00", "InStock", "Good old text") + PROSE
    two = _table("Free|30") + _shop("2.00", "OutOfStock", "Another text, quite") + "<p>All is new here.</p>"
    for found in _run(one, two, one, two, one, two):
        keys = [(change.kind, change.state) for change in found.changes]
        assert len(keys) == len(set(keys))
        assert all(change.kind in KINDS and 0 <= change.magnitude <= 1 for change in found.changes)


def test_events_are_bounded_whatever_changes() -> None:
    pages = (
        "".join(f"<p>{word} line {at} of the page</p>" for at in range(3000))
        for word in ("Old", "Completely fresh and new")
    )
    [found] = _run(*pages)
    for change in found.changes:
        assert len(change.before or "") + len(change.after or "") < 20_000
        assert len(change.diff) < 400
    assert max(change.magnitude for change in found.changes) > 0.3


def test_the_memory_is_bounded_whatever_the_page_does() -> None:
    pages = (
        "".join(
            f"<div id='n{chr(97 + at % 26)}ame'><p>{look} line {at} x{look * at}</p></div>"
            for at in range(4000)
        )
        for look in range(4)
    )
    memory = _run(*pages)[-1].memory
    assert len(memory.places) <= MAX_PLACES
    assert len(memory.edited) <= MAX_EDITED
    assert len(memory.gone) <= MAX_GONE
    assert len(memory.to_json()) < 400_000


@pytest.mark.parametrize(
    "text", ["{}", "[]", "nonsense", '{"looks": "x"}', '{"looks":3,"since":{"a":[1]}}', "null"]
)
def test_a_memory_that_cannot_be_understood_is_empty(text: str) -> None:
    assert Memory.from_json(text) == Memory()


def test_the_empty_memory_is_an_empty_object() -> None:
    assert Memory().to_json() == "{}"


def test_a_memory_goes_through_json() -> None:
    pages = [
        f"{PROSE}<div>Fee 49 crowns, {n} carts</div><blockquote>{n * 7} quote</blockquote>"
        for n in (3, 8, 5, 9)
    ]
    memory = _run(*pages)[-1].memory
    assert Memory.from_json(memory.to_json()) == memory


@pytest.mark.parametrize(
    "unit", ["1,", "12 ", "1:1 ", "2 hours ", "read 1 ", "12 people ", "$1", "sold out ", "jan 1 "]
)
def test_lines_made_to_keep_patterns_busy_are_read_and_compared(unit: str) -> None:
    pages = (
        "".join(f"<p>{unit * (1900 // len(unit))}{at} {mark}</p>" for at in range(40)) for mark in ("x", "y")
    )
    [found] = _run(*pages)
    assert found.changes
