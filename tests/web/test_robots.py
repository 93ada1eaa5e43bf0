from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from web.loopback import Site as Loopback
from web.loopback import answer, visit

from digestlog.core.model import Fetched
from digestlog.errors import AddressRefused, FetchError
from digestlog.web.address import parse as address
from digestlog.web.fetch import Fetcher
from digestlog.web.robots import NAME, Robots, parse

RULES = b"""\
User-agent: *
Disallow: /private
Allow: /private/open$
Disallow: /*.pdf
"""


class Site:
    """Answers for robots.txt, counting."""

    def __init__(self, outcome: bytes | int | FetchError) -> None:
        self.outcome = outcome
        self.asked: list[tuple[str, bool]] = []

    async def read(self, url: str, allow_private: bool) -> Fetched:
        self.asked.append((url, allow_private))
        await asyncio.sleep(0)
        if isinstance(self.outcome, FetchError):
            raise self.outcome
        status = self.outcome if isinstance(self.outcome, int) else 200
        body = self.outcome if isinstance(self.outcome, bytes) else b"User-agent: *\nDisallow: /"
        return Fetched(
            url, url, status, "text/plain", None, body, retry_after_s=30 if status == 503 else None
        )


def refusal(outcome: bytes | int | FetchError, path: str = "/a") -> FetchError | None:
    robots = Robots(Site(outcome).read)
    return asyncio.run(robots.refusal(address("https://tides.example" + path), allow_private=False))


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/", True), ("/private", False), ("/private/x", False), ("/private/open", True), ("/a/b.pdf?x", False)],
)
def test_rules(path: str, allowed: bool) -> None:
    assert (refusal(RULES, path) is None) == allowed


def test_a_rule_is_final() -> None:
    error = refusal(RULES, "/private")
    assert error is not None
    assert error.message == "https://tides.example/private is closed to programs by the site's robots.txt"
    assert not error.temporary


@pytest.mark.parametrize("status", [204, 301, 304, 400, 401, 403, 404, 410, 429])
def test_no_rules_are_no_refusal(status: int) -> None:
    assert (refusal(status) is None) == (status != 204)


@pytest.mark.parametrize("outcome", [500, 503, FetchError("down", url="x", temporary=True)])
def test_rules_that_cannot_be_read_close_the_site_for_now(outcome: int | FetchError) -> None:
    error = refusal(outcome)
    assert error is not None
    assert error.message == "https://tides.example/a was not asked: the site's robots.txt cannot be read now"
    assert error.temporary
    assert error.retry_after_s == (30 if outcome == 503 else None)


def test_a_refused_address_is_left_to_the_page_itself() -> None:
    assert refusal(AddressRefused("private", url="x")) is None


def test_each_origin_is_asked_once() -> None:
    site = Site(RULES)

    async def body() -> None:
        robots = Robots(site.read)
        urls = ["https://a.example/1", "https://a.example/2", "https://a.example:444/1", "http://a.example/"]
        await asyncio.gather(*(robots.refusal(address(url), allow_private=False) for url in urls * 3))
        await robots.refusal(address(urls[0]), allow_private=True)

    asyncio.run(body())
    assert sorted(site.asked) == [
        ("http://a.example/robots.txt", False),
        ("https://a.example/robots.txt", False),
        ("https://a.example/robots.txt", True),
        ("https://a.example:444/robots.txt", False),
    ]


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (b"\xef\xbb\xbfSitemap: /s.xml\n# note", "Sitemap: /s.xml\n# note"),
        (b"Sitemap: /\xff", "Sitemap: /\ufffd"),
        (404, ""),
        (500, ""),
        (FetchError("down", url="x"), ""),
        (AddressRefused("private", url="x"), ""),
    ],
)
def test_the_text_is_kept_beside_the_rules(outcome: bytes | int | FetchError, text: str) -> None:
    site = Site(outcome)

    async def body() -> str:
        robots = Robots(site.read)
        await robots.refusal(address("https://tides.example/a"), allow_private=False)
        return await robots.text(address("https://tides.example/b?c"), allow_private=False)

    assert asyncio.run(body()) == text
    assert site.asked == [("https://tides.example/robots.txt", False)]


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: digestlog\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: DigestLog/2.0\nDisallow: /", False),
        ("User-agent: digestlog*\nDisallow: /", False),
        ("User-agent: digestlogger\nDisallow: /", True),
        ("User-agent: otherbot\nDisallow: /", True),
        ("User-agent: otherbot\nUser-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: digestlog\nDisallow:", True),
        ("USER AGENT : *\r\ndisallow : / # all of it", False),
        ("\ufeffUser-agent: *\nDisallow: /", False),
        ("User-agent: *\nNoindex: /\nSitemap: https://t.example/s.xml\nDisallow: /", False),
        ("User-agent: a\nCrawl-delay: 5\nUser-agent: *\nDisallow: /", False),
        ("Disallow: /", True),
        ("User-agent *\nDisallow /", True),
        ("<html><body>Not found</body></html>", True),
        ("", True),
    ],
)
def test_groups(text: str, allowed: bool) -> None:
    assert parse(text.encode()).can_fetch("https://tides.example/a", NAME) == allowed


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"User-agent: bot{n}" for n in range(12_000)) + "\nDisallow: /x" * 12_000,
        "\n".join(f"User-agent: digestlog/{n}" for n in range(12_000)) + "\nDisallow: /x" * 12_000,
        "User-agent: *\n" + "Disallow: /*a*a*a*a*a*a*a*a*b\n" * 15_000,
        "User-agent: *\nDisallow: /" + "*a" * 200_000 + "b",
        "User-agent: *\nDisallow: " + "%" * 400_000,
    ],
)
def test_hostile_rules_take_no_time(text: str) -> None:
    start = time.process_time()
    assert parse(text.encode()).can_fetch("https://tides.example/" + "a" * 2000, NAME)
    assert time.process_time() - start < 5


@given(st.binary(max_size=300), st.text(max_size=30))
def test_any_bytes_are_rules(body: bytes, path: str) -> None:
    url = address("https://tides.example/" + path.replace("\\", "/")).url
    assert parse(body).can_fetch(url, NAME) in (True, False)


@given(st.lists(st.sampled_from(["User-agent: *", "User-agent: digestlog", "Disallow: /", "Allow: /a"])))
def test_other_lines_change_nothing(lines: list[str]) -> None:
    plain = "\n".join(lines).encode()
    noisy = "\n".join(f"{line}\n# note\nHost: x" for line in lines).encode()
    url = "https://tides.example/a"
    assert parse(plain).can_fetch(url, NAME) == parse(noisy).can_fetch(url, NAME)


def test_a_fetcher_asks_for_robots_txt_once_for_the_rules_and_the_text() -> None:
    async def body(site: Loopback, fetcher: Fetcher) -> None:
        assert (await fetcher.get(site.url("/a"), allow_private=True, obey_robots=True)).status == 404
        assert await fetcher.robots_txt(site.url("/b?c"), allow_private=True) == "Sitemap: /s.xml"

    site = visit({"/robots.txt": answer(200, b"Sitemap: /s.xml")}, body)
    assert site.targets == ["GET /robots.txt", "GET /a"]
