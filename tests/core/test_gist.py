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
        ("Posted 20 min. ago", "Posted 3 hrs. ago"),
        ("vor 20 Min.", "vor 3 Std."),
        ("20 minuti fa", "un'ora fa"),
        ("20 minuten geleden", "1 dag, 3 uur geleden"),
        ("for 20 minutter siden", "for 3 timer siden"),
        ("há 20 minutos", "há 3 horas"),
        ("Offer ends in 38 hours", "Offer ends in 2 days"),
        ("Angebot endet in 38 Stunden", "Angebot endet in 2 Tagen"),
        ("Se termine dans 38 heures", "Se termine dans 2 jours"),
        ("Termina en 38 horas", "Termina en 2 días"),
        ("Scade tra 38 ore", "Scade tra 2 giorni"),
        ("Eindigt over 38 uur", "Eindigt over 2 dagen"),
        ("Noch 38 Stunden", "Noch 2 Tage"),
        ("あと38時間", "あと2日"),
        ("It is now 13:39", "It is now 14:02"),
        ("Es ist jetzt 13:39 Uhr", "Es ist jetzt 14:02 Uhr"),
        ("Il est 13:39", "Il est 14:02"),
        ("Ahora son las 13:39", "Ahora son las 14:02"),
        ("Het is nu 13:39", "Het is nu 14:02"),
        ("Who is online: Anna, Bob and 12 guests", "Who is online: Eve and 3 guests"),
        ("Wer ist online: Anna, Bob und 12 Gäste", "Wer ist online: Eve und 3 Gäste"),
        ("Qui est en ligne : Anna et 12 invités", "Qui est en ligne : Eve et 3 invités"),
        ("What is 3 + 4?", "What is 7 + 1?"),
        ("Security: 3 x 4 = ?", "Security: 2 x 9 = ?"),
        ("Wie viel ist drei plus vier?", "Wie viel ist neun plus eins?"),
        ("Chat: waiting time about 3 minutes", "Chat: waiting time about 12 minutes"),
        ("Wartezeit: 3 Minuten", "Wartezeit: 14 Minuten"),
        ("待ち時間 3分", "待ち時間 12分"),
        ("Served by web-03", "Served by web-11"),
        ("Node: app-03.eu", "Node: app-11.eu"),
        ("1,204 votes", "1,311 votes"),
        ("Ratings (41)", "Ratings (44)"),
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
        ("Hygiene rating: 5", "Hygiene rating: 2"),
        ("Rating: 5", "Rating: 2"),
        ("Review: 4/5", "Review: 2/5"),
        ("Reviews: 4/5", "Reviews: 2/5"),
        ("Mon–Fri 9–17", "Mon–Fri 9–16"),
        ("10:00 - 20:00", "10:00 - 18:00"),
        ("Updated opening hours: Mon 9:00–17:00", "Updated opening hours: Mon 9:00–16:00"),
        ("Ferme à 18 h 30", "Ferme à 19 h 30"),
        ("Closes 17 h", "Closes 18 h"),
        ("Journey: 2 h 15 min", "Journey: 2 h 45 min"),
        ("Free for 30 days now", "Free for 14 days now"),
        ("Waiting time for a passport: 6 weeks", "Waiting time for a passport: 9 weeks"),
        ("Requires Node 18.2 or later", "Requires Node 20.1 or later"),
        ("Node: 18.2", "Node: 20.1"),
        ("Response time: 30 minutes", "Response time: 60 minutes"),
        ("Online now: the programme of 2026", "Online now: the minutes of 2026"),
        ("Passed with 12 votes to 3", "Passed with 13 votes to 2"),
        ("Antrag angenommen, 12 Stimmen dafür", "Antrag angenommen, 13 Stimmen dafür"),
        ("2 x 4 = 8", "2 x 5 = 10"),
        ("For ages 3-12?", "For ages 3-14?"),
        ("Are 3 rooms free?", "Are 4 rooms free?"),
        ("1,204 shares outstanding", "1,311 shares outstanding"),
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
