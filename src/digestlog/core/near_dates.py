"""Dates on a page: in its text, in the elements around a link, in an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, pairwise

from digestlog.core.date_words import WEEKDAYS, fold
from digestlog.core.dates import parse_date
from digestlog.core.found import Dated, read_date
from digestlog.core.html_tree import Element, is_block, text_runs, visible_text
from digestlog.core.text import clean

MAX_RUN = 400
MAX_RUNS = 60
MAX_ELEMENTS = 300
MAX_MARKED = 10
# More words than these around a date make it part of a sentence.
MAX_BESIDE = 70
# A weekday, or "Published".
MAX_NEXT_TO = 12

_TIME = (
    r"(?P<time>(?:T|,?\s{0,2}(?:[-–|·•]|at|um|à|a las|alle|om|o|в|kl\.?)?\s{0,2})"
    r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d{1,9})?)?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?(?P<zone>\s?(?:Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2}))?)?"
)
_MONTH = r"[^\W\d_]{3,12}"
_FORMS = (
    r"(?<![\w./-])(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![./-]?\d)\.?",
    r"(?<!\d)(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일]",
    r"(?<![\w.])(?P<y>\d{4})\.\s(?P<m>\d{1,2})\.\s(?P<d>\d{1,2})\.?(?!\d)",
    rf"(?<![\w.:/-])(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th|er|º)?[\s-]{{0,2}}(?:de\s|of\s|d['’])?(?P<name>{_MONTH})"
    r"\.?,?[\s-]{0,2}(?:de\s|del\s)?(?P<y>\d{4})(?!\d)",
    rf"(?<!\w)(?P<name>{_MONTH})\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s{{1,2}}(?P<y>\d{{4}})(?!\d)",
    r"(?<![\w./-])(?P<plain>\d{1,2}(?P<s>[./-])\s?\d{1,2}(?P=s)\s?(?:\d{4}|\d{2}))(?![./-]?\d)",
)
_DATES = tuple(re.compile(form + _TIME, re.I) for form in _FORMS)
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")
_ENDS = (".", "!", "?", "。", "…", "؟")
_SEPARATOR = re.compile(r"\s*[-–—|·•:/]")

_MODIFIED_WORD = re.compile(
    r"(?:updated|modified|edited|revised|changed|aktualisiert|geändert|mis à jour|modifié|actualizad[oa]"
    r"|modificado|aggiornat[oa]|modificato|atualizad[oa]|bijgewerkt|gewijzigd|zaktualizowano|обновлено)\W*(?:\w{1,3}\W+)?\Z",
    re.I,
)
# What introduces the day of publication, without accents, in English and de, fr, es, it, pt, nl, pl, ru, sv.
_PUBLISHED = frozenset(
    "published posted publication released issued added created uploaded submitted written dated filed aired "
    "veroffentlicht veroffentlichung veroffentlichungsdatum erschienen erscheinungsdatum publiziert erstellt "
    "eingestellt pressemitteilung mitteilung meldung nachricht artikel beitrag publie publiee publies paru "
    "parue poste postee ligne publicado publicada publicacion pubblicato pubblicata pubblicazione inserito "
    "postado postada publicacao gepubliceerd geplaatst publicatiedatum opublikowano opublikowany "
    "opublikowana publikacji dodano dodany опубликовано опубликован опубликована добавлено publicerad "
    "publicerat".split()
)
_PUBLISHED_EAST = tuple("发布 發布 发表 發表 公開 掲載 投稿 配信 등록 작성 게시 입력".split())
_DATE_WORDS = frozenset("date datum fecha data dato дата 日期 日時 日付 时间 時間 일자 날짜".split())
_ON = frozenset("on the of am vom den der le du el del de dia il in em no op dnia w dniu от".split())
_BY = frozenset(
    "by von par por da di door przez av author autor autorin auteur autore text foto source quelle fuente "
    "fonte bron автор 来源 來源 作者 記者 기자 출처".split()
)
# What introduces another day, also from a place of its own.
_OTHER_DAY = frozenset(
    "deadline deadlines due expires expiry closes closing apply rsvp frist einsendeschluss anmeldeschluss "
    "bewerbungsschluss bewerbungsfrist anmeldefrist limite cloture echeance plazo vencimiento scadenza prazo "
    "sluitingsdatum".split()
)
_NOT_ON = frozenset(
    "by until till before from to bis ab vor zum avant jusqu au hasta antes desde entro ate tot vanaf voor "
    " do od przed".split()
)
_COLONS = (":", "：")
_PARTS = re.compile(r"[|·•–—/»›]|\s-\s|\A-|-\Z")
_CLOCK = re.compile(r"\d{1,2}[:.h]\d{2}(?:\s?[ap]\.?m\b\.?)?(?:\s(?:Uhr|[A-Z]{3,4}))?\W*\Z")
_FIRST_OF_DAYS = re.compile(r"\d{1,2}\.?\s?[-–—]\s?")
_SAYS_DATE = re.compile(r"date|time|publish|posted|datum|fecha|data\b|\bage\b|\bwhen\b|stamp", re.I)
_SAYS_MODIFIED = re.compile(r"modif|updat|edit(?:ed)?\b|aktualis|actuali|revis", re.I)
_SAYS_PUBLISHED = re.compile(r"publish|pubdate|created|entry-date", re.I)

_MONTHS = {name: at for at, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_URL_DATES = tuple(
    re.compile(form)
    for form in (
        r"/(?P<y>\d{4})[/-](?P<m>\d{1,2})/(?P<d>\d{1,2})(?=/|\Z|[-_.][^\d/])",
        r"/(?P<y>\d{4})/(?P<m>[a-z]{3})/(?P<d>\d{1,2})(?=/|\Z)",
        r"[/_-](?P<y>\d{4})(?P<s>[-_])(?P<m>\d{2})(?P=s)(?P<d>\d{2})(?=[-_/]|\.\w{2,5}\Z|\Z)",
        r"/(?P<y>\d{4})/?(?P<m>\d{2})(?P<d>\d{2})(?=/|\Z|[-_][^\d/]|\.\w{2,5}\Z)",
        r"/t(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})_\d",
    )
)
_FIRST_YEAR, _LAST_YEAR = 1995, 2099
MAX_PATH = 2_000


@dataclass(frozen=True, slots=True)
class DateText:
    """A date in a line of text, how much else the line says, and whether it begins with the date."""

    dated: Dated
    beside: int
    leads: bool


def date_from_url(url: str) -> datetime | None:
    """The day that an address's path names in full, at 00:00 UTC, or None."""
    path = "/" + url.partition("?")[0].partition("#")[0][:MAX_PATH].partition("://")[2].partition("/")[2]
    for form in _URL_DATES:
        for found in form.finditer(path.lower()):
            month = _MONTHS.get(found["m"]) or (int(found["m"]) if found["m"].isdigit() else 0)
            day = _day(int(found["y"]), month, int(found["d"]))
            if day is not None:
                return day
    return None


