"""One story, one item: which articles tell of the same event, in whatever words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import TypeVar

from digestlog.core.facts import Facts, Places, read_facts
from digestlog.core.sketch import bands, shingles, sketch_of, words

# The figures below were chosen on one half of the labelled pairs; docs/stories.md has both halves' results.
COPIED = 0.5
TOLD_ALIKE = 0.215
# News is retold within days. Later, the same names and numbers are more likely to be the next chapter.
SAME_DAYS = timedelta(days=3)
TOLD_ALIKE_LATER = 0.3
# Within a round-up stand many stories: it must also begin like the shorter text.
ROUND_UP_TIMES = 3
MIN_COMMON_LEAD = 0.2
# The text of a notice ("Subscribe to read on") says nothing about the article; there the title decides.
NOTICE_WORDS = 40
MIN_COMMON_TITLE = 0.3
# Shingles kept for comparison; more would add memory, not certainty.
MAX_SHINGLES = 256

# What each article may cost in a group: words looked up, groups a word may point to before it is
# too common to tell anything, groups compared, members of a group asked.
MAX_KEYS = 60
MAX_BUCKET = 16
MAX_COMPARED = 5
MAX_ASKED = 3
# Two words that eight other groups use as well.
MIN_VOTES = 0.25

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Story:
    """An article as far as it matters for telling whether another reports the same."""

    key: str
    title: str | None
    text: str
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class _Print:
    """What is kept of a story to compare it."""

    story: Story
    size: int
    shingles: frozenset[int]
    sampled: int
    facts: Facts
    bands: tuple[int, ...]


@dataclass(slots=True)
class _Group:
    """Stories that are one; `asked` are those that speak for it, the representative first."""

    keys: list[str]
    asked: list[_Print] = field(default_factory=list)


def same_story(a: Story, b: Story) -> bool:
    """Whether two articles tell of one event: near copies, rewritten texts and their updates."""
    return _same(_print(a), _print(b))


def group(stories: Sequence[Story]) -> list[list[str]]:
    """The keys of each story's articles, the best article first, stories in their order of appearance."""
    alike: dict[tuple[str | None, str], list[Story]] = defaultdict(list)
    for story in sorted(stories, key=_rank):
        alike[story.title, story.text].append(story)
    index = _Index()
    for copies in alike.values():
        index.add(_print(copies[0]), [story.key for story in copies])
    order = {story.key: at for at, story in reversed(list(enumerate(stories)))}
    return sorted((one.keys for one in index.groups), key=lambda keys: min(order[key] for key in keys))


def _rank(story: Story) -> tuple[int, bool, float, int, str]:
    """The best to represent a story first: of about the same length the earliest, then the longest."""
    at = story.published_at
    return (
        -len(story.text).bit_length(),
        at is None,
        at.timestamp() if at else 0.0,
        -len(story.text),
        story.key,
    )


class _Index:
    """The groups so far, found by the bands and the rarest words of their articles."""

    def __init__(self) -> None:
        self.groups: list[_Group] = []
        self._bands: dict[int, list[int]] = defaultdict(list)
        self._words: dict[str, list[int]] = defaultdict(list)

    def add(self, new: _Print, keys: list[str]) -> None:
        """Put articles of one text into the group that they belong to, or into one of their own."""
        if not new.size:
            # Nothing was read, so nothing can be the same.
            self.groups += (_Group([key]) for key in keys)
            return
        for at in self._candidates(new):
            if _belongs(new, self.groups[at].asked):
                break
        else:
            at = len(self.groups)
            self.groups.append(_Group([]))
        self.groups[at].keys += keys
        if len(self.groups[at].asked) < MAX_ASKED:
            self.groups[at].asked.append(new)
            self._remember(new, at)

    def _candidates(self, new: _Print) -> Iterator[int]:
        """The groups with most in common, what few have in common counting most."""
        votes: dict[int, float] = defaultdict(float)
        for band in new.bands:
            for at in self._bands.get(band, ()):
                votes[at] += 1
        for word in _telling(new.facts):
            found = self._words.get(word, ())
            if len(found) < MAX_BUCKET:
                for at in found:
                    votes[at] += 1 / len(found)
        best = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))
        return (at for at, vote in islice(best, MAX_COMPARED) if vote >= MIN_VOTES)

    def _remember(self, new: _Print, at: int) -> None:
        for band in new.bands:
            _append(self._bands[band], at)
        for word in _telling(new.facts):
            _append(self._words[word], at)


