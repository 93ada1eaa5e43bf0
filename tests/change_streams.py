# ruff: noqa: E501 - markup is not wrapped
"""Streams of checks: noise at each look, one real change at a known one; and how often the detector errs.

PYTHONPATH=src python tests/change_streams.py    prints the figures of docs/changes.md
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from random import Random

from change_pages import TEMPLATES, Page, Real, Skin, machine_head, main_markup

from digestlog.core.changes import Memory, compare, remember
from digestlog.core.snapshot import Snapshot, read_page

STORIES = (
    "Museum opens new wing after long delay",
    "Ten walks for a rainy weekend",
    "School canteens switch to local farms",
    "Council votes on parking fees",
    "Old mill to become a library",
    "Ferry timetable thinned out for winter",
    "Rare owl nests in the clock tower",
    "Bakery chain closes three branches",
)
PRODUCTS = (
    "Rain jacket Fjell",
    "Bottle 0.75 l",
    "Head torch Lumen",
    "Dry bag set",
    "Wool socks",
    "Trekking poles",
    "Gas stove Mini",
    "Map case",
)
ADS = (
    "Save 20% on running shoes this week",
    "New phones from 299 at MegaMobile",
    "Refinance today with Acme Bank",
    "Learn to code in twelve weeks",
    "Fly to Lisbon from 39 euro",
    "The mattress that changed everything",
)
QUOTES = (
    "Slow is smooth and smooth is fast.",
    "Measure twice, cut once.",
    "Well begun is half done.",
    "Haste makes waste.",
    "Make hay while the sun shines.",
)
PROMOS = (
    "Free delivery on orders over 60 euro",
    "Join our club and get 5 euro off",
    "Summer sale: up to 40% off",
    "Download our app",
)
AGES = {"en": "{} hours ago", "de": "vor {} Stunden", "fr": "il y a {} heures", "ja": "{}時間前"}
RELATED = {"en": "Most read", "de": "Meistgelesen", "fr": "Les plus lus", "ja": "おすすめ記事"}


@dataclass
class Slots:
    """Where noise goes."""

    head: str = ""
    top: str = ""
    byline: str = ""
    beside_price: str = ""
    after_main: str = ""
    aside: str = ""
    footer: str = ""
    between: dict[int, str] = field(default_factory=dict)
    cards: list[str] = field(default_factory=list)
    shuffle: bool = False
    query: str = ""
    build: str = "1"


Noise = Callable[[Slots, Random, Skin, str, int], None]


def ads(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A labelled advertisement in the text and one beside it."""
    for at in (1, 2):
        said = random.choice(ADS)
        ad = skin.block(
            "slot",
            f'<span>Advertisement</span> <a href="https://ads.example.net/c?id={random.random()}">{said}</a>',
        )
        if at == 1:
            slots.between[1] = slots.between.get(1, "") + ad
        else:
            slots.aside += ad


