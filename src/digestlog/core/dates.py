"""Dates as the web writes them: a raw string -> an aware UTC time, or nothing.

The rules are written down in docs/dates.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from digestlog.core.date_words import (
    UNSURE_ZONES,
    WEEKDAYS,
    ZONES,
    fold,
    is_chinese,
    is_day_first,
    month_number,
    zone_offset,
)
from digestlog.core.text import clean

MAX_CHARS = 200
_FIRST = datetime(1900, 1, 1, tzinfo=UTC)
_END = datetime(2200, 1, 1, tzinfo=UTC)
# What a machine writes when it knows no date; nobody publishes in that very second.
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_date(raw: str | None, language: str | None = None) -> datetime | None:
    """The time in UTC, to the second, that a date from the web states; None if it states none for sure.

    `language` is the tag of the feed or page. It settles 12/02/2026, and month names that
    mean different months in two languages.
    """
    if not raw or len(raw) > MAX_CHARS:
        return None
    try:
        moment = _usual(raw.strip()) or _any_form(raw, language)
    except (ValueError, OverflowError):  # 30 February, hour 25, a zone beyond the end of time
        return None
    return moment if moment and _FIRST <= moment < _END and moment != _EPOCH else None


# --- the two forms that nearly all feeds use ---------------------------------------------

_RFC_3339 = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])(?:\.[0-9]+)?"
    r"(?:Z|([+-][0-9]{2}:[0-9]{2}))"
)
_RFC_822 = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4})"
    r" ([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]) (?:GMT|([+-][0-9]{4}))"
)
_SHORT_MONTHS = {
    name: at for at, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)
}


def _usual(text: str) -> datetime | None:
    """The time of a complete RFC 3339 or RFC 822 date in its exact form, without any of the detours."""
    if found := _RFC_3339.fullmatch(text):
        whole, zone = found.groups()
        moment = datetime.fromisoformat(whole + "Z")
    elif found := _RFC_822.fullmatch(text):
        day, name, year, hour, minute, second, zone = found.groups()
        month = _SHORT_MONTHS.get(name)
        if month is None:
            return None
        moment = datetime(int(year), month, int(day), int(hour), int(minute), int(second), 0, UTC)
    else:
        return None
    if zone is None:
        return moment
    offset = zone_offset(zone)
    return None if offset is None else moment - offset


# --- every other form --------------------------------------------------------------------

_SECONDS = re.compile(r"([0-9]{9,10}|[0-9]{12,13})(?:\.[0-9]+)?")
_FIRST_SECOND = int(datetime(1990, 1, 1, tzinfo=UTC).timestamp())
_END_SECOND = int(datetime(2101, 1, 1, tzinfo=UTC).timestamp())
_COMPACT = re.compile(r"[0-9]{14}")
_DAY_ZONE = re.compile(r" ?(z|[+-][0-9]{2}:[0-9]{2}|(?<= )(?:gmt|utc))$")
# The year that ends `Thu Feb 12 14:03:12 2026`, and the zone that git and openssl put behind it.
_YEAR_BEHIND = re.compile(r"([0-9]{4})(?: ([+-][0-9]{4}|gmt|utc))?")


def _any_form(raw: str, language: str | None) -> datetime | None:
    """The time of a date in any form that docs/dates.md names."""
    text = _tidy(raw)
    if found := _SECONDS.fullmatch(text):
        return _from_seconds(found[1])
    if _COMPACT.fullmatch(text):
        text = f"{text[:8]}t{text[8:]}"
    clock = next((found for pattern in _CLOCKS if (found := pattern.search(text))), None)
    if clock is None:
        return _first_second(text, language)
    before, behind = text[: clock.start()].strip(" ,"), text[clock.end() :].strip(" ,")
    zone = clock["zone"]
    if before and behind:
        year = _YEAR_BEHIND.fullmatch(behind)
        if year is None or (zone and year[2]):
            return None
        behind, zone = year[1], zone or year[2]
    day = _day(f"{before} {behind}".strip(), language)
    offset = _offset(clock, zone, language)
    return None if day is None or offset is None else _moment(day, clock, offset)


def _first_second(text: str, language: str | None) -> datetime | None:
    """Midnight in UTC of a date without a time, whatever zone stands behind it."""
    zone = _DAY_ZONE.search(text)
    if zone and zone_offset(zone[1]) is None:
        return None
    day = _day(text[: zone.start()] if zone else text, language)
    return None if day is None else datetime.combine(day, time.min, UTC)


def _from_seconds(digits: str) -> datetime | None:
    """The time of seconds or milliseconds since 1970, in the years when a page can have written them."""
    seconds = int(digits) if len(digits) < 12 else int(digits) // 1000
    return datetime.fromtimestamp(seconds, UTC) if _FIRST_SECOND <= seconds < _END_SECOND else None


# --- the text ----------------------------------------------------------------------------

_PLAIN = {0xFF08: "(", 0xFF09: ")", 0xFF0C: ",", 0xFF1A: ":", 0x2212: "-"}


def _tidy(raw: str) -> str:
    """The text on one line, folded, without comments in parentheses."""
    text = clean(raw.translate(_PLAIN)) or ""
    if "(" in text:
        text = clean(_without_comments(text)) or ""
    return fold(text).replace(" ,", ",")


def _without_comments(text: str) -> str:
    """The text less its comments, which nest and may hold escaped parentheses; '' if one stays open."""
    kept, depth, escaped = [], 0, False
    for character in text:
        if depth and escaped:
            escaped = False
        elif depth and character == "\\":
            escaped = True
        elif character == "(":
            depth += 1
            kept.append(" ")
        elif depth:
            depth -= character == ")"
        else:
            kept.append(character)
    return "" if depth else "".join(kept)


# --- the day -----------------------------------------------------------------------------

_WORD = r"[^\W\d_]+"
_ARTICLE = r"(?:am|den|el|il|le|the) "
_WEEKDAY = rf"(?:(?!{_ARTICLE})(?P<weekday>{_WORD}(?:['’-]{_WORD})?)\.?(?:, ?| ))?"
_EAST_WEEKDAY = r"(?:星期|礼拜|週|周)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일"


def _day(text: str, language: str | None) -> date | None:
    """The day that the whole text states, None if it states none; ValueError if there is no such day."""
    for pattern, read in _DAYS:
        found = pattern.fullmatch(text)
        if found and (found.groupdict().get("weekday") or "mon") in WEEKDAYS:
            day = read(found, language)
            if day:
                return day
    return None


def _numbered(found: re.Match[str], language: str | None) -> date | None:
    return date(int(found["year"]), int(found["month"]), int(found["day"]))


def _named(found: re.Match[str], language: str | None) -> date | None:
    month = month_number(found["month"], language)
    return None if month is None else date(_year(found["year"]), month, int(found["day"]))


def _by_habit(found: re.Match[str], language: str | None) -> date | None:
    """The day of two numbers and a year, in the order that the language's readers expect."""
    day_first = is_day_first(language)
    # 03-12-31 may just as well begin with its year.
    if day_first is None or (found["mark"] == "-" and len(found["year"]) == 2):
        return None
    day, month = (found["one"], found["two"]) if day_first else (found["two"], found["one"])
    return date(_year(found["year"]), int(month), int(day))


