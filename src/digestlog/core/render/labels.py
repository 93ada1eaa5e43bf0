"""The words of a digest, in English and French: around the articles, and of what became of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC

from digestlog.core.moments import from_iso
from digestlog.core.render import french


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
    makers: Mapping[str, str]
    outcomes: Mapping[str, str]
    phrases: Mapping[str, str]

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

    def maker(self, names: str) -> str:
        """Who did something; what is built in has a name in each language: `model (2), embedded (1)`."""
        parts = (name.partition(" (") for name in names.split(", "))
        return ", ".join(self.makers.get(name, name) + mark + rest for name, mark, rest in parts)

    def say(self, phrase: str, /, **values: object) -> str:
        """A sentence of a digest with these values in it."""
        return self.phrases[phrase].format(**values)

    def title(self, iso: str) -> str:
        """The title of a digest that was made at a stored time."""
        return self.say("title", iso=iso[:10], day=self.day(iso))

    def reason(self, text: str) -> str:
        """Why something failed; errors are made in English."""
        return french.reason(text) if self.language == "fr" else text

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
    makers={"embedded": "embedded", "extractive": "extractive"},
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
        "failed": "Left out: could not be read",
        "outside_window": "Left out: too old for what was asked",
        "over_budget": "Left out: not looked at this time",
        "no_identity": "Left out: its address is none",
    },
    phrases={
        "title": "Digest of {iso}",
        "its_words": "its words: {words}",
        "whole_text": "its text as a whole",
        "unclassified": "fits no category",
        "over_quota": "{category} is full",
        "same_story": "the same story as {url}",
        "same_article": "the same article as {url}",
        "history": "shown before",
        "diversity": "{site} was in one of the last {count} digests",
        "homepage": "a front page, not an article",
        "over_budget": "not looked at this time; it comes sooner in the next digest",
        "outside_window": "published on {day}, before the time that was asked for",
        "no_identity": "its address has no identity ({code})",
        "unread": "its text could not be read before",
        "unread_because": "could not be read before: {reason}",
        "source_failed": "{source}: {reason}",
        "not_classified": "{name} could not classify {count} of {total} articles: {reason}",
        "not_summarised": "{name} could not summarise {count} of {total} articles: {reason}",
        "search_failed": "web search failed: {reason}",
        "not_searched": "{words}; not asked about: {categories}",
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
    makers={"embedded": "intégré", "extractive": "extraits"},
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
        "failed": "Écarté\N{NO-BREAK SPACE}: n’a pas pu être lu",
        "outside_window": "Écarté\N{NO-BREAK SPACE}: trop ancien pour la demande",
        "over_budget": "Écarté\N{NO-BREAK SPACE}: pas regardé cette fois",
        "no_identity": "Écarté\N{NO-BREAK SPACE}: son adresse n’en est pas une",
    },
    phrases={
        "title": "Synthèse du {day}",
        "its_words": "ses mots\N{NO-BREAK SPACE}: {words}",
        "whole_text": "son texte dans l’ensemble",
        "unclassified": "n’entre dans aucune catégorie",
        "over_quota": "{category} est au complet",
        "same_story": "la même histoire que {url}",
        "same_article": "le même article que {url}",
        "history": "déjà montré",
        "diversity": "{site} était dans une des {count} dernières synthèses",
        "homepage": "une page d’accueil, pas un article",
        "over_budget": "pas regardé cette fois\N{NO-BREAK SPACE}; il passera plus tôt la prochaine fois",
        "outside_window": "publié le {day}, avant la période demandée",
        "no_identity": "son adresse n’a pas d’identité ({code})",
        "unread": "son texte n’a pas pu être lu auparavant",
        "unread_because": "n’a pas pu être lu auparavant\N{NO-BREAK SPACE}: {reason}",
        "source_failed": "{source}\N{NO-BREAK SPACE}: {reason}",
        "not_classified": "{name} n’a pas pu classer {count} article(s) sur {total} ({reason})",
        "not_summarised": "{name} n’a pas pu résumer {count} article(s) sur {total} ({reason})",
        "search_failed": "la recherche sur le web a échoué\N{NO-BREAK SPACE}: {reason}",
        "not_searched": "{words}\N{NO-BREAK SPACE}; sans recherche pour\N{NO-BREAK SPACE}: {categories}",
    },
)


def labels(language: str) -> Labels:
    """The words of a language that the settings allow; English for any other."""
    return FRENCH if language == "fr" else ENGLISH
