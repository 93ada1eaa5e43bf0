"""Hosts that pose as others."""

from __future__ import annotations

import ada_url
import pytest

from digestlog.core.lookalikes import is_lookalike

POSING = [
    "аррӏе.com",  # wholly Cyrillic, under a Latin ending
    "gооgle.com",  # two Cyrillic letters
    "shop.pаypal.example",
    "ρaypal.com",  # a Greek letter
    "οναρ.com",
    "xn--80ak6aa92e.com",
]

HONEST = [
    "example.com",
    "münchen.de",
    "café.example",
    "пример.com",  # Cyrillic that nobody reads as Latin
    "аррӏе.рф",  # under a Cyrillic ending Cyrillic is expected
    "президент.рф",
    "日本語abc.jp",
    "αβγδε.gr",
    "xn--zz--zz.com",
    "1-2.example",
    "☃.example",
]


def ascii_of(host: str) -> str:
    return ada_url.idna_to_ascii(host).decode()


@pytest.mark.parametrize("host", POSING)
def test_a_host_that_poses_as_another_is_found(host: str) -> None:
    assert is_lookalike(ascii_of(host))


@pytest.mark.parametrize("host", HONEST)
def test_an_honest_host_is_not(host: str) -> None:
    assert not is_lookalike(ascii_of(host))
