# ruff: noqa: E501 - markup is not wrapped
"""What is read of a page, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import snapshot as module
from digestlog.core.snapshot import EDGE, LINK, MAIN, NOISE, ROW, Snapshot, read_page


def _read(body: str) -> Snapshot:
    return read_page(body.encode(), "https://example.com/dir/page", "utf-8")


def _zones(body: str) -> dict[str, int]:
    return {line.text: line.zone for line in _read(body).lines if line.kind != LINK}


def _gists(body: str) -> list[str]:
    return [line.gist for line in _read(body).lines]


def test_the_text_is_what_a_reader_reads() -> None:
    body = """<title>T</title><h1>Head</h1><p>One <b>bold</b> word.</p><ul><li>a<li>b</ul>
    <table><tr><th>x<th>y<tr><td>1<td>2</table><dl><dt>Size</dt><dd>Ten</dd></dl>first<br>second"""
    assert _read(body).text == "Head\nOne bold word.\na\nb\nx | y\n1 | 2\nSize: Ten\nfirst\nsecond"


def test_title_heading_and_language() -> None:
    page = _read("<html lang=de><svg><title>no</title></svg><title> A  title </title><h1>Head</h1>")
    assert (page.title, page.h1, page.language) == ("A title", "Head", "de")
    assert _read("<svg><title>no</title></svg><p>x").title is None


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template><p>x</p></template>",
        "<noscript>x</noscript>",
        "<p hidden>x</p>",
        "<p aria-hidden=true>x</p>",
        "<p style='color:red; display: none'>x</p>",
        "<dialog>x</dialog>",
        "<input type=hidden value=x>",
        "<input type=submit>",
        "<textarea>x</textarea>",
        "<table><tr><td>1<td>2<tr><td>3<td>4<span hidden>x</span></table>",
    ],
)
def test_what_nobody_sees_is_not_read(hidden: str) -> None:
    assert "x" not in _read(f"<p>seen</p>{hidden}").text


def test_buttons_are_read() -> None:
    assert _read("<form><input type=submit value='Send it'><button>Go</button></form>").text == "Send it Go"


def test_places_survive_class_names_white_space_and_order_of_attributes() -> None:
    one = "<main class='c1 wide' id=m><p dir=ltr class='p css-1q2w'>A</p><div class='sc-bdVaJa card'>B</div></main>"
    two = "<main id=m  class='wide c1-x9'>\n <p class='p css-9z9z' dir=ltr>A</p>\n<div class='card sc-kXyZ'>B</div></main>"
    assert [(line.place, line.path) for line in _read(one).lines] == [
        (line.place, line.path) for line in _read(two).lines
    ]


def test_a_heading_tells_places_apart_also_from_inside_a_wrapper() -> None:
    body = "<div><div><h2>A</h2></div><p>x</p></div><div><h2>B</h2><p>y</p></div>"
    places = {line.text: line.place for line in _read(body).lines}
    assert places["x"] != places["y"]


def test_the_title_of_a_card_is_no_heading_of_a_place() -> None:
    card = "<div><h3><a href=/{0}>{0}</a></h3><p>{1}</p></div>"
    places = {line.text: line.place for line in _read(card.format("a", "x") + card.format("b", "y")).lines}
    assert places["x"] == places["y"]
    long = {line.text: line.place for line in _read(f"<div><h2>{'w ' * 90}</h2><p>x</p></div>").lines}
    assert long["x"]


def test_the_sum_counts_all_that_counts_in_any_order() -> None:
    assert _read("<p>a<p>b").sha256 == _read("<p>b<p>a").sha256 != _read("<p>a<p>c").sha256
    assert _read("<p>3 hours ago").sha256 == _read("<p>9 hours ago").sha256


# --- zones --------------------------------------------------------------------------------------


def test_around_the_main_part_is_edge() -> None:
    zones = _zones(
        f"<div>bar</div><header>head</header><main><p>{'text ' * 20}</p><aside>box</aside></main><footer>foot</footer>"
    )
    assert zones == {"bar": EDGE, "head": EDGE, ("text " * 20).strip(): MAIN, "box": EDGE, "foot": EDGE}


def test_a_main_part_that_holds_next_to_nothing_says_nothing() -> None:
    assert _zones(f"<main>x</main><p>{'text ' * 20}</p>")[("text " * 20).strip()] == MAIN


def test_headers_inside_articles_are_no_edge() -> None:
    assert _zones("<article><header>by Ana</header></article>") == {"by Ana": MAIN}


def test_a_long_line_at_the_edge_is_not_vital() -> None:
    long = "Free delivery on orders over 60 euro for all members of our wonderful club"
    assert _zones(f"<div>{long}</div><main>{'text ' * 40}</main>")[long] == EDGE


def test_links_and_buttons_that_say_nothing_or_much() -> None:
    page = _read(
        f"<p><a href=/a></a><a href='#x'>top</a><a>none</a><button></button><b>{'word ' * 20}</b></p>"
    )
    assert [line for line in page.lines if line.kind == LINK] == []


def test_a_state_belongs_to_the_line_before_it_only_in_the_same_block() -> None:
    kinds = [
        line.kind
        for line in _read("<div><p>API</p></div><section><div><div>Operational</div></div></section>").lines
    ]
    assert kinds == ["text", "text"]


@pytest.mark.parametrize("line", ["v2.3.1", "€49.00", "Sold out", "Partial outage"])
def test_vital_lines_are_never_edge(line: str) -> None:
    assert _zones(f"<div>{line}</div><main>{'text ' * 20}</main><nav>{line}!</nav>")[line] == MAIN


@pytest.mark.parametrize(
    "advert",
    [
        "<div><span>Advertisement</span> <a href=/x>Buy</a></div>",
        "<div><p>Sponsored</p><div><p>Buy</p></div></div>",
        "<li><div>Anzeige</div><h3>Buy</h3></li>",
    ],
)
def test_what_is_labelled_as_advertisement_is_noise(advert: str) -> None:
    zones = _zones(f"<section><p>Text</p>{advert}<p>More</p></section>")
    assert zones.pop("Text") == zones.pop("More") == MAIN
    assert set(zones.values()) == {NOISE}


def test_a_label_in_the_midst_of_a_long_block_is_about_the_next_line() -> None:
    zones = _zones(f"<section><p>{'text ' * 200}</p><p>Advertisement</p><p>Buy</p><p>More</p></section>")
    assert (zones["Buy"], zones["More"]) == (NOISE, MAIN)


@pytest.mark.parametrize(
    "heading",
    ["Most read", "You may also like", "Das könnte Sie auch interessieren", "À lire aussi", "相关推荐"],
)
def test_what_is_chosen_for_the_reader_is_noise(heading: str) -> None:
    zones = _zones(
        f"<h1>T</h1><p>Text</p><section><h2>{heading}</h2><ul><li>One</ul></section><section><h2>Own</h2><p>Two</p></section>"
    )
    assert (zones["Text"], zones["One"], zones["Two"]) == (MAIN, NOISE, MAIN)


def test_what_is_chosen_ends_at_the_next_heading() -> None:
    zones = _zones("<div><h2>Related articles</h2><p>One</p><h2>Contact</h2><p>Two</p></div>")
    assert (zones["One"], zones["Two"]) == (NOISE, MAIN)


def test_a_list_under_its_own_headline_is_no_noise() -> None:
    assert _zones("<h1>Popular walks</h1><p>One</p>")["One"] == MAIN


def test_a_label_without_heading_counts_at_the_edge() -> None:
    assert _zones("<aside><div>Trending</div><p>One</p></aside>")["One"] == NOISE
    assert _zones("<section><div>Trending</div><p>One</p></section>")["One"] == MAIN


@pytest.mark.parametrize(
    "banner",
    [
        "<div role=dialog><p>Join us</p></div>",
        "<dialog open><p>Join us</p></dialog>",
        "<div><p>We use cookies.</p><div><button>Accept all</button></div></div>",
        "<div aria-roledescription=carousel><p>Slide</p></div>",
    ],
)
def test_dialogs_consent_and_carousels_are_noise(banner: str) -> None:
    zones = _zones(f"<p>Text</p>{banner}")
    assert zones.pop("Text") == MAIN
    assert set(zones.values()) == {NOISE}


def test_a_page_about_cookies_is_no_banner() -> None:
    assert (
        _zones("<main><p>Cookies taste good.</p><button>Accept</button></main>")["Cookies taste good."]
        == MAIN
    )


def test_links_share_the_zone_of_their_line() -> None:
    lines = _read("<div><span>Advertisement</span> <a href=/x>Buy</a></div>").lines
    assert [line.zone for line in lines if line.kind == LINK] == [NOISE]


# --- tables -------------------------------------------------------------------------------------


def test_a_table_that_lays_out_a_page_is_text() -> None:
    for table in (
        "<table><tr><td><p>a</p><td>b</table>",
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table><tr><td>a <p>b</p><td><table></table><tr><td>c<td>d</table>",
        f"<table><tr><td>{'a ' * 400}<td>b<tr><td>c<td>d</table>",
        "<table><tr><td>a<tr><td>b<tr><td>c<td>d</table>",
    ):
        assert [line.kind for line in _read(table).lines if line.text.startswith("a ")] != [ROW]


def test_head_body_and_empty_rows_of_a_table() -> None:
    body = "<table><thead><tr><td>x<td>y</thead><tbody><tr><td><td><tr><td>1<td>2 <i>new</i> old<div>z</div></tbody></table>"
    rows = [line for line in _read(body).lines if line.kind == ROW]
    assert [(row.text, row.label) for row in rows] == [("x | y", "x | y"), ("1 | 2 new old z", "x | y")]


def test_links_in_tables_are_read() -> None:
    lines = _read("<table><tr><td><a href=/a>A</a><td>2<tr><td>3<td>4</table>").lines
    assert [line.text for line in lines if line.kind == LINK] == ["A → example.com/a"]


# --- storing ------------------------------------------------------------------------------------


def test_a_snapshot_goes_through_json() -> None:
    page = _read(
        "<title>T</title><h1>H</h1><p>3 hours ago</p><a href=/x>x</a><table><tr><th>a<th>b<tr><td>1<td>2</table>"
    )
    assert Snapshot.from_json(page.to_json()) == page


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", '{"lines": 3}', '{"lines": [[1, 2]], "names": []}', '{"lines":[["a",null,9,9,0,0,""]],"names":["p"]}',
     '{"lines":[["a",null,0,0,0,7,""],[1,null,0,0,0,0,""],["a",null,0,0,"x",0,""]],"names":["p"],"title":4}'],
)  # fmt: skip
def test_what_cannot_be_understood_is_left_out(text: str) -> None:
    assert Snapshot.from_json(text) == Snapshot()


@given(st.binary(max_size=400))
def test_no_bytes_make_it_raise(body: bytes) -> None:
    assert read_page(body, "https://example.com/", None).sha256


def test_a_part_that_fails_is_an_empty_look(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(module, "read", fail)
    assert read_page(b"<p>x", "https://example.com/", None) == Snapshot()


def test_hostile_pages_are_bounded() -> None:
    many = _read("".join(f"<p>line {at}</p>" for at in range(9_000)))
    assert len(many.lines) == 6_000
    assert len(_read("<p>" + "word " * 300_000).text) <= 20_000
    assert len(_read("<table>" + "<tr><td>a<td>b" * 20_000).lines) <= 2_000
    assert len(_read("<table><tr>" + "<td>a" * 30_000).text) < 30_000
    assert len(_read("".join(f"<a href=/{at}>t{at}</a>" for at in range(5_000))).lines) <= 1_501
    assert len(_read("<div>x" * 3_000).lines) <= 6_000
    assert len(_read("".join(f"<p>{'w' * 19_000} {at}</p>" for at in range(150))).text) < 2_100_000
