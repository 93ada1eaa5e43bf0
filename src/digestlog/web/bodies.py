"""Bodies: read piece by piece and unpacked as they come, so that none outgrows its limit."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Protocol

from digestlog.errors import FetchError
from digestlog.web.address import shown

MAX_ENCODINGS = 2
_GZIP = b"\x1f\x8b"
_MAX_MEMBERS = 1000
_MAX_PIECES = 200_000
# Bodies above this size are read a few at a time: many at once would fill the memory.
_LARGE = 1_000_000
_LARGE_AT_ONCE = 6
# Four bytes of zstd can become 128 kB, and its decoder knows no limit: it is fed in slices.
_ZSTD_SLICE = 128
# What RFC 9659 allows on the web; zstd itself would take windows of gigabytes.
_ZSTD_WINDOW = 8 << 20


class DamagedData(ValueError):
    """Bytes that are not compressed as they should be."""


class Decoder(Protocol):
    """Unpacks one content encoding."""

    def feed(self, piece: bytes, room: int) -> bytes:
        """What the piece unpacks to, not much beyond `room` bytes; DamagedData if it cannot be unpacked."""

    def complete(self) -> bool:
        """True if all that was fed forms a whole."""


class Bodies:
    """Reads bodies within a limit."""

    def __init__(self) -> None:
        self._large = asyncio.Semaphore(_LARGE_AT_ONCE)

    async def read(
        self, url: str, pieces: AsyncIterator[bytes], encoding: str, limit: int, *, cut: bool = False
    ) -> bytes:
        """The unpacked body; what exceeds the limit is an error, or is cut away if `cut`."""
        unpacker = _Unpacker(decoders(url, encoding))
        body = bytearray()
        wire = count = 0
        async with AsyncExitStack() as held:
            async for piece in pieces:
                wire, count = wire + len(piece), count + 1
                body += _unpack(url, unpacker, piece, limit + 1 - len(body))
                if len(body) > limit or wire > limit:
                    return _too_large(url, body, limit, cut)
                if count > _MAX_PIECES:
                    raise FetchError(f"{shown(url)} comes in too many small pieces", url=url)
                if len(body) > _LARGE and not unpacker.counted_large:
                    unpacker.counted_large = True
                    await held.enter_async_context(self._large)
        if not unpacker.complete():
            raise cut_off(url)
        return bytes(body)


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


def _unpack(url: str, unpacker: _Unpacker, piece: bytes, room: int) -> bytes:
    try:
        return unpacker.feed(piece, room)
    except DamagedData as error:
        raise FetchError(f"{shown(url)} sent damaged compressed data", url=url, temporary=True) from error


def _too_large(url: str, body: bytearray, limit: int, cut: bool) -> bytes:
    if cut:
        return bytes(body[:limit])
    raise FetchError(f"{shown(url)} is larger than {limit:,} bytes", url=url)


class _Unpacker:
    """Several decoders in a row; none of them yields much more than there is room for."""

    def __init__(self, chain: list[Decoder]) -> None:
        self._chain = chain
        self._fed = False
        self.counted_large = False

    def feed(self, piece: bytes, room: int) -> bytes:
        self._fed = self._fed or bool(piece)
        for decoder in self._chain:
            piece = decoder.feed(piece, room)
        return piece

    def complete(self) -> bool:
        """True if every stream has ended; a body without a byte is whole, whatever its header says."""
        return not self._fed or all(decoder.complete() for decoder in self._chain)


class _Inflate:
    """gzip and deflate, told apart by their first two bytes, because servers mix up the names."""

    def __init__(self) -> None:
        self._held = b""
        self._inner: Any = None
        self._members = 0

    def feed(self, piece: bytes, room: int) -> bytes:
        data, self._held = self._held + piece, b""
        out = b""
        try:
            while data and len(out) < room and self._ready_for(data):
                out += self._inner.decompress(data, room - len(out))
                data = self._inner.unused_data
        except zlib.error as error:
            raise DamagedData from error
        return out

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

    def feed(self, piece: bytes, room: int) -> bytes:
        if self._inner.is_finished():
            return b""
        try:
            return bytes(self._inner.process(piece, output_buffer_limit=room))
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

    def feed(self, piece: bytes, room: int) -> bytes:
        out = bytearray()
        try:
            for start in range(0, len(piece), _ZSTD_SLICE):
                out += self._slice(piece[start : start + _ZSTD_SLICE])
                if len(out) >= room:
                    break
        except self._error as error:
            raise DamagedData from error
        return bytes(out)

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
