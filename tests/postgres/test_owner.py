"""A database whose owner is no superuser."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from postgres_server import Server, rows
from postgres_world import ALICE, APPROVED, acting, make_roles, populate

from digestlog.store.postgres_schema import load_script

PLAIN_OWNER = "digestlog_test_owner"


@pytest.fixture
def owned(server: Server, empty_database: str) -> Iterator[str]:
    """A database that a plain role owns."""
    make_roles(server)
    with server.locked("roles"), server.connect("postgres", autocommit=True) as admin:
        if not rows(admin, "SELECT 1 FROM pg_roles WHERE rolname = %s", [PLAIN_OWNER]):
            admin.execute(f"CREATE ROLE {PLAIN_OWNER} LOGIN")
        admin.execute(f'ALTER DATABASE "{empty_database}" OWNER TO {PLAIN_OWNER}')
    yield empty_database


def test_the_owner_needs_no_more(server: Server, owned: str) -> None:
    notices: list[str] = []
    with server.connect(owned, PLAIN_OWNER) as owner:
        owner.add_notice_handler(lambda said: notices.append(str(said.message_primary)))
        owner.execute(load_script())
        populate(owner)
    assert notices == []
    with acting(server, owned, "alice") as alice:
        alice.execute("INSERT INTO user_url_library (user_id, url_id) VALUES (%s, %s)", [ALICE, APPROVED])
        assert rows(alice, "SELECT count(*) FROM urls") == [(2,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            alice.execute("UPDATE user_url_library SET history_start_at = NULL")


def test_an_older_database_whose_public_schema_is_open_is_closed(server: Server, owned: str) -> None:
    with server.connect(owned, PLAIN_OWNER) as owner:
        owner.execute("GRANT CREATE ON SCHEMA public TO PUBLIC")
        owner.execute("REVOKE USAGE ON SCHEMA public FROM PUBLIC")
        owner.execute(load_script())
        populate(owner)
    with acting(server, owned, "alice") as alice:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            alice.execute("CREATE TABLE public.mine (id int)")
        assert rows(alice, "SELECT count(*) FROM urls") == [(1,)]
    with acting(server, owned, "service") as service:
        assert rows(service, "SELECT count(*) FROM urls") == [(5,)]
