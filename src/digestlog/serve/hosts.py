"""By which names the server may be called. Any other name in the Host header is somebody's trick."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from digestlog.serve.messages import Refused, Request

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names: loopback ones with the very port, those that the person allowed with any."""

    port: int
    allowed: frozenset[str]
    https: bool

    @classmethod
    def of(cls, port: int, names: Iterable[str] = (), *, https: bool = False) -> Hosts:
        """The names that a person gave, and loopback."""
        return cls(port, frozenset(name.lower().rstrip(".") for name in names), https)

    def check(self, request: Request) -> str:
        """The host that the request is for; Refused if it is not one of ours."""
        hosts = request.all("host")
        if len(hosts) != 1:
            raise Refused(400, "A request has one Host header.")
        host = hosts[0].strip().lower()
        name, port = _split(host)
        default = 443 if self.https else 80
        if name in LOOPBACK and (default if port is None else port) == self.port:
            return host
        if name.rstrip(".") in self.allowed:
            return host
        raise Refused(421, "This server is not called by that name. Allow it with --allow-host.")

    def check_origin(self, request: Request, host: str) -> None:
        """Refused unless a form that was sent comes from a page of ours, as far as the browser tells."""
        site = request.header("sec-fetch-site")
        if site not in (None, "same-origin"):
            raise Refused(403, "This form was sent from another site.")
        origin = request.header("origin")
        if origin is not None and origin.lower() != f"{self.scheme}://{host}":
            raise Refused(403, "This form was sent from another site.")

    @property
    def scheme(self) -> str:
        """How people reach the server."""
        return "https" if self.https else "http"


def _split(host: str) -> tuple[str, int | None]:
    """Name and port; the brackets of an address stay."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        return host, None
    return (name, int(port)) if port.isdecimal() and len(port) <= 5 else (host, None)
