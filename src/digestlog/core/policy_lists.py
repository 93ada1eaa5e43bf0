"""Lists of domains that people really use, read line by line as a stream.

  0.0.0.0 ads.example pop.example     hosts file: exactly these hosts, and `www.` before them
  ads.example                         plain list: the domain and all below it
  *.ads.example   .ads.example        the same
  192.0.2.7                           exactly this address
  ||ads.example^                      Adblock: the domain and all below it
  @@||good.ads.example^               Adblock: an exception to this list
  address=/ads.example/0.0.0.0        dnsmasq: the domain and all below it; local=/…/ and server=/…/ too

What does not speak about a whole domain is left out and counted, with the first few lines as examples.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from ipaddress import ip_address
from typing import BinaryIO, cast

from digestlog.core.policy import EXCEPT
from digestlog.core.policy_rules import host_name
from digestlog.core.text import clean
from digestlog.errors import ParseError

MAX_LINE = 4_096
MAX_BYTES = 1_000_000_000
MAX_NAMES = 10_000_000
MAX_NAME = 253
EXAMPLES = 5

# Why a line was left out, in a person's words.
LOCAL, ELSEWHERE, PARTIAL, UNREADABLE, TOO_LONG = "local", "elsewhere", "partial", "unreadable", "too_long"
LEFT_OUT = {
    LOCAL: "names of the own machine or network",
    ELSEWHERE: "entries that lead a name to a real address",
    PARTIAL: "rules about less than a whole domain",
    UNREADABLE: "lines that cannot be understood",
    TOO_LONG: f"lines of more than {MAX_LINE:,} bytes",
}

# A name, and whether all names below it are meant.
Entry = tuple[str, bool]

_GZIP = b"\x1f\x8b"
_NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*+[a-z0-9_-]{1,63}")
# Nearly all lines of nearly all lists; the rest is read with more care.
_SIMPLE = re.compile(
    rb"(?:(0\.0\.0\.0|127\.0\.0\.1)[ \t]+|(\|\|))?"
    rb"((?:[a-z0-9_-]{1,63}\.)++[a-z0-9-]{0,62}[a-z])(\^)?[ \t]*[\r\n]*"
)
_DNSMASQ = re.compile(r"(?:address|local|server)=/(?P<names>.+)/(?P<target>[^/]*)")
_COSMETIC = re.compile(r"\S#[@?$%]*#")
_COMMENTS = ("#", "!", ";", "[")
# Where lists send what they block.
_SINKS = frozenset({"0.0.0.0", "::", "::1", "#"})  # noqa: S104 - nothing is bound to it
_LOCAL_ENDINGS = (".localdomain", ".localhost", ".local")
# Options of an Adblock rule with which it still means every page of the domain.
_WHOLE_DOMAIN = frozenset({"all", "doc", "document", "important"})


@dataclass(slots=True)
class Tally:
    """What a list was made of, and what of it was left out."""

    lines: int = 0
    names: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[int, str, str]] = field(default_factory=list)

    def leave_out(self, why: str, line: bytes) -> None:
        """Count a line, or a name of it, that is not taken; the first odd ones are kept as examples."""
        self.left_out[why] += 1
        if why in (UNREADABLE, TOO_LONG) and len(self.examples) < EXAMPLES:
            text = clean(line[:200].decode("utf-8", "replace")) or ""
            self.examples.append((self.lines, why, text[:80]))


@contextmanager
def opened(stream: BinaryIO) -> Iterator[BufferedReader]:
    """The stream with its compression undone, if it is gzip; at the end it is left open."""
    # Whatever can be read into a buffer will do; the type stubs ask for a raw stream.
    plain: BufferedReader = BufferedReader(cast("BufferedReader", stream))
    try:
        if plain.peek(2)[:2] == _GZIP:
            unpacked: BufferedReader = BufferedReader(gzip.GzipFile(fileobj=plain))
            with unpacked:
                yield unpacked
        else:
            yield plain
    finally:
        plain.detach()


def looks_like_rules(stream: BufferedReader) -> bool:
    """True if what comes is JSON rather than a list of names."""
    with gzip_errors():
        return stream.peek(64)[:64].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


@contextmanager
def gzip_errors() -> Iterator[None]:
    """Turn what gzip says about damaged bytes into words."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ParseError("this gzip file is damaged or cut off", "fetch it again") from error


def read_names(stream: BufferedReader, tally: Tally, *, below: bool | None = None) -> Iterator[Entry]:
    """The names on a list, exceptions with a mark before them; ParseError if it is too large or damaged.

    `below` overrides what the format says about the names below each.
    """
    for line in _lines(stream, tally):
        for found in _simple(line) or _careful(line):
            if isinstance(found, str):
                tally.leave_out(found, line)
                continue
            tally.names += 1
            if tally.names > MAX_NAMES:
                raise ParseError(f"this list has more than {MAX_NAMES:,} names", "split it into several")
            yield found if below is None else (found[0], below)


