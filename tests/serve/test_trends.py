"""Trends: charts, and the same in words and numbers."""

from __future__ import annotations

import pytest
from serve.screen import Screens, words
from store.shelf import ANNA, BEN, HARBOUR, TIDEPOOL, article

from digestlog.serve.screens import charts
from digestlog.store import trends
from digestlog.store.db import Database

DAYS = ("2026-02-11", "2026-02-12", "2026-02-13")


def fill(db: Database) -> None:
    for number in range(3):
        article(db.connection, f"h{number}", "2026-02-12T10:00:00+00:00", [HARBOUR])
    article(db.connection, "t", "2026-02-13T08:00:00+00:00", [TIDEPOOL])
    trends.refresh(db)


def test_charts_with_words_and_numbers(screens: Screens) -> None:
    screens.write(fill)
    page = screens.text(screens.owner, "/trends")
    assert 'aria-label="New articles: 4 articles, most on 12 February 2026: 3"' in page
    said = words(page)
    assert "Changes of watched pages 0 changes" in said
    assert "12 February 2026 3" in said and "13 February 2026 1" in said
    assert "Counted up to 13 February 2026" in said


def test_before_anything_was_counted(screens: Screens) -> None:
    assert "Nothing was counted yet" in screens.text(screens.owner, "/trends")
    assert "Nothing was counted in these days." in screens.text(screens.owner, "/trends/changes-by-brand")


def test_by_source_as_far_as_somebody_knows_them(screens: Screens) -> None:
    screens.write(fill)
    path = "/trends/discoveries-by-source"
    said = words(screens.text(screens.owner, path))
    assert said.index("Harbour Times 3 articles") < said.index("Tidepool Review 1 article")
    assert "Tidepool" in screens.text(BEN, path)
    annas = screens.text(ANNA, path)
    assert "Harbour Times" in annas and "Tidepool" not in annas and TIDEPOOL not in annas


def test_how_far_back(screens: Screens) -> None:
    assert 'href="?days=90" aria-current="true"' in screens.text(BEN, "/trends?days=90")
    assert 'href="?days=30" aria-current="true"' in screens.text(BEN, "/trends?days=91")


def test_a_trend_that_is_off_or_none_is_not_there(screens: Screens) -> None:
    screens.write(lambda db: trends.switch(db, "discoveries-by-source", on=False))
    assert "discoveries-by-source" not in screens.text(BEN, "/trends")
    for name in ("discoveries-by-source", "nonsense"):
        assert "There is no such trend." in screens.text(BEN, f"/trends/{name}", 404)


def test_the_largest_are_shown_and_the_others_named(
    screens: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    from digestlog.serve.screens import trends as screen

    monkeypatch.setattr(screen, "_SHOWN", 1)
    screens.write(fill)
    said = words(screens.text(screens.owner, "/trends/discoveries-by-source"))
    assert "Tidepool" not in said and "1 more have something" in said


def test_bars_fill_their_box() -> None:
    chart = charts.bars(DAYS, (0.0, 1.0, 4.0), 30.0, 100.0)
    assert [(bar.x, bar.y, bar.width, bar.height) for bar in chart.bars] == [
        (1.0, 100.0, 8.0, 0.0), (11.0, 75.0, 8.0, 25.0), (21.0, 0.0, 8.0, 100.0),
    ]  # fmt: skip
    assert chart.most is not None and (chart.most.day, chart.total) == ("2026-02-13", 5.0)
    assert chart.marks == (4, 3, 2, 1, 0) and chart.lines == [0.0, 25.0, 50.0, 75.0]


def test_one_is_more_than_none_to_the_eye() -> None:
    chart = charts.bars(DAYS, (0.0, 1.0, 10_000.0), 30.0, 100.0)
    assert [bar.height for bar in chart.bars] == [0.0, 1.5, 100.0]


def test_nothing_at_all() -> None:
    chart = charts.bars(DAYS, (0.0, 0.0, 0.0), 30.0, 100.0)
    assert chart.most is None and chart.marks == (1, 0)


@pytest.mark.parametrize(
    ("highest", "marks"),
    [(1, (1, 0)), (5, (6, 4, 2, 0)), (27, (30, 20, 10, 0)), (1000, (1000, 500, 0)), (2.5, (3, 2, 1, 0))],
)
def test_lines_are_at_round_numbers(highest: float, marks: tuple[int, ...]) -> None:
    chart = charts.bars(DAYS, (0.0, 0.0, 0.0), 30.0, 100.0, top=highest)
    assert chart.marks == marks
