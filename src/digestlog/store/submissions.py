"""Submissions: every attempt to watch a page, what was decided about it and why, and what came of it."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from digestlog.core import canonical
from digestlog.core.library import BLOCKED, CREATED, LINKED, Identity, Wish, duplicate, refused, routed
from digestlog.core.policy import Decision
from digestlog.core.text import without_nul
from digestlog.errors import LibraryError
from digestlog.store import brands, library, onboarding, users
from digestlog.store.db import Database

LIMIT = 50


@dataclass(frozen=True, slots=True)
class Submission:
    """An attempt to watch a page, with the latest decision about it."""

    id: str
    user_id: str
    user: str
    submitted_url: str
    canonical_url: str | None
    status: str
    matched_url_id: str | None
    created_at: str
    updated_at: str
    decision: str | None
    reason_code: str | None
    evidence: dict[str, str | None] | None
    decided_by: str | None
    wish: Wish


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a submission went: the status, the page if it is watched, and whether the wish was heeded."""

    status: str
    url_id: str | None = None
    heeded: bool = True


# --- writing -----------------------------------------------------------------------------


def record(db: Database, user_id: str, texts: Sequence[str], wish: Wish) -> list[Submission]:
    """Step 1: a pending row for each text, kept at once, whatever happens later."""
    asked = {"user_id": user_id, "options": wish.to_json(), "now": db.now_iso}
    ids = []
    with db.transaction() as connection:
        before = Counter(
            row["submitted_url"]
            for row in connection.execute(
                "SELECT submitted_url FROM url_submissions WHERE user_id = :user_id AND created_at = :now",
                asked,
            )
        )
        for text in texts:
            # By who asked, when, for what; the same twice in a second are two attempts.
            name = f"submission:{db.now_iso}:{before[text]}:{text}"
            ids.append(str(uuid.uuid5(uuid.UUID(user_id), name)))
            before[text] += 1
            connection.execute(
                """INSERT INTO url_submissions (id, user_id, submitted_url, options, created_at, updated_at)
                VALUES (:id, :user_id, :text, :options, :now, :now)""",
                {**asked, "id": ids[-1], "text": text},
            )
    return [get(db, one) for one in ids]


def decide(
    db: Database,
    connection: sqlite3.Connection,
    submission_id: str,
    decision: Decision,
    decided_by: str | None = None,
) -> None:
    """Step 3: write down a decision and what it rests on, in the caller's transaction."""
    (before,) = connection.execute(
        "SELECT count(*) FROM url_policy_decisions WHERE submission_id = :id", {"id": submission_id}
    ).fetchone()
    connection.execute(
        """INSERT INTO url_policy_decisions
            (id, submission_id, decision, reason_code, evidence, decided_by, created_at)
        VALUES (:id, :submission_id, :decision, :reason_code, :evidence, :decided_by, :now)""",
        {
            "id": str(uuid.uuid5(uuid.UUID(submission_id), f"decision:{before}")),
            "submission_id": submission_id,
            "decision": decision.decision,
            "reason_code": decision.reason_code,
            "evidence": without_nul(json.dumps(decision.evidence, ensure_ascii=False)),
            "decided_by": decided_by,
            "now": db.now_iso,
        },
    )


def settle(
    connection: sqlite3.Connection,
    submission_id: str,
    status: str,
    canonical_url: str | None,
    url_id: str | None = None,
) -> None:
    """Steps 4 and 5: what became of the submission, in the caller's transaction."""
    connection.execute(
        """UPDATE url_submissions
        SET status = :status, canonical_url = :canonical_url, matched_url_id = :url_id WHERE id = :id""",
        {"id": submission_id, "status": status, "canonical_url": canonical_url, "url_id": url_id},
    )


def finish(
    db: Database, submission: Submission, page: Identity | None, decision: Decision, wish: Wish
) -> bool:
    """Steps 3 to 6 in one transaction, unless another run was faster; False if a wish was not heeded."""
    with db.transaction() as connection:
        if not is_pending(db, submission.id):
            return True
        decision, placed = _end(db, connection, submission.user_id, page, decision, wish)
        decide(db, connection, submission.id, decision)
        canonical_url = page.canonical_url if page else None
        settle(connection, submission.id, placed.status, canonical_url, placed.url_id)
        return placed.heeded


def _end(
    db: Database,
    connection: sqlite3.Connection,
    user_id: str,
    page: Identity | None,
    decision: Decision,
    wish: Wish,
) -> tuple[Decision, Placed]:
    """What is true now: meanwhile the user may watch the page already, or have no place left."""
    if page is None:
        return decision, Placed(BLOCKED)
    url_id = canonical.url_id(page.canonical_url)
    if library.is_member(db, user_id, url_id):
        return duplicate(page.hostname), Placed(BLOCKED, None, repace(db, connection, user_id, url_id, wish))
    status = routed(decision.decision)
    if status is not None:
        return decision, Placed(status)
    try:
        return decision, place(db, connection, user_id, page, wish)
    except LibraryError as error:
        return refused(page.hostname, error), Placed(BLOCKED)


def place(db: Database, connection: sqlite3.Connection, user_id: str, page: Identity, wish: Wish) -> Placed:
    """Steps 5 and 6: the page, once for all, and the user's place in front of it; LibraryError and
    nothing written if that may not be. In the caller's transaction.
    """
    with _savepoint(connection):
        found = library.get_or_create_global_url_by_canonical(
            db, connection, page.canonical_url, url=page.url, wish=wish
        )
        brands.fill(db, connection, found.url_id, page.url)
        _keep_private(db, user_id, found, wish)
        library.link(db, connection, user_id, found.url_id)
        onboarding.watches_a_page(db, connection, user_id)
    if found.created:
        return Placed(CREATED, found.url_id)
    return Placed(LINKED, found.url_id, repace(db, connection, user_id, found.url_id, wish))


