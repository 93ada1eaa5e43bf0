"""Schedules on machines made for the test, whose schedulers remember what they were told."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digestlog.core import timers as core
from digestlog.core.timers import CRON, LAUNCHD, SYSTEMD, Timer
from digestlog.errors import ConfigError
from digestlog.jobs import timers
from digestlog.jobs.timers import CHANGED, MADE, REMOVED, THERE, Answer, Machine, Step

DB = "/home/ada/news.db"
KEY = core.key(DB)
OTHERS = b"# mine\n0 5 * * * tar -czf /b.tgz /home \xff\n"


class Programs:
    """The schedulers of one machine."""

    def __init__(self, *missing: str) -> None:
        self.missing = missing
        self.crontab: bytes | None = None
        self.states: dict[str, set[str]] = {"enabled": set(), "active": set(), "loaded": set()}
        self.calls: list[str] = []
        self.broken: dict[str, Answer] = {}

    def __call__(self, words: Sequence[str], stdin: bytes) -> Answer:
        program, *rest = words
        if program in self.missing:
            raise ConfigError(f"there is no program {program} on this machine", "hint")
        said = " ".join(words)
        self.calls.append(said)
        for beginning, answer in self.broken.items():
            if said.startswith(beginning):
                return answer
        answers: dict[str, Callable[[list[str], bytes], Answer]] = {
            "crontab": self._crontab,
            "systemctl": self._systemctl,
            "launchctl": self._launchctl,
        }
        return answers[program](rest, stdin)

    @property
    def changes(self) -> list[str]:
        """The calls that were more than questions."""
        questions = ("crontab -l", "systemctl --user is-", "systemctl --user show", "launchctl print")
        return [call for call in self.calls if not call.startswith(questions)]

    def _crontab(self, rest: list[str], stdin: bytes) -> Answer:
        if rest == ["-l"]:
            none = Answer(1, err="no crontab for ada\n")
            return none if self.crontab is None else Answer(0, self.crontab)
        self.crontab = {"-": stdin, "-r": None}[rest[0]]
        return Answer(0)

    def _systemctl(self, rest: list[str], stdin: bytes) -> Answer:
        user, verb, *names = rest
        assert user == "--user"
        enabled, active = self.states["enabled"], self.states["active"]
        if verb in ("is-enabled", "is-active"):
            return Answer(0 if names[0] in self.states[verb.removeprefix("is-")] else 1)
        if verb == "enable":
            enabled.add(names[0])
        if verb == "restart":
            active.add(names[0])
        if verb == "disable":
            assert names[0] == "--now"
            enabled.discard(names[1])
            active.discard(names[1])
        return Answer(0)

    def _launchctl(self, rest: list[str], stdin: bytes) -> Answer:
        verb, domain, *path = rest
        loaded = self.states["loaded"]
        if verb == "print":
            return Answer(0 if domain in loaded else 113)
        if verb == "bootout":
            loaded.remove(domain)
        if verb == "bootstrap":
            label = f"{domain}/{Path(path[0]).stem}"
            if label in loaded:
                return Answer(5, err="Bootstrap failed: 5: Input/output error\n")
            loaded.add(label)
        return Answer(0)


@pytest.fixture
def programs() -> Programs:
    return Programs()


@pytest.fixture
def linux(tmp_path: Path, programs: Programs) -> Machine:
    return Machine("linux", tmp_path, tmp_path / ".config", 1000, programs)


@pytest.fixture
def mac(tmp_path: Path, programs: Programs) -> Machine:
    programs.missing = ("systemctl",)
    return Machine("darwin", tmp_path, tmp_path / ".config", 501, programs)


def daily(at_min: int = 390, db: str = DB) -> Timer:
    return core.timer("/usr/bin/python3", db, at_min=at_min)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def unit_paths(machine: Machine) -> list[str]:
    return [str(machine.config / "systemd/user" / name) for name in core.unit_names(KEY)]


def agent_path(machine: Machine) -> str:
    return str(machine.home / f"Library/LaunchAgents/digestlog.{KEY}.plist")


# --- cron -------------------------------------------------------------------------------------


def test_cron_from_first_to_last(linux: Machine, programs: Programs) -> None:
    programs.crontab = OTHERS
    assert timers.install(linux, daily(), CRON) == [Step("crontab", MADE)]
    assert programs.crontab == OTHERS + core.cron_block(daily()).encode()
    assert timers.install(linux, daily(), CRON) == [Step("crontab", THERE)]
    assert programs.changes == ["crontab -"]
    assert timers.install(linux, daily(30), CRON) == [Step("crontab", CHANGED)]
    assert programs.crontab == OTHERS + core.cron_block(daily(30)).encode()
    assert timers.remove(linux, daily(), CRON) == [Step("crontab", REMOVED)]
    assert programs.crontab == OTHERS
    assert timers.remove(linux, daily(), CRON) == []
    assert programs.changes == ["crontab -"] * 3


def test_who_had_no_crontab_has_none_again(linux: Machine, programs: Programs) -> None:
    timers.install(linux, daily(), CRON)
    assert programs.crontab == core.cron_block(daily()).encode()
    timers.remove(linux, daily(), CRON)
    assert programs.crontab is None
    assert programs.changes == ["crontab -", "crontab -r"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(crontab=st.binary(max_size=200).map(lambda text: text + b"\n"), at=st.integers(0, 1439))
def test_all_other_entries_stay_as_they_are(
    linux: Machine, programs: Programs, crontab: bytes, at: int
) -> None:
    programs.crontab = crontab
    timers.install(linux, daily(at, "/other.db"), CRON)
    with_other = programs.crontab
    timers.install(linux, daily(at), CRON)
    timers.remove(linux, daily(), None)
    assert programs.crontab == with_other
    timers.remove(linux, daily(db="/other.db"), None)
    assert programs.crontab == crontab


@pytest.mark.parametrize(
    "said",
    [
        "no crontab for ada",
        "crontab: no crontab for ada",
        "crontab: can't open 'ada': No such file or directory",
    ],
)
def test_the_ways_to_say_that_there_is_no_crontab(linux: Machine, programs: Programs, said: str) -> None:
    programs.broken["crontab -l"] = Answer(1, err=f"{said}\n")
    assert timers.install(linux, daily(), CRON) == [Step("crontab", MADE)]
    assert programs.crontab == core.cron_block(daily()).encode()


def test_a_crontab_that_cannot_be_read_is_not_replaced(linux: Machine, programs: Programs) -> None:
    programs.crontab = OTHERS
    programs.broken["crontab -l"] = Answer(
        1, b"", "\nYou (ada) are not allowed to use this program\nSee man\n"
    )
    for act in (timers.install, timers.remove):
        with pytest.raises(ConfigError) as caught:
            act(linux, daily(), CRON)
        assert caught.value.message == (
            "your crontab cannot be read: You (ada) are not allowed to use this program"
        )
        assert "--with" in str(caught.value.hint)
    assert programs.changes == []
    assert programs.crontab == OTHERS


def test_a_block_changed_by_hand_stops_the_change(linux: Machine, programs: Programs) -> None:
    programs.crontab = core.cron_block(daily()).encode() + b"# <<< digestlog " + KEY.encode() + b"\n"
    for kind in (CRON, None):
        with pytest.raises(ConfigError, match="changed by hand"):
            timers.remove(linux, daily(), kind)
    assert programs.changes == []


def test_a_crontab_that_is_not_taken(linux: Machine, programs: Programs) -> None:
    programs.broken["crontab -"] = Answer(1, err="no crontab\n")
    with pytest.raises(ConfigError, match="`crontab -` failed: no crontab"):
        timers.install(linux, daily(), CRON)


def test_no_cron_on_the_machine(linux: Machine, programs: Programs) -> None:
    programs.missing = ("crontab",)
    with pytest.raises(ConfigError, match="there is no program crontab"):
        timers.install(linux, daily(), CRON)
    assert timers.remove(linux, daily()) == []


# --- systemd ----------------------------------------------------------------------------------


def test_systemd_from_first_to_last(linux: Machine, programs: Programs, tmp_path: Path) -> None:
    service, timer = unit_paths(linux)
    mine = linux.config / "systemd/user/mine.timer"
    mine.parent.mkdir(parents=True)
    mine.write_text("[Timer]")
    before = everything_in(tmp_path)

    assert timers.install(linux, daily(), SYSTEMD) == [Step(service, MADE), Step(timer, MADE)]
    assert Path(service).read_text() == core.service_unit(daily())
    assert Path(timer).read_text() == core.timer_unit(daily())
    name = Path(timer).name
    assert programs.states == {"enabled": {name}, "active": {name}, "loaded": set()}
    told = [f"systemctl --user {words}" for words in ("daemon-reload", f"enable {name}", f"restart {name}")]
    assert programs.changes == told

    assert timers.install(linux, daily(), SYSTEMD) == [Step(service, THERE), Step(timer, THERE)]
    assert programs.changes == told
    assert timers.install(linux, daily(30), SYSTEMD) == [Step(service, CHANGED), Step(timer, CHANGED)]
    assert programs.changes == told * 2

    assert timers.remove(linux, daily(), SYSTEMD) == [Step(service, REMOVED), Step(timer, REMOVED)]
    assert everything_in(tmp_path) == before
    assert programs.states["enabled"] == programs.states["active"] == set()
    assert programs.changes[6:] == [
        f"systemctl --user disable --now {name}",
        "systemctl --user daemon-reload",
    ]
    assert timers.remove(linux, daily(), SYSTEMD) == []
    assert len(programs.changes) == 8


@pytest.mark.parametrize("state", ["enabled", "active"])
def test_a_timer_that_was_switched_off_is_switched_on(linux: Machine, programs: Programs, state: str) -> None:
    timers.install(linux, daily(), SYSTEMD)
    programs.states[state].clear()
    steps = timers.install(linux, daily(), SYSTEMD)
    assert {step.done for step in steps} == {THERE}
    assert programs.states[state] == {core.unit_names(KEY)[1]}


def test_no_systemd_that_answers(linux: Machine, programs: Programs, tmp_path: Path) -> None:
    programs.broken["systemctl"] = Answer(1, err="Failed to connect to bus: No medium found\n")
    with pytest.raises(ConfigError) as caught:
        timers.install(linux, daily(), SYSTEMD)
    assert caught.value.message == (
        "`systemctl --user show-environment` failed: Failed to connect to bus: No medium found"
    )
    assert everything_in(tmp_path) == {}


def test_an_installation_that_failed_half_way_is_finished_by_the_next(
    linux: Machine, programs: Programs
) -> None:
    programs.broken["systemctl --user enable"] = Answer(1)
    with pytest.raises(ConfigError, match="failed: exit status 1"):
        timers.install(linux, daily(), SYSTEMD)
    programs.broken.clear()
    timers.install(linux, daily(), SYSTEMD)
    assert programs.states["enabled"] == programs.states["active"] == {core.unit_names(KEY)[1]}


@pytest.mark.parametrize("left", [0, 1])
def test_what_is_left_of_an_installation_is_removed(linux: Machine, programs: Programs, left: int) -> None:
    timers.install(linux, daily(), SYSTEMD)
    paths = unit_paths(linux)
    Path(paths[1 - left]).unlink()
    assert timers.remove(linux, daily()) == [Step(paths[left], REMOVED)]


def test_a_timer_that_cannot_be_stopped_keeps_its_files(
    linux: Machine, programs: Programs, tmp_path: Path
) -> None:
    timers.install(linux, daily(), SYSTEMD)
    before = everything_in(tmp_path)
    programs.broken["systemctl --user disable"] = Answer(1, err="Failed\n")
    with pytest.raises(ConfigError, match="disable --now"):
        timers.remove(linux, daily())
    assert everything_in(tmp_path) == before


def test_a_folder_that_cannot_be_written(linux: Machine) -> None:
    linux.config.write_text("a file where a folder should be")
    with pytest.raises(ConfigError, match=r"\.service cannot be written: ") as caught:
        timers.install(linux, daily(), SYSTEMD)
    assert caught.value.hint


# --- launchd ----------------------------------------------------------------------------------


def test_launchd_from_first_to_last(mac: Machine, programs: Programs, tmp_path: Path) -> None:
    path, label = agent_path(mac), f"gui/501/digestlog.{KEY}"
    start = [f"launchctl enable {label}", f"launchctl bootstrap gui/501 {path}"]

    assert timers.install(mac, daily(), LAUNCHD) == [Step(path, MADE)]
    log = str(tmp_path / "Library/Logs/digestlog.log")
    assert Path(path).read_bytes() == core.agent_plist(daily(), log)
    assert programs.changes == start
    assert timers.install(mac, daily(), LAUNCHD) == [Step(path, THERE)]
    assert programs.changes == start
    assert timers.install(mac, daily(30), LAUNCHD) == [Step(path, CHANGED)]
    assert programs.changes == [*start, f"launchctl bootout {label}", *start]
    assert programs.states["loaded"] == {label}

    assert timers.remove(mac, daily(), LAUNCHD) == [Step(path, REMOVED)]
    assert programs.states["loaded"] == set()
    assert everything_in(tmp_path) == {}
    assert timers.remove(mac, daily(), LAUNCHD) == []


def test_an_agent_that_was_unloaded(mac: Machine, programs: Programs) -> None:
    timers.install(mac, daily(), LAUNCHD)
    programs.states["loaded"].clear()
    assert timers.install(mac, daily(), LAUNCHD) == [Step(agent_path(mac), THERE)]
    assert len(programs.states["loaded"]) == 1
    programs.states["loaded"].clear()
    assert timers.remove(mac, daily()) == [Step(agent_path(mac), REMOVED)]


def test_an_agent_that_is_not_taken(mac: Machine, programs: Programs) -> None:
    programs.broken["launchctl bootstrap"] = Answer(5, err="Bootstrap failed: 5: Input/output error\n")
    with pytest.raises(ConfigError, match="Bootstrap failed: 5"):
        timers.install(mac, daily(), LAUNCHD)


def test_no_launchd_on_the_machine(linux: Machine, programs: Programs, tmp_path: Path) -> None:
    programs.missing = ("launchctl",)
    with pytest.raises(ConfigError, match="there is no program launchctl"):
        timers.install(linux, daily(), LAUNCHD)
    assert everything_in(tmp_path) == {}


# --- all kinds --------------------------------------------------------------------------------


def test_what_fits_a_machine(linux: Machine, mac: Machine, programs: Programs) -> None:
    programs.missing = ()
    assert timers.usual(linux) == SYSTEMD
    programs.broken["systemctl --user show-environment"] = Answer(1)
    assert timers.usual(linux) == CRON
    programs.missing = ("systemctl",)
    assert timers.usual(linux) == CRON
    assert timers.usual(mac) == LAUNCHD


@pytest.mark.parametrize("new", [CRON, SYSTEMD, LAUNCHD])
@pytest.mark.parametrize("old", [CRON, SYSTEMD, LAUNCHD])
def test_a_file_has_one_schedule(linux: Machine, programs: Programs, old: str, new: str) -> None:
    before = timers.install(linux, daily(), old)
    steps = timers.install(linux, daily(), new)
    if old != new:
        assert [step for step in steps if step.done == REMOVED] == [Step(s.place, REMOVED) for s in before]
    removed = timers.remove(linux, daily())
    assert removed == [Step(place, REMOVED) for place, _ in timers.texts(linux, daily(), new)]
    assert timers.remove(linux, daily()) == []


@pytest.mark.parametrize("kind", [CRON, SYSTEMD, LAUNCHD])
def test_what_would_be_installed_is_what_is_installed(
    linux: Machine, programs: Programs, tmp_path: Path, kind: str
) -> None:
    promised = timers.texts(linux, daily(), kind)
    assert programs.calls == []
    assert everything_in(tmp_path) == {}
    timers.install(linux, daily(), kind)
    there = {str(tmp_path / name): content for name, content in everything_in(tmp_path).items()}
    assert dict(promised) == there | ({"crontab": programs.crontab} if programs.crontab else {})


def test_windows_is_told_what_to_type(tmp_path: Path, programs: Programs) -> None:
    windows = Machine("win32", tmp_path, tmp_path, 0, programs)
    for act in (
        lambda: timers.install(windows, daily(), CRON),
        lambda: timers.remove(windows, daily()),
    ):
        with pytest.raises(ConfigError, match="not supported on Windows") as caught:
            act()
        assert "schtasks" in str(caught.value.hint)
    assert programs.calls == []


# --- this machine -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xdg", "config"),
    [("/elsewhere", "/elsewhere"), ("", "/home/ada/.config"), ("not/absolute", "/home/ada/.config")],
)
def test_this_machine(monkeypatch: pytest.MonkeyPatch, xdg: str, config: str) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    monkeypatch.setenv("XDG_CONFIG_HOME", xdg)
    here = timers.here()
    assert (here.platform, here.home, here.config) == (sys.platform, Path("/home/ada"), Path(config))
    assert here.call is timers.call


def test_a_person_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(ConfigError, match="home folder is not known"):
        timers.here()


def script(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def test_a_program_is_given_words_and_input_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path, "echoing", 'cat; printf "[%s]" "$@"; echo "$LC_ALL\x07" >&2; exit 3')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    answer = timers.call(("echoing", "a b", "$HOME", "*"), b"in\xff\n")
    assert answer == Answer(3, b"in\xff\n[a b][$HOME][*]", "C\x07\n")


def test_a_program_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="there is no program crontab on this machine"):
        timers.call(("crontab", "-l"), b"")


def test_a_program_that_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crontab").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "crontab").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="crontab cannot be started: "):
        timers.call(("crontab", "-l"), b"")


def test_a_program_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(words: list[str], **options: object) -> None:
        assert options["timeout"] == 60
        raise subprocess.TimeoutExpired(words, 60)

    script(tmp_path, "crontab", "true")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(subprocess, "run", endless)
    with pytest.raises(ConfigError, match="`crontab -l` did not end"):
        timers.call(("crontab", "-l"), b"")
