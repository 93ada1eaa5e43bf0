"""What the screens of the library and the settings say: dashboard, brand, page, change, submit, review."""

from __future__ import annotations

ENGLISH = {
    "nav.dashboard": "Dashboard",
}

FRENCH = {
    "nav.dashboard": "Tableau de bord",
}
