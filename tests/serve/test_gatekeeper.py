"""The gatekeeper: who is let in where, what every answer carries, and that forms come from our own pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from serve.house import BASE, PORT, House
from serve.marked import ANNA, marked_file
from store.rows import put, uuid

from digestlog.errors import ConfigError
from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route, static_files
from digestlog.serve.screens import ROUTES

SECRET = "only for admins"


def _echo(page: Page) -> Response:
    return Response.text(f"{page.visitor.name} {page.parts} {page.request.form.get('word', '')}")


def _broken(page: Page) -> Response:
    raise RuntimeError("zqxforbidden inside")


def _unusable(page: Page) -> Response:
    raise ConfigError("this cannot be")


TEST_ROUTES = (
    *ROUTES,
    Route.get("/things/{thing}", _echo),
    Route.post("/things/{thing}", _echo, most_bytes=300),
    Route.get("/admin", lambda page: Response.text(SECRET), access="admin"),
    Route.get("/feeds/test.atom", _echo, access="feed"),
    Route.get("/broken", _broken),
    Route.get("/unusable", _unusable),
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(marked_file(tmp_path).path, routes=TEST_ROUTES)
    yield house
    house.close()


# --- who comes where --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/my", "/digestlog", "/nothing", "/things/a", "/admin", "/-/static/app.css"]
)
def test_a_stranger_is_sent_to_sign_in_from_everywhere(house: House, path: str) -> None:
    stranger = house.browser()
    answer = stranger.page(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in")
    assert (stranger.get(path).status_code, stranger.get(path).text) == (401, "Sign in first.\n")


def test_a_stranger_reaches_the_sign_in_page_and_our_own_files(house: House) -> None:
    stranger = house.browser()
    assert stranger.page("/sign-in").status_code == 200
    for path in static_files():
        answer = stranger.get(path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, max-age=3600"
    assert stranger.get("/static/none.css").status_code == 401


def test_an_admin_sees_the_file_and_a_user_does_not(house: House) -> None:
    with house.file() as db:
        (owner,) = db.rows("SELECT id FROM users WHERE role = 'admin'")
    admin, anna = house.signed_in(owner["id"]), house.signed_in(ANNA)
    assert len(admin.get("/digestlog/users.json?_shape=array").json()) == 3
    assert admin.get("/my/users.json").status_code == 404
    assert admin.get("/admin").text.strip() == SECRET
    assert anna.get("/digestlog/users.json").status_code == 404
    refused = anna.page("/admin")
    assert refused.status_code == 403
    assert "This is for admins." in refused.text
    assert SECRET not in refused.text


def test_a_demoted_admin_is_one_no_longer(house: House) -> None:
    with house.file() as db:
        (owner,) = db.rows("SELECT id FROM users WHERE role = 'admin'")
    browser = house.signed_in(owner["id"])
    assert browser.get("/digestlog.json").status_code == 200
    with house.file() as db:
        db.connection.execute("UPDATE users SET role = 'user'")
    assert browser.get("/digestlog.json").status_code == 404
    assert browser.get("/my.json").status_code == 200


def test_secrets_are_hidden_from_admins_too(house: House) -> None:
    with house.file() as db:
        (owner,) = db.rows("SELECT id FROM users WHERE role = 'admin'")
    admin = house.signed_in(owner["id"])
    assert "zqxforbidden-hash" not in admin.get("/digestlog/users.json").text
    assert {
        row["token_sha256"] for row in admin.get("/digestlog/access_tokens.json?_shape=array").json()
    } == {None}


def test_the_first_screen_shows_numbers_and_the_way_to_the_data(house: House) -> None:
    page = house.signed_in(ANNA).page("/").text
    assert "<h1>Today</h1>" in page
    assert 'href="/my/urls"' in page
    assert "new articles" not in page
    with house.file() as db:
        (owner,) = db.rows("SELECT id FROM users WHERE role = 'admin'")
    page = house.signed_in(owner["id"]).page("/").text
    assert 'href="/digestlog/extracted_article_urls"' in page


def test_datasettes_pages_lead_back_to_the_screens(house: House) -> None:
    assert '<a href="/">Today</a>' in re.sub(r"\s+", " ", house.signed_in(ANNA).page("/my/urls").text)


# --- routes -----------------------------------------------------------------------------------


def test_a_route_catches_words(house: House) -> None:
    anna = house.signed_in(ANNA)
    assert anna.get("/things/a-1").text.strip() == "zqxallowed-anna {'thing': 'a-1'}"
    assert anna.get("/things/a/b").status_code == 404
    assert anna.get("/things/").status_code == 404
    assert anna.get("/thingsXa").status_code == 404


def test_what_breaks_inside_stays_inside(house: House, capfd: pytest.CaptureFixture[str]) -> None:
    anna = house.signed_in(ANNA)
    answer = anna.page("/broken")
    assert answer.status_code == 500
    assert "zqxforbidden" not in answer.text
    assert "RuntimeError" in capfd.readouterr().err
    answer = anna.page("/unusable")
    assert answer.status_code == 503
    assert "This cannot be." in answer.text


def test_where_the_file_lies_is_not_told(
    house: House, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from digestlog.errors import LockedFile
    from digestlog.store import access

    anna = house.signed_in(ANNA)

    def locked(*_: object) -> None:
        raise LockedFile(f"{house.path} is locked by another program", "wait")

    monkeypatch.setattr(access, "visitor", locked)
    for path in ("/", "/my", "/sign-in?token=x"):
        answer = anna.page(path)
        assert answer.status_code == 503
        assert "The file cannot be used just now." in answer.text
        assert str(house.path) not in answer.text
    assert str(house.path) in capfd.readouterr().err


@pytest.mark.parametrize("path", ["/my/none", "/my/urls/none", "/my/none/none"])
def test_what_is_not_there_is_told_plainly(
    house: House, path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = house.signed_in(ANNA).page(path)
    assert answer.status_code in (400, 404, 500)
    assert "Traceback" not in answer.text


# --- forms ------------------------------------------------------------------------------------


def test_a_form_needs_the_proof_of_this_session(house: House) -> None:
    anna, again = house.signed_in(ANNA), house.signed_in(ANNA)
    good = anna.proof("/")
    assert anna.post("/things/a", {"csrf": good, "word": "hello"}).text.strip().endswith("hello")
    for wrong in ("", "0" * 64, again.proof("/"), good[:-1], good.upper()):
        answer = anna.post("/things/a", {"csrf": wrong, "word": "hello"})
        assert answer.status_code == 403
        assert "hello" not in answer.text
    assert anna.post("/things/a", {}).status_code == 403
    assert house.browser().post("/things/a", {"csrf": good}).status_code == 401


def test_a_form_with_a_file_is_read_too(house: House) -> None:
    anna = house.signed_in(ANNA)
    proof = anna.proof("/")
    small = {"files": {"word": ("a.opml", b"x\xff")}, "data": {"csrf": proof}}
    answer = anna.ask("POST", "/things/a", **small)
    assert answer.status_code == 413  # this one takes 300 bytes
    route = Route.post("/things/{thing}", _echo)
    house.gatekeeper._routes = (route,)
    assert anna.ask("POST", "/things/a", **small).text.strip().endswith("x\ufffd")
    odd = {"content": b"nonsense", "headers": {"content-type": "multipart/form-data; boundary=x"}}
    assert anna.ask("POST", "/things/a", **odd).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": "http://127.0.0.1:3000"},
        {"origin": f"{BASE}.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": BASE, "sec-fetch-site": "cross-site"},
    ],
)
def test_a_form_from_elsewhere_is_refused(house: House, headers: dict[str, str]) -> None:
    anna = house.signed_in(ANNA)
    data = {"csrf": anna.proof("/")}
    for path in ("/things/a", "/sign-out", "/sign-in"):
        assert anna.post(path, data, headers=headers).status_code == 403
    assert anna.get("/things/a").status_code == 200


@pytest.mark.parametrize("headers", [{}, {"origin": BASE}, {"origin": BASE, "sec-fetch-site": "same-origin"}])
def test_a_form_from_here_is_taken(house: House, headers: dict[str, str]) -> None:
    anna = house.signed_in(ANNA)
    assert anna.post("/things/a", {"csrf": anna.proof("/")}, headers=headers).status_code == 200


@pytest.mark.parametrize("length", [None, b"-1", b"x", b"301", b"9" * 30, b"10"])
def test_a_body_has_an_end(house: House, length: bytes | None) -> None:
    anna = house.signed_in(ANNA)

    def change(scope: dict[str, object]) -> None:
        scope["method"], scope["path"], scope["raw_path"] = "POST", "/things/a", b"/things/a"
        if length is not None:
            scope["headers"] = [*scope["headers"], (b"content-length", length)]  # type: ignore[misc]

    pieces = [{"type": "http.request", "body": b"x" * 100, "more_body": True} for _ in range(5)]
    assert anna.raw(change, *pieces)[0]["status"] == 413


def test_a_body_that_ends_early_is_refused(house: House) -> None:
    anna = house.signed_in(ANNA)

    def change(scope: dict[str, object]) -> None:
        scope["method"], scope["path"], scope["raw_path"] = "POST", "/things/a", b"/things/a"

    sent = anna.raw(change, {"type": "http.request", "body": b"x", "more_body": True})
    assert sent[0]["status"] == 400


def test_too_many_fields_are_refused(house: House) -> None:
    anna = house.signed_in(ANNA)
    house.gatekeeper._routes = (Route.post("/things/{thing}", _echo, most_bytes=100_000),)
    answer = anna.ask(
        "POST",
        "/things/a",
        content="a=1&" * 2_000,
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 400


def test_an_address_has_an_end(house: House) -> None:
    def change(scope: dict[str, object]) -> None:
        scope["query_string"] = b"a" * 70_000

    assert house.signed_in(ANNA).raw(change)[0]["status"] == 414


# --- feeds ------------------------------------------------------------------------------------


def test_a_feed_token_opens_feeds_and_nothing_else(house: House) -> None:
    from digestlog.store import access

    with house.file() as db:
        token = access.give_feed(db, ANNA)
    reader = house.browser()
    answer = reader.get(f"/feeds/digest.atom?token={token}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert "zqxallowed" in answer.text
    assert "zqxforbidden" not in answer.text
    assert reader.get(f"/feeds/test.atom?token={token}").text.startswith("zqxallowed-anna")
    for path in ("/", "/my", "/my/urls.json", "/things/a"):
        assert reader.get(f"{path}?token={token}").status_code == 401
    assert reader.get("/feeds/digest.atom").status_code == 401
    assert reader.get("/feeds/digest.atom?token=wrong").status_code == 401
    reader.client.cookies.set(f"digestlog_session_{PORT}", token)
    assert reader.get("/my/urls.json").status_code == 401
    with house.file() as db:
        access.revoke_feeds(db, ANNA)
    assert reader.get(f"/feeds/digest.atom?token={token}").status_code == 401


def test_a_session_is_no_feed_token_and_a_user_without_digest_has_no_feed(house: House) -> None:
    from digestlog.store import access

    anna = house.signed_in(ANNA)
    assert anna.get("/feeds/digest.atom").status_code == 401
    with house.file() as db:
        put(db.connection, "users", id=uuid(803), name="third")
        token = access.give_feed(db, uuid(803))
    assert house.browser().get(f"/feeds/digest.atom?token={token}").status_code == 404
