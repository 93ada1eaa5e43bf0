"""Which of Datasette's addresses may be asked for, by whom. Whatever is not named is not there.

Datasette would refuse most of the others by itself; but it grows new ones, and nobody has thought about those
yet. `tests/serve/test_leaks.py` knows every form of the installed version, and fails on a new one.
"""

from __future__ import annotations

import re

from digestlog.serve.realms import ADMIN_DATABASE, OWN_DATABASE

_NAME = r"[^/.]+"
# A database, a table, a row; SQL; and what 1.0 asks for from within those pages.
_OF_A_DATABASE = rf"""(?:
    (?:\.(?:json|csv))?
  | /-/query(?:\.(?:json|csv|blob))?
  | /-/schema(?:\.(?:json|md))?
  | /{_NAME}/-/(?:count|fragment|autocomplete|schema(?:\.(?:json|md))?)
  | /(?!-/){_NAME}(?:\.(?:json|csv|blob))?
  | /(?!-/){_NAME}/(?!-(?:/|\Z))[^/]+
)"""
_STATIC = r"/-/static/[A-Za-z0-9._-]+"
_PLUGIN_STATIC = r"/-/static-plugins/[A-Za-z0-9._-]+/[A-Za-z0-9._/-]+"
_PAGES = r"/-/(?:versions|plugins|settings|databases|metadata|config|jump)(?:\.json)?"

FOR_USERS = re.compile(rf"(?:{_STATIC}|/{OWN_DATABASE}{_OF_A_DATABASE})\Z", re.VERBOSE)
FOR_ADMINS = re.compile(
    rf"(?:{_STATIC}|{_PLUGIN_STATIC}|{_PAGES}|/{ADMIN_DATABASE}{_OF_A_DATABASE})\Z", re.VERBOSE
)
STATIC = re.compile(rf"(?:{_STATIC}|{_PLUGIN_STATIC})\Z")


def is_open(path: str, *, admin: bool) -> bool:
    """True if the address may be handed on to Datasette."""
    return bool((FOR_ADMINS if admin else FOR_USERS).match(path))
