"""Mail through the person's own server. Passwords travel encrypted or not at all."""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from digestlog.core.render.message import is_address
from digestlog.errors import ConfigError, DigestlogError

VARIABLE = "DIGESTLOG_SMTP_URL"
_LIKE = "write it like smtp://name:password@mail.example.org:587"
_TIMEOUT_S = 30.0
_PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class Server:
    """Where mail is handed in. `encrypted`: from the first byte on, rather than by STARTTLS."""

    host: str
    port: int
    encrypted: bool
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    sender: str | None = None

    def sender_for(self, recipients: tuple[str, ...]) -> str:
        """Who the mail is from: as set, the name on the server if that is an address, or its reader."""
        if self.sender:
            return self.sender
        return self.user if self.user and is_address(self.user) else recipients[0]


def server_from(url: str | None) -> Server:
    """The server of a DIGESTLOG_SMTP_URL; a ConfigError that never repeats the password."""
    if not url:
        raise ConfigError(f"no mail server is set: {VARIABLE} is empty", _LIKE)
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise ConfigError(f"{VARIABLE} is no address of a mail server", _LIKE) from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ConfigError(f"{VARIABLE} is no address of a mail server", _LIKE)
    return Server(
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        encrypted=parts.scheme == "smtps",
        user=_credential(parts.username),
        password=_credential(parts.password),
        sender=_sender(parts),
    )


def send(server: Server, mail: EmailMessage, recipients: tuple[str, ...]) -> None:
    """Hand the mail in; a DigestlogError in words if the server does not take it for everyone."""
    with _in_words(server), _connected(server) as smtp:
        if server.user:
            smtp.login(server.user, server.password or "")
        refused = smtp.send_message(mail, to_addrs=recipients)
    if refused:
        names = ", ".join(sorted(refused))
        raise DigestlogError(
            f"{server.host} did not take the mail for {names}; the others have it", "check the address"
        )


def _sender(parts: SplitResult) -> str | None:
    named = parse_qs(parts.query).get("from")
    if named and not is_address(named[0]):
        raise ConfigError(f"{VARIABLE} has a sender that is no mail address", "write ?from=anna@example.org")
    return named[0] if named else None


def _credential(text: str | None) -> str | None:
    """A name or password, decoded; Python's smtplib knows only ASCII ones."""
    plain = unquote(text) if text else None
    if plain and not plain.isascii():
        raise ConfigError(f"the name and password in {VARIABLE} may only have ASCII characters")
    return plain


@contextmanager
def _connected(server: Server) -> Iterator[smtplib.SMTP]:
    if server.encrypted:
        with smtplib.SMTP_SSL(server.host, server.port, timeout=_TIMEOUT_S, context=trusting()) as smtp:
            yield smtp
        return
    with smtplib.SMTP(server.host, server.port, timeout=_TIMEOUT_S) as smtp:
        smtp.ehlo()
        if smtp.has_extn("starttls"):
            smtp.starttls(context=trusting())
            smtp.ehlo()
        elif server.user and not _is_here(server.host):
            raise ConfigError(
                f"{server.host} offers no encryption, so the password was not sent",
                "use smtps://, or the port on which it offers STARTTLS",
            )
        yield smtp


@contextmanager
def _in_words(server: Server) -> Iterator[None]:
    """Turn what smtplib says into one line."""
    try:
        yield
    except smtplib.SMTPAuthenticationError as error:
        raise ConfigError(
            f"{server.host} does not accept this name and password", f"check {VARIABLE}"
        ) from error
    except smtplib.SMTPRecipientsRefused as error:
        names = ", ".join(sorted(error.recipients))
        raise DigestlogError(f"{server.host} does not take mail for {names}", "check the address") from error
    except smtplib.SMTPResponseException as error:
        raise DigestlogError(
            f"{server.host} did not take the mail: {error.smtp_code} {_words(error.smtp_error)}"
        ) from error
    except ssl.SSLCertVerificationError as error:
        message = f"the certificate of {server.host} cannot be trusted"
        raise DigestlogError(message, "the mail was not sent") from error
    # UnicodeError: a host that can be none, an address that the server cannot take.
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        message = f"the mail could not be handed in at {server.host}:{server.port}: {error}"
        raise DigestlogError(message, f"check {VARIABLE}") from error


def _words(answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:200]


def _is_here(host: str) -> bool:
    """True if the server is on this machine, where nobody listens between."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def trusting() -> ssl.SSLContext:
    """A context that verifies: by the person's own list of authorities if set, else by certifi's."""
    import certifi

    return ssl.create_default_context(cafile=os.environ.get("SSL_CERT_FILE") or certifi.where())
