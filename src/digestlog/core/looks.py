"""One look at a watched page: the answer and what was known before -> what is to be stored.

read_page -> judge -> compare with the last look -> words, renderings, packed contents

Pure and picklable by name, so that all of it can happen in another process.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

from digestlog.core import checkable
from digestlog.core.change_words import summarise
from digestlog.core.changes import VOLATILE, Change, Compared, Memory, compare, remember
from digestlog.core.checkable import Verdict, judge, worn_down
from digestlog.core.model import Fetched
from digestlog.core.render.diff_html import diff_html
from digestlog.core.snapshot import EXTRACTOR, Snapshot, read_page

OK, NOT_MODIFIED, EMPTY, CHALLENGE, FAILED = "ok", "not_modified", "empty", "challenge", "failed"
# A larger page is compared like any other, but not kept: a newer extractor then starts it anew.
MAX_KEPT_BYTES = 2_000_000

_PLAIN_OUTCOMES = {checkable.EMPTY: EMPTY, checkable.CHALLENGE: CHALLENGE}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a page from the looks before; content None: it was never read.

    `body` is there only where another extractor read it: the page as it was then, packed.
    """

    content_sha256: str = ""
    content: bytes | None = None
    memory: str = "{}"
    extractor: int | None = None
    body: bytes | None = None
    body_url: str = ""
    body_charset: str | None = None

    @property
    def is_outdated(self) -> bool:
        """True if another extractor read it."""
        return self.content is not None and self.extractor != EXTRACTOR


@dataclass(frozen=True, slots=True)
class Told:
    """A change, and the words for it."""

    change: Change
    summary: str
    method: str = "extractive"


@dataclass(frozen=True, slots=True)
class Read:
    """What a look came to: what the page says now, what the next look needs, and what changed."""

    content_sha256: str
    # Packed; None: as it was.
    content: bytes | None
    memory: str
    title: str | None = None
    text: str = ""
    body: bytes | None = None
    told: tuple[Told, ...] = ()
    diff: str | None = None
    # The first look, or the first one again after a change of the extractor.
    is_baseline: bool = False

    @property
    def changed(self) -> bool:
        """True if something happened that a reader would want to know."""
        return any(told.change.state != VOLATILE for told in self.told)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a page, or why there is none."""

    image: bytes | None = None
    note: str | None = None


def examine(body: bytes, page: Fetched, known: Known, language: str = "en") -> Read | Verdict:
    """What an answer comes to; a Verdict where it is not the page itself. `page` comes without its body."""
    now = read_page(body, page.url, page.charset)
    verdict = judge(replace(page, body=body), now)
    if verdict.outcome != checkable.OK:
        return verdict
    before = _before(known)
    if before is None:
        found = Compared((), remember(now))
    elif worn_down(before, now):
        return Verdict(FAILED, "the page says that something went wrong")
    else:
        found = compare(before, now, Memory.from_json(known.memory))
    read = Read(
        now.sha256,
        _packed(now),
        found.memory.to_json(),
        now.title,
        now.text,
        pack(body) if len(body) <= MAX_KEPT_BYTES else None,
        is_baseline=before is None,
    )
    return _with_changes(read, page.url, found, language)


def stood(known: Known, url: str, language: str = "en") -> Read:
    """What one more look comes to that found the page exactly as it was; `known` has something to read.

    It may be the look that is enough to be sure of a change that was doubted before.
    """
    before = _before(known) or Snapshot()
    found = compare(before, before, Memory.from_json(known.memory))
    sha256, content = (before.sha256, _packed(before)) if known.is_outdated else (known.content_sha256, None)
    read = Read(sha256, content, found.memory.to_json(), before.title, before.text)
    return _with_changes(read, url, found, language)


def outcome_of(verdict: Verdict) -> str:
    """The outcome as observations have it: a login instead of the page is a failure."""
    return _PLAIN_OUTCOMES.get(verdict.outcome, FAILED)


def pack(data: bytes) -> bytes:
    """The bytes as the file keeps them."""
    return zlib.compress(data, 6)


def _before(known: Known) -> Snapshot | None:
    """The page at the last look, as this extractor reads it; None: there is nothing to compare with."""
    if known.content is None:
        return None
    if not known.is_outdated:
        return Snapshot.from_json(zlib.decompress(known.content).decode())
    if known.body is None:
        return None
    return read_page(zlib.decompress(known.body), known.body_url, known.body_charset)


def _packed(snapshot: Snapshot) -> bytes:
    return pack(snapshot.to_json().encode("utf-8", "replace"))


def _with_changes(read: Read, url: str, found: Compared, language: str) -> Read:
    if not found.changes:
        return read
    told = tuple(Told(change, summarise(change, language)) for change in found.changes)
    diff = diff_html(read.title or url, url, [(one.change, one.summary) for one in told])
    return replace(read, told=told, diff=diff)
