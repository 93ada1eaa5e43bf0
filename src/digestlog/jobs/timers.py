"""Installs, finds and takes away the schedule of a file: a crontab entry, systemd units, a launchd agent.

look at what is there -> write what differs -> tell the machine's scheduler -> take other kinds away

Each schedule bears the key of its file, so that those of other files, and all else, stay untouched.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Protocol

from digestlog.core import timers
from digestlog.core.timers import CRON, LAUNCHD, SYSTEMD, Timer
from digestlog.errors import ConfigError

MADE, CHANGED, THERE, REMOVED = "made", "changed", "is there already", "removed"

_PATIENCE_S = 60
_OTHER_WAY = "choose another way: --with cron, systemd or launchd"
# What `crontab -l` says, in its several makes, of a person who has none.
_NO_CRONTAB = ("no crontab", "no such file")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program said."""

    code: int
    out: bytes = b""
    err: str = ""


Call = Callable[[Sequence[str], bytes], Answer]


@dataclass(frozen=True, slots=True)
class Machine:
    """Where schedules are installed; every reach outside goes through `call` and these folders."""

    platform: str
    home: Path
    config: Path
    uid: int
    call: Call

    def run(self, *words: str, stdin: bytes = b"") -> Answer:
        """What a program answers that must succeed; otherwise ConfigError with its own words."""
        answer = self.call(words, stdin)
        if answer.code != 0:
            raise ConfigError(f"`{' '.join(words)}` failed: {_first_line(answer)}", _OTHER_WAY)
        return answer


@dataclass(frozen=True, slots=True)
class Step:
    """What was done to one thing outside the file."""

    place: str
    done: str


class Kind(Protocol):
    """One way to run digestlog by itself."""

    def texts(self, timer: Timer) -> list[tuple[str, bytes]]:
        """What would be installed, and where."""

    def present(self, key: str) -> bool:
        """Whether something of this timer is installed."""

    def install(self, timer: Timer) -> list[Step]:
        """Install the timer, or bring it up to date."""

    def remove(self, key: str) -> list[Step]:
        """Take the timer away; nothing is done where there is none."""


def here() -> Machine:
    """This machine, as this person has it."""
    try:
        home = Path.home()
    except RuntimeError as error:
        raise ConfigError("your home folder is not known", "set HOME") from error
    config = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    uid = os.getuid() if hasattr(os, "getuid") else 0
    return Machine(sys.platform, home, config if config.is_absolute() else home / ".config", uid, call)


