"""`digestlog demo`: the whole tour, in a folder of its own, and never beyond the machine."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from cli.conftest import Terminal
from click.testing import Result

from digestlog.cli import demo as demo_module
from digestlog.cli.demo import CHAPTERS, Tour
from digestlog.demo.sites import HOSTS, SOURCES
from digestlog.demo.web import DemoWeb

Connections = list[tuple[str, int]]


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which the demo makes its own."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    return home


@pytest.fixture
def no_chapters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tour that is over at once."""
    monkeypatch.setattr(demo_module, "CHAPTERS", ())


def marked(chapter: Callable[[Tour], None]) -> Callable[[Tour], None]:
    """The chapter with a line before it that tells where it begins."""

    def begin(tour: Tour) -> None:
        click.echo(f"@@ {chapter.__name__}")
        chapter(tour)

    return begin


def test_the_whole_tour(
    digestlog: Terminal, at_home: Path, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_module, "CHAPTERS", tuple(map(marked, CHAPTERS)))
    result = digestlog("demo")
    assert "Traceback" not in result.output
    chapters = result.stdout.split("@@ ")[1:]
    assert [chapter.partition("\n")[0] for chapter in chapters] == [c.__name__ for c in CHAPTERS]
    for chapter in chapters:
        said, typed = chapter.index("\n## "), chapter.index("\n$ digestlog ")
        assert said < typed
    assert f"a town of {len(HOSTS)} small sites" in chapters[0]
    assert all(source.address in chapters[0] for source in SOURCES)

    shows_identity_guard_and_health(result)
    shows_two_digests(chapters)
    shows_a_page_that_changes(chapters)
    next_works(digestlog, result)

    demo = Terminal(at_home / "digestlog-demo" / "digestlog.db", digestlog.now)
    assert len(demo.followed()) == len(SOURCES) - 2
    assert {s["created_at"] for s in demo.json("sources", "list")} == {digestlog.now.isoformat()}
    assert demo.json("doctor")["ok"] is True
    second, first = (demo.json("digest", "show", one["id"])["items"] for one in demo.json("digest", "list"))
    assert len(first) > 12 and len(second) > 3
    shown = [link["url"] for item in (*first, *second) for link in (item, *item["other_links"])]
    assert len(shown) == len(set(shown))
    assert not digestlog.path.exists()
    assert {host for host, _ in connections} == {"127.0.0.1"}
    assert len({port for _, port in connections}) == 1


def next_works(digestlog: Terminal, result: Result) -> None:
    """What the tour says to type next can be typed."""
    closing = result.stdout.rpartition("\n## The file is ")[2]
    suggested = [line.split("digestlog ", 1)[1] for line in closing.splitlines() if " --db " in line]
    assert suggested
    for line in suggested:
        done = digestlog.bare(*shlex.split(line.partition(" > ")[0]))
        assert done.exit_code == 0, line
        assert done.stdout, line


def shows_two_digests(chapters: list[str]) -> None:
    """The first has every category, and the bridge once with others who tell of it; the second has none."""
    first, second = (
        next(chapter for chapter in chapters if chapter.startswith(name)).partition("$ digestlog digest\n")[2]
        for name in ("_first_digest", "_second_digest")
    )
    for name, _ in demo_module._CATEGORIES:
        assert f"\n## {name}\n" in first
    town = first.partition("## Town")[2].partition("## Harbour and sea")[0]
    assert "[Swing bridge stuck open" in town and "The same story elsewhere" in town
    assert first.count("swing-bridge-stuck-open") == 1
    assert "# Digest of " in second and "[Swing bridge" not in second
    assert "## Notes" not in first + second
    assert "stays out until" in second


