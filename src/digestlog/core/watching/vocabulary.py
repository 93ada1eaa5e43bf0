"""Words by which a page says what a part of it is: money, stock, states, versions, advertisement, consent.

They give a change its kind and a block its zone; they never decide alone that something did not change.
"""

from __future__ import annotations

import re
from functools import lru_cache

Pattern = re.Pattern[str]

_CURRENCY = (
    r"(?:[$€£¥₹₽₩₺₴₪฿₫₱]|(?:US|CA|AU|NZ|HK|S)\$|R\$|\b(?:EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF"
    r"|INR|BRL|CAD"
    r"|AUD|RUB|TRY|KRW|Euro?s?|Kč|zł|kr|Ft|Fr\.|RM|Rs\.?)(?!\w)|円|元|원)"
)
# Possessive, and never begun inside another number: linear also for a text of digits.
_AMOUNT = r"(?<![\d.,'])\d[\d.,']*+-{0,2}"
MONEY = re.compile(rf"{_CURRENCY}\s?{_AMOUNT}|{_AMOUNT}\s?{_CURRENCY}", re.I)
STOCK = re.compile(
    r"\b(?:(?:in|out of|low in|back in) stock|sold[- ]?out|(?:un|not |currently |now "
    r"|temporarily )?available|unavailable|availability|pre-?order\w*|back-?order\w*|discontinued"
    r"|ships? (?:with)?in|only \d+ left|\d+ (?:left|in stock|available)|notify me when|no longer sold"
    r"|auf lager|nicht auf lager|ausverkauft|(?:sofort |nicht )?lieferbar|verfügbar|vergriffen"
    r"|vorbestell\w+|vorrätig"
    r"|en stock|rupture(?: de stock)?|épuisé\w*|(?:in)?disponible?s?|agotad[oa]s?|sin existencias"
    r"|sin stock|en existencias"
    r"|disponibil[ei]|esaurit[oa]|non disponibile|esgotad[oa]|em estoque|indisponível|op voorraad"
    r"|uitverkocht|leverbaar|slut i lager|i lager|slutsåld|på lager|udsolgt|utsolgt"
    r"|w magazynie|wyprzedane|niedostępn\w+|dostępn\w+|skladem|vyprodáno|нет в наличии|в наличии"
    r"|распродано|stokta|tükendi|stok habis)\b"
    r"|在庫あり|在庫切れ|売り切れ|有货|缺货|售罄|품절|재고",
    re.I,
)
STATE = re.compile(
    r"\b(?:(?:all systems |fully )?operational|(?:(?:partial|major|minor|full|service)[ _-])?outage"
    r"|degraded(?: performance)?|(?:under |scheduled )?maintenance|disrupt(?:ed|ion)|down|up|offline"
    r"|online|resolved|investigating|identified|monitoring|incident"
    r"|open(?:ed)?|closed|cancell?ed|postponed|suspended|delayed|on time|in progress|pending|approved"
    r"|rejected|granted|denied|completed|active|inactive|passed|failed|draft|final|withdrawn|expired"
    r"|deprecated|archived|end of life|supported|unsupported|stable|beta"
    r"|running|stopped|paused|live|ended|filled|accepting applications|boarding|departed|landed|merged"
    r"|healthy|unhealthy|warning|critical|normal|enabled|disabled"
    r"|störung|gestört|betriebsbereit|in betrieb|eingeschränkt|wartung|geöffnet|geschlossen|abgesagt"
    r"|verschoben|offen|behoben|verspätet"
    r"|opérationnel\w*|panne|perturbé|ouvert\w*|fermé\w*|annulé\w*|reporté\w*|résolu|operativ[oa]"
    r"|caíd[oa]|abiert[oa]|cerrad[oa]|cancelad[oa]|aplazad[oa]|resuelto|aperto|chiuso|annullato|rinviato"
    r"|operativo"
    r"|aberto|fechado|gesloten|storing|geannuleerd|öppet|stängt|inställt|åben|lukket|aflyst|åpen|stengt"
    r"|otwart[ey]|zamknięt[ey]|odwołan[ey]|открыт\w*|закрыт\w*|отмен[её]н\w*|работает|сбой|açık|kapalı"
    r"|iptal)\b"
    r"|正常|异常|故障|障害|停止|稼働中|营业|休業|운영|장애|접수중|마감",
    re.I,
)
VERSION = re.compile(r"\bv?\d+\.\d+(?:\.\d+)*(?:[-+.]?(?:alpha|beta|rc|a|b|dev|post)\.?\d*)?\b", re.I)

