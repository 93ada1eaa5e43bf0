"""Make src/digestlog/store/postgres_schema.sql from schema.sql, or check with --check that it is up to date.

The rule: the CHECK that makes a TEXT a time, a day, a boolean, JSON or a UUID in SQLite makes it
timestamptz(0), date, boolean, jsonb or uuid in Postgres; a column that refers to another has its type.
A table that is new in schema.sql needs nothing here. Who may read it is decided by hand, in
postgres_access.sql.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import sqlglot
from sqlglot import exp

from digestlog.resources import schema_sql
from digestlog.store.creation import schema_statements

TARGET = Path(__file__).parents[1] / "src" / "digestlog" / "store" / "postgres_schema.sql"

# What stays in SQLite, and why.
LEFT_OUT = {
    "clock": "the time of one command, empty between transactions",
    "access_tokens": "what lets a browser into this file's own pages",
    "file_owner": "whose file it is",
    "push_targets": "which databases a file is pushed to",
    "change_log": "what they do not have yet",
    "article_documents": "numbers of the SQLite search index, remade from the articles",
    "article_search": "the SQLite search index",
}

# Addresses as the web wrote them may be longer than an entry of a B-tree; their keys hold a digest.
LONG_TEXT = {
    ("extracted_article_urls", "article_url_original"),
    ("url_resolutions", "article_url_original"),
    ("synthesis_candidates", "url"),
}

_TIME = "{x} IS strftime('%Y-%m-%dT%H:%M:%S+00:00', {x}, '+0 days') AND {x} >= '0001'"
_DAY = "{x} IS strftime('%Y-%m-%d', {x}, '+0 days') AND {x} >= '0001'"
_UUID = (
    "length(CAST({x} AS BLOB)) = 36 AND {x} GLOB '????????-????-????-????-????????????' "
    "AND length(replace({x}, '-', '')) = 32 AND replace({x}, '-', '') NOT GLOB '*[^0-9a-f]*'"
)
_KINDS = {"timestamptz(0)": _TIME, "date": _DAY, "uuid": _UUID, "boolean": "{x} IN (0, 1)"}
_RANGES = {
    "timestamptz(0)": "{x} BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'",
    "date": "{x} BETWEEN '0001-01-01' AND '9999-12-31'",
    # SQLite has no NaN.
    "double precision": "{x} <> 'NaN'",
}
_PLAIN = {"TEXT": 'text COLLATE "C"', "INT": "bigint", "DOUBLE": "double precision", "VARBINARY": "bytea"}
_NOW = "date_trunc('second', now())"

_HEAD = """\
-- The Postgres tables, made from schema.sql: python scripts/postgres_schema.py. Do not edit.
--
-- Three parts, so that rows can be loaded between the first and the second: tables; keys and indexes;
-- guards, which close every table to everybody but its owner and service_role. What users may do is
-- added by postgres_access.sql. Text is compared by its bytes, as in SQLite. A key over an address of
-- any length is a unique index over its digest.
--
-- Left in SQLite:
"""


@dataclass(frozen=True)
class Reference:
    """Where a column points."""

    table: str
    column: str
    on_delete: str


@dataclass
class Column:
    """One column as SQLite has it, with its type in Postgres."""

    name: str
    kind: str
    not_null: bool = False
    default: exp.Expr | None = None
    checks: list[exp.Expr] = field(default_factory=list)
    reference: Reference | None = None


@dataclass
class Table:
    """One table of schema.sql."""

    name: str
    columns: dict[str, Column] = field(default_factory=dict)
    primary: list[str] = field(default_factory=list)
    uniques: list[list[str]] = field(default_factory=list)
    checks: list[exp.Expr] = field(default_factory=list)


Tables = dict[str, Table]


# --- reading schema.sql -----------------------------------------------------------------------


def statements(schema: str) -> Iterator[exp.Create]:
    """The tables and indexes of a schema, parsed."""
    for statement in schema_statements(schema):
        code = re.sub(r"\A(\s*(--[^\n]*)?\n)*", "", statement)
        if re.match(r"CREATE (TABLE|INDEX|UNIQUE INDEX)\b", code):
            parsed = sqlglot.parse_one(code.replace("STRICT, WITHOUT ROWID", "STRICT"), read="sqlite")
            if not isinstance(parsed, exp.Create):
                raise ValueError(f"not understood: {code[:80]}")
            yield parsed


def read_table(create: exp.Create) -> Table:
    """A parsed CREATE TABLE."""
    table = Table(create.this.this.name)
    for part in create.this.expressions:
        if isinstance(part, exp.ColumnDef):
            table.columns[part.name] = _column(table, part)
        elif isinstance(part, exp.PrimaryKey):
            table.primary = [name.name for name in part.expressions]
        elif isinstance(part, exp.UniqueColumnConstraint):
            table.uniques.append([name.name for name in part.this.expressions])
        elif isinstance(part, exp.CheckColumnConstraint):
            table.checks.append(part.this)
        else:
            raise ValueError(f"not understood in {table.name}: {part}")
    return table


def _column(table: Table, part: exp.ColumnDef) -> Column:
    column = Column(part.name, _PLAIN[str(part.args["kind"].this.value)])
    for constraint in (one.kind for one in part.constraints):
        if isinstance(constraint, exp.PrimaryKeyColumnConstraint):
            table.primary, column.not_null = [column.name], True
        elif isinstance(constraint, exp.NotNullColumnConstraint):
            column.not_null = True
        elif isinstance(constraint, exp.UniqueColumnConstraint):
            table.uniques.append([column.name])
        elif isinstance(constraint, exp.DefaultColumnConstraint):
            column.default = constraint.this
        elif isinstance(constraint, exp.CheckColumnConstraint):
            column.checks.append(constraint.this)
        elif isinstance(constraint, exp.Reference):
            column.reference = _reference(constraint)
        else:
            raise ValueError(f"not understood in {table.name}.{column.name}: {constraint}")
    return _typed(column)


def _reference(constraint: exp.Reference) -> Reference:
    target = constraint.this
    return Reference(target.this.name, target.expressions[0].name, " ".join(constraint.args["options"] or []))


def _typed(column: Column) -> Column:
    """The column with the type that its CHECK stands for; that CHECK is then the type's own work."""
    for kind, rule in _KINDS.items():
        wanted = sqlglot.parse_one(rule.format(x=_quoted(column.name)), read="sqlite")
        if wanted in column.checks:
            column.kind = kind
            column.checks.remove(wanted)
    if any(
        call.name.lower() == "json_valid" for check in column.checks for call in check.find_all(exp.Anonymous)
    ):
        column.kind = "jsonb"
    return column


