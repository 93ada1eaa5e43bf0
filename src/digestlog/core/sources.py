"""What a person types for a source, and what it means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import ada_url

from digestlog.core import canonical
from digestlog.core.text import clean, without_feed_scheme
from digestlog.errors import ConfigError, UrlError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?![0-9]+(?:[/?#]|$))")


def addresses(text: str) -> list[str]:
    """The addresses that a person may mean, likeliest first: without a scheme, https and then http."""
    text = without_feed_scheme(text.strip())
    if _SCHEME.match(text):
        return [source_url(text)]
    return [source_url(scheme + text.lstrip("/")) for scheme in ("https://", "http://")]


def source_url(text: str) -> str:
    """The form in which a source's address is stored and fetched; ConfigError if it is none."""
    try:
        canonical.canonicalize(text, "ledger")
    except UrlError as error:
        raise ConfigError(
            f"{_shown(text)} is not an address that can be followed", _HINTS[error.code]
        ) from error
    if canonical.without_userinfo(text) != text:
        raise ConfigError(
            f"{_shown(canonical.without_userinfo(text))}: an address with a password is not stored",
            "leave out the part before the @",
        )
    return str(ada_url.replace_url(text, hash=""))


_HINTS = {
    "not_text": "it contains characters that are no text",
    "empty": "it is empty",
    "relative": "write it with https://",
    "unsupported_scheme": "only http and https are followed",
    "invalid": "check the spelling",
    "too_long": "it is too long",
}


def source_changes(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that a person wants changed: None is no wish, '' takes a value away; else ConfigError."""
    changes = {name: value for name, value in wanted.items() if value is not None}
    for name, value in changes.items():
        if isinstance(value, str):
            changes[name] = clean(value)
    for name in ("source_name", "source_url"):
        if name in changes and changes[name] is None:
            raise ConfigError(f"a source needs {'a name' if name == 'source_name' else 'an address'}")
    for name in ("source_url", "site_url"):
        if changes.get(name):
            changes[name] = addresses(changes[name])[0]
    for name in ("link_selector", "date_selector"):
        if changes.get(name):
            _check_selector(changes[name])
    return changes


def _check_selector(selector: str) -> None:
    from digestlog.core.listing import check_selector  # slow to import, and seldom needed

    check_selector(selector)


def same_addresses(url: str) -> tuple[str, ...]:
    """The spellings of an address that are the same source: by scheme and trailing slash."""
    return canonical.twins(url)


def site_url(written: str | None, feed_url: str) -> str | None:
    """The page for people that a feed names, absolute and fit to be followed, or None."""
    try:
        return source_url(ada_url.join_url(feed_url, written)) if written else None
    except (ValueError, ConfigError):
        return None


def host_of(url: str) -> str:
    """The host of an address without www., as a name for want of a better one."""
    return str(ada_url.URL(url).hostname).removeprefix("www.")


def places(page_url: str, paths: tuple[str, ...]) -> list[str]:
    """Where a feed of this page may stand: the paths below the page, then below the site's root."""
    page = ada_url.URL(page_url)
    folder = page.pathname.rpartition("/")[0]
    return list(dict.fromkeys(page.origin + start + path for start in (folder, "") for path in paths))


def _shown(text: str) -> str:
    return text if len(text) <= 100 else text[:99] + "…"
