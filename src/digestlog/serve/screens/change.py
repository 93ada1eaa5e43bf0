"""Update instance: one change word by word, the look that found it, the page as it was."""

from __future__ import annotations

from contextlib import suppress

from digestlog.core.render.plain import readable
from digestlog.errors import LockedFile, ReadOnlyFile
from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens.pieces import library_page, not_there
from digestlog.store import artifacts, onboarding, watched
from digestlog.store.watched import Instance

MOST_TEXT = 200_000
# Renderings that are given as files; a picture is shown besides.
_FILES = {
    artifacts.SCREENSHOT: "change.picture",
    artifacts.TEXT: "change.text",
    artifacts.DIFF_HTML: "change.diff_file",
    "v1": "change.other",
}
_PICTURES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png", b"GIF8": "image/gif"}
_KEEP = ("content-disposition", 'attachment; filename="{}"')


def change(page: Page) -> Response:
    """One change that the user may see."""
    user = page.visitor.id
    found = watched.instance(page.db, user, page.parts["id"])
    of = watched.page(page.db, user, found.update.url_id) if found else None
    if found is None or of is None:
        raise not_there()
    with suppress(ReadOnlyFile, LockedFile):  # it is shown all the same
        onboarding.saw_a_change(page.db, user)
    return library_page(
        page,
        "change.html",
        instance=found,
        page=of,
        diff=_words(found),
        side=page.request.query.get("view") == "side",
        text=_text(page, found),
        files=_FILES,
    )


def rendering(page: Page) -> Response:
    """A rendering that the user may see: pictures and text to look at, all else to keep as a file.

    What a browser would run is never shown on this site, whoever wrote it.
    """
    found = watched.rendering(page.db, page.visitor.id, page.parts["id"])
    if found is None:
        raise not_there()
    kind, content = found
    picture = next((shown for start, shown in _PICTURES.items() if content.startswith(start)), None)
    if kind == artifacts.SCREENSHOT and picture:
        return Response(200, content, picture)
    if kind == artifacts.TEXT:
        return Response(200, content, "text/plain; charset=utf-8")
    name = "changes.html" if kind == artifacts.DIFF_HTML else "rendering.bin"
    return Response(200, content, "application/octet-stream", ((_KEEP[0], _KEEP[1].format(name)),))


def _words(found: Instance) -> list[tuple[str, str]]:
    """The words kept, taken out and put in; without a stored diff, all before and all after."""
    diff = found.diff or tuple((op, text) for op, text in (("-", found.before), ("+", found.after)) if text)
    return [(op, readable(text)) for op, text in diff]


def _text(page: Page, found: Instance) -> str | None:
    for one in found.renderings:
        if one.kind == artifacts.TEXT:
            stored = watched.rendering(page.db, page.visitor.id, one.id)
            return readable(stored[1].decode("utf-8", "replace")[:MOST_TEXT]) if stored else None
    return None


ROUTES = (Route.get("/changes/{id}", change), Route.get("/renderings/{id}", rendering))
