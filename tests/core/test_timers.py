"""Schedules, read back as cron, systemd, launchd and Windows read them."""

from __future__ import annotations

import plistlib
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from digestlog.core.timers import (
    DAY_MIN,
    KINDS,
    Timer,
    agent_label,
    agent_plist,
    cron_block,
    key,
    read_interval,
    read_time,
    schtasks_line,
    service_unit,
    timer,
    timer_unit,
    unit_names,
    with_block,
    without_block,
)
from digestlog.errors import ConfigError

PYTHON = "/usr/bin/python3"
DB = "/home/ada/news.db"
INTERVALS = [5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1440]
HOSTILE = [
    "/home/ada/my news.db",
    "/100%/50%%.db",
    "%",
    "/a\\%b",
    "/a\\\\b\\",
    "\\\\%%\\%",
    "/it's \"quoted\"'.db",
    "/$HOME/${HOME}/$$/$(id)/`id`.db",
    "/a;b|c&d>e<f#g!h*i?[j]{k}~.db",
    "/näïve/日本語/😀.db",
    "/<&>]]>.db",
    "-x",
    ";",
    "#",
]
# Whatever a path may hold: anything but control characters and what is no text.
words = st.text(
    st.one_of(
        st.sampled_from("\\%'\"$ `;#~{}&<>"), st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])
    ),
    min_size=1,
    max_size=30,
)
timers = st.builds(
    lambda python, db, user, at, every: timer(python, f"/{db}", user=user, at_min=at, every_min=every),
    words.map("/{}".format),
    words,
    st.none() | words,
    st.none() | st.integers(0, DAY_MIN - 1),
    st.sampled_from(INTERVALS),
)


def simple(**times: int) -> Timer:
    return timer(PYTHON, DB, **times)


# --- the readers ------------------------------------------------------------------------------


def percent_and_backslash(command: str) -> str:
    r"""What Vixie's cron hands to the shell: `\%` is `%`, `\\` is `\`, and a bare `%` ends the command."""
    return _unescaped(command, "%\\")


def percent_only(command: str) -> str:
    r"""What cronie hands to the shell: `\%` is `%`, and a bare `%` ends the command."""
    return _unescaped(command, "%")


def nothing(command: str) -> str:
    """What BusyBox hands to the shell."""
    return command


def _unescaped(command: str, escapable: str) -> str:
    out, escaped = "", False
    for character in command:
        if escaped and character in escapable:
            out = out[:-1]
        elif character == "%":
            return out
        out += character
        escaped = not escaped and character == "\\"
    return out


CRONS = [percent_and_backslash, percent_only, nothing]


def cron_entry(timer: Timer) -> tuple[str, str]:
    """The times and the command of the one entry in a block."""
    first, entry, last = cron_block(timer).splitlines()
    assert first.startswith("#") and last.startswith("#")
    *times, command = entry.split(" ", 5)
    assert times[2:] == ["*", "*", "*"]
    return " ".join(times[:2]), command


def systemd_lines(unit: str) -> list[tuple[str, str]]:
    """The settings of a unit file, as systemd splits it into lines."""
    assert not any(line.endswith("\\") for line in unit.splitlines())
    found = [line.partition("=") for line in unit.split("\n") if line and line[0] not in "#;["]
    return [(name, value) for name, _, value in found]


def systemd_words(line: str) -> tuple[str, list[str]]:
    """The prefix and the words of a command: quotes, C escapes, then specifiers."""
    prefix = ":" if line.startswith(":") else ""
    out, word, quoted, rest = [], "", False, iter(line.removeprefix(":"))
    for character in rest:
        if character == "\\":
            escaped = next(rest)
            assert escaped in '\\"', "an escape that systemd would read otherwise"
            word += escaped
        elif character == '"':
            quoted = not quoted
        elif character == " " and not quoted:
            out.append(word)
            word = ""
        else:
            assert quoted or character not in ";'$#", "a character that needs quotes"
            word += character
    assert not quoted
    assert not any(re.search("%[^%]", each.replace("%%", "")) for each in [*out, word])
    return prefix, [each.replace("%%", "%") for each in [*out, word]]


