"""`-o FILE`: what a file that is there already stays, and what is no file."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from cli.conftest import Terminal

from digestlog.cli import digest_output
from digestlog.cli.app import App
from digestlog.errors import ConfigError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes, devices and modes of Unix")


@pytest.fixture
def umask() -> Iterator[int]:
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


@pytest.fixture
def app(tmp_path: Path, now: datetime) -> App:
    """A run on a file that is there."""
    (tmp_path / "own.db").write_bytes(b"own")
    return App.begin(db=tmp_path / "own.db", user=None, now=now, verbosity=0, pins=None)


def feed(digestlog: Terminal, file: Path, code: int = 0) -> str:
    """Write the empty feed; what was said of it."""
    return digestlog("library", "feed", "-o", str(file), code=code).stderr


def is_feed(text: str) -> bool:
    return text.startswith("<?xml") and text.rstrip().endswith("</feed>")


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_link_leads_to_the_file_that_is_replaced(digestlog: Terminal, tmp_path: Path) -> None:
    real, link, second = tmp_path / "there" / "real.xml", tmp_path / "link.xml", tmp_path / "second.xml"
    real.parent.mkdir()
    real.write_text("old")
    link.symlink_to(Path("there") / "real.xml")
    second.symlink_to(link)
    feed(digestlog, second)
    assert is_feed(real.read_text(encoding="utf-8"))
    assert link.readlink() == Path("there") / "real.xml" and second.is_symlink()
    assert not list(tmp_path.rglob("*.partial"))


def test_a_link_to_nothing_yet_leads_to_the_new_file(digestlog: Terminal, tmp_path: Path) -> None:
    (tmp_path / "link.xml").symlink_to(tmp_path / "new.xml")
    feed(digestlog, tmp_path / "link.xml")
    assert (tmp_path / "link.xml").is_symlink()
    assert is_feed((tmp_path / "new.xml").read_text(encoding="utf-8"))


def test_links_that_lead_round_in_a_circle(digestlog: Terminal, tmp_path: Path) -> None:
    one, two = tmp_path / "one.xml", tmp_path / "two.xml"
    one.symlink_to(two)
    two.symlink_to(one)
    assert "cannot be written" in feed(digestlog, one, code=1)
    assert one.is_symlink() and two.is_symlink()


def test_a_file_is_replaced_in_one_step(digestlog: Terminal, tmp_path: Path) -> None:
    """Who reads the old one meanwhile reads it to its end."""
    file = tmp_path / "feed.xml"
    file.write_text("old")
    with file.open(encoding="utf-8") as reader:
        feed(digestlog, file)
        assert reader.read() == "old"
    assert is_feed(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("before", [0o600, 0o640, 0o666, 0o400])
def test_a_file_keeps_its_mode(digestlog: Terminal, tmp_path: Path, umask: int, before: int) -> None:
    file = tmp_path / "feed.xml"
    file.write_text("old")
    file.chmod(before)
    feed(digestlog, file)
    assert mode(file) == before
    assert is_feed(file.read_text(encoding="utf-8"))


def test_a_new_file_has_the_mode_of_the_umask(digestlog: Terminal, tmp_path: Path, umask: int) -> None:
    feed(digestlog, tmp_path / "feed.xml")
    assert mode(tmp_path / "feed.xml") == 0o666 & ~umask


def test_nobody_else_reads_a_private_file_while_it_is_written(
    app: App, tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.umask(0)
    file, modes = tmp_path / "feed.xml", []
    file.write_text("old")
    file.chmod(0o600)
    write = digest_output._write

    def seen(descriptor: int, text: str) -> None:
        modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        write(descriptor, text)

    monkeypatch.setattr(digest_output, "_write", seen)
    digest_output.write_file(app, file, "new", overwrite=True)
    assert (file.read_text(), modes) == ("new", [0o600])


def test_a_pipe_is_written_to(digestlog: Terminal, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        feed(digestlog, pipe)
        assert is_feed(os.read(reader, 65536).decode())
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(("device", "code"), [("/dev/null", 0), ("/dev/full", 1)])
def test_a_device_is_written_to(digestlog: Terminal, tmp_path: Path, device: str, code: int) -> None:
    """Through a link, so that a mistake costs the link and not the machine's device."""
    if not Path(device).is_char_device():
        pytest.skip(f"no {device} here")
    link = tmp_path / "device"
    link.symlink_to(device)
    said = feed(digestlog, link, code=code)
    assert ("cannot be written: No space left on device" in said) == bool(code)
    assert link.is_symlink() and Path(device).is_char_device()


def test_a_pipe_needs_no_overwrite(app: App, tmp_path: Path) -> None:
    """Nothing is lost in it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        digest_output.write_file(app, pipe, "words", overwrite=False)
        assert os.read(reader, 100) == b"words"
    finally:
        os.close(reader)


def test_a_folder_is_refused_with_words(digestlog: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    for name in ("folder", "link"):
        said = feed(digestlog, tmp_path / name, code=1)
        assert "it is a folder" in said and "name a file in it" in said
    assert not list(folder.iterdir())


def test_what_a_killed_run_left_is_written_over(app: App, tmp_path: Path) -> None:
    """Neither kept as it is, nor followed to where a link of that name leads."""
    file, victim = tmp_path / "feed.xml", tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / f"feed.xml.{os.getpid()}.partial").symlink_to(victim)
    digest_output.write_file(app, file, "new", overwrite=True)
    assert (file.read_text(), victim.read_text(), file.is_symlink()) == ("new", "mine", False)


def test_the_file_itself_behind_a_link(app: App, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(app.path())
    with pytest.raises(ConfigError, match="digestlog's own file"):
        digest_output.write_file(app, tmp_path / "link", "new", overwrite=True)
    assert app.path().read_bytes() == b"own"