def read_tables(schema: str) -> Tables:
    """Every table of a schema that Postgres gets, in order; references have the type of their target."""
    creates = [one for one in statements(schema) if one.kind == "TABLE"]
    tables = {table.name: table for table in map(read_table, creates) if table.name not in LEFT_OUT}
    for table in tables.values():
        for column in table.columns.values():
            if column.reference is not None:
                column.kind = _target_kind(tables, column)
    return tables


def _target_kind(tables: Tables, column: Column) -> str:
    while column.reference is not None:
        column = tables[column.reference.table].columns[column.reference.column]
    return column.kind


# --- writing Postgres -------------------------------------------------------------------------


def _quoted(name: str) -> str:
    return f'"{name}"' if name in ("before", "after") else name


def _terms(check: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(check, exp.And):
        yield from _terms(check.left)
        yield from _terms(check.right)
    else:
        yield check


def condition(table: Table, check: exp.Expr) -> str:
    """A CHECK in Postgres' words; '' where the type says it all."""
    kept = [term for term in _terms(check) if not _needless(term)]
    return " AND ".join(_written(term.transform(_translated, table)) for term in kept)


def _written(term: exp.Expr) -> str:
    return str(term.sql("postgres", comments=False, normalize_functions="lower"))


def _needless(term: exp.Expr) -> bool:
    """What Postgres' types refuse by themselves: NUL in a text, JSON that is none."""
    text = term.sql("sqlite").lower()
    return "char(0)" in text.replace(" ", "") or text.startswith("json_valid(") or "'*\\u0000*'" in text


def _translated(node: exp.Expr, table: Table) -> exp.Expr:
    if isinstance(node, exp.Not) and isinstance(node.this, exp.Glob):
        return _glob(node.this, "!~")
    if isinstance(node, exp.Glob):
        return _glob(node, "~")
    if isinstance(node, exp.Length) and isinstance(node.this, exp.Cast):
        return exp.func("octet_length", node.this.this)
    if isinstance(node, exp.EQ) and node.right.is_number and _kind(table, node.left) == "boolean":
        return exp.EQ(this=node.left, expression=exp.Boolean(this=node.right.name == "1"))
    if isinstance(node, exp.Substring) and _kind(table, node.this) == "timestamptz(0)":
        return _raw(f"({node.this.name} AT TIME ZONE 'UTC')::date")
    if isinstance(node, exp.JSONType):
        return _json_type(node)
    return node


def _raw(text: str) -> exp.Expr:
    """Postgres' own words, passed through."""
    return exp.Var(this=text)


def _kind(table: Table, node: exp.Expr) -> str | None:
    return table.columns[node.name].kind if isinstance(node, exp.Column) else None


def _glob(node: exp.Glob, operator: str) -> exp.Expr:
    subject, pattern = _written(node.this), node.expression
    if isinstance(pattern, exp.Literal):
        return _raw(f"{subject} {operator} '{_regex(pattern.name)}'")
    prefix = _written(pattern)
    if operator == "!~" or not prefix.endswith("*'"):
        raise ValueError(f"not understood: {prefix}")
    return _raw(f"starts_with({subject}, {prefix[:-2]}')")


def _regex(glob: str) -> str:
    """The regular expression of a GLOB pattern that holds only letters, ranges, * and ?."""
    if not re.fullmatch(r"([\w*?-]|\[\^?[\w-]+\])*", glob):
        raise ValueError(f"not understood: {glob}")
    text = "^" + glob.replace("*", ".*").replace("?", ".") + "$"
    return text.removeprefix("^.*").removesuffix(".*$")


def _json_type(node: exp.JSONType) -> exp.Expr:
    column, path = _quoted(node.this.name), node.args.get("expression")
    if path is None:
        return _raw(f"jsonb_typeof({column})")
    return _raw(f"({column} -> '{path.name.removeprefix('$.')}')")


def _column_line(table: Table, column: Column) -> str:
    words = [_quoted(column.name), column.kind]
    words += ["NOT NULL"] if column.not_null else []
    words += [f"DEFAULT {_default(column)}"] if column.default is not None else []
    checks = [condition(table, check) for check in column.checks]
    if column.kind in _RANGES:
        checks.append(_RANGES[column.kind].format(x=_quoted(column.name)))
    return " ".join(words + [f"CHECK ({check})" for check in checks if check])


def _default(column: Column) -> str:
    assert column.default is not None  # noqa: S101 - asked by the caller
    if column.kind == "timestamptz(0)":
        return _NOW
    if column.kind == "boolean":
        return "true" if column.default.name == "1" else "false"
    return column.default.sql("postgres", comments=False)


def table_sql(table: Table) -> str:
    """CREATE TABLE without keys."""
    lines = [_column_line(table, column) for column in table.columns.values()]
    lines += [f"CHECK ({condition(table, check)})" for check in table.checks]
    return f"CREATE TABLE public.{table.name} (\n    " + ",\n    ".join(lines) + "\n);\n"


def _part(table: Table, name: str) -> str:
    """A column as it stands in a key: long ones by their digest."""
    if (table.name, name) in LONG_TEXT:
        return f"sha256(replace({name}, '\\', '\\\\')::bytea)"
    return _quoted(name)


def _is_long(table: Table, names: list[str]) -> bool:
    return any((table.name, name) in LONG_TEXT for name in names)


def keys_sql(table: Table) -> Iterator[str]:
    """The primary key and the unique keys."""
    named = [(f"{table.name}_pkey", "PRIMARY KEY", table.primary)]
    named += [(f"{table.name}_{'_'.join(names)}_key", "UNIQUE", names) for names in table.uniques]
    for key, kind, names in named:
        columns = ", ".join(_part(table, name) for name in names)
        if _is_long(table, names):
            yield f"CREATE UNIQUE INDEX {key} ON public.{table.name} ({columns});"
        else:
            yield f"ALTER TABLE public.{table.name} ADD CONSTRAINT {key} {kind} ({columns});"


def references_sql(table: Table) -> Iterator[str]:
    """The foreign keys."""
    for column in table.columns.values():
        if column.reference is not None:
            to = column.reference
            words = [
                f"ALTER TABLE public.{table.name} ADD CONSTRAINT {table.name}_{column.name}_fkey",
                f"FOREIGN KEY ({column.name}) REFERENCES public.{to.table} ({to.column})",
            ]
            # A push may write a row before the one that it refers to: it defers the check to its end.
            yield " ".join([*words, *filter(None, [to.on_delete]), "DEFERRABLE;"])


def index_sql(tables: Tables, create: exp.Create) -> str | None:
    """CREATE INDEX, unless its table stays in SQLite."""
    index = create.this
    table = tables.get(index.args["table"].name)
    if table is None:
        return None
    params = index.args["params"]
    names = [ordered.this.name for ordered in params.args["columns"]]
    # A hash index takes a text of any length.
    method = "USING hash (" if _is_long(table, names) else "("
    where = params.args.get("where")
    last = f" WHERE {condition(table, where.this)}" if where is not None else ""
    unique = "UNIQUE " if create.args["unique"] else ""
    columns = ", ".join(_quoted(name) for name in names)
    return f"CREATE {unique}INDEX {index.name} ON public.{table.name} {method}{columns}){last};"


def guards_sql(table: Table) -> str:
    """What every table has: nobody's but its owner's and service_role's, and updated_at kept."""
    name = f"public.{table.name}"
    lines = [
        f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY;",
        f"REVOKE ALL ON {name} FROM PUBLIC, anon, authenticated, service_role;",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO service_role;",
        f"CREATE POLICY service ON {name} TO service_role USING (true) WITH CHECK (true);",
    ]
    if "updated_at" in table.columns:
        lines.append(
            f"CREATE TRIGGER {table.name}_touched BEFORE UPDATE ON {name} FOR EACH ROW WHEN (NEW.updated_at "
            "IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) "
            "EXECUTE FUNCTION digestlog.touch();"
        )
    return "\n".join(lines) + "\n"


def generated(schema: str) -> str:
    """The whole file for a schema."""
    tables = read_tables(schema)
    indexes = [index_sql(tables, one) for one in statements(schema) if one.kind == "INDEX"]
    keys = [line for table in tables.values() for line in keys_sql(table)]
    references = [line for table in tables.values() for line in references_sql(table)]
    return "\n".join(
        [
            _HEAD + "".join(f"--   {name}: {why}\n" for name, why in LEFT_OUT.items()),
            "-- == tables ==\n",
            *map(table_sql, tables.values()),
            "-- == keys ==\n",
            *keys,
            *[index for index in indexes if index is not None],
            *references,
            "\n-- == guards ==\n",
            *map(guards_sql, tables.values()),
        ]
    )


def main() -> int:
    """Write the file, or compare."""
    text = generated(schema_sql())
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
