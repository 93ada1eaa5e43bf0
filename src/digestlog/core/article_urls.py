"""What an address alone tells: another site, a share link, a tag page, or the shape of an article's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

from digestlog.core.html_tree import host
from digestlog.core.near_dates import date_from_url

# Words that sites use in addresses whatever their language; evidence from the page does the rest.
_TAG_WORDS = frozenset(
    "tag tags tagged category categories cat topic topics label labels keyword keywords section sections "
    "kategorie kategorien thema themen schlagwort schlagworte rubrik rubriken etiqueta etiquetas categoria "
    "categorias categorie categories rubrique rubriques tema temas temi argomenti onderwerp onderwerpen "
    "kategoria kategorie kategorii tagi tema teme archive archives archiv archivo".split()
)
_AUTHOR_WORDS = frozenset(
    "author authors autor autoren autore autori auteur auteurs autores user users profile profiles by people "
    "person staff contributor contributors writer writers columnist columnists journalist journalists "
    "redakteur team member members".split()
)
_PAGE_WORDS = r"page|seite|pagina|página|strona|pag|sida|side|страница"
_PAGE_SEGMENT = re.compile(rf"(?:{_PAGE_WORDS})[-_]?\d{{1,6}}", re.I)
_PAGE_WORD = re.compile(_PAGE_WORDS, re.I)
_PAGE_KEYS = frozenset("page paged pg pagina seite offset start cursor before after".split())
_TAG_KEYS = frozenset("tag tags category categories cat topic label author sort order filter".split())
_SHARE_KEYS = frozenset("share replytocom like_comment action".split())
_SITE_PAGES = frozenset(
    "login log-in signin sign-in logout register registration signup sign-up account my-account cart "
    "checkout basket subscribe subscription subscriptions newsletter newsletters privacy privacy-policy "
    "privacy-statement datenschutz datenschutzerklaerung terms terms-of-use terms-of-service "
    "terms-and-conditions agb cookies cookie-policy imprint impressum legal mentions-legales aviso-legal "
    "disclaimer accessibility contact contact-us kontakt contacto contatti about about-us ueber-uns a-propos "
    "help faq search suche recherche buscar sitemap jobs careers advertise donate support rss feed feeds "
    "atom wp-login.php wp-admin".split()
)
_FILES = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|mp3|m4a|ogg|wav|mp4|m4v|webm|mov|avi|zip|gz|tar|rar|7z|exe|dmg"
    r"|apk|css|js|json|xml|rss|atom|rdf|ics|vcf|epub|mobi)\Z",
    re.I,
)
_SHARE_PLACES = re.compile(
    r"(?:facebook\.com/(?:sharer|share|dialog)|(?:twitter|x)\.com/(?:intent|share)|linkedin\.com/(?:share|cws)"
    r"|pinterest\.[a-z.]{2,6}/pin/create|reddit\.com/submit|(?:t|telegram)\.me/share|wa\.me/|whatsapp\.com/send"
    r"|getpocket\.com/|ycombinator\.com/submitlink|tumblr\.com/(?:share|widgets)|vk\.com/share|xing\.com/spi"
    r"|(?:service|social)\.weibo\.com/|flipboard\.com/.{0,40}share|bsky\.app/intent|threads\.net/intent)",
    re.I,
)
_ADDRESS_IN_QUERY = re.compile(r"[?&][^=&]{1,40}=https?(?:%3a|:)", re.I)
_SLUG_BREAK = re.compile(r"[-_+ ~,.]+")
_ID = re.compile(r"\d{3,}|[0-9a-f]{8,}")
_ID_KEY = re.compile(
    r"\A(?:id|p|pid|aid|nid|sid|no|num|seq|idx|\w{0,20}(?:_?id|article|story|post|news|item))\Z", re.I
)
_NUMBER = re.compile(r"\d+")
MAX_SEGMENTS = 40


@dataclass(frozen=True, slots=True)
class Site:
    """The page that links are found on: its own key and the host that counts as home."""

    page_key: str
    home: str

    @classmethod
    def of(cls, url: str, key: str) -> Site:
        """The site of a page."""
        return cls(key, host(url).removeprefix("www."))

    def has(self, url: str) -> bool:
        """Whether the address is on this host, with or without www., or on a subdomain."""
        other = host(url).removeprefix("www.")
        return bool(other) and (other == self.home or other.endswith("." + self.home))


def segments(url: str) -> list[str]:
    """The path's non-empty parts, decoded and lower-case."""
    path = url.partition("#")[0].partition("?")[0].partition("://")[2].partition("/")[2]
    return [unquote(part).lower() for part in path.split("/")[:MAX_SEGMENTS] if part]