def _of_week(found: re.Match[str], language: str | None) -> date | None:
    return date.fromisocalendar(int(found["year"]), int(found["week"]), int(found["day"]))


def _of_year(found: re.Match[str], language: str | None) -> date | None:
    first = date(int(found["year"]), 1, 1)
    day = first + timedelta(days=int(found["day"]) - 1)
    return day if day.year == first.year else None


def _year(digits: str) -> int:
    """The year of two, three or four digits as RFC 2822 reads them; ValueError for 026."""
    year = int(digits)
    if len(digits) == 4:
        return year
    if len(digits) == 3 and year < 100:
        raise ValueError(digits)
    return year + (2000 if year < 50 else 1900)


_DAYS: list[tuple[re.Pattern[str], Callable[[re.Match[str], str | None], date | None]]] = [
    (re.compile(pattern), read)
    for pattern, read in (
        (
            rf"{_WEEKDAY}(?P<year>[0-9]{{4}})(?P<mark>[/-]|\. ?)(?P<month>[0-9]{{1,2}})(?P=mark)"
            r"(?P<day>[0-9]{1,2})\.?",
            _numbered,
        ),
        (r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})", _numbered),
        (
            rf"{_WEEKDAY}(?:{_ARTICLE})?(?P<day>[0-9]{{1,2}})(?:(?:st|nd|rd|th|er|e|o|\.?[º°]|-?го)(?= ))?"
            rf"(?:\. ?|[ /-])?(?:(?:de|of) )?(?P<month>{_WORD})(?:\.?,? ?|[/-])(?:(?:de|del) )?"
            r"(?P<year>[0-9]{2,4})(?: ?(?:г|года|r|roku))?\.?",
            _named,
        ),
        (
            rf"{_WEEKDAY}(?P<month>{_WORD})(?:\. ?|[ /-])?(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?"
            r"(?:, ?|[ /-]| del? )(?P<year>[0-9]{4})",
            _named,
        ),
        (rf"(?P<year>[0-9]{{4}})[ /-](?P<month>{_WORD})\.?[ /-](?P<day>[0-9]{{1,2}})", _named),
        (
            rf"{_WEEKDAY}(?P<one>[0-9]{{1,2}})(?P<mark>[/-]|\. ?)(?P<two>[0-9]{{1,2}})(?P=mark)"
            r"(?P<year>[0-9]{4}|[0-9]{2})\.?",
            _by_habit,
        ),
        (r"(?P<year>[0-9]{4})(?P<mark>-?)w(?P<week>[0-9]{2})(?P=mark)(?P<day>[1-7])", _of_week),
        (r"(?P<year>[0-9]{4})-(?P<day>[0-9]{3})", _of_year),
        (
            r"(?P<year>[0-9]{4}) ?[年년] ?(?P<month>[0-9]{1,2}) ?[月월] ?(?P<day>[0-9]{1,2}) ?[日号號일]"
            rf"(?:,? ?(?:{_EAST_WEEKDAY}))?",
            _numbered,
        ),
    )
]