def bare_ads(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """An advertisement in the text that does not say so."""
    slots.between[0] = slots.between.get(0, "") + skin.block(
        "teaser", skin.link(random.choice(ADS), f"/out/{random.randint(1, 9999)}")
    )


def most_read(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A list of other articles, three of eight."""
    items = [skin.link(said, f"/n/{at}") for at, said in enumerate(random.sample(STORIES, 3))]
    slots.aside += skin.block(
        "module", skin.block("title", RELATED[lang], "h3") + skin.items("list", items), "section"
    )


def unnamed_list(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """The same without a heading that tells, after the text."""
    items = [skin.link(said, f"/n/{STORIES.index(said)}") for said in random.sample(STORIES, 3)]
    slots.after_main += skin.block("strip", skin.items("tiles", items))


def carousel(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """Products with prices inside the main part, under a heading of no known words."""
    chosen = random.sample(PRODUCTS, 3)
    items = [
        f"{skin.link(one, f'/p/{PRODUCTS.index(one)}')} <span>&euro;{14 + 5 * PRODUCTS.index(one)}.00</span>"
        for one in chosen
    ]
    slots.after_main += skin.block(
        "rail", skin.block("title", "Gear up", "h2") + skin.items("rail-items", items), "section"
    )


def ages(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """How long ago it was published."""
    slots.byline += skin.block("byline", "Dana Whitfield · " + AGES[lang].format(2 + look))


def clock(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """The time of day in the header and when the page was made."""
    hour, minute = (7 + look) % 24, random.randint(0, 59)
    slots.top += skin.block("clock", f"Thursday, 12 March 2026 {hour:02}:{minute:02}")
    slots.footer += skin.block(
        "made",
        f"Page generated 2026-03-12 {hour:02}:{minute:02}:{random.randint(0, 59):02} UTC in 0.0{random.randint(11, 99)} s",
        "p",
    )


def counters(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """Views, likes and comments that grow."""
    words = {
        "en": "{} views · {} likes · {} comments",
        "de": "{} Aufrufe · {} Kommentare",
        "fr": "{} vues · {} commentaires",
        "ja": "{}回視聴",
    }[lang]
    slots.byline += skin.block(
        "meta", words.format(1204 + 37 * look, 35 + look, 12 + random.randint(0, 4) + look)
    )


def odd_counter(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A counter in words that no list knows."""
    slots.footer += skin.block("fans", f"{random.randint(100, 999)} hikers cheered for us this week", "p")


def viewers(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """How many look at it, on the line of the price."""
    slots.beside_price += f" · {random.randint(20, 400)} people are looking"


def odd_viewers(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """The same in words that no list knows."""
    slots.beside_price += f" · {random.randint(20, 400)} carts hold it"


def tokens(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """Tokens in the head, in a form and in a script."""
    token = f"{random.getrandbits(64):x}"
    slots.head += (
        f'<meta name="csrf-token" content="{token}"><script nonce="{token}">window.__s="{token}"</script>'
    )
    slots.after_main += f'<form><input type="hidden" name="csrf" value="{token}"><button>Send</button></form>'


def sessions(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A session in every link, and files named by their content."""
    slots.query = f"?sid={random.getrandbits(80):x}&utm_source=x{look}"
    slots.head += f'<link rel="stylesheet" href="/a.{random.getrandbits(32):08x}.css">'


def builds(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """Other generated class names with each look."""
    slots.build = str(look)


def shuffled(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """Cards in another order."""
    slots.shuffle = True


def consent(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A cookie banner that comes and goes."""
    if random.random() < 0.5:
        said = (
            "We use cookies to improve your experience, to analyse traffic and to show personalised content."
        )
        slots.top += skin.block(
            "overlay", skin.p(said) + "<button>Accept all</button><button>Reject all</button>"
        )


def promo(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A bar above the header, sometimes none."""
    if random.random() < 0.8:
        slots.top += skin.block("bar", random.choice(PROMOS))


def greeting(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A greeting by the hour."""
    slots.top += skin.block(
        "hello",
        random.choice(("Good morning", "Good afternoon", "Good evening")) + "! " + random.choice(PROMOS),
    )


def quote(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A quotation in the footer."""
    slots.footer += skin.block("quote", f"“{random.choice(QUOTES)}”", "p")


def sponsored_card(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """A card among the cards that is another one each time."""
    name = random.choice(PRODUCTS)
    slots.cards.append(
        skin.block(
            "card", skin.block("name", skin.link(name, "/s"), "h3") + skin.block("meta", random.choice(ADS))
        )
    )


def year(slots: Slots, random: Random, skin: Skin, lang: str, look: int) -> None:
    """The year of a copyright, which turns."""
    slots.footer += skin.block("legal", f"© {2025 + look % 2} Example Corp.", "p")


NOISES: tuple[Noise, ...] = (
    ads,
    bare_ads,
    most_read,
    unnamed_list,
    carousel,
    ages,
    clock,
    counters,
    odd_counter,
    viewers,
    odd_viewers,
    tokens,
    sessions,
    builds,
    shuffled,
    consent,
    promo,
    greeting,
    quote,
    sponsored_card,
    year,
)
NAV = ("Home", "News", "Products", "Docs", "About us", "Log in")


@dataclass
class Stream:
    """A page, its noise and its real change; `look(k)` is what the k-th check gets."""

    seed: int
    page: Page
    noises: tuple[Noise, ...]
    real: Real
    change_at: int
    looks: int
    soup: bool
    render: Callable[[Page, Slots, Skin], str] | None = None

    def look(self, at: int) -> bytes:
        """The page's bytes at a check."""
        page = copy.deepcopy(self.page)
        if at >= self.change_at:
            self.real[1](page, Random(self.seed))
        random = Random(self.seed * 1000 + at)
        slots = Slots()
        skin = Skin(self.soup, slots.build)
        for noise in self.noises:
            noise(slots, random, skin, page.lang, at)
            skin.build = slots.build
        if slots.shuffle and "cards" in page.blocks:
            random.shuffle(page.blocks["cards"])  # type: ignore[arg-type]
        return (self.render or markup)(page, slots, skin).encode()


def markup(page: Page, slots: Slots, skin: Skin) -> str:
    """The whole page."""
    nav = " ".join(skin.link(one, f"/{one.lower().replace(' ', '-')}{slots.query}") for one in NAV)
    main = main_markup(
        page, skin, lambda at: slots.between.get(at, ""), lambda: slots.cards, slots.beside_price
    )
    body = slots.byline + main + (slots.after_main if not skin.soup else "")
    tags = ("div", "div", "div", "div") if skin.soup else ("header", "main", "aside", "footer")
    parts = [
        slots.top,
        skin.block("site-head", skin.block("menu", nav, "div" if skin.soup else "nav"), tags[0]),
        skin.block("content", body, tags[1]) + (slots.after_main if skin.soup else ""),
        skin.block("side", slots.aside, tags[2]) if slots.aside else "",
        skin.block("site-foot", slots.footer + "<p>Imprint Privacy Terms</p>", tags[3]),
    ]
    inner = skin.block("root", "".join(parts)) if skin.soup else "".join(parts)
    head = f"<title>{escape(page.title)}</title>{machine_head(page)}{slots.head}"
    return f'<!doctype html><html lang="{page.lang}"><head><meta charset="utf-8">{head}</head><body>{inner}</body></html>'


def stream(
    seed: int, templates: tuple[Callable[..., tuple[Page, tuple[Real, ...]]], ...] = TEMPLATES
) -> Stream:
    """A stream of the seed's making."""
    random = Random(seed)
    lang = random.choice(("en", "en", "en", "de", "fr", "ja"))
    page, reals = random.choice(templates)(random, lang)
    noises = tuple(random.sample(NOISES, random.randint(2, 6)))
    change_at = random.choice((5, 6, 7, 9, 12, 15))
    return Stream(seed, page, noises, random.choice(reals), change_at, change_at + 3, random.random() < 0.4)


@dataclass
class Score:
    """What came of a set of streams."""

    checks: int = 0
    false: int = 0
    missed: list[str] = field(default_factory=list)
    wrong_kind: list[str] = field(default_factory=list)
    real: int = 0
    by_noise: Counter[str] = field(default_factory=Counter)
    by_noise_checks: Counter[str] = field(default_factory=Counter)
    by_real: Counter[str] = field(default_factory=Counter)
    missed_by_real: Counter[str] = field(default_factory=Counter)
    alarms: list[str] = field(default_factory=list)


def events(one: Stream) -> Iterator[tuple[int, list[tuple[str, str, str]]]]:
    """The told events of each check: kind, before, after."""
    before: Snapshot | None = None
    memory = Memory()
    for at in range(one.looks):
        after = read_page(one.look(at), "https://example.com/page", "utf-8")
        if before is None:
            memory = remember(after)
        else:
            found = compare(before, after, Memory.from_json(memory.to_json()))
            memory = found.memory
            yield (
                at,
                [(c.kind, c.before or "", c.after or "") for c in found.changes if c.state != "volatile"],
            )
        before = after


def score(streams: Iterable[Stream]) -> Score:
    """How the detector does: false alerts after 4 checks, real changes missed."""
    total = Score()
    for one in streams:
        name, _, kinds = one.real
        total.real += 1
        total.by_real[name] += 1
        for at, told in events(one):
            if at == one.change_at:
                _judge_real(total, one, told)
            elif at > 4:
                total.checks += 1
                for noise in one.noises:
                    total.by_noise_checks[noise.__name__] += 1
                    total.by_noise[noise.__name__] += bool(told)
                total.false += bool(told)
                total.alarms += [f"{one.seed}@{at} {told}"] if told else []
    return total


def _judge_real(total: Score, one: Stream, told: list[tuple[str, str, str]]) -> None:
    name, _, kinds = one.real
    where = (
        f"{one.seed}@{one.change_at} {name} soup={one.soup} {[noise.__name__ for noise in one.noises]} {told}"
    )
    if not told:
        total.missed.append(where)
        total.missed_by_real[name] += 1
    elif not kinds & {kind for kind, _, _ in told}:
        total.wrong_kind.append(where)


def report(total: Score) -> str:
    """The figures as a table."""
    rate = 100 * total.false / max(1, total.checks)
    rows = [f"false alerts after 4 checks: {total.false} of {total.checks} ({rate:.2f} %)"]
    rows.append(
        f"real changes missed: {len(total.missed)} of {total.real}; of another kind: {len(total.wrong_kind)}"
    )
    for name, checks in sorted(total.by_noise_checks.items()):
        rows.append(f"  {name:16} {total.by_noise[name]:4} alerts on {checks:5} checks with it")
    for name, count in sorted(total.by_real.items()):
        rows.append(f"  {name:22} {total.missed_by_real[name]:3} missed of {count:4}")
    return "\n".join(rows)


def hard_rows(
    hards: Iterable[tuple[str, frozenset[str], Callable[[Random, int, bool], str]]], seeds: int
) -> Iterator[str]:
    """A row of figures for each stream made by hand."""
    for name, kinds, page in hards:
        false = checks = missed = 0
        for seed in range(seeds):
            change_at = (5, 7, 10, 14)[seed % 4]
            made = _Made(name, page, seed, change_at)
            for at, told in events(made):  # type: ignore[arg-type]
                if at == change_at:
                    missed += not kinds & {kind for kind, _, _ in told}
                elif at > 4:
                    checks += 1
                    false += bool(told)
        yield f"  {name:20} {false:4} alerts on {checks:5} checks, {missed} missed of {seeds}"


@dataclass
class _Made:
    name: str
    page: Callable[[Random, int, bool], str]
    seed: int
    change_at: int
    looks: int = 24

    def look(self, at: int) -> bytes:
        return self.page(Random(f"{self.name}{self.seed}{at}"), at, at >= self.change_at).encode()


def main() -> None:
    """Print the figures of docs/changes.md."""
    from change_hard import HARD
    from change_held_out import HELD_OUT
    from change_second_sight import SECOND_SIGHT

    print(report(score(stream(seed) for seed in range(9000, 9600))))
    for name, hards in (("made by hand", HARD), ("other sites", HELD_OUT), ("second sight", SECOND_SIGHT)):
        print(name, *hard_rows(hards, 24), sep="\n")


if __name__ == "__main__":
    main()
