"""A line without what is noise by its nature: ages, clocks, counters, tokens, the year of a copyright.

A date, a number, a price or a version that a sentence states is content and stays.
"""

from __future__ import annotations

import re

# A longer line is compared as it is.
MAX_LINE = 2_000

# Possessive, and never begun inside another number, so that a text of digits takes linear time.
_NUMBER = r"(?<![\d.,'’])\d(?:[\d.,'’]|\s(?=\d{3}\b))*+(?:\s?(?:k|m|mio|tsd|mil|万|萬|千)\b\.?)?"
_UNIT = (
    r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|months?|y|yrs?|years?"
    r"|sekunden?|minuten?|stunden?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?"
    r"|secondes?|heures?|jours?|semaines?|mois|ans?"
    r"|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?|anos?|dias?"
    r"|secondi|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]"
    r"|seconden|minuut|uur|uren|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar"
    r"|sekund\w*|minut\w*|timm\w*|time[rn]?|dag\w*|dn[iía]\w*|godzin\w*|hodin\w*|veck\w*|uk?er|tygod\w*"
    r"|saat|dakika|gün|hafta|ay|yıl"
    r"|секунд\w*|минут\w*|час\w*|д(?:ень|ня|ней)|недел\w*|месяц\w*|год\w*|лет|jam|menit|hari)"
)
_FEW = r"(?:\d+|an?|one|two|three|a few|several|few|ein(?:e[rnm]?)?|une?|un[ao]?|quelques|een|en|ett|et)"
_AGE = re.compile(
    rf"(?:\b(?:about|around|almost|over|less than"
    rf"|more than)\s+)?\b{_FEW}\s?{_UNIT}(?:\s(?:and\s)?\d+\s?{_UNIT})?\s"
    rf"(?:ago|fa|geleden|sedan|siden|temu|önce|назад|atrás|(?:yang )?lalu)\b"
    rf"|\b(?:vor|il y a|hace|há|před|for|för)\s(?:etwa |environ |unos "
    rf"|cerca de )?{_FEW}\s?{_UNIT}\b(?:\s(?:siden|sedan))?"
    r"|\d+\s?(?:秒|分|分钟|分鐘|時間|小时|小時|日|天|週間|周|ヶ月|个月|年|초|분|시간|일|주|개월)\s?(?:前|전)"
    r"|\b(?:just now|moments? ago|a moment ago|gerade eben|à l['’]instant|ahora mismo|proprio ora|zojuist"
    r"|только что)\b"
    r"|刚刚|たった今|방금",
    re.I,
)
_DAY_WORD = re.compile(
    r"(?:(?<=^)|(?<=[·•|,(–—] ))(?:today|yesterday|heute|gestern|aujourd['’]hui|hier|hoy|ayer|oggi|ieri"
    r"|vandaag|gisteren|hoje|ontem"
    r"|сегодня|вчера)(?=$|\s?[·•|,)–—]|\s(?:at|um|à|a las|alle|om|в)\s)",
    re.I,
)
_LEFT = re.compile(
    rf"\b(?:ends?|clos(?:es|ing)|starts?|endet|begins?|expires?|noch|reste"
    rf"|quedan)\s(?:in\s)?(?:\d+\s?{_UNIT}\b\s?){{1,4}}"
    r"|\b(?:\d+\s?d\s)?\d+\s?h\s\d+\s?m(?:in)?(?:\s\d+\s?s)?\b",
    re.I,
)
_MONTH = (
    r"(?:jan|feb|mar|m[aä]r|apr|a[vb]r|ma[iyj]|jun|juin|jul|juil|aug|ao[uû]|ago|sep|set|oct|okt|out|nov|dec"
    r"|de[zc]|d[ée]c|dic|gen|giu|lug|ott|ene)[\w.éûç]{0,8}"
)
_DATE = (
    rf"(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\s?\d{{1,2}}[-/.]\s?(?:\d{{4}}|\d\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|er)?\s(?:de\s)?{_MONTH}(?:,?\s(?:de\s)?\d{{4}})?"
    rf"|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?|\d{{4}}年\d{{1,2}}月\d{{1,2}}日"
    rf"|\d{{4}}년 ?\d{{1,2}}월 ?\d{{1,2}}일)"
)
_ZONE = r"(?:\s?(?:utc|gmt|z|[cew]?e?s?t|[ap]\.?m\.?|uhr|h|[+-]\d\d:?\d\d))*"
_TIME = rf"(?:\d{{1,2}}[:.]\d\d(?::\d\d(?:[.,]\d+)?)?{_ZONE}(?![\w:]))"
_STAMP = re.compile(
    rf"(?:{_DATE}(?:,?\s|T|\s?(?:at|um|à|a las|,|-|·)\s?))?\b\d{{1,2}}:\d\d:\d\d(?:[.,]\d+)?{_ZONE}", re.I
)
_MADE = re.compile(
    r"\b(?:generated|rendered|refreshed|updated|update|modified|retrieved|fetched|cached|loaded|crawled"
    r"|synced|as of|(?:server|local|current) time"
    r"|aktualisiert|aktualisierung|generiert|erstellt|abgerufen|stand(?=:)|mis[e]? à jour|actualisé\w*"
    r"|généré\w*|actualizad[oa]|actualización|generad[oa]"
    r"|aggiornat[oa]|aggiornamento|atualizad[oa]|gerad[oa]|bijgewerkt|gegenereerd|uppdatera[dt]|opdateret"
    r"|oppdatert|päivitetty|zaktualizowano|aktualizováno"
    r"|обновлен[оа]?|güncellen\w+|diperbarui)\b|更新|最后更新|업데이트",
    re.I,
)
_MOMENT = re.compile(rf"{_DATE}(?:,?\s(?:(?:at|um|à|a las|alle|om|-|·)\s)?{_TIME})?|{_TIME}", re.I)
_TOOK = re.compile(
    r"\b(?:in|took|within|en|duration:?|time:?)\s\d+(?:[.,]\d+)?\s?(?:ms|µs|milliseconds?|s|sec|secs"
    r"|seconds?|sekunden|secondes|segundos)\b"
    r"|\b\d+\s(?:sql\s|database\s|db\s)?queries\b",
    re.I,
)
_COUNTED = (
    r"(?:(?:page|unique|total|video|monthly)\s)?(?:views?|likes?|dislikes?|comments?|shares?|retweets?"
    r"|reposts?|upvotes?|reactions?|repl(?:y|ies)|claps|followers?"
    r"|reviews?|ratings?|applicants?|bookmarks?|fav(?:ou?rite)?s|hits|plays|reads|watching|viewing|online"
    r"|visits"
    r"|aufrufe?|kommentare?|gefällt mir|ansichten|bewertungen|antworten|abonnenten|mal (?:gelesen"
    r"|angesehen|geteilt)"
    r"|vues?|commentaires?|partages?|avis|j['’]aime|lectures|réponses"
    r"|visitas|vistas|comentarios?|me gusta|visualizaciones|compartidos|reseñas|respuestas|opiniones"
    r"|visualizzazioni|commenti|condivisioni|recensioni|mi piace|visualizações|comentários|curtidas"
    r"|avaliações"
    r"|weergaven|reacties|visningar|kommentarer|gillar|katselukertaa|wyświetleń|komentarz\w*|zobrazení"
    r"|просмотр\w*|комментари\w*|отзыв\w*|görüntülenme|yorum|beğeni|tayangan|komentar)"
)
_LIMIT = (
    r"(?<!up to )(?<!max )(?<!maximum )(?<!bis zu )(?<!jusqu'à )(?<!hasta )(?<!least )(?<!first )(?<!top )"
)
_COUNTER = re.compile(rf"{_LIMIT}(?<![\w.,$€£]){_NUMBER}\+?\s?{_COUNTED}(?!\w|\s?(?:per\b|/|included))", re.I)
_COUNT_BEHIND = re.compile(rf"(?<!\w){_COUNTED}\s?[:(]\s?{_NUMBER}\)?", re.I)
_TIMES = re.compile(
    r"\b(?:shared|viewed|read|liked|geteilt|gelesen|angesehen|vu|lu|partagé|visto|compartido|condiviso)\s"
    rf"{_NUMBER}\s?(?:times?|mal|fois|veces|volte|x)\b",
    re.I,
)
_COUNT_SIGN = re.compile(
    rf"[👍👎♥❤💬👁🔥⭐★▲⬆]\ufe0f?\s?{_NUMBER}"
    rf"|{_NUMBER}\s?(?:回視聴|回閲覧|次浏览|次瀏覽|次观看|条评论|則留言|阅读|閱讀"
    r"|点赞|件のコメント|件のレビュー|条评价|조회|댓글)"
    rf"|(?:조회수|조회|댓글|浏览|阅读|閲覧数|コメント)\s?[:(]?\s?{_NUMBER}",
    re.I,
)
_CROWD = re.compile(
    rf"{_NUMBER}\s(?:(?:other|more|active|registered|logged[- ]in|andere|autres|otras|altre)\s)?"
    r"(?:people|persons?|others?|users?|visitors?|readers?|viewers?|customers?|shoppers?|guests?|members?"
    r"|travell?ers?"
    r"|personen|leute|besucher|nutzer|kunden|leser|personnes|visiteurs|utilisateurs|clients|lecteurs"
    r"|personas|usuarios|visitantes|clientes|lectores|persone|utenti|visitatori"
    r"|mensen|bezoekers|personer|besökare|человек\w*|пользовател\w*|посетител\w*)\s"
    r"(?:(?:are|is|have|were|sind|sehen|schauen|haben|sont|ont|regardent|consultent|están|estan|stanno"
    r"|kijken|tittar|ser|сейчас|смотр\w+)\s?)?"
    r"(?:(?:currently|right now|just|also|gerade|derzeit|actuellement|ahora|ora|nu)\s)?"
    r"(?:online|look\w*|view\w*|watch\w*|brows\w*|read\w*|here|on this page|active|sich|an|angesehen"
    r"|diese\w*|en ligne|ce produit|cet\w*|en línea|viendo|mirando|guardando|leyendo|onli?ne|на сайте"
    r"|онлайн|смотр\w+|naar)\b",
    re.I,
)
_RECENTLY = re.compile(
    rf"{_NUMBER}\s(?:sold|bought|booked|viewed|ordered|people (?:bought|booked"
    rf"|viewed))\s(?:\w+\s){{0,3}}?in the (?:last|past)\s(?:\d+\s)?\w+"
    rf"|\b(?:visitors?|users?|besucher|visiteurs|visitantes|visitor (?:number|no\.?))\s?(?:today|online"
    rf"|heute|en ligne|en línea|now)?\s?[:#]\s?{_NUMBER}",
    re.I,
)
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|\bcopyright\b)(?:\s?(?:©|\(c\)|copyright))?[^\d]{0,30}\d{4}(?:\s?[-–]\s?\d{4})?", re.I
)
_ID = re.compile(
    r"\b(?:request|session|trace|ray|correlation|token|nonce|csrf|visitor|client|transaction)[\s_-]?(?:id"
    r"|key|no\.?|token|number)?\s?[:#=]?\s"
    r"(?=[\w-]*\d)[\w-]{6,}|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    r"|\byour ip(?: address)?(?: is)?:?\s[0-9a-f.:]+",
    re.I,
)
_GREETING = re.compile(
    r"^(?:good (?:morning|afternoon|evening|night|day)|guten (?:morgen|tag|abend)|gute nacht|bonjour"
    r"|bonsoir|buen(?:os|as) (?:días|tardes|noches)|buongiorno|buonasera|buon pomeriggio"
    r"|bom dia|boa (?:tarde|noite)|goede(?:morgen|middag|navond|nacht)|goeden?(?:morgen|middag|avond)"
    r"|god (?:morgon|kväll|dag|aften|morgen)|доброе утро|добрый (?:день|вечер)|早上好|下午好|晚上好"
    r"|おはようございます"
    r"|こんにちは|こんばんは)\b",
    re.I,
)
_UNREAD = re.compile(r"^\s?[(\[]\d+\+?[)\]]\s|^[●•*]\s")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_SIGNS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af👍👎♥❤💬👁🔥⭐★▲⬆]")
_LONG = 200