def repace(db: Database, connection: sqlite3.Connection, user_id: str, url_id: str, wish: Wish) -> bool:
    """Check a known page as the user wishes; False if others watch it, for whom only an admin decides."""
    if not wish.about_pace and not wish.allow_private:
        return True
    shared = library.others(db, user_id, url_id) > 0
    if shared and not users.is_admin(db, user_id):
        return False
    # What others watch is never opened to a private network behind their backs.
    library.rewish(connection, url_id, replace(wish, allow_private=wish.allow_private and not shared))
    return True


def _keep_private(db: Database, user_id: str, found: library.GlobalUrl, wish: Wish) -> None:
    """What stands in a private network is for those who may look into it, and not for others by chance."""
    if found.created or found.allow_private == wish.allow_private:
        return
    if found.allow_private:
        raise LibraryError("it is in a private network", "an admin may watch it, with --allow-private")
    if library.others(db, user_id, found.url_id):
        raise LibraryError(
            "others watch it, who would see what is in your private network",
            "they have to stop watching it first",
        )


@contextmanager
def _savepoint(connection: sqlite3.Connection) -> Iterator[None]:
    """All of the block or nothing of it, inside a transaction that goes on either way."""
    connection.execute("SAVEPOINT place")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK TO place")
        raise
    finally:
        connection.execute("RELEASE place")


# --- reading -----------------------------------------------------------------------------


def get(db: Database, submission_id: str) -> Submission:
    """The submission with this id, which is there."""
    return _submission(db.rows(f"{_SUBMISSIONS} WHERE asked.id = :id", {"id": submission_id})[0])


def pending(db: Database, user_id: str) -> list[Submission]:
    """The user's submissions that nothing was decided about, the oldest first."""
    return _submissions(db, "asked.user_id = :user_id AND asked.status = 'pending'", user_id=user_id)


def is_pending(db: Database, submission_id: str) -> bool:
    """True if nothing was decided yet."""
    asked = "SELECT 1 FROM url_submissions WHERE id = :id AND status = 'pending'"
    return db.row(asked, {"id": submission_id}) is not None


def waiting(db: Database, limit: int | None = None) -> list[Submission]:
    """The submissions of all users that wait for an admin, the oldest first."""
    most = -1 if limit is None else limit
    return _submissions(db, "asked.status = 'needs_review'", f"{_OLDEST} LIMIT :most", most=most)


def find_mine(db: Database, user_id: str, submission_id: str) -> Submission | None:
    """The user's submission with this id; None if there is none."""
    found = _submissions(db, "asked.id = :id AND asked.user_id = :user_id", id=submission_id, user_id=user_id)
    return found[0] if found else None


def list_mine(
    db: Database, user_id: str, *, status: str | None = None, limit: int = LIMIT
) -> list[Submission]:
    """The user's submissions, the latest first."""
    return _submissions(
        db,
        "asked.user_id = :user_id AND (:status IS NULL OR asked.status = :status)",
        "asked.created_at DESC, asked.rowid DESC LIMIT :limit",
        user_id=user_id,
        status=status,
        limit=limit,
    )


def latest_for(db: Database, user_id: str, url_id: str) -> Submission | None:
    """The user's submission that led to the page, the latest if there were several."""
    found = _submissions(
        db,
        "asked.user_id = :user_id AND asked.matched_url_id = :url_id",
        "asked.created_at DESC, asked.rowid DESC LIMIT 1",
        user_id=user_id,
        url_id=url_id,
    )
    return found[0] if found else None


def find_waiting(db: Database, text: str) -> Submission:
    """The submission that waits for an admin, by id or its beginning; LibraryError if there is none."""
    start = text.strip().lower()
    begins = [one for one in waiting(db) if start and one.id.startswith(start)]
    if len(begins) == 1:
        return begins[0]
    if begins:
        raise LibraryError(f"several submissions begin with {text[:40]}", "write more of the id")
    raise LibraryError(f"no submission {text[:40]!r} waits for a decision", "see: digestlog review list")


_SUBMISSIONS = """
SELECT asked.id, asked.user_id, asker.name AS user, asked.submitted_url, asked.canonical_url,
    asked.status, asked.matched_url_id, asked.options, asked.created_at, asked.updated_at,
    latest.decision, latest.reason_code, latest.evidence, decider.name AS decided_by
FROM url_submissions AS asked
JOIN users AS asker ON asker.id = asked.user_id
LEFT JOIN url_policy_decisions AS latest ON latest.rowid = (
    SELECT max(rowid) FROM url_policy_decisions AS decided WHERE decided.submission_id = asked.id
)
LEFT JOIN users AS decider ON decider.id = latest.decided_by"""


_OLDEST = "asked.created_at, asked.rowid"


def _submissions(db: Database, where: str, order: str = _OLDEST, **params: object) -> list[Submission]:
    sql = f"{_SUBMISSIONS} WHERE {where} ORDER BY {order}"
    return [_submission(row) for row in db.rows(sql, params)]


def _submission(row: sqlite3.Row) -> Submission:
    columns = dict(row)
    evidence = columns.pop("evidence")
    return Submission(
        **{name: value for name, value in columns.items() if name != "options"},
        evidence=json.loads(evidence) if evidence else None,
        wish=Wish.from_json(columns["options"]),
    )
