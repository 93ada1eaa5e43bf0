from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.web.headers import WEEK_S, Headers, charset, max_age_s, retry_after_s, validator

NOW = 1_770_973_330.0  # Fri, 13 Feb 2026 09:02:10 GMT


def test_fields_by_lower_case_name() -> None:
    fields = Headers(
        [(b"ETag", b' "a" '), (b"X", b"1"), (b"x", b"2"), (b"Bad", b"caf\xe9"), (b"Good", b"caf\xc3\xa9")]
    )
    assert fields.first(b"etag") == '"a"'
    assert fields.first(b"x") == "1"
    assert fields.joined(b"x") == "1,2"
    assert fields.first(b"bad") == fields.first(b"good") == "café"
    assert fields.first(b"none") is None
    assert fields.joined(b"none") == ""


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (b"0", 0),
        (b" 12 ", 12),
        (b"-1", None),
        (b"1.5", None),
        ("٣".encode(), None),
        (b"9" * 30, None),
        (b"", None),
    ],
)
def test_number(value: bytes, number: int | None) -> None:
    assert Headers([(b"n", value)]).number(b"n") == number


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        (None, None),
        ("text/html", None),
        ("text/html; charset=UTF-8", "utf-8"),
        ("text/html;Charset = 'iso-8859-1'", "iso-8859-1"),
        ('text/xml; x=y; charset="koi8-r"; z', "koi8-r"),
        ("text/html; charset=", None),
    ],
)
def test_charset(content_type: str | None, expected: str | None) -> None:
    assert charset(content_type) == expected


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, False),
        ("", False),
        ('W/"a b"', True),
        ("Fri, 13 Feb 2026 09:02:10 GMT", True),
        ("a\nb", False),
        ("é", False),
        ("a" * 1001, False),
    ],
)
def test_validator(value: str | None, kept: bool) -> None:
    assert validator(value) == (value if kept else None)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], None),
        ([b"max-age=600"], 600),
        ([b"public, Max-Age = 600"], 600),
        ([b"public", b'max-age="60"'], 60),
        ([b"s-maxage=10, max-age=20"], 20),
        ([b"s-maxage=10"], None),
        ([b"max-age=0"], None),
        ([b"max-age=600, no-cache"], None),
        ([b"no-store"], None),
        ([b"max-age=soon"], None),
        ([b"max-age=99999999999"], WEEK_S),
    ],
)
def test_max_age(rules: list[bytes], expected: int | None) -> None:
    assert max_age_s(Headers([(b"Cache-Control", rule) for rule in rules])) == expected


@pytest.mark.parametrize(
    ("value", "date", "expected"),
    [
        (None, None, None),
        (b"120", None, 120),
        (b"99999999", None, WEEK_S),
        (b"-5", None, None),
        (b"soon", None, None),
        (b"Fri, 13 Feb 2026 09:03:10 GMT", None, 60),
        (b"Fri, 13 Feb 2026 09:00:00 GMT", None, 0),
        (b"Fri, 13 Feb 2026 09:03:10 GMT", b"Fri, 13 Feb 2026 09:03:00 GMT", 10),
        (b"Fri, 13 Feb 2026 09:03:10 GMT", b"nonsense", 60),
        (b"Fri, 13 Feb 2999 09:03:10 GMT", None, WEEK_S),
        (b"Fri, 13 Feb 99999 09:03:10 GMT", None, None),
        (b"Fri, 32 Foo 99999999999999 99:99:99 GMT", None, None),
    ],
)
def test_retry_after(value: bytes | None, date: bytes | None, expected: int | None) -> None:
    pairs = [(b"retry-after", value), (b"date", date)]
    assert retry_after_s(Headers([(name, text) for name, text in pairs if text is not None]), NOW) == expected


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_give_a_bounded_wait(value: bytes, date: bytes) -> None:
    fields = Headers([(b"retry-after", value), (b"date", date), (b"cache-control", value)])
    for seconds in (retry_after_s(fields, NOW), max_age_s(fields)):
        assert seconds is None or 0 <= seconds <= WEEK_S
