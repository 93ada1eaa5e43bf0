"""How long one pass over many watched pages takes: first look, unchanged with and without ETag, 10 % changed.

Run from the top of the checkout: PYTHONPATH=src:tests python benchmarks/bench_check.py [PAGES]
The pages are served on loopback, each host a 127.x.y.z of its own, by another process. The last figures are
in docs/checks.md.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from scan.web import Answer, Web

from digestlog.core.canonical import url_id
from digestlog.store.db import open_database

PAGES_OF_A_HOST = 10
NOW = datetime(2026, 2, 12, 9, 0, tzinfo=UTC)
HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass
class Turn:
    """What the web shows: how often it has turned, and whether it says so by ETag."""

    revision: int = 0
    etags: bool = True


def blocks(seed: int = 3) -> list[str]:
    """Parts of pages: a fifth is text, the rest is what real pages wrap it in."""
    chance = random.Random(seed)  # noqa: S311
    words = ["".join(chance.choices("abcdefghilmnoprstuvw", k=chance.randint(2, 9))) for _ in range(4_000)]

    def text(count: int) -> str:
        return " ".join(chance.choices(words, k=count)).capitalize() + "."

    def wrapped(kind: str, inner: str) -> str:
        names = " ".join(f"{kind}-{name} u-{name}-md" for name in ("grid", "inner", "card", "flow"))
        return f'<div class="{names}" data-testid="{kind}"><div class="{kind}">{inner}</div></div>'

    made = []
    for number in range(600):
        cells = f"<td>{text(2)}</td><td>{chance.randint(1, 900)}</td><td>{chance.randint(1, 90)}.50</td>"
        table = (
            f"<table class='table table--compact'><tr><th>Name<th>Count<th>Price</tr><tr>{cells}</tr></table>"
        )
        icon = f"<svg viewBox='0 0 24 24'><path d='{'M12 2l3 7h7l-6 5 ' * 6}'/></svg>"
        entry = f"<ul><li><a class='link link--plain' href='/a/{number}'>{icon}{text(6)}</a></li></ul>"
        script = f"<script>window.q=window.q||[];q.push({{'id':'{number}','v':{list(range(60))}}});</script>"
        made.append(
            wrapped("teaser", f"<h2>{text(5)}</h2><p class='lead'>{text(30)}</p>{entry}")
            + wrapped("data", table if number % 3 == 0 else f"<p>{text(15)}</p>")
            + script
        )
    return made


BLOCKS = blocks()


def page(number: int, turn: Turn) -> Answer:
    """A page of 30 to 60 kB; every tenth has changed after the first turn."""
    chance = random.Random(number)  # noqa: S311
    picked = "".join(chance.sample(BLOCKS, chance.randint(18, 38)))
    price = f"{10 + number % 90}.{'50' if turn.revision and number % 10 == 0 else '00'}"
    style = f"<style>.b{number}{{color:#123456}}{'.x{margin:0;padding:0}' * 200}</style>"
    links = "".join(f"<a class='nav-link' href='/{n}'>Part {n}</a>" for n in range(30))
    top = f"<main><h1>Thing {number}</h1><p>Price: <b itemprop='price'>{price}</b> EUR</p>"
    body = (
        f"<!doctype html><html lang=en><head><title>Thing {number}</title>{style}</head><body>"
        f"<nav>{links}</nav>{top}{picked}</main><footer>{links}</footer></body></html>"
    ).encode()
    etag = f'"{number}-{price}"' if turn.etags else None
    return Answer(200, body, HTML, etag=etag)


def serve(pages: int, pipe: Connection) -> None:
    """The web, in a process of its own, until it is told to end."""
    web, turn = Web(), Turn()
    hosts = [f"127.{n // 250 + 1}.{n % 250 + 1}.9" for n in range((pages - 1) // PAGES_OF_A_HOST + 1)]
    web.hosts(hosts)
    urls = [f"{web.at(hosts[n // PAGES_OF_A_HOST])}/{n}" for n in range(pages)]
    web.answers = {url: partial(page, number, turn) for number, url in enumerate(urls)}
    with web:
        pipe.send(urls)
        while (wanted := pipe.recv()) is not None:
            turn.revision, turn.etags = wanted
            web.asked.clear()
            pipe.send("turned")


def fill(path: Path, urls: list[str]) -> None:
    """A file whose owner watches all of them."""
    with open_database(path, now=NOW, frozen=True) as db, db.transaction() as connection:
        owner = connection.execute("SELECT id FROM users").fetchone()["id"]
        for url in urls:
            connection.execute(
                "INSERT INTO urls (id, canonical_url, url, allow_private) VALUES (?, ?, ?, 1)",
                (url_id(url), url, url),
            )
            connection.execute(
                "INSERT INTO user_url_library (id, user_id, url_id) VALUES (?, ?, ?)",
                (str(uuid.uuid4()), owner, url_id(url)),
            )


def measured(name: str, path: Path, day: int) -> None:
    """One pass in a process of its own, and what it took."""
    now = (NOW + timedelta(days=day)).isoformat()
    command = [sys.executable, "-m", "digestlog", "--db", str(path), "--now", now, "library", "check"]
    started = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)  # noqa: S603
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        said.seek(0)
        first = said.readline().decode().strip()
    assert status == 0, first  # noqa: S101
    size = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    print(
        f"{name:24} {seconds:7.1f} s {used.ru_utime + used.ru_stime:7.1f} s CPU "
        f"{used.ru_maxrss / 1024:6.0f} MB peak {size / 1e6:7.1f} MB file   {first}",
        flush=True,
    )


def counts(path: Path) -> None:
    """How many rows there are in the end."""
    tables = ("url_observations", "url_contents", "url_change_events", "url_render_artifacts")
    with closing(sqlite3.connect(path)) as db:
        found = {t: db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables}  # noqa: S608
    print(", ".join(f"{count:,} {table}" for table, count in found.items()))


def main(pages: int) -> None:
    """All passes, one after the other, on one file."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(pages, theirs), daemon=True)
    server.start()
    urls = ours.recv()

    def turn(revision: int, etags: bool) -> None:
        ours.send((revision, etags))
        ours.recv()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "digestlog.db"
        fill(path, urls)
        print(f"{pages:,} pages of {len(page(1, Turn()).body) / 1000:.0f} kB and the like", flush=True)
        passes: list[tuple[str, Callable[[], None]]] = [
            ("first look", lambda: None),
            ("unchanged, ETag", lambda: None),
            ("unchanged, no ETag", lambda: turn(0, False)),
            ("10 % changed, no ETag", lambda: turn(1, False)),
        ]
        for day, (name, before) in enumerate(passes):
            before()
            measured(name, path, day)
        counts(path)
    ours.send(None)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