# Which patterns a word calls for, by its first letters: looking all of them up costs less than one search.
_AGES, _MADES, _CROWDS, _COUNTERS, _LEFTS, _DAYS, _IDS, _GREETS, _RIGHTS = (1 << bit for bit in range(9))
_PREFIX = 5
_CALLS = {
    _AGES: "ago fa geleden sedan siden temu önce назад atrás lalu vor il hace há před för now moment gerade "
    "instant ahora proprio zojuist только",
    _MADES: "generated rendered refreshed updated update modified retrieved fetched cached loaded crawled "
    "synced server local current aktualisiert generiert erstellt abgerufen stand mis mise actualisé "
    "généré actualizado generado aggiornato atualizado gerado bijgewerkt gegenereerd uppdaterad "
    "opdateret oppdatert päivitetty zaktualizowano aktualizováno обновлено güncellendi diperbarui",
    _CROWDS: "people person other user visitor reader viewer customer shopper guest member travel leute "
    "besucher nutzer kunden leser visiteurs utilisateurs client lecteurs usuarios lectores utenti "
    "mensen bezoekers besökare человек пользователь посетитель sold bought booked viewed ordered "
    "visitantes visitatori",
    _COUNTERS: "view like dislike comment share shared retweet repost upvote reaction reply repl claps "
    "follower review rating applicant bookmark fav hits plays reads read liked viewed watching viewing "
    "online visit aufruf kommentar gefällt ansicht bewertung antwort abonnent mal vue vues vu lu commentaire "
    "partage avis aime lecture réponse visita vista visto comentario gusta visualiza compartido "
    "reseña respuesta opinion commenti condivi recensioni piace curtidas avalia weergave reacties "
    "visning gillar katselu wyświetleń zobrazení просмотр комментарий отзыв görüntülenme yorum beğeni "
    "tayangan komentar geteilt gelesen angesehen partagé unique total video monthly page réponses mi "
    "me",
    _LEFTS: "end ends close closes closing start starts endet begin expire noch reste quedan h",
    _DAYS: "today yesterday heute gestern aujourd hier hoy ayer oggi ieri vandaag gisteren hoje ontem "
    "сегодня вчера",
    _IDS: "request session trace ray correlation token nonce csrf visitor client transaction your",
    _GREETS: "good guten gute bonjour bonsoir buenos buenas buongiorno buonasera buon bom boa goede goeden "
    "goedemorgen god доброе добрый",
    _RIGHTS: "copyright c",
}


