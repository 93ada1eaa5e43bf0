"""The words that dates are written with: months, weekdays, zones, and who writes the day first."""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta
from functools import lru_cache

# A line a language, a comma between months, a space between the ways to write one. Accents and
# capitals do not count, so `févr` stands for FEVR too.
_MONTH_WORDS = {
    "en": "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,"
    "september sep sept,october oct,november nov,december dec",
    "de": "januar jänner jaenner jan jän,februar feber feb,märz maerz mär mrz,april apr,mai,juni jun,"
    "juli jul,august aug,september sep sept,oktober okt,november nov,dezember dez",
    "fr": "janvier janv jan,février févr fév,mars,avril avr,mai,juin,juillet juil,août,"
    "septembre sept sep,octobre oct,novembre nov,décembre déc",
    "es": "enero ene,febrero feb,marzo mar,abril abr,mayo may,junio jun,julio jul,agosto ago,"
    "septiembre setiembre sept sep set,octubre oct,noviembre nov,diciembre dic",
    "it": "gennaio gen genn,febbraio feb febbr,marzo mar,aprile apr,maggio mag magg,giugno giu,luglio lug,"
    "agosto ago,settembre set sett,ottobre ott,novembre nov,dicembre dic",
    "pt": "janeiro jan,fevereiro fev,março mar,abril abr,maio mai,junho jun,julho jul,agosto ago,"
    "setembro set,outubro out,novembro nov,dezembro dez",
    "nl": "januari jan,februari feb,maart mrt mar,april apr,mei,juni jun,juli jul,augustus aug,"
    "september sept sep,oktober okt,november nov,december dec",
    "pl": "stycznia styczeń sty,lutego luty lut,marca marzec mar,kwietnia kwiecień kwi,maja maj,"
    "czerwca czerwiec cze,lipca lipiec lip,sierpnia sierpień sie,września wrzesień wrz,"
    "października październik paź,listopada listopad lis,grudnia grudzień gru",
    "ru": "января январь янв,февраля февраль фев февр,марта март мар,апреля апрель апр,мая май,"
    "июня июнь июн,июля июль июл,августа август авг,сентября сентябрь сен сент,октября октябрь окт,"
    "ноября ноябрь ноя нояб,декабря декабрь дек",
    "uk": "січня січень січ,лютого лютий лют,березня березень бер,квітня квітень кві квіт,"
    "травня травень тра трав,червня червень чер черв,липня липень лип,серпня серпень сер серп,"
    "вересня вересень вер,жовтня жовтень жов жовт,листопада листопад лис лист,грудня грудень гру груд",
    "cs": "ledna leden led,února únor úno,března březen bře,dubna duben dub,května květen kvě,"
    "června červen čvn,července červenec čvc,srpna srpen srp,září zář,října říjen říj,"
    "listopadu listopad lis,prosince prosinec pro",
    "sv": "januari jan,februari feb febr,mars mar,april apr,maj,juni jun,juli jul,augusti aug,"
    "september sep sept,oktober okt,november nov,december dec",
    "da": "januar jan,februar feb,marts mar,april apr,maj,juni jun,juli jul,august aug,"
    "september sep sept,oktober okt,november nov,december dec",
    "nb": "januar jan,februar feb,mars mar,april apr,mai,juni jun,juli jul,august aug,"
    "september sep sept,oktober okt,november nov,desember des",
    "hr": "siječnja siječanj sij,veljače veljača velj,ožujka ožujak ožu,travnja travanj tra,"
    "svibnja svibanj svi,lipnja lipanj lip,srpnja srpanj srp,kolovoza kolovoz kol,rujna rujan ruj,"
    "listopada listopad lis,studenoga studenog studeni stu,prosinca prosinac pro",
}
# Croatian gives Polish and Czech names to other months: its October is their November. Its names
# count only where the language says so, or no Polish date could be read without a language.
_TAGGED_ONLY = frozenset({"hr"})
_TAG_CHARS = 35
_SAME_AS = {"no": "nb", "nn": "nb"}

_WEEKDAY_WORDS = """
monday tuesday wednesday thursday friday saturday sunday
mon tue tues wed weds thu thur thurs fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom
lunedì martedì mercoledì giovedì venerdì sabato domenica gio sab
segunda-feira terça-feira quarta-feira quinta-feira sexta-feira
segunda terça quarta quinta sexta seg ter qua qui sex
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo
poniedziałek poniedzialek wtorek środa czwartek piątek sobota niedziela
pon pn wt wto śr śro czw cz pt pią sob sb sbt niedz nd ndz nie
понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
понеділок вівторок середа четвер п'ятниця п’ятниця субота неділя нд
pondělí úterý středa čtvrtek pátek neděle po út st čt pá ne
måndag tisdag onsdag torsdag fredag lördag söndag mån tis ons tor tors fre lör sön
mandag tirsdag lørdag søndag man tir lør søn
ponedjeljak utorak srijeda četvrtak petak subota nedjelja uto sri čet pet sub ned
"""

