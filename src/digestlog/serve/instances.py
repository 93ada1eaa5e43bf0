"""The Datasettes behind the gatekeeper: one for admins, one of their own for each user who is here."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from secrets import token_hex
from time import monotonic
from typing import Any

from digestlog.errors import ConfigError
from digestlog.serve.databases import FileDatabase, InternalDatabase, OwnDatabase
from digestlog.serve.desk import Desk
from digestlog.serve.messages import ASGI
from digestlog.serve.realms import ADMIN_DATABASE, OWN_DATABASE, Realm, claim
from digestlog.serve.settings import SETTINGS, for_a_user, for_admins
from digestlog.store.access import Visitor
from digestlog.store.db import Database
from digestlog.store.personal import Copy, Limits, Watch

MOST_RESIDENTS = 32
MOST_BYTES = 2**30
_INTERNAL = "_internal"  # 0.65's own database
# A copy that took long to make is not made anew at every change: it may be a few times that old.
_LONGEST_REST_S = 10.0
_REST_FOR_WORK = 4.0


@dataclass
class Instance:
    """A running Datasette."""

    datasette: Any
    realm: Realm
    app: ASGI
    busy: int = 0

    def actor(self, visitor: Visitor) -> dict[str, str]:
        """Who asks, in the form that this instance accepts."""
        return self.realm.actor(visitor.id, visitor.name)


@dataclass
class _Resident:
    """A user's instance, and the copy that it shows."""

    instance: Instance
    database: OwnDatabase
    version: int
    made_at: float
    took_s: float


