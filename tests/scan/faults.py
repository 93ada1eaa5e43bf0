"""Everything that can be wrong with a source: what it does, and what a person must read about it."""

from __future__ import annotations

import asyncio
import socket
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scan.web import Answer, Answers, Handler, Request, moved, page

MEGABYTE = 1_000_000
# SO_LINGER with no time: the connection ends with a reset.
_NO_LINGER = struct.pack("ii", 1, 0)
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n"


# From the source's site and the web's port.
_Answering = Callable[[str, int], Answers]


@dataclass(frozen=True)
class Fault:
    """A source that fails: its path, the words of its failure, and what the web answers."""

    name: str
    words: str
    answers: _Answering
    method: str = "RSS"
    # It is asked by a public name, without leave to lead into a private network.
    is_public: bool = False
    # Nothing listens there.
    is_down: bool = False


def _at_feed(answer: Answer | Handler) -> _Answering:
    return lambda site, port: {f"{site}/feed": answer}


def raw(*parts: bytes, then_reset: bool = False) -> Handler:
    """Sends exactly these bytes and hangs up."""

    async def send(writer: asyncio.StreamWriter, request: Request) -> None:
        if then_reset:
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        for part in parts:
            writer.write(part)
            await writer.drain()

    return send


def _repeated(start: bytes, part: bytes, times: int | None, pause_s: float = 0) -> Handler:
    """Sends the start, then the part so many times, or for ever."""

    async def send(writer: asyncio.StreamWriter, request: Request) -> None:
        writer.write(start)
        done = 0
        while done != times:
            writer.write(part)
            await writer.drain()
            done += 1
            await asyncio.sleep(pause_s)

    return send


async def _silent(writer: asyncio.StreamWriter, request: Request) -> None:
    """Takes the question and never answers."""
    await asyncio.Event().wait()