def _stem(word: str) -> str:
    return word[:_PREFIX].rstrip("s")


_CALLED: dict[str, int] = {}
for _flag, _words in _CALLS.items():
    for _word in _words.split():
        _CALLED[_stem(_word)] = _CALLED.get(_stem(_word), 0) | _flag
_CALLING = frozenset(_CALLED)
_EVERYTHING = (1 << 9) - 1


def gist(text: str) -> str:
    """The line as it is compared; lines with the same gist say the same to a reader."""
    if len(text) > MAX_LINE:
        return text
    calls = _calls(text)
    has_digit = _DIGIT.search(text) is not None
    if has_digit:
        text = _without_times(text, calls)
        text = _without_counts(text, calls)
    if calls & _AGES:
        text = _AGE.sub("⟨age⟩", text)
    if len(text) <= _LONG:
        text = _without_words(text, calls)
    return text


def _calls(text: str) -> int:
    """Which patterns might find something in the text."""
    lowered = text.lower()
    found = {word[:_PREFIX].rstrip("s") for word in _LETTERS.findall(lowered)} & _CALLING
    calls = 0 if text.isascii() or not _SIGNS.search(text) else _EVERYTHING
    calls |= _MADES if "as of" in lowered else 0
    for word in found:
        calls |= _CALLED[word]
    return calls


