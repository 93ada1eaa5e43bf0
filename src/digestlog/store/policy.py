"""What may be watched: a person's rules and imported lists, and the look-up of one address."""

from __future__ import annotations

import json
import sqlite3
import uuid
from itertools import groupby

from digestlog.core import policy as core
from digestlog.core.policy import EXCEPT, Address, Decision, Listed, Rule
from digestlog.core.policy_rules import packaged
from digestlog.store.db import Database


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


def rule_id(kind: str, pattern: str) -> str:
    """The id of a person's rule, the same on every machine."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:policy:{kind}:{pattern}"))
