"""The answers of models, so that the same question about the same text is asked only once."""

from __future__ import annotations

from datetime import datetime

from digestlog.core.moments import to_iso
from digestlog.store.db import Database


class ProviderCache:
    """The answers that the file holds; without `keep` it is only asked, and nothing is added."""

    def __init__(self, db: Database, *, keep: bool = True) -> None:
        self._db = db
        self._keep = keep

    def get(self, key: str) -> str | None:
        """The answer to a question that was asked before."""
        row = self._db.row("SELECT answer FROM provider_answers WHERE question_sha256 = :key", {"key": key})
        return str(row["answer"]) if row else None

    def put(self, key: str, model: str, answer: str) -> None:
        """Remember an answer; a newer one takes the place of an older one."""
        if not self._keep:
            return
        with self._db.transaction() as connection:
            connection.execute(
                """INSERT OR REPLACE INTO provider_answers (question_sha256, model, answer, created_at)
                VALUES (:key, :model, :answer, :now)""",
                {"key": key, "model": model, "answer": answer, "now": self._db.now_iso},
            )


def delete_older_than(db: Database, moment: datetime) -> int:
    """Forget the answers from before this moment; how many there were."""
    with db.transaction() as connection:
        gone = connection.execute(
            "DELETE FROM provider_answers WHERE created_at < :moment", {"moment": to_iso(moment)}
        )
        return gone.rowcount
