"""Whose page it is."""

from __future__ import annotations

import builtins
import socket
import uuid
from pathlib import Path
from typing import Any

import pytest

from digestlog.core import brands


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://example.org/", "example.org"),
        ("https://www.shop.example.org/prices", "example.org"),
        ("https://EXAMPLE.org./", "example.org"),
        ("https://www.example.co.uk/", "example.co.uk"),
        ("https://a.b.c.kawasaki.jp/", "b.c.kawasaki.jp"),  # *.kawasaki.jp
        ("https://www.city.kawasaki.jp/", "city.kawasaki.jp"),  # !city.kawasaki.jp
        # Private suffixes: each name below is an owner of its own.
        ("https://anna.github.io/blog", "anna.github.io"),
        ("https://www.anna.github.io/", "anna.github.io"),
        ("https://shop.blogspot.com/", "shop.blogspot.com"),
        # Names in other scripts, as browsers send them and as people write them.
        ("https://www.bücher.example/", "xn--bcher-kva.example"),
        ("https://www.shop.xn--55qx5d.cn/", "shop.xn--55qx5d.cn"),
        ("https://www.shop.公司.cn/", "shop.xn--55qx5d.cn"),
        ("https://a.b.xn--fiqs8s/", "b.xn--fiqs8s"),
        # What nobody registered stands for itself.
        ("https://co.uk/", "co.uk"),
        ("https://github.io/", "github.io"),
        ("http://localhost:8000/", "localhost"),
        ("http://intranet/", "intranet"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://192.168.0.10/", "192.168.0.10"),
        ("http://[::1]/", "[::1]"),
        ("http://[2001:db8::1]:80/", "[2001:db8::1]"),
        # An ending that is not on the list is one label long.
        ("http://nas.home.unheardof/", "home.unheardof"),
    ],
)
def test_registrable_domain(url: str, domain: str) -> None:
    assert brands.registrable_domain(url) == domain


def test_a_brand_has_the_same_id_everywhere() -> None:
    assert brands.brand_id("example.org") == str(
        uuid.uuid5(uuid.NAMESPACE_URL, "digestlog:brand:example.org")
    )
    assert brands.brand_id("example.org") != brands.brand_id("example.com")


@pytest.mark.parametrize(
    ("domain", "name"),
    [("example.org", "example.org"), ("xn--bcher-kva.example", "bücher.example"), ("[::1]", "[::1]")],
)
def test_a_brand_is_called_by_its_domain_at_first(domain: str, name: str) -> None:
    assert brands.first_name(domain) == name


def test_nothing_is_downloaded_or_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is read from the package, and only read."""
    opened: list[str] = []
    real = builtins.open

    def watched(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        opened.append(mode)
        return real(file, mode, *args, **kwargs)

    def refuse(*args: Any) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(builtins, "open", watched)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    brands._suffixes.cache_clear()
    assert brands.registrable_domain("https://www.example.co.uk/") == "example.co.uk"
    assert set(opened) <= {"r", "rb"}
