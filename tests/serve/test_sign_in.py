"""Coming in and going out: links, passwords, throttling, sessions and their end."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from serve.house import PORT, Browser, House
from serve.marked import ANNA, BOB, Marked, marked_file

from digestlog.serve.sessions import Cookies
from digestlog.store import access

COOKIE = f"digestlog_session_{PORT}"
PASSWORD = "correct horse battery"


def sign_in(browser: Browser, name: str, password: str, **more: str) -> httpx.Response:
    """Fill in the form."""
    return browser.post(
        "/sign-in", {"name": name, "password": password, "csrf": browser.proof("/sign-in"), **more}
    )


def give_password(house: House, user_id: str = ANNA, password: str = PASSWORD) -> None:
    with house.file() as db:
        access.set_password(db, user_id, password)


def is_in(browser: Browser) -> bool:
    return browser.get("/my/users.json").status_code == 200


# --- links ------------------------------------------------------------------------------------


def test_a_link_shows_a_button_and_signs_in_once(house: House) -> None:
    link = house.link(ANNA)
    anna = house.browser()
    for _ in range(2):  # looking at it does not use it up
        page = anna.page(f"/sign-in?token={link}")
        assert page.status_code == 200
        assert "Sign in as zqxallowed-anna" in page.text
        assert not is_in(anna)
    assert anna.ask("HEAD", f"/sign-in?token={link}").status_code == 200
    answer = anna.come_in(link)
    assert answer.headers["location"] == "/"
    assert is_in(anna)
    late = house.browser()
    page = late.page(f"/sign-in?token={link}")
    assert page.status_code == 403
    assert "used already" in page.text
    csrf = late.proof("/sign-in")
    assert late.post("/sign-in", {"token": link, "csrf": csrf}).status_code == 403
    assert not is_in(late)


def test_a_link_that_nobody_gave_is_refused(house: House) -> None:
    stranger = house.browser()
    for token in ("x", "", "%00", "a" * 500):
        assert stranger.page(f"/sign-in?token={token}").status_code in (200, 403)
        answer = stranger.post("/sign-in", {"token": token, "csrf": stranger.proof("/sign-in")})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_the_session_cookie_is_kept_from_scripts_and_other_sites(house: House) -> None:
    answer = house.browser().come_in(house.link(ANNA))
    (cookie,) = answer.headers.get_list("set-cookie")
    name, *attributes = re.split(r"; ", cookie)
    assert re.fullmatch(rf"{COOKIE}=[A-Za-z0-9_-]{{43}}", name)
    assert sorted(attributes) == ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]


def test_it_goes_on_where_the_person_wanted_to(house: House) -> None:
    browser = house.browser()
    answer = browser.page("/my/urls?_sort=id&x=%20y")
    assert answer.headers["location"] == "/sign-in?next=%2Fmy%2Furls%3F_sort%3Did%26x%3D%2520y"
    page = browser.page(answer.headers["location"])
    assert 'name="next" value="/my/urls?_sort=id&amp;x=%20y"' in page.text
    link = house.link(ANNA)
    assert browser.come_in(link, next="/my/urls?_sort=id").headers["location"] == "/my/urls?_sort=id"
    assert browser.page("/sign-in?next=/my").headers["location"] == "/my"


@pytest.mark.parametrize(
    "where", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "x"]
)
def test_it_never_goes_elsewhere(house: House, where: str) -> None:
    browser = house.browser()
    asked = f"/sign-in?next={quote(where, safe='')}"
    assert 'name="next" value="/"' in browser.page(asked).text
    assert browser.come_in(house.link(ANNA), next=where).headers["location"] == "/"
    assert browser.page(asked).headers["location"] == "/"


def test_who_is_signed_in_may_become_somebody_else_by_a_link(house: House) -> None:
    browser = house.signed_in(ANNA)
    browser.come_in(house.link(BOB))
    assert [row["id"] for row in browser.get("/my/users.json?_shape=array").json()] == [BOB]


# --- passwords --------------------------------------------------------------------------------


def test_a_password_signs_in(house: House) -> None:
    give_password(house)
    anna = house.browser()
    answer = sign_in(anna, "zqxallowed-anna", PASSWORD, next="/my")
    assert (answer.status_code, answer.headers["location"]) == (303, "/my")
    assert is_in(anna)


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("zqxallowed-anna", "wrong"),
        ("zqxallowed-anna", ""),
        ("nobody", PASSWORD),
        ("", ""),
        ("owner", PASSWORD),
    ],
)
def test_the_answer_does_not_tell_what_was_wrong(house: House, name: str, password: str) -> None:
    give_password(house)
    browser = house.browser()
    answer = sign_in(browser, name, password)
    assert answer.status_code == 403
    assert "The name or the password is wrong." in answer.text
    assert not is_in(browser)
    assert PASSWORD not in answer.text


def test_a_form_for_signing_in_needs_a_proof_too(house: House) -> None:
    """Nobody can be signed in as somebody else by another site."""
    give_password(house)
    link = house.link(ANNA)
    browser, other = house.browser(), house.browser()
    foreign = other.proof("/sign-in")
    for data in ({"name": "zqxallowed-anna", "password": PASSWORD}, {"token": link}):
        assert browser.post("/sign-in", data).status_code == 403
        assert browser.post("/sign-in", {**data, "csrf": foreign}).status_code == 403
        browser.page("/sign-in")
        assert browser.post("/sign-in", {**data, "csrf": foreign}).status_code == 403
    assert not is_in(browser)


def test_guessing_becomes_slow_for_the_name(house: House) -> None:
    give_password(house)
    browser = house.browser()
    for _ in range(5):
        assert sign_in(browser, "zqxallowed-anna", "wrong").status_code == 403
    answer = sign_in(browser, "zqxallowed-anna", PASSWORD)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "60"
    assert not is_in(browser)
    house.clock.at += 59
    assert sign_in(browser, "zqxallowed-anna", PASSWORD).status_code == 429
    house.clock.at += 1
    assert sign_in(browser, "zqxallowed-anna", PASSWORD).status_code == 303


def test_guessing_becomes_slow_for_the_place(house: House) -> None:
    browser = house.browser()
    for number in range(8):
        assert sign_in(browser, f"name{number}", "wrong").status_code == 403
    assert sign_in(browser, "another", "wrong").status_code == 429


def test_a_link_works_while_a_name_is_slowed_down(house: House) -> None:
    """Nobody can be locked out by somebody who guesses."""
    browser = house.browser()
    for _ in range(6):
        sign_in(browser, "zqxallowed-anna", "wrong")
    browser.come_in(house.link(ANNA))
    assert is_in(browser)


def test_a_success_forgets_the_failures_of_the_name(house: House) -> None:
    give_password(house)
    browser = house.browser()
    for _ in range(4):
        sign_in(browser, "zqxallowed-anna", "wrong")
    assert sign_in(browser, "zqxallowed-anna", PASSWORD).status_code == 303
    again = house.browser()
    house.clock.at += 1000
    for _ in range(4):
        assert sign_in(again, "zqxallowed-anna", "wrong").status_code == 403


# --- sessions ---------------------------------------------------------------------------------


def test_signing_out_ends_the_session_for_good(house: House) -> None:
    anna, other = house.signed_in(ANNA), house.signed_in(ANNA)
    token = anna.client.cookies[COOKIE]
    csrf = anna.proof("/")
    assert anna.post("/sign-out", {}).status_code == 403
    assert anna.page("/sign-out").status_code == 405
    answer = anna.post("/sign-out", {"csrf": csrf})
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    anna.client.cookies.set(COOKIE, token)
    assert not is_in(anna)
    assert is_in(other)


def test_raising_the_epoch_signs_out_everywhere(house: House) -> None:
    browsers = [house.signed_in(ANNA), house.signed_in(ANNA)]
    bob = house.signed_in(BOB)
    assert all(map(is_in, browsers))
    with house.file() as db:
        access.revoke(db, ANNA)
    assert not any(map(is_in, browsers))
    assert is_in(bob)


def test_a_new_password_signs_out(house: House) -> None:
    anna = house.signed_in(ANNA)
    give_password(house)
    assert not is_in(anna)


def test_a_user_who_is_gone_is_out(house: House) -> None:
    anna = house.signed_in(ANNA)
    with house.file() as db:
        db.connection.execute("PRAGMA foreign_keys = ON")
        db.connection.execute("DELETE FROM users WHERE id = ?", (ANNA,))
    assert not is_in(anna)


def test_a_session_ends_by_itself(tmp_path: Path) -> None:
    marked = marked_file(tmp_path)
    early = House(marked.path, now=datetime(2020, 1, 1, tzinfo=UTC))
    try:
        browser = early.browser()
        with early.file() as db:
            link = access.give_link(db, ANNA)
        browser.come_in(link)
        assert is_in(browser)
        token = browser.client.cookies[COOKIE]
    finally:
        early.close()
    now = House(marked.path)
    try:
        late = now.browser()
        late.client.cookies.set(COOKIE, token)
        assert not is_in(late)
    finally:
        now.close()


@pytest.mark.parametrize("value", ["", "x", "x" * 5000, "a=b", '"quoted"', "🙂"])
def test_a_cookie_that_nobody_gave_is_worth_nothing(house: House, value: str) -> None:
    browser = house.browser()
    answer = browser.get("/my.json", headers={"cookie": f"{COOKIE}={value}".encode()})
    assert answer.status_code == 401


def test_a_cookie_that_comes_twice_counts_as_none(house: House) -> None:
    """Another program on this machine may plant cookies for all ports."""
    anna, bob = house.signed_in(ANNA), house.signed_in(BOB)
    tokens = [browser.client.cookies[COOKIE] for browser in (anna, bob)]
    header = "; ".join(f"{COOKIE}={token}" for token in tokens)
    assert house.browser().get("/my.json", headers={"cookie": header}).status_code == 401
    fine = f"other=1; {COOKIE}={tokens[0]}; more=2"
    assert house.browser().get("/my.json", headers={"cookie": fine}).status_code == 200


def test_the_cookie_of_another_port_is_another_cookie(house: House) -> None:
    from digestlog.serve.hosts import Hosts

    assert Cookies(Hosts.of(1)).keep("x")[1].startswith("digestlog_session_1=x")
    assert Cookies(Hosts.of(2)).keep("x")[1].startswith("digestlog_session_2=x")


def test_the_form_is_usable_without_a_mouse_or_eyes(house: House, fresh: Marked) -> None:
    page = house.browser().page("/sign-in").text
    assert '<label for="name">' in page
    assert '<label for="password">' in page
    assert 'autocomplete="current-password"' in page
    assert '<html lang="en">' in page
    assert 'href="#main"' in page
    assert 'role="alert"' in sign_in(house.browser(), "x", "y").text
