from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable, Iterable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from digestlog.errors import FetchError
from digestlog.web import bodies
from digestlog.web.bodies import Bodies

URL = "http://tides.example/feed"
LIMIT = 1_000_000
TEXT = b"".join(b"<item>the tide of day %d</item>" % day for day in range(3000))


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: bytes(brotli.compress(data, quality=3)),
    "zstd": zstandard.compress,
}


async def as_pieces(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def split(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def read(parts: Iterable[bytes], encoding: str = "", limit: int = LIMIT, *, cut: bool = False) -> bytes:
    async def one() -> bytes:
        async with Bodies().reader() as reader:
            return await reader.read(URL, as_pieces(parts), encoding, limit, cut=cut)

    return asyncio.run(one())


@pytest.mark.parametrize("size", [1, 7, 65_536])
@pytest.mark.parametrize("encoding", PACK)
def test_unpacks_in_pieces_of_any_size(encoding: str, size: int) -> None:
    assert read(split(PACK[encoding](TEXT), size), encoding) == TEXT


@pytest.mark.parametrize("encoding", ["", "identity", " , IDENTITY,"])
def test_plain(encoding: str) -> None:
    assert read([b"a", b"", b"b"], encoding) == b"ab"


@pytest.mark.parametrize(
    ("encoding", "pack"), [("deflate", raw_deflate), ("deflate", gzip.compress), ("gzip", zlib.compress)]
)
@pytest.mark.parametrize("size", [1, 65_536])
def test_servers_mix_up_the_names(encoding: str, pack: Callable[[bytes], bytes], size: int) -> None:
    assert read(split(pack(TEXT), size), encoding) == TEXT


@pytest.mark.parametrize("inner", ["gzip", "br", "zstd", "deflate"])
@pytest.mark.parametrize("outer", ["gzip", "br", "zstd", "deflate"])
def test_two_encodings_come_off_in_the_right_order(inner: str, outer: str) -> None:
    packed = PACK[outer](PACK[inner](TEXT))
    assert read(split(packed, 1000), f"{inner}, {outer.upper()}") == TEXT


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("gzip, gzip, gzip", "compressed more than 2 times over"),
        ("compress", r"was not asked for \(compress\)"),
        ("gzip, x-\x1bnone", "was not asked for"),
    ],
)
def test_what_is_not_unpacked(encoding: str, words: str) -> None:
    with pytest.raises(FetchError, match=f"^{URL} .*{words}") as caught:
        read([b"x"], encoding)
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("size", [1, 65_536])
@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_one_stream_after_another(encoding: str, size: int) -> None:
    packed = PACK[encoding](b"one ") + PACK[encoding](b"") + PACK[encoding](b"two")
    assert read(split(packed, size), encoding) == b"one two"


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_but_not_without_end(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_MAX_MEMBERS", 5)
    assert read([PACK[encoding](b"a") * 5], encoding) == b"aaaaa"
    with pytest.raises(FetchError, match="damaged"):
        read([PACK[encoding](b"a") * 6], encoding)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
@pytest.mark.parametrize("rest", [b"\n", b"\x1f", b"<!-- served by -->"])
def test_leftovers_in_a_later_piece_are_ignored(encoding: str, rest: bytes) -> None:
    assert read([PACK[encoding](TEXT), rest, rest], encoding) == TEXT


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_stream_without_its_end_was_cut_off(encoding: str) -> None:
    with pytest.raises(FetchError, match=f"^{URL} was cut off$") as caught:
        read([PACK[encoding](TEXT)[:-5]], encoding)
    assert caught.value.temporary


def test_one_byte_is_no_gzip() -> None:
    with pytest.raises(FetchError, match="cut off"):
        read([b"\x1f"], "gzip")


@pytest.mark.parametrize("encoding", PACK)
def test_no_byte_at_all_is_an_empty_body(encoding: str) -> None:
    assert read([], encoding) == b""
    assert read([b""], encoding) == b""


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd"])
def test_damaged(encoding: str) -> None:
    with pytest.raises(FetchError, match="sent damaged compressed data") as caught:
        read([b"<html>not packed at all</html>" * 9], encoding)
    assert caught.value.temporary


@pytest.mark.parametrize("more", [-1, 0, 1, 300])
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_nothing_is_lost_between_blocks(encoding: str, more: int) -> None:
    data = b"\0" * (2 * bodies._BLOCK + more)
    assert read(split(PACK[encoding](data), 10), encoding) == data
    assert read([PACK[encoding](data)], encoding) == data


def test_limit_is_exact() -> None:
    assert len(read([b"a" * 5, b"a" * 5], limit=10)) == 10
    with pytest.raises(FetchError, match=f"^{URL} is larger than 10 bytes$") as caught:
        read([b"a" * 5, b"a" * 6], limit=10)
    assert not caught.value.temporary


@pytest.mark.parametrize("encoding", PACK)
def test_cut_takes_the_beginning(encoding: str) -> None:
    assert read([PACK[encoding](TEXT)], encoding, limit=10, cut=True) == TEXT[:10]


def test_an_endless_body_is_left_at_the_limit() -> None:
    taken = 0

    def forever() -> Iterable[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b"a" * 1000

    with pytest.raises(FetchError, match="(larger|more) than"):
        read(forever(), limit=100_000)
    assert taken == 101


def test_endless_leftovers_are_left_too() -> None:
    def forever() -> Iterable[bytes]:
        yield gzip.compress(b"a")
        while True:
            yield b"x" * 1000

    with pytest.raises(FetchError, match="(larger|more) than"):
        read(forever(), "gzip", limit=100_000)


def test_a_body_in_crumbs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_MAX_PIECES", 10)
    assert read([b"a"] * 10) == b"a" * 10
    with pytest.raises(FetchError, match="too many small pieces"):
        read([b"a"] * 11)


BOMB = b"\0" * 200_000_000


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "gzip, gzip", "zstd, zstd", "gzip, br"])
def test_a_bomb_never_fills_memory(encoding: str) -> None:
    packed = BOMB
    for name in encoding.split(", "):
        packed = PACK[name](packed)
    tracemalloc.start()
    start = time.process_time()
    try:
        with pytest.raises(FetchError, match="unpacks to more than 1,000,000 bytes"):
            read(split(packed, 65_536), encoding)
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
        assert time.process_time() - start < 5
    finally:
        tracemalloc.stop()


