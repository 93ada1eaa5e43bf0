"""Everything that somebody might ask of Datasette to see what is not theirs, as data."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from serve.marked import ANNA, BOB
from store.rows import ROWS, uuid

SHADOWS = [f"article_search{end}" for end in ("", "_data", "_idx", "_docsize", "_config", "_content")]
VIEWS = [
    "article_texts", "brands", "moment", "user_plans", "v1_check_observations", "visible_urls",
    "visible_observations", "visible_change_events", "visible_change_summaries", "visible_render_artifacts",
]  # fmt: skip
SYSTEM = ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_stat1", "sqlite_sequence"]
TABLES = [*ROWS, *SHADOWS, *VIEWS, *SYSTEM]
FORMATS = ["", ".json", ".jsono", ".csv", ".html", ".blob", ".db", ".md", ".atom", ".xyz"]
FOREIGN = [
    "digestlog", "DIGESTLOG", "Digestlog", "_internal", "_memory", ":memory:", "__INTERNAL__", "main", "temp",
    "zqxforbidden-path", "fixtures", "MY", "my2",
]  # fmt: skip
ROWS_ASKED = [ANNA, BOB, *(uuid(number) for number in (832, 833, 842, 845, 850, 851, 852, 862, 872, 882))]

# What may stand behind a table's address. Words that look for the mark know only its beginning.
OPTIONS = [
    "_shape=arrays", "_shape=objects", "_shape=array", "_shape=array&_nl=on", "_shape=arrayfirst",
    "_shape=object",
    "_labels=on", "_size=max", "_size=0", "_size=99999", "_stream=1", "_stream=on&_size=max", "_trace=1",
    "_context=1", "_json_infinity=1", "_ttl=999", "_nocol=id", "_col=id&_col=password_hash", "_dl=1",
    "_bom=1",
    "_search=zqx*", "_search=%22zqx%22", "_searchmode=raw&_search=zqx*", "_search_before=zqx",
    "_facet=user_id", "_facet=id&_facet_size=max", "_facet_array=diff", "_facet_date=created_at",
    "_facet=rowid",
    "_where=1%3D1", "_where=id%20in%20(select%20id%20from%20users)", "_where=0%20union%20select%201",
    "_where=exists(select%201%20from%20digestlog.users)", "_where=user_id%20like%20'%25'",
    "_through=%7B%22table%22%3A%22user_url_library%22%2C%22column%22%3A%22user_id%22%2C%22value%22%3A%22x%22%7D",
    "_through=%7B%22table%22%3A%22users%22%2C%22column%22%3A%22role%22%2C%22value%22%3A%22admin%22%7D",
    "_extra=query",
    "_extra=columns,primary_keys,query,request,display_rows,facet_results,metadata,extras,debug",
    "_extra=_all", "_next=0", "_next=zqx", "_sort=id", "_sort_desc=rowid", "_sort=password_hash",
    "_nosuggest=1",
    "_nofacet=1", "_nocount=1", "_filter_column=id&_filter_op=contains&_filter_value=0",
    "user_id__contains=0", "id__not=1", "id__in=1,2", "rowid__gt=0", "name__like=%25",
    "_fts_table=article_search",
    "_fts_table=article_search&_fts_pk=docid&_search=zqx*", "_blob_column=content", "_blob_column=id",
    "_actor_id=root", "_actor=root", "user_id=" + BOB, "_format=json", "_hash=1", "_json=diff", "_row=1",
    "_header=off", "_group_count=user_id", "_columns=password_hash", "_fields=*", "_rows=1",
    "_facet_m2m=urls",
]  # fmt: skip

SQL = [
    *(f"select * from {table}" for table in TABLES),
    *(f"select * from {schema}.{table}" for schema in ("main", "temp", "file", "copy", "digestlog", "my")
      for table in ("users", "urls", "access_tokens", "sqlite_master")),
    "select password_hash, session_epoch from users",
    "select name, sql from sqlite_master",
    "select * from sqlite_schema",
    "explain select * from users",
    "explain query plan select * from visible_urls",
    "with users as (select 1) select * from users",
    "with a as (select * from urls) select * from a union select * from a",
    "with recursive n(x) as (select 1 union all select x + 1 from n) select * from n limit 5",
    "explain with a as (select 1) select * from a",
    *(f"select * from pragma_{name}" for name in (
        "database_list", "table_list", "function_list", "module_list", "compile_options", "collation_list",
        "table_info('users')", "table_xinfo('users')", "index_list('urls')", "foreign_key_list('urls')",
        "schema_version", "page_count", "journal_mode", "data_version", "pragma_list", "temp_store_directory",
        "writable_schema", "trusted_schema", "encoding", "freelist_count", "integrity_check", "quick_check",
    )),
    "select * from dbstat", "select * from sqlite_dbpage", "select * from sqlite_stmt",
    "select * from bytecode('x')",
    "select * from json_each((select json_group_array(name) from users))",
    "select * from json_tree('{\"a\": 1}')",
    "attach database 'zqx.db' as x", "attach ':memory:' as x", "detach my",
    "insert into users (id) values ('x')", "update users set role = 'admin'", "delete from urls",
    "create table t (a)", "create temp view v as select 1", "drop table users", "vacuum into '/tmp/zqx.db'",
    "pragma database_list", "pragma writable_schema = 1", "reindex", "analyze", "begin", "savepoint x",
    "select load_extension('x')", "select readfile('/etc/passwd')", "select writefile('x', 'y')",
    "select fts3_tokenizer('simple')", "select sqlite_source_id(), sqlite_version()", "select edit('x')",
    "select * from urls; attach 'x' as y", "select 1; select * from users", "/* */ select * from users",
    "-- x\nattach ':memory:' as x", "select abs(-9223372036854775808)", "select 1/0, json('{')",
    "select case when exists (select 1 from users) then abs(-9223372036854775808) end",
    "select hex(zeroblob(5)), randomblob(3)", "select zeroblob(1000000000)", "select * from fsdir('/')",
    "select :_actor_id, :_cookie_ds_actor, :_header_host, :_random_chars_10, :_now_epoch, :_actor_key",
    "select :_actor_id as me from users where id = :_actor_id",
    "select * from urls where id = :id", "values (1)", "select", "", "'", "\"",
    "select \"password_hash\" from users",
    "select * from article_search('zqx*')", "select highlight(article_search, 0, '', '') from article_search",
    "select group_concat(name) from users, urls", "select typeof(users) from users",
    "select rowid, * from urls",
    "select * from (select * from users) join users", "select count(*) from users",
    "select max(rowid) from users",
    "select * from users where password_hash like '%'", "select sum(session_epoch) from users",
]  # fmt: skip

# Ways to write an address that mean the same to somebody, or might to a careless reader.
SPELLINGS = [
    "/digestlog/users", "//digestlog/users", "/./digestlog/users", "/my/../digestlog/users",
    "/my/%2e%2e/digestlog",
    "/%64igestlog/users", "/digestlog%2fusers", "/digestlog%252fusers", "/digestlog~2Fusers",
    "/~64igestlog/users",
    "/digestlog/users/", "/digestlog//users", "/digestlog;x/users", "/digestlog\\users", "/digestlog%5cusers",
    "/DIGESTLOG/USERS", "/digestlog/Users.JSON", "/digestlog/users%00", "/digestlog/users%0a",
    "/digestlog/users.json%20",
    "/%6dy/users", "/my%2fusers", "/my//users", "/my/./users", "/my/users/..", "/MY/users", "/my/USERS.json",
    "/my/%75sers.json", "/my/users.json/", "/my/users%2ejson", "/my;/users", "/my/users;.json",
    "/my~2F..~2Fdigestlog",
    "/my.db", "/my.json", "/digestlog.db", "/digestlog-abcdef/users", "/my-abcdef/users", "/:memory:",
    "/_memory?sql=select+1",
    "/_internal", "/_internal/databases", "/-/static/../../../etc/passwd", "/-/static/%2e%2e/%2e%2e/app.py",
    "/-/static/..%2f..%2fapp.py", "/-/static-plugins/digestlog/x",
    "/-/static-plugins/digestlog.serve.plugin/__init__.py",
    "/static/../gatekeeper.py", "/static/%2e%2e/gatekeeper.py", "/static/", "/static", "/favicon.ico/x",
    "/my/urls/-/x", "/my/-/-", "/my/-", "/my/-/", "/-", "/-/", "/-/-", "/", "/%", "/%zz",
    "/\xff".encode("latin-1").hex(),
]  # fmt: skip

SPECIAL = [
    f"/-/{name}{end}"
    for name in (
        "actor", "actions", "allow-debug", "allowed", "api", "auth-token", "check", "config", "create-token",
        "databases", "debug/autocomplete", "inspect", "jump", "logout", "messages", "metadata", "patterns",
        "permissions", "plugins", "queries", "rules", "schema", "settings", "static/", "tables", "tasks",
        "threads",
        "versions", "upload-csvs", "login",
    )
    for end in ("", ".json", ".html", ".md")
]  # fmt: skip

INSIDE = [
    "create", "foreign-key-targets", "queries", "queries/analyze?sql=select+1", "queries/store",
    "execute-write",
    "execute-write/analyze?sql=select+1", "schema", "schema.json", "schema.md",
    "query/parameters?sql=select+:a",
    "query.db", "insert", "upsert", "alter", "drop", "set-column-type", "count", "fragment",
    "autocomplete?q=zqx",
    "foreign-key-suggestions", "update", "delete", "definition", "edit",
]  # fmt: skip


def table_paths() -> Iterator[str]:
    """Every table by every form, in the user's database and in all that are not theirs."""
    for database in ("my", *FOREIGN):
        yield from (f"/{database}{form}" for form in FORMATS)
    for table in TABLES:
        yield from (f"/my/{table}{form}" for form in FORMATS)
        yield from (
            f"/my/{spelling}.json"
            for spelling in (table.upper(), table.title(), f"[{table}]", f"~22{table}~22")
        )
        yield from (f"/digestlog/{table}{form}" for form in ("", ".json", ".csv"))
        yield f"/my/{table}/-/count"
        yield f"/my/{table}/-/autocomplete?q=zqx"
        yield f"/my/{table}/-/schema.json"


