"""Each user's settings; a user without a row has the defaults."""

from __future__ import annotations

from dataclasses import asdict

from digestlog.core.settings import Settings, Value, checked, setting
from digestlog.store.db import Database


def get(db: Database, user_id: str) -> Settings:
    """The user's settings."""
    row = db.row(
        """SELECT article_history_days, source_diversity_window, max_items_per_category, language
        FROM settings WHERE user_id = :user_id""",
        {"user_id": user_id},
    )
    return Settings() if row is None else Settings(**dict(row))


def language(db: Database, user_id: str) -> str | None:
    """The language that the user has set; None: the user never set anything."""
    row = db.row("SELECT language FROM settings WHERE user_id = :user_id", {"user_id": user_id})
    return None if row is None else str(row["language"])


def change(db: Database, user_id: str, name: str, value: Value) -> Settings:
    """Give one setting a value; ConfigError if there is no such setting or it cannot have the value."""
    wanted = setting(name)
    with db.transaction() as connection:
        settings = checked(Settings(**{**asdict(get(db, user_id)), wanted.name: value}))
        # A row that would stay as it is is left alone, and so is its updated_at.
        connection.execute(
            """INSERT INTO settings (user_id, article_history_days, source_diversity_window,
                max_items_per_category, language, created_at, updated_at)
            VALUES (:user_id, :article_history_days, :source_diversity_window, :max_items_per_category,
                :language, :now, :now)
            ON CONFLICT (user_id) DO UPDATE SET article_history_days = excluded.article_history_days,
                source_diversity_window = excluded.source_diversity_window,
                max_items_per_category = excluded.max_items_per_category,
                language = excluded.language, updated_at = excluded.updated_at
            WHERE (article_history_days, source_diversity_window, max_items_per_category, language)
                IS NOT (excluded.article_history_days, excluded.source_diversity_window,
                    excluded.max_items_per_category, excluded.language)""",
            {"user_id": user_id, "now": db.now_iso, **asdict(settings)},
        )
    return settings
