"""`digestlog schedule`, with programs that only note what they are told."""

from __future__ import annotations

import plistlib
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.conftest import Terminal, environment
from click.testing import Result

from digestlog.cli import COMMANDS
from digestlog.core import timers as core
from digestlog.jobs import timers as job
from digestlog.jobs.timers import Answer, Machine

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")

CRONTAB = """
case "$1" in
-l) cat "$HOME/tab" 2>/dev/null || { echo "no crontab for ada" >&2; exit 1; } ;;
-r) rm "$HOME/tab" ;;
-) cat > "$HOME/tab.new" && mv "$HOME/tab.new" "$HOME/tab" ;;
esac
"""
SYSTEMCTL = 'echo "$@" >> "$HOME/told"'
SYSTEMCTL_WITHOUT_A_BUS = 'echo "Failed to connect to bus: No medium found" >&2; exit 1'


class Home:
    """A person's home, whose schedulers are scripts in it."""

    def __init__(self, folder: Path, digestlog: Terminal) -> None:
        self.folder = folder
        self.digestlog = digestlog
        self.crontab = folder / "tab"
        self.units = folder / ".config" / "systemd" / "user"
        (folder / "bin").mkdir(parents=True)

    def program(self, name: str, body: str) -> None:
        """Put a program where it is found."""
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def __call__(self, *words: str, code: int = 0, root: tuple[str, ...] = ()) -> Result:
        """The result of a `schedule` command."""
        env = {
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": "",
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
        }
        return self.digestlog("schedule", *words, code=code, root=root, env=env)

    def told(self) -> list[str]:
        """What systemctl was told, less the questions."""
        lines = (self.folder / "told").read_text().splitlines()
        return [line for line in lines if "show-environment" not in line and "is-" not in line]


@pytest.fixture(autouse=True)
def _schedule_is_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "Run digestlog by itself every day."
    monkeypatch.setitem(COMMANDS, "schedule", ("digestlog.cli.schedule:schedule", line))


@pytest.fixture
def home(tmp_path: Path, digestlog: Terminal) -> Home:
    """A machine with cron, and with a systemd that does not answer."""
    made = Home(tmp_path / "home", digestlog)
    made.program("crontab", CRONTAB)
    made.program("systemctl", SYSTEMCTL_WITHOUT_A_BUS)
    return made


@pytest.fixture
def systemd_home(home: Home) -> Home:
    """A machine with cron and systemd."""
    home.program("systemctl", SYSTEMCTL)
    return home


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], list[str]]:
    """Makes this a machine of another make, where every program does as it is told; what it is told."""

    def become(platform: str) -> list[str]:
        told: list[str] = []

        def call(words: object, stdin: bytes) -> Answer:
            assert isinstance(words, tuple)
            told.append(" ".join(words))
            return Answer(1 if words[:2] == ("launchctl", "print") else 0)

        machine = Machine(platform, tmp_path, tmp_path / ".config", 501, call)
        monkeypatch.setattr(job, "here", lambda: machine)
        return told

    return become


def command(home: Home) -> tuple[str, ...]:
    return core.timer(sys.executable, str(home.digestlog.path)).command


# --- print ------------------------------------------------------------------------------------


def test_cron_where_systemd_does_not_answer(home: Home) -> None:
    result = home("print")
    _, entry, _ = result.stdout.splitlines()
    *times, words = entry.split(" ", 5)
    assert times[1:] == ["6", "*", "*", "*"]
    assert 1 <= int(times[0]) <= 59
    assert tuple(shlex.split(words)) == (*command(home), ">/dev/null")
    assert result.stderr == "crontab:\n"


def test_systemd_where_it_answers(systemd_home: Home) -> None:
    result = systemd_home("print")
    assert result.stdout.count("[Unit]") == 2
    assert f"ExecStart={' '.join(command(systemd_home))}\n" in result.stdout
    service, timer = core.unit_names(core.key(str(systemd_home.digestlog.path)))
    assert result.stderr == f"{systemd_home.units / service}:\n{systemd_home.units / timer}:\n"


def test_printing_changes_nothing(systemd_home: Home) -> None:
    for kind in core.KINDS:
        systemd_home("print", "--with", kind)
    assert not systemd_home.digestlog.path.exists()
    assert sorted(path.name for path in systemd_home.folder.iterdir()) == ["bin"]


def test_launchd_on_a_mac(home: Home, on: Callable[[str], list[str]]) -> None:
    told = on("darwin")
    result = home("print", "--at", "7:05", root=("-q",))
    agent = plistlib.loads(result.stdout.encode())
    assert tuple(agent["ProgramArguments"]) == command(home)
    assert agent["StartCalendarInterval"] == [{"Hour": 7, "Minute": 5}]
    assert result.stderr == ""
    assert told == []


