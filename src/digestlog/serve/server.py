"""The server itself: a socket, the gatekeeper, uvicorn."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import uvicorn

from digestlog.errors import ConfigError
from digestlog.serve.desk import Desk
from digestlog.serve.gatekeeper import Gatekeeper
from digestlog.serve.hosts import Hosts
from digestlog.serve.instances import Instances
from digestlog.serve.plugin import registered


@dataclass(frozen=True, slots=True)
class Options:
    """How to serve."""

    path: Path
    host: str
    port: int
    allowed: tuple[str, ...]
    https: bool
    # The time that was given in place of the clock's.
    now: datetime | None


class Server:
    """A bound socket that waits to serve; `port` is the one that it got."""

    def __init__(self, options: Options) -> None:
        require_plugin()
        self._options = options
        self._socket = _bind(options.host, options.port)
        self.port: int = self._socket.getsockname()[1]

    @property
    def base(self) -> str:
        """How a browser reaches it: on this machine, or by the first name that was allowed."""
        options = self._options
        if options.https:
            return f"https://{options.allowed[0]}"
        if options.host in _EVERYWHERE:
            return f"http://127.0.0.1:{self.port}"
        if options.host in _LOOPBACK:
            return f"http://{_LOOPBACK[options.host]}:{self.port}"
        return f"http://{options.allowed[0]}:{self.port}"

    def close(self) -> None:
        """Give the port back, where it was never served."""
        self._socket.close()

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until somebody stops it; `ready` is called once it answers."""
        asyncio.run(self._run(ready))

    async def _run(self, ready: Callable[[], None]) -> None:
        options = self._options
        desk = Desk(options.path, options.now)
        instances = Instances(desk)
        await instances.begin()
        hosts = Hosts.of(self.port, options.allowed, https=options.https)
        config = uvicorn.Config(
            Gatekeeper(desk, hosts, instances=instances),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            limit_concurrency=200,
            timeout_graceful_shutdown=5,
        )
        await _Uvicorn(config, ready).serve([self._socket])


class _Uvicorn(uvicorn.Server):
    """Tells when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
_LOOPBACK = {"127.0.0.1": "127.0.0.1", "localhost": "localhost", "::1": "[::1]"}


def require_plugin() -> None:
    """Refuse to serve anything where Datasette does not ask the plugin."""
    # First the plugins: a module of theirs that is imported before them is left without its hooks.
    from datasette.plugins import pm  # isort: split
    from datasette import handle_exception

    from digestlog.serve import plugin

    if not pm.is_registered(plugin) and not pm.is_blocked(plugin.NAME):
        pm.register(plugin, plugin.NAME)
    if not registered(pm):
        raise ConfigError(
            "the digestlog plugin is not part of this Datasette, so nothing would be guarded",
            "install digestlog and Datasette side by side, and do not block the plugin",
        )
    # Where rich is installed, 0.65 prints the values of all variables to the terminal at every wrong address.
    handle_exception.rich = None


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound: Any = socket.create_server(address[:2], family=family)
    except OSError as error:
        raise ConfigError(
            f"{host}:{port} cannot be used: {error.strerror or error}", "name another port: --port 8002"
        ) from error
    return bound  # type: ignore[no-any-return]