def call(words: Sequence[str], stdin: bytes) -> Answer:
    """What a program answers; ConfigError if there is no such program, or it never ends."""
    program = which(words[0])
    if program is None:
        raise ConfigError(f"there is no program {words[0]} on this machine", _OTHER_WAY)
    try:
        # The words are ours, and no shell reads them.
        done = subprocess.run(  # noqa: S603
            [program, *words[1:]],
            input=stdin,
            capture_output=True,
            timeout=_PATIENCE_S,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired as error:
        raise ConfigError(f"`{' '.join(words)}` did not end", _OTHER_WAY) from error
    except OSError as error:
        raise ConfigError(f"{program} cannot be started: {error.strerror}", _OTHER_WAY) from error
    return Answer(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


def usual(machine: Machine) -> str:
    """The kind of schedule that fits this machine."""
    if machine.platform == "darwin":
        return LAUNCHD
    return SYSTEMD if _Systemd(machine).usable() else CRON


def texts(machine: Machine, timer: Timer, kind: str) -> list[tuple[str, bytes]]:
    """What `install` would install: places and what would stand there."""
    return _KINDS[kind](machine).texts(timer)


def install(machine: Machine, timer: Timer, kind: str) -> list[Step]:
    """Install the timer in this way, and in no other; what was done."""
    _refuse_windows(machine, timer)
    steps = _KINDS[kind](machine).install(timer)
    return steps + _remove_found(machine, timers.key(timer.db), [k for k in _KINDS if k != kind])


def remove(machine: Machine, timer: Timer, kind: str | None = None) -> list[Step]:
    """Take the timer away, in this way or in whichever it is installed; what was done."""
    _refuse_windows(machine, timer)
    if kind is not None:
        return _KINDS[kind](machine).remove(timers.key(timer.db))
    return _remove_found(machine, timers.key(timer.db), list(_KINDS))


def _remove_found(machine: Machine, key: str, kinds: list[str]) -> list[Step]:
    found = [kind for name in kinds if (kind := _KINDS[name](machine)).present(key)]
    return [step for kind in found for step in kind.remove(key)]


def _refuse_windows(machine: Machine, timer: Timer) -> None:
    if machine.platform == "win32":
        raise ConfigError(
            "schedules are not supported on Windows yet", f"type this: {timers.schtasks_line(timer)}"
        )


class _Cron:
    """One marked block in the person's crontab."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def texts(self, timer: Timer) -> list[tuple[str, bytes]]:
        """The block."""
        return [("crontab", timers.cron_block(timer).encode())]

    def present(self, key: str) -> bool:
        """Whether the crontab names the timer."""
        try:
            return key.encode() in self._read()
        except ConfigError:  # who may not have a crontab has nothing in it
            return False

    def install(self, timer: Timer) -> list[Step]:
        """Write the crontab anew if the block is not in it as it should be."""
        old = self._read()
        new = timers.with_block(old, timer)
        if new == old:
            return [Step("crontab", THERE)]
        self._machine.run("crontab", "-", stdin=new)
        had_one = timers.without_block(old, timers.key(timer.db)) != old
        return [Step("crontab", CHANGED if had_one else MADE)]

    def remove(self, key: str) -> list[Step]:
        """Write the crontab anew without the block; one with nothing left in it goes."""
        old = self._read()
        new = timers.without_block(old, key)
        if new == old:
            return []
        if new:
            self._machine.run("crontab", "-", stdin=new)
        else:
            self._machine.run("crontab", "-r")
        return [Step("crontab", REMOVED)]

    def _read(self) -> bytes:
        answer = self._machine.call(("crontab", "-l"), b"")
        if answer.code == 0:
            return answer.out
        if any(words in answer.err.lower() for words in _NO_CRONTAB):
            return b""
        raise ConfigError(f"your crontab cannot be read: {_first_line(answer)}", _OTHER_WAY)


class _Systemd:
    """A service and its timer among the person's own units."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._folder = machine.config / "systemd" / "user"

    def usable(self) -> bool:
        """Whether this person's systemd answers."""
        try:
            return self._ask("show-environment")
        except ConfigError:
            return False

    def texts(self, timer: Timer) -> list[tuple[str, bytes]]:
        """The two unit files."""
        contents = timers.service_unit(timer), timers.timer_unit(timer)
        paths = self._paths(timers.key(timer.db))
        return [(str(path), text.encode()) for path, text in zip(paths, contents, strict=True)]

    def present(self, key: str) -> bool:
        """Whether either file is there."""
        return any(path.exists() for path in self._paths(key))

    def install(self, timer: Timer) -> list[Step]:
        """Write the files, and have systemd start the timer now and at every login."""
        self._run("show-environment")  # before anything is written
        steps = [_write(Path(path), content) for path, content in self.texts(timer)]
        _, name = timers.unit_names(timers.key(timer.db))
        unchanged = all(step.done == THERE for step in steps)
        if not (unchanged and self._ask("is-enabled", name) and self._ask("is-active", name)):
            self._run("daemon-reload")
            self._run("enable", name)
            self._run("restart", name)
        return steps

    def remove(self, key: str) -> list[Step]:
        """Stop the timer, then delete the files."""
        service, timer = self._paths(key)
        if timer.exists():
            self._run("disable", "--now", timer.name)
        steps = [*_unlink(service), *_unlink(timer)]
        if steps:
            self._run("daemon-reload")
        return steps

    def _paths(self, key: str) -> list[Path]:
        return [self._folder / name for name in timers.unit_names(key)]

    def _run(self, *words: str) -> None:
        self._machine.run("systemctl", "--user", *words)

    def _ask(self, *words: str) -> bool:
        return self._machine.call(("systemctl", "--user", *words), b"").code == 0


class _Launchd:
    """An agent among the person's own."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._domain = f"gui/{machine.uid}"

    def texts(self, timer: Timer) -> list[tuple[str, bytes]]:
        """The property list."""
        log = self._machine.home / "Library" / "Logs" / "digestlog.log"
        return [(str(self._path(timers.key(timer.db))), timers.agent_plist(timer, str(log)))]

    def present(self, key: str) -> bool:
        """Whether the file is there."""
        return self._path(key).exists()

    def install(self, timer: Timer) -> list[Step]:
        """Write the file, and have launchd load it now and at every login."""
        service = self._service(timers.key(timer.db))
        loaded = self._loaded(service)  # before anything is written
        ((path, content),) = self.texts(timer)
        step = _write(Path(path), content)
        if loaded and step.done != THERE:
            self._machine.run("launchctl", "bootout", service)
        if not loaded or step.done != THERE:
            self._machine.run("launchctl", "enable", service)
            self._machine.run("launchctl", "bootstrap", self._domain, path)
        return [step]

    def remove(self, key: str) -> list[Step]:
        """Unload the agent, then delete the file."""
        path, service = self._path(key), self._service(key)
        if path.exists() and self._loaded(service):
            self._machine.run("launchctl", "bootout", service)
        return _unlink(path)

    def _path(self, key: str) -> Path:
        return self._machine.home / "Library" / "LaunchAgents" / f"{timers.agent_label(key)}.plist"

    def _service(self, key: str) -> str:
        return f"{self._domain}/{timers.agent_label(key)}"

    def _loaded(self, service: str) -> bool:
        return self._machine.call(("launchctl", "print", service), b"").code == 0


_KINDS: dict[str, Callable[[Machine], Kind]] = {CRON: _Cron, SYSTEMD: _Systemd, LAUNCHD: _Launchd}


def _write(path: Path, content: bytes) -> Step:
    """Let the file hold just this."""
    with _file_errors(path):
        old = path.read_bytes() if path.exists() else None
        if old == content:
            return Step(str(path), THERE)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Step(str(path), MADE if old is None else CHANGED)


def _unlink(path: Path) -> list[Step]:
    with _file_errors(path):
        if not path.exists():
            return []
        path.unlink()
    return [Step(str(path), REMOVED)]


@contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}", _OTHER_WAY) from error


def _first_line(answer: Answer) -> str:
    """The first thing that a program complained of."""
    lines = [line.strip() for line in answer.err.splitlines() if line.strip()]
    return lines[0] if lines else f"exit status {answer.code}"
