"""Whether pictures can be tried on this machine."""

from __future__ import annotations

import importlib
from pathlib import Path

from digestlog.web.render import installed


def why_none() -> str | None:
    """Why no browser can be tried here; None: it can."""
    try:
        importlib.import_module("playwright.async_api")
    except ModuleNotFoundError:
        return "playwright is not installed"
    own = Path.home() / ".cache" / "ms-playwright"
    return None if installed() or any(own.glob("chromium*")) else "no browser is installed"
