from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.errors import AddressRefused
from digestlog.web import guard
from digestlog.web.failures import NoConnection, TooSlow
from digestlog.web.guard import Guard, is_public

PUBLIC_4 = "93.184.216.34"
PUBLIC_6 = "2606:2800:220:1::1"


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        PUBLIC_4,
        "100.63.255.255",
        "100.128.0.0",
        "172.32.0.1",
        "192.0.1.1",
        "223.255.255.255",
        PUBLIC_6,
    ]
    + [
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
        "2a00:1450::1",
        "2001:200::1",
        "2001:4860::1%eth0",
    ],
)
def test_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.0.1"),
        *("168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1"),
        *("192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9"),
        *("224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
        *(
            "::",
            "::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:8.8.8.8",
        ),
        *(
            "64:ff9b::10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001::1",
            "2001:0:808:808::",
        ),
        *(
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "3fff::1",
        ),
        *("5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"),
    ],
)
def test_not_public(address: str) -> None:
    assert not is_public(address)


@given(st.ip_addresses())
def test_whatever_python_calls_private_is_not_public(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if ip.is_private or ip.is_multicast or ip.is_loopback or ip.is_link_local or ip.is_reserved:
        wrapped = isinstance(ip, ipaddress.IPv6Address) and (
            ip.ipv4_mapped or str(ip).startswith("64:ff9b::")
        )
        assert wrapped or not is_public(str(ip))


@given(st.ip_addresses(v=4))
def test_wrapping_changes_nothing(ip: ipaddress.IPv4Address) -> None:
    plain = is_public(str(ip))
    assert is_public(f"::ffff:{ip}") == is_public(f"64:ff9b::{ip}") == plain
    assert is_public(f"2002:{int(ip) >> 16:x}:{int(ip) & 0xFFFF:x}::1") == plain


class Names:
    """A name server that counts."""

    def __init__(self, **names: Sequence[str]) -> None:
        self.names = names
        self.asked: list[str] = []

    def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return self.names[host]


def addresses(
    a_guard: Guard, host: str, port: int = 80, *, allow_private: bool = False
) -> list[tuple[str, int]]:
    async def ask() -> list[tuple[str, int]]:
        try:
            return await a_guard.addresses(host, port, allow_private=allow_private)
        finally:
            a_guard.close()
            a_guard._threads = None

    return asyncio.run(ask())


def test_mixed_answers_leave_the_public_ones() -> None:
    names = Names(mixed=["127.0.0.1", PUBLIC_4, "::1", PUBLIC_6])
    assert addresses(Guard(lookup=names), "mixed") == [(PUBLIC_4, 80), (PUBLIC_6, 80)]


def test_private_only_is_refused() -> None:
    with pytest.raises(AddressRefused, match=r"inner is a private address \(10.0.0.5\)") as caught:
        addresses(Guard(lookup=Names(inner=["10.0.0.5", "fe80::1%eth0"])), "inner")
    assert "--allow-private" in (caught.value.hint or "")
    assert not caught.value.temporary


def test_allow_private_passes_all() -> None:
    found = addresses(Guard(lookup=Names(inner=["10.0.0.5", PUBLIC_4])), "inner", 8080, allow_private=True)
    assert found == [("10.0.0.5", 8080), (PUBLIC_4, 8080)]


@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "::ffff:169.254.169.254", "100.100.100.200", "fd00:ec2::254", "168.63.129.16"],
)
def test_a_cloud_s_secrets_are_nobody_s_own_network(address: str) -> None:
    with pytest.raises(AddressRefused):
        addresses(Guard(lookup=Names(inner=[address])), "inner", allow_private=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "169.254.169.254", "localhost"])
def test_the_machine_itself_is_refused(host: str) -> None:
    with pytest.raises(AddressRefused):
        addresses(Guard(), host)


def test_unknown_name() -> None:
    with pytest.raises(NoConnection, match="cannot be found"):
        addresses(Guard(lookup=Names()), "nowhere")


@pytest.mark.parametrize("host", ["ü.example", "a" * 70 + ".example"])
def test_names_that_no_lookup_takes(host: str) -> None:
    with pytest.raises(NoConnection, match="cannot be found"):
        addresses(Guard(), host)


def test_a_name_without_addresses() -> None:
    assert addresses(Guard(lookup=Names(empty=[])), "empty") == []


def test_pins_hold_for_port_80_only() -> None:
    pinned = Guard({"demo.example": ("127.0.0.1", 4711)}, Names())
    assert addresses(pinned, "demo.example") == [("127.0.0.1", 4711)]
    with pytest.raises(NoConnection):
        addresses(pinned, "demo.example", 443)
    with pytest.raises(AddressRefused):
        addresses(pinned, "127.0.0.1", 4711)