def _day(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC) if _FIRST_YEAR <= year <= _LAST_YEAR else None
    except ValueError:
        return None


def date_in_text(run: str, language: str | None) -> DateText | None:
    """The first full date in a line of text that is about little else, or None."""
    return next((dated for _, dated in _dates_in(run, language)), None)


def publication_in_text(
    run: str, language: str | None, within: Element | None = None, above: str = ""
) -> DateText | None:
    """The first such date that stands alone or that the words before it call the day of publication.

    `within` is the element that the line is from, `above` the line before.
    """
    passed = 0
    for start, dated in _dates_in(run, language):
        before, is_first = run[passed:start], passed == 0
        passed = start + len(dated.dated.raw)
        # The words that spoke against one date hold for the next too, unless it has its own.
        if not is_first and not _LETTER.search(before):
            continue
        own = before if within is None else _before_in_node(within, before, dated.dated.raw)
        outside = before.removesuffix(own).strip() or above
        is_labelled = _LETTER.search(_without_weekday(own)) is not None
        if _says_published(own) and (is_labelled or not _says_other(outside)):
            return dated
    return None


def _dates_in(run: str, language: str | None) -> Iterator[tuple[int, DateText]]:
    """The full dates in a line of text that is about little else, and where each begins."""
    if len(run) > MAX_RUN:
        return
    for found in _first_matches(run):
        if _MODIFIED_WORD.search(run[max(0, found.start() - 30) : found.start()]):
            continue
        at = _understood(found, language)
        rest = run[found.end() :].strip()
        beside = len("".join(_WORD.findall(run[: found.start()] + " " + run[found.end() :])))
        leads = found.start() == 0 and _SEPARATOR.match(run, found.end()) is not None
        # In a sentence a date is what the article is about.
        aside = beside <= MAX_NEXT_TO or (beside <= MAX_BESIDE and not rest.endswith(_ENDS))
        if at is not None and (aside or leads):
            yield found.start(), DateText(Dated(found[0].strip(), at, "text"), beside, leads)


