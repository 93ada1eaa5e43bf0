"""The command line as a person has it: a file, a clock that stands still, the demo web, and no network."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from digestlog.cli import cli
from digestlog.demo.web import DemoWeb

_CLEAN = {"DIGESTLOG_DB": None, "DIGESTLOG_NOW": None, "DIGESTLOG_USER": None}


class Terminal:
    """Runs commands on one file inside the test's own process."""

    def __init__(self, path: Path, now: datetime, web: DemoWeb | None = None) -> None:
        self.path = path
        self.now = now
        self.web = web

    def __call__(
        self,
        *words: str,
        code: int = 0,
        root: Sequence[str] = (),
        input: str | bytes | None = None,
        env: dict[str, str] | None = None,
    ) -> Result:
        """The result of a command, which must end with `code`; `root` holds options before it."""
        args = ["--db", str(self.path), "--now", self.now.isoformat(), *root, *words]
        result = self.bare(*args, input=input, env=env)
        assert result.exit_code == code, result.output
        return result

    def bare(self, *args: str, input: str | bytes | None = None, env: dict[str, str] | None = None) -> Result:
        """The result of a command line exactly as given."""
        pins = dict.fromkeys(self.web.hosts, self.web.address) if self.web else None
        runner = CliRunner(env={**_CLEAN, **(env or {})})
        return runner.invoke(
            cli, list(args), input=input, obj=pins, prog_name="digestlog", catch_exceptions=False
        )

    def json(self, *words: str, code: int = 0, **options: Any) -> Any:
        """What a command prints with --json."""
        return json.loads(self(*words, "--json", code=code, **options).stdout)

    def followed(self) -> list[tuple[str, str]]:
        """The id and the address of every source."""
        return [(s["source_uuid"], s["source_url"]) for s in self.json("sources", "list")]


@pytest.fixture
def digestlog(db_path: Path, now: datetime) -> Terminal:
    """Commands without any web to reach."""
    return Terminal(db_path, now)


@pytest.fixture(scope="session")
def town() -> Iterator[DemoWeb]:
    """The demo web, without its slowness."""
    from conftest import NOW

    with DemoWeb(NOW, slow_s=0) as web:
        yield web


@pytest.fixture
def in_town(db_path: Path, now: datetime, town: DemoWeb) -> Terminal:
    """Commands that reach the demo web by its hosts' names."""
    return Terminal(db_path, now, town)


@pytest.fixture
def three(digestlog: Terminal) -> Terminal:
    """Commands on a file with two feeds and a page."""
    digestlog(
        "sources", "add", "a.example/feed", "--method", "RSS", "--name", "Alpha", "--folder", "News/Local"
    )
    digestlog("sources", "add", "b.example/feed", "--method", "RSS", "--name", "Beta")
    digestlog("sources", "add", "c.example", "--method", "Direct", "--name", "Gamma")
    return digestlog


def program(
    *args: str, env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """The program as a process of its own, with warnings as errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "digestlog", *args],
        env=environment(env),
        **{"capture_output": True, "timeout": 60, **options},
    )


def environment(env: dict[str, str] | None = None) -> dict[str, str]:
    """The test's environment less what would steer digestlog."""
    return {name: value for name, value in os.environ.items() if name not in _CLEAN} | (env or {})


@pytest.fixture(autouse=True)
def connections(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Every connection that a test makes; names cannot be looked up, and only loopback is reached."""
    made: list[tuple[str, int]] = []
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def numbers_only(host: Any, *args: Any, **kwargs: Any) -> Any:
        kwargs["flags"] = kwargs.get("flags", 0) | socket.AI_NUMERICHOST
        return look_up(host, *args[:4], **kwargs)

    def loopback_only(self: socket.socket, address: Any) -> None:
        made.append(tuple(address[:2]))
        assert address[0] in ("127.0.0.1", "::1"), f"a test tried to reach {address}"
        connect(self, address)

    monkeypatch.setattr(socket, "getaddrinfo", numbers_only)
    monkeypatch.setattr(socket.socket, "connect", loopback_only)
    return made
