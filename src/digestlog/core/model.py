"""The values that travel between the layers."""

from __future__ import annotations

from dataclasses import dataclass

RSS = "RSS"
DIRECT = "Direct"
METHODS = (RSS, DIRECT)


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source that a person wants to follow."""

    source_url: str
    source_name: str
    url_scraping_method: str
    site_url: str | None = None
    folder: str | None = None
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A followed source with what its last visits left behind."""

    source_uuid: str
    source_name: str
    source_url: str
    url_scraping_method: str
    is_active: bool
    paused_reason: str | None
    removed_at: str | None
    site_url: str | None
    folder: str | None
    allow_private: bool
    link_selector: str | None
    date_selector: str | None
    created_at: str
    updated_at: str
    last_scanned_at: str | None
    last_success_at: str | None
    next_scan_at: str | None
    consecutive_failures: int
    last_error: str | None


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a wish to follow a source: `new`, `back` after a removal, or `known` all along."""

    source: Source
    outcome: str


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that the doctor looked at; `problems` is empty where all is well."""

    name: str
    looked_at: str
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True where all is well."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect that was followed: the status, and where it led."""

    status: int
    url: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address answered after its redirects; an answer of 304 has no body.

    `elapsed_s` is the time spent on the network, without waiting for a turn.
    """

    requested_url: str
    url: str
    status: int
    content_type: str | None
    charset: str | None
    body: bytes
    hops: tuple[Hop, ...] = ()
    etag: str | None = None
    last_modified: str | None = None
    retry_after_s: int | None = None
    max_age_s: int | None = None
    elapsed_s: float = 0.0

    @property
    def permanent_url(self) -> str:
        """The address to ask next time: as far as the redirects were permanent."""
        url = self.requested_url
        for hop in self.hops:
            if hop.status not in (301, 308):
                break
            url = hop.url
        return url


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where an address leads after its redirects, without what stands there."""

    requested_url: str
    url: str
    status: int
    hops: tuple[Hop, ...] = ()
    retry_after_s: int | None = None

    @property
    def redirected(self) -> bool:
        """True if at least one redirect was followed."""
        return bool(self.hops)


@dataclass(frozen=True, slots=True)
class Tried:
    """One address that was looked at on the way to a source, and what was there."""

    url: str
    outcome: str
