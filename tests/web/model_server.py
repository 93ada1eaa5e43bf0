"""A chat endpoint on the loopback address: it says what it is told to, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx  # noqa: F401 - here, because its import would take time from a test's time-out
from provider_fakes import Memory
from web.loopback import Handler, Seen, Site, answer

from digestlog.web.providers import Providers, providers_from_env

KEY = "sk-very-secret"
Said = bytes | Handler | Callable[[dict[str, Any]], bytes]


def said(content: Any, status: int = 200, *, reason: str = "stop", **message: Any) -> bytes:
    """The answer of a chat endpoint; anything but a text is said as JSON."""
    text = content if isinstance(content, str | None) else json.dumps(content)
    choice = {"index": 0, "finish_reason": reason, "message": {"content": text, **message}}
    return answer(status, json.dumps({"id": "1", "choices": [choice]}).encode())


def obliging(asked: dict[str, Any]) -> bytes:
    """Says what a good model would: everything is Science, and the first words are worth quoting."""
    user = asked["messages"][1]["content"]
    if "piece 1\n" in user:
        count = len(re.findall(r"^BEGIN-\S+ piece \d+$", user, re.M))
        return said({"labels": [label(number) for number in range(1, count + 1)]})
    if "search_for" in user:
        return said({"results": [{"url": "https://a.example/found", "title": "Found"}]})
    words = user.splitlines()[3].split(". ")[0]
    return said({"summary": "A summary.", "quotes": [words]})


def label(piece: int = 1, category: str | None = "Science", confidence: float = 0.9) -> dict[str, Any]:
    return {"piece": piece, "category": category, "confidence": confidence}


@dataclass
class Endpoint(Site):
    """Says one thing after the other, the last of them for ever."""

    says: list[Said] = field(default_factory=lambda: [obliging])
    asked: list[dict[str, Any]] = field(default_factory=list)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        self.seen.append(Seen(method, target, headers))
        self.asked.append(json.loads(await reader.readexactly(int(headers["content-length"]))))
        what = self.says[min(len(self.asked), len(self.says)) - 1]
        if isinstance(what, bytes):
            writer.write(what)
        elif asyncio.iscoroutinefunction(what):
            await what(writer, self.seen[-1])
            return False
        else:
            writer.write(what(self.asked[-1]))  # type: ignore[call-arg, arg-type]
        await writer.drain()
        return True


def run(body: Callable[[Endpoint, Providers], Awaitable[None]], *says: Said, **env: str) -> Endpoint:
    """Run a test's body with an endpoint and the providers that ask it."""
    return remembering(Memory(), body, *says, **env)


def remembering(
    memory: Any, body: Callable[[Endpoint, Providers], Awaitable[None]], *says: Said, **env: str
) -> Endpoint:
    """The same, with a memory for answers."""
    endpoint = Endpoint(says=list(says) or [obliging])

    async def both() -> None:
        async with endpoint:
            variables = {"LLM_URL": endpoint.url("/v1"), "LLM_MODEL": "small", "LLM_KEY": KEY, **env}
            named = {f"DIGESTLOG_{name}": value for name, value in variables.items()}
            await body(endpoint, providers_from_env(named, memory))

    asyncio.run(both())
    return endpoint
