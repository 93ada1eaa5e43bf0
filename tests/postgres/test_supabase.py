"""On Supabase, which opens every new table to everybody and has its own auth.uid()."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from postgres.test_access import MAY_READ
from postgres.test_attacks import NOTHING, REFUSED, attempt, fingerprint
from postgres_server import Server, rows
from postgres_world import ALICE, READER, STRANGER, acting, make_roles, populate

from digestlog.store.postgres_schema import load_script

# As Supabase prepares a database, as far as it matters here.
STAND_IN = """
CREATE SCHEMA auth;
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
    )::uuid
$$;
GRANT USAGE ON SCHEMA auth TO anon, authenticated, service_role;
GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON FUNCTIONS TO anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON SEQUENCES TO anon, authenticated, service_role;
"""


@pytest.fixture(params=[True, False], ids=["supabase", "plain"])
def hosted(server: Server, empty_database: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of Supabase with our schema, made for it or for plain Postgres, and several users."""
    make_roles(server)
    with server.connect(empty_database) as owner:
        owner.execute(STAND_IN)
        owner.execute(load_script(supabase=request.param))
        populate(owner)
    yield empty_database


def test_the_same_attacks_come_to_nothing(server: Server, hosted: str) -> None:
    before = fingerprint(server, hosted)
    leaks = []
    for name, (actor, sql) in {**REFUSED, **NOTHING}.items():
        with acting(server, hosted, actor) as connection:
            try:
                if attempt(connection, sql) != 0 or name in REFUSED:
                    leaks.append(name)
            except psycopg.Error:
                pass
    assert leaks == []
    assert fingerprint(server, hosted) == before


def test_users_read_what_is_theirs(server: Server, hosted: str) -> None:
    for name, (actor, sql, expected) in MAY_READ.items():
        with acting(server, hosted, actor) as connection:
            assert rows(connection, sql) == expected, name


def test_what_a_login_tells_auth_uid_is_not_believed(server: Server, hosted: str) -> None:
    with acting(server, hosted, "stranger") as stranger:
        stranger.execute(f"SET request.jwt.claim.sub = '{ALICE}'")
        assert rows(stranger, "SELECT session_user::text, digestlog.uid()") == [(STRANGER, None)]
    with acting(server, hosted, "reader") as reader:
        reader.execute(f"SET request.jwt.claim.sub = '{ALICE}'")
        assert rows(reader, "SELECT session_user::text, digestlog.uid()::text <> %s", [ALICE]) == [
            (READER, True)
        ]