def _bomb() -> tuple[bytes, bytes, int]:
    """The beginning of a gzip stream, and a piece of it that unpacks to a megabyte, any number of times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packer.compress(b"<rss version='2.0'><channel><title>") + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start, piece, 10_000


def _bombed(encoding: str) -> Handler:
    start, piece, times = _bomb()
    length = len(start) + len(piece) * times
    return _repeated(_packed_head(encoding, length) + start, piece, times)


def _packed_head(encoding: str, length: int) -> bytes:
    return _OK + f"Content-Encoding: {encoding}\r\nContent-Length: {length}\r\n\r\n".encode()


def _double_bomb() -> Handler:
    """A bomb inside a bomb: a few kilobytes that unpack to gigabytes."""
    start, piece, times = _bomb()
    packed = zlib.compress(start + piece * times, 9, wbits=31)
    return raw(_packed_head("gzip, gzip", len(packed)), packed)


def _endless_redirects(site: str, port: int) -> Answers:
    urls = [f"{site}/feed", *(f"{site}/hop-{n}" for n in range(12))]
    return {url: moved(following) for url, following in zip(urls, urls[1:], strict=False)}


_CHUNK = b"10000\r\n" + b" " * 0x10000 + b"\r\n"

FAULTS: Sequence[Fault] = (
    Fault("error", "answered 500: its server is in trouble", _at_feed(Answer(500, b"oops"))),
    Fault(
        "busy",
        "answered 503: its server is overloaded or being repaired",
        _at_feed(Answer(503, b"", {"Retry-After": "7200"})),
    ),
    Fault("forbidden", "answered 403: refuses to be read", _at_feed(Answer(403))),
    Fault("missing", "answered 404: there is nothing at this address", lambda site, port: {}),
    Fault("silent", "/feed stopped answering", _at_feed(_silent)),
    Fault("down", "/feed cannot be reached: nothing answers there", lambda site, port: {}, is_down=True),
    Fault("reset", "/feed hung up without an answer", _at_feed(raw(then_reset=True))),
    Fault("hung-up", "/feed hung up without an answer", _at_feed(raw())),
    Fault(
        "truncated", "/feed was cut off", _at_feed(raw(_OK + b"Content-Length: 5000\r\n\r\n<rss version="))
    ),
    Fault(
        "truncated-gzip",
        "/feed was cut off",
        _at_feed(Answer(200, zlib.compress(b"<rss>" * 99, wbits=31)[:-9], {"Content-Encoding": "gzip"})),
    ),
    Fault(
        "damaged-gzip",
        "/feed sent damaged compressed data",
        _at_feed(Answer(200, b"\x1f\x8bnot gzip at all", {"Content-Encoding": "gzip"})),
    ),
    Fault(
        "picture",
        "is not a feed: This is not a feed.",
        _at_feed(Answer(200, b"\x89PNG\r\n\x1a\n" + bytes(500), {"Content-Type": "image/png"})),
    ),
    Fault(
        "page", "is a web page, not a feed", _at_feed(page("<!doctype html><title>Hello</title><p>Hello."))
    ),
    Fault("bomb", "/feed unpacks to more than 15,000,000 bytes", _at_feed(_bombed("gzip"))),
    Fault("double-bomb", "/feed unpacks to more than 15,000,000 bytes", _at_feed(_double_bomb())),
    Fault(
        "circle",
        "/feed redirects in a circle",
        lambda site, port: {f"{site}/feed": moved("/feed?a=1"), f"{site}/feed?a=1": moved("/feed")},
    ),
    Fault("endless-redirects", "/feed redirects more than 10 times", _endless_redirects),
    Fault(
        "nowhere",
        "/feed redirects to an address that cannot be followed: ftp://nowhere.example/",
        _at_feed(moved("ftp://nowhere.example/")),
    ),
    Fault(
        "metadata",
        "leads to a private address: 169.254.169.254 is a private address (169.254.169.254)",
        _at_feed(moved("http://169.254.169.254/latest/meta-data/")),
        is_public=True,
    ),
    Fault(
        "loopback-6",
        "leads to a private address: ::1 is a private address (::1)",
        lambda site, port: {f"{site}/feed": moved(f"http://[::1]:{port}/inside", 301)},
        is_public=True,
    ),
    Fault(
        "inside",
        "leads to a private address: 127.0.0.1 is a private address (127.0.0.1)",
        lambda site, port: {f"{site}/feed": moved(f"http://127.0.0.1:{port}/inside", 308)},
        is_public=True,
    ),
    Fault(
        "gigabyte",
        "/feed is larger than 15,000,000 bytes",
        _at_feed(_repeated(_OK + b"Content-Length: 1000000000\r\n\r\n", b"<item/>" * 10_000, 14_286)),
    ),
    Fault(
        "endless",
        "/feed is larger than 15,000,000 bytes",
        _at_feed(_repeated(_OK + b"Transfer-Encoding: chunked\r\n\r\n", _CHUNK, None)),
    ),
    Fault("drip", "/feed took longer than 4 s", _at_feed(_repeated(_OK + b"\r\n<rss>", b" ", None, 0.2))),
    Fault(
        "drip-headers",
        "/feed took longer than 4 s",
        _at_feed(_repeated(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", None, 0.2)),
    ),
    Fault(
        "headers",
        "/feed sent more headers than anyone needs",
        _at_feed(raw(_OK, *[b"X-Padding: " + b"x" * 9_987 + b"\r\n"] * 1_000, b"\r\n<rss/>")),
    ),
    Fault(
        "garbage",
        "/feed answered something that is not HTTP",
        _at_feed(raw(b"\x00\x01\x02 what? \r\n\r\n" * 9)),
    ),
    Fault(
        "closed",
        "/ is closed to programs by the site's robots.txt",
        lambda site, port: {
            f"{site}/robots.txt": Answer(200, b"User-agent: *\nDisallow: /"),
            f"{site}/": page(),
        },
        method="Direct",
    ),
    Fault(
        "no-page",
        "is not a web page",
        lambda site, port: {
            f"{site}/": Answer(200, b"%PDF-1.7" + bytes(99), {"Content-Type": "application/pdf"})
        },
        method="Direct",
    ),
)
