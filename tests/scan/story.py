"""One story in many dresses: how its address, its title and its date can be written in a feed or page.

Everything that the ledger must make of a dress is written down beside it, by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from urllib.parse import urljoin

from scan.web import Answer, Answers, moved, page

NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)
START = NOW - timedelta(hours=24)

REDIRECTS = "resolved_redirects"
TRACKING = "removed_tracking_params"
FRAGMENT = "removed_fragment"
SLASH = "normalized_trailing_slash"
HOST = "lowercased_host"
OTHER = "other_normalization"


def iso(moment: datetime) -> str:
    """The form in which the ledger stores a time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")


@dataclass(frozen=True)
class Place:
    """Where a source's stories are: its own site, and another that shortens addresses."""

    site: str
    short: str
    localhost: str


@dataclass(frozen=True)
class Link:
    """An address as a source writes it, and what the ledger must make of it."""

    original: str
    final: str
    notes: tuple[str, ...]
    answers: Answers


@dataclass(frozen=True)
class Title:
    """A title as HTML and as the text that it is; None: there is none."""

    html: str | None
    text: str | None


@dataclass(frozen=True)
class Date:
    """A date as written, None if it is missing, and the time that it states, if it states one."""

    written: str | None
    moment: datetime | None

    @property
    def is_old(self) -> bool:
        """Whether a scan of the last 24 hours leaves it out."""
        return self.moment is not None and self.moment < START


@dataclass(frozen=True)
class Story:
    """One entry of a feed or page."""

    link: Link
    title: Title
    date: Date


# --- addresses ---------------------------------------------------------------------------

LinkMaker = Callable[[Place, str], Link]


def plain(place: Place, slug: str) -> Link:
    """The address is the article's own."""
    url = f"{place.site}/{slug}"
    return Link(url, url, (), {url: page()})


def _written(tail: str, final_tail: str, *notes: str, answer: Answer | None = None) -> LinkMaker:
    """An address that answers by itself, and is only written otherwise than its final form."""

    def link(place: Place, slug: str) -> Link:
        original = place.site + tail.replace("SLUG", slug)
        final = place.site + final_tail.replace("SLUG", slug)
        return Link(original, final, notes, _served(place, slug, tail, answer or page()))

    return link


def _served(place: Place, slug: str, tail: str, answer: Answer) -> Answers:
    path = tail.replace("SLUG", slug).partition("#")[0].partition("?")[0]
    return {place.site + path: answer, f"{place.site}/{slug}": answer}


def _redirected(status: int, location: str, final_tail: str, *notes: str, no_head: bool = False) -> LinkMaker:
    """An address that redirects once; SITE and SLUG in the location are filled in."""

    def link(place: Place, slug: str) -> Link:
        original, final = f"{place.site}/to/{slug}", place.site + final_tail.replace("SLUG", slug)
        to = location.replace("SITE", place.site).replace("SLUG", slug)
        refusal = 403 if no_head else None
        there = urljoin(original, to).partition("#")[0].partition("?")[0]
        answers: Answers = {original: moved(to, status, refusal), final: page(), there: page()}
        return Link(original, final, (REDIRECTS, *notes), answers)

    return link


def chain(place: Place, slug: str) -> Link:
    """Three redirects of three kinds, the last of which adds a tracking parameter."""
    first, second, third = f"{place.short}/c/{slug}", f"{place.site}/1/{slug}", f"{place.site}/2/{slug}"
    final = f"{place.site}/chained/{slug}"
    answers: Answers = {
        first: moved(second, 301),
        second: moved(f"/2/{slug}", 307),
        third: moved(f"{final}?utm_source=chain&gclid=1", 303),
        final: page(),
    }
    return Link(first, final, (REDIRECTS, TRACKING), answers)


def shortened(place: Place, slug: str) -> Link:
    """An address of another host that stands for the article's."""
    original, final = f"{place.short}/{slug}", f"{place.site}/long/{slug}"
    return Link(original, final, (REDIRECTS,), {original: moved(final, 301), final: page()})


def _stuck(location: str) -> LinkMaker:
    """An address whose redirect does not lead to an article: it stands for itself."""

    def link(place: Place, slug: str) -> Link:
        url = f"{place.site}/stuck/{slug}"
        to = location.replace("SITE", place.site).replace("SLUG", slug)
        return Link(url, url, (), {url: moved(to), f"{place.site}/login": page()})

    return link


def capital_host(place: Place, slug: str) -> Link:
    """A host in capital letters, which only a name can have."""
    final = f"{place.localhost}/{slug}"
    return Link(final.replace("localhost", "LocalHost"), final, (HOST,), {final: page()})


