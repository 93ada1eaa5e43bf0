# ruff: noqa: E501 - lists of words are not wrapped
"""Words by which pages say what a part of them is, in several languages."""

from __future__ import annotations

import pytest

from digestlog.core.watching import vocabulary


@pytest.mark.parametrize(
    "text",
    [
        "€49.00",
        "49,00 €",
        "$1,299",
        "US$20",
        "R$ 35,90",
        "£5",
        "1'250.00 CHF",
        "129 kr",
        "2990 円",
        "¥300",
        "EUR 12",
        "45 zł",
        "12 euros",
        "₹999",
    ],
)
def test_money(text: str) -> None:
    assert vocabulary.MONEY.search(text)


@pytest.mark.parametrize("text", ["49 litres", "Room 101", "v2.3.1", "12 krill"])
def test_no_money(text: str) -> None:
    assert not vocabulary.MONEY.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "In stock",
        "Sold out",
        "Currently unavailable",
        "Pre-order now",
        "Only 3 left",
        "Auf Lager",
        "Ausverkauft",
        "Nicht lieferbar",
        "En stock",
        "Rupture de stock",
        "Épuisé",
        "Agotado",
        "Disponible",
        "Esaurito",
        "Esgotado",
        "Op voorraad",
        "Uitverkocht",
        "Slut i lager",
        "Нет в наличии",
        "在庫あり",
        "售罄",
        "품절",
    ],
)
def test_stock(text: str) -> None:
    assert vocabulary.STOCK.search(text)
    assert vocabulary.is_vital(text)


@pytest.mark.parametrize(
    "text",
    [
        "Operational",
        "All systems operational",
        "Partial outage",
        "Degraded performance",
        "Under maintenance",
        "Closed",
        "Cancelled",
        "Postponed",
        "Störung",
        "Geschlossen",
        "Abgesagt",
        "Fermé",
        "Annulé",
        "Cerrado",
        "Chiuso",
        "Закрыто",
        "正常",
        "障害",
    ],
)
def test_states(text: str) -> None:
    assert vocabulary.STATE.search(text)
    assert vocabulary.is_vital(text)


@pytest.mark.parametrize(
    "text",
    [
        "Advertisement",
        "Ad",
        "[Sponsored]",
        "Sponsored by Acme",
        "Promoted",
        "Paid partnership",
        "Anzeige",
        "Werbung",
        "Publicité",
        "Publicidad",
        "Pubblicità",
        "Advertentie",
        "Annons",
        "Реклама",
        "广告",
        "広告",
        "광고",
    ],
)
def test_labels_of_advertisements(text: str) -> None:
    assert vocabulary.ADVERT.fullmatch(text)


@pytest.mark.parametrize(
    "text", ["Advertisement for the job is out", "Adam", "Sponsored children", "Price list"]
)
def test_no_labels(text: str) -> None:
    assert not vocabulary.ADVERT.fullmatch(text)


@pytest.mark.parametrize(
    "text",
    [
        "Related articles",
        "Most read",
        "Most popular",
        "You may also like",
        "Customers also viewed",
        "Recommended for you",
        "More from this author",
        "Trending now",
        "Recently viewed",
        "Editor's picks",
        "Frequently bought together",
        "Quote of the day",
        "What our customers say",
        "Das könnte Sie auch interessieren",
        "Meistgelesen",
        "Kunden kauften auch",
        "Ähnliche Produkte",
        "Mehr zum Thema",
        "Les plus lus",
        "À lire aussi",
        "Vous aimerez aussi",
        "Lo más leído",
        "También te puede gustar",
        "Productos relacionados",
        "I più letti",
        "Potrebbe interessarti",
        "Mais lidas",
        "Leia também",
        "Meest gelezen",
        "Lees ook",
        "Mest läst",
        "Najczęściej czytane",
        "Читайте также",
        "Похожие товары",
        "En çok okunanlar",
        "相关文章",
        "猜你喜欢",
        "関連記事",
        "おすすめ商品",
        "인기 기사",
    ],
)
def test_headings_above_what_is_chosen_for_the_reader(text: str) -> None:
    assert vocabulary.CHOSEN.fullmatch(text)


@pytest.mark.parametrize(
    "text",
    [
        "Specifications",
        "Open positions",
        "Plans and limits",
        "Releases",
        "Deadlines",
        "Latest news",
        "Components",
        "Changelog",
        "Beschreibung",
        "Contact",
    ],
)
def test_headings_of_the_page_itself(text: str) -> None:
    assert not vocabulary.CHOSEN.fullmatch(text)


@pytest.mark.parametrize(
    ("attribute", "words"),
    [
        (None, ""),
        ("", ""),
        ("card product", "card.product"),
        ("product card", "card.product"),
        ("card css-1q2w sc-bdVaJa", "card"),
        ("Button_root__x7Yz2", ""),
        ("menu__item", "menu"),
        ("card active is-open", "card"),
        ("xkcd zzt", ""),
        ("a" * 40, ""),
        ("one two three", "one.three"),
    ],
)
def test_words_among_class_names(attribute: str | None, words: str) -> None:
    assert vocabulary.named(attribute) == words


def test_consent() -> None:
    assert vocabulary.is_consent("Wir verwenden Cookies")
    assert not vocabulary.is_consent("We bake biscuits")
    for text in ("Accept all", "Alle akzeptieren", "Tout accepter", "Aceptar", "同意"):
        assert vocabulary.ACCEPT.search(text)