@pytest.mark.parametrize(
    ("options", "times"),
    [
        (["--at", "22:15"], "15 22"),
        (["--at", "06:30", "--every", "8h"], "30 6,14,22"),
        (["--at", "0:07", "--every", "30m"], "7,37 *"),
        (["--at", "0:07", "--every", "1d"], "7 0"),
    ],
)
def test_times(home: Home, options: list[str], times: str) -> None:
    entry = home("print", "--with", "cron", *options).stdout.splitlines()[1]
    assert entry.startswith(f"{times} * * * ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--at", "25:00"], "'25:00' is no time of day; write it like 06:30"),
        (["--every", "7h"], "'7h' does not fit; take 5m"),
        (["--every", "1m"], "'1m' does not fit"),
        (["--with", "at"], "'at' is not one of 'cron', 'systemd', 'launchd'"),
    ],
)
def test_wrong_options(home: Home, options: list[str], said: str) -> None:
    for verb in ("print", "install"):
        assert said in home(verb, *options, code=2).stderr


def test_a_relative_path_is_made_absolute(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.digestlog.path.parent)
    absolute = home("print").stdout
    home.digestlog.path = Path(home.digestlog.path.name)
    assert home("print").stdout == absolute


def test_the_user_goes_along(home: Home) -> None:
    result = home("print", "--with", "cron", root=("--user", "Ada L"))
    assert "--user 'Ada L' --quiet run" in result.stdout


def test_a_path_that_no_schedule_can_hold(home: Home) -> None:
    home.digestlog.path = home.digestlog.path.with_name("a\nb.db")
    for verb in ("print", "install", "remove"):
        result = home(verb, code=1)
        assert result.stderr.startswith("Error: a schedule cannot hold ")
        assert len(result.stderr.splitlines()) == 2


