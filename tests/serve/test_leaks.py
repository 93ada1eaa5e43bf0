"""Nothing leaks: a free user and a stranger try every way there is, against a file full of marks.

It runs against the installed Datasette here, and against the newest alpha by test_other_datasette.py.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote_plus

import httpx
import pytest
from serve import attacks
from serve.house import PORT, Browser, House
from serve.marked import ANNA, BOB, OPEN, WITHOUT_MARK, Marked, marks
from serve.routes import DECIDED
from store.rows import ROWS

from digestlog.serve.forms import is_open
from digestlog.store.gates import GATES, TABLES

# 0.65 forgets some of its own work where a question is wrong, and Python remarks on it.
pytestmark = [
    pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

KINDS = {
    "tables": attacks.table_paths,
    "rows": attacks.row_paths,
    "options": attacks.option_paths,
    "sql": attacks.sql_paths,
    "inside": attacks.inside_paths,
    "special": lambda: iter(attacks.SPECIAL),
}


@pytest.fixture(scope="module")
def free(marked_house: House) -> Browser:
    """A signed-in user on the free plan."""
    return marked_house.signed_in(ANNA)


@pytest.fixture(scope="module")
def stranger(marked_house: House) -> Browser:
    return marked_house.browser()


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Datasette tells the terminal of each error; nobody needs that here."""
    yield
    capfd.readouterr()


def everything(answer: httpx.Response) -> str:
    """All that an answer says, in all the ways to read it."""
    heads = str(answer.headers.multi_items())
    text = answer.content.decode("utf-8", "replace")
    return "\n".join(
        (heads, text, html.unescape(text), unquote_plus(text), _unescaped(text), unquote_plus(heads))
    )


def _unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)


def leaks(answer: httpx.Response, marked: Marked, asked: str = "") -> list[str]:
    """What of the forbidden an answer says; an address that was asked for may come back."""
    said = everything(answer)
    known = unquote_plus(asked)
    return [word for word in marked.forbidden if word in said and word not in known]


def try_all(browser: Browser, marked: Marked, paths: Iterable[str]) -> dict[str, list[str]]:
    """The paths that leak, and what."""
    found = {}
    for path in paths:
        answer = browser.page(path)
        if wrong := leaks(answer, marked, path):
            found[path] = wrong
        assert answer.headers["x-content-type-options"] == "nosniff"
    return found


def test_the_marks_are_where_they_should_be(marked: Marked) -> None:
    assert set(ROWS) - marks(marked.path) == WITHOUT_MARK


def test_what_is_allowed_can_be_seen(free: Browser) -> None:
    """Otherwise it would be easy to leak nothing."""
    shown = {table for table in TABLES if OPEN in free.get(f"/my/{table}.json?_shape=array").text}
    assert TABLES - shown - {"url_render_artifacts"} == {
        "plan_definitions",
        "subscriptions",
        "settings",
        "user_sources",
        "user_url_library",
        "told_events",
    }
    for table in TABLES - shown - {"url_render_artifacts"}:
        rows = json.loads(free.get(f"/my/{table}.json?_shape=array").text)
        assert len(rows) == {"plan_definitions": 2, "user_url_library": 2}.get(table, 1), table
    (rendering,) = json.loads(free.get("/my/url_render_artifacts.json?_shape=array").text)
    blob = free.get(f"/my/url_render_artifacts/{rendering['id']}.blob?_blob_column=content")
    assert blob.text == OPEN


@pytest.mark.parametrize("kind", KINDS)
def test_a_free_user_gets_nothing_else(free: Browser, marked: Marked, kind: str) -> None:
    assert try_all(free, marked, KINDS[kind]()) == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_stranger_gets_the_same_answer_to_everything(stranger: Browser, marked: Marked, kind: str) -> None:
    for path in list(KINDS[kind]())[:: 7 if kind in ("tables", "rows", "options", "sql") else 1]:
        answer = stranger.get(path)
        assert (answer.status_code, answer.text) in ((401, "Sign in first.\n"), (404, answer.text)), path
        assert not leaks(answer, marked, path), path
        assert answer.status_code == 401 or "There is no such page" in answer.text, path
        assert stranger.page(path).headers.get("location", "/sign-in?").startswith("/sign-in?"), path