def shows_a_page_that_changes(chapters: list[str]) -> None:
    """Four quiet days, then the price; and a free user who came later sees nothing of it."""
    chapter = next(chapter for chapter in chapters if chapter.startswith("_watch_a_page"))
    _, *looks = chapter.split("library check\n")
    assert len(looks) == 6
    assert looks[0].startswith("2 pages looked at: 0 changed, 0 as before, 2 for the first time")
    assert all(look.startswith("2 pages looked at: 0 changed, 2 as before") for look in looks[1:5])
    told, changes, later = looks[5].split("$ digestlog ", 2)
    assert told.startswith("2 pages looked at: 1 changed, 1 as before")
    assert "(perhaps)" not in told and "provisional" not in changes
    for words in (told, changes):
        assert "49.00 → 44.50" in words and "Only 3 left" in words
    assert "44.50" not in later and "watched" in later


def shows_identity_guard_and_health(result: Result) -> None:
    """Two spellings had one id, the machine itself was refused, and the file is sound."""
    identity, guard, health = (
        result.stdout.partition(words)[2].partition("\n## ")[0]
        for words in ("url canon ", "$ digestlog sources add http://127.0.0.1:", "$ digestlog doctor")
    )
    ids = [line.split()[1] for line in identity.splitlines() if "article_uuid" in line]
    assert len(ids) == 2 and len(set(ids)) == 1
    assert "W_" not in guard
    assert "Error: http://127.0.0.1:" in result.stderr and "private address" in result.stderr
    assert health.splitlines()[1].startswith("ok ") and "problem" not in health


@pytest.mark.usefixtures("no_chapters")
def test_each_demo_has_a_folder_of_its_own(digestlog: Terminal, at_home: Path) -> None:
    for name in ("digestlog-demo", "digestlog-demo-2", "digestlog-demo-3"):
        assert f"The file is {name}/digestlog.db." in digestlog("demo").stdout
        assert (at_home / name).is_dir()


@pytest.mark.usefixtures("no_chapters")
def test_a_folder_of_ones_own_choice(digestlog: Terminal, at_home: Path) -> None:
    result = digestlog("demo", "deep/my demo")
    assert (at_home / "deep" / "my demo").is_dir()
    assert "digestlog --db 'deep/my demo/digestlog.db' " in result.stdout


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_is_there_is_never_touched(digestlog: Terminal, at_home: Path, kind: str) -> None:
    path = at_home / "there"
    path.mkdir() if kind == "folder" else path.write_text("mine")
    result = digestlog("demo", "there", code=1)
    assert result.stdout == ""
    assert result.stderr == (
        "Error: there exists already\nHint: name another folder; the demo never touches a file\n"
    )
    assert path.is_dir() or path.read_text() == "mine"


def test_a_folder_that_cannot_be_made(digestlog: Terminal, at_home: Path) -> None:
    (at_home / "file").write_text("x")
    result = digestlog("demo", "file/inside", code=1)
    assert result.stderr.startswith("Error: file/inside cannot be made: ")


def test_the_tour_takes_the_clock_that_was_given(
    digestlog: Terminal, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        demo_module, "CHAPTERS", (lambda tour: tour.run("sources", "add", "e.org", "--method", "RSS"),)
    )
    digestlog("demo")
    digestlog.bare("demo")
    dates = [
        Terminal(at_home / name / "digestlog.db", digestlog.now).json("sources", "list")[0]["created_at"]
        for name in ("digestlog-demo", "digestlog-demo-2")
    ]
    assert dates[0] == digestlog.now.isoformat()
    assert dates[1] > dates[0]


def test_ctrl_c_ends_the_whole_tour(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    def never(tour: Tour) -> None:
        raise AssertionError("the tour went on")

    monkeypatch.setattr("digestlog.store.sources.list_all", interrupt)
    monkeypatch.setattr(demo_module, "CHAPTERS", (lambda tour: tour.run("sources", "list"), never))
    assert digestlog("demo", code=1).stderr.endswith("Aborted!\n")


def test_the_web_is_closed_after_a_bug(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[DemoWeb] = []

    def bug(tour: Tour) -> None:
        seen.append(tour.web)
        raise ZeroDivisionError

    monkeypatch.setattr(demo_module, "CHAPTERS", (bug,))
    with pytest.raises(ZeroDivisionError):
        digestlog("demo")
    with pytest.raises(RuntimeError, match="not running"):
        _ = seen[0].address
