"""How well and how fast stories are told apart.

Run from the top of the checkout: PYTHONPATH=src:tests python benchmarks/bench_stories.py
With two files, a corpus and people's ratings, it measures those instead (gensim's lee.cor and
similarities0-1.txt). The last figures are in docs/stories.md.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

from story_pairs import BLIND, HALVES, Pair, pairs

from digestlog.core.sketch import sketch
from digestlog.core.stories import Story, group, same_story
from digestlog.core.summaries import summarize

WORDS = 500
MADE = ("copy", "edit", "across")
NOW = datetime(2026, 2, 12, tzinfo=UTC)


def articles(count: int, seed: int = 1) -> list[str]:
    """Texts of 500 words, frequent words frequent and one in ten a name; a fifth are edits of others."""
    chance = random.Random(seed)  # noqa: S311
    letters = "abcdefghijklmnoprstuvw"
    known = ["".join(chance.choices(letters, k=chance.randint(2, 10))) for _ in range(20_000)]
    known = [word.capitalize() if chance.random() < 0.1 else word for word in known]
    weights = [1 / (place + 1) for place in range(len(known))]

    def sentence() -> str:
        return " ".join(chance.choices(known, weights, k=19)) + f" {chance.randint(1, 5000)}."

    first = [" ".join(sentence() for _ in range(WORDS // 20)) for _ in range(count - count // 5)]
    return first + [f"{text[:2000]} {sentence()} {text[2200:]}" for text in first[: count // 5]]


def measured(name: str, count: int, work: Callable[[], object]) -> None:
    """Print how long the work took, and how much of it a second."""
    start = time.perf_counter()
    work()
    took = time.perf_counter() - start
    print(f"{name:42} {took:7.2f} s {count / took:9,.0f} a second")


def report(name: str, found: Sequence[tuple[Pair, bool]]) -> None:
    """Print precision and recall of some pairs."""
    said = sum(answer for _, answer in found)
    same = sum(pair.same for pair, _ in found)
    right = sum(pair.same and answer for pair, answer in found)
    precision = f"{right / said:.3f}" if said else "-"
    recall = f"{right / same:.3f}" if same else "-"
    print(f"{name:20} {len(found):5} pairs {same:5} same   precision {precision:>5}   recall {recall:>5}")


def quality() -> None:
    """Precision and recall of both halves of the labelled pairs, and of the blind set."""
    for half in (*HALVES, BLIND):
        found = [(pair, same_story(pair.a, pair.b)) for pair in pairs(half)]
        report(f"{half}: all", found)
        report("  written", [one for one in found if one[0].kind not in MADE])
        for kind in MADE:
            report(f"  {kind}", [one for one in found if one[0].kind == kind])


def speed() -> None:
    """Sketches, summaries and groups of articles of 500 words."""
    texts = articles(5_000)
    stories = [Story(str(at), None, text, NOW) for at, text in enumerate(texts)]
    alike = [Story(str(at), None, f"{texts[0]} {at}", NOW) for at in range(10_000)]
    same = [Story(str(at), None, texts[0], NOW) for at in range(10_000)]
    measured("1,000 sketches", 1_000, lambda: [sketch(text) for text in texts[:1_000]])
    measured("1,000 summaries", 1_000, lambda: [summarize(text) for text in texts[:1_000]])
    measured("group 1,000 articles", 1_000, lambda: group(stories[-1_000:]))
    measured("group 5,000 articles", 5_000, lambda: group(stories))
    measured("group 10,000 identical articles", 10_000, lambda: group(same))
    measured("group 10,000 nearly identical articles", 10_000, lambda: group(alike))


def judged(corpus: Path, ratings: Path) -> None:
    """Real news that people have compared: what was joined, against how alike they found it.

    `corpus` has one article a line, `ratings` the upper half of a matrix, from 0.2 (nothing) to 1 (all).
    """
    articles = corpus.read_text(encoding="cp1252").splitlines()
    stories = [Story(str(at), None, text, None) for at, text in enumerate(articles)]
    alike = [[float(one) for one in line.split()] for line in ratings.read_text().splitlines()]
    found = [
        (alike[a][b], same_story(stories[a], stories[b])) for a, b in combinations(range(len(stories)), 2)
    ]
    for low, high in ((0.9, 1.01), (0.7, 0.9), (0.5, 0.7), (0.0, 0.5)):
        some = [joined for rating, joined in found if low <= rating < high]
        print(f"people said {low:.1f} to {min(high, 1):.1f}: {len(some):5} pairs, {sum(some):3} joined")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        judged(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        quality()
        speed()
