"""Tests of permissions, also where root runs them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Permissions bind this process inside: root becomes nobody, who may reach `folder` and owns it."""
    if os.geteuid() != 0:
        yield
        return
    nobody = 65534
    for parent in (folder, *folder.parents):
        if parent.owner() == "root" and parent.stat().st_mode & 0o011 == 0:
            parent.chmod(parent.stat().st_mode | 0o011)
    os.chown(folder, nobody, nobody)
    os.seteuid(nobody)
    try:
        yield
    finally:
        os.seteuid(0)
