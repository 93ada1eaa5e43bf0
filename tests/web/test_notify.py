"""Notifications, sent by the real apprise to a service on the loopback address."""

from __future__ import annotations

import logging
import socket
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

import pytest
from notified import Notified

from digestlog.errors import ConfigError, DigestlogError
from digestlog.web import notify

SECRET = "hunter2secret"


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize(
    ("given", "variable", "expected"),
    [
        (("json://a",), "json://b", ("json://a",)),
        ((), " json://b\n mailto://c  ", ("json://b", "mailto://c")),
    ],
)
def test_whom_to_tell(given: tuple[str, ...], variable: str, expected: tuple[str, ...]) -> None:
    assert notify.addresses_from(given, variable) == expected


@pytest.mark.parametrize("variable", [None, "", " \n"])
def test_nobody_to_tell(variable: str | None) -> None:
    with pytest.raises(ConfigError, match="DIGESTLOG_NOTIFY is empty"):
        notify.addresses_from((), variable)


def test_a_message_arrives_as_it_is() -> None:
    body = "Shop\n- <b>9</b> → 8 & *more* \\n :smile:"
    with Notified() as one, Notified() as two:
        notify.send([one.address(SECRET), two.address()], "3 changes", body)
    for service in (one, two):
        ((message),) = service.taken
        assert (message["title"], message["message"]) == ("3 changes", body)


def told(address: str, *others: str) -> DigestlogError:
    with pytest.raises(DigestlogError) as caught:
        notify.send([address, *others], "title", "body")
    shown = "".join(traceback.format_exception(caught.value)) + (caught.value.hint or "")
    assert SECRET not in shown
    return caught.value


def test_a_refusal_says_which_and_why_but_never_the_address(capfd: pytest.CaptureFixture[str]) -> None:
    with Notified(status=503) as service:
        error = told(service.address(SECRET))
    assert error.message == "the notification was not delivered: address 1 (json) answered 503"
    assert error.hint and "nothing is lost" in error.hint
    assert capfd.readouterr() == ("", "")


def test_a_service_that_is_not_there() -> None:
    error = told(f"json://anna:{SECRET}@127.0.0.1:{closed_port()}/{SECRET}")
    assert error.message.endswith("address 1 (json) could not be reached")


def test_the_others_are_told_all_the_same() -> None:
    with Notified() as good, Notified(status=404) as bad:
        error = told(bad.address(SECRET), good.address(SECRET))
    assert len(good.taken) == 1
    assert "address 1 (json) answered 404; the others have it, and get it again" in error.message


@pytest.mark.parametrize(
    "address",
    [SECRET, f"nosuch://{SECRET}", f"{SECRET}://x", f"json://a,json://{SECRET}"],
)
def test_an_address_that_apprise_cannot_use(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    with Notified() as service:
        error = told(service.address(), address)
    assert isinstance(error, ConfigError)
    assert error.message == "address 2 is none that apprise can use"
    # Nothing is sent to the first one either: a half-sent message would be told again.
    assert service.taken == []
    assert capfd.readouterr() == ("", "")


def test_what_apprise_logs_is_heard_by_nobody(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("apprise")
    before = (logger.handlers[:], logger.propagate)
    with caplog.at_level(logging.DEBUG), Notified(status=500) as service:
        told(service.address(SECRET))
    assert caplog.records == []
    assert (logger.handlers, logger.propagate) == before
    logging.getLogger("urllib3").warning("heard again")
    assert caplog.messages == ["heard again"]


def a_package(notify: Callable[..., bool], add: Callable[..., bool] = lambda self, url: True) -> Any:
    """A package in apprise's place, for what the real one cannot be made to do."""
    methods = {"notify": notify, "add": add, "__len__": lambda self: 1}
    return types.SimpleNamespace(Apprise=type("Apprise", (), methods))


def fails(self: object, *args: object, **message: object) -> bool:
    raise RuntimeError(SECRET)


@pytest.mark.parametrize(
    ("does", "words"),
    [
        (fails, "address 1 (json) failed (RuntimeError)"),
        (lambda self, **_: False, "address 1 (json) did not"),
    ],
)
def test_a_service_that_fails_in_its_own_way(
    monkeypatch: pytest.MonkeyPatch, does: Callable[..., bool], words: str
) -> None:
    monkeypatch.setitem(sys.modules, "apprise", a_package(does))
    assert words in told(f"json://{SECRET}").message


def test_an_address_that_makes_a_service_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apprise", a_package(fails, add=fails))
    assert told(f"json://{SECRET}").message == "address 1 is none that apprise can use"


def test_without_apprise_the_hint_is_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)
    error = told("json://localhost")
    assert (error.message, error.hint) == (
        "notifications need the package apprise",
        "install it: pip install 'digestlog[notify]'",
    )