def started(line: str) -> list[str]:
    """The words of the program that systemd starts in the end."""
    prefix, found = systemd_words(line)
    if found[:3] == ["/bin/sh", "-c", 'exec "$0" "$@"']:
        assert prefix == ":"
        return found[3:]
    assert not set(found[0]) & set("\"'\\"), "a name that systemd refuses"
    assert prefix == ":" or not any("$" in word for word in found)
    return found


# --- times ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("00:00", 0),
        ("6:05", 365),
        (" 06:30 ", 390),
        ("23:59", 1439),
        ("24:00", None),
        ("12:60", None),
        ("6", None),
        ("6:5", None),
        ("06:30:00", None),
        ("-1:30", None),
        ("٠٦:٣٠", None),
        ("06:30\n07:30", None),
        ("", None),
    ],
)
def test_times_of_day(text: str, minutes: int | None) -> None:
    assert read_time(text) == minutes


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("5m", 5),
        (" 15M ", 15),
        ("60m", 60),
        ("1h", 60),
        ("6h", 360),
        ("24h", DAY_MIN),
        ("1d", DAY_MIN),
        ("1440m", DAY_MIN),
        ("4m", None),
        ("0h", None),
        ("7m", None),
        ("90m", None),
        ("5h", None),
        ("2d", None),
        ("1w", None),
        ("h", None),
        ("6", None),
        ("1.5h", None),
        ("99999m", None),
        ("٦h", None),
        ("", None),
    ],
)
def test_intervals(text: str, minutes: int | None) -> None:
    assert read_interval(text) == minutes


def test_all_intervals_that_fit_are_taken_and_no_others() -> None:
    assert [n for n in range(3000) if read_interval(f"{n}m") is not None] == INTERVALS


@given(st.integers(0, DAY_MIN - 1), st.sampled_from(INTERVALS))
def test_runs_are_evenly_spread_over_the_day(start: int, every: int) -> None:
    times = Timer(DB, (PYTHON,), start, every)
    runs = sorted(hour * 60 + minute for hour in times.hours for minute in times.minutes)
    assert runs == list(range(start % every, DAY_MIN, every))
    assert start in runs


@pytest.mark.parametrize("every", INTERVALS)
@given(words)
def test_unless_told_nobody_comes_at_the_full_hour(every: int, name: str) -> None:
    usual = timer(PYTHON, f"/{name}", every_min=every)
    assert usual == timer(PYTHON, f"/{name}", every_min=every)
    assert 0 not in usual.minutes
    if every == DAY_MIN:
        assert usual.hours == [6]


def test_files_come_at_minutes_of_their_own() -> None:
    minutes = {timer(PYTHON, f"/home/user{n}/digestlog.db").minutes[0] for n in range(1000)}
    assert minutes == set(range(1, 60))


def test_the_minute_of_a_file_never_changes() -> None:
    """Installing again with a newer digestlog must not move anybody's schedule."""
    assert (key(DB), simple().when) == ("583743cd", "every day at 06:25")


@pytest.mark.parametrize(
    ("at", "every", "said"),
    [
        (390, DAY_MIN, "every day at 06:30"),
        (390, 360, "every 6 hours, first at 00:30"),
        (390, 720, "every 12 hours, first at 06:30"),
        (367, 60, "every hour at :07"),
        (367, 20, "every 20 minutes: :07, :27, :47"),
    ],
)
def test_the_times_in_words(at: int, every: int, said: str) -> None:
    assert simple(at_min=at, every_min=every).when == said


# --- the command ------------------------------------------------------------------------------


def test_the_command() -> None:
    assert simple().command == (PYTHON, "-P", "-m", "digestlog", "--db", DB, "--quiet", "run")
    assert timer(PYTHON, DB, user="ada").command[4:] == ("--db", DB, "--user", "ada", "--quiet", "run")


@pytest.mark.parametrize(
    "word", ["", "/a\nb", "/a\rb", "/a\0b", "/a\tb", "/a\x7fb", "/a\x85b", "/a\u2028b", "/a\udcffb"]
)
def test_what_no_schedule_can_hold(word: str) -> None:
    for make in (
        lambda: timer(word, DB),
        lambda: timer(PYTHON, word),
        lambda: timer(PYTHON, DB, user=word),
        lambda: agent_plist(simple(), word),
    ):
        with pytest.raises(ConfigError, match="a schedule cannot hold") as caught:
            make()
        assert caught.value.message.isascii() and caught.value.message.isprintable()
        assert caught.value.hint


