"""Where a digest goes: to the terminal, into a file, by mail."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path
from typing import Any

import click

from digestlog.cli.app import TEXT, App
from digestlog.cli.output import emit_json, json_option, note
from digestlog.core.digest import Digest
from digestlog.core.render import FORMATS, render
from digestlog.core.render.labels import Labels
from digestlog.errors import ConfigError

_WIDEST = 88
_NARROWEST = 40


def output_options(command: Any) -> Any:
    """`--format`, `--json` and `--mail-to` on a command that gives out a digest."""
    for option in (
        click.option(
            "--mail-to",
            multiple=True,
            type=TEXT,
            metavar="ADDRESS",
            callback=_addresses,
            help="Send it to this address too, through the server in DIGESTLOG_SMTP_URL.",
        ),
        json_option,
        click.option(
            "--format", type=click.Choice(FORMATS), default="md", show_default=True, help="As what."
        ),
    ):
        command = option(command)
    return command


def _addresses(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    from digestlog.core.render.message import is_address

    for value in values:
        if not is_address(value):
            raise click.BadParameter(f"{value!r} is no mail address; write it like anna@example.org")
    return values


def as_json_or(format: str, as_json: bool) -> str:
    """The format that was asked for, of which --json is another name for one."""
    return "json" if as_json else format


def publish(app: App, digest: Digest, words: Labels, *, format: str, mail_to: tuple[str, ...] = ()) -> None:
    """Print the digest and, where addresses are given, send it."""
    if format == "json":
        from digestlog.core.render.json_digest import as_object

        emit_json(as_object(digest))
    elif format == "md":
        _print_markdown(digest, words)
    else:
        click.echo(render(digest, format, words), nl=False)
    if mail_to:
        send(app, digest, words, mail_to)


def send(app: App, digest: Digest, words: Labels, mail_to: tuple[str, ...]) -> None:
    """Send the digest by mail."""
    from digestlog.core.render.message import message
    from digestlog.web import mail

    server = mail.server_from(os.environ.get(mail.VARIABLE))
    letter = message(digest, words, sender=server.sender_for(mail_to), recipients=mail_to)
    mail.send(server, letter, mail_to)
    if not app.quiet:
        note(f"sent to {', '.join(mail_to)}")


def write_file(app: App, file: Path, text: str, *, overwrite: bool) -> None:
    """Write the whole text or nothing; an existing file only if the person said so.

    A link leads to the file that is replaced; into a pipe or a device the text is written as it is.
    """
    try:
        found = _found(file)
        mode = 0 if found is None else found.st_mode
        if stat.S_ISDIR(mode):
            raise ConfigError(f"{file} cannot be written: it is a folder", "name a file in it")
        # Nothing is lost in what keeps nothing.
        if found and not overwrite and not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            raise ConfigError(f"{file} exists already", "choose another name, or say --overwrite")
        if found and file.samefile(app.path()):
            raise ConfigError(f"{file} is digestlog's own file", "choose another name")
        if found is None or stat.S_ISREG(mode):
            _replace(Path(os.path.realpath(file)), text, None if found is None else mode & 0o777)
        else:
            _write(os.open(file, os.O_WRONLY), text)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}", "choose another name") from error


def _found(file: Path) -> os.stat_result | None:
    """What is there already, behind links; None: nothing."""
    try:
        return file.stat()
    except FileNotFoundError:
        return None


def _replace(file: Path, text: str, mode: int | None) -> None:
    """Put the text in the file's place in one step; `mode` None: as the umask has it for new files."""
    partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
    partial.unlink(missing_ok=True)
    # Never open to more eyes than the file itself, not even while it is written.
    new = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
    try:
        _write(new, text)
        if mode is not None:
            partial.chmod(mode)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def _write(descriptor: int, text: str) -> None:
    with open(descriptor, "w", encoding="utf-8", newline="\n") as out:
        out.write(text)


def _print_markdown(digest: Digest, words: Labels) -> None:
    """On a terminal: lines that fit it, headings and titles in bold."""
    from digestlog.core.render.markdown import to_markdown

    if not sys.stdout.isatty():
        click.echo(to_markdown(digest, words), nl=False)
        return
    import shutil

    columns = shutil.get_terminal_size().columns - 1
    width = max(_NARROWEST, min(columns, _WIDEST))
    for line in to_markdown(digest, words, width=width).splitlines():
        click.echo(_dressed(line))


def _dressed(line: str) -> str:
    if line.startswith("#"):
        return click.style(line, bold=True, fg="cyan" if line.startswith("##") else None)
    return click.style(line, bold=True) if re.match(r"\d+\. \*\*", line) else line
