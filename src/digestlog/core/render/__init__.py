"""A digest as text: Markdown, HTML, JSON, Atom.

Every text of a digest came from the web: each renderer writes it as data of its own format,
and only http(s) addresses become links.
"""

from __future__ import annotations

from collections.abc import Callable

from digestlog.core.digest import Digest
from digestlog.core.render.labels import Labels

FORMATS = ("md", "html", "json", "atom")


def render(digest: Digest, format: str, labels: Labels) -> str:
    """The digest in one of FORMATS."""
    return _renderer(format)(digest, labels)


def _renderer(format: str) -> Callable[[Digest, Labels], str]:
    if format == "html":
        from digestlog.core.render.html import to_html

        return to_html
    if format == "atom":
        from digestlog.core.render.atom import to_atom

        return to_atom
    if format == "json":
        from digestlog.core.render.json_digest import to_json

        return lambda digest, _labels: to_json(digest)
    from digestlog.core.render.markdown import to_markdown

    return to_markdown