def test_a_long_word_is_not_shown_whole() -> None:
    with pytest.raises(ConfigError) as caught:
        timer(PYTHON, "\n" * 100_000)
    assert len(caught.value.message) < 150


@given(st.text(), st.text())
def test_keys_tell_files_apart(one: str, other: str) -> None:
    assume(one != other)
    assert key(one) != key(other)
    assert re.fullmatch("[0-9a-f]{8}", key(one))


def test_a_name_that_is_no_text_has_a_key() -> None:
    assert key("/a\udcff") != key("/a\udcfe")


def test_kinds() -> None:
    assert KINDS == ("cron", "systemd", "launchd")


# --- cron -------------------------------------------------------------------------------------


def test_a_cron_block() -> None:
    assert cron_block(simple(at_min=390)) == (
        "# >>> digestlog 583743cd: Made by `digestlog schedule install`; "
        "`digestlog schedule remove` takes it away.\n"
        "30 6 * * * /usr/bin/python3 -P -m digestlog --db /home/ada/news.db --quiet run >/dev/null\n"
        "# <<< digestlog 583743cd\n"
    )


@pytest.mark.parametrize(
    ("at", "every", "times"),
    [(390, DAY_MIN, "30 6"), (390, 480, "30 6,14,22"), (67, 60, "7 *"), (67, 15, "7,22,37,52 *")],
)
def test_cron_times(at: int, every: int, times: str) -> None:
    assert cron_entry(simple(at_min=at, every_min=every))[0] == times


@pytest.mark.parametrize("cron", CRONS)
@given(timers)
def test_every_cron_starts_the_command_as_it_is(cron: object, timer: Timer) -> None:
    assert callable(cron)
    shell = cron(cron_entry(timer)[1])
    assert shlex.split(shell) == [*timer.command, ">/dev/null"]


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="no shell on this machine")
@pytest.mark.parametrize("cron", CRONS)
def test_a_real_shell_reads_the_command_as_it_is(cron: object) -> None:
    assert callable(cron)
    for word in HOSTILE:
        shell = cron(cron_entry(timer(PYTHON, word, user=word))[1]).removesuffix(" >/dev/null")
        done = subprocess.run(["/bin/sh", "-c", f"printf '%s\\0' {shell}"], capture_output=True, check=True)
        assert done.stdout.decode().split("\0")[:-1] == list(timer(PYTHON, word, user=word).command)


crontabs = st.lists(
    st.sampled_from(
        [
            b"",
            b"# m h dom mon dow command",
            b"0 5 * * * tar -zcf /var/backups/home.tgz /home/",
            b"MAILTO=ada@example.org",
            b"@reboot echo 100\\% \xff\xfe \r",
            b"# >>> digestlog 00000000: of another file",
            b"1 1 * * * digestlog",
            b"# <<< digestlog 00000000",
            b"# <<< digestlog 583743cd is not a mark",
        ]
    )
    | st.binary(max_size=30).filter(lambda line: b"\n" not in line)
).map(lambda lines: b"".join(line + b"\n" for line in lines))


@given(crontabs)
def test_a_crontab_less_its_block_is_byte_for_byte_the_old_one(crontab: bytes) -> None:
    installed = with_block(crontab, simple())
    assert installed == crontab + cron_block(simple()).encode()
    assert without_block(installed, key(DB)) == crontab
    assert without_block(crontab, key(DB)) == crontab


@given(crontabs, crontabs)
def test_a_block_is_replaced_where_it_stands(before: bytes, after: bytes) -> None:
    old, new = simple(at_min=1), simple(at_min=2, every_min=360)
    crontab = with_block(before, old) + after
    changed = with_block(crontab, new)
    assert changed == before + cron_block(new).encode() + after
    assert with_block(changed, new) == changed


