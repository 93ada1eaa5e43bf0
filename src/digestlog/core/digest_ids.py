"""The ids that a digest's parts have wherever they are stored or shown."""

from __future__ import annotations

import uuid


def item_id(digest_id: str, category: str, position: int) -> str:
    """The UUID of an item by its place in the digest, so that two machines agree."""
    return str(uuid.uuid5(uuid.UUID(digest_id), f"{position}:{category}"))
