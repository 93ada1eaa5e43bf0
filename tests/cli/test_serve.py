"""`digestlog serve` for real: a process, a socket, a browser's requests."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from cli.conftest import Terminal, environment

from digestlog.serve import server


@contextmanager
def serving(path: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running program, and the first line that it prints."""
    command = [sys.executable, "-m", "digestlog", "--db", str(path), "serve", "--port", "0", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def test_the_owner_signs_in_by_the_printed_link(digestlog: Terminal, db_path: Path) -> None:
    digestlog("init")
    with serving(db_path) as (process, link):
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/sign-in\?token=([\w-]{43})", link)
        assert found, process.stderr.read() if process.stderr else ""
        with httpx.Client(base_url=found[1], headers={"accept": "text/html"}) as browser:
            page = browser.get(f"/sign-in?token={found[2]}")
            assert "Sign in as owner" in page.text
            (csrf,) = re.findall(r'name="csrf" value="(\w+)"', page.text)
            assert browser.post("/sign-in", data={"token": found[2], "csrf": csrf}).status_code == 303
            assert "<h1>Today</h1>" in browser.get("/").text
            data = browser.get("/digestlog/plan_definitions.json?_shape=array")
            assert {row["plan"] for row in data.json()} == {"free", "paid"}
            assert "server" not in data.headers
            assert browser.get("/", headers={"host": "evil.example"}).status_code == 421
            upgrade = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
            assert browser.get("/", headers={**upgrade, "sec-websocket-key": "x" * 24}).status_code == 200
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "signs you in once" in errors
        assert "Stopped." in errors
        assert "Traceback" not in errors


def test_without_the_link_only_the_address_is_printed(digestlog: Terminal, db_path: Path) -> None:
    digestlog("init")
    with serving(db_path, "--no-sign-in-link") as (_, line):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", line)
        assert httpx.get(f"{line}/my.json").status_code == 401


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--host", "0.0.0.0"), "--host needs --allow-host"),
        (("--host", "192.0.2.1"), "--host needs --allow-host"),
        (("--https",), "--https needs --allow-host"),
        (("--open", "--no-sign-in-link"), "--open needs the link"),
        (("--port", "70000"), "70000"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    digestlog: Terminal, words: tuple[str, ...], message: str
) -> None:
    assert message in digestlog("serve", *words, code=2).stderr


def test_a_port_in_use_is_told_in_one_line(digestlog: Terminal, db_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = digestlog("serve", "--port", str(port), code=1)
    assert f"127.0.0.1:{port} cannot be used" in result.stderr
    assert "--port" in result.stderr


def test_it_refuses_to_serve_without_the_plugin(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "registered", lambda manager: False)
    result = digestlog("serve", code=1)
    assert "nothing would be guarded" in result.stderr


def test_a_blocked_plugin_is_not_brought_in_by_force(monkeypatch: pytest.MonkeyPatch) -> None:
    from datasette.plugins import pm

    from digestlog.errors import ConfigError
    from digestlog.serve import plugin

    server.require_plugin()
    name = pm.get_name(plugin)
    pm.unregister(plugin)
    pm.set_blocked(plugin.NAME)
    try:
        with pytest.raises(ConfigError, match="nothing would be guarded"):
            server.require_plugin()
    finally:
        pm._name2plugin.pop(plugin.NAME)
        pm.register(plugin, name)
    server.require_plugin()


def test_what_is_opened_is_the_link(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)
    monkeypatch.setattr(server.Server, "run", lambda self, ready: (ready(), self.close()))
    result = digestlog("serve", "--port", "0", "--open")
    assert opened == [result.stdout.strip()]
    assert digestlog("serve", "--port", "0", root=["-q"]).stderr == ""


def test_a_file_that_cannot_be_written_leaves_no_port_behind(
    digestlog: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    from digestlog.errors import ReadOnlyFile
    from digestlog.store import access

    closed: list[int] = []
    close = server.Server.close
    monkeypatch.setattr(server.Server, "close", lambda self: (closed.append(self.port), close(self)))

    def refuse(*_: object) -> str:
        raise ReadOnlyFile("it is read-only")

    monkeypatch.setattr(access, "give_link", refuse)
    assert "read-only" in digestlog("serve", "--port", "0", code=1).stderr
    assert len(closed) == 1


@pytest.mark.parametrize(
    ("host", "allowed", "https", "base"),
    [
        ("127.0.0.1", (), False, "http://127.0.0.1:{}"),
        ("0.0.0.0", ("news.example.org",), False, "http://127.0.0.1:{}"),
        ("127.0.0.2", ("news.example.org",), False, "http://news.example.org:{}"),
        ("127.0.0.1", ("news.example.org", "x.example"), True, "https://news.example.org"),
    ],
)
def test_where_a_browser_reaches_it(
    db_path: Path, host: str, allowed: tuple[str, ...], https: bool, base: str
) -> None:
    made = server.Server(server.Options(db_path, host, 0, allowed, https, None))
    try:
        assert made.base == base.format(made.port)
    finally:
        made.close()
