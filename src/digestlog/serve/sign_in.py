"""Coming in by a link or a password, and going out.

A link only shows a button: programs that look at links before people do would use it up. Passwords are tried
one at a time, and more slowly after each failure; a link still works then.
"""

from __future__ import annotations

import asyncio

from digestlog.core import passwords
from digestlog.serve.desk import Desk
from digestlog.serve.messages import Receive, Refused, Request, Response, local_path, read_body
from digestlog.serve.pages import SMALL_FORM, render
from digestlog.serve.sessions import Cookies, require_proof
from digestlog.serve.throttle import Throttle
from digestlog.store import access
from digestlog.store.access import LINK, Visitor
from digestlog.store.db import Database

IN, OUT = "/sign-in", "/sign-out"
_USED = "This link was used already, or is too old. Ask for a new one: digestlog users link NAME"
_WRONG = "The name or the password is wrong."


class SignIn:
    """The pages for coming in and going out."""

    paths = frozenset({IN, OUT})

    def __init__(
        self,
        desk: Desk,
        cookies: Cookies,
        *,
        by_name: Throttle | None = None,
        by_place: Throttle | None = None,
    ) -> None:
        self._desk = desk
        self._cookies = cookies
        self._by_name = by_name or Throttle(burst=5, pause_s=60)
        self._by_place = by_place or Throttle(burst=20, pause_s=10)
        # One guess takes 32 MB and a core for a moment.
        self._one_at_a_time = asyncio.Lock()

    async def answer(self, request: Request, receive: Receive, visitor: Visitor | None) -> Response:
        """The page that was asked for, or what came of a form."""
        if request.method != "POST":
            if request.path == OUT:
                raise Refused(405, "Use the button.", headers={"allow": "POST"})
            return await self._show(request, visitor)
        request = await read_body(receive, request, SMALL_FORM)
        if request.path == OUT:
            return await self._leave(request)
        require_proof(request, self._cookies.visit(request))
        return await (self._by_link(request) if "token" in request.form else self._by_password(request))

    async def _show(self, request: Request, visitor: Visitor | None) -> Response:
        """The form, or the button of a link."""
        token = request.query.get("token")
        if token is None and visitor is not None:
            return Response.redirect(local_path(request.query.get("next")) or "/")
        if token is None:
            return self._page(request)
        guest = await self._desk.run(lambda db: access.visitor(db, LINK, token))
        if guest is None:
            return self._page(request, 403, problem=_USED)
        return self._page(request, guest=guest.name, token=token)

    def _page(
        self, request: Request, status: int = 200, *, problem: str = "", guest: str = "", token: str = ""
    ) -> Response:
        visit = self._cookies.visit(request)
        headers: tuple[tuple[str, str], ...] = ()
        if visit is None:
            visit, header = self._cookies.new_visit()
            headers = (header,)
        asked = request.query.get("next") or (request.form.get("next") if request.body else None)
        return render(
            "sign_in.html",
            status,
            secret=visit,
            headers=headers,
            problem=problem,
            guest=guest,
            token=token,
            next=local_path(asked) or "/",
        )

    async def _by_link(self, request: Request) -> Response:
        token = request.form["token"]
        session = await self._desk.run(lambda db: access.open_session(db, token))
        return self._page(request, 403, problem=_USED) if session is None else self._welcome(request, session)

    async def _by_password(self, request: Request) -> Response:
        name, password = request.form.get("name", ""), request.form.get("password", "")
        async with self._one_at_a_time:
            wait_s = max(self._by_name.wait_s(name), self._by_place.wait_s(request.client))
            if wait_s:
                words = f"Too many tries. Wait {wait_s} seconds, or use a link: digestlog users link NAME"
                raise Refused(429, words, headers={"retry-after": str(wait_s)})
            session = await self._desk.run(lambda db: _session_for(db, name, password))
            if session is None:
                self._by_name.failed(name)
                self._by_place.failed(request.client)
                return self._page(request, 403, problem=_WRONG)
            self._by_name.succeeded(name)
        return self._welcome(request, session)

    def _welcome(self, request: Request, session: str) -> Response:
        return Response.redirect(local_path(request.form.get("next")) or "/", (self._cookies.keep(session),))

    async def _leave(self, request: Request) -> Response:
        token = self._cookies.session(request)
        require_proof(request, token)
        await self._desk.run(lambda db: access.close_session(db, token or ""))
        return Response.redirect(IN, (self._cookies.drop(),))


def _session_for(db: Database, name: str, password: str) -> str | None:
    user_id, stored = access.stored_password(db, name)
    if not passwords.matches(password, stored) or user_id is None:
        return None
    return access.open_session_for(db, user_id)
