"""Who may come in: passwords, and the tokens that links, sessions and feeds are made of.

A token is known to the person alone; the file holds its hash. All of a user's tokens are good only as long
as the user's session_epoch stays what it was, so that one number ends them all.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import uuid
from dataclasses import dataclass
from datetime import timedelta

from digestlog.core import passwords
from digestlog.core.moments import to_iso
from digestlog.errors import ConfigError
from digestlog.store.db import Database

LINK, SESSION, FEED = "link", "session", "feed"
LINK_LASTS = timedelta(minutes=15)
SESSION_LASTS = timedelta(days=30)

_TOKEN_BYTES = 32
_LONGEST_TOKEN = 200


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is signed in."""

    id: str
    name: str
    role: str

    @property
    def is_admin(self) -> bool:
        """True if everything in the file may be seen."""
        return self.role == "admin"


def visitor(db: Database, kind: str, token: str) -> Visitor | None:
    """Whose token it is; None if it is nobody's, too old, or was revoked."""
    row = db.row(
        """SELECT users.id, users.name, users.role
        FROM access_tokens AS t JOIN users ON users.id = t.user_id
        WHERE t.token_sha256 = :hash AND t.kind = :kind AND t.session_epoch = users.session_epoch
            AND (t.expires_at IS NULL OR t.expires_at > :now)""",
        {"hash": _hash(token), "kind": kind, "now": db.now_iso},
    )
    return Visitor(**dict(row)) if row else None


def give_link(db: Database, user_id: str, lasts: timedelta = LINK_LASTS) -> str:
    """The token of a new link to sign in, good for one use."""
    with db.transaction() as connection:
        _sweep(db, connection)
        return _give(db, connection, LINK, user_id, lasts)


def give_feed(db: Database, user_id: str) -> str:
    """The token of a new feed address, good until it is revoked."""
    with db.transaction() as connection:
        return _give(db, connection, FEED, user_id, None)


def open_session(db: Database, link: str) -> str | None:
    """The token of a new session in exchange for a link's, which is used up; None if the link is no good."""
    with db.transaction() as connection:
        found = visitor(db, LINK, link)
        used = connection.execute(
            "DELETE FROM access_tokens WHERE token_sha256 = :hash AND kind = 'link'", {"hash": _hash(link)}
        )
        if found is None or not used.rowcount:
            return None
        _sweep(db, connection)
        return _give(db, connection, SESSION, found.id, SESSION_LASTS)


def open_session_for(db: Database, user_id: str) -> str:
    """The token of a new session of a user who has given the right password."""
    with db.transaction() as connection:
        _sweep(db, connection)
        return _give(db, connection, SESSION, user_id, SESSION_LASTS)


def close_session(db: Database, token: str) -> None:
    """End one session."""
    with db.transaction() as connection:
        connection.execute(
            "DELETE FROM access_tokens WHERE token_sha256 = :hash AND kind = 'session'",
            {"hash": _hash(token)},
        )


def stored_password(db: Database, name: str) -> tuple[str | None, str | None]:
    """Id and stored password of the user with this name; None where there is none."""
    row = db.row("SELECT id, password_hash FROM users WHERE name = :name", {"name": name})
    return (row["id"], row["password_hash"]) if row else (None, None)


def set_password(db: Database, user_id: str, password: str | None) -> None:
    """Give a user a password, or take it away; who is signed in under that name no longer is."""
    if password is not None and (wrong := passwords.problem(password)):
        raise ConfigError(wrong, "several words that do not belong together are easy to keep in mind")
    stored = None if password is None else passwords.protect(password, secrets.token_bytes(16))
    with db.transaction() as connection:
        connection.execute(
            "UPDATE users SET password_hash = :stored WHERE id = :id", {"stored": stored, "id": user_id}
        )
        _end_all(connection, user_id)


def revoke(db: Database, user_id: str) -> int:
    """End every session, link and feed address of a user; how many there were."""
    with db.transaction() as connection:
        return _end_all(connection, user_id)


def revoke_feeds(db: Database, user_id: str) -> int:
    """End a user's feed addresses; how many there were."""
    with db.transaction() as connection:
        done = connection.execute(
            "DELETE FROM access_tokens WHERE user_id = :id AND kind = 'feed'", {"id": user_id}
        )
        return done.rowcount


def _end_all(connection: sqlite3.Connection, user_id: str) -> int:
    connection.execute("UPDATE users SET session_epoch = session_epoch + 1 WHERE id = :id", {"id": user_id})
    return connection.execute("DELETE FROM access_tokens WHERE user_id = :id", {"id": user_id}).rowcount


def _give(
    db: Database, connection: sqlite3.Connection, kind: str, user_id: str, lasts: timedelta | None
) -> str:
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    key = _hash(token)
    connection.execute(
        """INSERT INTO access_tokens (id, user_id, kind, token_sha256, session_epoch, expires_at, created_at)
        SELECT :id, users.id, :kind, :hash, users.session_epoch, :expires_at, :now
        FROM users WHERE users.id = :user_id""",
        {
            "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:access:{key}")),
            "user_id": user_id,
            "kind": kind,
            "hash": key,
            "expires_at": to_iso(db.now + lasts) if lasts else None,
            "now": db.now_iso,
        },
    )
    return token


def _sweep(db: Database, connection: sqlite3.Connection) -> None:
    """Forget what has had its time."""
    connection.execute("DELETE FROM access_tokens WHERE expires_at <= :now", {"now": db.now_iso})


def _hash(token: str) -> str:
    return hashlib.sha256(token[:_LONGEST_TOKEN].encode("utf-8", "surrogatepass")).hexdigest()
