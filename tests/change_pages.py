# ruff: noqa: E501 - markup is not wrapped
"""Pages of many kinds for streams of checks: what they say, and what can really change in them.

A page is made of blocks; a `Skin` turns them into markup, with telling tags and names or as nested boxes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from random import Random

SENTENCES = {
    "en": (
        "The regional authority said that the plan will be carried out in three stages over the coming years.",
        "Officials told reporters that the first vehicles had already been delivered to the depot in spring.",
        "According to the budget, a third of the total covers infrastructure and upgrades to the local grid.",
        "Passenger groups welcomed the announcement but asked for guarantees about frequency and fares.",
        "Researchers at the university estimate that the change will reduce emissions by about a quarter.",
        "A spokesperson declined to comment on the contract, which is still under review by the auditors.",
        "The main compartment opens from the top and from the side, which makes packing considerably easier.",
        "Every request made with a key counts toward the limit of the plan that the key belongs to.",
        "Residents may submit written statements to the office until the end of the consultation period.",
        "The committee meets twice a year and publishes its minutes after they have been approved.",
        "Installation takes about ten minutes and does not require administrator rights on most systems.",
        "We keep personal data only for as long as it is necessary for the purposes described above.",
    ),
    "de": (
        "Die Behörde erklärte, dass der Plan in den kommenden Jahren in drei Stufen umgesetzt wird.",
        "Nach Angaben des Vereins sind die ersten Fahrzeuge bereits im Frühjahr ausgeliefert worden.",
        "Ein Drittel der Kosten entfällt auf die Infrastruktur und den Ausbau des örtlichen Stromnetzes.",
        "Fahrgastverbände begrüßten die Ankündigung, forderten aber Zusagen zu Takt und Fahrpreisen.",
        "Der Rucksack besteht aus wiederverwertetem Nylon und hat einen abnehmbaren Hüftgurt.",
        "Anwohner können bis zum Ende der Frist schriftliche Stellungnahmen beim Amt einreichen.",
        "Die Montage dauert etwa zehn Minuten und gelingt ohne besonderes Werkzeug.",
    ),
    "fr": (
        "La préfecture a indiqué que le projet serait réalisé en trois étapes au cours des prochaines années.",
        "Selon les responsables, les premiers véhicules ont déjà été livrés au dépôt au printemps.",
        "Un tiers du budget est consacré aux infrastructures et au renforcement du réseau électrique.",
        "Les associations d'usagers saluent l'annonce mais demandent des garanties sur la fréquence.",
        "Les habitants peuvent déposer leurs observations par écrit auprès du secrétariat de la mairie.",
        "Le comité se réunit deux fois par an et publie ses comptes rendus après approbation.",
    ),
    "ja": (
        "県は、今後数年間にわたり三段階で計画を実施すると発表した。",
        "担当者によると、最初の車両は春にすでに車庫へ納入されたという。",
        "総費用の三分の一は設備と地域の送電網の増強に充てられる。",
        "利用者団体は発表を歓迎し、運行本数の維持を求めている。",
        "住民は意見募集期間の終わりまで書面で意見を提出できる。",
    ),
}


@dataclass
class Skin:
    """How blocks become markup: `soup` has boxes with generated names only, other ones for each build."""

    soup: bool = False
    build: str = "1"

    def block(self, name: str, inner: str, tag: str = "div") -> str:
        """A block with a name."""
        if not self.soup:
            return f'<{tag} class="{name}">{inner}</{tag}>'
        kept = tag if tag in ("h1", "h2", "h3", "p", "ul", "li", "table", "tr", "td", "th", "a") else "div"
        made = hashlib.md5(f"{name}{self.build}".encode()).hexdigest()[:6]
        return f'<{kept} class="css-{made} sc-{made[:3]}">{inner}</{kept}>'

    def p(self, text: str) -> str:
        """A paragraph."""
        return self.block("text", escape(text), "div" if self.soup else "p")

    def link(self, text: str, href: str) -> str:
        """A link."""
        return f'<a href="{escape(href)}">{escape(text)}</a>'

    def items(self, name: str, items: list[str]) -> str:
        """A list of things that are markup already."""
        return self.block(name, "".join(self.block("item", one, "li") for one in items), "ul")

    def table(self, head: list[str], rows: list[list[str]]) -> str:
        """A table of data."""
        top = "<tr>" + "".join(f"<th>{escape(one)}</th>" for one in head) + "</tr>"
        body = "".join("<tr>" + "".join(f"<td>{escape(one)}</td>" for one in row) + "</tr>" for row in rows)
        return f"<table><thead>{top}</thead><tbody>{body}</tbody></table>"


@dataclass
class Page:
    """What a page says now; a real change edits it."""

    title: str
    h1: str
    lang: str = "en"
    # Names of blocks and their contents, in page order.
    blocks: dict[str, object] = field(default_factory=dict)
    head: str = ""


Real = tuple[str, Callable[[Page, Random], None], frozenset[str]]


def sentences(random: Random, count: int, lang: str = "en") -> list[str]:
    """Paragraphs of one or two sentences each, all different."""
    pool = list(SENTENCES[lang])
    random.shuffle(pool)
    return [
        pool[at % len(pool)] + (" " + pool[(at + 5) % len(pool)] if at % 2 else "") for at in range(count)
    ]


def _kinds(*names: str) -> frozenset[str]:
    return frozenset(names)


def edit_title(page: Page, random: Random) -> None:
    """Another headline."""
    page.h1 += " delayed to 2028" if page.lang == "en" else " 2028"
    page.title = page.h1 + " | Example"


def add_paragraph(page: Page, random: Random) -> None:
    """A new paragraph among the others."""
    texts: list[str] = page.blocks["text"]  # type: ignore[assignment]
    new = {
        "en": "On Wednesday evening it was added that a second connection to the grid will be needed.",
        "de": "Am Mittwochabend wurde ergänzt, dass ein zweiter Netzanschluss nötig sein wird.",
        "fr": "Mercredi soir, il a été précisé qu'un second raccordement au réseau serait nécessaire.",
        "ja": "水曜日の夜、第二の送電網接続が必要になると追加で発表された。",
    }[page.lang]
    texts.insert(random.randint(1, len(texts)), new)


def remove_paragraph(page: Page, random: Random) -> None:
    """One paragraph less."""
    texts: list[str] = page.blocks["text"]  # type: ignore[assignment]
    texts.pop(random.randint(0, len(texts) - 1))


def edit_number(page: Page, random: Random) -> None:
    """One number in a sentence."""
    texts: list[str] = page.blocks["text"]  # type: ignore[assignment]
    texts[-1] = texts[-1].replace("30", "14")


def edit_date(page: Page, random: Random) -> None:
    """The date of a deadline."""
    texts: list[str] = page.blocks["text"]  # type: ignore[assignment]
    texts[0] = (
        texts[0]
        .replace("15 March 2026", "22 March 2026")
        .replace("15. März", "22. März")
        .replace("15 mars", "22 mars")
        .replace("3月15日", "3月22日")
    )


def add_item(page: Page, random: Random) -> None:
    """One more card in the list."""
    items: list[tuple[str, str]] = page.blocks["cards"]  # type: ignore[assignment]
    items.insert(random.randint(0, len(items)), ("Hydraulic workshop manager", "Oslo, full time, €61.00"))


def remove_item(page: Page, random: Random) -> None:
    """One card less."""
    items: list[tuple[str, str]] = page.blocks["cards"]  # type: ignore[assignment]
    items.pop(random.randint(0, len(items) - 1))


def edit_cell(page: Page, random: Random) -> None:
    """One cell of the table."""
    head, rows = page.blocks["table"]  # type: ignore[misc]
    rows[random.randint(0, len(rows) - 1)][random.randint(1, len(head) - 1)] = "75"


def add_row(page: Page, random: Random) -> None:
    """One row more."""
    head, rows = page.blocks["table"]  # type: ignore[misc]
    rows.insert(random.randint(0, len(rows)), ["Enterprise", *["9000"] * (len(head) - 1)])


def edit_price(page: Page, random: Random) -> None:
    """What the thing costs, seen and told to machines."""
    page.blocks["price"] = "44.50"


def edit_stock(page: Page, random: Random) -> None:
    """No longer there."""
    page.blocks["stock"] = False


def edit_version(page: Page, random: Random) -> None:
    """A new version, in a line and in a command."""
    page.blocks["version"] = "2.4.0"


def edit_download(page: Page, random: Random) -> None:
    """The same words lead to another file."""
    page.blocks["download"] = "/files/tool-2.4.0.zip"


def edit_status(page: Page, random: Random) -> None:
    """A component fails."""
    states: list[list[str]] = page.blocks["states"]  # type: ignore[assignment]
    states[random.randint(0, len(states) - 1)][1] = "Major outage"


TEXT_REAL: tuple[Real, ...] = (
    ("paragraph added", add_paragraph, _kinds("text_added")),
    ("paragraph removed", remove_paragraph, _kinds("text_removed")),
    ("title", edit_title, _kinds("title")),
)
NUMBER: Real = ("number in a sentence", edit_number, _kinds("text_changed", "price"))
DATE: Real = ("date of a deadline", edit_date, _kinds("text_changed"))
CARDS: tuple[Real, ...] = (
    ("card added", add_item, _kinds("text_added")),
    ("card removed", remove_item, _kinds("text_removed")),
)
TABLES: tuple[Real, ...] = (
    ("table cell", edit_cell, _kinds("table")),
    ("table row added", add_row, _kinds("table")),
)
SHOP: tuple[Real, ...] = (
    ("price", edit_price, _kinds("price")),
    ("availability", edit_stock, _kinds("availability")),
)
TOOL: tuple[Real, ...] = (
    ("version", edit_version, _kinds("text_changed")),
    ("download target", edit_download, _kinds("link")),
)
STATES: tuple[Real, ...] = (("status", edit_status, _kinds("status")),)

WORDS = {
    "en": {
        "in": "In stock, ships within two working days",
        "out": "Sold out, expected back in May",
        "desc": "Description",
    },
    "de": {
        "in": "Auf Lager, Lieferung in zwei Werktagen",
        "out": "Derzeit ausverkauft",
        "desc": "Beschreibung",
    },
    "fr": {"in": "En stock, expédié sous deux jours", "out": "Rupture de stock", "desc": "Description"},
    "ja": {"in": "在庫あり", "out": "在庫切れ", "desc": "商品説明"},
}
NAMES = {
    "en": "Trailhead 28L Backpack",
    "de": "Rucksack Waldweg 28 l",
    "fr": "Sac à dos Sentier 28 l",
    "ja": "登山用バックパック 28L",
}
HEADS = {
    "en": "Bus fleet to be replaced",
    "de": "Busflotte wird ersetzt",
    "fr": "Les bus seront remplacés",
    "ja": "バス車両を更新へ",
}
DEADLINES = {
    "en": "Submissions close on 15 March 2026; late entries cannot be considered.",
    "de": "Einsendeschluss ist der 15. März 2026; spätere Beiträge werden nicht berücksichtigt.",
    "fr": "La date limite est fixée au 15 mars 2026; passé ce délai, rien ne sera accepté.",
    "ja": "応募の締め切りは2026年3月15日です。",
}


def shop(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """A product with a price, for readers and, mostly, for machines."""
    page = Page(NAMES[lang] + " | Example", NAMES[lang], lang)
    page.blocks = {
        "price": "49.00",
        "stock": True,
        "told": random.choice(("json-ld", "microdata", "none")),
        "text": sentences(random, 3, lang),
    }
    return page, (*SHOP, TEXT_REAL[0], TEXT_REAL[2])


def article(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """A news article."""
    page = Page(HEADS[lang] + " | Example", HEADS[lang], lang)
    page.blocks = {"text": sentences(random, 6, lang)}
    return page, TEXT_REAL


def listing(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """Cards: jobs, products, results."""
    page = Page("Open positions", "Open positions", lang)
    names = [
        "Data engineer",
        "Site reliability engineer",
        "Technical writer",
        "Account manager",
        "Office administrator",
        "Payroll clerk",
        "Line cook",
    ]
    random.shuffle(names)
    towns = ["Lyon, permanent", "Berlin, part time", "Remote, permanent", "Madrid, fixed term"]
    page.blocks = {"cards": [(name, random.choice(towns)) for name in names[: random.randint(4, 7)]]}
    return page, CARDS


def docs(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """Documentation or a release page of a tool."""
    page = Page("Exampletool documentation", "Exampletool", lang)
    page.blocks = {
        "version": "2.3.1",
        "download": "/files/tool-2.3.1.zip",
        "text": sentences(random, 4, lang),
    }
    return page, (*TOOL, TEXT_REAL[0], TEXT_REAL[1])


def pricing(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """Plans in a table."""
    page = Page("Plans and limits", "Plans and limits", lang)
    rows = [
        ["Free", "20", "0", "1"],
        ["Starter", "120", "19", "5"],
        ["Team", "600", "99", "25"],
        ["Business", "3000", "499", "100"],
    ]
    page.blocks = {
        "text": sentences(random, 2, lang),
        "table": (["Plan", "Requests per minute", "Monthly price", "Seats"], rows),
    }
    return page, TABLES


def terms(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """Terms of use, where one number matters."""
    page = Page("Terms of use", "Terms of use", lang)
    page.blocks = {
        "text": [
            *sentences(random, 7, lang),
            "Refunds are granted when the request reaches us within 30 days after the payment was made.",
        ]
    }
    return page, (NUMBER, TEXT_REAL[0], TEXT_REAL[1])


def notice(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """A public notice with a deadline."""
    page = Page("Call for papers", "Call for papers", lang)
    page.blocks = {"text": [DEADLINES[lang], *sentences(random, 3, lang)]}
    return page, (DATE, TEXT_REAL[0], TEXT_REAL[2])


def status(random: Random, lang: str) -> tuple[Page, tuple[Real, ...]]:
    """The state of a service's components."""
    page = Page("Example status", "Example status", lang)
    page.blocks = {
        "states": [[name, "Operational"] for name in ("API", "Dashboard", "Webhooks", "Billing", "Search")]
    }
    return page, STATES


