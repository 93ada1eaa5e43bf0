"""The cookie that tells who somebody is, and the proof that a form came from our own page."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from digestlog.serve.hosts import Hosts
from digestlog.serve.messages import Refused, Request
from digestlog.store.access import SESSION_LASTS

FIELD = "csrf"


@dataclass(frozen=True, slots=True)
class Cookies:
    """Our cookies. The port is part of their names: browsers share cookies among the ports of a host."""

    hosts: Hosts

    def session(self, request: Request) -> str | None:
        """The token of the session, if the browser has one."""
        return request.cookies.get(self._name("session")) or None

    def keep(self, token: str) -> tuple[str, str]:
        """The header that makes the browser keep a session."""
        return self._header("session", token, int(SESSION_LASTS.total_seconds()))

    def drop(self) -> tuple[str, str]:
        """The header that makes the browser forget it."""
        return self._header("session", "", 0)

    def visit(self, request: Request) -> str | None:
        """What marks a browser that is not signed in."""
        return request.cookies.get(self._name("visit")) or None

    def new_visit(self) -> tuple[str, tuple[str, str]]:
        """A new mark, and the header that makes the browser keep it."""
        mark = secrets.token_urlsafe(32)
        return mark, self._header("visit", mark, None)

    def _name(self, word: str) -> str:
        prefix = "__Host-" if self.hosts.https else ""
        return f"{prefix}digestlog_{word}_{self.hosts.port}"

    def _header(self, word: str, value: str, seconds: int | None) -> tuple[str, str]:
        parts = [f"{self._name(word)}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
        if seconds is not None:
            parts.append(f"Max-Age={seconds}")
        if self.hosts.https:
            parts.append("Secure")
        return "set-cookie", "; ".join(parts)


def proof(secret: str) -> str:
    """What a form must hold to be believed; `secret` is the session's or the visit's."""
    return hmac.new(secret.encode(), b"digestlog form", hashlib.sha256).hexdigest()


def require_proof(request: Request, secret: str | None) -> None:
    """Refused unless the form holds the proof for this browser."""
    given = request.form.get(FIELD, "")
    if not secret or not hmac.compare_digest(given.encode(), proof(secret).encode()):
        raise Refused(
            403, "This form is too old, or was not made for you. Go back, load the page again, and send it."
        )
