"""Changes that were told before the page was known: which of them turn out to be real."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from digestlog.core.changes import PROVISIONAL, REAL, VOLATILE, Change, Memory, compare, remember
from digestlog.core.settling import Doubtful, is_learned, settle
from digestlog.core.snapshot import Snapshot, read_page
from digestlog.core.watching.naming import MAX_SIDE

SAILS = "".join(
    f"<p>{line}</p>"
    for line in (
        "Burns lamp oil for eighteen hours and stays lit in a force nine wind.",
        "Made on Cable Street by the same four hands since the year of the great tide.",
        "Every lantern is tried for one night on the outer mole before it is sent.",
    )
)
NEWS = "<p>The harbour office moves to the old customs house in March.</p>"


def page(inside: str = "", title: str = "Storm lantern", around: str = "", sails: str = SAILS) -> Snapshot:
    head = f"<!doctype html><html lang=en><head><title>{title}</title></head>"
    body = f"<body><main><h1>{title}</h1>{sails}{inside}</main>{around}</body></html>"
    return read_page((head + body).encode(), "https://shop.example/lamp")


def looked(pages: list[Snapshot]) -> tuple[list[tuple[Change, Snapshot]], Memory]:
    """All provisional changes of these looks, each with the page before it, and the memory at the end."""
    memory, found = remember(pages[0]), []
    for before, after in zip(pages, pages[1:], strict=False):
        done = compare(before, after, memory)
        memory = done.memory
        found += [(change, before) for change in done.changes if change.state == PROVISIONAL]
    return found, memory


def states(pages: list[Snapshot]) -> dict[str, list[str]]:
    """What becomes of the provisional changes of these looks, by their kind."""
    found, memory = looked(pages)
    assert is_learned(memory)
    doubtful = [Doubtful(change.kind, change.before, change.after, was) for change, was in found]
    result: dict[str, list[str]] = {}
    for change, state in zip(doubtful, settle(doubtful, pages[-1], memory), strict=True):
        result.setdefault(change.kind, []).append(state)
    return result


def once(before: Snapshot, after: Snapshot, *, at: int = 2, looks: int = 5) -> list[Snapshot]:
    """Looks at a page that changes once."""
    return [before] * at + [after] * (looks - at)


@pytest.mark.parametrize(("comparisons", "learned"), [(0, False), (3, False), (4, True), (9, True)])
def test_when_a_page_is_known(comparisons: int, learned: bool) -> None:
    assert is_learned(looked([page()] * (comparisons + 1))[1]) == learned
    assert not is_learned(Memory())


# --- what holds -------------------------------------------------------------------------------

TABLE = "<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Small</td><td>{}</td></tr>{}</table>"
ROW = "<tr><td>Large</td><td>90 seats</td></tr>"
OFFER = '<p><span itemprop="price" content="{0}">{0}</span><meta itemprop="priceCurrency" content="EUR"></p>'

CHANGES: dict[str, tuple[Snapshot, Snapshot]] = {
    "title": (page(), page(title="Storm lantern, brass")),
    "price": (page("<p>Now for €49.00 only</p>"), page("<p>Now for €44.50 only</p>")),
    "offer": (page(OFFER.format("49.00")), page(OFFER.format("44.50"))),
    "availability": (page("<p>In stock</p>"), page("<p>Sold out</p>")),
    "cell": (page(TABLE.format("10 seats", "")), page(TABLE.format("12 seats", ""))),
    "row": (page(TABLE.format("10 seats", "")), page(TABLE.format("10 seats", ROW))),
    "added": (page(), page(NEWS)),
    "removed": (page(NEWS), page()),
    "changed": (page(NEWS), page(NEWS.replace("March", "April"))),
    "link": (page('<p><a href="/a">All our lamps</a></p>'), page('<p><a href="/b">All our lamps</a></p>')),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_stays_is_real(name: str) -> None:
    found = states(once(*CHANGES[name]))
    assert found and {state for each in found.values() for state in each} == {REAL}


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_taken_back_is_not(name: str) -> None:
    before, after = CHANGES[name]
    found = states([before, after, before, before, before, before])
    assert found
    told = looked([before, after])[0]
    assert all(found[change.kind][0] == VOLATILE for change, _ in told)


def test_a_value_that_is_not_current_any_more() -> None:
    offers = [page(OFFER.format(price)) for price in ("49.00", "44.50", "44.50", "42.00", "42.00")]
    assert states(offers)["price"] == [VOLATILE, REAL]


def test_a_line_stands_though_its_age_goes_on() -> None:
    ages = [page(f"<p>Rope and tar are back in the store, posted {n} hours ago</p>") for n in (1, 2, 3, 4)]
    assert states([page(), *ages]) == {"text_added": [REAL]}


def test_a_row_stands_though_its_age_goes_on() -> None:
    rows = [page(TABLE.format("10", f"<tr><td>Large</td><td>{n} hours ago</td></tr>")) for n in (1, 2, 3, 4)]
    assert states([page(TABLE.format("10", "")), *rows]) == {"table": [REAL]}


def test_a_row_that_has_more_cells_now() -> None:
    wider = TABLE.replace("<td>{}</td>", "<td>{}</td><td>new</td>")
    pages = once(page(TABLE.format("10 seats", "")), page(wider.format("10 seats", "")))
    assert {state for each in states(pages).values() for state in each} == {REAL}


def test_a_price_stands_though_the_words_beside_it_change() -> None:
    def offer(price: str, note: str) -> Snapshot:
        return page(f"<p>The brass lantern for this winter costs €{price} with {note}</p>")

    change = Doubtful("price", "…", "The brass lantern for this winter costs €44.50 with oil")
    memory = looked([page()] * 5)[1]
    assert settle([change], offer("44.50", "wick"), memory) == [REAL]
    assert settle([change], offer("49.00", "oil"), memory) == [VOLATILE]
    assert settle([change], page("<p>A rope of twelve yards, €44.50</p>"), memory) == [VOLATILE]
    assert settle([Doubtful("price", "1", "2")], page("<p>3</p>"), memory) == [VOLATILE]


# --- where ------------------------------------------------------------------------------------


def rotating(number: int) -> str:
    words = ("Anchors for small boats", "Ropes by the yard", "Tar in barrels", "Sails cut to size", "Oars")
    return "".join(f'<li class="pick">{words[(number + k) % 5]}, picked today</li>' for k in range(2))


def test_a_restless_place_makes_no_real_change() -> None:
    """The last turn of a list stands, the lines before it are gone: that is how such a list is."""
    turns = [page(f"<ul class=picks>{rotating(n)}</ul>") for n in (0, 2, 4, 1, 3)]
    found = states([*turns, turns[-1]])
    assert found and {state for each in found.values() for state in each} == {VOLATILE}


def test_what_went_from_a_restless_place_is_noise_and_from_another_it_is_not() -> None:
    turns = [page(NEWS + f"<ul class=picks>{rotating(0)}</ul>")]
    turns += [page(f"<ul class=picks>{rotating(n)}</ul>") for n in (2, 4, 1, 3, 3)]
    memory = looked(turns)[1]
    picked, news = "Anchors for small boats, picked today", looked([page(NEWS), page()])[0][0][0].before
    gone = [Doubtful("text_removed", text, None, turns[0]) for text in (picked, news)]
    assert settle(gone, page(), memory) == [VOLATILE, REAL]
    # Noise beside it does not hide what is real.
    both = Doubtful("text_removed", f"{picked}\n{news}", None, turns[0])
    assert settle([both], page(), memory) == [REAL]


def test_a_page_that_is_not_kept_any_more_speaks_against_nothing() -> None:
    memory = looked([page()] * 5)[1]
    text = "A line that was there"
    assert settle([Doubtful("text_removed", text, None)], page(), memory) == [REAL]
    assert settle([Doubtful("text_removed", text, None)], page(f"<p>{text}</p>"), memory) == [VOLATILE]


def test_a_line_that_is_edited_at_every_look_is_restless() -> None:
    line = "<p>The {} of the harbour watch writes down every ship that comes in over the bar</p>"
    hands = ("first", "second", "third", "fourth", "fifth")
    found = states([page(line.format(hand)) for hand in hands] + [page(line.format("fifth"))])
    assert found and {state for each in found.values() for state in each} == {VOLATILE}


def test_at_the_edge_a_second_change_is_enough() -> None:
    def footed(text: str) -> Snapshot:
        return page(around=f"<footer><p>{text}</p></footer>")

    memory = looked(
        [footed(text) for text in ("One way", "One way", "Quite another", "New words", "New words")]
    )
    told = Doubtful("text_added", None, "New words")
    assert settle([told], footed("New words"), memory[1]) == [VOLATILE]
    calm = looked([footed(text) for text in ("One way", "New words", "New words", "New words", "New words")])[
        1
    ]
    assert settle([told], footed("New words"), calm) == [REAL]


def test_what_says_of_itself_that_it_is_noise() -> None:
    advert = page(around="<aside class=advertisement><p>Advertisement</p><p>Buy two oars</p></aside>")
    memory = looked([advert] * 5)[1]
    assert settle([Doubtful("text_added", None, "Buy two oars")], advert, memory) == [VOLATILE]


# --- bounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "state"), [(lambda s: page(f"<p>{s}</p>"), REAL), (lambda s: page(), VOLATILE)]
)
def test_a_text_that_was_cut_stands_by_its_beginning(now: Callable[[str], Snapshot], state: str) -> None:
    long = "word " * 1000 + "end"
    memory = looked([page()] * 5)[1]
    assert settle([Doubtful("text_added", None, long[:MAX_SIDE])], now(long), memory) == [state]


def test_a_title_is_no_text_and_a_text_no_title() -> None:
    memory = looked([page()] * 5)[1]
    now = page("<p>Brass lantern</p>")
    assert settle([Doubtful("title", "x", "Brass lantern")], now, memory) == [VOLATILE]
    assert settle([Doubtful("text_added", None, "Storm lantern")], now, memory) == [VOLATILE]


def test_a_change_that_told_nothing() -> None:
    memory = looked([page()] * 5)[1]
    assert settle([Doubtful("text_changed", None, None)], page(), memory) == [VOLATILE]
    assert settle([], page(), memory) == []
