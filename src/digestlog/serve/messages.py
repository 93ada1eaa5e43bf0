"""A request as the gatekeeper has checked it, and an answer."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from email.parser import BytesParser
from email.policy import HTTP
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGI = Callable[[Scope, Receive, Send], Awaitable[None]]

# Datasette writes every special character as ~XX; nothing here needs a percent sign.
_WORD = r"[A-Za-z0-9._~:@!$&'()*+,;=-]+"
_PATH = re.compile(rf"/(?:{_WORD}(?:/{_WORD})*/?)?\Z")
_DOTS = re.compile(r"/\.{1,2}(?:/|\Z)")
_MOST_QUERY_BYTES = 64_000
_MOST_FIELDS = 1_000


class Refused(Exception):
    """A request that is answered with a status and a sentence, and goes no further."""

    def __init__(self, status: int, words: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.status = status
        self.words = words
        self.headers = dict(headers or {})


@dataclass(frozen=True)
class Request:
    """What a browser asks. Names of headers are in lower case."""

    method: str
    path: str
    query_string: bytes
    headers: tuple[tuple[str, str], ...]
    scheme: str
    client: str
    body: bytes = b""

    @classmethod
    def read(cls, scope: Scope) -> Request:
        """The request of an ASGI scope; Refused if its address is none that anything here has."""
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        try:
            path = raw.partition(b"?")[0].decode("ascii")
        except UnicodeDecodeError:
            raise Refused(404, "There is no such page.") from None
        if not _PATH.match(path) or _DOTS.search(path):
            raise Refused(404, "There is no such page.")
        if len(scope["query_string"]) > _MOST_QUERY_BYTES:
            raise Refused(414, "This address is too long.")
        client = scope.get("client")
        return cls(
            scope["method"],
            path,
            scope["query_string"],
            tuple(
                (name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]
            ),
            scope.get("scheme", "http"),
            str(client[0]) if client else "",
        )

    def header(self, name: str) -> str | None:
        """The value of a header; of several, the first."""
        return next((value for key, value in self.headers if key == name), None)

    def all(self, name: str) -> list[str]:
        """Every value of a header."""
        return [value for key, value in self.headers if key == name]

    def with_body(self, body: bytes) -> Request:
        """The same with what was sent along."""
        return replace(self, body=body)

    @cached_property
    def query(self) -> dict[str, str]:
        """The fields of the address; of several with one name, the last."""
        return _fields(self.query_string)

    @cached_property
    def form(self) -> dict[str, str]:
        """The fields of a form that was sent; files as text."""
        kind = (self.header("content-type") or "").partition(";")[0].strip().lower()
        if kind == "multipart/form-data":
            return _parts(self.header("content-type") or "", self.body)
        return _fields(self.body) if kind == "application/x-www-form-urlencoded" else {}

    @cached_property
    def cookies(self) -> dict[str, str]:
        """The cookies. One that comes twice counts as none: somebody else has put it there."""
        found: dict[str, str] = {}
        twice = set()
        for part in ";".join(self.all("cookie")).split(";"):
            name, _, value = part.strip().partition("=")
            twice |= {name} & set(found)
            found[name] = value
        return {name: value for name, value in found.items() if name not in twice}

    @property
    def wants_page(self) -> bool:
        """True if a person waits for a page, not a program for data."""
        return "text/html" in (self.header("accept") or "")


@dataclass(frozen=True)
class Response:
    """What goes back."""

    status: int
    body: bytes
    content_type: str
    headers: tuple[tuple[str, str], ...] = field(default=())

    @classmethod
    def page(cls, html: str, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """A page."""
        return cls(status, html.encode("utf-8", "replace"), "text/html; charset=utf-8", headers)

    @classmethod
    def text(cls, words: str, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """Plain words."""
        return cls(status, f"{words}\n".encode(), "text/plain; charset=utf-8", headers)

    @classmethod
    def redirect(cls, path: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """Go there next, with GET."""
        return cls(303, b"", "text/plain; charset=utf-8", (("location", path), *headers))

    async def send(self, send: Send, *, without_body: bool = False) -> None:
        """Give it to the server."""
        headers = [
            ("content-type", self.content_type),
            ("content-length", str(len(self.body))),
            *self.headers,
        ]
        await send(
            {
                "type": "http.response.start",
                "status": self.status,
                "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            }
        )
        await send({"type": "http.response.body", "body": b"" if without_body else self.body})


async def read_body(receive: Receive, request: Request, most: int) -> Request:
    """The request with its body; Refused if that is larger than `most` bytes."""
    declared = request.header("content-length")
    if declared is not None and (not declared.isdecimal() or int(declared[:20]) > most):
        raise Refused(413, "This is too large.")
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "The request ended early.")
        body += message.get("body", b"")
        if len(body) > most:
            raise Refused(413, "This is too large.")
        if not message.get("more_body"):
            return request.with_body(body)


def local_path(text: str | None) -> str | None:
    """The text, if it is an address of this very site; None otherwise."""
    if not text:
        return None
    path, _, query = text.partition("?")
    fine = _PATH.match(path) and not _DOTS.search(path) and not path.startswith("//")
    return text if fine and re.fullmatch(r"[!-~]*", query) and "\\" not in query else None


def _fields(data: bytes) -> dict[str, str]:
    try:
        return dict(
            parse_qsl(data.decode(errors="replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        )
    except ValueError:
        raise Refused(400, "There are too many fields.") from None


def _parts(content_type: str, body: bytes) -> dict[str, str]:
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    found = {}
    for part in message.iter_parts() if message.is_multipart() else ():
        name = part.get_param("name", header="content-disposition")
        if isinstance(name, str):
            payload = part.get_payload(decode=True)
            found[name] = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return found