LINKS: Sequence[LinkMaker] = (
    plain,
    _written("/SLUG?utm_source=feed&utm_medium=rss", "/SLUG", TRACKING),
    _redirected(301, "SITE/now/SLUG", "/now/SLUG"),
    _written("/SLUG/", "/SLUG/"),
    _written("/SLUG?id=7&fbclid=abc&page=2#top", "/SLUG?id=7&page=2", TRACKING, FRAGMENT),
    chain,
    _written("/SLUG#comments", "/SLUG", FRAGMENT),
    _redirected(302, "/found/SLUG?utm_campaign=hop#x", "/found/SLUG", TRACKING, FRAGMENT),
    _written("/SLUG//", "/SLUG/", SLASH),
    shortened,
    _written("/%7eSLUG", "/~SLUG", OTHER),
    _redirected(308, "../kept/SLUG/", "/kept/SLUG/"),
    _written("/a/../SLUG", "/SLUG", OTHER),
    _stuck("/stuck/SLUG"),
    _written("/SLUG;jsessionid=1A2B?x=1", "/SLUG?x=1", OTHER),
    _redirected(302, "SITE/seen/SLUG", "/seen/SLUG", no_head=True),
    _written("/SLUG?ref=home&source=rss-daily", "/SLUG?ref=home", TRACKING),
    _stuck("SITE/login?next=SLUG"),
    _written("/SLUG", "/SLUG", answer=Answer(404)),
    _written("/SLUG", "/SLUG", answer=Answer(200, b"<p>Told.", head_status=405)),
    _redirected(307, "SITE/for-now/SLUG//?a=1&&utm_term=b", "/for-now/SLUG/?a=1", TRACKING, SLASH, OTHER),
    _stuck("SITE/"),
    _written("/SLUG", "/SLUG", answer=Answer(410)),
)


# --- titles ------------------------------------------------------------------------------


def title(number: int, words: str) -> Title:
    """One of the ways to write a title; `words` make it this story's own."""
    kinds = (
        Title(words, words),
        Title(f"<b>{words}</b> &amp; more", f"{words} & more"),
        Title(f"Fish &amp; chips: {words}", f"Fish & chips: {words}"),
        Title(None, None),
        Title(f"  {words}\n\t at   length ", f"{words} at length"),
        Title(f"Caf&eacute; {words} &#8211; d&eacute;j&agrave; vu", f"Café {words} – déjà vu"),
        Title(f"{words}<br/>in two lines<script>no()</script>", f"{words} in two lines"),
        Title(" ", None),
        Title(f"Ärger um {words}: 5 &lt; 7", f"Ärger um {words}: 5 < 7"),
    )
    return kinds[number % len(kinds)]


# --- dates -------------------------------------------------------------------------------


def _within(number: int) -> datetime:
    """A time in the window, another for each number."""
    return NOW - timedelta(seconds=600 + number * 2_791 % 80_000)


def _zoned(moment: datetime, hours: int) -> datetime:
    return moment + timedelta(hours=hours)


def date(number: int) -> Date:
    """One of the ways to write a date, in the window or not."""
    m = _within(number)
    kinds = (
        Date(format_datetime(m, usegmt=True), m),
        Date(m.strftime("%Y-%m-%dT%H:%M:%SZ"), m),
        Date(f"{_zoned(m, 1):%d %b %Y %H:%M:%S} +0100", m),
        Date(None, None),
        Date(f"{_zoned(m, 2):%Y-%m-%dT%H:%M:%S}+02:00", m),
        Date(f"{_zoned(m, -5):%a, %d %b %y %H:%M} EST", m.replace(second=0)),
        Date(iso(NOW - timedelta(days=2)), NOW - timedelta(days=2)),
        Date(f"{m:%Y-%m-%d %H:%M:%S} UTC", m),
        Date(str(int(m.timestamp())), m),
        Date("yesterday, or so", None),
        Date("2026-02-13", datetime(2026, 2, 13, tzinfo=UTC)),
        Date(iso(NOW + timedelta(hours=3)), NOW + timedelta(hours=3)),
        Date(iso(START), START),
        Date("2026-02-12", datetime(2026, 2, 12, tzinfo=UTC)),
        Date(f"{_zoned(m, 1):%d %B %Y, %I:%M:%S %p} CET", m),
        Date("0000-00-00 00:00:00", None),
        Date(iso(START - timedelta(seconds=1)), START - timedelta(seconds=1)),
        Date(m.strftime("%Y-%m-%dT%H:%M:%S.123456Z"), m),
        Date(format_datetime(NOW + timedelta(days=10), usegmt=True), NOW + timedelta(days=10)),
    )
    return kinds[number % len(kinds)]