TEMPLATES = (shop, article, listing, docs, pricing, terms, notice, status)


def main_markup(
    page: Page, skin: Skin, between: Callable[[int], str], in_list: Callable[[], list[str]], beside_price: str
) -> str:
    """The page's own content; `between` and `in_list` put noise in the middle of it."""
    out = [skin.block("headline", escape(page.h1), "h1")]
    blocks = page.blocks
    if "price" in blocks:
        words = WORDS[page.lang]
        said = f"&euro;{blocks['price']}"
        marked = (
            f'<span itemprop="price" content="{blocks["price"]}">{said}</span>'
            if blocks["told"] == "microdata"
            else f"<span>{said}</span>"
        )
        inner = skin.block("price", f"{marked}{beside_price}") + skin.block(
            "stock", words["in"] if blocks["stock"] else words["out"], "p"
        )
        out.append(skin.block("buybox", inner + skin.block("buy", "<button>OK</button>")))
        out.append(skin.block("heading", words["desc"], "h2"))
    if "version" in blocks:
        out.append(skin.block("version", f"Version {blocks['version']}"))
        out.append(skin.block("get", skin.link("Download archive", str(blocks["download"]))))
        out.append(f"<pre><code>pip install exampletool=={blocks['version']}</code></pre>")
    if "states" in blocks:
        rows = [f"<span>{name}</span> <span>{state}</span>" for name, state in blocks["states"]]  # type: ignore[attr-defined]
        out.append(skin.items("components", rows))
    if "cards" in blocks:
        cards = [_card(skin, name, meta) for name, meta in blocks["cards"]]  # type: ignore[attr-defined]
        more = in_list()
        for at, one in enumerate(more):
            cards.insert((at * 3 + 1) % (len(cards) + 1), one)
        out.append(skin.block("cards", "".join(cards)))
    texts: list[str] = blocks.get("text", [])  # type: ignore[assignment]
    for at, text in enumerate(texts):
        out.append(skin.p(text) + between(at))
    if "table" in blocks:
        head, rows = blocks["table"]  # type: ignore[misc]
        out.append(skin.table(head, rows))
    return "".join(out)


def _card(skin: Skin, name: str, meta: str) -> str:
    href = "/c/" + name.lower().replace(" ", "-")
    return skin.block(
        "card", skin.block("name", skin.link(name, href), "h3") + skin.block("meta", escape(meta))
    )


def machine_head(page: Page) -> str:
    """What the page tells machines."""
    if page.blocks.get("told") != "json-ld":
        return ""
    stock = "https://schema.org/" + ("InStock" if page.blocks["stock"] else "OutOfStock")
    offer = {"@type": "Offer", "price": page.blocks["price"], "priceCurrency": "EUR", "availability": stock}
    value = {"@context": "https://schema.org", "@type": "Product", "name": page.h1, "offers": offer}
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'