def _before_in_node(element: Element, before: str, raw: str) -> str:
    """The part of the words before a date that stands in one piece of text with it."""
    for one in islice(element.iter(), MAX_ELEMENTS):
        for node in (one.text, one.tail):
            own, found, _ = (clean(node) or "").partition(raw)
            if found and before.endswith(own):
                return own
    return before


def _says_published(before: str) -> bool:
    """Whether the words before a date are none, a byline, or a label of the day of publication."""
    text = _without_weekday(before)
    if not _LETTER.search(text):
        return _FIRST_OF_DAYS.fullmatch(text) is None
    clause = _PARTS.split(text)[-1].strip()
    label, colon, _ = clause.replace("：", ":").rpartition(":")
    words = _words(label if colon else clause)
    if _OTHER_DAY.intersection(_words(text)):
        return False
    if not words or _PUBLISHED.intersection(words) or any(word in clause for word in _PUBLISHED_EAST):
        return True
    if words[0] in _BY and (colon or len(words) > 1):
        return True
    return (
        _ON.issuperset(words)
        or (bool(colon) and (_ON | _DATE_WORDS).issuperset(words))
        or (not colon and clause.endswith((",", ")", "]")))
    )


def _without_weekday(before: str) -> str:
    """The words before a date, less the clock and the weekday that belong to it."""
    text = _CLOCK.sub("", before.strip())
    words = _WORD.findall(text[-40:])
    if words and fold(words[-1]) in WEEKDAYS:
        text = text[: text.rindex(words[-1])]
    return text.strip()


def _says_other(outside: str) -> bool:
    """Whether words in another place lead on to a date that is not the day of publication."""
    words = _words(_PARTS.split(outside)[-1])
    if _OTHER_DAY.intersection(words) or (words and words[-1] in _NOT_ON):
        return True
    return outside.endswith(_COLONS) and not _says_published(outside)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _first_matches(run: str) -> list[re.Match[str]]:
    matches = (found for form in _DATES for found in islice(form.finditer(run), 3))
    return sorted(matches, key=lambda found: found.start())


def _understood(found: re.Match[str], language: str | None) -> datetime | None:
    groups = found.groupdict()
    if groups.get("plain"):
        day = re.sub(r"\s", "", groups["plain"])
    elif groups.get("name"):
        day = f"{int(groups['d'])} {groups['name']} {groups['y']}"
    else:
        day = f"{groups['y']}-{int(groups['m']):02}-{int(groups['d']):02}"
    return (parse_date(day + _clock(groups), language) if groups["time"] else None) or parse_date(
        day, language
    )


def _clock(groups: dict[str, str | None]) -> str:
    clock = f" {groups['hour']}:{groups['minute']}"
    if groups["second"]:
        clock += ":" + groups["second"]
    if groups["half"]:
        clock += f" {groups['half'].upper()}M"
    return clock + (f" {groups['zone'].strip()}" if groups["zone"] else "")


