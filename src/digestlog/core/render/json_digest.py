"""A digest as JSON: the names of docs/digest-output.md."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from digestlog.core.digest import Digest


def as_object(digest: Digest) -> dict[str, Any]:
    """The digest as plain lists and dictionaries, nothing left out."""
    return asdict(digest)


def to_json(digest: Digest) -> str:
    """The digest as one JSON object, readable by people too."""
    return json.dumps(as_object(digest), ensure_ascii=False, indent=2) + "\n"
