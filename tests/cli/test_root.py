"""The root command: the file, the user, the clock, and every error in one line."""

from __future__ import annotations

import errno
import io
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import redirect_stdout
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from cli.conftest import Terminal, environment, program

from digestlog import __version__
from digestlog.cli import cli, main
from digestlog.store import sources as store
from digestlog.store.db import APPLICATION_ID, open_database
from digestlog.store.migrations import SCHEMA_VERSION

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals are others there")

# --- usage ------------------------------------------------------------------------------------


def test_version() -> None:
    done = program("--version", text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"digestlog, version {__version__}\n", "")


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(digestlog: Terminal, option: str) -> None:
    result = digestlog.bare(option)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: digestlog [OPTIONS] COMMAND [ARGS]...")
    assert "Start here:  digestlog demo" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "Usage: digestlog"),
        (["nonsense"], "No such command 'nonsense'."),
        (["--nonsense"], "No such option '--nonsense'."),
        (["sources", "nonsense"], "No such command 'nonsense'."),
        (["--db"], "Option '--db' requires an argument."),
        (["sources", "add"], "Missing argument 'ADDRESS...'."),
        (["sources", "add", "e.org", "--method", "Atom"], "'Atom' is not one of"),
        (["url", "canon", "--profile", "x", "https://e.org"], "'x' is not one of"),
    ],
)
def test_a_wrong_command_line_is_exit_2(digestlog: Terminal, args: list[str], said: str) -> None:
    result = digestlog.bare(*args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_main_takes_arguments(capsys: pytest.CaptureFixture[str], db_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--db", str(db_path), "init"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"{db_path}: made\n"


def test_main_reads_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["anything", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("digestlog, version")


def test_output_into_a_string() -> None:
    with redirect_stdout(io.StringIO()) as shown, pytest.raises(SystemExit):
        main(["url", "canon", "https://e.org/caf\u00e9"])
    assert shown.getvalue().startswith("https://e.org/caf%C3%A9\n")


# --- the file ---------------------------------------------------------------------------------


def test_db_from_the_environment(digestlog: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "named.db"
    result = digestlog.bare("init", env={"DIGESTLOG_DB": str(path)})
    assert result.stdout == f"{path}: made\n"
    assert path.exists()


def test_the_option_comes_before_the_environment(digestlog: Terminal, tmp_path: Path) -> None:
    digestlog("init", env={"DIGESTLOG_DB": str(tmp_path / "other.db")})
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".db"] == [digestlog.path.name]


@pytest.mark.parametrize("env", [{}, {"DIGESTLOG_DB": ""}])
def test_the_default_file(
    digestlog: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, env: dict[str, str]
) -> None:
    asked = []

    def data_folder(name: str, *, appauthor: bool, ensure_exists: bool) -> Path:
        asked.append((name, appauthor, ensure_exists))
        return tmp_path

    monkeypatch.setattr("platformdirs.user_data_path", data_folder)
    result = digestlog.bare("init", env=env)
    assert result.stdout == f"{tmp_path / 'digestlog.db'}: made\n"
    assert set(asked) == {("digestlog", False, True)}


def test_a_data_folder_that_cannot_be_made(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def data_folder(name: str, **options: bool) -> Path:
        raise PermissionError(13, "Permission denied", "/closed")

    monkeypatch.setattr("platformdirs.user_data_path", data_folder)
    result = digestlog.bare("sources", "list")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "Error: your data folder cannot be made: /closed: Permission denied",
        "Hint: name a file with --db",
    ]


def test_output_that_cannot_be_written() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "digestlog", "url", "canon", "https://e.example/"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "Error: the output cannot be written: No space left on device"
    assert "Traceback" not in done.stderr


def test_another_failure_of_the_system_keeps_its_traceback(
    digestlog: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: object, **options: object) -> None:
        raise OSError(errno.EBADF, "a bug")

    monkeypatch.setattr("digestlog.cli.app.App.open", fails)
    with pytest.raises(OSError, match="a bug"):
        digestlog("doctor")


@pytest.mark.parametrize("words", [["sources", "list"], ["doctor"], ["sources", "export"]])
def test_any_command_makes_the_file(digestlog: Terminal, words: list[str]) -> None:
    assert not digestlog.path.exists()
    digestlog(*words)
    assert digestlog.path.exists()


# --- the clock --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("2026-02-12T14:03:12+00:00", "2026-02-12T14:03:12+00:00"),
        ("2026-02-12T14:03:12", "2026-02-12T14:03:12+00:00"),
        ("2026-02-12 14:03", "2026-02-12T14:03:00+00:00"),
        ("2026-02-12T14:03:12.9+02:00", "2026-02-12T12:03:12+00:00"),
        ("2026-02-12T14:03:12Z", "2026-02-12T14:03:12+00:00"),
        ("2026-02-12", "2026-02-12T00:00:00+00:00"),
    ],
)
@pytest.mark.parametrize("by", ["option", "environment"])
def test_the_clock_holds_for_every_row(
    digestlog: Terminal, db_path: Path, typed: str, stored: str, by: str
) -> None:
    before = ["--now", typed] if by == "option" else []
    env = {} if by == "option" else {"DIGESTLOG_NOW": typed}
    result = digestlog.bare(
        "--db", str(db_path), *before, "sources", "add", "e.org", "--method", "RSS", env=env
    )
    assert result.exit_code == 0
    with sqlite3.connect(db_path) as connection:
        for table in ("sources_master_list", "users", "plan_definitions", "url_identity"):
            rows = connection.execute(f"SELECT DISTINCT created_at, updated_at FROM {table}").fetchall()
            assert rows == [(stored, stored)], table
    connection.close()


def test_a_change_at_another_time(digestlog: Terminal) -> None:
    digestlog("sources", "add", "e.org", "--method", "RSS")
    later = digestlog.json(
        "sources", "edit", "W_RSS_1", "--name", "E", root=["--now", "2027-01-01T00:00:00+00:00"]
    )
    assert later["created_at"] == digestlog.now.isoformat()
    assert later["updated_at"] == "2027-01-01T00:00:00+00:00"


def test_without_a_given_time_the_clock_is_read(digestlog: Terminal, db_path: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    digestlog.bare("--db", str(db_path), "sources", "add", "e.org", "--method", "RSS")
    (source,) = digestlog.json("sources", "list")
    assert before <= datetime.fromisoformat(source["created_at"]) <= datetime.now(UTC)


@pytest.mark.parametrize("typed", ["yesterday", "2026-13-01", "1e9", "9999-12-31T23:59:59-10:00"])
def test_what_is_no_time(digestlog: Terminal, typed: str) -> None:
    result = digestlog.bare("--now", typed, "init")
    assert result.exit_code == 2
    assert f"{typed!r} is not a time" in result.stderr


# --- the user ---------------------------------------------------------------------------------


def test_an_unknown_user(digestlog: Terminal) -> None:
    for root, env in ((["--user", "bob"], {}), ([], {"DIGESTLOG_USER": "bob"})):
        result = digestlog("sources", "list", root=root, env=env, code=1)
        assert result.stdout == ""
        assert result.stderr == "Error: there is no user called bob\nHint: known here: owner\n"


def test_a_known_user(digestlog: Terminal) -> None:
    digestlog("sources", "list", root=["--user", "owner"])


@pytest.mark.parametrize(
    "words",
    [
        ["--user", "\udcff", "sources", "list"],
        ["sources", "show", "\udcff"],
        ["sources", "add", "e.org", "--method", "RSS", "--name", "a\udcff"],
        ["sources", "pause", "W_RSS_1", "--reason", "\udcff"],
    ],
)
def test_bytes_that_are_no_text(digestlog: Terminal, words: list[str]) -> None:
    result = digestlog.bare("--db", str(digestlog.path), *words)
    assert result.exit_code == 2
    assert "contains characters that are no text" in result.stderr


# --- how loud ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("root", "said"),
    [([], True), (["-q"], False), (["--quiet"], False), (["-v"], True), (["-v", "-q"], True)],
)
def test_quiet_leaves_out_remarks(digestlog: Terminal, root: list[str], said: bool) -> None:
    result = digestlog("sources", "list", root=root)
    assert result.stdout == ""
    assert ("No sources yet" in result.stderr) is said


def test_quiet_keeps_results_and_errors(digestlog: Terminal) -> None:
    result = digestlog("sources", "add", "e.org", "--method", "RSS", root=["-q"])
    assert result.stdout == "W_RSS_1  e.org  https://e.org/\n"
    assert digestlog("sources", "show", "x", root=["-q"], code=1).stderr.startswith("Error: ")


# --- files that are refused -------------------------------------------------------------------


def newer(path: Path) -> None:
    open_database(path, now=datetime.fromisoformat("2026-01-01T00:00:00+00:00")).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()


def foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.commit()
    connection.close()


def corrupt(path: Path) -> None:
    open_database(path, now=datetime.fromisoformat("2026-01-01T00:00:00+00:00")).close()
    body = bytearray(path.read_bytes())
    body[4096 : 4096 * 8] = b"\xa5" * (4096 * 7)
    path.write_bytes(body)


def truncated(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(52) + APPLICATION_ID.to_bytes(4))


REFUSED = {
    "newer": (newer, "was made by a newer digestlog"),
    "foreign": (foreign, "is another program's database"),
    "text": (lambda path: path.write_text("hello\n"), "is not a digestlog file"),
    "corrupt": (corrupt, "is damaged"),
    "truncated": (truncated, "is not a digestlog file"),
    "folder": (lambda path: path.mkdir(), "is a folder"),
}


@pytest.mark.parametrize("words", [["sources", "list"], ["doctor"], ["init"]], ids=" ".join)
@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_that_is_refused_stays_as_it_was(
    digestlog: Terminal, tmp_path: Path, kind: str, words: list[str]
) -> None:
    make, said = REFUSED[kind]
    make(digestlog.path)
    before = footprint(tmp_path)
    result = digestlog(*words, code=1)
    assert result.stdout == ""
    error, hint = result.stderr.splitlines()
    assert error.startswith(f"Error: {digestlog.path} ") and said in error
    assert hint.startswith("Hint: ")
    assert footprint(tmp_path) == before


def test_a_folder_that_is_missing(digestlog: Terminal, tmp_path: Path) -> None:
    for words in (["init"], ["sources", "list"]):
        result = digestlog.bare("--db", str(tmp_path / "no" / "x.db"), *words)
        assert result.exit_code == 1
        assert result.stderr.splitlines() == [
            f"Error: the folder {tmp_path / 'no'} does not exist",
            f"Hint: make it first: mkdir -p {tmp_path / 'no'}",
        ]
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_no_file_can_have(digestlog: Terminal, tmp_path: Path) -> None:
    for words in (["init"], ["sources", "list"]):
        result = digestlog.bare("--db", str(tmp_path / ("a" * 300)), *words)
        assert result.exit_code == 1
        assert "cannot be used" in result.stderr.splitlines()[0]


def test_refused_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    done = program("--db", str(path), "sources", "list", text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"Error: {path} is not a digestlog file",
        "Hint: name another file with --db",
    ]
    assert path.read_text() == "hello"


def footprint(folder: Path) -> dict[str, str]:
    return {
        path.name: sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in folder.iterdir()
    }


# --- the error boundary -----------------------------------------------------------------------


def test_an_error_is_one_line_whatever_was_typed(digestlog: Terminal) -> None:
    result = digestlog("sources", "show", "a\nb", code=1)
    assert result.stderr == "Error: there is no source a b\nHint: see: digestlog sources list\n"


def test_a_bug_keeps_its_traceback(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def bug(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(store, "list_all", bug)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        digestlog("sources", "list")


def test_a_bug_keeps_its_traceback_in_a_process_of_its_own(db_path: Path) -> None:
    code = (
        "import digestlog.store.sources as s; s.list_all = lambda *a, **k: 1 / 0\n"
        f"from digestlog.cli import main; main(['--db', {str(db_path)!r}, 'sources', 'list'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "ZeroDivisionError" in done.stderr


def test_ctrl_c_is_no_bug(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "list_all", interrupt)
    result = digestlog("sources", "list", code=1)
    assert (result.stdout, result.stderr) == ("", "\nAborted!\n")


@POSIX
def test_ctrl_c_in_a_process_of_its_own() -> None:
    args = [sys.executable, "-m", "digestlog", "url", "canon", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(args, stdin=pipe, stdout=pipe, stderr=pipe, env=environment()) as running:
        assert running.stdin and running.stdout and running.stderr
        running.stdin.write(b"https://e.org/\n")
        running.stdin.flush()
        assert running.stdout.readline() == b"https://e.org/\n"
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=60) == 1
        assert running.stderr.read() == b"\nAborted!\n"


@POSIX
@pytest.mark.parametrize(
    "words", [["url", "canon", "https://e.org/"], ["sources", "export"], ["doctor"], ["--help"]], ids=" ".join
)
def test_a_reader_that_went_away_is_no_bug(db_path: Path, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = program(
            "--db", str(db_path), *words, capture_output=False, stdout=writer, stderr=subprocess.PIPE
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_title_that_the_terminal_cannot_show(db_path: Path) -> None:
    env = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    name = "Caf\u00e9 \u2615"
    done = program(
        "--db", str(db_path), "sources", "add", "e.org", "--method", "RSS", "--name", name, env=env
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.strip() == b"W_RSS_1  Caf\xe9 \\u2615  https://e.org/"
    done = program("--db", str(db_path), "sources", "show", "W_RSS_1", "--json", env=env)
    assert b'"source_name": "Caf\\u00e9 \\u2615"' in done.stdout


# --- completion -------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    done = program("", env={"_DIGESTLOG_COMPLETE": f"{shell}_source"}, text=True)
    assert done.returncode == 0, done.stderr
    assert f"_DIGESTLOG_COMPLETE={shell}_complete" in done.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("digestlog so", "plain,sources"),
        ("digestlog sources imp", "plain,import"),
        ("digestlog sources list --met", "plain,--method"),
    ],
)
def test_completion(words: str, offered: str) -> None:
    env = {
        "_DIGESTLOG_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    assert program("", env=env, text=True).stdout.splitlines() == [offered]


def test_the_root_group_is_what_main_runs() -> None:
    assert cli.name == "cli"
    assert {"sources", "url", "init", "doctor", "backup", "demo"} <= set(cli.commands_at)
