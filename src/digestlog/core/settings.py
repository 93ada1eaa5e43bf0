"""A user's settings: what each means, which values it may have, and its label in English and French."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from digestlog.errors import ConfigError

LANGUAGES = ("en", "fr")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")

Value = int | str


@dataclass(frozen=True, slots=True)
class Settings:
    """A user's settings; what a user never set has the value given here."""

    article_history_days: int = 90
    source_diversity_window: int = 0
    max_items_per_category: int = 5
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Words:
    """The same in each of the languages."""

    en: str
    fr: str

    def of(self, language: str) -> str:
        """The words in a language; English for one that is not there."""
        return self.fr if language == "fr" else self.en


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: a whole number between two others, or one of several words."""

    name: str
    label: Words
    meaning: Words
    allowed: range | tuple[str, ...]

    @property
    def default(self) -> Value:
        """The value of a user who set none."""
        value: Value = getattr(Settings(), self.name)
        return value

    @property
    def shown_allowed(self) -> str:
        """The allowed values, for people: `0 to 365`, `en, fr`."""
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]} to {self.allowed[-1]}"
        return ", ".join(self.allowed)

    def read(self, text: str) -> Value:
        """The value that a person typed; ConfigError if the setting cannot have it."""
        text = text.strip()
        if isinstance(self.allowed, range) and _WHOLE_NUMBER.fullmatch(text):
            return self.check(int(text))
        return self.check(text.lower())

    def check(self, value: Value) -> Value:
        """The value; ConfigError if the setting cannot have it."""
        kind = int if isinstance(self.allowed, range) else str
        # By its exact type: True is an int too, but no number of days.
        if type(value) is not kind or value not in self.allowed:
            raise ConfigError(f"{self.name} cannot be {str(value)[:40]!r}", f"allowed: {self.shown_allowed}")
        return value


SETTINGS = (
    Setting(
        "article_history_days",
        Words("Article history (days)", "Historique des articles (jours)"),
        Words(
            "for so many days an article does not come back; 0: no history",
            "pendant ce nombre de jours, un article ne revient pas ; 0 : pas d’historique",
        ),
        range(0, 366),
    ),
    Setting(
        "source_diversity_window",
        Words("Source diversity (digests)", "Diversité des sources (synthèses)"),
        Words(
            "a site that was in one of the latest so many digests waits; 0: sites may repeat",
            "un site présent dans une des dernières synthèses attend ; 0 : les sites peuvent revenir",
        ),
        range(0, 101),
    ),
    Setting(
        "max_items_per_category",
        Words("Articles per category (at most)", "Articles par catégorie (au plus)"),
        Words(
            "how many articles a digest has in each category, at most",
            "combien d’articles une synthèse contient dans chaque catégorie, au plus",
        ),
        range(1, 101),
    ),
    Setting(
        "language",
        Words("Language", "Langue"),
        Words(
            "the language of labels and digests: English (en) or French (fr)",
            "la langue des libellés et des synthèses : anglais (en) ou français (fr)",
        ),
        LANGUAGES,
    ),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}


def setting(name: str) -> Setting:
    """The setting with this name, written with _ or -; ConfigError if there is none."""
    found = _BY_NAME.get(name.strip().lower().replace("-", "_"))
    if found is None:
        raise ConfigError(f"there is no setting {name[:40]!r}", f"known: {', '.join(_BY_NAME)}")
    return found


def checked(settings: Settings) -> Settings:
    """The settings; ConfigError if one has a value that it cannot have."""
    for field in fields(settings):
        _BY_NAME[field.name].check(getattr(settings, field.name))
    return settings