def _without_times(text: str, calls: int) -> str:
    if calls & _MADES and (made := _MADE.search(text)):
        text = _without_moment(text, made.end())
    if text.count(":") >= 2:
        text = _STAMP.sub("⟨time⟩", text)
    if calls & _RIGHTS or "©" in text:
        text = _COPYRIGHT.sub("©", text)
    if calls & _IDS or text.count("-") >= 4:
        text = _ID.sub("⟨id⟩", text)
    return text


def _without_counts(text: str, calls: int) -> str:
    if calls & _CROWDS:
        text = _RECENTLY.sub("⟨count⟩", _CROWD.sub("⟨count⟩", text))
    if len(text) > _LONG:  # a sentence that tells of comments or reviews means its number
        return text
    if calls & _COUNTERS:
        text = _TIMES.sub("⟨count⟩", _COUNTER.sub("⟨count⟩", text))
        if ":" in text or "(" in text:
            text = _COUNT_BEHIND.sub("⟨count⟩", text)
    if calls == _EVERYTHING:
        text = _COUNT_SIGN.sub("⟨count⟩", text)
    return _LEFT.sub("⟨age⟩", text) if calls & _LEFTS else text


def _without_words(text: str, calls: int) -> str:
    if calls & _DAYS:
        text = _DAY_WORD.sub("⟨age⟩", text)
    if calls & _GREETS:
        text = _GREETING.sub("⟨greeting⟩", text)
    return _UNREAD.sub("", text) if text[:1] in "([●•*" else text


def _without_moment(text: str, at: int) -> str:
    """The text without the time that follows a word such as generated, and how long it took."""
    near, rest = text[at : at + 80], text[at + 80 :]
    return text[:at] + _TOOK.sub("⟨time⟩", _MOMENT.sub("⟨time⟩", near)) + rest
