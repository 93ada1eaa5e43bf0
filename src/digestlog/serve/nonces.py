"""Datasette's templates, made fit for a strict content policy.

Its pages have scripts and styles inside them. Each gets the page's own word, in the text of the template,
before any data is put in: what comes from the data has no such word, and does not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jinja2 import BaseLoader, Environment

from digestlog.serve.headers import current_nonce

_ELEMENT = re.compile(r"<(script|style)\b")
# Styles and handlers inside an element cannot be marked, so they go.
_INLINE = re.compile(r'\s(?:style|onclick|onchange|onsubmit|onload)="(?:\{\{.*?\}\}|[^"{])*"')

Source = tuple[str, str | None, Callable[[], bool] | None]


class MarkingLoader(BaseLoader):
    """Gives another loader's templates with their scripts and styles marked."""

    def __init__(self, inner: BaseLoader) -> None:
        self._inner = inner

    def get_source(self, environment: Environment, template: str) -> Source:
        """The text of a template."""
        text, name, fresh = self._inner.get_source(environment, template)
        return marked(text), name, fresh

    def list_templates(self) -> list[str]:
        """The names of all templates."""
        return list(self._inner.list_templates())


def marked(template: str) -> str:
    """The text of a template with its scripts and styles marked, and nothing that cannot be."""
    return _ELEMENT.sub(r'<\1 nonce="{{ csp_nonce() }}"', _INLINE.sub("", template))


def mark(env: Any) -> None:
    """Make an environment give marked templates."""
    if not isinstance(env.loader, MarkingLoader):
        env.loader = MarkingLoader(env.loader)
        env.globals["csp_nonce"] = current_nonce
        if env.cache is not None:
            env.cache.clear()
