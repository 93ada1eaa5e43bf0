"""An article's page, for tests that read articles."""

from __future__ import annotations

from scan_fakes import Page, page

SENTENCES = (
    "The swing bridge over the old harbour opened to traffic on Thursday morning after three years.",
    "Repairs cost four million, a third more than planned, because divers found rotten timber piles.",
)
HEAD = """<meta property="og:title" content="Bridge opens"><meta name="author" content="Anna Berg">
<meta property="article:published_time" content="2026-02-12T14:03:12Z">"""


def story(*sentences: str, head: str = HEAD) -> Page:
    """An article's page, with these paragraphs or the usual two."""
    return page(head, "<article>" + "".join(f"<p>{s}</p>" for s in sentences or SENTENCES) + "</article>")
