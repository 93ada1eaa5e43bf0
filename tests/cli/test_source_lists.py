"""`digestlog sources import` and `export`: OPML and plain lists, friendly and hostile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Terminal, program

from digestlog.demo.sites import SOURCES

TIMES, COUNCIL = "harbour-times.example", "port-alder-council.example/news"
GONE = "http://retired-mariner.example/feed.xml"

# --- import -----------------------------------------------------------------------------------

OPML = """<?xml version="1.0" encoding="{encoding}"?>
<opml version="2.0"><head><title>Mine</title></head><body>
<outline text="News"><outline text="Région">
  <outline type="rss" text="Café" xmlUrl="https://cafe.example/feed" htmlUrl="https://cafe.example/"/>
</outline></outline>
<outline type="link" text="Page" url="https://page.example/news"/>
<outline text="here" xmlUrl="file:///etc/passwd"/>
</body></opml>"""


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "utf-8-sig"])
def test_import_opml(digestlog: Terminal, tmp_path: Path, connections: list[Any], encoding: str) -> None:
    file = tmp_path / "list.opml"
    file.write_bytes(OPML.format(encoding=encoding.removesuffix("-sig")).encode(encoding))
    result = digestlog("sources", "import", str(file))
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        "Left out an address that is not on the web: file:///etc/passwd",
        "2 sources added, 0 followed already, 0 failed, 1 left out",
    ]
    feed, page = digestlog.json("sources", "list")
    assert (feed["source_name"], feed["folder"]) == ("Café", "News/Région")
    assert (feed["url_scraping_method"], feed["site_url"]) == ("RSS", "https://cafe.example/")
    assert (page["url_scraping_method"], page["source_url"]) == ("Direct", "https://page.example/news")
    assert connections == []


def test_import_twice(digestlog: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "list.opml"
    file.write_text(OPML.format(encoding="utf-8"), encoding="utf-8")
    assert digestlog.json("sources", "import", str(file))["new"] == 2
    before = digestlog.json("sources", "list")
    again = digestlog.json("sources", "import", str(file))
    assert (again["new"], again["known"], again["failed"], len(again["skipped"])) == (0, 2, 0, 1)
    assert digestlog.json("sources", "list") == before


def test_import_with_wishes_for_all(digestlog: Terminal) -> None:
    args = ("--method", "direct", "--folder", "In", "--allow-private")
    digestlog("sources", "import", "-", *args, input=OPML.format(encoding="utf-8").encode())
    found = digestlog.json("sources", "list")
    assert {s["url_scraping_method"] for s in found} == {"Direct"}
    assert [s["folder"] for s in found] == ["In/News/Région", "In"]
    assert all(s["allow_private"] for s in found)


def test_import_says_each_source_if_asked(digestlog: Terminal) -> None:
    result = digestlog("sources", "import", "-", input=OPML.format(encoding="utf-8").encode(), root=["-v"])
    assert result.stdout.splitlines() == [
        "W_RSS_1  Café  https://cafe.example/feed",
        "W_DIRECT_1  Page  https://page.example/news",
    ]


def test_a_plain_list_is_looked_at(in_town: Terminal) -> None:
    lines = f"\ufeff# my town\r\n{TIMES} news local\r\n\r\n  {COUNCIL}\r\n{TIMES}\r\n{GONE}\r\n"
    result = in_town("sources", "import", "-", input=lines.encode(), code=1)
    assert result.stderr.splitlines()[0] == f"Error: no feed or page found at {GONE}"
    assert result.stderr.splitlines()[-1] == "2 sources added, 0 followed already, 1 failed, 0 left out"
    assert in_town.followed() == [
        ("W_RSS_1", "http://harbour-times.example/rss.xml"),
        ("W_DIRECT_1", "http://port-alder-council.example/news"),
    ]


def test_a_plain_list_unseen(digestlog: Terminal, tmp_path: Path, connections: list[Any]) -> None:
    file = tmp_path / "list.txt"
    file.write_text("b.example\na.example\n", encoding="utf-16")
    assert digestlog("sources", "import", str(file), "--method", "RSS", root=["-q"]).stderr == ""
    assert digestlog.followed() == [("W_RSS_1", "https://b.example/"), ("W_RSS_2", "https://a.example/")]
    assert connections == []


HOSTILE = {
    "laughs": "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)) + '<!ENTITY e "&e11;">',
    "file": '<!ENTITY e SYSTEM "file:///etc/passwd">',
    "network": '<!ENTITY e SYSTEM "http://127.0.0.1:9/x">',
    "parameter": '<!ENTITY % p SYSTEM "http://127.0.0.1:9/x"> %p;',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_opml(digestlog: Terminal, connections: list[Any], kind: str) -> None:
    body = (
        f'<?xml version="1.0"?><!DOCTYPE opml [<!ENTITY e0 "ha">{HOSTILE[kind]}]>'
        '<opml><body><outline text="&e;" xmlUrl="https://a.example/feed"/>&e;</body></opml>'
    )
    digestlog("sources", "import", "-", input=body.encode())
    (source,) = digestlog.json("sources", "list")
    assert source["source_name"] == "&e;"
    assert connections == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<opml>" + b" " * 16_000_000, "larger than 15 MB"),
        (b"a.example\n" * 1_600_000, "larger than 15 MB"),
        (b"<html><body>x</body></html>", "This is a web page"),
        (b"<rss version='2.0'><channel/></rss>", "This is a feed"),
        (b"\x00\x01\x02\x03", "neither OPML nor a list"),
        (b"<opml>" + b"<outline text='a'>" * 500, "more than 64 levels deep"),
    ],
)
def test_what_is_no_list(digestlog: Terminal, body: bytes, said: str) -> None:
    result = digestlog("sources", "import", "-", input=body, code=1)
    assert result.stdout == ""
    assert said in result.stderr.splitlines()[0]
    assert not digestlog.path.exists()


def test_a_list_with_nothing_in_it(digestlog: Terminal) -> None:
    result = digestlog("sources", "import", "-", input=b"")
    assert result.stderr == "0 sources added, 0 followed already, 0 failed, 0 left out\n"


def test_a_list_that_is_not_there(digestlog: Terminal, tmp_path: Path) -> None:
    assert "No such file" in digestlog("sources", "import", str(tmp_path / "no.opml"), code=2).stderr


def test_import_from_a_pipe(db_path: Path) -> None:
    done = program(
        "--db", str(db_path), "sources", "import", "-", "--method", "RSS", "--json", input=b"a.example\n"
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["new"] == 1


# --- export -----------------------------------------------------------------------------------

KEPT = ("source_name", "source_url", "url_scraping_method", "site_url", "folder")


def kept(digestlog: Terminal) -> list[tuple[object, ...]]:
    return [tuple(source[name] for name in KEPT) for source in digestlog.json("sources", "list")]


def test_out_and_into_a_second_file(in_town: Terminal, tmp_path: Path) -> None:
    in_town("sources", "add", *(source.address for source in SOURCES[:11]))
    in_town("sources", "edit", "W_RSS_1", "--folder", "News & more/Local", "--name", 'The "Times" <1>')
    file = tmp_path / "mine.opml"
    result = in_town("sources", "export", str(file))
    assert (result.stdout, result.stderr) == ("", f"{file}: 11 sources\n")
    second = Terminal(tmp_path / "second.db", in_town.now)
    second("sources", "import", str(file))
    assert kept(second) == kept(in_town)
    assert second("sources", "export").stdout_bytes == file.read_bytes()


def test_export_to_standard_output(three: Terminal) -> None:
    for args in ([], ["-"]):
        result = three("sources", "export", *args)
        assert result.stdout.startswith("<?xml version='1.0' encoding='UTF-8'?>\n<opml version=\"2.0\">")
        assert result.stdout.count("xmlUrl=") == 2
        assert result.stderr == ""


def test_removed_sources_are_not_exported(three: Terminal) -> None:
    three("sources", "remove", "Alpha", "Beta", "Gamma")
    assert "<outline" not in three("sources", "export").stdout


def test_a_quiet_export(three: Terminal, tmp_path: Path) -> None:
    assert three("sources", "export", str(tmp_path / "x.opml"), root=["-q"]).output == ""


@pytest.mark.parametrize("name", ["no/such/folder.opml", "."])
def test_where_nothing_can_be_written(three: Terminal, tmp_path: Path, name: str) -> None:
    result = three("sources", "export", str(tmp_path / name), code=1)
    error, hint = result.stderr.splitlines()
    assert error.startswith(f"Error: {tmp_path / name} cannot be written: ")
    assert hint == "Hint: choose another name"


def test_the_export_does_not_replace_the_file_itself(three: Terminal) -> None:
    before = three.path.read_bytes()
    result = three("sources", "export", str(three.path), code=1)
    assert "is digestlog's own file" in result.stderr
    assert three.path.read_bytes() == before


def test_export_in_a_process_of_its_own(three: Terminal) -> None:
    done = program("--db", str(three.path), "sources", "export")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"</opml>\n")
