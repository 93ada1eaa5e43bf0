"""What becomes of a row that two files have: the rules of `merge` and `push`, as data.

Each table has a key by which rows of two files are the same row, and groups of columns. A group is taken
whole from one of the two rows: from the first or the last by its order, and by the values themselves where
the order says nothing. So the result never depends on which file came first, nor on how files are paired.
docs/merge.md says the same in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# In an order: {r} is the row, {db} where it is, {home} where it is to be, {never} a time before all others.


@dataclass(frozen=True, slots=True)
class Group:
    """Columns that are taken together; without names, all that no other group and no key has."""

    order: tuple[str, ...]
    last: bool
    columns: tuple[str, ...] = ()
    # Columns that do not decide where the order says nothing: local numbers, and what a hash stands for.
    mute: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """How the rows of one table are merged; `left_out` columns belong to the file alone."""

    table: str
    key: tuple[str, ...]
    groups: tuple[Group, ...]
    left_out: tuple[str, ...] = ()
    # A row that only the other file has: taken over, unless something else brings it.
    adds: bool = True


def _first(table: str, key: str, *order: str, mute: tuple[str, ...] = ()) -> Rule:
    """Written once: the row that was there first."""
    return Rule(table, tuple(key.split()), (Group(order or ("{r}.created_at",), last=False, mute=mute),))


def _latest(table: str, key: str, *order: str) -> Rule:
    """Changes: the row that was written last."""
    return Rule(table, tuple(key.split()), (Group(order or ("{r}.updated_at",), last=True),))


_CHANGED = ("CASE WHEN {r}.updated_at > {r}.created_at THEN 1 ELSE 0 END", "{r}.updated_at")
_FIRST_CREATED = Group(("{r}.created_at",), last=False, columns=("created_at",))


def _chosen(table: str, key: str) -> Rule:
    """A person's choice: what was changed beats what a new file begins with; then the later one."""
    return _latest(table, key, *_CHANGED)


def _rank(field: str) -> str:
    """When an article got its title or date: with its detection, or later."""
    own = f"c.article_uuid = {{r}}.article_uuid AND c.field = '{field}'"
    found = f"SELECT c.completed_at FROM {{db}}.article_completions AS c WHERE {own}"  # noqa: S608
    return f"coalesce(({found}), {{r}}.article_detected_utc_iso)"


def _filled(field: str) -> Group:
    """What came first, and anything rather than nothing."""
    return Group(
        (f"CASE WHEN {{r}}.{field} IS NULL THEN 1 ELSE 0 END", _rank(field)), last=False, columns=(field,)
    )


_DETECTION = Group(
    (
        "{r}.article_detected_utc_iso",
        "{r}.created_at",
        # Not by its number, which each file gives in its own way.
        "(SELECT s.source_url FROM {home}.sources_master_list AS s WHERE s.source_uuid = {r}.source_uuid)",
    ),
    last=False,
    mute=("source_uuid",),
)
COMPLETED_FIELDS = ("article_title", "published_utc_iso")

