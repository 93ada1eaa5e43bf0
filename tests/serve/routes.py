"""Every address form that a Datasette of 0.65 or 1.0 has, and who may use it through the gatekeeper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Decision:
    """Who may, and addresses of that form; DB stands for the database."""

    users: bool
    admins: bool
    samples: tuple[str, ...]


def nobody(*samples: str) -> Decision:
    return Decision(False, False, samples)


def admins(*samples: str) -> Decision:
    return Decision(False, True, samples)


def both(*samples: str) -> Decision:
    return Decision(True, True, samples)


_DB = r"/(?P<database>[^\/\.]+)"
_TABLE = _DB + r"/(?P<table>[^\/\.]+)"
_ROW = _DB + r"/(?P<table>[^/]+?)/(?P<pks>[^/]+?)"
_QUERY = _DB + r"/(?P<query>[^\/\.]+)"
_JSON = r"(\.(?P<format>json))?$"

DECIDED = {
    # The first page is ours.
    r"/(\.(?P<format>jsono?))?$": nobody("/.json"),
    r"/(\.(?P<format>json))?$": nobody("/.json"),
    r"/-/(\.(?P<format>json))?$": nobody("/-/", "/-/.json"),
    r"/-$": nobody("/-"),
    "/favicon.ico": nobody("/favicon.ico"),
    r"/-/static/(?P<path>.*)$": both("/-/static/app.css"),
    r"/:memory:(?P<rest>.*)$": nobody("/:memory:", "/:memory:/users"),
    rf"/-/metadata{_JSON}": admins("/-/metadata", "/-/metadata.json"),
    rf"/-/versions{_JSON}": admins("/-/versions.json"),
    rf"/-/plugins{_JSON}": admins("/-/plugins.json"),
    rf"/-/settings{_JSON}": admins("/-/settings.json"),
    r"/-/config.json": admins("/-/config.json"),
    r"/-/config": admins("/-/config"),
    rf"/-/config{_JSON}": admins("/-/config.json"),
    rf"/-/databases{_JSON}": admins("/-/databases.json"),
    rf"/-/jump{_JSON}": admins("/-/jump", "/-/jump.json"),
    rf"/-/threads{_JSON}": nobody("/-/threads.json"),
    rf"/-/tasks{_JSON}": nobody("/-/tasks.json"),
    rf"/-/actor{_JSON}": nobody("/-/actor.json"),
    rf"/-/actions{_JSON}": nobody("/-/actions.json"),
    rf"/-/queries{_JSON}": nobody("/-/queries.json"),
    rf"/-/allowed{_JSON}": nobody("/-/allowed.json"),
    rf"/-/rules{_JSON}": nobody("/-/rules.json"),
    rf"/-/check{_JSON}": nobody("/-/check.json"),
    r"/-/schema(\.(?P<format>json|md))?$": nobody("/-/schema.json"),
    r"/-/auth-token$": nobody("/-/auth-token"),
    r"/-/create-token$": nobody("/-/create-token"),
    r"/-/api$": nobody("/-/api"),
    r"/-/logout$": nobody("/-/logout"),
    r"/-/permissions$": nobody("/-/permissions"),
    r"/-/messages$": nobody("/-/messages"),
    r"/-/allow-debug$": nobody("/-/allow-debug"),
    r"/-/patterns$": nobody("/-/patterns"),
    r"/-/debug/autocomplete$": nobody("/-/debug/autocomplete"),
    # Datasette's own databases and tables.
    rf"{_DB}\.db$": nobody("/DB.db"),
    rf"{_DB}(\.(?P<format>\w+))?$": both("/DB", "/DB.json", "/DB.csv"),
    rf"{_TABLE}(\.(?P<format>\w+))?$": both("/DB/urls", "/DB/urls.json", "/DB/urls.csv"),
    rf"{_ROW}(\.(?P<format>\w+))?$": both("/DB/urls/1", "/DB/urls/1.json", "/DB/urls/1.blob"),
    rf"{_DB}/-/query(\.(?P<format>\w+))?$": both("/DB/-/query", "/DB/-/query.json", "/DB/-/query.csv"),
    rf"{_DB}/-/schema(\.(?P<format>json|md))?$": both("/DB/-/schema", "/DB/-/schema.md"),
    rf"{_TABLE}/-/schema(\.(?P<format>json|md))?$": both("/DB/urls/-/schema.json"),
    rf"{_TABLE}/-/count$": both("/DB/urls/-/count"),
    rf"{_TABLE}/-/fragment$": both("/DB/urls/-/fragment"),
    rf"{_TABLE}/-/autocomplete$": both("/DB/urls/-/autocomplete"),
    # Writing, and what belongs to it.
    rf"{_DB}/-/create$": nobody("/DB/-/create"),
    rf"{_DB}/-/foreign-key-targets$": nobody("/DB/-/foreign-key-targets"),
    rf"{_DB}/-/queries{_JSON}": nobody("/DB/-/queries.json"),
    rf"{_DB}/-/queries/analyze$": nobody("/DB/-/queries/analyze"),
    rf"{_DB}/-/queries/store$": nobody("/DB/-/queries/store"),
    rf"{_DB}/-/execute-write/analyze$": nobody("/DB/-/execute-write/analyze"),
    rf"{_DB}/-/execute-write$": nobody("/DB/-/execute-write"),
    rf"{_DB}/-/query/parameters$": nobody("/DB/-/query/parameters"),
    rf"{_QUERY}/-/definition$": nobody("/DB/q/-/definition"),
    rf"{_QUERY}/-/edit$": nobody("/DB/q/-/edit"),
    rf"{_QUERY}/-/update$": nobody("/DB/q/-/update"),
    rf"{_QUERY}/-/delete$": nobody("/DB/q/-/delete"),
    rf"{_TABLE}/-/insert$": nobody("/DB/urls/-/insert"),
    rf"{_TABLE}/-/upsert$": nobody("/DB/urls/-/upsert"),
    rf"{_TABLE}/-/alter$": nobody("/DB/urls/-/alter"),
    rf"{_TABLE}/-/foreign-key-suggestions$": nobody("/DB/urls/-/foreign-key-suggestions"),
    rf"{_TABLE}/-/set-column-type$": nobody("/DB/urls/-/set-column-type"),
    rf"{_TABLE}/-/drop$": nobody("/DB/urls/-/drop"),
    rf"{_ROW}/-/delete$": nobody("/DB/urls/1/-/delete"),
    rf"{_ROW}/-/update$": nobody("/DB/urls/1/-/update"),
}  # fmt: skip