def _append(bucket: list[int], at: int) -> None:
    if len(bucket) < MAX_BUCKET and at not in bucket:
        bucket.append(at)


def _telling(facts: Facts) -> Iterable[str]:
    """The words by which a story may be found again, names and numbers first."""
    sure = facts.names | facts.numbers
    ranked = (sorted(sure & facts.lead), sorted(sure - facts.lead), sorted(facts.lead - sure))
    return islice((word for rank in ranked for word in rank), MAX_KEYS)


def _belongs(new: _Print, asked: Sequence[_Print]) -> bool:
    """Whether the representative, or else most of a group, is the same story: one link makes no chain."""
    return _same(asked[0], new) or 2 * sum(_same(one, new) for one in asked[1:]) > len(asked)


def _print(story: Story) -> _Print:
    found = words(story.text)
    hashes = shingles(found)
    sampled = 0
    kept = frozenset(hashes)
    while len(kept) > MAX_SHINGLES:
        sampled += 1
        kept = _sample(kept, sampled)
    facts = read_facts(story.title, story.text)
    return _Print(story, len(found), kept, sampled, facts, bands(sketch_of(hashes)))


def _sample(hashes: frozenset[int], bits: int) -> frozenset[int]:
    """One hash in two, four, eight...: the same ones in every text, so that shares stay comparable."""
    mask = ((1 << bits) - 1) << 16
    return frozenset(value for value in hashes if not value & mask)


def _same(a: _Print, b: _Print) -> bool:
    if not a.size or not b.size or _contradict(a.facts, b.facts) or _only_a_notice(a, b):
        return False
    lead_a, lead_b = _share(a.facts.lead, b.facts.said), _share(b.facts.lead, a.facts.said)
    if _copied(a, b) >= COPIED:
        small, large = sorted((a.size, b.size))
        return large < ROUND_UP_TIMES * small or min(lead_a, lead_b) >= MIN_COMMON_LEAD
    lead = (lead_a + lead_b) / 2
    return lead * _agreement(a.facts, b.facts, lead) >= _needed(a.story, b.story)


def _needed(a: Story, b: Story) -> float:
    if a.published_at is None or b.published_at is None:
        return TOLD_ALIKE
    return TOLD_ALIKE if abs(a.published_at - b.published_at) <= SAME_DAYS else TOLD_ALIKE_LATER


def _copied(a: _Print, b: _Print) -> float:
    """The share of the shorter text's shingles that stand in the longer one too."""
    bits = max(a.sampled, b.sampled)
    one, two = (_sample(c.shingles, bits) if c.sampled < bits else c.shingles for c in (a, b))
    return _overlap(one, two)


def _agreement(a: Facts, b: Facts, lead: float) -> float:
    """The share of names and numbers in common; where there are few, the common words stand in."""
    common = len(a.names & b.names) + len(a.numbers & b.numbers)
    least = min(len(a.names), len(b.names)) + min(len(a.numbers), len(b.numbers))
    return (common + lead) / (least + 1)


def _contradict(a: Facts, b: Facts) -> bool:
    """Whether other numbers or names stand in the same places: a template filled in anew."""
    agree, differ = _compare(a.counts, b.counts)
    if differ >= 2 and differ >= agree and _overlap(a.numbers, b.numbers) < 0.5:
        return True
    agree, differ = _compare(a.slots, b.slots)
    return agree + differ >= 4 and agree < differ


def _compare(a: Places, b: Places) -> tuple[int, int]:
    """In how many common places the same stands, and in how many something else."""
    common = a.keys() & b.keys()
    agree = sum(any(value in b[place] for value in a[place]) for place in common)
    return agree, len(common) - agree


def _only_a_notice(a: _Print, b: _Print) -> bool:
    if min(a.size, b.size) >= NOTICE_WORDS or min(len(a.facts), len(b.facts)) >= 2:
        return False
    one, two = (frozenset(words(c.story.title or "")) for c in (a, b))
    return bool(one and two) and _overlap(one, two) < MIN_COMMON_TITLE


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _overlap(a: frozenset[_T], b: frozenset[_T]) -> float:
    return len(a & b) / max(1, min(len(a), len(b)))