class Instances:
    """Finds the one Datasette that a visitor may talk to."""

    def __init__(
        self,
        desk: Desk,
        *,
        most: int = MOST_RESIDENTS,
        most_bytes: int = MOST_BYTES,
        limits: Limits | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._desk = desk
        self._most = most
        self._most_bytes = most_bytes
        self._limits = limits
        self._clock = clock
        self._watch = Watch(desk.path)
        self._admin: Instance | None = None
        self._residents: OrderedDict[str, _Resident] = OrderedDict()
        # Who waits for a user's instance does not keep the others waiting.
        self._locks: defaultdict[str | None, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def begin(self) -> None:
        """Make the admins' instance, so that what is wrong is known before anybody asks."""
        await self._for_admins()

    @asynccontextmanager
    async def of(self, visitor: Visitor) -> AsyncIterator[Instance]:
        """The visitor's instance, up to date, and kept for as long as it is used."""
        instance = await (self._for_admins() if visitor.is_admin else self._own(visitor.id))
        instance.busy += 1
        try:
            yield instance
        finally:
            instance.busy -= 1

    def close(self) -> None:
        """End them all."""
        if self._admin is not None:
            _end(self._admin.datasette)
        for resident in self._residents.values():
            _end_resident(resident)
        self._residents.clear()
        self._watch.close()

    @property
    def residents(self) -> list[str]:
        """Whose instances are there, the longest unused first."""
        return list(self._residents)

    async def _for_admins(self) -> Instance:
        async with self._locks[None]:
            if self._admin is None:
                datasette = new_datasette(for_admins())
                datasette.add_database(FileDatabase(datasette, str(self._desk.path)), name=ADMIN_DATABASE)
                self._admin = await _begin(datasette, Realm(ADMIN_DATABASE, None))
            return self._admin

    async def _own(self, user_id: str) -> Instance:
        async with self._locks[user_id]:
            resident = self._residents.get(user_id)
            if resident is None:
                resident = self._residents[user_id] = await self._move_in(user_id)
            else:
                await self._bring_up_to_date(resident, user_id)
            self._residents.move_to_end(user_id)
            self._make_room()
            return resident.instance

    async def _move_in(self, user_id: str) -> _Resident:
        version, copy, took_s = await self._copy(user_id)
        datasette = new_datasette(for_a_user(copy.cut))
        database = OwnDatabase(datasette, copy)
        datasette.add_database(database, name=OWN_DATABASE)
        instance = await _begin(datasette, Realm(OWN_DATABASE, user_id))
        return _Resident(instance, database, version, self._clock(), took_s)

    async def _bring_up_to_date(self, resident: _Resident, user_id: str) -> None:
        rest_s = min(_LONGEST_REST_S, resident.took_s * _REST_FOR_WORK)
        if self._clock() - resident.made_at < rest_s:
            return
        if await self._desk.run(lambda db: self._watch.version()) == resident.version:
            return
        resident.version, copy, resident.took_s = await self._copy(user_id)
        old, resident.database.copy = resident.database.copy, copy
        resident.made_at = self._clock()
        old.close()

    async def _copy(self, user_id: str) -> tuple[int, Copy, float]:
        """A new copy, the version of the file from before it was made, and how long it took."""

        def work(db: Database) -> tuple[int, Copy, float]:
            began = self._clock()
            version = self._watch.version()
            return version, Copy(db.path, user_id, self._limits), self._clock() - began

        return await self._desk.run(work)

    def _bytes(self) -> int:
        return sum(resident.database.copy.bytes for resident in self._residents.values())

    def _make_room(self) -> None:
        """End the instances that were not used for longest, but none that is answering."""
        for user_id, resident in list(self._residents.items()):
            if len(self._residents) <= self._most and self._bytes() <= self._most_bytes:
                return
            if not resident.instance.busy and not self._locks[user_id].locked():
                _end_resident(self._residents.pop(user_id))
                del self._locks[user_id]


def new_datasette(metadata: dict[str, Any]) -> Any:
    """A Datasette with nothing in it."""
    from datasette.app import DEFAULT_SETTINGS, Datasette

    settings = {name: value for name, value in SETTINGS.items() if name in DEFAULT_SETTINGS}
    datasette = Datasette([], metadata=metadata, settings=settings)
    datasette.remove_database("_memory")
    if _INTERNAL in datasette.databases:
        datasette.remove_database(_INTERNAL)
        datasette.add_database(InternalDatabase(datasette, memory_name=token_hex()), name=_INTERNAL)
    return datasette


async def _begin(datasette: Any, realm: Realm) -> Instance:
    claim(datasette, realm)
    await datasette.invoke_startup()
    await _require_walls(datasette, realm)
    return Instance(datasette, realm, datasette.app())


async def _require_walls(datasette: Any, realm: Realm) -> None:
    """Refuse to show anything where a stranger would be let in."""
    for actor in (None, {"id": "root"}, {"id": realm.user_id or "admin"}):
        for action in (
            "view-instance",
            "view-database",
            "view-table",
            "execute-sql",
            "view-database-download",
        ):
            if await is_allowed(datasette, actor, action, realm.database):
                raise ConfigError(
                    "Datasette does not keep to digestlog's rules", "is digestlog installed beside it?"
                )


async def is_allowed(datasette: Any, actor: dict[str, Any] | None, action: str, database: str) -> bool:
    """What Datasette says, 0.65 or 1.0."""
    resource = {"view-instance": (), "view-table": (database, "users")}.get(action, (database,))
    if hasattr(datasette, "permission_allowed"):
        asked = resource[0] if len(resource) == 1 else resource or None
        return bool(await datasette.permission_allowed(actor, action, asked, default=True))
    from datasette.resources import DatabaseResource, TableResource

    kinds = {0: lambda: None, 1: DatabaseResource, 2: TableResource}
    return bool(await datasette.allowed(action=action, resource=kinds[len(resource)](*resource), actor=actor))


def _end_resident(resident: _Resident) -> None:
    _end(resident.instance.datasette)
    resident.database.copy.close()


def _end(datasette: Any) -> None:
    """Stop its threads and let go of its files."""
    if hasattr(datasette, "close"):
        datasette.close()
        return
    datasette.executor.shutdown(wait=False)
    for database in datasette.databases.values():
        database.close()
    datasette.databases[_INTERNAL].end()