@pytest.mark.parametrize("path", attacks.SPELLINGS)
@pytest.mark.parametrize("raw", [True, False])
def test_no_spelling_gets_past(free: Browser, marked: Marked, path: str, raw: bool) -> None:
    """Also where the server hands over a decoded path only."""

    def change(scope: dict[str, object]) -> None:
        address, _, query = path.partition("?")
        scope["path"] = unquote_plus(address)
        scope["raw_path"] = address.encode() if raw else None
        scope["query_string"] = query.encode()

    start, *bodies = free.raw(change)
    said = b"".join(body.get("body", b"") for body in bodies).decode("utf-8", "replace") + str(
        start["headers"]
    )
    assert not [word for word in marked.forbidden if word in said and word not in path], said
    assert start["status"] in (200, 302, 404), start


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"]
)
@pytest.mark.parametrize(
    "path", ["/my", "/my/urls", "/my/-/query", "/my/urls/-/insert", "/-/messages", "/digestlog", "/"]
)
def test_nothing_is_written_by_any_method(
    free: Browser, stranger: Browser, marked: Marked, method: str, path: str
) -> None:
    before = marked.path.stat().st_mtime_ns
    for browser in (free, stranger):
        for body in (
            {},
            {"data": {"sql": "select * from users", "_actor_id": "root"}},
            {"json": {"sql": "select 1"}},
        ):
            answer = browser.ask(method, path, **body)
            assert answer.status_code in (401, 403, 405), (method, path, answer.status_code)
            assert not leaks(answer, marked)
    assert marked.path.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "path", ["/my/urls", "/my/urls.json", "/", "/digestlog", "/static/digestlog.css", "/sign-in"]
)
def test_a_head_has_no_body(free: Browser, path: str) -> None:
    answer = free.ask("HEAD", path)
    assert answer.content == b""
    assert answer.status_code == free.get(path).status_code


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"127.0.0.1.evil.example:{PORT}",
    "",
     f"localhost.evil.example:{PORT}", "[::1]", f"user@127.0.0.1:{PORT}", f"127.0.0.1:{PORT}@evil.example",
     f"127.0.0.1:{PORT}:80", f"0.0.0.0:{PORT}", f"2130706433:{PORT}", f"127.1:{PORT}"],
)  # fmt: skip
def test_no_other_name_is_answered(free: Browser, marked: Marked, host: str) -> None:
    """A page on another site whose name leads here gets nothing, even with the user's cookies."""
    for path in ("/my/urls.json", "/", "/sign-in", "/static/digestlog.css"):
        answer = free.get(path, headers={"host": host})
        assert answer.status_code == 421, path
        assert not leaks(answer, marked)
        assert OPEN not in answer.text


@pytest.mark.parametrize("hosts", [[], [b"127.0.0.1:8001", b"evil.example"], [b"127.0.0.1:8001"] * 2])
def test_a_request_has_one_host(free: Browser, hosts: list[bytes]) -> None:
    def change(scope: dict[str, object]) -> None:
        scope["headers"] = [(b"host", host) for host in hosts]

    assert free.raw(change)[0]["status"] == 400


@pytest.mark.parametrize(
    "headers",
    [{"x-forwarded-host": "evil.example"}, {"x-original-url": "/digestlog/users"},
     {"x-rewrite-url": "/digestlog"}, {"x-http-method-override": "DELETE"},
     {"authorization": "Bearer dstok_x"}, {"authorization": "Basic cm9vdDo="},
     {"cookie": "ds_actor=x"}, {"x-forwarded-user": "root"}, {"range": "bytes=0-5"}, {"accept": "*/*;q=0.1"}],
)  # fmt: skip
def test_headers_change_nothing(free: Browser, marked: Marked, headers: dict[str, str]) -> None:
    keep = {"cookie": "; ".join(f"{k}={v}" for k, v in free.client.cookies.items())}
    if "cookie" in headers:
        headers = {"cookie": f"{keep['cookie']}; {headers['cookie']}"}
    answer = free.get("/my/urls.json?_shape=array", headers={**keep, **headers})
    assert answer.json() == free.get("/my/urls.json?_shape=array").json()
    assert not leaks(answer, marked)
    assert free.get("/digestlog/users.json", headers={**keep, **headers}).status_code == 404


def test_a_datasette_cookie_of_its_own_is_worth_nothing(
    free: Browser, marked_house: House, marked: Marked
) -> None:
    """Also one that is signed rightly: no instance sees cookies."""
    admin = marked_house.signed_in(marked.owner)
    admin.get("/digestlog.json")
    for datasette in _datasettes(marked_house):
        forged = marked_house.browser()
        for actor in ({"id": "root"}, {"id": marked.owner}, {"id": ANNA}):
            forged.client.cookies.set("ds_actor", datasette.sign({"a": actor}, "actor"))
            assert forged.get("/digestlog/users.json").status_code == 401
            assert forged.get("/my/users.json").status_code == 401
        free_too = marked_house.signed_in(ANNA)
        free_too.client.cookies.set("ds_actor", datasette.sign({"a": {"id": "root"}}, "actor"))
        assert free_too.get("/digestlog/users.json").status_code == 404
        assert free_too.get("/-/permissions").status_code == 404
        token = datasette._root_token
        assert free_too.get(f"/-/auth-token?token={token}").status_code == 404