# In an order in which rows can be added: what is referred to comes first.
RULES: tuple[Rule, ...] = (
    Rule(
        "users",
        ("id",),
        (
            # Who was signed out stays signed out.
            Group(("{r}.session_epoch",), last=True, columns=("session_epoch",)),
            Group(_CHANGED, last=True),
        ),
    ),
    _chosen("plan_definitions", "plan"),
    _chosen("subscriptions", "user_id"),
    _latest("onboarding_state", "user_id"),
    _chosen("settings", "user_id"),
    Rule("sources_master_list", ("source_uuid",), (_FIRST_CREATED, Group(("{r}.updated_at",), last=True))),
    _latest("source_fetch_state", "source_uuid", "coalesce({r}.last_scanned_at, {never})", "{r}.updated_at"),
    _latest("source_left_out", "source_uuid"),
    Rule(
        "extracted_article_urls",
        ("article_uuid",),
        (
            *(_filled(field) for field in COMPLETED_FIELDS),
            Group(("{r}.updated_at",), last=True, columns=("updated_at",)),
            _DETECTION,
        ),
    ),
    _first("article_source_mentions", "article_uuid source_uuid", "{r}.first_seen_at"),
    _latest(
        "url_resolutions",
        "article_url_original",
        # An answer beats none, and having given up beats waiting.
        "CASE {r}.status WHEN 'resolved' THEN 2 WHEN 'failed' THEN 1 ELSE 0 END",
        "{r}.updated_at",
    ),
    _first("scraped_articles", "article_uuid content_sha256", "{r}.scraped_at", mute=("content_text",)),
    Rule(
        "article_documents",
        ("article_uuid",),
        (
            _FIRST_CREATED,
            Group(("CASE WHEN {r}.scrape_id IS NULL THEN 0 ELSE 1 END", "{r}.updated_at"), last=True),
        ),
        left_out=("docid",),
        adds=False,  # a trigger makes it with the article
    ),
    _latest("scrape_state", "article_uuid"),
    _latest("scan_runs", "run_id"),
    _first("scan_source_results", "run_id source_uuid"),
    _chosen("categories", "user_id name"),
    _first("user_sources", "user_id source_uuid"),
    _first("article_history", "user_id url_hash"),
    _first("syntheses", "id"),
    _first("synthesis_items", "synthesis_id category position"),
    _first("synthesis_candidates", "synthesis_id url"),
    _first("provider_answers", "question_sha256"),
    _chosen("brand_library_brands", "id"),
    _chosen("brand_domains", "domain"),
    Rule(
        "urls",
        ("id",),
        (
            Group(("{r}.created_at",), last=False, columns=("url", "created_at")),
            Group(
                ("coalesce({r}.last_checked_at, {never})",),
                last=True,
                columns=("last_checked_at", "next_check_at"),
            ),
            Group(("{r}.updated_at",), last=True),
        ),
    ),
    _latest("url_submissions", "id"),
    _first("url_policy_decisions", "id"),
    _latest("policy_rules", "kind pattern"),
    _latest("policy_lists", "name", "{r}.updated_at", "{r}.domains", "{domains}"),
    Rule(
        "user_url_library",
        ("user_id", "url_id"),
        (
            _FIRST_CREATED,
            # The stricter gate: a merge never shows more of the past.
            Group(("coalesce({r}.history_start_at, {never})",), last=True, columns=("history_start_at",)),
            Group(("{r}.updated_at",), last=True),
        ),
    ),
    _first("url_observations", "id"),
    _first("url_contents", "content_sha256"),
    _latest("url_check_state", "url_id"),
    _latest("url_change_events", "id"),
    _first("url_change_summaries", "id"),
    _first("told_events", "user_id event_id"),
    _first("url_render_artifacts", "id"),
    _chosen("trend_definitions", "id"),
    _latest("tracked_urls", "id"),
    _first("url_checks", "id"),
    _first("url_changes", "id"),
    _first("summaries", "id"),
    _first("url_renders", "id"),
)

