"""What went wrong on the network, in a person's words."""

from __future__ import annotations

import errno
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from digestlog.core.refusals import PRIVATE
from digestlog.errors import AddressRefused, FetchError
from digestlog.web.address import shown

_REASONS = {
    errno.ECONNREFUSED: "nothing answers there",
    errno.EHOSTUNREACH: "there is no way to it from here",
    errno.ENETUNREACH: "there is no way to it from here",
    errno.ECONNRESET: "it hung up",
    errno.EMFILE: "too many connections are open",
}
_MAX_CAUSES = 10


class WireError(Exception):
    """Something went wrong between here and a server; the subclasses say what."""


class NoConnection(WireError):
    """No connection could be made; the cause says why, or a message that begins with "the name"."""


class TooSlow(WireError):
    """No connection was made in time."""


class ProxyRefused(WireError):
    """The proxy did not let us through; the message begins with its status."""


class Silence(WireError):
    """The server stopped answering."""


class HungUp(WireError):
    """The server hung up before its answer was whole."""


class Stale(HungUp):
    """A kept connection had been closed meanwhile: nothing is known about the server yet."""


class NotHttp(WireError):
    """What came is not HTTP; `words` say what it is."""

    def __init__(self, words: str, detail: str = "") -> None:
        super().__init__(detail or words)
        self.words = words


class BrokenAnswer(FetchError):
    """The server was reached, and gave no proper answer."""


@contextmanager
def in_words(url: str) -> Iterator[None]:
    """Turn whatever a request raises into a FetchError about the address."""
    try:
        yield
    except AddressRefused as error:
        raise AddressRefused(f"{shown(url)} {PRIVATE}: {error.message}", error.hint, url=url) from error
    except FetchError:
        raise
    # Whatever a server's misbehaviour brings to light must not stop the other sources.
    except Exception as error:
        raise _failure(url, error) from error


def _failure(url: str, error: Exception) -> FetchError:
    name = shown(url)
    if isinstance(error, Silence):
        return BrokenAnswer(f"{name} stopped answering", url=url, temporary=True)
    if isinstance(error, TooSlow):
        return FetchError(f"{name} did not accept a connection in time", url=url, temporary=True)
    if isinstance(error, ProxyRefused):
        return FetchError(f"{name} was refused by the proxy ({_status(error)})", url=url, temporary=True)
    if isinstance(error, NoConnection):
        return FetchError(f"{name} cannot be reached: {_reason(error)}", url=url, temporary=True)
    if isinstance(error, HungUp):
        return BrokenAnswer(f"{name} hung up without an answer", url=url, temporary=True)
    words = error.words if isinstance(error, NotHttp) else "gave no proper answer"
    return BrokenAnswer(f"{name} {words}", url=url, temporary=True)


def _reason(error: BaseException) -> str:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate cannot be trusted ({cause.verify_message.strip(' .')})"
        if isinstance(cause, ssl.SSLError):
            return "no secure connection could be made"
        if isinstance(cause, OSError) and cause.errno in _REASONS:
            return _REASONS[cause.errno]
        if isinstance(cause, NoConnection) and str(cause).startswith("the name "):
            return str(cause)
    return "no connection could be made"


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


def _status(error: Exception) -> str:
    """The number that a proxy's refusal begins with."""
    number = str(error)[:3]
    return number if number.isdigit() else "no reason given"
