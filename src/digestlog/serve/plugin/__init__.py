"""The plugin: default deny inside Datasette, for our own instances and for our file in any other.

Datasette 0.65 asks `permission_allowed`, 1.0 asks `permission_resources_sql`; each ignores the other's hook.
The metadata is never the wall: 1.0 drops parts of what 0.6x understood.

This is a package of its own so that Datasette does not take our templates for its own.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

from datasette import hookimpl

from digestlog.serve.plugin import guarded
from digestlog.serve.realms import realm_of
from digestlog.store.confined import confine

NAME = "digestlog"
# One of these is what Datasette asks before it shows anything.
_WALLS = ("permission_allowed", "permission_resources_sql")


def registered(manager: Any) -> bool:
    """True if Datasette asks this plugin before it shows anything."""
    import sys

    this = sys.modules[__name__]
    walls = [getattr(manager.hook, wall) for wall in _WALLS if _is_specified(manager, wall)]
    return bool(walls) and all(any(one.plugin is this for one in wall.get_hookimpls()) for wall in walls)


def _is_specified(manager: Any, hook: str) -> bool:
    return getattr(getattr(manager.hook, hook, None), "spec", None) is not None


@hookimpl(hookwrapper=True, tryfirst=True)
def permission_allowed(
    datasette: Any, actor: dict[str, Any] | None, action: str, resource: Any
) -> Generator[None, Any, None]:
    """Datasette 0.65: the last word counts, and the outermost wrapper has it."""
    outcome = yield
    database = resource[0] if isinstance(resource, tuple) else resource
    realm = realm_of(datasette)
    if realm is not None:
        verdict: bool | None = realm.allows(actor, action, database)
    else:
        verdict = guarded.verdict(datasette, actor, action, database)
    if verdict is not None:
        outcome.force_result([*outcome.get_result(), verdict])


@hookimpl
def permission_resources_sql(datasette: Any, actor: dict[str, Any] | None, action: str) -> Any:
    """Datasette 1.0: a restriction that no other rule can widen; for our file elsewhere, denials."""
    from datasette.permissions import PermissionSQL  # 1.0 only

    realm = realm_of(datasette)
    if realm is None:
        return guarded.denials(datasette, actor, action, PermissionSQL)
    if not realm.allows(actor, action, realm.database):
        return PermissionSQL(restriction_sql="SELECT NULL AS parent, NULL AS child WHERE 0", params={})
    if action == "view-instance":
        return PermissionSQL.allow(reason="digestlog admin")
    return PermissionSQL(
        sql="SELECT :digestlog_own AS parent, NULL AS child, 1 AS allow, 'digestlog' AS reason",
        restriction_sql="SELECT :digestlog_own AS parent, NULL AS child",
        params={"digestlog_own": realm.database},
    )


@hookimpl
def prepare_connection(conn: Any, database: str, datasette: Any) -> None:
    """Connections to our file, and to copies of it, can read and do nothing else."""
    realm = realm_of(datasette)
    if database == (realm.database if realm else None) or guarded.is_our_file(datasette, database):
        confine(conn)


@hookimpl
def prepare_jinja2_environment(env: Any, datasette: Any) -> None:
    """On our instances, scripts and styles of the templates are marked, so that no others run."""
    if realm_of(datasette) is not None:
        from digestlog.serve.nonces import mark

        mark(env)


@hookimpl
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """On our instances, the way back to the screens."""
    return [{"href": "/", "label": "Today"}] if realm_of(datasette) is not None else []


@hookimpl
def asgi_wrapper(datasette: Any) -> Any:
    """Where our file is one of several: no list of files, which 0.65 shows to everybody."""

    def wrap(app: Any) -> Any:
        async def guard(scope: Any, receive: Any, send: Any) -> None:
            path = str(scope.get("path", ""))
            if realm_of(datasette) is None and path.startswith("/-/databases") and guarded.names(datasette):
                body = json.dumps({"ok": False, "error": "Forbidden", "status": 403}).encode()
                headers = [
                    (b"content-type", b"application/json"),
                    (b"content-length", str(len(body)).encode()),
                ]
                await send({"type": "http.response.start", "status": 403, "headers": headers})
                await send({"type": "http.response.body", "body": body})
                return
            await app(scope, receive, send)

        return guard

    return wrap
