"""Notifications through apprise. Its addresses hold passwords: no word of one gets out of here."""

from __future__ import annotations

import importlib
import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from digestlog.errors import ConfigError, DigestlogError

VARIABLE = "DIGESTLOG_NOTIFY"
_LIKE = "see https://github.com/caronc/apprise/wiki for how addresses are written"
_EXTRA = "install it: pip install 'digestlog[notify]'"
_STATUS = re.compile(r"error=([1-5][0-9]{2})\b")


def addresses_from(given: Sequence[str], variable: str | None) -> tuple[str, ...]:
    """The addresses of the command line, otherwise those of DIGESTLOG_NOTIFY, with spaces between them."""
    found = tuple(given) or tuple((variable or "").split())
    if not found:
        raise ConfigError(f"nobody to tell: {VARIABLE} is empty", "give an address: --to json://localhost")
    return found


def send(addresses: Sequence[str], title: str, body: str) -> None:
    """Send one message to every address; a DigestlogError that says which did not take it, and why."""
    with _silence():
        apprise = _package()
    services = [_service(apprise, number, address) for number, address in enumerate(addresses, 1)]
    failed = []
    for name, service in services:
        why = _attempt(service, title, body)
        if why:
            failed.append(f"{name} {why}")
    if failed:
        others = "; the others have it, and get it again" if len(failed) < len(services) else ""
        raise DigestlogError(
            f"the notification was not delivered: {', '.join(failed)}{others}",
            "nothing is lost: the next notification tells of these changes again",
        )


def _package() -> Any:
    try:
        return importlib.import_module("apprise")
    except ImportError as error:
        raise ConfigError("notifications need the package apprise", _EXTRA) from error


def _service(apprise: Any, number: int, address: str) -> tuple[str, Any]:
    """What sends to an address, and how to speak of it: by its place and kind, never by what it holds."""
    with _silence():
        service = apprise.Apprise()
        known = _adds(service, address)
    if not known:
        raise ConfigError(f"address {number} is none that apprise can use", _LIKE)
    # What stands before :// is the name of a service, since apprise knows it.
    return f"address {number} ({address.partition('://')[0].strip().lower()})", service


def _adds(service: Any, address: str) -> bool:
    try:
        return bool(service.add(address)) and len(service) == 1
    # Plugins read addresses each in its own way; what they say may hold a password.
    except Exception:
        return False


def _attempt(service: Any, title: str, body: str) -> str | None:
    """Why the message was not taken, if it was not; apprise's own words may hold a password."""
    with _silence() as heard:
        try:
            if service.notify(body=body, title=title, body_format="text"):
                return None
        except Exception as error:
            return f"failed ({type(error).__name__})"
    status = _STATUS.search("\n".join(heard))
    if status:
        return f"answered {status[1]}"
    if any("connection error" in words.lower() for words in heard):
        return "could not be reached"
    return "did not take it"


class _Listener(logging.Handler):
    """Keeps what apprise says, and lets nobody else hear it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


# Who speaks of addresses: apprise itself, and what it sends with.
_SPEAKERS = ("apprise", "urllib3", "requests")


@contextmanager
def _silence() -> Iterator[list[str]]:
    """What apprise and its helpers say meanwhile goes nowhere but into the list."""
    listener, loggers = _Listener(), [logging.getLogger(name) for name in _SPEAKERS]
    before = [(logger.handlers[:], logger.propagate) for logger in loggers]
    disabled = logging.root.manager.disable
    for logger in loggers:
        logger.handlers, logger.propagate = [listener], False
    logging.disable(logging.INFO)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield listener.heard
    finally:
        logging.disable(disabled)
        for logger, (handlers, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
