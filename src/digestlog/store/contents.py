"""What watched pages say: each content once, however many pages and looks had it."""

from __future__ import annotations

import sqlite3

from digestlog.store.db import Database


def get(db: Database, content_sha256: str) -> bytes:
    """A content that is kept, packed."""
    row = db.rows("SELECT content FROM url_contents WHERE content_sha256 = :sha", {"sha": content_sha256})[0]
    return bytes(row["content"])


def keep(db: Database, connection: sqlite3.Connection, content_sha256: str, content: bytes) -> None:
    """Keep a content, unless it is there."""
    connection.execute(
        """INSERT INTO url_contents (content_sha256, content, created_at) VALUES (:sha, :content, :now)
        ON CONFLICT DO NOTHING""",
        {"sha": content_sha256, "content": content, "now": db.now_iso},
    )
