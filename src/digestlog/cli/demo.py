"""`digestlog demo`: a tour of the real commands on a small web inside the program."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import App, pass_app
from digestlog.errors import ConfigError

if TYPE_CHECKING:
    from digestlog.demo.web import DemoWeb

_DECORATED = "http://harbour-times.example/politics/library-hours-saved?utm_source=rss&utm_medium=feed#top"
_WRITTEN_BY_HAND = "HTTP://Harbour-Times.example:80/politics/./library-hours-saved"

# What the digests of Port Alder tell of.
_CATEGORIES = (
    ("Town", "council, councillor, bridge, library, homes, planning, bins, road, residents"),
    ("Harbour and sea", "ferry, island, crab, tide, gale, limpet, eelgrass, gulls, sea"),
    ("Business", "order, yard, creamery, bank, bidders, customers"),
    ("Culture", "theatre, stage, cinema, cinéma, lantern, procession, record shop"),
    ("Sport", "football, rovers, penalty, rowers, gig club"),
    ("Made and mended", "machine, capacitor, network, mending, SQLite, buoys"),
)

# Looks at a watched page until it is known well enough to tell a change from noise.
_QUIET_DAYS = 4


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@pass_app
def demo(app: App, folder: Path | None) -> None:
    """Try everything on a small web inside the program.

    Needs no network, no key and no server. Makes a new file in FOLDER (by default digestlog-demo in
    the current folder), runs the real commands on it against a small web that the program serves
    itself, and says what to type next.

    Example:

    \b
      digestlog demo
    """
    from digestlog.demo.web import DemoWeb

    home = _fresh_folder(folder)
    with DemoWeb(app.now) as web:
        tour = Tour(web, home / "digestlog.db", app)
        for chapter in CHAPTERS:
            chapter(tour)
    _what_next(tour.path)


@dataclass(frozen=True, slots=True)
class Tour:
    """The web that is toured and the file that is filled."""

    web: DemoWeb
    path: Path
    app: App

    def say(self, text: str) -> None:
        """A few words to the person, between two commands."""
        click.echo(f"\n{click.style('##', fg='cyan')} {text}\n")

    def run(self, *words: str, days: int = 0) -> None:
        """Show a command as a person would type it, and run it, so many days from now."""
        from digestlog.cli import cli

        click.echo(click.style(f"$ digestlog {shlex.join(words)}", bold=True))
        now = self.app.now + timedelta(days=days)
        clock = ["--now", now.isoformat()] if self.app.frozen or days else []
        pins = dict.fromkeys(self.web.hosts, self.web.address)
        with suppress(SystemExit):  # a command that fails on purpose is part of the tour
            # Not standalone, or Ctrl-C would end one command and not the tour.
            cli.main(
                ["--db", str(self.path), *clock, *words],
                prog_name="digestlog",
                obj=pins,
                standalone_mode=False,
            )


def _follow_the_town(tour: Tour) -> None:
    from digestlog.demo.sites import SOURCES

    tour.say(
        f"Port Alder is a town of {len(tour.web.hosts)} small sites, served by this program on loopback.\n"
        "   Let us follow it: newspapers, blogs and a council, with feeds of every kind, and pages\n"
        "   without one. Two of the addresses are bad on purpose: one blog has ended, one feed is a trap."
    )
    tour.run("sources", "add", *(source.address for source in SOURCES))


def _list_them(tour: Tour) -> None:
    tour.say("Feeds were found by themselves. RSS is a feed of any kind, Direct a page without one:")
    tour.run("sources", "list")


def _scan(tour: Tour) -> None:
    tour.say(
        "Now the main job: visit every source, find what was published since the last look, record it once."
    )
    tour.run("scan")
    tour.say("What is in the ledger now? Every article once, by its canonical address:")
    tour.run("articles", "list", "--limit", "12")


def _scan_again(tour: Tour) -> None:
    tour.say("A second scan of the same web finds nothing new, asks politely, and changes nothing:")
    tour.run("scan", "--all")


def _why(tour: Tour) -> None:
    tour.say(
        "The blog recommends, by a short link, an article that the newspaper has too. It is one article,\n"
        "   and every fact has its trace:"
    )
    tour.run("why", "http://go.alder.example/library")


def _read_them(tour: Tour) -> None:
    tour.say("So far these are addresses. Let us read the articles, and search in what they say:")
    tour.run("scrape")
    tour.run("articles", "search", "pivot", "bearing")


def _first_digest(tour: Tour) -> None:
    tour.say(
        "A digest tells what is new, by category. There is a starter set for general news; a small town\n"
        "   is better served with categories of its own, each with a few words that tell what belongs to it:"
    )
    for name, keywords in _CATEGORIES:
        tour.run("categories", "add", name, "--keyword", keywords)
    tour.run("settings", "set", "max_items_per_category", "3")
    tour.say("And here is the digest. One story is one item, whoever tells it, and each says why it is here:")
    tour.run("digest")


def _second_digest(tour: Tour) -> None:
    tour.say(
        "All of it is still on the front pages. A second digest repeats none of it, and brings only what\n"
        "   had no room in the first:"
    )
    tour.run("digest")
    tour.say("What was shown stays out for 90 days, under whatever address it comes back:")
    tour.run("history", "check", "http://harbour-times.example/news/swing-bridge-stuck-open/?utm_source=x")


def _watch_a_page(tour: Tour) -> None:
    from digestlog.demo.sites import SHOP_ADDRESS

    shop = f"http://{SHOP_ADDRESS}"
    tour.say(
        "Some pages have no news, only changes. Let us watch a shop's lantern and where the council sits:"
    )
    tour.web.turn(-_QUIET_DAYS)
    tour.run("library", "add", shop, "http://port-alder-council.example/contact")
    tour.run("library", "check")
    tour.say(
        "Four days pass. At every look the shop's page has another token and another time on it; that is\n"
        "   no change:"
    )
    for day in range(1, _QUIET_DAYS + 1):
        tour.web.turn(day - _QUIET_DAYS)
        tour.run("-q", "library", "check", days=day)
    tour.say("The next morning something has really happened:")
    tour.web.turn(1)
    tour.run("library", "check", days=_QUIET_DAYS + 1)
    tour.run("library", "changes", days=_QUIET_DAYS + 1)
    tour.say("Bo, on the free plan, begins to watch it a day later, and sees what changes from then on:")
    tour.run("users", "add", "bo", days=_QUIET_DAYS + 2)
    tour.run("--user", "bo", "library", "add", shop, days=_QUIET_DAYS + 2)
    tour.run("--user", "bo", "library", "changes", days=_QUIET_DAYS + 2)


def _one_identity(tour: Tour) -> None:
    tour.say("The same article comes under many addresses. To digestlog it is one, on every machine:")
    tour.run("url", "canon", _DECORATED, _WRITTEN_BY_HAND)


def _the_guard(tour: Tour) -> None:
    host, port = tour.web.address
    tour.say("The demo's own sites are let through by name; the rest of this machine stays out of reach:")
    tour.run("sources", "add", f"http://{host}:{port}/")


def _the_doctor(tour: Tour) -> None:
    tour.say("All of it is in one SQLite file, and its health can be checked at any time:")
    tour.run("doctor")


CHAPTERS: tuple[Callable[[Tour], None], ...] = (
    _follow_the_town,
    _list_them,
    _scan,
    _scan_again,
    _why,
    _read_them,
    _first_digest,
    _second_digest,
    _watch_a_page,
    _one_identity,
    _the_guard,
    _the_doctor,
)


def _what_next(path: Path) -> None:
    db, program = shlex.quote(str(path)), _program()
    click.echo(
        f"\n{click.style('##', fg='cyan')} The file is {db}. Look around in it:\n\n"
        f"   {program} --db {db} articles search swing bridge\n"
        f"   {program} --db {db} digest show --format html > digest.html\n"
        f"   {program} --db {db} digest why\n"
        f"   {program} --db {db} library list\n\n"
        "   Then follow your own web:\n\n"
        f"   {program} sources add example.org\n"
        f"   {program} sources import subscriptions.opml\n"
        f"   {program} library add https://example.org/prices\n"
        f"   {program} run\n"
    )


def _program() -> str:
    """The program as it can be typed here: by its name if that leads to it, otherwise as it was started."""
    started = Path(sys.argv[0])
    found = shutil.which("digestlog")
    if started.name != "digestlog" or (
        found and Path(found).exists() and started.exists() and started.samefile(found)
    ):
        return "digestlog"
    return shlex.quote(str(started))


def _fresh_folder(folder: Path | None) -> Path:
    """A new folder for the demo's file: the one that was asked for, or the first free name."""
    if folder is None:
        names = (Path(f"digestlog-demo{'' if n == 1 else f'-{n}'}") for n in range(1, 10_000))
        folder = next(name for name in names if not name.exists())
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise ConfigError(
            f"{folder} exists already", "name another folder; the demo never touches a file"
        ) from None
    except OSError as error:
        raise ConfigError(f"{folder} cannot be made: {error.strerror}", "name another folder") from error
    return folder