def is_date(text: str | None, language: str | None, *, published: bool = False) -> Dated | None:
    """The date if the text is one, with at most a weekday or another word beside it."""
    found = (publication_in_text if published else date_in_text)(text or "", language)
    return found.dated if found and found.beside <= MAX_NEXT_TO else None


def date_in(element: Element, language: str | None) -> Dated | None:
    """The date that an element shows: <time> first, then attributes, then text."""
    marked = date_marked(element, language)
    return marked if marked and marked.at else date_shown(element, language)


def date_marked(element: Element, language: str | None) -> Dated | None:
    """The first date in <time> or in an element named for it, else one that is not understood."""
    unread: Dated | None = None
    for dated in _marked_dates(element, language):
        if dated.at is not None:
            return dated
        unread = unread or dated
    return unread


def _marked_dates(element: Element, language: str | None) -> Iterator[Dated]:
    elements = list(islice(element.iter(), MAX_ELEMENTS))
    times = (one for one in elements if one.tag == "time" and not says_modified(one))
    for one in islice(times, MAX_MARKED):
        yield from element_dates(one, "time", language)
    named = (one for one in elements if one.tag != "time" and _SAYS_DATE.search(_label(one)))
    for one in islice(named, MAX_MARKED):
        if not says_modified(one) and not _says_other(_introduction(one)):
            yield from (dated for dated in element_dates(one, "text", language, published=True) if dated.at)


def element_dates(
    element: Element, source: str, language: str | None, *, published: bool = False
) -> Iterator[Dated]:
    """The dates that one element states, those for machines first, understood or not."""
    text = visible_text(element)
    for value in (*map(element.get, ("datetime", "content", "data-date", "title")), text):
        in_text = (publication_in_text if published else date_in_text)(value or "", language)
        if dated := read_date(value, source, language):
            yield dated
        if in_text is not None:
            yield Dated(in_text.dated.raw, in_text.dated.at, source)


def date_shown(
    element: Element, language: str | None, title: Element | None = None, title_text: str | None = None
) -> Dated | None:
    """The date in the text of an element that says least else; in its title only at the beginning."""
    runs = list(islice(text_runs(element, lambda one: one is title or _is_modification(one)), MAX_RUNS))
    dates = []
    for above, run in pairwise(("", *runs)):
        label = above if above.endswith(_COLONS) else ""
        found = publication_in_text(run, language, element, label)
        if found and (found.leads or run != title_text):
            dates.append(found)
    best = min(dates, key=lambda found: found.beside, default=None)
    return best.dated if best else None


def _introduction(element: Element) -> str:
    """The words right before an element on its line; those of a link name something else."""
    parent, before = element.getparent(), element.getprevious()
    text = (parent.text if parent is not None else None) if before is None else before.tail
    if clean(text) or before is None or is_block(before) or before.tag == "a":
        return clean(text) or ""
    return visible_text(before) or ""


def says_modified(element: Element) -> bool:
    """Whether a date's element, its own line or the word before it says last change, not publication."""
    if _is_modification(element):
        return True
    parent, before = element.getparent(), element.getprevious()
    text = (parent.text if parent is not None else None) if before is None else before.tail
    return bool(_MODIFIED_WORD.search((text or "")[-30:])) or (
        parent is not None and _is_modification(parent)
    )


def _is_modification(element: Element) -> bool:
    """Whether the names say so of one date; a list named updates holds links or several."""
    label = _label(element)
    if not _SAYS_MODIFIED.search(label) or _SAYS_PUBLISHED.search(label):
        return False
    return len(list(islice(element.iter("a", "time"), 2))) < 2


def _label(element: Element) -> str:
    names = (element.get("class"), element.get("itemprop"), element.get("property"), element.get("id"))
    return " ".join(name for name in names if name)[:MAX_RUN]