@given(crontabs)
def test_blocks_of_two_files_live_side_by_side(crontab: bytes) -> None:
    other = timer(PYTHON, "/other.db")
    both = with_block(with_block(crontab, simple()), other)
    assert without_block(both, key(DB)) == with_block(crontab, other)
    assert without_block(both, key("/other.db")) == with_block(crontab, simple())


def test_a_last_line_without_an_end_gets_one() -> None:
    assert with_block(b"0 5 * * * x", simple()) == b"0 5 * * * x\n" + cron_block(simple()).encode()
    assert with_block(b"", simple()) == cron_block(simple()).encode()


def test_a_time_changed_by_hand_is_still_ours() -> None:
    crontab = b"a\n" + cron_block(simple()).encode().replace(b"25 6", b"1 1") + b"b\n"
    assert without_block(crontab, key(DB)) == b"a\nb\n"


def test_blocks_that_were_copied_become_one() -> None:
    block = cron_block(simple(at_min=1)).encode()
    new = cron_block(simple()).encode()
    assert with_block(block + b"a\n" + block + b"b\n", simple()) == new + b"a\nb\n"
    assert without_block(block + b"a\n" + block, key(DB)) == b"a\n"


BEGIN, ENTRY, END = cron_block(timer(PYTHON, DB)).encode().splitlines(keepends=True)


@pytest.mark.parametrize(
    "crontab",
    [
        BEGIN,
        END,
        BEGIN + ENTRY,
        BEGIN + END,
        ENTRY + END,
        END + ENTRY + BEGIN,
        BEGIN + ENTRY + ENTRY + END,
        BEGIN + BEGIN + END,
        BEGIN + END + END,
        BEGIN + ENTRY + END + END,
        BEGIN + ENTRY + b"5 5 * * * precious\n" + END,
        BEGIN + ENTRY + END + BEGIN,
    ],
)
def test_a_block_changed_by_hand_is_left_alone(crontab: bytes) -> None:
    for change in (lambda: with_block(crontab, simple()), lambda: without_block(crontab, key(DB))):
        with pytest.raises(ConfigError, match="changed by hand") as caught:
            change()
        assert "crontab -e" in str(caught.value.hint)


def test_a_huge_crontab_takes_no_time() -> None:
    crontab = (BEGIN + ENTRY + END) * 50_000
    began = time.process_time()
    assert without_block(crontab, key(DB)) == b""
    assert with_block(crontab, simple()) == BEGIN + ENTRY + END
    assert time.process_time() - began < 5


# --- systemd ----------------------------------------------------------------------------------


def test_a_service() -> None:
    assert service_unit(simple(at_min=390)) == (
        "# Made by `digestlog schedule install`; `digestlog schedule remove` takes it away.\n"
        "[Unit]\n"
        "Description=digestlog on /home/ada/news.db, every day at 06:30\n"
        "\n"
        "[Service]\n"
        "Type=oneshot\n"
        "ExecStart=/usr/bin/python3 -P -m digestlog --db /home/ada/news.db --quiet run\n"
    )


def test_a_systemd_timer() -> None:
    assert timer_unit(simple(at_min=390)) == (
        "# Made by `digestlog schedule install`; `digestlog schedule remove` takes it away.\n"
        "[Unit]\n"
        "Description=digestlog on /home/ada/news.db, every day at 06:30\n"
        "\n"
        "[Timer]\n"
        "OnCalendar=*-*-* 06:30:00\n"
        "Persistent=true\n"
        "\n"
        "[Install]\n"
        "WantedBy=timers.target\n"
    )


@pytest.mark.parametrize(
    ("at", "every", "times"),
    [
        (5, DAY_MIN, "*-*-* 00:05:00"),
        (390, 480, "*-*-* 06,14,22:30:00"),
        (67, 60, "*-*-* *:07:00"),
        (67, 30, "*-*-* *:07,37:00"),
    ],
)
def test_systemd_times(at: int, every: int, times: str) -> None:
    assert ("OnCalendar", times) in systemd_lines(timer_unit(simple(at_min=at, every_min=every)))


def test_unit_names() -> None:
    assert unit_names("583743cd") == ("digestlog-583743cd.service", "digestlog-583743cd.timer")


