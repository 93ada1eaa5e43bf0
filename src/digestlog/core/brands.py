"""Whose page it is: the domain that somebody registered, by the public suffix list."""

from __future__ import annotations

import ipaddress
import uuid
from functools import lru_cache
from typing import TYPE_CHECKING

import ada_url

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


def registrable_domain(url: str) -> str:
    """The domain that the owner of an address registered, in ASCII; of a host that has none, the host.

    Names below a private suffix such as github.io are owners of their own.
    """
    host = str(ada_url.URL(url).hostname).removesuffix(".")
    if _is_ip(host):
        return host
    return _suffixes().privatesuffix(host) or host


def brand_id(domain: str) -> str:
    """The id of the brand that a domain has at first, the same on every machine."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:brand:{domain}"))


def first_name(domain: str) -> str:
    """What a brand is called until somebody names it: its domain, as people write it."""
    return str(ada_url.idna_to_unicode(domain)) or domain


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    """The list as the package ships it: nothing is downloaded, nothing is written."""
    from publicsuffixlist import PublicSuffixList  # tens of milliseconds, and few commands need it

    return PublicSuffixList()


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
