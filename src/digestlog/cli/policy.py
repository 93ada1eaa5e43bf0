"""`digestlog policy`: what may be watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import Progress, complain, emit_json, fields, json_option, note, plural, table
from digestlog.core.policy import ALLOW, BLOCK, DECISIONS, KINDS, LIST, REASONS, Decision, Rule
from digestlog.core.text import clean
from digestlog.errors import ConfigError, UrlError
from digestlog.store import policy as store
from digestlog.store import users
from digestlog.store.db import Database

if TYPE_CHECKING:
    from io import BufferedReader

    from digestlog.core.policy_lists import Tally
    from digestlog.store.policy_lists import Meaning, Replaced

_REASON = click.Choice(tuple(REASONS))
_DECISION = click.Choice(DECISIONS)
_Shown = store.OwnRule | store.DomainList | Rule


@click.group()
def policy() -> None:
    """Say what may be watched.

    For admins. Your own rules come first, the most specific of them. Then lists that allow. Then the
    packaged rules and all other lists, of which the stricter answer counts. What nothing speaks against is
    allowed.

    Examples:

    \b
      digestlog policy test https://bit.ly/3abc
      digestlog policy add domain shop.example --decision allow
      digestlog policy import hosts.txt --name malware --reason malware_or_phishing
    """


@policy.command()
@click.argument("addresses", nargs=-1, metavar="URL...", required=True)
@json_option
@pass_app
def test(app: App, addresses: tuple[str, ...], as_json: bool) -> None:
    """Tell what the rules say about addresses, and which rule says so.

    Nothing is fetched. An address without http:// is taken for one with https://. Exit status 1 if an
    address is none.

    Example:

    \b
      digestlog policy test https://example.org/login https://bit.ly/3abc
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        answers = [_tested(db, text) for text in addresses]
    if as_json:
        emit_json(answers)
    else:
        for answer in answers:
            _print_answer(answer)
    if any("error" in answer for answer in answers):
        raise click.exceptions.Exit(1)


@policy.command("rules")
@json_option
@pass_app
def rules_(app: App, as_json: bool) -> None:
    """List your own rules, the lists you imported, and the packaged rules.

    Example:

    \b
      digestlog policy rules
    """
    from digestlog.core.policy_rules import packaged

    with app.open() as db:
        users.require_admin(db, app.user)
        own, lists = store.own_rules(db), store.lists(db)
    shipped = packaged().rules
    found: dict[str, Sequence[_Shown]] = {"own": own, "lists": lists, "packaged": shipped}
    if as_json:
        emit_json({name: [asdict(one) for one in some] for name, some in found.items()})
        return
    rows = [(_origin(one), *_columns(one)) for some in found.values() for one in some]
    table(("origin", "kind", "pattern", "decision", "reason", "words"), rows)
    if not app.quiet:
        names = sum(one.domains for one in lists)
        note(
            f"{plural(len(own), 'own rule')}, {plural(len(lists), 'list')} with {plural(names, 'name')}, "
            f"{plural(len(shipped), 'packaged rule')}"
        )


@policy.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("pattern", type=TEXT)
@click.option("--decision", type=_DECISION, default=BLOCK, show_default=True, help="What to do with it.")
@click.option("--reason", type=_REASON, help="Why.  [default: unknown, or none where it allows]")
@click.option("--words", type=TEXT, help="The reason in a sentence, for those who are refused.")
@json_option
@pass_app
def add(
    app: App, kind: str, pattern: str, decision: str, reason: str | None, words: str | None, as_json: bool
) -> None:
    """Write a rule of your own; one with the same kind and pattern is replaced.

    \b
      host    exactly this host
      domain  this domain and all below it
      tld     the last part of the host
      path    a pattern for the whole path
      url     a pattern for the whole address
      query   a pattern for one parameter: its name, or name=value

    In patterns * stands for any characters and {a,b} for one of several. Capitals do not matter.

    Examples:

    \b
      digestlog policy add domain casino.example --reason illegal_or_regulated
      digestlog policy add url "shop.example/{cart,basket}/*" --decision review
      digestlog policy add host bit.ly --decision allow
    """
    from digestlog.core.policy_rules import rule

    wanted = rule(kind, pattern, decision, reason, words)
    with app.open() as db:
        users.require_admin(db, app.user)
        (own,) = store.add(db, [wanted])
    if as_json:
        emit_json(asdict(own))
    else:
        table(("id", "kind", "pattern", "decision", "reason", "words"), [(own.id[:8], *_columns(own))])


@policy.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--name", type=TEXT, help="What to call the list; one of this name is replaced.")
@click.option("--reason", type=_REASON, help="Why its names are on it.")
@click.option("--decision", type=_DECISION, help="What to do with its names.  [default: block]")
@click.option("--words", type=TEXT, help="The reason in a sentence, for those who are refused.")
@click.option(
    "--below/--exact",
    default=None,
    help="Its names mean all names below them too, or only themselves.  [default: as its format says]",
)
@json_option
@pass_app
def import_(app: App, /, file: Any, as_json: bool, **wish: Any) -> None:
    """Import a list of domains, or a file of rules.

    FILE is - for standard input, and may be gzip. Lists are hosts files, plain lists of domains, Adblock
    lists of ||domain^ and dnsmasq's address=/domain/. What is not about a whole domain is left out and
    counted. A file of rules is JSON (docs/policy.md); its rules become your own.

    Examples:

    \b
      digestlog policy import hosts.txt --name malware --reason malware_or_phishing
      digestlog policy import ours.txt --name ours --decision allow
      digestlog policy import rules.json
    """
    from digestlog.core.policy_lists import looks_like_rules, opened

    with opened(file) as stream:
        is_rules = looks_like_rules(stream)
        _check_wish(is_rules, **wish)
        with app.open() as db:
            users.require_admin(db, app.user)
            if is_rules:
                _import_rules(db, stream, as_json)
            else:
                _import_list(app, db, stream, as_json, **wish)


