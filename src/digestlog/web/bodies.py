"""Bodies: read piece by piece and unpacked as they come, so that none outgrows its limit."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Protocol

from digestlog.errors import FetchError
from digestlog.web.address import shown

MAX_ENCODINGS = 2
_GZIP = b"\x1f\x8b"
_MAX_MEMBERS = 1000
_MAX_PIECES = 50_000
# Bodies above this size are read a few at a time: many at once would fill the memory.
_LARGE = 1_000_000
_LARGE_AT_ONCE = 6
# What a decoder makes in one go, where it can be told.
_BLOCK = 262_144
# Four bytes of zstd can become 128 kB, and its decoder knows no limit: it is fed in slices.
_ZSTD_SLICE = 32
# What RFC 9659 allows on the web; zstd itself would take windows of gigabytes.
_ZSTD_WINDOW = 8 << 20


class DamagedData(ValueError):
    """Bytes that are not compressed as they should be."""


class Decoder(Protocol):
    """Unpacks one content encoding."""

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """What the piece unpacks to, block by block, each made when it is asked for; or DamagedData."""

    def complete(self) -> bool:
        """True if all that was fed forms a whole."""


class Bodies:
    """Reads bodies within a limit."""

    def __init__(self) -> None:
        self._large = asyncio.Semaphore(_LARGE_AT_ONCE)

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[Reader]:
        """Reads one body; a large one keeps its place among the few until the context is left."""
        async with AsyncExitStack() as held:
            yield Reader(self._large, held)


class Reader:
    """Reads one body within a limit."""

    def __init__(self, large: asyncio.Semaphore, held: AsyncExitStack) -> None:
        self._large = large
        self._held = held
        self._body = bytearray()
        self._is_large = False

    async def read(
        self, url: str, pieces: AsyncIterator[bytes], encoding: str, limit: int, *, cut: bool = False
    ) -> bytes:
        """The unpacked body; what exceeds the limit is an error, or is cut away if `cut`."""
        chain = decoders(url, encoding)
        try:
            whole = await self._read(url, pieces, chain, limit)
            if not whole and not cut:
                grows = "unpacks to more than" if chain else "is larger than"
                raise FetchError(f"{shown(url)} {grows} {limit:,} bytes", url=url)
            del self._body[limit:]
            return bytes(self._body)
        finally:
            self._body.clear()  # an error that someone keeps would keep all this alive

    async def _read(self, url: str, pieces: AsyncIterator[bytes], chain: list[Decoder], limit: int) -> bool:
        """Read to the end, or until there is more than the limit: then False."""
        wire = count = 0
        async for piece in pieces:
            wire, count = wire + len(piece), count + 1
            if count > _MAX_PIECES:
                raise FetchError(f"{shown(url)} comes in too many small pieces", url=url)
            for block in _blocks(url, chain, piece):
                await self._add(block)
                if len(self._body) > limit:
                    return False
            if wire > limit:
                return False
        # A body without a byte is whole, whatever its header says.
        if wire and not all(decoder.complete() for decoder in chain):
            raise cut_off(url)
        return True

    async def _add(self, block: bytes) -> None:
        self._body += block
        if len(self._body) > _LARGE and not self._is_large:
            self._is_large = True
            await self._held.enter_async_context(self._large)


def cut_off(url: str) -> FetchError:
    """The error for a body that ended before its end."""
    return FetchError(f"{shown(url)} was cut off", url=url, temporary=True)


def decoders(url: str, encoding: str) -> list[Decoder]:
    """What unpacks a Content-Encoding, outermost first; FetchError for one that was not asked for."""
    names = [name for part in encoding.lower().split(",") if (name := part.strip()) not in ("", "identity")]
    unknown = next((name for name in names if name not in _DECODERS), None)
    if unknown is not None:
        raise FetchError(
            f"{shown(url)} is compressed in a way that was not asked for ({shown(unknown)[:40]})", url=url
        )
    if len(names) > MAX_ENCODINGS:
        raise FetchError(f"{shown(url)} is compressed more than {MAX_ENCODINGS} times over", url=url)
    return [_DECODERS[name]() for name in reversed(names)]


def _blocks(url: str, chain: list[Decoder], piece: bytes) -> Iterator[bytes]:
    try:
        yield from _through(chain, piece)
    except DamagedData as error:
        raise FetchError(f"{shown(url)} sent damaged compressed data", url=url, temporary=True) from error


def _through(chain: list[Decoder], piece: bytes) -> Iterator[bytes]:
    """The piece after all decoders; at most one block of each is in memory."""
    if not chain:
        yield piece
        return
    for block in chain[0].feed(piece):
        yield from _through(chain[1:], block)


class _Inflate:
    """gzip and deflate, told apart by their first two bytes, because servers mix up the names."""

    def __init__(self) -> None:
        self._held = b""
        self._inner: Any = None
        self._members = 0

    def feed(self, piece: bytes) -> Iterator[bytes]:
        data, self._held = self._held + piece, b""
        full = False
        try:
            # After a full block zlib may hold back more, even where all input is used up.
            while full or (data and self._ready_for(data)):
                block = self._inner.decompress(data, _BLOCK)
                full = len(block) == _BLOCK and not self._inner.eof
                data = self._inner.unconsumed_tail or self._inner.unused_data
                yield block
        except zlib.error as error:
            raise DamagedData from error

    def _ready_for(self, data: bytes) -> bool:
        """Begin where a stream begins, the first or one gzip after another; False for mere leftovers."""
        if self._inner is not None and not self._inner.eof:
            return True
        if len(data) < len(_GZIP):
            self._held = data
            return False
        if self._inner is not None and not data.startswith(_GZIP):
            return False
        self._inner = zlib.decompressobj(_window_bits(data))
        self._members = _one_more(self._members)
        return True

    def complete(self) -> bool:
        return self._inner is not None and bool(self._inner.eof)


def _one_more(members: int) -> int:
    if members >= _MAX_MEMBERS:
        raise DamagedData("too many streams in a row")
    return members + 1


def _window_bits(start: bytes) -> int:
    """zlib's name for the format that begins like this: gzip, zlib, or deflate without any header."""
    if start.startswith(_GZIP):
        return 31
    return 15 if start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0 else -15


