"""When digestlog runs by itself, in the words of cron, systemd, launchd and Windows.

Each of them reads a command in its own way. Here every word is quoted so that it arrives as it is.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

from digestlog.errors import ConfigError

CRON, SYSTEMD, LAUNCHD = KINDS = ("cron", "systemd", "launchd")
DAY_MIN = 24 * 60

_HOUR_MIN = 60
_SHORTEST_MIN = 5
_MORNING_MIN = 6 * _HOUR_MIN
_UNITS_MIN = {"m": 1, "h": _HOUR_MIN, "d": DAY_MIN}
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# What systemd takes as it stands, without quotes.
_PLAIN = re.compile(r"[A-Za-z0-9_/.,:=@+-]+")
_MADE_BY = "Made by `digestlog schedule install`; `digestlog schedule remove` takes it away."


@dataclass(frozen=True, slots=True)
class Timer:
    """A command, the file that it works on, and when it runs: every so often, counted from `start_min`."""

    db: str
    command: tuple[str, ...]
    start_min: int
    every_min: int

    @property
    def hours(self) -> list[int]:
        """The hours in which it runs."""
        step = max(self.every_min // _HOUR_MIN, 1)
        return list(range(self.start_min // _HOUR_MIN % step, 24, step))

    @property
    def minutes(self) -> list[int]:
        """The minutes of each of these hours at which it runs."""
        step = min(self.every_min, _HOUR_MIN)
        return list(range(self.start_min % step, _HOUR_MIN, step))

    @property
    def when(self) -> str:
        """The times in a person's words."""
        first = f"{self.hours[0]:02}:{self.minutes[0]:02}"
        if self.every_min == DAY_MIN:
            return f"every day at {first}"
        if self.every_min > _HOUR_MIN:
            return f"every {self.every_min // _HOUR_MIN} hours, first at {first}"
        past = ", ".join(f":{minute:02}" for minute in self.minutes)
        return (
            f"every hour at {past}"
            if self.every_min == _HOUR_MIN
            else f"every {self.every_min} minutes: {past}"
        )


def timer(
    python: str, db: str, *, user: str | None = None, at_min: int | None = None, every_min: int = DAY_MIN
) -> Timer:
    """The timer of a file; ConfigError if no schedule can hold one of the words."""
    # -P: the folder in which a schedule starts programs, a person's home, may hold a digestlog of its own.
    whose = () if user is None else ("--user", user)
    command = (python, "-P", "-m", "digestlog", "--db", db, *whose, "--quiet", "run")
    for word in command:
        _require_text(word)
    return Timer(db, command, _usual_start(db, every_min) if at_min is None else at_min, every_min)


def key(db: str) -> str:
    """What tells the timer of one file from the timers of others; the same every time."""
    return _digest(db).hex()[:8]


def read_time(text: str) -> int | None:
    """`06:30` as minutes after midnight; None if it is no time of day."""
    found = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", text.strip())
    return int(found[1]) * _HOUR_MIN + int(found[2]) if found else None


def read_interval(text: str) -> int | None:
    """`15m`, `6h`, `1d` in minutes; None unless it fits evenly into an hour or a day, as schedules need."""
    found = re.fullmatch(r"([0-9]{1,4})([mhd])", text.strip().lower())
    minutes = int(found[1]) * _UNITS_MIN[found[2]] if found else 0
    if minutes < _SHORTEST_MIN:
        return None
    if minutes < _HOUR_MIN:
        return minutes if _HOUR_MIN % minutes == 0 else None
    return minutes if minutes % _HOUR_MIN == 0 and DAY_MIN % minutes == 0 else None


# --- cron -------------------------------------------------------------------------------------


def cron_block(timer: Timer) -> str:
    """The three lines of a crontab that belong to this timer: a mark, the entry, a mark."""
    begin, end = _marks(key(timer.db))
    hours = "*" if len(timer.hours) == 24 else _listed(timer.hours)
    command = " ".join(map(_cron_word, timer.command))
    # Results would be mailed every day; errors are, where the machine can mail.
    entry = f"{_listed(timer.minutes)} {hours} * * * {command} >/dev/null"
    return f"{begin} {_MADE_BY}\n{entry}\n{end}\n"


def with_block(crontab: bytes, timer: Timer) -> bytes:
    """The crontab with this timer's block, in place of an older one or at the end; all else as it was."""
    lines = BytesIO(crontab).readlines()
    blocks = _blocks(lines, key(timer.db))
    block = cron_block(timer).encode()
    if blocks:
        lines[blocks[0]] = block
        return _without(lines, blocks, keep=blocks[0])
    gap = b"\n" if crontab and not crontab.endswith(b"\n") else b""
    return crontab + gap + block


def without_block(crontab: bytes, key: str) -> bytes:
    """The crontab without the block of the timer with this key; all else as it was."""
    lines = BytesIO(crontab).readlines()
    return _without(lines, _blocks(lines, key))


def _marks(key: str) -> tuple[str, str]:
    return f"# >>> digestlog {key}:", f"# <<< digestlog {key}"