def test_names_are_remembered_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: now))
    names = Names(a=[PUBLIC_4], b=[PUBLIC_4])
    remembering = Guard(lookup=names)
    for host in ("a", "a", "b"):
        addresses(remembering, host)
    now = 61.0
    addresses(remembering, "a")
    assert names.asked == ["a", "b", "a"]


def test_names_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_MAX_NAMES", 1)
    names = Names(a=[PUBLIC_4], b=[PUBLIC_4])
    forgetful = Guard(lookup=names)
    for host in ("a", "b", "b", "a"):
        addresses(forgetful, host)
    assert names.asked == ["a", "b", "a"]
    assert len(forgetful._known) == 1


def test_families_take_turns() -> None:
    mixed = guard._by_turns(["::1", "::2", "::2", "::3", "1.1.1.1", "2.2.2.2"])
    assert mixed == ("::1", "1.1.1.1", "::2", "2.2.2.2", "::3")
    assert guard._by_turns([]) == ()


class Phone:
    """Notes where connections go; some of them fail, and some take for ever."""

    def __init__(self, failing: dict[str, Exception], silent: Sequence[str] = ()) -> None:
        self.failing = failing
        self.silent = silent
        self.tried: list[tuple[str, int]] = []
        self.failure: Exception | None = None

    async def dial(self, address: str, port: int) -> str:
        self.tried.append((address, port))
        if address in self.silent:
            await asyncio.Event().wait()
        if address in self.failing:
            raise self.failing[address]
        return f"connected to {address}"


def connect(
    names: Callable[[str], Sequence[str]],
    failing: dict[str, Exception],
    *,
    silent: Sequence[str] = (),
    timeout_s: float = 9.0,
) -> Phone:
    phone = Phone(failing, silent)

    async def body() -> None:
        keeper = Guard(lookup=names)
        try:
            await keeper.connect("site", 443, phone.dial, allow_private=False, timeout_s=timeout_s)
        finally:
            keeper.close()

    try:
        asyncio.run(body())
    except (NoConnection, TooSlow) as error:
        phone.failure = error
    return phone


def test_connects_to_the_judged_address_only() -> None:
    phone = connect(Names(site=["127.0.0.1", PUBLIC_4]), {})
    assert (phone.tried, phone.failure) == ([(PUBLIC_4, 443)], None)


def test_the_next_address_is_tried_with_its_share_of_the_time() -> None:
    phone = connect(Names(site=["1.1.1.1", PUBLIC_4]), {}, silent=["1.1.1.1"], timeout_s=1.0)
    assert [host for host, _ in phone.tried] == ["1.1.1.1", PUBLIC_4]
    assert phone.failure is None


def test_an_address_that_refuses_does_not_stand_for_the_others() -> None:
    phone = connect(Names(site=["1.1.1.1", PUBLIC_4]), {"1.1.1.1": ConnectionRefusedError()})
    assert [host for host, _ in phone.tried] == ["1.1.1.1", PUBLIC_4]
    assert phone.failure is None


def test_not_more_than_four_addresses_are_tried() -> None:
    many = [f"1.1.1.{last}" for last in range(1, 9)]
    phone = connect(Names(site=many), {address: OSError("no") for address in many})
    assert len(phone.tried) == 4
    assert isinstance(phone.failure, NoConnection)
    assert str(phone.failure.__cause__) == "no"


def test_addresses_that_all_keep_silent() -> None:
    many = ["1.1.1.1", "1.1.1.2"]
    phone = connect(Names(site=many), {}, silent=many, timeout_s=1.0)
    assert [host for host, _ in phone.tried] == many
    assert isinstance(phone.failure, TooSlow)


def test_what_is_not_secure_at_one_address_is_not_at_another() -> None:
    many = ["1.1.1.1", "1.1.1.2"]
    phone = connect(Names(site=many), {"1.1.1.1": ssl.SSLError(1, "wrong version")})
    assert len(phone.tried) == 1
    assert isinstance(phone.failure, NoConnection)
    assert isinstance(phone.failure.__cause__, ssl.SSLError)


def test_no_address_at_all() -> None:
    assert str(connect(Names(site=[]), {}).failure) == "the name has no address"


def test_a_slow_name_server_counts_as_connecting() -> None:
    async def never(host: str) -> Sequence[str]:
        await asyncio.Event().wait()
        return ()

    async def body() -> None:
        keeper = Guard()
        keeper._in_thread = never  # type: ignore[method-assign]
        with pytest.raises(TooSlow):
            await keeper.connect("site", 80, Phone({}).dial, allow_private=False, timeout_s=0.01)
        keeper.close()

    asyncio.run(body())
