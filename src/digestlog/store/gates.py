"""What one user may see of the file, table by table, as data.

A table that is not named here is nobody's but an admin's. Each gate is one condition on the rows of one
table; `:user_id` is the only value in it. `store/personal.py` copies what passes them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gate:
    """Which rows of a table pass, and which of its columns."""

    table: str
    # Where to read: the table, or the view that keeps the rule.
    source: str
    where: str
    # Which rows count as the newest, where a table is too large to be copied whole.
    newest: str
    hidden: tuple[str, ...] = ()


def _own(table: str, newest: str = "created_at", column: str = "user_id", **more: tuple[str, ...]) -> Gate:
    return Gate(table, table, f"{column} = :user_id", newest, **more)


def _visible(table: str, view: str, newest: str) -> Gate:
    return Gate(table, view, "user_id = :user_id", newest)


def _of_own_digests(table: str) -> Gate:
    own = "synthesis_id IN (SELECT id FROM syntheses WHERE user_id = :user_id)"
    return Gate(table, table, own, "created_at")


_ACTIVE_TREND = "SELECT id FROM trend_definitions WHERE is_active = 1"
# Points are counted over the whole file. Numbers without a name are everybody's, and so are the sources'; a
# brand's only where the user watches one of its pages, from the day after the history begins; what other
# users' digests and submissions were about is theirs.
_TREND_POINT = f"""trend_id IN ({_ACTIVE_TREND} AND scope IN ('all', 'source'))
    OR trend_id IN ({_ACTIVE_TREND} AND scope = 'brand') AND EXISTS (
        SELECT 1 FROM visible_urls AS mine
        WHERE mine.user_id = :user_id AND mine.brand_id = trend_points.series
            AND (mine.history_start_at IS NULL OR trend_points.day > substr(mine.history_start_at, 1, 10)))"""  # noqa: S608

GATES = (
    _own("users", column="id", hidden=("password_hash", "session_epoch")),
    Gate("plan_definitions", "plan_definitions", "1", "created_at"),
    _own("subscriptions"),
    _own("onboarding_state"),
    _own("settings"),
    _own("categories"),
    _own("user_sources"),
    _own("article_history"),
    _own("syntheses"),
    _of_own_digests("synthesis_items"),
    _of_own_digests("synthesis_candidates"),
    Gate(
        "brand_library_brands",
        "brand_library_brands",
        "id IN (SELECT brand_id FROM visible_urls WHERE user_id = :user_id)",
        "created_at",
    ),
    _visible("urls", "visible_urls", "created_at"),
    _own("user_url_library"),
    _own("url_submissions"),
    # Who decided is an admin's matter.
    Gate(
        "url_policy_decisions",
        "url_policy_decisions",
        "submission_id IN (SELECT id FROM url_submissions WHERE user_id = :user_id)",
        "created_at",
        hidden=("decided_by",),
    ),
    _visible("url_observations", "visible_observations", "checked_at"),
    _visible("url_change_events", "visible_change_events", "detected_at"),
    _visible("url_change_summaries", "visible_change_summaries", "created_at"),
    _visible("url_render_artifacts", "visible_render_artifacts", "created_at"),
    Gate(
        "told_events",
        "told_events",
        """user_id = :user_id
            AND event_id IN (SELECT id FROM visible_change_events WHERE user_id = :user_id)""",
        "created_at",
    ),
    Gate("trend_definitions", "trend_definitions", "is_active = 1", "created_at"),
    Gate("trend_points", "trend_points", _TREND_POINT, "day"),
)

# Views of the file that hold nothing but what the tables above hold.
VIEWS = ("brands",)
TABLES = frozenset(gate.table for gate in GATES)
