from __future__ import annotations

import hashlib

import pytest

from digestlog.core import passwords

SALT = bytes(range(16))
STORED = passwords.protect("correct horse battery", SALT)


def test_only_the_password_matches() -> None:
    assert passwords.matches("correct horse battery", STORED)
    for other in ("", "correct horse batterY", "correct horse battery ", STORED, "x" * 5000):
        assert not passwords.matches(other, STORED)


def test_what_is_stored_is_scrypt_with_its_own_salt() -> None:
    kind, cost, block, parallel, *rest = STORED.split("$")
    assert (kind, cost, block, parallel) == ("scrypt", "32768", "8", "1")
    assert "horse" not in STORED
    assert len(rest) == 2
    assert passwords.protect("correct horse battery", bytes(16)) != STORED


def test_a_salt_of_another_length_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        passwords.protect("correct horse battery", b"short")


@pytest.mark.parametrize(
    "stored",
    [
        None,
        "",
        "plain",
        "scrypt$1$8$1$AAAA$AAAA",
        STORED + "$more",
        STORED.replace("scrypt", "md5"),
        "$".join([*STORED.split("$")[:4], "not base64!", "x"]),
        "$".join([*STORED.split("$")[:5], ""]),
        "$".join([*STORED.split("$")[:5], "AAAA"]),
    ],
)
def test_without_a_stored_password_nothing_matches(stored: str | None) -> None:
    for password in ("", "correct horse battery", "\ud800 surrogate"):
        assert not passwords.matches(password, stored)


def test_a_user_without_a_password_costs_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = []
    scrypt = hashlib.scrypt

    def counted(password: bytes, **options: object) -> bytes:
        costs.append({**options, "salt": len(options["salt"])})  # type: ignore[arg-type]
        return scrypt(password, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(hashlib, "scrypt", counted)
    passwords.matches("guess", STORED)
    passwords.matches("guess", None)
    assert len(costs) == 2
    assert costs[0] == costs[1]


@pytest.mark.parametrize(
    ("password", "words"),
    [("short", "10 characters or more"), ("x" * 1001, "1000 characters at most"), ("x" * 10, None)],
)
def test_what_can_be_a_password(password: str, words: str | None) -> None:
    problem = passwords.problem(password)
    assert problem is None if words is None else words in (problem or "")