def test_a_huge_zstd_window_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=27)
    packing = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    packed = packing.compress(TEXT) + packing.flush()
    with pytest.raises(FetchError, match="damaged"):
        read([packed], "zstd")


def test_an_error_does_not_keep_what_was_read() -> None:
    with pytest.raises(FetchError) as caught:
        read([b"a" * 900_000] * 2)
    trace = caught.value.__traceback__
    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            assert len(getattr(value, "_body", b"")) == 0
        trace = trace.tb_next


def test_only_a_few_large_bodies_at_once() -> None:
    inside = most = 0

    async def large() -> AsyncIterator[bytes]:
        nonlocal inside, most
        yield b"a" * 1_000_001
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0)
        yield b"b"
        await asyncio.sleep(0)
        inside -= 1

    async def all_of_them() -> list[bytes]:
        bodies = Bodies()

        async def one() -> bytes:
            async with bodies.reader() as reader:
                return await reader.read(URL, large(), "", 2_000_000)

        return await asyncio.gather(*(one() for _ in range(20)))

    got = asyncio.run(all_of_them())
    assert {len(body) for body in got} == {1_000_002}
    assert most == 6


@given(st.binary(), st.sampled_from(["gzip", "br", "zstd", "deflate", "gzip, br"]), st.integers(1, 50))
def test_any_bytes_give_a_body_or_a_fetch_error(data: bytes, encoding: str, size: int) -> None:
    try:
        assert len(read(split(data, size), encoding, 10_000)) <= 10_000
    except FetchError as error:
        assert error.message.startswith(URL)


@given(st.binary(), st.sampled_from(sorted(PACK)), st.integers(1, 50))
def test_packed_and_unpacked_is_the_same(data: bytes, encoding: str, size: int) -> None:
    assert read(split(PACK[encoding](data), size), encoding) == data
