"""What a URL says about a request: where to connect, whom to ask, for what."""

from __future__ import annotations

from dataclasses import dataclass

import ada_url

from digestlog.errors import FetchError

MAX_CHARS = 65_536
_SHOWN_CHARS = 200
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """One http(s) address, taken apart as browsers do; `host` stands without brackets."""

    url: str
    scheme: str
    host: str
    port: int
    authority: bytes
    target: bytes

    @property
    def origin(self) -> str:
        """Scheme, host and port as text, the port only where it is not the usual one."""
        return f"{self.scheme}://{self.authority.decode()}"

    @property
    def place(self) -> tuple[str, bytes, bytes]:
        """What makes two requests the same: everything but the fragment."""
        return self.scheme, self.authority, self.target


def parse(url: str, base: str | None = None) -> Address:
    """The address that a text means, relative to `base` if given; FetchError if it is none on the web."""
    if len(url) > MAX_CHARS:
        raise FetchError(f"{shown(url)} is too long for an address", url=url)
    try:
        parts = ada_url.URL(url, base) if base else ada_url.URL(url)
    except ValueError as error:
        raise FetchError(f"{shown(url)} is not an address that can be read", url=url) from error
    scheme = parts.protocol.removesuffix(":")
    if scheme not in _DEFAULT_PORTS:
        raise FetchError(f"{shown(url)} is not fetched: only http and https are", url=url)
    return Address(
        url=parts.href,
        scheme=scheme,
        host=parts.hostname.strip("[]"),
        port=int(parts.port) if parts.port else _DEFAULT_PORTS[scheme],
        authority=parts.host.encode(),
        target=(parts.pathname + parts.search).encode(),
    )


def shown(url: str) -> str:
    """The address as an error message begins with it: one line, not too long, without a password."""
    line = "".join(char if char.isprintable() else " " for char in url[: 2 * _SHOWN_CHARS])
    line = _without_userinfo(" ".join(line.split()))
    return line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1] + "…"


def _without_userinfo(url: str) -> str:
    scheme, slashes, rest = url.partition("://")
    authority = rest.partition("/")[0]
    if not slashes or "@" not in authority:
        return url
    return scheme + slashes + rest[authority.rfind("@") + 1 :]