@pytest.mark.parametrize("name", ["my news.db", "50% $HOME.db", 'it\'s "so" \\ %.db'])
def test_a_shell_runs_the_printed_command(home: Home, name: str) -> None:
    """As cron does where it leaves the percent signs to the shell; with `init`, which needs no web."""
    home.digestlog.path = home.digestlog.path.with_name(name)
    entry = home("print", "--with", "cron").stdout.splitlines()[1]
    shell = entry.split(" ", 5)[5].replace(" --quiet run ", " --quiet init ")
    done = subprocess.run(["/bin/sh", "-c", shell], env=environment(), capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert home.digestlog.path.read_bytes().startswith(b"SQLite format 3\0")


# --- install and remove -----------------------------------------------------------------------


def test_cron_from_first_to_last(home: Home) -> None:
    others = b"MAILTO=ada\n0 5 * * * tar -czf /b.tgz \xff\n"
    home.crontab.write_bytes(others)
    result = home("install", "--at", "06:30")
    assert result.stdout == "crontab: made\n"
    assert result.stderr == "cron runs digestlog every day at 06:30.\n"
    installed = home.crontab.read_bytes()
    assert installed == others + home("print", "--at", "06:30").stdout.encode()
    assert home("install", "--at", "06:30").stdout == "crontab: is there already\n"
    assert home.crontab.read_bytes() == installed
    assert home("install", "--every", "1h").stdout == "crontab: changed\n"
    assert home("remove").stdout == "crontab: removed\n"
    assert home.crontab.read_bytes() == others
    result = home("remove")
    assert (result.stdout, result.stderr) == ("", "No schedule is installed for this file.\n")


def test_without_a_crontab_before_there_is_none_after(home: Home) -> None:
    home("install")
    assert home.crontab.exists()
    home("remove")
    assert not home.crontab.exists()


def test_systemd_from_first_to_last(systemd_home: Home) -> None:
    result = systemd_home("install", "--at", "06:30")
    service, timer = (
        systemd_home.units / n for n in core.unit_names(core.key(str(systemd_home.digestlog.path)))
    )
    assert result.stdout == f"{service}: made\n{timer}: made\n"
    assert result.stderr == (
        "systemd runs digestlog every day at 06:30.\n"
        "While you are logged in, that is. To run always: loginctl enable-linger\n"
    )
    assert systemd_home("print", "--at", "06:30").stdout == service.read_text() + timer.read_text()
    again = systemd_home("install", "--at", "06:30", root=("-q",))
    assert again.stdout == f"{service}: is there already\n{timer}: is there already\n"
    assert again.stderr == ""
    assert systemd_home("remove").stdout == f"{service}: removed\n{timer}: removed\n"
    assert list(systemd_home.units.iterdir()) == []
    assert systemd_home.told() == [
        "--user daemon-reload",
        f"--user enable {timer.name}",
        f"--user restart {timer.name}",
        f"--user disable --now {timer.name}",
        "--user daemon-reload",
    ]


def test_launchd_from_first_to_last(home: Home, on: Callable[[str], list[str]], tmp_path: Path) -> None:
    told = on("darwin")
    label = core.agent_label(core.key(str(home.digestlog.path)))
    path = tmp_path / "Library" / "LaunchAgents" / f"{label}.plist"
    assert home("install").stdout == f"{path}: made\n"
    assert f"launchctl bootstrap gui/501 {path}" in told
    assert home("remove", root=("-q",)).stdout == f"{path}: removed\n"
    assert home("remove", root=("-q",)).stderr == ""


def test_another_kind_takes_the_place_of_the_first(systemd_home: Home) -> None:
    systemd_home("install", "--with", "cron")
    assert systemd_home("install").stdout.splitlines()[2:] == ["crontab: removed"]
    assert not systemd_home.crontab.exists()
    result = systemd_home("install", "--with", "cron")
    assert result.stdout.splitlines()[0] == "crontab: made"
    assert list(systemd_home.units.iterdir()) == []


def test_remove_takes_only_what_it_is_told(systemd_home: Home) -> None:
    systemd_home("install")
    assert systemd_home("remove", "--with", "cron").stderr == "No schedule is installed for this file.\n"
    assert len(list(systemd_home.units.iterdir())) == 2


def test_two_files_have_schedules_of_their_own(home: Home) -> None:
    home("install")
    first = home.crontab.read_bytes()
    home.digestlog.path = home.digestlog.path.with_name("other.db")
    home("install")
    home("remove")
    assert home.crontab.read_bytes() == first


def test_installing_makes_the_file(home: Home) -> None:
    home("install")
    assert home.digestlog.json("doctor")["ok"] is True


@pytest.mark.parametrize("unusable", ["foreign", "folder"])
def test_nothing_is_installed_for_a_file_that_cannot_be_used(home: Home, unusable: str) -> None:
    if unusable == "foreign":
        home.digestlog.path.write_text("precious")
    else:
        home.digestlog.path = home.digestlog.path.parent / "no" / "x.db"
    assert home("install", code=1).stderr.startswith("Error: ")
    assert not home.crontab.exists()


def test_an_unknown_user_is_told_of_now(home: Home) -> None:
    assert "nobody" in home("install", code=1, root=("--user", "nobody")).stderr
    assert not home.crontab.exists()


# --- where it cannot be done ------------------------------------------------------------------


@pytest.mark.parametrize("kind", core.KINDS)
def test_a_machine_without_the_program(home: Home, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(job, "which", lambda name: None)
    program = {"cron": "crontab", "systemd": "systemctl", "launchd": "launchctl"}[kind]
    result = home("install", "--with", kind, code=1)
    assert result.stderr == (
        f"Error: there is no program {program} on this machine\n"
        "Hint: choose another way: --with cron, systemd or launchd\n"
    )
    assert result.stdout == ""


def test_a_systemd_that_does_not_answer(home: Home) -> None:
    result = home("install", "--with", "systemd", code=1)
    assert result.stderr.splitlines()[0] == (
        "Error: `systemctl --user show-environment` failed: Failed to connect to bus: No medium found"
    )
    assert not home.units.exists()


def test_a_crontab_that_is_not_allowed(home: Home) -> None:
    home.program("crontab", 'echo "You (ada) are not allowed to use this program (crontab)" >&2; exit 1')
    result = home("install", code=1)
    assert "your crontab cannot be read: You (ada) are not allowed" in result.stderr
    assert home("remove").stderr == "No schedule is installed for this file.\n"


def test_windows(home: Home, on: Callable[[str], list[str]]) -> None:
    told = on("win32")
    result = home("print", "--at", "06:30")
    assert result.stdout.startswith('schtasks /Create /TN "digestlog ')
    assert "/SC DAILY /MO 1 /ST 06:30" in result.stdout
    assert result.stderr == "digestlog does not install schedules on Windows yet. Type this:\n"
    for verb in ("install", "remove"):
        error, hint = home(verb, code=1).stderr.splitlines()
        assert error == "Error: schedules are not supported on Windows yet"
        assert hint.startswith("Hint: type this: schtasks /Create ")
    assert home("print", "--with", "cron").stdout.startswith("# >>> digestlog ")
    assert {line for line in told if "show-environment" not in line} == set()
