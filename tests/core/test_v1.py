"""Values of other trackers' files: any type in, ours or nothing out."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.rows import HASH, THEN

from digestlog.core import v1
from digestlog.core.moments import from_iso, to_iso

ID = "0b3d1a52-2c44-4b7e-9a3f-6f4f0f6c8c11"
VALUES = st.none() | st.text() | st.binary(max_size=40) | st.integers() | st.floats()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (THEN, THEN),
        ("2026-02-12 14:03:12", THEN),
        ("2026-02-12T15:03:12.25+01:00", THEN),
        ("2026-02-12T14:03:12Z", THEN),
        (1770904992, THEN),
        (1770904992.9, THEN),
        (1770904992_123, THEN),
        (1770904992_123456, THEN),
        ("1770904992", THEN),
        ("2026-02-12", "2026-02-12T00:00:00+00:00"),
        ("yesterday", None),
        ("", None),
        ("2" * 65, None),
        (b"2026-02-12", None),
        (float("nan"), None),
        (float("inf"), None),
        (10**40, None),
        (-(10**40), None),
        (None, None),
    ],
)
def test_times(value: v1.Value, expected: str | None) -> None:
    assert v1.moment(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ID, ID),
        (f" {ID.upper()} ", ID),
        (ID.replace("-", ""), ID),
        (uuid.UUID(ID).bytes, ID),
        (b"x", None),
        (f"{{{ID}}}", None),
        ("7", None),
        (7, None),
        (None, None),
    ],
)
def test_uuids(value: v1.Value, expected: str | None) -> None:
    assert v1.uuid_of(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, "7"),
        (7.0, "7"),
        (" 7 ", "7"),
        (7.5, "7.5"),
        (b"\x07", "07"),
        (uuid.UUID(ID).bytes, ID),
        (ID.upper(), ID),
        ("a" * 300, "a" * 200),
        (None, None),
    ],
)
def test_keys(value: v1.Value, expected: str | None) -> None:
    assert v1.key_of(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (HASH, HASH),
        (HASH.upper() + " ", HASH),
        (bytes.fromhex(HASH), HASH),
        ("d41d8cd98f00b204e9800998ecf8427e", None),
        (b"md5", None),
        (12, None),
        (None, None),
    ],
)
def test_hashes_that_are_not_sha_256_are_nothing(value: v1.Value, expected: str | None) -> None:
    assert v1.sha256_of(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(200, 200), ("404", 404), (200.0, 200), (b"500", 500), (99, None), (600, None), (0, None), (None, None)]
    + [("OK", None), (float("inf"), None), (float("nan"), None), (b"\xff", None)],
)
def test_statuses(value: v1.Value, expected: int | None) -> None:
    assert v1.status_of(value) == expected


def test_texts() -> None:
    assert v1.text_of("a\x00b\ud800") == "ab"
    assert (v1.text_of(b"\xffa"), v1.text_of(3), v1.text_of("\x00"), v1.text_of(None)) == (
        "\ufffda",
        "3",
        None,
        None,
    )
    assert len(v1.text_of("x" * (v1.MAX_TEXT + 1)) or "") == v1.MAX_TEXT


def test_blobs() -> None:
    assert (v1.blob_of(b"\x00\xff"), v1.blob_of("é"), v1.blob_of(5)) == (b"\x00\xff", b"\xc3\xa9", b"5")
    assert (v1.blob_of(b""), v1.blob_of(None), v1.blob_of(b"x" * (v1.MAX_BLOB + 1))) == (None, None, None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, True), (0, False), ("t", True), ("FALSE ", False), (b"0", False), (None, True), ("", False)],
)
def test_flags(value: v1.Value, expected: bool) -> None:
    assert v1.flag_of(value) is expected


@pytest.mark.parametrize(
    ("value", "key", "expected"),
    [
        ("anna", "1", "anna"),
        (" an\nna\x1b ", "1", "an na"),
        (None, "7", "v1-user-7"),
        ("\x00", "\x00", "v1-user-x"),
        ("n" * 300, "1", "n" * 100),
        (None, "k" * 300, "v1-user-" + "k" * 92),
    ],
)
def test_names(value: v1.Value, key: str, expected: str) -> None:
    assert v1.name_of(value, key) == expected


def test_ids_are_made_of_what_a_row_says() -> None:
    ids = {
        v1.derived("check", "a", "b"),
        v1.derived("change", "a", "b"),
        v1.derived("check", "ab", ""),
        v1.derived("check", "a", None),
        v1.derived("check", "a", "None"),
        v1.derived("check", "a"),
    }
    assert len(ids) == 6 and v1.derived("check", "a", "b") == "0d182bb7-2421-509a-a849-6418c06f02cb"
    assert v1.derived("render", b"x") == v1.derived("render", "x")


@given(VALUES)
def test_no_value_does_harm(value: v1.Value) -> None:
    at = v1.moment(value)
    assert at is None or to_iso(from_iso(at)) == at
    text = v1.text_of(value)
    assert text is None or text.encode() and "\x00" not in text
    name = v1.name_of(value, v1.key_of(value) or "")
    assert 0 < len(name) <= v1.MAX_NAME and name == name.strip()
    status = v1.status_of(value)
    assert status is None or 100 <= status <= 599
    assert v1.flag_of(value) in (True, False)
    assert v1.uuid_of(value) is None or v1.key_of(value) == v1.uuid_of(value)
