"""What the screens of the ledger say: today, digests, articles, sources, trends."""

from __future__ import annotations

ENGLISH: dict[str, str] = {}

FRENCH: dict[str, str] = {}
