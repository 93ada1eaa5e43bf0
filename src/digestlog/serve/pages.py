"""What a page of ours is made from: who asks, the file, the templates."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from digestlog import __version__
from digestlog.serve.headers import current_nonce
from digestlog.serve.messages import Request, Response
from digestlog.serve.nonces import mark
from digestlog.serve.realms import ADMIN_DATABASE, OWN_DATABASE
from digestlog.serve.sessions import FIELD, proof
from digestlog.store.access import Visitor
from digestlog.store.db import Database

Access = Literal["everybody", "user", "admin", "feed"]
SMALL_FORM = 64_000

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Page:
    """One request to a page of ours, in the thread that answers it. Ids come from `visitor` alone."""

    request: Request
    db: Database
    visitor: Visitor
    # The secret that this browser's forms are proven by.
    secret: str
    # What the address's pattern has caught.
    parts: dict[str, str] = field(default_factory=dict)

    def render(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page from a template."""
        return render(
            template, status, visitor=self.visitor, secret=self.secret, path=self.request.path, **values
        )


@dataclass(frozen=True)
class Route:
    """An address of ours: who may ask for it, and what answers. A handler runs in a thread and may block."""

    method: Literal["GET", "POST"]
    pattern: re.Pattern[str]
    handler: Callable[[Page], Response]
    access: Access = "user"
    most_bytes: int = SMALL_FORM

    @classmethod
    def get(cls, path: str, handler: Callable[[Page], Response], access: Access = "user") -> Route:
        """A page to look at. `{name}` in the path catches a word."""
        return cls("GET", _pattern(path), handler, access)

    @classmethod
    def post(
        cls,
        path: str,
        handler: Callable[[Page], Response],
        access: Access = "user",
        most_bytes: int = SMALL_FORM,
    ) -> Route:
        """Something to do. The gatekeeper has checked the form's proof before the handler runs."""
        return cls("POST", _pattern(path), handler, access, most_bytes)


def render(
    template: str,
    status: int = 200,
    *,
    visitor: Visitor | None = None,
    secret: str = "",
    path: str = "",
    headers: tuple[tuple[str, str], ...] = (),
    **values: Any,
) -> Response:
    """A page from a template, also for somebody who is not signed in."""
    common = {
        "visitor": visitor,
        "path": path,
        "csrf_field": FIELD,
        "csrf": proof(secret) if secret else "",
        "data": f"/{ADMIN_DATABASE if visitor and visitor.is_admin else OWN_DATABASE}",
    }
    html = _environment().get_template(template).render(**common, **values)
    return Response.page(html, status, headers)


@cache
def _environment() -> Environment:
    env = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    mark(env)
    env.globals.update({"csp_nonce": current_nonce, "version": __version__})
    return env


@cache
def static_files() -> dict[str, tuple[bytes, str]]:
    """Our own files by address: what is in them, and of which kind it is."""
    kinds = {
        ".css": "text/css; charset=utf-8",
        ".svg": "image/svg+xml",
        ".js": "text/javascript; charset=utf-8",
    }
    found = {
        f"/static/{file.name}": (file.read_bytes(), kinds[file.suffix])
        for file in (_HERE / "static").iterdir()
        if file.suffix in kinds
    }
    return found | {"/favicon.ico": found["/static/icon.svg"]}


def _pattern(path: str) -> re.Pattern[str]:
    words = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[A-Za-z0-9._~-]+)", re.escape(path))
    return re.compile(rf"{words}\Z")
