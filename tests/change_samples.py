"""Changes to render: a plain one, one that a hostile page wrote, one of the older tracker."""

from __future__ import annotations

from store.rows import uuid

from digestlog.core.change_rows import ChangeRow

MADE = "2026-02-13T09:02:10+00:00"
EVIL = "<script>alert(1)</script> **bold** [x](javascript:alert(1)) ~~gone~~ `code` & &lt; \x1b[31m \u202e |"

PRICE = ChangeRow(
    id=uuid(1),
    url_id=uuid(11),
    url="https://shop.example/lamp?a=1&b=2",
    canonical_url="https://shop.example/lamp?a=1&b=2",
    brand_id=uuid(21),
    brand="Shop & Co",
    detected_at="2026-02-12T14:03:12+00:00",
    updated_at="2026-02-12T14:03:12+00:00",
    kind="price",
    state="real",
    magnitude=0.1,
    before="costs 9 EUR",
    after="costs 8 EUR",
    diff=(("=", "costs"), ("-", "9"), ("+", "8"), ("=", "EUR")),
    summary="Price 9 → 8 EUR",
)
HOSTILE = ChangeRow(
    id=uuid(2),
    url_id=uuid(12),
    url="javascript:alert(1)",
    canonical_url="javascript:alert(1)",
    brand_id=uuid(22),
    brand=EVIL,
    detected_at="2026-02-12T15:00:00+00:00",
    updated_at="2026-02-13T01:00:00+00:00",
    kind="text_changed",
    state="provisional",
    magnitude=0.5,
    before=EVIL,
    after=EVIL + "\n\n# heading\n",
    diff=(("=", EVIL), ("-", EVIL), ("+", EVIL + "\n# heading\n- item"), ("=", " \n ")),
    summary=EVIL + "\n> quote",
)
OLDER = ChangeRow(
    id=uuid(3),
    url_id=uuid(11),
    url="https://shop.example/lamp?a=1&b=2",
    canonical_url="https://shop.example/lamp?a=1&b=2",
    brand_id=None,
    brand=None,
    detected_at="2026-02-11T00:00:00+00:00",
    updated_at="2026-02-11T00:00:00+00:00",
    kind="text_removed",
    state="volatile",
    magnitude=0.0,
    before="was here",
    after=None,
    diff=(),
    summary="Removed: was here",
)