def query(url: str) -> dict[str, str]:
    """The query's first value for each key."""
    text = url.partition("#")[0].partition("?")[2]
    try:
        pairs = parse_qsl(text[:2000], keep_blank_values=True, max_num_fields=50)
    except ValueError:
        return {}
    return {key.lower(): value for key, value in reversed(pairs)}


def why_not(url: str, key: str, site: Site, rel: str = "") -> str | None:
    """Why an address is no article's, in a few words; None if it may be one."""
    if not site.has(url):
        shares = _SHARE_PLACES.search(url) or _ADDRESS_IN_QUERY.search(url)
        return "share link" if shares else "another site"
    if key == site.page_key:
        return "this page"
    return _by_rel(rel) or _by_query(query(url)) or _by_path(segments(url), url)


def _by_rel(rel: str) -> str | None:
    words = set(rel.lower().split())
    if words & {"next", "prev", "previous", "first", "last"}:
        return "pagination"
    if words & {"tag", "category"}:
        return "tag page"
    return "author page" if "author" in words else None


def _by_query(values: dict[str, str]) -> str | None:
    if any(key in _PAGE_KEYS and value.isdigit() for key, value in values.items()):
        return "pagination"
    if values.keys() & _SHARE_KEYS:
        return "share link"
    return "tag page" if values.keys() & _TAG_KEYS and not _has_id(values) else None


def _by_path(parts: list[str], url: str) -> str | None:
    if not parts:
        return None if _has_id(query(url)) else "front page"
    if _FILES.search(parts[-1]):
        return "file"
    if _is_numbered_page(parts):
        return "pagination"
    if date_from_url(url) or _slug_words(parts[-1]) > 3:
        return None
    if len(parts) <= 2 and parts[-1].partition(".")[0] in _SITE_PAGES:
        return "site page"
    if any(part in _TAG_WORDS for part in parts[-3:]):
        return None if _ends_in_id(parts) else "tag page"
    is_author = any(part in _AUTHOR_WORDS for part in parts[-2:]) or parts[-1].startswith("@")
    return "author page" if is_author else None


def _is_numbered_page(parts: list[str]) -> bool:
    if _PAGE_SEGMENT.fullmatch(parts[-1]):
        return True
    return len(parts) > 1 and parts[-1].isdigit() and bool(_PAGE_WORD.fullmatch(parts[-2]))


def _ends_in_id(parts: list[str]) -> bool:
    return bool(re.search(r"\d{5,}", parts[-1])) or _slug_words(parts[-1]) > 2 and bool(_ID.search(parts[-1]))


def _has_id(values: dict[str, str]) -> bool:
    return any(_ID_KEY.match(key) and re.search(r"\d", value) for key, value in values.items())


def _slug_words(part: str) -> int:
    return sum(len(word) > 1 for word in _SLUG_BREAK.split(part))


def has_article_shape(url: str) -> bool:
    """Whether the address ends as articles' do: several words, an id, a date."""
    parts = segments(url)
    if _has_id(query(url)) or date_from_url(url):
        return True
    if not parts:
        return False
    last = parts[-1].rpartition(".")[0] or parts[-1]
    if _slug_words(last) > 2 or (len(last) >= 12 and not last.isascii()):
        return True
    return bool(_ID.search(last)) and (len(parts) > 1 or _slug_words(last) > 1)


def numbered(url: str) -> str | None:
    """The path with every number alike, such as /note0.html for /note17.html; None without a number."""
    path = "/".join([host(url), *segments(url)])
    return _NUMBER.sub("0", path) if _NUMBER.search(path) else None


def folder(url: str) -> str:
    """The path above the last part, with the host; an address without one is its own."""
    return "/".join([host(url), *segments(url)[:-1]])
