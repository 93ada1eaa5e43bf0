from __future__ import annotations

import asyncio
import errno
import ssl

import pytest

from digestlog.errors import AddressRefused, FetchError
from digestlog.web.failures import (
    BrokenAnswer,
    HungUp,
    NoConnection,
    NotHttp,
    ProxyRefused,
    Silence,
    Stale,
    TooSlow,
    in_words,
)

URL = "http://tides.example/feed"


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def untrusted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "certificate has expired."
    return error


def in_a_ring() -> Exception:
    first, second = NoConnection("x"), OSError(9, "y")
    first.__cause__, second.__cause__ = second, first
    return first


@pytest.mark.parametrize(
    ("error", "words", "broken"),
    [
        (Silence(), "stopped answering", True),
        (TooSlow(), "did not accept a connection in time", False),
        (ProxyRefused("403"), "was refused by the proxy (403)", False),
        (ProxyRefused("what"), "was refused by the proxy (no reason given)", False),
        (HungUp(), "hung up without an answer", True),
        (Stale(), "hung up without an answer", True),
        (NotHttp("sent more headers than anyone needs"), "sent more headers than anyone needs", True),
        (NotHttp("gave no proper answer", "<long story>"), "gave no proper answer", True),
        (ValueError("invalid literal"), "gave no proper answer", True),
        (KeyError(5), "gave no proper answer", True),
        (
            NoConnection("the name cannot be found"),
            "cannot be reached: the name cannot be found",
            False,
        ),
        (NoConnection("[Errno 5]"), "cannot be reached: no connection could be made", False),
        (
            caused(NoConnection(), OSError(errno.ECONNREFUSED, "")),
            "cannot be reached: nothing answers there",
            False,
        ),
        (
            caused(NoConnection(), caused(OSError("all failed"), OSError(errno.ENETUNREACH, ""))),
            "cannot be reached: there is no way to it from here",
            False,
        ),
        (
            caused(NoConnection(), untrusted()),
            "cannot be reached: its certificate cannot be trusted (certificate has expired)",
            False,
        ),
        (
            caused(NoConnection(), ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER]")),
            "cannot be reached: no secure connection could be made",
            False,
        ),
        (in_a_ring(), "cannot be reached: no connection could be made", False),
    ],
)
def test_words(error: Exception, words: str, broken: bool) -> None:
    with pytest.raises(FetchError) as caught, in_words(URL):
        raise error
    assert caught.value.message == f"{URL} {words}"
    assert caught.value.url == URL
    assert caught.value.temporary
    assert isinstance(caught.value, BrokenAnswer) == broken
    assert caught.value.__cause__ is error


def test_own_errors_stay_as_they_are() -> None:
    error = FetchError("x", url=URL)
    with pytest.raises(FetchError) as caught, in_words("http://other.example/"):
        raise error
    assert caught.value is error


def test_a_refused_address_names_the_url_it_came_from() -> None:
    with (
        pytest.raises(AddressRefused, match=f"^{URL} leads to a private address: h is$") as caught,
        in_words(URL),
    ):
        raise AddressRefused("h is", "a hint", url="h:80")
    assert (caught.value.hint, caught.value.url, caught.value.temporary) == ("a hint", URL, False)


@pytest.mark.parametrize("error", [asyncio.CancelledError, KeyboardInterrupt])
def test_what_must_stop_the_program_does(error: type[BaseException]) -> None:
    with pytest.raises(error), in_words(URL):
        raise error
