"""What may be watched: a person's rules and imported lists, and the look-up of one address."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import groupby

from digestlog.core import policy as core
from digestlog.core.policy import EXCEPT, Address, Decision, Listed, Rule
from digestlog.core.policy_rules import packaged
from digestlog.errors import ConfigError
from digestlog.store.db import Database

_SHORTEST_ID = 4


def evaluate(db: Database, url: str) -> Decision:
    """What the rules and lists say about an address; UrlError if the text is none."""
    asked = core.address(url)
    return core.decide(asked, _own(db, asked), packaged().fitting(asked), _listed(db, asked))


def _own(db: Database, asked: Address) -> list[Rule]:
    """A person's rules that fit: those about names by the index, patterns one by one."""
    rows = db.rows(
        """SELECT kind, pattern, decision, reason_code, words FROM policy_rules
        WHERE kind = 'host' AND pattern = :host
        UNION ALL
        SELECT kind, pattern, decision, reason_code, words FROM policy_rules
        WHERE kind IN ('domain', 'tld') AND pattern IN (SELECT value FROM json_each(:names))
        UNION ALL
        SELECT kind, pattern, decision, reason_code, words FROM policy_rules
        WHERE kind IN ('path', 'url', 'query')""",
        {"host": asked.host, "names": json.dumps(asked.names)},
    )
    return [rule for rule in (Rule(*row) for row in rows) if core.fits(rule, asked)]


def _listed(db: Database, asked: Address) -> list[Listed]:
    """The lists that name the host or a domain above it, each with the longest name that does."""
    names = [*asked.names, *(EXCEPT + name for name in asked.names)]
    rows = db.rows(
        """SELECT name, decision, reason_code, words, domain, subdomains
        FROM policy_lists CROSS JOIN policy_domains ON list_name = name
            AND domain IN (SELECT value FROM json_each(:names))
        ORDER BY name""",
        {"names": json.dumps(names)},
    )
    found = []
    for name, group in groupby(rows, key=lambda row: str(row["name"])):
        entries = list(group)
        domain = core.on_list(asked, [(row["domain"], bool(row["subdomains"])) for row in entries])
        if domain is not None:
            found.append(_as_listed(name, domain, entries[0]))
    return found


def _as_listed(name: str, domain: str, row: sqlite3.Row) -> Listed:
    return Listed(name, domain, row["decision"], row["reason_code"], row["words"])


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule that a person wrote, as it is stored."""

    id: str
    kind: str
    pattern: str
    decision: str
    reason_code: str | None
    words: str | None
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class DomainList:
    """An imported list: what it means to be on it, and how many names it has."""

    name: str
    decision: str
    reason_code: str | None
    words: str | None
    domains: int
    created_at: str
    updated_at: str


def rule_id(kind: str, pattern: str) -> str:
    """The id of a person's rule, the same on every machine."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:policy:{kind}:{pattern}"))


def own_rules(db: Database) -> list[OwnRule]:
    """All rules that a person wrote, by kind."""
    rows = db.rows(
        """SELECT id, kind, pattern, decision, reason_code, words, created_at, updated_at FROM policy_rules
        ORDER BY kind, pattern"""
    )
    return [OwnRule(*row) for row in rows]


def lists(db: Database) -> list[DomainList]:
    """All imported lists."""
    rows = db.rows(
        """SELECT name, decision, reason_code, words, domains, created_at, updated_at FROM policy_lists
        ORDER BY name"""
    )
    return [DomainList(*row) for row in rows]


def add(db: Database, rules: Iterable[Rule]) -> list[OwnRule]:
    """Write rules, all or none; one with the kind and pattern of a known one takes its place."""
    wanted = {rule_id(rule.kind, rule.pattern): rule for rule in rules}
    with db.transaction() as connection:
        connection.executemany(
            """INSERT INTO policy_rules
                (id, kind, pattern, decision, reason_code, words, created_at, updated_at)
            VALUES (:id, :kind, :pattern, :decision, :reason_code, :words, :now, :now)
            ON CONFLICT (kind, pattern) DO UPDATE SET
                decision = excluded.decision, reason_code = excluded.reason_code, words = excluded.words
            WHERE (decision, reason_code, words)
                IS NOT (excluded.decision, excluded.reason_code, excluded.words)""",
            [{**asdict(rule), "id": key, "now": db.now_iso} for key, rule in wanted.items()],
        )
        return [own for own in own_rules(db) if own.id in wanted]


def remove(db: Database, texts: Iterable[str]) -> list[OwnRule | DomainList]:
    """Take away lists by name and rules by id, its beginning or pattern; ConfigError, and nothing is gone.

    A text is taken for the name of a list first.
    """
    with db.transaction() as connection:
        found = [_named(db, text) for text in texts]
        for one in found:
            if isinstance(one, DomainList):
                connection.execute("DELETE FROM policy_lists WHERE name = :name", {"name": one.name})
            else:
                connection.execute("DELETE FROM policy_rules WHERE id = :id", {"id": one.id})
    return found


def _named(db: Database, text: str) -> OwnRule | DomainList:
    for one in lists(db):
        if one.name == text:
            return one
    known = own_rules(db)
    found = [rule for rule in known if text in (rule.id, rule.pattern)]
    if not found and len(text) >= _SHORTEST_ID:
        found = [rule for rule in known if rule.id.startswith(text.lower())]
    if len(found) > 1:
        ids = ", ".join(f"{rule.kind} {rule.pattern}: {rule.id[:8]}" for rule in found[:5])
        raise ConfigError(f"{text[:60]} is the name of several rules", f"say which by its id: {ids}")
    if found:
        return found[0]
    if any(rule.pattern == text for rule in packaged().rules):
        raise ConfigError(
            f"{text[:60]} is a packaged rule and cannot be removed",
            "write one of your own, which comes first: digestlog policy add KIND PATTERN --decision allow",
        )
    raise ConfigError(f"there is no list or rule called {text[:60]}", "see: digestlog policy rules")