# Names with one overwhelmingly usual meaning in feeds, in hours from UTC. The American ones are
# those of RFC 822.
_ZONE_HOURS: dict[float, str] = {
    -10: "hst",
    -9: "akst",
    -8: "pst akdt",
    -7: "mst pdt",
    -6: "cst mdt",
    -5: "est cdt",
    -4: "edt",
    -3: "brt",
    0: "z gmt utc ut uct wet",
    1: "cet bst west met mez wat",
    2: "cest eet mest mesz sast cat",
    3: "eest msk мск trt eat",
    5: "pkt",
    7: "wib",
    8: "awst hkt sgt pht",
    9: "jst kst",
    9.5: "acst",
    10: "aest",
    10.5: "acdt",
    11: "aedt",
    12: "nzst",
    13: "nzdt",
}
# Names that mean several zones, or a zone that depends on the season: refused where they stand
# alone, allowed beside an offset that says which.
UNSURE_ZONES = frozenset("ist ast adt amt ect gst nst sst wst et ct mt pt".split())
_FIRST_OFFSET = timedelta(hours=-12)
_LAST_OFFSET = timedelta(hours=14)
_OFFSET = re.compile(r"(?:(?:gmt|utc?) ?)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?")

_DAY_FIRST = frozenset("bg ca cs da de el es fi fr hr it nb nl nn no pl pt ro ru sk sl sv tr uk".split())
# Where neighbours or the law brought other habits, the language does not settle the order.
_NOT_DAY_FIRST = frozenset({"es-us", "es-pr", "es-pa", "fr-ca"})
_DAY_FIRST_ENGLISH = frozenset("au bw gb gh hk ie in jm ke mt ng nz pk sg tt ug uk za zw".split())


def fold(text: str) -> str:
    """The text in small letters without accents; digits stay what they are."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))


def _months(words: str) -> dict[str, int]:
    return {fold(word): at for at, names in enumerate(words.split(","), 1) for word in names.split()}


MONTHS = {language: _months(words) for language, words in _MONTH_WORDS.items()}
WEEKDAYS = frozenset(fold(word) for word in _WEEKDAY_WORDS.split())
ZONES = {name: timedelta(hours=hours) for hours, names in _ZONE_HOURS.items() for name in names.split()}
# No word in here means two months; a language that would bring one is read with its tag only.
_SHARED_MONTHS = {
    word: month
    for language, words in MONTHS.items()
    if language not in _TAGGED_ONLY
    for word, month in words.items()
}


def month_number(word: str, language: str | None) -> int | None:
    """The month that a folded word means in the language, else in any other; None if in none."""
    own = MONTHS.get(_tag(language)[0], _SHARED_MONTHS)
    return own.get(word) or _SHARED_MONTHS.get(word)


@lru_cache(maxsize=512)
def zone_offset(zone: str) -> timedelta | None:
    """The distance from UTC of a folded zone name or offset, None if it is none or in doubt."""
    if zone in ZONES:
        return ZONES[zone]
    found = _OFFSET.fullmatch(zone)
    if not found or int(found[3] or 0) > 59:
        return None
    size = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    offset = -size if found[1] == "-" else size
    return offset if _FIRST_OFFSET <= offset <= _LAST_OFFSET else None


def is_day_first(language: str | None) -> bool | None:
    """True where 12/02/2026 is in February, False where it is in December, None where nobody can tell."""
    primary, region = _tag(language)
    if (primary, region) == ("en", "us"):
        return False
    if primary == "en":
        known = region in _DAY_FIRST_ENGLISH
    else:
        known = primary in _DAY_FIRST and f"{primary}-{region}" not in _NOT_DAY_FIRST
    return True if known else None


def is_chinese(language: str | None) -> bool:
    """True for the language whose servers mean China, not Chicago, by CST."""
    return _tag(language)[0] == "zh"


def _tag(language: str | None) -> tuple[str, str]:
    """The language and the region of a tag such as `de`, `pt_BR`, `zh-Hans-CN` or `de_AT.UTF-8`."""
    parts = re.split("[.@]", (language or "")[:_TAG_CHARS].strip().lower())[0].replace("_", "-").split("-")
    region = next((part for part in parts[1:3] if len(part) == 2), "")
    return _SAME_AS.get(parts[0], parts[0]), region
