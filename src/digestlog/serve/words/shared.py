"""What every screen says."""

from __future__ import annotations

ENGLISH = {
    "skip": "Skip to the content",
    "screens": "Screens",
    "nav.today": "Today",
    "nav.data": "Data",
    "sign_out": "Sign out",
    "data.title": "This data",
    "data.table": "Table",
    "data.json": "JSON",
    "data.csv": "CSV",
    "data.sql": "SQL",
    "times": "All times are UTC.",
    "older": "Older",
    "newest": "Newest",
    "save": "Save",
}

FRENCH = {
    "skip": "Aller au contenu",
    "screens": "Écrans",
    "nav.today": "Aujourd’hui",
    "nav.data": "Données",
    "sign_out": "Se déconnecter",
    "data.title": "Ces données",
    "data.table": "Table",
    "data.json": "JSON",
    "data.csv": "CSV",
    "data.sql": "SQL",
    "times": "Toutes les heures sont en UTC.",
    "older": "Plus anciens",
    "newest": "Les plus récents",
    "save": "Enregistrer",
}
