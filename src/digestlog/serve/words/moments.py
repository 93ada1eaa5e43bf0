"""Days and times as people write them."""

from __future__ import annotations

import re

_DAY = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})")
_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
}


def day(iso: str, language: str) -> str:
    """The day of a stored time: `3 May 2026`; what is no stored time stays as it is."""
    found = _DAY.match(iso)
    if found is None:
        return iso
    year, month, number = found.groups()
    shown = "1er" if language == "fr" and number == "01" else str(int(number))
    return f"{shown} {_MONTHS.get(language, _MONTHS['en'])[int(month) - 1]} {year}"


def moment(iso: str, language: str) -> str:
    """A stored time with its minute: `3 May 2026, 14:03`. All times are UTC, as everywhere in digestlog."""
    shown = day(iso, language)
    return f"{shown}, {iso[11:16]}" if len(iso) >= 16 and shown != iso else shown