def _blocks(lines: list[bytes], key: str) -> list[int]:
    """Where the timer's blocks begin; ConfigError if a person has changed more in one than its entry."""
    begin, end = (mark.encode() for mark in _marks(key))
    found = [n for n, line in enumerate(lines) if line.startswith(begin)]
    ends = [n for n, line in enumerate(lines) if line.rstrip() == end]
    if ends != [n + 2 for n in found]:
        raise ConfigError(
            f"the crontab's part between `{begin.decode()}` and `{end.decode()}` was changed by hand",
            "leave one line between these marks, or take all of it out: crontab -e",
        )
    return found


def _without(lines: list[bytes], blocks: list[int], keep: int | None = None) -> bytes:
    gone = {n + line for n in blocks for line in range(3)} - {keep}
    return b"".join(line for n, line in enumerate(lines) if n not in gone)


def _cron_word(word: str) -> str:
    """The word for cron and the shell that cron starts.

    Some crons take the backslash from `\\%` and some from `\\\\` too; others leave both to the shell.
    So a percent sign stands outside the quotes, and no backslash stands before another or before `%`.
    """
    return r"\%".join(shlex.quote(part).replace("\\", "\\''") if part else "" for part in word.split("%"))


# --- systemd ----------------------------------------------------------------------------------


def unit_names(key: str) -> tuple[str, str]:
    """The file names of a timer's service and of the timer itself."""
    return f"digestlog-{key}.service", f"digestlog-{key}.timer"


def service_unit(timer: Timer) -> str:
    """What systemd runs."""
    words = timer.command
    # systemd refuses a program whose name has a quote or a backslash in it; a shell starts it.
    if not set(words[0]).isdisjoint("\"'\\"):
        words = ("/bin/sh", "-c", 'exec "$0" "$@"', *words)
    # A colon keeps systemd from filling in variables; only systemd 244 and later know it.
    literal = ":" if any("$" in word for word in words) else ""
    command = literal + " ".join(map(_systemd_word, words))
    return f"# {_MADE_BY}\n[Unit]\n{_description(timer)}\n\n[Service]\nType=oneshot\nExecStart={command}\n"


def timer_unit(timer: Timer) -> str:
    """When systemd runs it; a time that the machine slept through is made up for."""
    hours = "*" if len(timer.hours) == 24 else _listed(timer.hours, 2)
    times = f"*-*-* {hours}:{_listed(timer.minutes, 2)}:00"
    return (
        f"# {_MADE_BY}\n[Unit]\n{_description(timer)}\n\n"
        f"[Timer]\nOnCalendar={times}\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"
    )


def _description(timer: Timer) -> str:
    # Never at the end of the line, where a backslash would go on to the next one.
    return f"Description=digestlog on {timer.db.replace('%', '%%')}, {timer.when}"


def _systemd_word(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


# --- launchd ----------------------------------------------------------------------------------


def agent_label(key: str) -> str:
    """The name of a timer among launchd's agents."""
    return f"digestlog.{key}"


def agent_plist(timer: Timer, log: str) -> bytes:
    """The agent that launchd runs, also after a time that the machine slept through; errors go to `log`."""
    import plistlib

    _require_text(log)
    agent = {
        "Label": agent_label(key(timer.db)),
        "ProgramArguments": list(timer.command),
        "StartCalendarInterval": _calendar(timer),
        "StandardErrorPath": log,
        "ProcessType": "Background",
    }
    return plistlib.dumps(agent, sort_keys=False)


def _calendar(timer: Timer) -> list[dict[str, int]]:
    if len(timer.hours) == 24:
        return [{"Minute": minute} for minute in timer.minutes]
    return [{"Hour": hour, "Minute": minute} for hour in timer.hours for minute in timer.minutes]


# --- Windows ----------------------------------------------------------------------------------


def schtasks_line(timer: Timer) -> str:
    """A line for a person to type on Windows."""
    from subprocess import list2cmdline  # only its quoting

    rate, count = _windows_rate(timer.every_min)
    start = f"{timer.hours[0]:02}:{timer.minutes[0]:02}"
    often = ["/SC", rate, "/MO", str(count), "/ST", start]
    name = f"digestlog {key(timer.db)}"
    return list2cmdline(["schtasks", "/Create", "/TN", name, *often, "/TR", list2cmdline(timer.command)])


def _windows_rate(every_min: int) -> tuple[str, int]:
    if every_min < _HOUR_MIN:
        return "MINUTE", every_min
    return ("DAILY", 1) if every_min == DAY_MIN else ("HOURLY", every_min // _HOUR_MIN)


# --- all of them ------------------------------------------------------------------------------


def _usual_start(db: str, every_min: int) -> int:
    """A minute of the file's own, never the full hour, so that not everybody comes at once."""
    step = min(every_min, _HOUR_MIN)
    return _MORNING_MIN + 1 + int.from_bytes(_digest(db)[4:8]) % (step - 1)


def _digest(db: str) -> bytes:
    return sha256(db.encode(errors="surrogateescape")).digest()


def _listed(numbers: Iterable[int], width: int = 1) -> str:
    return ",".join(f"{number:0{width}}" for number in numbers)


def _require_text(word: str) -> None:
    if not word or _CONTROL.search(word) or re.search("[\ud800-\udfff]", word):
        shown = ascii(word)[:100]
        raise ConfigError(f"a schedule cannot hold {shown}", "use a path of plain text, without line breaks")
