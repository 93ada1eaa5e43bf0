"""Whether an answer is the page itself: neither an error, a challenge, a login nor an empty shell.

What this lets through is compared, so a doubtful page that is short and says nothing but that it is not
the page is better a failed look than a change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from digestlog.core.ledger import wall
from digestlog.core.model import Fetched
from digestlog.core.snapshot import Snapshot
from digestlog.core.text import clean

OK, EMPTY, CHALLENGE, LOGIN, FAILED = "ok", "empty", "challenge", "login", "failed"

# What stands instead of a page is short; a longer text about such things is an article.
_SHORT = 1_500
_NEARLY_NOTHING = 20

_CHALLENGE = re.compile(
    r"checking (?:your|if the site) (?:browser|connection)|just a moment|one moment,? please"
    r"|attention required"
    r"|(?:verify|verifying|confirm|prove)(?:ing)? (?:that )?you(?:'re|’re| are) (?:a |not a )?(?:human"
    r"|robot|bot)"
    r"|are you (?:a robot|human)|i(?:'|’)?m not a robot|unusual traffic|automated (?:access|requests"
    r"|queries)"
    r"|enable (?:javascript|js) and cookies to continue|please (?:enable|turn on) (?:cookies"
    r"|javascript) (?:and|to)"
    r"|ddos protection|access (?:to this page )?has been denied|request blocked"
    r"|pardon our interruption"
    r"|press (?:&|and) hold|complete the captcha|solve the captcha"
    r"|überprüf\w+ (?:ihren|deinen) browser|sind sie ein mensch|vérifi\w+ (?:que vous|votre navigateur)"
    r"|verific\w+ (?:que eres|tu navegador|il tuo browser)|nur einen moment",
    re.I,
)
_SCRIPT = re.compile(
    r"(?:enable|activate|turn on|requires?|needs?|without|aktivier\w*|activer"
    r"|habilit\w+)\b.{0,40}\bjavascript"
    r"|javascript\b.{0,40}(?:enabled?|disabled|required|aktivier\w*|activ\w+)",
    re.I | re.S,
)
_BROKEN = re.compile(
    r"something went wrong|an (?:unexpected )?error (?:has )?occurred|internal server error"
    r"|service (?:is )?(?:temporarily )?unavailable"
    r"|(?:bad|gateway) (?:gateway|time-?out)|too many requests|page (?:could not|cannot"
    r"|can't) be (?:found|displayed|loaded)"
    r"|page not found|not found|(?:we're|we are|site is|currently) (?:down for|under"
    r"|undergoing) .{0,15}maintenance"
    r"|(?:please )?try again (?:later|in a)|application error|error establishing a database connection"
    r"|access denied|forbidden"
    r"|es ist ein fehler aufgetreten|etwas ist schief ?gelaufen|seite nicht gefunden|wartungsarbeiten"
    r"|später erneut"
    r"|une erreur (?:est survenue|s'est produite)|page (?:introuvable|non trouvée)|réessayez"
    r"|(?:ha ocurrido|se ha producido) un error|página no encontrada|inténtalo (?:de nuevo|más tarde)"
    r"|si è verificato un errore|pagina non trovata|ocorreu um erro|er is (?:een fout|iets mis)"
    r"|произошла ошибка"
    r"|エラーが発生しました|ページが見つかりません|出错了|页面不存在|오류가 발생",
    re.I,
)
_SIGN_IN = re.compile(
    r"\b(?:log ?in|sign ?in|log on|anmelden|einloggen|se connecter|connexion|iniciar sesión|accedi|entrar"
    r"|inloggen"
    r"|logga in|logg inn|войти|giriş yap)\b|登录|ログイン|로그인",
    re.I,
)
_PASSWORD = re.compile(rb"<input[^>]{0,300}\btype\s*=\s*[\"']?password", re.I)
_TEXTUAL = re.compile(
    r"^(?:text/(?:html|plain|xml|markdown)|application/(?:xhtml\+xml|xml|json|ld\+json))\b", re.I
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is, and why in a person's words unless it is 'ok'."""

    outcome: str
    words: str | None = None


def judge(page: Fetched, snapshot: Snapshot | None) -> Verdict:
    """Whether the answer can be compared: 'ok', 'empty', 'challenge', 'login' or 'failed'."""
    snapshot = snapshot or Snapshot()
    text = _said(snapshot)
    if page.status in (401, 407):
        return Verdict(LOGIN, f"the server asks for a login ({page.status})")
    if len(text) <= _SHORT and _CHALLENGE.search(text) and (page.status >= 400 or not _has_content(snapshot)):
        return Verdict(CHALLENGE, "the site checks whether a person is asking")
    if page.status >= 400 or page.status < 200:
        return Verdict(FAILED, f"the server answered {page.status}")
    if page.content_type and not _TEXTUAL.match(page.content_type.strip()):
        return Verdict(FAILED, f"this is no page but {clean(page.content_type.partition(';')[0])}")
    return _judged_text(page, snapshot, text)


def _judged_text(page: Fetched, snapshot: Snapshot, text: str) -> Verdict:
    elsewhere = wall(page.requested_url, page.url) if page.hops else None
    if elsewhere:
        return Verdict(LOGIN if "login" in elsewhere else FAILED, elsewhere)
    if _is_login(page, text) and not _has_content(snapshot):
        return Verdict(LOGIN, "a login stands before the page")
    if not any(line.text for line in snapshot.lines if line.place != "title"):
        return Verdict(EMPTY, "the page has no text")
    if len(text) <= _SHORT // 3 and not _has_content(snapshot):
        if _SCRIPT.search(text):
            return Verdict(EMPTY, "the page is filled by scripts only")
        if _BROKEN.search(text):
            return Verdict(FAILED, "the page says that something went wrong")
        if len(text) < _NEARLY_NOTHING and len(page.body) > 2_000:
            return Verdict(EMPTY, "the page has nearly no text")
    return Verdict(OK)


def worn_down(before: Snapshot, after: Snapshot) -> bool:
    """Whether a page lost nearly all of its text to a few words of apology: a failed look, not a change."""
    was, now = len(before.text), len(after.text)
    return was >= 400 and now * 10 < was and _BROKEN.search(_said(after)) is not None


def _said(snapshot: Snapshot) -> str:
    return f"{snapshot.title or ''}\n{snapshot.text}"


def _has_content(snapshot: Snapshot) -> bool:
    """Whether there is a price, a table or a text of several sentences: then it is a page of its own."""
    facts = any(line.kind in ("price", "row", "availability") for line in snapshot.lines)
    return facts or sum(len(line.text) > 60 for line in snapshot.lines) >= 4


def _is_login(page: Fetched, text: str) -> bool:
    """Whether a form for a password stands nearly alone on the page."""
    if len(text) > _SHORT // 2 or _PASSWORD.search(page.body[:500_000]) is None:
        return False
    return _SIGN_IN.search(text) is not None
