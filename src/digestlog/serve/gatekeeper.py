"""The gatekeeper: the one ASGI application that the server runs. Nothing is reached except through it.

    a name that we are called by?          serve/hosts.py        421
    a way of asking that we know?          GET, HEAD, POST       405
    an address that anything here has?     serve/messages.py     404
    our own files                          serve/static/
    who is it?                             serve/sessions.py, store/access.py
    a page of ours?                        serve/screens/, serve/sign_in.py
        may they?  did our page send it?   403
    Datasette's?                           serve/forms.py
        their own instance, no other       serve/instances.py

What is not allowed by a line above is denied. Every answer gets the headers of serve/headers.py.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from urllib.parse import quote

from digestlog.errors import DigestlogError, StorageError
from digestlog.serve import forms, headers
from digestlog.serve.desk import Desk
from digestlog.serve.forward import datasette_scope, forward
from digestlog.serve.hosts import Hosts
from digestlog.serve.instances import Instances
from digestlog.serve.messages import Message, Receive, Refused, Request, Response, Scope, Send, read_body
from digestlog.serve.pages import Page, Route, render, static_files
from digestlog.serve.screens import ROUTES
from digestlog.serve.sessions import Cookies, require_proof
from digestlog.serve.sign_in import SignIn
from digestlog.store import access
from digestlog.store.access import FEED, SESSION, Visitor
from digestlog.store.db import Database
from digestlog.store.personal import TooMuch

_METHODS = ("GET", "HEAD", "POST")


class Gatekeeper:
    """Asks who it is, and opens the one door that is theirs."""

    def __init__(
        self,
        desk: Desk,
        hosts: Hosts,
        *,
        instances: Instances | None = None,
        sign_in: SignIn | None = None,
        routes: Sequence[Route] = ROUTES,
    ) -> None:
        self._desk = desk
        self._hosts = hosts
        self._cookies = Cookies(hosts)
        self._instances = instances or Instances(desk)
        self._sign_in = sign_in or SignIn(desk, self._cookies)
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def close(self) -> None:
        """End the instances and let go of the file."""
        self._instances.close()
        self._desk.close()

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return
            await send({"type": "lifespan.startup.complete"})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        out = _Out(send, https=self._hosts.https, head=scope["method"] == "HEAD")
        response: Response | None
        try:
            response = await self._answer(scope, receive, out)
        except Refused as refused:
            response = _refusal(refused)
        except DigestlogError as error:
            response = _not_now(error)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            response = _failure()
        if response is not None and not out.started:
            await response.send(out)

    async def _answer(self, scope: Scope, receive: Receive, out: _Out) -> Response | None:
        """The answer; None if it went out already."""
        if scope["method"] not in _METHODS:
            raise Refused(405, "This is not possible here.", headers={"allow": ", ".join(_METHODS)})
        request = Request.read(scope)
        host = self._hosts.check(request)
        if request.method != "POST" and request.path in static_files():
            body, kind = static_files()[request.path]
            out.cache = headers.FOR_AN_HOUR
            return Response(200, body, kind)
        if request.method == "POST":
            self._hosts.check_origin(request, host)
        token = self._cookies.session(request)
        visitor = await self._visitor(SESSION, token)
        if request.path in self._sign_in.paths:
            return await self._sign_in.answer(request, receive, visitor)
        found = self._route(request)
        if found is not None:
            return await self._own_page(*found, request, receive, visitor, token)
        if visitor is None:
            return _who_are_you(request)
        await self._datasette(scope, receive, out, request, visitor)
        return None

    async def _visitor(self, kind: str, token: str | None) -> Visitor | None:
        return await self._desk.run(lambda db: access.visitor(db, kind, token)) if token else None

    def _route(self, request: Request) -> tuple[Route, dict[str, str]] | None:
        method = "GET" if request.method == "HEAD" else request.method
        for route in self._routes:
            match = route.pattern.match(request.path)
            if match and route.method == method:
                return route, match.groupdict()
        return None

    async def _own_page(
        self,
        route: Route,
        parts: dict[str, str],
        request: Request,
        receive: Receive,
        visitor: Visitor | None,
        token: str | None,
    ) -> Response:
        if route.access == "feed":
            visitor, token = await self._visitor(FEED, request.query.get("token")), ""
        if visitor is None:
            return _who_are_you(request)
        if route.access == "admin" and not visitor.is_admin:
            raise Refused(403, "This is for admins.")
        if route.method == "POST":
            request = await read_body(receive, request, route.most_bytes)
            require_proof(request, token)
        who, secret = visitor, token or ""

        def work(db: Database) -> Response:
            return route.handler(Page(request, db, who, secret, parts))

        return await self._desk.run(work)

    async def _datasette(
        self, scope: Scope, receive: Receive, out: _Out, request: Request, visitor: Visitor
    ) -> None:
        if request.method == "POST":
            raise Refused(405, "Nothing is written here.", headers={"allow": "GET, HEAD"})
        if not forms.is_open(request.path, admin=visitor.is_admin):
            raise Refused(404, "There is no such page.")
        if forms.STATIC.match(request.path):
            out.cache = headers.FOR_AN_HOUR
        async with self._instances.of(visitor) as instance:
            inner = datasette_scope(scope, request, instance.actor(visitor))
            await forward(instance.app, inner, receive, out, _failure)


class _Out:
    """The way out: puts the headers on, and leaves the body away where only the head was asked for."""

    def __init__(self, send: Send, *, https: bool, head: bool) -> None:
        self._send = send
        self._https = https
        self._head = head
        self._nonce = headers.new_nonce()
        self.cache = headers.PRIVATE
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            cache = self.cache if message["status"] == 200 else headers.PRIVATE
            ours = headers.guarded(message.get("headers", []), self._nonce, https=self._https, cache=cache)
            await self._send({**message, "headers": ours})
        elif self._head:
            await self._send({**message, "body": b""})
        else:
            await self._send(message)


def _who_are_you(request: Request) -> Response:
    """The same for everything that a stranger asks for, be it there or not."""
    if request.method != "POST" and request.wants_page:
        asked = request.path + (f"?{request.query_string.decode('latin-1')}" if request.query_string else "")
        return Response.redirect("/sign-in" if asked == "/" else f"/sign-in?next={quote(asked, safe='')}")
    return Response.text("Sign in first.", 401)


def _refusal(refused: Refused) -> Response:
    title = "Not allowed" if refused.status == 403 else "Not here"
    return render(
        "message.html",
        refused.status,
        title=title,
        words=refused.words,
        headers=tuple(refused.headers.items()),
    )


def _not_now(error: DigestlogError) -> Response:
    """What went wrong, in words; where the file lies is told to the terminal alone."""
    words = error.message
    if isinstance(error, StorageError) and not isinstance(error, TooMuch):
        sys.stderr.write(f"{words}\n")
        words = "the file cannot be used just now"
    return render("message.html", 503, title="Not now", words=f"{words[:1].upper()}{words[1:]}.")


def _failure() -> Response:
    return render(
        "message.html", 500, title="Something went wrong", words="The server's terminal tells more."
    )
