"""The words around a digest, in English and French."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC

from digestlog.core.moments import from_iso


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of one language. `articles` holds one and many, `singular` what counts as one."""

    language: str
    months: tuple[str, ...]
    first_of_month: str
    articles: tuple[str, str]
    singular: tuple[int, ...]
    colon: str
    made_for: str
    contents: str
    also: str
    why: str
    notes: str
    undated: str
    untitled: str
    nothing: str
    roles: Mapping[str, str]
    outcomes: Mapping[str, str]

    def day(self, iso: str) -> str:
        """The day of a stored time: `12 February 2026`."""
        moment = from_iso(iso).astimezone(UTC)
        number = self.first_of_month if moment.day == 1 else str(moment.day)
        return f"{number} {self.months[moment.month - 1]} {moment.year}"

    def moment(self, iso: str) -> str:
        """A stored time to the minute: `12 February 2026, 14:03 UTC`."""
        return f"{self.day(iso)}, {from_iso(iso).astimezone(UTC):%H:%M} UTC"

    def count(self, number: int) -> str:
        """`1 article`, `2 articles`."""
        one, many = self.articles
        return f"{number} {one if number in self.singular else many}"

    def role(self, name: str) -> str:
        """What a provider does, as a heading of its name."""
        return self.roles.get(name, name)

    def outcome(self, name: str) -> str:
        """What became of a candidate."""
        return self.outcomes.get(name, name)


ENGLISH = Labels(
    language="en",
    months=(
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    first_of_month="1",
    articles=("article", "articles"),
    singular=(1,),
    colon=": ",
    made_for="For",
    contents="In this digest",
    also="The same story elsewhere",
    why="Why",
    notes="Notes",
    undated="undated",
    untitled="Untitled",
    nothing="Nothing new this time.",
    roles={"classifier": "Classification", "summaries": "Summaries", "search": "Web search"},
    outcomes={
        "taken": "Taken",
        "history": "Left out: shown before",
        "diversity": "Left out: its site was heard lately",
        "duplicate": "Left out: the same story as another",
        "empty": "Left out: without a text to read",
        "over_quota": "Left out: its category is full",
        "policy": "Left out: a rule forbids it",
        "unclassified": "Left out: fits no category",
        "homepage": "Left out: a front page, no article",
    },
)

FRENCH = Labels(
    language="fr",
    months=(
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ),
    first_of_month="1er",
    articles=("article", "articles"),
    singular=(0, 1),
    colon="\N{NO-BREAK SPACE}: ",
    made_for="Pour",
    contents="Dans cette synthèse",
    also="La même histoire ailleurs",
    why="Pourquoi",
    notes="Remarques",
    undated="sans date",
    untitled="Sans titre",
    nothing="Rien de nouveau cette fois.",
    roles={"classifier": "Classement", "summaries": "Résumés", "search": "Recherche sur le web"},
    outcomes={
        "taken": "Retenu",
        "history": "Écarté\N{NO-BREAK SPACE}: déjà montré",
        "diversity": "Écarté\N{NO-BREAK SPACE}: site déjà entendu récemment",
        "duplicate": "Écarté\N{NO-BREAK SPACE}: même histoire qu’un autre",
        "empty": "Écarté\N{NO-BREAK SPACE}: sans texte à lire",
        "over_quota": "Écarté\N{NO-BREAK SPACE}: sa catégorie est pleine",
        "policy": "Écarté\N{NO-BREAK SPACE}: une règle l’interdit",
        "unclassified": "Écarté\N{NO-BREAK SPACE}: n’entre dans aucune catégorie",
        "homepage": "Écarté\N{NO-BREAK SPACE}: une page d’accueil, pas un article",
    },
)


def labels(language: str) -> Labels:
    """The words of a language that the settings allow; English for any other."""
    return FRENCH if language == "fr" else ENGLISH