class _Brotli:
    def __init__(self) -> None:
        import brotli  # type: ignore[import-untyped]

        self._error: type[Exception] = brotli.error
        self._inner: Any = brotli.Decompressor()

    def feed(self, piece: bytes) -> Iterator[bytes]:
        try:
            while not self._inner.is_finished():
                block = bytes(self._inner.process(piece, output_buffer_limit=_BLOCK))
                piece = b""
                # Being ready for more input does not mean that all output has come.
                if not block and self._inner.can_accept_more_data():
                    return
                yield block
        except self._error as error:
            raise DamagedData from error

    def complete(self) -> bool:
        return bool(self._inner.is_finished())


class _Zstd:
    def __init__(self) -> None:
        import zstandard

        self._error: type[Exception] = zstandard.ZstdError
        self._frames: Any = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._inner: Any = self._frames.decompressobj()
        self._members = 1

    def feed(self, piece: bytes) -> Iterator[bytes]:
        try:
            for start in range(0, len(piece), _ZSTD_SLICE):
                yield self._slice(piece[start : start + _ZSTD_SLICE])
        except self._error as error:
            raise DamagedData from error

    def _slice(self, data: bytes) -> bytes:
        out = b""
        while data:
            if self._inner.eof:
                self._members = _one_more(self._members)
                self._inner = self._frames.decompressobj()
            out += self._inner.decompress(data)
            data = self._inner.unused_data
        return out

    def complete(self) -> bool:
        return bool(self._inner.eof)


_DECODERS: dict[str, type[_Inflate] | type[_Brotli] | type[_Zstd]] = {
    "gzip": _Inflate,
    "x-gzip": _Inflate,
    "deflate": _Inflate,
    "br": _Brotli,
    "zstd": _Zstd,
}
