"""The words around changes, in English and French."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digestlog.core.change_rows import KINDS


@dataclass(frozen=True, slots=True)
class ChangeLabels:
    """The words of one language. `changes` and `pages` hold one and many, `singular` what counts as one."""

    language: str
    title: str
    changes: tuple[str, str]
    pages: tuple[str, str]
    singular: tuple[int, ...]
    on: str
    since: str
    no_brand: str
    more: str
    nothing: str
    kinds: Mapping[str, str]
    states: Mapping[str, str]

    def count(self, number: int, words: tuple[str, str]) -> str:
        """`1 change`, `2 changes`."""
        return f"{number} {words[0] if number in self.singular else words[1]}"

    def what(self, kind: str, state: str) -> str:
        """The kind of a change, and its state where that is not simply real."""
        kind = self.kinds.get(kind, kind)
        return kind if state == "real" else f"{kind} ({self.states.get(state, state)})"


ENGLISH = ChangeLabels(
    language="en",
    title="Changes",
    changes=("change", "changes"),
    pages=("page", "pages"),
    singular=(1,),
    on="on",
    since="since",
    no_brand="Other pages",
    more="and {} more",
    nothing="Nothing has changed.",
    kinds=KINDS,
    states={"provisional": "provisional", "volatile": "volatile"},
)

FRENCH = ChangeLabels(
    language="fr",
    title="Changements",
    changes=("changement", "changements"),
    pages=("page", "pages"),
    singular=(0, 1),
    on="sur",
    since="depuis",
    no_brand="Autres pages",
    more="et {} de plus",
    nothing="Rien n’a changé.",
    kinds={
        "title": "titre changé",
        "price": "prix changé",
        "availability": "disponibilité changée",
        "text_added": "texte ajouté",
        "text_removed": "texte retiré",
        "text_changed": "texte changé",
        "table": "tableau changé",
        "link": "lien changé",
        "status": "état changé",
    },
    states={"provisional": "provisoire", "volatile": "instable"},
)


def change_labels(language: str) -> ChangeLabels:
    """The words of a language that the settings allow; English for any other."""
    return FRENCH if language == "fr" else ENGLISH