def row_paths() -> Iterator[str]:
    """Rows by their keys, own and others'."""
    for table in ("users", "urls", "url_change_events", "url_observations", "url_submissions", "syntheses",
                  "url_render_artifacts", "url_policy_decisions", "user_url_library", "trend_definitions",
                  "access_tokens", "sources_master_list", "brands"):  # fmt: skip
        for key in ROWS_ASKED:
            for form in ("", ".json", ".blob?_blob_column=content", ".json?_extras=foreign_key_tables"):
                yield f"/my/{table}/{key}{form}"


def option_paths() -> Iterator[str]:
    """Tables with each option."""
    for table in ("users", "url_change_events", "url_render_artifacts"):
        for option in OPTIONS:
            yield from (f"/my/{table}{form}?{option}" for form in ("", ".json", ".csv"))


def sql_paths() -> Iterator[str]:
    """SQL by the forms of 0.65 and of 1.0."""
    for sql in SQL:
        text = quote(sql, safe="")
        yield from (f"/my{form}?sql={text}" for form in ("", ".json", ".csv"))
        yield from (f"/my/-/query{form}?sql={text}" for form in ("", ".json", ".csv"))
        yield f"/digestlog?sql={text}"
    yield f"/my.json?sql=select+*+from+urls+where+id+%3D+:id&id={uuid(833)}&_actor_id=root"


def inside_paths() -> Iterator[str]:
    """What lies behind /-/ of databases, tables and rows."""
    for word in INSIDE:
        for place in ("/my", "/my/urls", f"/my/urls/{uuid(831)}", "/digestlog", "/digestlog/users"):
            yield f"{place}/-/{word}"