@given(timers)
def test_systemd_starts_the_command_as_it_is(timer: Timer) -> None:
    (_, description), kind, (name, line) = systemd_lines(service_unit(timer))
    assert kind == ("Type", "oneshot")
    assert name == "ExecStart"
    assert started(line) == list(timer.command)
    assert description.replace("%%", "%") == f"digestlog on {timer.db}, {timer.when}"


@given(timers)
def test_a_hostile_name_adds_nothing_to_a_timer(timer: Timer) -> None:
    names = [name for name, _ in systemd_lines(timer_unit(timer))]
    assert names == ["Description", "OnCalendar", "Persistent", "WantedBy"]


@pytest.mark.parametrize(
    ("python", "line"),
    [
        ("/a b/python", '"/a b/python" -P '),
        ("/50%/python", '"/50%%/python" -P '),
        ("/$HOME/python", ':"/$HOME/python" -P '),
        ("/it's/python", ':/bin/sh -c "exec \\"$0\\" \\"$@\\"" "/it\'s/python" -P '),
        ("/a\\b/python", ':/bin/sh -c "exec \\"$0\\" \\"$@\\"" "/a\\\\b/python" -P '),
    ],
)
def test_where_python_may_be(python: str, line: str) -> None:
    (command,) = [v for name, v in systemd_lines(service_unit(timer(python, DB))) if name == "ExecStart"]
    assert command.startswith(line)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd on this machine")
def test_systemd_itself_finds_no_fault(tmp_path: Path) -> None:
    names = []
    for number, name in enumerate(["plain", "a b", "50%h", "$HOME ${x}", 'it\'s \\ "so"', "日本"]):
        python = tmp_path / name / "python"
        python.parent.mkdir()
        python.symlink_to("/bin/sh")
        made = timer(str(python), f"/{name}\\", every_min=INTERVALS[number])
        contents = service_unit(made), timer_unit(made)
        for file, content in zip(unit_names(key(made.db)), contents, strict=True):
            (tmp_path / file).write_text(content, encoding="utf-8")
            names.append(file)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *(str(tmp_path / name) for name in names)],
        env={"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


# --- launchd ----------------------------------------------------------------------------------


@given(timers)
def test_launchd_starts_the_command_as_it_is(timer: Timer) -> None:
    agent = plistlib.loads(agent_plist(timer, "/log & more"))
    assert agent["ProgramArguments"] == list(timer.command)
    assert agent["Label"] == agent_label(key(timer.db))
    assert agent["StandardErrorPath"] == "/log & more"
    runs = {
        (hour, at["Minute"])
        for at in agent["StartCalendarInterval"]
        for hour in ([at["Hour"]] if "Hour" in at else range(24))
    }
    assert runs == {(hour, minute) for hour in timer.hours for minute in timer.minutes}


@pytest.mark.parametrize(
    ("at", "every", "times"),
    [
        (390, DAY_MIN, [{"Hour": 6, "Minute": 30}]),
        (390, 720, [{"Hour": 6, "Minute": 30}, {"Hour": 18, "Minute": 30}]),
        (67, 30, [{"Minute": 7}, {"Minute": 37}]),
    ],
)
def test_launchd_times(at: int, every: int, times: list[dict[str, int]]) -> None:
    agent = plistlib.loads(agent_plist(simple(at_min=at, every_min=every), "/log"))
    assert agent["StartCalendarInterval"] == times


# --- Windows ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("every", "often"),
    [
        (DAY_MIN, "/SC DAILY /MO 1 /ST 06:30"),
        (720, "/SC HOURLY /MO 12 /ST 06:30"),
        (60, "/SC HOURLY /MO 1 /ST 00:30"),
        (20, "/SC MINUTE /MO 20 /ST 00:10"),
    ],
)
def test_a_line_for_windows(every: int, often: str) -> None:
    db = r"C:\My News\news.db"
    line = schtasks_line(timer(r"C:\Py\python.exe", db, at_min=390, every_min=every))
    assert line == (
        f'schtasks /Create /TN "digestlog {key(db)}" {often} '
        r'/TR "C:\Py\python.exe -P -m digestlog --db \"C:\My News\news.db\" --quiet run"'
    )
