"""What went wrong on the network, in a person's words."""

from __future__ import annotations

import errno
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import httpcore

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
_MISBEHAVIOUR = {
    "Receive buffer too long": "sent more headers than anyone needs",
    "illegal status line": "answered something that is not HTTP",
    "without sending a response": "hung up without an answer",
}
_MAX_CAUSES = 10


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
    # httpcore and h2 let all kinds out when a server misbehaves (a ValueError for an HTTP/2
    # status that is no number, say); none of them may stop the other sources.
    except Exception as error:
        raise _failure(url, error) from error


def _failure(url: str, error: Exception) -> FetchError:
    name = shown(url)
    if isinstance(error, (httpcore.ReadTimeout, httpcore.WriteTimeout)):
        return BrokenAnswer(f"{name} stopped answering", url=url, temporary=True)
    if isinstance(error, httpcore.TimeoutException):
        return FetchError(f"{name} did not accept a connection in time", url=url, temporary=True)
    if isinstance(error, httpcore.ProxyError):
        return FetchError(f"{name} was refused by the proxy ({_status(error)})", url=url, temporary=True)
    if isinstance(error, httpcore.ConnectError):
        return FetchError(f"{name} cannot be reached: {_reason(error)}", url=url, temporary=True)
    if isinstance(error, (httpcore.ReadError, httpcore.WriteError)):
        return BrokenAnswer(f"{name} hung up without an answer", url=url, temporary=True)
    return BrokenAnswer(f"{name} {_misbehaviour(error)}", url=url, temporary=True)


def _misbehaviour(error: Exception) -> str:
    """What a server did that is not HTTP; h11 tells it in sentences of its own."""
    said = str(error)
    return next((words for part, words in _MISBEHAVIOUR.items() if part in said), "gave no proper answer")


def _reason(error: BaseException) -> str:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate cannot be trusted ({cause.verify_message.strip(' .')})"
        if isinstance(cause, ssl.SSLError):
            return "no secure connection could be made"
        if isinstance(cause, OSError) and cause.errno in _REASONS:
            return _REASONS[cause.errno]
        if isinstance(cause, httpcore.ConnectError) and str(cause).startswith("the name "):
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