def _lines(stream: BufferedReader, tally: Tally) -> Iterator[bytes]:
    """The lines, each bounded; one that is too long is skipped to its end."""
    size = 0
    with gzip_errors():
        while line := stream.readline(MAX_LINE + 1):
            tally.lines += 1
            size += len(line)
            if len(line) > MAX_LINE:
                tally.leave_out(TOO_LONG, line)
                while line and not line.endswith(b"\n"):
                    line = stream.readline(MAX_LINE + 1)
                    size += len(line)
            else:
                yield line if tally.lines > 1 else line.removeprefix(b"\xef\xbb\xbf")
            if size > MAX_BYTES:
                raise ParseError(
                    f"this list has more than {MAX_BYTES:,} bytes", "split it into several lists"
                )


def _simple(line: bytes) -> tuple[Entry | str, ...]:
    """The one name of a line without any frills; nothing if it has some."""
    found = _SIMPLE.fullmatch(line)
    if found is None or len(found[3]) > MAX_NAME or (found[4] and not found[2]):
        return ()
    return (_known(found[3].decode("ascii"), below=found[1] is None),)


def _careful(line: bytes) -> Iterator[Entry | str]:
    """The names of any line; for what is left out, why."""
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError:
        yield UNREADABLE
        return
    if not text or text.startswith(_COMMENTS):
        return
    if text.startswith(("||", "@@")):
        yield _adblock(text)
    elif dnsmasq := _DNSMASQ.fullmatch(text):
        yield from _dnsmasq(dnsmasq["names"].split("/"), dnsmasq["target"])
    elif _COSMETIC.search(text):
        yield PARTIAL
    else:
        yield from _hosts_or_plain(text.partition("#")[0].split())


def _hosts_or_plain(words: list[str]) -> Iterator[Entry | str]:
    if len(words) == 1:
        yield _plain(words[0])
    elif _number(words[0]) is None:
        yield UNREADABLE
    else:
        yield from (_host(word, blocks=_is_sink(words[0])) for word in words[1:])


def _host(word: str, *, blocks: bool) -> Entry | str:
    """A name of a hosts file, which means exactly that host."""
    name = _name(word)
    if _number(word) is not None or (name and "." not in name):
        return LOCAL
    if name is None:
        return UNREADABLE
    return _known(name, below=False) if blocks else ELSEWHERE


def _plain(word: str) -> Entry | str:
    """A line with nothing but a name: the domain and all below it."""
    number = _number(word)
    if number is not None:
        return (number, False) if ip_address(number.strip("[]")).is_global else LOCAL
    wild = word.startswith(("*.", "."))
    name = _name(word.removeprefix("*").removeprefix("."))
    if name is None:
        return PARTIAL if any(sign in word for sign in "/*^$|=") else UNREADABLE
    # A single word is more likely a stray one than the ending of half the web.
    if "." not in name and not wild:
        return LOCAL if name == "localhost" else UNREADABLE
    return _known(name, below=True)


def _adblock(text: str) -> Entry | str:
    """A rule that means every page of a domain, or an exception from one."""
    excepted = text.startswith("@@")
    rule, _, options = text.removeprefix("@@").partition("$")
    if not rule.startswith("||") or not set(filter(None, options.split(","))) <= _WHOLE_DOMAIN:
        return PARTIAL
    word = rule[2:].removesuffix("|").removesuffix("*")
    name = _name(word.removesuffix("^"))
    if name is None or ("." not in name and not word.endswith("^")):
        return PARTIAL
    return (EXCEPT + name, True) if excepted else _known(name, below=True)


def _dnsmasq(words: list[str], target: str) -> Iterator[Entry | str]:
    for word in words:
        name = _name(word)
        if name is None:
            yield UNREADABLE
        else:
            yield _known(name, below=True) if not target or _is_sink(target) else ELSEWHERE


def _known(name: str, *, below: bool) -> Entry | str:
    return LOCAL if name.endswith(_LOCAL_ENDINGS) else (name, below)


def _name(word: str) -> str | None:
    """The name as addresses have it; None if it is none, or a number."""
    name = word.lower().removesuffix(".")
    if not name.isascii():
        name = host_name(name) or ""
    if len(name) > MAX_NAME or not _NAME.fullmatch(name) or name.rpartition(".")[2].isdigit():
        return None
    return name


def _number(word: str) -> str | None:
    """The IP address as addresses have it; None if it is none."""
    try:
        found = ip_address(word.partition("%")[0])
    except ValueError:
        return None
    return str(found) if found.version == 4 else f"[{found.compressed}]"


def _is_sink(word: str) -> bool:
    """True if a list sends there what it blocks."""
    return word in _SINKS or word.startswith("127.")
