# ruff: noqa: E501 - markup is not wrapped
"""What is noise by its nature, and what is content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.watching.gist import gist


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("3 hours ago", "an hour ago"),
        ("By Ana · 2 days ago", "By Ana · 3 weeks ago"),
        ("Posted just now", "Posted 5 minutes ago"),
        ("vor 3 Stunden", "vor einem Tag"),
        ("il y a 2 heures", "il y a 5 jours"),
        ("hace 2 horas", "hace 3 días"),
        ("2 uur geleden", "3 dagen geleden"),
        ("3 часа назад", "5 дней назад"),
        ("3時間前", "5時間前"),
        ("3시간 전", "4시간 전"),
        ("yesterday · 41 comments", "today · 44 comments"),
        ("1,204 views · 35 likes", "1,377 views · 41 likes"),
        ("1.2K views", "3M views"),
        ("Views: 300", "Views: 301"),
        ("Comments (12)", "Comments (15)"),
        ("Shared 35 times", "Shared 41 times"),
        ("12 Aufrufe", "1 204 Aufrufe"),
        ("12 commentaires", "14 commentaires"),
        ("👍 12", "👍 13"),
        ("1200回視聴", "1201回視聴"),
        ("€49.00 · 231 people are looking", "€49.00 · 17 people are looking"),
        ("14 users online", "231 users online"),
        ("23 Personen sehen sich diesen Artikel an", "7 Personen sehen sich diesen Artikel an"),
        ("12 sold in the last 24 hours", "17 sold in the last 3 hours"),
        ("Visitors today: 120", "Visitors today: 130"),
        ("© 2025 Example Corp.", "© 2026 Example Corp."),
        ("Copyright 2019-2025 Example", "Copyright 2019-2026 Example"),
        (
            "Page generated 2026-03-12 11:02:17 UTC in 0.041 s",
            "Page generated 2026-03-13 17:44:03 UTC in 0.038 s",
        ),
        ("Last updated: 12 March 2026", "Last updated: 14 March 2026"),
        ("Stand: 12.03.2026, 14:00 Uhr", "Stand: 13.03.2026, 15:30 Uhr"),
        ("Rates as of 12 March 2026 10:00", "Rates as of 13 March 2026 11:00"),
        ("Now 2026-03-12 11:02:17", "Now 2026-03-12 11:02:18"),
        ("Ends in 2 hours", "Ends in 1 hour"),
        ("2d 4h 13m left", "2d 3h 59m left"),
        ("Request ID: 8fa3c2d1", "Request ID: 77ab21cc"),
        ("Ref 123e4567-e89b-12d3-a456-426614174000", "Ref 123e4567-e89b-12d3-a456-426614174fff"),
        ("Good morning! Sale", "Good evening! Sale"),
        ("Bonjour Ana", "Bonsoir Ana"),
        ("(3) Inbox", "(12) Inbox"),
    ],
)
def test_noise_has_one_gist(one: str, two: str) -> None:
    assert gist(one) == gist(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Submissions close on 15 March 2026", "Submissions close on 22 March 2026"),
        ("Doors open 19:30", "Doors open 20:00"),
        ("19:30", "20:00"),
        ("Version 2.3.1", "Version 2.4.0"),
        ("€49.00", "€44.50"),
        ("within 30 days", "within 14 days"),
        ("up to 10 reviews", "up to 20 reviews"),
        ("20 comments per day", "30 comments per day"),
        ("Volume: 28 litres", "Volume: 30 litres"),
        ("Team plan: 10 members", "Team plan: 20 members"),
        ("12 seats left", "3 seats left"),
        ("sha256 9f86d081884c7d65", "sha256 1b4f0e9851971998"),
        ("Founded 1984", "Founded 1985"),
        ("Good apples", "Good pears"),
        ("The agency received 40 comments during the long consultation that ended in spring. " * 3,
         "The agency received 45 comments during the long consultation that ended in spring. " * 3),
    ],
)  # fmt: skip
def test_content_keeps_its_numbers(one: str, two: str) -> None:
    assert gist(one) != gist(two)


def test_a_very_long_line_is_compared_as_it_is() -> None:
    text = "3 hours ago " * 400
    assert gist(text) == text


@given(st.text(alphabet="0123456789., :-aghoursviewsupdated()©", max_size=300))
def test_a_gist_is_stable(text: str) -> None:
    assert gist(text) == gist(str(text))
    assert len(gist(text)) <= 3 * len(text) + 20
