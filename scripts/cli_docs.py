"""Writes docs/cli.md from the commands' own help; `--check` only says whether it is up to date."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from digestlog.cli import cli

TARGET = Path(__file__).parents[1] / "docs" / "cli.md"
_HEAD = """# The command line

This page is made from the commands' own help: `python scripts/cli_docs.py`.

Exit status: 0 when the command did its work, 1 when it could not or when something it was asked for
failed (one line on standard error says why), 2 when the command line itself was wrong. Results go to
standard output, everything else to standard error. What `--json` prints is described in
[json-output.md](json-output.md).

Completion of commands and options in your shell:

```sh
eval "$(_DIGESTLOG_COMPLETE=bash_source digestlog)"    # bash, in ~/.bashrc
eval "$(_DIGESTLOG_COMPLETE=zsh_source digestlog)"     # zsh, in ~/.zshrc
_DIGESTLOG_COMPLETE=fish_source digestlog | source     # fish, in ~/.config/fish/config.fish
```
"""


def commands(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Each command's path and help, depth first, in the order in which help lists them."""
    yield ctx.command_path, command.get_help(ctx)
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            child = command.get_command(ctx, name)
            if child is not None:
                yield from commands(child, click.Context(child, info_name=name, parent=ctx))


def page() -> str:
    """The whole page."""
    root = click.Context(cli, info_name="digestlog", terminal_width=100, help_option_names=["-h", "--help"])
    sections = (f"## {path}\n\n```text\n{text}\n```\n" for path, text in commands(cli, root))
    return "\n".join([_HEAD, *sections])


def main() -> int:
    """Write the page, or compare."""
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.read_text(encoding="utf-8") == page() else 1
    TARGET.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