# Merged with something else, counted anew, or of the file alone.
BESIDE = {
    "article_completions": "with its article",
    "policy_domains": "with its list",
    "trend_points": "counted anew",
    "source_numbers": "each file numbers its own sources",
    "url_identity": "must be the same",
    "clock": "empty",
    # One that was revoked in one file must not come back from another.
    "access_tokens": "they open one file alone",
    "file_owner": "of the file alone",
    "push_targets": "of the file alone",
    "change_log": "of the file alone",
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a database writes what the rules say."""

    home: str
    never: str
    late: str
    least: str
    # A text of a value, by which two that are not the same differ: in no value a comma stands before a sign.
    value: str
    # All domains of a list in one text.
    domains: str


_OF_LIST = "FROM (SELECT * FROM {db}.policy_domains WHERE list_name = {r}.name ORDER BY domain) AS d"
SQLITE = Dialect(
    home="main",
    never="''",
    late="'9999'",
    least="min",
    value="coalesce('+' || replace(CASE typeof({0}) WHEN 'blob' THEN '\\x' || lower(hex({0})) ELSE {0} END,"
    " ',', ', '), '-')",
    domains=f"(SELECT coalesce(group_concat(d.domain || ' ' || d.subdomains), '') {_OF_LIST})",  # noqa: S608
)


@dataclass(frozen=True, slots=True)
class Merger:
    """The SQL of one rule for the columns that its table has."""

    rule: Rule
    columns: tuple[str, ...]
    dialect: Dialect = SQLITE

    def groups(self) -> Iterator[tuple[Group, tuple[str, ...]]]:
        """Each group with its columns."""
        taken = {*self.rule.key, *self.rule.left_out, *(c for g in self.rule.groups for c in g.columns)}
        rest = tuple(c for c in self.columns if c not in taken)
        for group in self.rule.groups:
            yield group, group.columns or rest

    def written(self) -> tuple[str, ...]:
        """The columns that are taken over."""
        return tuple(c for c in self.columns if c not in self.rule.left_out)

    def same(self, one: str, other: str) -> str:
        """True for two rows that are the same row."""
        return " AND ".join(f'{one}."{c}" = {other}."{c}"' for c in self.rule.key)

    def wins(self, group: Group, columns: Sequence[str], one: tuple[str, str], other: tuple[str, str]) -> str:
        """True if the group of the row `one` is to be taken rather than that of `other`: (row, file) each."""
        sides = [self._order(group, columns, *side) for side in (one, other)]
        sign = ">" if group.last else "<"
        *pairs, last = zip(*sides, strict=True)
        text = f"{last[0]} {sign} {last[1]}"
        for left, right in reversed(pairs):
            text = f"({left} {sign} {right} OR ({left} = {right} AND {text}))"
        return text

    def any_wins(self, one: tuple[str, str], other: tuple[str, str]) -> str:
        """True if any group of the row `one` is to be taken rather than that of `other`."""
        found = [self.wins(group, columns, one, other) for group, columns in self.groups() if columns]
        return f"({' OR '.join(found)})" if found else "0"

    def _order(self, group: Group, columns: Sequence[str], row: str, db: str) -> list[str]:
        order = [self.said(text, row, db) for text in group.order]
        telling = [c for c in columns if c not in group.mute]
        values = " || ',' || ".join(self.dialect.value.format(f'{row}."{c}"') for c in telling)
        return [*order, values] if values else order

    def said(self, text: str, row: str, db: str) -> str:
        """An order as this database writes it."""
        text = text.replace("{domains}", self.dialect.domains)
        return text.format(r=row, db=db, home=self.dialect.home, never=self.dialect.never)

    def completions(self, db: str) -> Iterator[str]:
        """Which titles and dates of `db`'s articles come later than the detection of the merged one."""
        home, late, least = self.dialect.home, self.dialect.late, self.dialect.least
        for group, (field, *_) in self.groups():
            if field not in COMPLETED_FIELDS:
                continue
            came = [
                f"CASE WHEN {row}.{field} IS NULL THEN {late} ELSE {self.said(group.order[1], row, at)} END"
                for row, at in (("o", db), ("m", home))
            ]
            detected = "article_detected_utc_iso"
            yield f"""SELECT article_uuid, '{field}' AS field, came_at AS completed_at FROM (
                SELECT o.article_uuid, {least}({", ".join(came)}) AS came_at,
                    {least}(o.{detected}, coalesce(m.{detected}, o.{detected})) AS detected
                FROM {db}.extracted_article_urls AS o
                LEFT JOIN {home}.extracted_article_urls AS m ON m.article_uuid = o.article_uuid
            ) AS both_files WHERE came_at > detected AND came_at < {late}"""  # noqa: S608

    def lists(self, db: str) -> str:
        """The names of the lists of domains that are taken from `db`."""
        home = self.dialect.home
        return f"""SELECT o.name FROM {db}.policy_lists AS o LEFT JOIN {home}.policy_lists AS m
            ON m.name = o.name WHERE m.name IS NULL OR {self.any_wins(("o", db), ("m", home))}"""  # noqa: S608
