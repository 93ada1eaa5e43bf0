"""What changed on a page, as one HTML file that loads nothing: words put in, words taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from digestlog.core.changes import VOLATILE, Change
from digestlog.core.render.html import POLICY
from digestlog.core.render.html_style import STYLE
from digestlog.core.render.plain import line, link

# A page may change altogether; what is beyond is in the stored texts.
_MAX_CHARS = 200_000

_DIFF_STYLE = """
.diff { white-space: pre-wrap; overflow-wrap: anywhere; }
ins { background: #d9f0d3; color: #14420b; text-decoration: none; border-radius: 2px; }
del { background: #f9dcd6; color: #6d1d10; border-radius: 2px; }
.volatile { opacity: .6; }
@media (prefers-color-scheme: dark) {
  ins { background: #23401d; color: #cdebc4; } del { background: #4a211a; color: #f2c4b9; }
}
"""
_TAGS = {"+": "ins", "-": "del"}


def diff_html(title: str, url: str, changes: Sequence[tuple[Change, str]]) -> str:
    """The changes of one look with their summaries as a whole page; those in restless places come last."""
    told = sorted(changes, key=lambda pair: pair[0].state == VOLATILE)
    return "\n".join(_page(line(title) or line(url), url, told)) + "\n"


def _page(title: str, url: str, changes: Sequence[tuple[Change, str]]) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{escape(title)}</title>\n<style>{STYLE}{_DIFF_STYLE}</style>\n</head>"
    yield f'<body>\n<main>\n<header>\n<h1 dir="auto">{escape(title)}</h1>'
    address = link(url)
    if address:
        shown = escape(line(url))
        yield f'<p class="facts"><a href="{escape(address)}" rel="noopener noreferrer">{shown}</a></p>'
    yield "</header>"
    for change, summary in changes:
        yield from _section(change, summary)
    yield "</main>\n</body>\n</html>"


def _section(change: Change, summary: str) -> Iterator[str]:
    about = f"{change.kind.replace('_', ' ')} · {change.state} · {change.magnitude:.0%} of the page"
    yield f'<section class="{escape(change.state)}">\n<h2><bdi>{escape(line(summary))}</bdi></h2>'
    yield f'<p class="origin">{escape(about)}</p>'
    yield f'<p class="diff" dir="auto">{"".join(_words(change.diff))}</p>\n</section>'


def _words(diff: Sequence[tuple[str, str]]) -> Iterator[str]:
    left = _MAX_CHARS
    for op, text in diff:
        if left <= 0:
            yield "…"
            return
        safe = escape("\n".join(map(_readable, text[:left].split("\n"))))
        left -= len(text)
        tag = _TAGS.get(op)
        yield f"<{tag}>{safe}</{tag}>" if tag else safe


def _readable(text: str) -> str:
    """The line without characters that steer the reading direction; spaces at its ends stay."""
    inner = line(text)
    lead = " " if text[:1].isspace() else ""
    return f"{lead}{inner}{' ' if inner and text[-1:].isspace() else ''}"