# --- the time of day ---------------------------------------------------------------------

_NAMES = "|".join(ZONES)
_LEAD = (
    r"(?:(?<=[0-9])t|(?:^|(?<=[ ,日号號일]))(?:[–—|·-] )?"
    r"(?:(?:at|um|a|a las|as|alle|alle ore|ore|om|o|o godz\.|godz\.|kl\.?|v|в|о) )?"
    r"(?:(?P<east>午前|上午|오전|午後|下午|오후) ?)?)"
)
_HALF = r"(?: ?(?P<half>[ap])(?:m|\. ?m\.?))"
_ZONE = (
    r"(?:(?P<gap> ?)(?P<zone>(?:(?:gmt|utc?) ?)?[+-](?:[0-9]{4}|[0-9]{1,2}(?::[0-9]{2})?)"
    rf"|{_NAMES})(?: ?\[[a-z0-9_+/-]{{1,40}}\]| [a-z_]{{1,20}}/[a-z0-9_+/-]{{1,40}}"
    rf"| (?P<also>{_NAMES}|{'|'.join(UNSURE_ZONES)}))?)?(?=$|[ ,])"
)
_CLOCKS = [
    re.compile(_LEAD + clock + _ZONE)
    for clock in (
        r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<part>[0-9]+))?)?"
        rf"{_HALF}?(?: ?(?:uhr|uur|hrs?|hs|h|ч))?",
        r"(?<=t)(?P<hour>[0-9]{2})(?:(?P<minute>[0-9]{2})(?:(?P<second>[0-9]{2})(?:[.,](?P<part>[0-9]+))?)?)?",
        r"(?P<hour>[0-9]{1,2}) ?h(?: ?(?P<minute>[0-9]{2})(?: ?m(?:in)?)?)?",
        rf"(?P<hour>[0-9]{{1,2}})\.(?P<minute>[0-9]{{2}}){_HALF}?(?: ?(?:uhr|uur|h))?",
        rf"(?P<hour>[0-9]{{1,2}})(?:{_HALF}| ?(?:uhr|uur))",
        r"(?P<hour>[0-9]{1,2}) ?[時时點点시]"
        r"(?: ?(?P<minute>[0-9]{1,2}) ?[分분](?: ?(?P<second>[0-9]{1,2}) ?[秒초])?)?",
    )
]
_EAST_HALVES = {"午前": "a", "上午": "a", "오전": "a", "午後": "p", "下午": "p", "오후": "p"}


def _offset(clock: re.Match[str], zone: str | None, language: str | None) -> timedelta | None:
    """The distance from UTC of the zone behind a time, zero where there is none, None if in doubt."""
    if zone is None:
        return timedelta(0)
    if zone == "cst" and is_chinese(language):
        return None
    # With neither seconds nor a T, 10:00-11:00 tells when something begins and ends.
    exact = clock["gap"] or clock.groupdict().get("second") or clock[0].startswith("t")
    if ":" in zone and not exact:
        return None
    offset, also = zone_offset(zone), clock["also"]
    # A name may stand behind an offset, if it does not deny it; a second name is noise.
    agreed = also is None or (zone not in ZONES and (also in UNSURE_ZONES or zone_offset(also) == offset))
    return offset if agreed else None


def _moment(day: date, clock: re.Match[str], offset: timedelta) -> datetime | None:
    """The time in UTC, None for a leap second at the wrong time; ValueError if there is no such time."""
    parts = clock.groupdict()
    minute, second, part = (int(parts.get(name) or 0) for name in ("minute", "second", "part"))
    hour = _hour(clock)
    if (hour, minute, second, part) == (24, 0, 0, 0):
        day, hour = day + timedelta(days=1), 0
    leaps = second == 60
    moment = datetime.combine(day, time(hour, minute, 59 if leaps else second), UTC) - offset
    return moment if not leaps or (moment.hour, moment.minute) == (23, 59) else None


def _hour(clock: re.Match[str]) -> int:
    """The hour of the day, from either kind of clock; ValueError for 14 PM."""
    hour, parts = int(clock["hour"]), clock.groupdict()
    half, east = parts.get("half"), _EAST_HALVES.get(parts["east"])
    if half is None and east is None:
        return hour
    if hour > 12 or (half and east):
        raise ValueError(clock[0])
    return hour % 12 + (12 if "p" in (half, east) else 0)
