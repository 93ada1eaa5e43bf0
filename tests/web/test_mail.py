"""Mail: handed in whole, encrypted where a password is at stake, and failures in one line."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from digest_samples import FULL
from web.post_office import PostOffice

from digestlog.core.render.labels import ENGLISH
from digestlog.core.render.message import message
from digestlog.errors import ConfigError, DigestlogError
from digestlog.web import mail
from digestlog.web.mail import Server, server_from

ANNA, BOB = "anna@e.org", "bob@e.org"
LETTER = message(FULL, ENGLISH, sender="me@e.org", recipients=(ANNA, BOB))


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def tls(authority: trustme.CA) -> ssl.SSLContext:
    """What a server on this machine needs to prove who it is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    return context


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine trusts the authority."""
    path = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(path))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with PostOffice() as found:
        yield found


def send(office: PostOffice, url: str = "smtp://127.0.0.1", *recipients: str) -> None:
    mail.send(server_from(f"{url}:{office.port}"), LETTER, recipients or (ANNA,))


# --- the address ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example", Server("mail.example", 587, False)),
        ("smtps://mail.example", Server("mail.example", 465, True)),
        ("SMTP://Mail.Example:25", Server("mail.example", 25, False)),
        ("smtp://me:secret@mail.example:2525", Server("mail.example", 2525, False, "me", "secret")),
        (
            " smtps://me%40e.org:p%3A%2F%40@mail.example/?from=news%40e.org ",
            Server("mail.example", 465, True, "me@e.org", "p:/@", "news@e.org"),
        ),
        ("smtp://[::1]:25", Server("::1", 25, False)),
    ],
)
def test_the_server_of_an_address(url: str, server: Server) -> None:
    assert server_from(url) == server


@pytest.mark.parametrize(
    "url",
    ["mail.example", "http://me:secret@mail.example", "smtp://", "smtp://me:secret@h:x", "smtp://[secret"],
)
def test_what_is_no_server(url: str) -> None:
    with pytest.raises(ConfigError, match="DIGESTLOG_SMTP_URL is no address of a mail server") as caught:
        server_from(url)
    assert "secret" not in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("smtp://me:s%C3%A9cret@h", "may only have ASCII characters"),
        ("smtp://m%C3%A9:x@h", "may only have ASCII characters"),
        ("smtp://h?from=a%40e.org%0D%0ABcc:b%40e.org", "a sender that is no mail address"),
        ("smtp://h?from=nobody", "a sender that is no mail address"),
    ],
)
def test_what_a_server_cannot_be_told(url: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told) as caught:
        server_from(url)
    assert "cret" not in caught.value.message


@pytest.mark.parametrize("url", [None, ""])
def test_no_server(url: str | None) -> None:
    with pytest.raises(ConfigError, match="no mail server is set") as caught:
        server_from(url)
    assert "smtp://" in str(caught.value.hint)


def test_the_password_is_not_shown() -> None:
    assert "secret" not in repr(server_from("smtp://me:secret@mail.example"))


@pytest.mark.parametrize(
    ("url", "sender"),
    [
        ("smtp://h", ANNA),
        ("smtp://me:x@h", ANNA),
        ("smtp://a%0A%40b:x@h", ANNA),
        ("smtp://me%40e.org:x@h", "me@e.org"),
        ("smtp://me%40e.org:x@h?from=you@e.org", "you@e.org"),
    ],
)
def test_who_it_is_from(url: str, sender: str) -> None:
    assert server_from(url).sender_for((ANNA, BOB)) == sender


# --- sending ----------------------------------------------------------------------------------


def test_a_mail_is_handed_in(office: PostOffice) -> None:
    send(office, "smtp://127.0.0.1", ANNA, BOB)
    (body,) = office.mails
    assert b"Subject: Digest of Friday\r\n" in body and b"To: anna@e.org, bob@e.org\r\n" in body
    told = [command.upper() for command in office.commands]
    assert "RCPT TO:<ANNA@E.ORG>" in told and "RCPT TO:<BOB@E.ORG>" in told
    assert told[-1] == "QUIT" and not any("AUTH" in command for command in told)


def test_with_a_password_over_starttls(tls: ssl.SSLContext, trusted: None) -> None:
    with PostOffice(tls=tls, login=("me", "secret")) as office:
        send(office, "smtp://me:secret@localhost")
    assert len(office.mails) == 1 and office.encrypted
    verbs = [command.split()[0].lower() for command in office.commands]
    assert verbs.index("starttls") < verbs.index("auth") < verbs.index("data")


def test_with_a_password_over_tls(tls: ssl.SSLContext, trusted: None) -> None:
    with PostOffice(tls=tls, wrapped=True, login=("me", "secret")) as office:
        send(office, "smtps://me:secret@127.0.0.1")
    assert len(office.mails) == 1 and office.encrypted


def test_a_password_may_be_told_to_this_machine() -> None:
    with PostOffice(login=("me", "")) as office:
        send(office, "smtp://me@127.0.0.1")
    assert len(office.mails) == 1


def test_a_password_is_never_told_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "_is_here", lambda host: False)
    with PostOffice(login=("me", "secret")) as office:
        with pytest.raises(ConfigError, match="offers no encryption, so the password was not sent"):
            send(office, "smtp://me:secret@127.0.0.1")
    assert not any("AUTH" in command.upper() for command in office.commands) and office.mails == []


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("10.0.0.1", False),
        ("localhost.example", False),
    ],
)
def test_what_is_this_machine(host: str, here: bool) -> None:
    assert mail._is_here(host) is here


@pytest.mark.parametrize(("scheme", "wrapped"), [("smtp", False), ("smtps", True)])
def test_a_server_that_cannot_prove_who_it_is(tls: ssl.SSLContext, scheme: str, wrapped: bool) -> None:
    with PostOffice(tls=tls, wrapped=wrapped, login=("me", "secret")) as office:
        with pytest.raises(DigestlogError, match="the certificate of localhost cannot be trusted"):
            send(office, f"{scheme}://me:secret@localhost")
    assert not any("AUTH" in command.upper() for command in office.commands)


# --- failures ---------------------------------------------------------------------------------


def test_a_wrong_password() -> None:
    with PostOffice(login=("me", "right")) as office:
        with pytest.raises(ConfigError, match="does not accept this name and password") as caught:
            send(office, "smtp://me:secret@127.0.0.1")
    assert "secret" not in str(caught.value) and office.mails == []


def test_nobody_is_taken() -> None:
    with PostOffice(refused=(ANNA,)) as office:
        with pytest.raises(DigestlogError, match="127.0.0.1 does not take mail for anna@e.org"):
            send(office)
    assert office.mails == []


def test_one_of_two_is_taken() -> None:
    with PostOffice(refused=(BOB,)) as office:
        with pytest.raises(DigestlogError, match="did not take the mail for bob@e.org; the others have it"):
            send(office, "smtp://127.0.0.1", ANNA, BOB)
    assert len(office.mails) == 1


@pytest.mark.parametrize(
    ("verb", "answer", "told"),
    [
        ("HELLO", "554 go away", "554 go away"),
        ("MAIL", "552 too\x1b[31m large", "552 too[31m large"),
        ("DATA", "451 later", "451 later"),
    ],
)
def test_the_server_says_no(verb: str, answer: str, told: str) -> None:
    with PostOffice(answers={verb: answer}) as office:
        with pytest.raises(DigestlogError) as caught:
            send(office)
    assert caught.value.message == f"127.0.0.1 did not take the mail: {told}"
    assert office.mails == []


def test_words_of_any_kind() -> None:
    assert mail._words("a\r\nb") == "a b" and mail._words(b"\xff" * 999) == "\ufffd" * 200


def test_nobody_is_there() -> None:
    with PostOffice() as office:
        port = office.port
    with pytest.raises(DigestlogError, match=f"could not be handed in at 127.0.0.1:{port}: ") as caught:
        mail.send(Server("127.0.0.1", port, False), LETTER, (ANNA,))
    assert caught.value.hint == "check DIGESTLOG_SMTP_URL"


def test_a_host_that_can_be_none() -> None:
    with pytest.raises(DigestlogError, match="could not be handed in at a..b:25"):
        mail.send(Server("a..b", 25, False), LETTER, (ANNA,))


def test_an_address_that_the_server_cannot_take(office: PostOffice) -> None:
    with pytest.raises(DigestlogError, match="could not be handed in"):
        send(office, "smtp://127.0.0.1", "andré@e.org")
    assert office.mails == []