def test_a_web_socket_is_closed(free: Browser) -> None:
    def change(scope: dict[str, object]) -> None:
        scope["type"] = "websocket"
        scope["path"] = "/my"

    sent = free.raw(change, {"type": "websocket.connect"})
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_asking_to_upgrade_gets_an_ordinary_answer(free: Browser) -> None:
    answer = free.get("/my/urls.json", headers={"connection": "upgrade", "upgrade": "websocket"})
    assert answer.status_code == 200


def _datasettes(house: House) -> list[object]:
    admin = house.instances._admin
    residents = [resident.instance for resident in house.instances._residents.values()]
    return [instance.datasette for instance in (admin, *residents) if instance is not None]


def test_inside_datasette_the_plugin_denies_too(free: Browser, marked_house: House, marked: Marked) -> None:
    """The second wall: were the gatekeeper to hand on anything to anybody, Datasette would still refuse."""
    free.get("/my.json")
    marked_house.signed_in(marked.owner).get("/digestlog.json")
    assert len(_datasettes(marked_house)) == 2
    for datasette in _datasettes(marked_house):
        for actor in (None, {"id": "root"}, {"id": ANNA}, {"id": BOB}, {"id": marked.owner}):
            cookies = {"ds_actor": datasette.sign({"a": actor}, "actor")} if actor else {}  # type: ignore[attr-defined]
            for path in ("/", "/digestlog", "/my", "/my/urls.json", "/digestlog/users.json",
            "/my.json?sql=select+1",
                         "/_internal", "/-/databases.json", "/-/permissions", "/digestlog.db", "/my.db",
                         "/my/-/query.json?sql=select+1", "/-/metadata.json", "/-/threads.json"):  # fmt: skip
                answer = marked_house.run(datasette.client.get(path, cookies=cookies))  # type: ignore[attr-defined]
                assert answer.status_code in (302, 403, 404), (path, actor, answer.text)
                assert marked.forbidden[0] not in answer.text.replace(str(marked.path), "")


def test_every_address_form_of_this_datasette_is_decided(marked_house: House, marked: Marked) -> None:
    """A Datasette with a new one fails here until somebody has thought about it."""
    marked_house.signed_in(marked.owner).get("/digestlog.json")
    datasette, *_ = _datasettes(marked_house)
    known = {getattr(pattern, "pattern", pattern) for pattern, _ in datasette._routes()}  # type: ignore[attr-defined]
    assert sorted(known - set(DECIDED)) == []


@pytest.mark.parametrize("pattern", DECIDED)
def test_the_decisions_hold(pattern: str) -> None:
    decision = DECIDED[pattern]
    for sample in decision.samples:
        assert re.match(pattern, sample.replace("DB", "my")), sample
        for database, admin in (("my", False), ("digestlog", True)):
            path = sample.replace("DB", database)
            assert is_open(path, admin=admin) == (decision.admins if admin else decision.users), path
            other = sample.replace("DB", "digestlog" if database == "my" else "my")
            if other != sample.replace("DB", database):
                assert not is_open(other, admin=admin)


def test_every_gate_is_a_condition_on_the_user_or_on_nothing_private() -> None:
    free_of_user = {gate.table for gate in GATES if ":user_id" not in gate.where}
    assert free_of_user == {"plan_definitions", "trend_definitions"}


def test_an_answer_that_is_too_large_is_an_error_not_a_flood(free: Browser) -> None:
    sql = "with+recursive+n(x)+as+(select+1+union+all+select+x%2B1+from+n)+select+x,zeroblob(1000000)+from+n"
    for form in ("/my.json", "/my/-/query.json"):
        answer = free.get(f"{form}?sql={sql}")
        assert len(answer.content) < 10_000


def test_a_slow_statement_is_stopped(free: Browser) -> None:
    sql = "with+recursive+n(x)+as+(select+1+union+all+select+x%2B1+from+n)+select+count(*)+from+n"
    answers = [free.get(f"{form}?sql={sql}") for form in ("/my.json", "/my/-/query.json")]
    assert any("interrupt" in answer.text.lower() or "too long" in answer.text for answer in answers)


def test_formulas_are_disarmed_in_csv(free: Browser) -> None:
    sql = "select+'%3D1%2B1'+as+%22%3Dhead%22,+-5+as+n,+'-x'+as+t,+'a,%22%3Db'+as+q"
    seen = []
    for form in ("/my.csv", "/my/-/query.csv"):
        for more in ("", "&_dl=1", "&_stream=1", "&_bom=1"):
            answer = free.get(f"{form}?sql={sql}{more}")
            if answer.status_code == 200:
                seen.append(answer.text.lstrip("\ufeff").splitlines())
    assert seen
    for rows in seen:
        assert rows == ["'=head,n,t,q", '\'=1+1,-5,\'-x,"a,""=b"']
