"""Telling a user: every real change once, nothing lost when a message is not taken."""

from __future__ import annotations

import pytest
from library_rows import FREE, LAMP, PAID, event, gated
from store.rows import put

from digestlog.errors import DigestlogError
from digestlog.jobs.notify import notify, waiting
from digestlog.store.db import Database

LATER = "2026-02-13T11:00:00+00:00"


class Sent:
    """Takes messages, or refuses them."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.messages: list[tuple[str, str]] = []
        self.refuses = refuses

    def __call__(self, title: str, body: str) -> None:
        if self.refuses:
            raise DigestlogError("not taken")
        self.messages.append((title, body))


def told(db: Database) -> int:
    return int(db.rows("SELECT count(*) FROM told_events")[0][0])


def test_one_message_with_all_that_is_new(db: Database) -> None:
    old, new = gated(db)
    sent = Sent()
    message = notify(db, PAID, sent)
    assert message is not None and [change.id for change in message.changes] == [new, old]
    assert sent.messages == [("digestlog: 2 changes on 1 page", message.body)]
    assert "summary 1" in message.body and "summary 2" in message.body
    assert notify(db, PAID, sent) is None and len(sent.messages) == 1


def test_only_what_came_since(db: Database) -> None:
    gated(db)
    notify(db, PAID, Sent())
    with db.transaction() as connection:
        event(connection, 3, LAMP, LATER)
        event(connection, 4, LAMP, LATER, state="provisional")
        event(connection, 5, LAMP, LATER, state="volatile")
    sent = Sent()
    notify(db, PAID, sent)
    ((title, body),) = sent.messages
    assert title == "digestlog: 1 change on 1 page" and body == f"Shop\n- summary 3\n  {LAMP}"


def test_a_provisional_change_is_told_once_it_is_real(db: Database) -> None:
    gated(db)
    with db.transaction() as connection:
        identity = event(connection, 3, LAMP, LATER, state="provisional")
    notify(db, PAID, Sent())
    with db.transaction() as connection:
        connection.execute("UPDATE url_change_events SET state = 'real' WHERE id = ?", (identity,))
    message = notify(db, PAID, Sent())
    assert message is not None and [change.id for change in message.changes] == [identity]


def test_a_message_that_was_not_taken_loses_nothing(db: Database) -> None:
    gated(db)
    with pytest.raises(DigestlogError, match="not taken"):
        notify(db, PAID, Sent(refuses=True))
    assert told(db) == 0
    sent = Sent()
    notify(db, PAID, sent)
    assert sent.messages[0][0] == "digestlog: 2 changes on 1 page" and told(db) == 2


def test_the_file_is_free_while_the_message_is_under_way(db: Database) -> None:
    gated(db)

    def send(title: str, body: str) -> None:
        assert not db.connection.in_transaction
        with db.transaction() as connection:
            event(connection, 3, LAMP, LATER)

    message = notify(db, PAID, send)
    assert message is not None and len(message.changes) == 2
    again = waiting(db, PAID)
    assert again is not None and "summary 3" in again.body


def test_a_free_user_is_not_told_of_what_was_before_even_after_an_upgrade(db: Database) -> None:
    _, new = gated(db)
    with db.transaction() as connection:
        put(connection, "subscriptions", user_id=FREE, plan="paid")
    message = notify(db, FREE, Sent())
    assert message is not None and [change.id for change in message.changes] == [new]


def test_in_the_users_language(db: Database) -> None:
    gated(db)
    with db.transaction() as connection:
        put(connection, "settings", user_id=PAID, language="fr")
    message = waiting(db, PAID)
    assert message is not None and message.title == "digestlog: 2 changements sur 1 page"
    assert told(db) == 0
