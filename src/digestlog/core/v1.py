"""What another tracker's file says, as values that can be stored: any type in, ours or nothing out."""

from __future__ import annotations

import math
import re
import uuid
from hashlib import sha256

from digestlog.core.dates import parse_date
from digestlog.core.moments import to_iso
from digestlog.core.text import clean, xml_legal

MAX_TEXT = 1_000_000
MAX_BLOB = 20_000_000
MAX_NAME = 100

_SHA256 = re.compile(r"[0-9a-f]{64}")
_HEX = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NO = ("0", "false", "f", "no", "n", "off", "")
_LONGEST_TIME = 64
# Larger numbers of seconds are thousandths or millionths of one.
_MILLIONTHS = 10**14

Value = str | bytes | int | float | None


def moment(value: Value) -> str | None:
    """The stored form of a time in any usual one: text, seconds or thousandths since 1970; None if none."""
    if isinstance(value, float):
        value = int(value) if math.isfinite(value) else None
    if isinstance(value, int):
        value = str(value // 1_000_000 if value >= _MILLIONTHS else value)
    if not isinstance(value, str) or len(value) > _LONGEST_TIME:
        return None
    parsed = parse_date(value)
    return to_iso(parsed) if parsed else None


def uuid_of(value: Value) -> str | None:
    """The UUID in its one stored form; None if it is none."""
    if isinstance(value, bytes):
        return str(uuid.UUID(bytes=value)) if len(value) == 16 else None
    text = value.strip().lower() if isinstance(value, str) else ""
    return str(uuid.UUID(text)) if _HEX.fullmatch(text) else None


def key_of(value: Value) -> str | None:
    """What two spellings of one id have in common: 1, 1.0 and '1'; a UUID in any form."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bytes):
        return uuid_of(value) or value.hex()
    return None if value is None else uuid_of(value) or str(value).strip()[:200]


def sha256_of(value: Value) -> str | None:
    """A SHA-256 in lower case; None for the hashes of other kinds."""
    if isinstance(value, bytes):
        return value.hex() if len(value) == 32 else None
    text = value.strip().lower() if isinstance(value, str) else ""
    return text if _SHA256.fullmatch(text) else None


def status_of(value: Value) -> int | None:
    """A status of HTTP; None for a number that is none."""
    try:
        number = int(value) if value is not None else 0
    except (ValueError, OverflowError):
        return None
    return number if 100 <= number <= 599 else None


def text_of(value: Value) -> str | None:
    """A text that can be stored, at most as long as one may be; None if nothing is left of it."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return None if value is None else xml_legal(str(value)[:MAX_TEXT]) or None


def blob_of(value: Value) -> bytes | None:
    """The bytes of a rendering; None if there are none, or too many."""
    if isinstance(value, (int, float)):
        value = str(value)
    found = value.encode("utf-8", "replace") if isinstance(value, str) else value
    return found if found and len(found) <= MAX_BLOB else None


def flag_of(value: Value) -> bool:
    """False for what any program writes for no; what is not said is yes."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return value.strip().lower() not in _NO
    return value is None or bool(value)


def name_of(value: Value, key: str) -> str:
    """The name of a user that has this id; one made of the id where there is none."""
    return (
        ((clean(text_of(value)) or "")[:MAX_NAME]).strip()
        or f"v1-user-{clean(key) or 'x'}"[:MAX_NAME].strip()
    )


def derived(kind: str, *parts: Value) -> str:
    """An id made of what a row says, so that every file that says the same gets the same."""
    told = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        told.update(b"%d:" % len(data) if part is not None else b"-")
        told.update(data if part is not None else b"")
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:v1:{kind}:{told.hexdigest()}"))