@policy.command()
@click.argument("names", type=TEXT, nargs=-1, required=True, metavar="NAME...")
@json_option
@pass_app
def remove(app: App, names: tuple[str, ...], as_json: bool) -> None:
    """Take away lists by name, and rules of your own by their id, its beginning, or their pattern.

    Packaged rules stay; a rule of your own comes before them. If one NAME is not there, nothing is removed.

    Examples:

    \b
      digestlog policy remove malware
      digestlog policy remove casino.example
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        removed = store.remove(db, names)
    if as_json:
        emit_json({"removed": [asdict(one) for one in removed]})
        return
    for one in removed:
        if isinstance(one, store.DomainList):
            click.echo(f"removed the list {one.name} with {plural(one.domains, 'name')}")
        else:
            click.echo(f"removed the rule {one.kind} {one.pattern}")


def _tested(db: Database, text: str) -> dict[str, Any]:
    shown = clean(text.encode("utf-8", "backslashreplace").decode()) or ""
    try:
        decision = _evaluated(db, text)
    except UrlError as error:
        hint = "write it whole, like https://example.org/story"
        complain(ConfigError(f"{shown[:100]!r} has no identity ({error.code})", hint))
        return {"input": shown, "error": error.code, "hint": hint}
    return {"input": shown, **asdict(decision)}


def _evaluated(db: Database, text: str) -> Decision:
    try:
        return store.evaluate(db, text)
    except UrlError as error:
        if error.code != "relative":
            raise
        return store.evaluate(db, f"https://{text.strip()}")


def _print_answer(answer: dict[str, Any]) -> None:
    if "error" in answer:
        return
    code = f" ({answer['reason_code']})" if answer["reason_code"] else ""
    click.echo(f"{click.style(answer['decision'], bold=True)}{code}  {answer['input']}")
    by = answer["origin"] and (
        f"the list {answer['list_name']}: {answer['pattern']}"
        if answer["origin"] == LIST
        else f"{answer['origin']} rule: {answer['kind']} {answer['pattern']}"
    )
    fields([("  because", answer["reason"]), ("  host", answer["hostname"]), ("  by", by)])


def _origin(one: _Shown) -> str:
    if isinstance(one, store.OwnRule):
        return f"own {one.id[:8]}"
    return "list" if isinstance(one, store.DomainList) else "packaged"


def _columns(one: _Shown) -> tuple[str | None, ...]:
    """Kind, pattern, decision, reason and words; of a list its size and name."""
    if isinstance(one, store.DomainList):
        return plural(one.domains, "name"), one.name, one.decision, one.reason_code, one.words
    return one.kind, one.pattern, one.decision, one.reason_code, one.words


def _check_wish(is_rules: bool, **wish: Any) -> None:
    if is_rules and any(value is not None for value in wish.values()):
        raise click.UsageError("a file of rules says itself what each rule means: no other options")
    if not is_rules and wish["name"] is None:
        raise click.UsageError("give the list a name: --name")
    if not is_rules and wish["reason"] is None and wish["decision"] != ALLOW:
        raise click.UsageError("say why its names are on the list: --reason")


def _import_rules(db: Database, stream: BufferedReader, as_json: bool) -> None:
    from digestlog.core.policy_lists import gzip_errors
    from digestlog.core.policy_rules import MAX_RULES_BYTES, read_rules

    with gzip_errors():
        body = stream.read(MAX_RULES_BYTES + 1)
    added = store.add(db, read_rules(body))
    if as_json:
        emit_json({"rules": [asdict(own) for own in added]})
    else:
        click.echo(f"{plural(len(added), 'rule')} of your own written")


def _import_list(
    app: App,
    db: Database,
    stream: BufferedReader,
    as_json: bool,
    *,
    name: str,
    reason: str | None,
    decision: str | None,
    words: str | None,
    below: bool | None,
) -> None:
    from digestlog.core.policy_lists import Tally, read_names
    from digestlog.store.policy_lists import Meaning, replace

    tally = Tally()
    meaning = Meaning(name, decision or BLOCK, reason, clean(words))
    with Progress(quiet=app.quiet or as_json) as progress:
        done = replace(
            db,
            meaning,
            read_names(stream, tally, below=below),
            lambda count: progress.show(f"{count:,} names read from {tally.lines:,} lines"),
        )
    if as_json:
        emit_json(_as_json(meaning, done, tally))
        return
    click.echo(
        f"{name}: {plural(done.domains, 'name')}, {plural(done.exceptions, 'exception')} "
        f"({done.added:,} new, {done.removed:,} gone)"
    )
    if not app.quiet:
        _tell_left_out(tally)


def _as_json(meaning: Meaning, done: Replaced, tally: Tally) -> dict[str, Any]:
    examples = [dict(zip(("line", "why", "text"), one, strict=True)) for one in tally.examples]
    return {
        **asdict(meaning),
        **asdict(done),
        "lines": tally.lines,
        "left_out": dict(tally.left_out),
        "examples": examples,
    }


def _tell_left_out(tally: Tally) -> None:
    from digestlog.core.policy_lists import LEFT_OUT

    counts = [f"{LEFT_OUT[why]}: {count:,}" for why, count in sorted(tally.left_out.items())]
    if counts:
        note(f"left out: {'; '.join(counts)}")
    for line, _, text in tally.examples:
        note(f"  line {line:,}: {text}")
