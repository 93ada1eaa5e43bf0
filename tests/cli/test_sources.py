"""`digestlog sources`: add, list, show, edit, pause, resume, remove, import, export."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from cli.conftest import Terminal

from digestlog.core.model import Source
from digestlog.demo.sites import SOURCES
from digestlog.demo.web import DemoWeb

# What each address of the demo web leads to: its id, its own name and where it really is.
TOWN = {
    "harbour-times.example": ("W_RSS_1", "The Harbour Times", "http://harbour-times.example/rss.xml"),
    "tidepool-review.example": ("W_RSS_2", "Tidepool Review", "http://tidepool-review.example/atom.xml"),
    "slow-lantern.example": ("W_RSS_3", "Slow Lantern", "http://slow-lantern.example/index.rdf"),
    "signal-and-spanner.example": (
        "W_RSS_4",
        "Signal & Spanner",
        "http://signal-and-spanner.example/feed.json",
    ),
    "north-quay-sport.example": ("W_RSS_5", "North Quay Sport", "http://north-quay-sport.example/feed.xml"),
    "port-alder-council.example/news": (
        "W_DIRECT_1",
        "News | Port Alder Town Council",
        "http://port-alder-council.example/news",
    ),
    "alder-valley-business.example": (
        "W_DIRECT_2",
        "Alder Valley Business",
        "http://alder-valley-business.example/",
    ),
    "gull-street.example": ("W_RSS_6", "Gull Street Gazette", "http://gull-street.example/feed.rss"),
    "lighthouse-weather.example": (
        "W_RSS_7",
        "Gannet Light Weather",
        "http://lighthouse-weather.example/feed.xml",
    ),
    "http://allotment-club.example/rss": (
        "W_RSS_8",
        "Port Alder Allotment Club",
        "http://allotment-club.example/feeds/all.xml",
    ),
    "petit-phare.example": ("W_RSS_9", "Le Petit Phare", "http://petit-phare.example/rss.xml"),
}
GONE, TRAP = "http://retired-mariner.example/feed.xml", "http://trapdoor.example/feed.xml"
TIMES, COUNCIL = "harbour-times.example", "port-alder-council.example/news"


def active(digestlog: Terminal) -> list[str]:
    return [s["source_uuid"] for s in digestlog.json("sources", "list", "--active")]


# --- add --------------------------------------------------------------------------------------


def test_the_whole_town(in_town: Terminal) -> None:
    addresses = [source.address for source in SOURCES]
    assert addresses == [*TOWN, GONE, TRAP]
    result = in_town("sources", "add", *addresses, code=1)
    assert result.stdout.splitlines() == ["  ".join(TOWN[address]) for address in TOWN]
    assert result.stderr.splitlines() == [
        "  also here: http://harbour-times.example/comments/rss.xml",
        f"Error: no feed or page found at {GONE}",
        f"Hint: tried {GONE} (is gone for good). To add it unseen: --method RSS or --method Direct",
        *(line for line in result.stderr.splitlines() if "trapdoor" in line),
    ]
    assert f"Error: {TRAP} leads to a private address" in result.stderr
    assert sorted(in_town.followed()) == sorted((uuid, url) for uuid, _, url in TOWN.values())


@pytest.mark.parametrize("address", TOWN)
def test_each_address_of_the_town(in_town: Terminal, address: str) -> None:
    found = in_town.json("sources", "add", address)
    uuid, name, url = TOWN[address]
    (result,) = found["results"]
    assert set(found) == {"new", "back", "known", "failed", "skipped", "results"}
    assert set(result) == {"address", "outcome", "source", "tried", "others"}
    assert set(result["source"]) == set(Source.__slots__)
    assert (result["address"], result["outcome"]) == (address, "new")
    assert (result["source"]["source_name"], result["source"]["source_url"]) == (name, url)
    assert result["source"]["source_uuid"].rpartition("_")[0] == uuid.rpartition("_")[0]
    assert result["source"]["created_at"] == in_town.now.isoformat()


@pytest.mark.parametrize(
    ("address", "tried"),
    [
        (TIMES, ["https://harbour-times.example/"]),
        (
            "north-quay-sport.example",
            ["https://north-quay-sport.example/"]
            + [
                f"http://north-quay-sport.example/{p}"
                for p in ("feed", "feed/", "rss", "rss.xml", "atom.xml")
            ],
        ),
        ("http://tidepool-review.example/atom.xml", []),
    ],
)
def test_what_was_tried(in_town: Terminal, address: str, tried: list[str]) -> None:
    (result,) = in_town.json("sources", "add", address)["results"]
    assert [step["url"] for step in result["tried"]] == tried
    assert all(set(step) == {"url", "outcome"} for step in result["tried"])


def test_verbose_says_what_was_tried(in_town: Terminal) -> None:
    result = in_town("sources", "add", TIMES, root=["-v"])
    assert result.stderr.startswith("  tried https://harbour-times.example/: ")


def test_quiet_says_only_the_result(in_town: Terminal) -> None:
    result = in_town("sources", "add", TIMES, root=["-q"])
    assert (result.stdout, result.stderr) == ("  ".join(TOWN[TIMES]) + "\n", "")


def test_a_site_of_which_nothing_can_be_had(in_town: Terminal) -> None:
    result = in_town("sources", "add", "nowhere.example", code=1)
    assert result.stdout == ""
    error, hint = result.stderr.splitlines()
    assert error == "Error: no feed or page found at nowhere.example"
    assert "https://nowhere.example/ (" in hint and "http://nowhere.example/ (" in hint
    assert in_town.followed() == []


def test_failures_as_json(in_town: Terminal) -> None:
    found = in_town.json("sources", "add", GONE, COUNCIL, "mailto:anna", code=1)
    assert (found["new"], found["failed"], found["known"], found["back"]) == (1, 2, 0, 0)
    gone, council, mail = found["results"]
    assert set(gone) == set(mail) == {"address", "error", "hint"}
    assert gone["address"] == GONE
    assert council["source"]["source_uuid"] == "W_DIRECT_1"
    assert mail["hint"] == "only http and https are followed"


def test_unseen_without_network(in_town: Terminal, town: DemoWeb, connections: list[Any]) -> None:
    before = town.requests
    result = in_town("sources", "add", "x.example", "http://y.example/f", "--method", "rss")
    assert result.stdout.splitlines() == [
        "W_RSS_1  x.example  https://x.example/",
        "W_RSS_2  y.example  http://y.example/f",
    ]
    assert (town.requests, connections) == (before, [])


def test_the_machine_itself_is_refused(in_town: Terminal, town: DemoWeb) -> None:
    host, port = town.address
    before = town.requests
    result = in_town("sources", "add", f"http://{host}:{port}/", code=1)
    assert "private address" in result.stderr and "--allow-private" in result.stderr
    assert town.requests == before


def test_the_own_network_where_it_is_allowed(in_town: Terminal, town: DemoWeb) -> None:
    host, port = town.address
    before = town.requests
    in_town("sources", "add", f"http://{host}:{port}/x", "--allow-private", code=1)
    assert town.requests == before + 1
    in_town("sources", "add", "http://10.0.0.1/f", "--allow-private", "--method", "RSS")
    assert in_town.json("sources", "show", "W_RSS_1")["allow_private"] is True
    assert "private network  allowed" in " ".join(in_town("sources", "show", "W_RSS_1").stdout.split("\n"))


def test_name_and_folder(in_town: Terminal) -> None:
    in_town("sources", "add", TIMES, "--name", "The Daily", "--folder", "News/Local")
    source = in_town.json("sources", "show", "W_RSS_1")
    assert (source["source_name"], source["folder"]) == ("The Daily", "News/Local")
    assert source["site_url"] == "http://harbour-times.example/"


def test_empty_name_and_folder_are_none(digestlog: Terminal) -> None:
    digestlog("sources", "add", "e.example", "--method", "RSS", "--name", "", "--folder", "")
    source = digestlog.json("sources", "show", "W_RSS_1")
    assert (source["source_name"], source["folder"]) == ("e.example", None)


def test_one_name_for_several_addresses(digestlog: Terminal) -> None:
    result = digestlog("sources", "add", "a.example", "b.example", "--name", "Both", code=2)
    assert "--name goes with one address" in result.stderr
    assert not digestlog.path.exists()


@pytest.mark.parametrize(
    "again",
    ["https://e.example/feed", "http://e.example/feed", "https://e.example/feed/", "E.example/feed#x"],
)
def test_added_twice(digestlog: Terminal, again: str) -> None:
    digestlog("sources", "add", "https://e.example/feed", "--method", "RSS")
    result = digestlog("sources", "add", again, "--method", "RSS")
    assert result.stdout == "W_RSS_1  e.example  https://e.example/feed (followed already)\n"
    assert len(digestlog.followed()) == 1
    assert digestlog.json("sources", "add", again, "--method", "Direct")["known"] == 1


def test_what_is_asked_of_a_known_source_is_not_dropped_in_silence(digestlog: Terminal) -> None:
    digestlog("sources", "add", "https://e.example/feed", "--method", "RSS", "--folder", "F")
    wish = ("--name", "A new name", "--folder", "F", "--allow-private")
    result = digestlog("sources", "add", "https://e.example/feed", "--method", "RSS", *wish)
    hint = "to change it: digestlog sources edit W_RSS_1 --name 'A new name' --allow-private"
    assert result.stderr == f"  {hint}\n"
    digestlog("sources", "edit", "W_RSS_1", "--name", "A new name", "--allow-private")
    assert digestlog("sources", "add", "https://e.example/feed", "--method", "RSS", *wish).stderr == ""
    other = digestlog("sources", "add", "https://e.example/feed", "--method", "RSS", "--folder", "G")
    assert other.stderr == "  to change it: digestlog sources edit W_RSS_1 --folder G\n"


def test_removed_and_added_again(digestlog: Terminal) -> None:
    digestlog("sources", "add", "a.example", "b.example", "--method", "RSS")
    digestlog("sources", "remove", "W_RSS_1")
    result = digestlog("sources", "add", "a.example", "--method", "RSS")
    assert result.stdout == "W_RSS_1  a.example  https://a.example/ (followed again)\n"
    assert active(digestlog) == ["W_RSS_1", "W_RSS_2"]


def test_numbers_are_never_used_again(digestlog: Terminal) -> None:
    digestlog("sources", "add", "a.example", "--method", "RSS")
    digestlog("sources", "remove", "W_RSS_1")
    digestlog("sources", "add", "b.example", "--method", "RSS")
    assert digestlog.followed() == [("W_RSS_2", "https://b.example/")]


def test_odd_bytes_in_an_address(digestlog: Terminal) -> None:
    found = digestlog.json("sources", "add", "\udcff.example", code=1)
    assert found["results"][0]["address"] == "\udcff.example"


# --- list -------------------------------------------------------------------------------------


def test_list(three: Terminal) -> None:
    assert three("sources", "list").stdout.splitlines() == [
        "ID          NAME   ADDRESS                 STATE   LAST SUCCESS",
        "W_RSS_1     Alpha  https://a.example/feed  active",
        "W_RSS_2     Beta   https://b.example/feed  active",
        "W_DIRECT_1  Gamma  https://c.example/      active",
    ]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ([], ["W_RSS_1", "W_RSS_2", "W_DIRECT_1"]),
        (["--method", "rss"], ["W_RSS_1", "W_RSS_2"]),
        (["--method", "Direct"], ["W_DIRECT_1"]),
        (["--active"], ["W_RSS_1", "W_DIRECT_1"]),
        (["--paused"], ["W_RSS_2"]),
        (["--paused", "--method", "DIRECT"], []),
    ],
)
def test_list_some(three: Terminal, options: list[str], ids: list[str]) -> None:
    three("sources", "pause", "Beta")
    found = three.json("sources", "list", *options)
    assert [source["source_uuid"] for source in found] == ids
    assert all(set(source) == set(Source.__slots__) for source in found)


def test_an_empty_list(digestlog: Terminal) -> None:
    result = digestlog("sources", "list")
    assert (result.stdout, result.stderr) == (
        "",
        "No sources yet. Add one: digestlog sources add example.org\n",
    )
    assert digestlog.json("sources", "list") == []


def test_failing_sources_say_so(three: Terminal) -> None:
    connection = sqlite3.connect(three.path)
    connection.execute(
        "INSERT INTO source_fetch_state (source_uuid, consecutive_failures, last_error)"
        " VALUES ('W_RSS_1', 3, 'gone')"
    )
    connection.commit()
    connection.close()
    assert "failing (3)" in three("sources", "list").stdout
    shown = three("sources", "show", "W_RSS_1").stdout
    assert "failures in a row  3\nlast error         gone\n" in shown


# --- show -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["W_RSS_1", "w_rss_1", "https://a.example/feed", "https://a.example/feed/", "Alpha", "ALPHA", " alpha "],
)
def test_show(three: Terminal, text: str) -> None:
    assert three("sources", "show", text).stdout.splitlines() == [
        "id         W_RSS_1",
        "name       Alpha",
        "address    https://a.example/feed",
        "method     RSS",
        "folder     News/Local",
        "state      active",
        f"added      {three.now.isoformat()}",
        "next scan  at the next scan",
    ]


def test_show_as_json(three: Terminal) -> None:
    found = three.json("sources", "show", "Gamma")
    assert list(found) == list(Source.__slots__)
    assert (found["source_uuid"], found["url_scraping_method"]) == ("W_DIRECT_1", "Direct")


def test_an_ambiguous_name(three: Terminal) -> None:
    three("sources", "edit", "W_RSS_2", "--name", "alpha")
    result = three("sources", "show", "Alpha", code=1)
    assert result.stderr == (
        "Error: Alpha is the name of several sources\nHint: say which: W_RSS_1, W_RSS_2\n"
    )


def test_a_removed_source(three: Terminal) -> None:
    three("sources", "remove", "Alpha")
    shown = three("sources", "show", "Alpha").stdout
    assert "state    removed\n" in shown
    assert "next scan" not in shown
    result = three("sources", "edit", "Alpha", "--name", "x", code=1)
    assert result.stderr == (
        "Error: Alpha was removed\nHint: to follow it again: digestlog sources add https://a.example/feed\n"
    )


def test_no_such_source(three: Terminal) -> None:
    result = three("sources", "show", "W_RSS_9", code=1)
    assert (result.stdout, result.stderr) == (
        "",
        "Error: there is no source W_RSS_9\nHint: see: digestlog sources list\n",
    )


# --- edit -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value", "column", "stored"),
    [
        ("--name", "  New\tname ", "source_name", "New name"),
        ("--url", "new.example/feed#x", "source_url", "https://new.example/feed"),
        ("--url", "http://a.example/feed/", "source_url", "http://a.example/feed/"),
        ("--site", "http://a.example", "site_url", "http://a.example/"),
        ("--site", "", "site_url", None),
        ("--folder", "Sport", "folder", "Sport"),
        ("--folder", "", "folder", None),
        ("--link-selector", "main h2 > a", "link_selector", "main h2 > a"),
        ("--link-selector", "", "link_selector", None),
        ("--date-selector", "time", "date_selector", "time"),
        ("--date-selector", "", "date_selector", None),
        ("--allow-private", None, "allow_private", True),
        ("--no-allow-private", None, "allow_private", False),
    ],
)
def test_edit(three: Terminal, option: str, value: str | None, column: str, stored: object) -> None:
    before = three.json("sources", "show", "W_RSS_1")
    args = [option] if value is None else [option, value]
    assert three.json("sources", "edit", "Alpha", *args) == {**before, column: stored}
    assert three.json("sources", "show", "W_RSS_1") == {**before, column: stored}


def test_edit_several_at_once(three: Terminal) -> None:
    result = three("sources", "edit", "W_RSS_1", "--name", "A", "--url", "http://z.example/", "--folder", "")
    assert result.stdout == "W_RSS_1  A  http://z.example/\n"


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "say what to change"),
        (["--name", ""], 1, "a source needs a name"),
        (["--url", ""], 1, "a source needs an address"),
        (["--url", "ftp://a.example"], 1, "is not an address that can be followed"),
        (["--site", "javascript:x"], 1, "is not an address that can be followed"),
        (["--url", "https://anna:pw@a.example/"], 1, "an address with a password is not stored"),
        (
            ["--url", "https://b.example/feed"],
            1,
            "another source already has the address https://b.example/feed",
        ),
        (
            ["--url", "http://b.example/feed/"],
            1,
            "another source already has the address https://b.example/feed",
        ),
    ],
)
def test_an_edit_that_is_refused(three: Terminal, args: list[str], code: int, said: str) -> None:
    before = three.json("sources", "list")
    result = three("sources", "edit", "W_RSS_1", *args, code=code)
    assert said in result.stderr
    assert result.stdout == ""
    assert three.json("sources", "list") == before


def test_the_address_of_a_removed_source_is_taken(three: Terminal) -> None:
    three("sources", "remove", "Beta")
    result = three("sources", "edit", "Alpha", "--url", "b.example/feed", code=1)
    assert result.stderr.splitlines()[1] == "Hint: it is W_RSS_2"


# --- pause, resume, remove --------------------------------------------------------------------


def test_pause_and_resume_several(three: Terminal) -> None:
    result = three("sources", "pause", "W_RSS_1", "Gamma", "--reason", "too loud")
    assert result.stdout == "W_RSS_1  Alpha: paused\nW_DIRECT_1  Gamma: paused\n"
    assert active(three) == ["W_RSS_2"]
    assert "paused: too loud" in three("sources", "list").stdout
    assert three.json("sources", "show", "Gamma")["paused_reason"] == "too loud"
    result = three("sources", "resume", "Alpha", "W_DIRECT_1")
    assert result.stdout == "W_RSS_1  Alpha: active\nW_DIRECT_1  Gamma: active\n"
    assert len(active(three)) == 3
    assert three.json("sources", "show", "Gamma")["paused_reason"] is None


@pytest.mark.parametrize("reason", [[], ["--reason", ""]])
def test_pause_without_a_reason(three: Terminal, reason: list[str]) -> None:
    three("sources", "pause", "Alpha", *reason)
    assert three.json("sources", "show", "Alpha")["paused_reason"] is None
    assert "W_RSS_1     Alpha  https://a.example/feed  paused\n" in three("sources", "list").stdout


def test_remove_several(three: Terminal) -> None:
    result = three("sources", "remove", "https://b.example/feed", "W_DIRECT_1")
    assert result.stdout == "W_RSS_2  Beta: removed\nW_DIRECT_1  Gamma: removed\n"
    assert three.followed() == [("W_RSS_1", "https://a.example/feed")]
    assert three.json("sources", "show", "Beta")["removed_at"] == three.now.isoformat()


@pytest.mark.parametrize("command", ["pause", "resume", "remove"])
def test_one_wrong_name_changes_nothing(three: Terminal, command: str) -> None:
    three("sources", "pause", "Beta")
    before = three.json("sources", "list")
    result = three("sources", command, "Alpha", "Beta", "Delta", code=1)
    assert (result.stdout, result.stderr.splitlines()[0]) == ("", "Error: there is no source Delta")
    assert three.json("sources", "list") == before