ADVERT = re.compile(
    r"[\[(–—-]?\s?(?:advertisements?|advertising|advertorial|ads?|sponsored(?: (?:by|content|post|links?"
    r"|results?)\b.{0,40})?|sponsor(?:en)?|promoted(?: by\b.{0,40})?|paid (?:content|post|partner\w*)"
    r"|ad (?:feedback|choices)|ads by .{1,30}|partner content|presented by .{1,40}|anzeigen?|werbung"
    r"|gesponsert|publicité|annonce|sponsorisé|contenu sponsorisé|publicidad|patrocinad[oa]|pubblicità"
    r"|sponsorizzato|publicidade"
    r"|advertentie|gesponsord|annons|sponsrad|reklame?|reklama|sponsorowane|реклама|sponsorlu|iklan|广告|廣告"
    r"|広告|pr|광고|스폰서)\s?[\])–—:-]?",
    re.I,
)
_CONSENT = (
    *("cookie", "consent", "gdpr", "datenschutz", "einwilligung", "privacy", "consentement", "kakor"),
    *("informasjonskapsler", "куки", "クッキー", "쿠키"),
)
ACCEPT = re.compile(
    r"\b(?:accept|agree|allow|reject|decline|deny|got it|okay?|i understand|manage (?:preferences|cookies"
    r"|choices)|akzeptieren|zustimmen|ablehnen|einverstanden|accepter|refuser|tout accepter|aceptar"
    r"|rechazar|accett\w+|rifiuta|aceitar|rejeitar"
    r"|accepteren|weigeren|godkänn|acceptera|godta|accepter alle|akceptuj\w*|przyjmuję|принять|согласен"
    r"|kabul)\b|同意|接受|許可|동의",
    re.I,
)
# A heading above what is chosen for the reader, not by the page's author.
CHOSEN = re.compile(
    r"(?:(?:the|our|your|more|other|see|and|top|today['’]s|this week['’]s)\s)*(?:related(?:\s\w+){0,3}"
    r"|recommended(?:\s.{1,30})?|recommendations?(?:\s.{1,30})?|(?:you|customers?|people|others?|readers?"
    r"|shoppers?)\b.{0,40}(?:like|viewed|bought|interested|read|love|enjoy|purchased|searched|missed)"
    r"|(?:most|best)[- ](?:read|popular|viewed|shared|commented|watched|discussed|sellers?"
    r"|selling)(?:\s.{1,25})?|trending(?:\s.{1,25})?|popular(?:\s.{1,25})?|bestsellers?"
    r"|similar(?:\s\w+){0,3}|recently viewed(?:\s\w+)?|viewed recently|more (?:from|like|on|in|to|stories"
    r"|articles|news|products|for you|reading)\b.{0,40}|also (?:on|in|see|read|viewed|bought)\b.{0,40}"
    r"|(?:don['’]t|do not) miss|editor['’]?s['’]? (?:picks?|choice)|picked for you|hand-?picked.{0,25}"
    r"|for you|suggested.{0,30}|suggestions.{0,20}|inspired by.{0,40}|frequently bought.{0,20}"
    r"|complete (?:the|your).{0,20}|pairs well with|what (?:others|people|customers).{0,40}|read (?:next"
    r"|more|also)|up next|keep reading|further reading|discover more|explore more|in case you missed it"
    r"|sponsors?|our partners|testimonials?|what (?:our )?customers say"
    r"|quote of the (?:day|week)|tip of the (?:day|week)|did you know.{0,3}|random .{1,30}"
    r"|featured .{1,25}|from around the web|who['’]?s online"
    r"|(?:das )?könnte (?:sie|dich|ihnen|dir).{0,40}|ähnliche.{0,30}|meist\w+(?:\s.{1,25})?"
    r"|am meisten \w+|kunden .{0,50}|empfehl\w+.{0,30}|empfohlen.{0,30}|verwandte.{0,30}"
    r"|mehr (?:zum thema|aus|von|zu)\b.{0,30}|auch interessant|beliebt\w*(?:\s.{1,25})?|passend dazu"
    r"|zuletzt angesehen|lesen sie auch|weitere (?:artikel|meldungen|produkte|themen).{0,20}"
    r"|(?:les )?plus (?:lus|vus|populaires|partagés).{0,20}|à lire aussi|à lire également"
    r"|articles (?:liés|similaires|associés|connexes)|vous aimerez.{0,30}|vous pourriez.{0,40}"
    r"|produits (?:similaires|associés|recommandés)|(?:les clients|nos clients).{0,40}|recommandé.{0,30}"
    r"|sur le même sujet|tendances|populaires?"
    r"|(?:lo )?más (?:leído|visto|vendido|popular)\w*.{0,20}|(?:artículos|productos"
    r"|noticias) (?:relacionad|recomendad|similar)\w+|te puede.{0,30}|también te.{0,30}"
    r"|(?:los )?clientes.{0,40}|relacionad[oa]s?|recomendad[oa]s?.{0,25}|tendencias|destacados"
    r"|(?:i )?più (?:letti|visti|venduti|popolari).{0,20}|potrebbe.{0,40}|ti potrebbe.{0,40}|(?:articoli"
    r"|prodotti) (?:correlati|simili|consigliati)|leggi anche|consigliati.{0,25}|(?:as )?mais (?:lidas?"
    r"|vistas?|vendid\w+|populares).{0,20}|leia (?:também|mais)|(?:artigos|produtos"
    r"|notícias) (?:relacionad|recomendad)\w+|você (?:também )?pode.{0,30}"
    r"|meest (?:gelezen|bekeken|verkocht).{0,20}|lees ook|gerelateerd\w*.{0,25}|aanbevolen.{0,25}"
    r"|anderen bekeken.{0,20}|mest (?:läst|läsa|lest|sett|populär|populære)\w*.{0,20}|läs (?:också|mer)"
    r"|les også|læs også|relaterade?.{0,25}|rekommendera\w+.{0,20}|lue myös|luetuimmat|suosituimmat"
    r"|najczęściej (?:czytane|kupowane).{0,20}|polecane.{0,25}|podobne.{0,25}|zobacz (?:też|także"
    r"|również)|czytaj (?:też|także)|nejčtenější|související.{0,20}|doporučujeme|самое (?:читаемое"
    r"|популярное|обсуждаемое)|популярн\w+.{0,20}|читайте также|похожие.{0,25}|рекомендуем.{0,20}"
    r"|с этим товаром.{0,30}|benzer.{0,25}|en çok okunan\w*.{0,15}|ilgili.{0,20}|önerilen.{0,20}"
    r"|baca juga|terkait|terpopuler"
    r"|相关.{0,8}|相關.{0,8}|推荐.{0,8}|推薦.{0,8}|热门.{0,8}|熱門.{0,8}|猜你喜欢|为你推荐|関連.{0,8}|おすすめ.{0,10}|人気.{0,10}"
    r"|ランキング|よく読まれ.{0,8}|こちらも.{0,12}|관련.{0,8}|추천.{0,8}"
    r"|인기.{0,8}|많이 본.{0,8})\s?[:…!?»›]*",
    re.I,
)
_NAMES = re.compile(r"^[a-z]{2,}(?:[-_]{1,2}[a-z]{2,})*$")
_VOWEL = re.compile("[aeiouy]")
_STATE_NAMES = frozenset(
    "active current selected open closed show shown visible hidden first last odd even loaded lazy "
    "lazyloaded focus hover new in out is-active is-open is-visible".split()
)


def is_consent(text: str) -> bool:
    """Whether a text speaks of what a visitor is asked to agree to."""
    lowered = text.lower()
    return any(word in lowered for word in _CONSENT)


@lru_cache(maxsize=4096)
def named(attribute: str | None) -> str:
    """The words among an element's classes that a person chose, in a fixed order."""
    if not attribute:
        return ""
    tokens = {token.partition("__")[0] for token in attribute[:300].split()[:12]}
    words = sorted(
        t
        for t in tokens
        if _NAMES.match(t) and len(t) < 25 and t not in _STATE_NAMES and all(map(_VOWEL.search, t.split("-")))
    )
    return ".".join(words[:2])


def is_vital(text: str) -> bool:
    """Whether a short line states a price, a stock, a state or a version, wherever it stands."""
    if len(text) > 60:
        return False
    money = MONEY.search(text)
    if money and len(money[0]) * 2 >= len(text):
        return True
    found = STATE.search(text) or STOCK.search(text) or VERSION.search(text)
    return found is not None and len(found[0]) * 5 >= len(text) * 2
