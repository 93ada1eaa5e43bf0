"""Trends: how much changes and how much is found, day by day, as charts and as tables."""

from __future__ import annotations

from dataclasses import dataclass

from digestlog.core.render.plain import line
from digestlog.core.trends import CHANGES, DEFINITIONS, NONE, Definition, Series, last_days
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens import charts
from digestlog.store import browse
from digestlog.store import trends as store

SPANS = (14, 30, 90, 365)
_SHOWN = 8
_SIZE, _SMALL = (640.0, 140.0), (300.0, 56.0)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A trend with a chart for each of its largest series; `left` are not shown."""

    definition: Definition
    unit: str
    series: list[tuple[str, charts.Chart]]
    left: int


def trends(page: Page) -> Response:
    """Every trend that counts without a name, and what each is split by."""
    days = _days(page)
    active = {one.name: one for one in store.list_trends(page.db) if one.is_active}
    whole = [one for one in DEFINITIONS if one.name in active and one.scope == "all"]
    return page.render(
        "trends.html",
        drawn=[_drawn(page, one, days) for one in whole],
        parts_of=[one for one in DEFINITIONS if one.name in active and one.scope != "all"],
        counted=max((active[one.name].last_day or "" for one in whole), default=""),
        span=len(days),
        spans=SPANS,
        line=line,
    )


def trend(page: Page) -> Response:
    """One trend by what it is split by: the largest first."""
    active = {one.name for one in store.list_trends(page.db) if one.is_active}
    found = next((one for one in DEFINITIONS if one.name == page.parts["trend"]), None)
    if found is None or found.name not in active:
        raise Refused(404, "There is no such trend.")
    days = _days(page)
    return page.render("trend.html", one=_drawn(page, found, days), span=len(days), spans=SPANS, line=line)


def _days(page: Page) -> tuple[str, ...]:
    asked = page.request.query.get("days", "")
    span = next((one for one in SPANS if str(one) == asked), 30)
    return last_days(page.db.now.date(), span)


def _drawn(page: Page, definition: Definition, days: tuple[str, ...]) -> Drawn:
    found = store.series(page.db, page.visitor.id, definition, days)
    if definition.scope == "source" and not page.visitor.is_admin:
        own = browse.source_ids(page.db, page.visitor)
        found = [one for one in found if one.series in own]
    size = _SIZE if definition.scope == "all" else _SMALL
    # On one scale, so that small ones look small.
    top = max((one.most for one in found), default=0.0)
    shown = [(_label(page, one), charts.bars(one.days, one.values, *size, top=top)) for one in found[:_SHOWN]]
    if definition.scope == "all" and not shown:
        shown = [("", charts.bars(days, [0.0] * len(days), *size))]
    unit = "chart.changes" if definition.metric == CHANGES else f"chart.{_UNITS[definition.scope]}"
    return Drawn(definition, unit, shown, len(found) - len(shown))


# What is counted: articles of the ledger, items of digests, pages that were not taken.
_UNITS = {"all": "articles", "source": "articles", "category": "items", "reason": "refusals"}


def _label(page: Page, series: Series) -> str:
    return page.words("trends.none") if series.series == NONE else line(series.label)


ROUTES = (Route.get("/trends", trends), Route.get("/trends/{trend}", trend))
