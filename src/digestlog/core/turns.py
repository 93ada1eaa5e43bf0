"""In which order the candidates of a digest are looked at, so that each has its turn.

never looked at (longest waiting and newest by turns) -> no room before -> fitted nowhere -> shown before

Only so many articles are asked for in one digest. Half of them are those that have waited longest; so an
article that stays on its front page is looked at within `bound` digests, however many come after it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from digestlog.core.filling import DIVERSITY, DUPLICATE, HISTORY, OVER_QUOTA, TAKEN, by_turns

H = TypeVar("H", bound=Hashable)

_PLACE = {OVER_QUOTA: 1, DIVERSITY: 1, TAKEN: 3, HISTORY: 3, DUPLICATE: 3}
_LOOKED_AT = 2


def in_order(candidates: Sequence[H], looked_at: Mapping[H, str], waiting: Mapping[H, str]) -> list[H]:
    """The candidates as they are to be looked at; given the newest first.

    `looked_at`: what became of them before, `waiting`: since when they were left for later.
    """
    new = [one for one in candidates if one not in looked_at]
    longest = sorted((one for one in new if one in waiting), key=waiting.__getitem__)
    first = list(dict.fromkeys(by_turns([longest, new])))
    known = [one for one in candidates if one in looked_at]
    return first + sorted(known, key=lambda one: _PLACE.get(looked_at[one], _LOOKED_AT))


def bound(candidates: int, budget: int) -> int:
    """Within how many digests each of so many candidates is looked at, if each digest asks for `budget`."""
    share = -(-budget // 2)
    return -(-candidates // share) + 1
