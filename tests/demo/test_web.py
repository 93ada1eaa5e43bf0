"""The demo web answers as a well-behaved HTTP/1.1 server, and stops at once."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPResponse

import pytest

from digestlog.demo.sites import HOSTS, build
from digestlog.demo.web import DemoWeb

NOW = datetime(2031, 5, 14, 15, 30, tzinfo=UTC)
PAGES = build(NOW)
TIMES = "harbour-times.example"
SLOW = ("lighthouse-weather.example", "/feed.xml")


@pytest.fixture(scope="module")
def shared() -> Iterator[DemoWeb]:
    with DemoWeb(NOW, slow_s=0) as web:
        yield web


@pytest.fixture
def client(shared: DemoWeb) -> Iterator[HTTPConnection]:
    connection = HTTPConnection(*shared.address, timeout=30)
    yield connection
    connection.close()


def ask(
    connection: HTTPConnection, host: str, path: str, method: str = "GET", **headers: str
) -> tuple[HTTPResponse, bytes]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers={"Host": host, **named})
    response = connection.getresponse()
    return response, response.read()


def test_listens_on_loopback_only(shared: DemoWeb) -> None:
    host, port = shared.address
    assert host == "127.0.0.1"
    assert port > 0
    assert shared.hosts == HOSTS


def test_not_running_has_no_address() -> None:
    web = DemoWeb(NOW)
    with pytest.raises(RuntimeError, match="not running"):
        _ = web.address
    with web:
        pass
    with pytest.raises(RuntimeError, match="not running"):
        _ = web.address


def test_leaving_without_entering_does_nothing() -> None:
    DemoWeb(NOW).__exit__(None, None, None)


def test_every_page_is_served_as_built(client: HTTPConnection) -> None:
    for (host, path), page in PAGES.items():
        response, body = ask(client, host, path)
        assert (response.status, body) == (page.status, page.body)
        assert response.headers["Content-Type"] == page.content_type
        assert response.headers["Content-Length"] == str(len(page.body))
        assert response.headers["ETag"] == page.etag
        assert response.headers["Location"] == page.location


def test_host_decides_which_page(client: HTTPConnection) -> None:
    assert ask(client, TIMES, "/")[1] == PAGES[TIMES, "/"].body
    assert ask(client, "slow-lantern.example", "/")[1] == PAGES["slow-lantern.example", "/"].body


@pytest.mark.parametrize("host", [TIMES.upper(), f"{TIMES}:8080", "Harbour-Times.Example:80"])
def test_host_without_case_and_port(client: HTTPConnection, host: str) -> None:
    assert ask(client, host, "/")[1] == PAGES[TIMES, "/"].body


@pytest.mark.parametrize("query", ["?", "?utm_source=rss&x=1", "?a=/b"])
def test_query_is_ignored(client: HTTPConnection, query: str) -> None:
    assert ask(client, TIMES, f"/rss.xml{query}")[1] == PAGES[TIMES, "/rss.xml"].body


@pytest.mark.parametrize(
    ("host", "path"), [("nowhere.example", "/"), (TIMES, "/nothing"), ("", "/"), ("[::1]:80", "/")]
)
def test_unknown_is_404(client: HTTPConnection, host: str, path: str) -> None:
    response, body = ask(client, host, path)
    assert response.status == 404
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"no such page" in body


def test_head_has_the_headers_of_get(client: HTTPConnection) -> None:
    got, whole = ask(client, TIMES, "/rss.xml")
    head, nothing = ask(client, TIMES, "/rss.xml", "HEAD")
    assert (head.status, nothing) == (200, b"")
    for name in ("Content-Type", "Content-Length", "ETag"):
        assert head.headers[name] == got.headers[name]
    assert head.headers["Content-Length"] == str(len(whole))


def test_connection_is_kept_alive(client: HTTPConnection) -> None:
    ask(client, TIMES, "/rss.xml", "HEAD")
    first = client.sock
    ask(client, TIMES, "/nothing")
    ask(client, "go.alder.example", "/library")
    assert client.sock is first is not None


@pytest.mark.parametrize("known", ["{}", "W/{}", '"other", {}', "*"])
def test_known_version_is_304(client: HTTPConnection, known: str) -> None:
    etag = PAGES[TIMES, "/rss.xml"].etag
    response, body = ask(client, TIMES, "/rss.xml", If_None_Match=known.format(etag))
    assert (response.status, body) == (304, b"")
    assert response.headers["ETag"] == etag


def test_other_version_is_sent_whole(client: HTTPConnection) -> None:
    assert ask(client, TIMES, "/rss.xml", If_None_Match='"other"')[0].status == 200


@pytest.mark.parametrize("path", ["/library", "/nothing"])
def test_star_never_hides_a_redirect_or_an_error(client: HTTPConnection, path: str) -> None:
    assert ask(client, "go.alder.example", path, If_None_Match="*")[0].status in (301, 404)


def test_redirect_names_its_target(client: HTTPConnection) -> None:
    response, _ = ask(client, "go.alder.example", "/read-this")
    assert response.status == 302
    assert response.headers["Location"] == "http://go.alder.example/e7"


def test_other_methods_are_not_implemented(client: HTTPConnection) -> None:
    assert ask(client, TIMES, "/", "POST")[0].status == 501


def test_nothing_is_logged(client: HTTPConnection, capfd: pytest.CaptureFixture[str]) -> None:
    ask(client, TIMES, "/")
    ask(client, TIMES, "/nothing")
    assert capfd.readouterr() == ("", "")


def test_requests_are_counted(shared: DemoWeb, client: HTTPConnection) -> None:
    before = shared.requests
    ask(client, TIMES, "/")
    ask(client, "nowhere.example", "/", "HEAD")
    assert shared.requests == before + 2


def test_turn_changes_the_shop() -> None:
    with DemoWeb(NOW) as web:
        connection = HTTPConnection(*web.address, timeout=30)
        first, old = ask(connection, "alder-chandlery.example", "/storm-lantern")
        web.turn(1)
        second, new = ask(
            connection, "alder-chandlery.example", "/storm-lantern", If_None_Match=first.headers["ETag"]
        )
        connection.close()
    assert second.status == 200
    assert b"49.00" in old and b"44.50" in new


def test_can_be_entered_again() -> None:
    web = DemoWeb(NOW, slow_s=0)
    for _ in range(2):
        with web:
            connection = HTTPConnection(*web.address, timeout=30)
            assert ask(connection, *SLOW)[0].status == 200
            connection.close()
    assert web.requests == 2


def test_leaving_interrupts_a_slow_answer(capfd: pytest.CaptureFixture[str]) -> None:
    with DemoWeb(NOW, slow_s=30) as web, socket.create_connection(web.address, timeout=30) as connection:
        # The server says "100 Continue" once it has read the request and turns to answering it.
        lines = ("GET {1} HTTP/1.1", "Host: {0}", "Expect: 100-continue", "", "")
        connection.sendall("\r\n".join(lines).format(*SLOW).encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        web.__exit__(None, None, None)
        assert connection.recv(100) == b""
    assert capfd.readouterr() == ("", "")


def test_leaving_drops_idle_connections() -> None:
    with DemoWeb(NOW) as web:
        connection = HTTPConnection(*web.address, timeout=30)
        ask(connection, TIMES, "/")
        assert connection.sock is not None
        web.__exit__(None, None, None)
        assert connection.sock.recv(1) == b""
        connection.close()


def test_a_client_that_hangs_up_is_not_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with DemoWeb(NOW) as web:
        with socket.create_connection(web.address, timeout=30) as connection:
            connection.sendall(b"GET / HTT")
        after = HTTPConnection(*web.address, timeout=30)
        assert ask(after, TIMES, "/")[0].status == 200
        after.close()
    assert capfd.readouterr().err == ""
