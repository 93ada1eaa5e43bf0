"""The proxies that a person has set in the environment."""

from __future__ import annotations

import os
import ssl
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import unquote

import ada_url

from digestlog.errors import FetchError
from digestlog.web.address import Address, shown

_SCHEMES = ("http:", "https:")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy: where it is, who we are to it, and how it is reached securely, if it is."""

    url: str
    host: str
    port: int
    auth: tuple[str, str] | None = field(default=None, repr=False)
    tls: ssl.SSLContext | None = None

    @property
    def fields(self) -> tuple[tuple[bytes, bytes], ...]:
        """What a request tells the proxy about who asks."""
        if self.auth is None:
            return ()
        return ((b"proxy-authorization", b"Basic " + b64encode(":".join(self.auth).encode())),)


class Proxies:
    """HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, read once."""

    def __init__(self, *, from_env: bool) -> None:
        self._urls = _from_environment() if from_env else {}

    def proxy(self, address: Address, context: Callable[[], ssl.SSLContext]) -> Proxy | None:
        """The proxy through which an address is asked; FetchError if it is of a kind we cannot use."""
        url = self._url(address)
        if url is None:
            return None
        try:
            parts = ada_url.URL(url)
        except ValueError as error:
            raise _unusable(address) from error
        if parts.protocol not in _SCHEMES:
            raise _unusable(address)
        auth = (unquote(parts.username), unquote(parts.password)) if parts.username else None
        tls = context() if parts.protocol == "https:" else None
        port = int(parts.port) if parts.port else (443 if tls else 80)
        return Proxy(f"{parts.protocol}//{parts.host}", parts.hostname.strip("[]"), port, auth, tls)

    def _url(self, address: Address) -> str | None:
        url = self._urls.get(address.scheme) or self._urls.get("all")
        if not url:
            return None
        from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # noqa: TID251

        if proxy_bypass_environment(f"{address.host}:{address.port}", self._urls):
            return None
        return url if "://" in url else "http://" + url


def _from_environment() -> dict[str, str]:
    # Most people have none, and urllib.request takes its time to import.
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return {}
    from urllib.request import getproxies_environment  # noqa: TID251 - it only reads variables

    return getproxies_environment()


def _unusable(address: Address) -> FetchError:
    return FetchError(
        f"{shown(address.url)} was not asked: the proxy in the environment cannot be used",
        "set HTTP_PROXY, HTTPS_PROXY or ALL_PROXY to an http:// or https:// address",
        url=address.url,
        asked=False,
    )
