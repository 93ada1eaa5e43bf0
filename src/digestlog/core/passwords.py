"""Passwords: what is stored of one, and whether a text is it. scrypt, so that guessing is dear."""

from __future__ import annotations

import base64
import hashlib
import hmac

SHORTEST, LONGEST = 10, 1000

# 32 MB and about a tenth of a second a guess.
_COST, _BLOCK, _PARALLEL = 2**15, 8, 1
_MEMORY = 2**26
_SALT_BYTES, _HASH_BYTES = 16, 32


def problem(password: str) -> str | None:
    """Why a password cannot be used, in a person's words; None if it can."""
    if len(password) < SHORTEST:
        return f"a password has {SHORTEST} characters or more"
    if len(password) > LONGEST:
        return f"a password has {LONGEST} characters at most"
    return None


def protect(password: str, salt: bytes) -> str:
    """What is stored of a password; `salt` is random and new for each."""
    if len(salt) != _SALT_BYTES:
        raise ValueError("a salt has 16 bytes")
    parts = (str(_COST), str(_BLOCK), str(_PARALLEL), _text(salt), _text(_hash(password, salt)))
    return "$".join(("scrypt", *parts))


def matches(password: str, stored: str | None) -> bool:
    """True if it is the password. A user without one costs the same time, so that nobody learns of it."""
    salt, expected = _parts(stored)
    found = _hash(password[:LONGEST], salt)
    return hmac.compare_digest(found, expected) and stored is not None and len(password) <= LONGEST


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"),
        salt=salt,
        n=_COST,
        r=_BLOCK,
        p=_PARALLEL,
        maxmem=_MEMORY,
        dklen=_HASH_BYTES,
    )


def _parts(stored: str | None) -> tuple[bytes, bytes]:
    """Salt and hash; where there are none of ours, some that no password leads to."""
    nothing = (bytes(_SALT_BYTES), b"")
    fields = (stored or "").split("$")
    if fields[:4] != ["scrypt", str(_COST), str(_BLOCK), str(_PARALLEL)] or len(fields) != 6:
        return nothing
    try:
        salt, expected = (base64.b64decode(field, validate=True) for field in fields[4:])
    except ValueError:
        return nothing
    return (salt, expected) if len(expected) == _HASH_BYTES else nothing


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
