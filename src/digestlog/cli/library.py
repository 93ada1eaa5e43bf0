"""`digestlog library`: watched pages; each file of commands is loaded when one of them runs."""

from __future__ import annotations

import click

from digestlog.cli.lazy import LazyGroup

COMMANDS = {
    "add": ("digestlog.cli.library_pages:add", "Watch pages."),
    "list": ("digestlog.cli.library_pages:list_", "List the pages that you watch."),
    "show": ("digestlog.cli.library_pages:show", "Show one page: its checks, its changes, who decided."),
    "remove": ("digestlog.cli.library_pages:remove", "Stop watching pages."),
    "submissions": ("digestlog.cli.library_pages:submissions", "List what you asked to watch."),
    "unlock-history": ("digestlog.cli.library_pages:unlock_history", "Show a user the whole history."),
    "check": ("digestlog.cli.library_check:check", "Look at the pages that are due."),
    "prune": ("digestlog.cli.library_check:prune", "Make room: drop old renderings and texts."),
    "changes": ("digestlog.cli.library_changes:changes", "List what changed."),
    "report": ("digestlog.cli.library_changes:report", "Write what changed as Markdown."),
    "feed": ("digestlog.cli.library_changes:feed", "Write what changed as an Atom feed."),
    "notify": ("digestlog.cli.library_changes:notify", "Send word of changes that you were not told of."),
}


@click.group(cls=LazyGroup, commands_at=COMMANDS)
def library() -> None:
    """Watch pages and see what really changed.

    Example:

    \b
      digestlog library add https://example.org/prices
      digestlog library check
      digestlog library changes
    """
