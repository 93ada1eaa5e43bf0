"""How often the embedded classifier is right, and how fast, on labelled texts.

    python benchmarks/bench_classify.py                         made texts in six languages
    python benchmarks/bench_classify.py --bbc FOLDER_OR_CSV     one folder a category, or category and text
    python benchmarks/bench_classify.py --ag test.csv           class number, title, description
    python benchmarks/bench_classify.py --newsgroups FILE.tab   group and text, by tabs
    python benchmarks/bench_classify.py --reuters FILE.tab      topic and text, by tabs

--half tuning|test scores every second text only, learning from all without their labels; --words N
cuts texts. Each set is tried with all its categories defined, then with each left undefined.
"""

from __future__ import annotations

import argparse
import csv
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from reuters_topics import REUTERS

from digestlog.core.categories import Category
from digestlog.core.classify import Text, classify

# A text with its true category.
Row = tuple[str, Text]

_BBC = (
    Category(
        "business",
        "Companies, markets, the economy, jobs and trade",
        tuple(
            "company profit shares market stock economy economic bank growth sales investor dollar trade"
            " inflation oil industry deal export firm euro".split()
        )
        + ("interest rate",),
    ),
    Category(
        "entertainment",
        "Film, music, television, books and celebrities",
        tuple(
            "film movie music album singer actor actress band tv show star award oscar festival theatre chart"
            " director comedy book".split()
        ),
    ),
    Category(
        "politics",
        "Government, parliament, elections, parties and ministers",
        tuple(
            "government election minister party parliament labour tory conservative vote mp president law"
            " policy campaign voter blair".split()
        )
        + ("prime minister",),
    ),
    Category(
        "sport",
        "Football, rugby, tennis, cricket, athletics, matches and players",
        tuple(
            "football match team player coach cup league rugby tennis cricket championship champion goal game"
            " season win olympic injury club".split()
        ),
    ),
    Category(
        "tech",
        "Computers, internet, software, mobile phones, games and gadgets",
        tuple(
            "technology computer software internet online mobile phone web microsoft digital broadband user"
            " video gadget virus network".split()
        ),
    ),
)
_AG = (
    Category(
        "World",
        "International affairs, wars, governments, elections and disasters",
        tuple(
            "war troops army military soldiers rebels militant killed bomb attack hostage nuclear president"
            " minister government election peace palestinian israel iraq iran un sudan police china korea"
            " pakistan russia afghanistan".split()
        )
        + ("prime minister", "united nations"),
    ),
    Category(
        "Sports",
        "Football, baseball, basketball, tennis, golf, matches, teams and players",
        tuple(
            "football baseball basketball soccer tennis golf hockey cricket game team coach player season"
            " league cup championship olympic win victory goal quarterback inning touchdown yankees".split()
        )
        + ("red sox", "world cup", "grand prix"),
    ),
    Category(
        "Business",
        "Companies, markets, the economy, jobs, oil prices and trade",
        tuple(
            "company profit shares stocks market earnings sales economy bank growth investor dollar trade"
            " inflation crude retailer merger airline quarter forecast bankruptcy".split()
        )
        + ("oil prices", "interest rates", "wall street"),
    ),
    Category(
        "Sci/Tech",
        "Computers, software, the internet, space, science and research",
        tuple(
            "technology computer software internet online web microsoft google linux apple ibm intel security"
            " virus wireless phone space nasa scientist research spacecraft browser server chip".split()
        )
        + ("search engine", "open source", "video game"),
    ),
)
_NEWSGROUPS = (
    Category(
        "computers",
        "Computers, software, graphics, windows and hardware",
        tuple(
            "computer software windows pc mac graphics drive disk program file card monitor driver".split()
        ),
    ),
    Category(
        "sport",
        "Baseball, hockey, teams, players and games",
        tuple("baseball hockey game team player season league coach score playoff goal nhl".split()),
    ),
    Category(
        "vehicles",
        "Cars, motorcycles, engines and driving",
        tuple("car bike motorcycle engine driver tire ride dealer ford honda brake".split()),
    ),
    Category(
        "politics",
        "Politics, government, guns, Israel, rights and law",
        tuple(
            "politics government gun president law israel war arab rights clinton weapon tax policy".split()
        ),
    ),
    Category(
        "religion",
        "God, religion, christianity, atheism, the bible and faith",
        tuple("god jesus bible christian church religion faith atheist belief christ".split()),
    ),
    Category(
        "space",
        "Space, NASA, orbit, rockets, moon and astronomy",
        tuple("space nasa orbit launch shuttle moon satellite rocket mission astronomy planet".split()),
    ),
    Category(
        "medicine",
        "Medicine, doctors, disease, health and patients",
        tuple("medical doctor disease patient health drug treatment medicine symptom diet pain".split()),
    ),
    Category(
        "crypto",
        "Encryption, keys, privacy, clipper chip and security",
        tuple("encryption key clipper crypto privacy nsa security secret pgp escrow".split()),
    ),
)
_GROUP_TOPICS = (
    ("comp.", "computers"),
    ("rec.sport.", "sport"),
    ("rec.", "vehicles"),
    ("talk.politics.", "politics"),
    ("talk.religion.", "religion"),
    ("soc.religion.", "religion"),
    ("alt.atheism", "religion"),
    ("sci.space", "space"),
    ("sci.med", "medicine"),
    ("sci.crypt", "crypto"),
)

# Language, words of no topic, then words of each topic: the first four define it.
_MADE_TOPICS = ("politics", "sport", "health")
_MADE = (
    (
        "the a of in and on for with after has was its that from new first said will more this",
        "election parliament minister vote | senate ballot lawmakers coalition reform cabinet deputy speech",
        "match team coach league | striker stadium referee goalkeeper penalty defender trophy kickoff",
        "hospital doctor vaccine patient | surgery nurse clinic infection fever symptom therapy dose",
    ),
    (
        "le la de des un une et dans pour avec sur qui que est a ont plus par nouveau après",
        "élection parlement ministre vote | sénat scrutin députés coalition réforme cabinet discours motion",
        "match équipe entraîneur ligue | attaquant stade arbitre gardien pénalty défenseur trophée vestiaire",
        "hôpital médecin vaccin patient | chirurgie infirmière clinique infection fièvre symptôme dose soins",
    ),
    (
        "der die das und in auf mit nach hat war für von ein eine neue mehr sich wird dem den",
        "Wahl Parlament Minister Abstimmung | Senat Stimmzettel Abgeordnete Koalition Reform Kabinett Rede",
        "Spiel Mannschaft Trainer Liga | Stürmer Stadion Schiedsrichter Torwart Elfmeter Verteidiger Pokal",
        "Krankenhaus Arzt Impfstoff Patient | Operation Pflegerin Klinik Infektion Fieber Symptom Dosis",
    ),
    (
        "и в на с по для что как это не его после был она уже также новый более из от",
        "выборы парламент министр голосование | сенат бюллетень депутат коалиция реформа кабинет речь",
        "матч команда тренер лига | нападающий стадион судья вратарь пенальти защитник трофей",
        "больница врач вакцина пациент | операция медсестра клиника инфекция лихорадка симптом доза",
    ),
    (
        "的 在 是 了 和 有 为 与 对 也 将 已 新 后 说 这 从 更 及 中",
        "选举 议会 部长 投票 | 参议院 选票 议员 联盟 改革 内阁 演讲 法案",
        "比赛 球队 教练 联赛 | 前锋 体育场 裁判 守门员 点球 后卫 奖杯 进球",
        "医院 医生 疫苗 患者 | 手术 护士 诊所 感染 发烧 症状 治疗 剂量",
    ),
    (
        "في من على إلى عن مع بعد قد هذا التي كان أن أو كما بين قبل حتى جديد أكثر هو",
        "انتخابات برلمان وزير تصويت | مجلس اقتراع نواب ائتلاف إصلاح حكومة خطاب قانون",
        "مباراة فريق مدرب دوري | مهاجم ملعب حكم حارس ركلة مدافع كأس هدف",
        "مستشفى طبيب لقاح مريض | جراحة ممرضة عيادة عدوى حمى أعراض علاج جرعة",
    ),
)


def main() -> None:
    """Measure what the arguments name and print one line for each trial."""
    parser = argparse.ArgumentParser(description="Accuracy and speed of the embedded classifier.")
    for name in ("bbc", "ag", "newsgroups", "reuters"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--half", choices=("all", "tuning", "test"), default="all")
    parser.add_argument("--words", type=int, default=0, help="cut each text after so many words")
    given = parser.parse_args()
    categories, rows = _given(given.bbc, given.ag, given.newsgroups, given.reuters)
    if given.words:
        rows = [(true, _cut(text, given.words)) for true, text in rows]
    scored, others = _halves(rows, given.half)
    print(f"{'undefined':14} {'right':>6} {'precision':>9} {'recall':>6} {'none':>6} {'texts/s':>8}")
    for undefined in (None, *(category.name for category in categories)):
        _try([each for each in categories if each.name != undefined], scored, others, undefined or "-")


def _given(
    bbc: Path | None, ag: Path | None, newsgroups: Path | None, reuters: Path | None
) -> tuple[Sequence[Category], list[Row]]:
    if bbc:
        return _BBC, list(_read_bbc(bbc))
    if ag:
        return _AG, list(_read_ag(ag))
    if newsgroups:
        return _NEWSGROUPS, list(_read_newsgroups(newsgroups))
    if reuters:
        return REUTERS, list(_read_reuters(reuters))
    return _made_categories(), list(_made_rows(400))


def _try(categories: Sequence[Category], rows: Sequence[Row], others: Sequence[Row], undefined: str) -> None:
    names = {category.name for category in categories}
    start = time.perf_counter()
    labels = classify(categories, [text for _, text in rows], [text for _, text in others])
    speed = (len(rows) + len(others)) / (time.perf_counter() - start)
    pairs = [
        (true if true in names else None, label.category)
        for (true, _), label in zip(rows, labels, strict=True)
    ]
    right = sum(true == got for true, got in pairs)
    hits = sum(true == got for true, got in pairs if got)
    given = sum(got is not None for _, got in pairs)
    expected = sum(true is not None for true, _ in pairs)
    print(
        f"{undefined:14} {right / len(pairs):6.3f} {hits / max(given, 1):9.3f} {hits / max(expected, 1):6.3f}"
        f" {len(pairs) - given:6} {speed:8.0f}"
    )


def _halves(rows: Sequence[Row], half: str) -> tuple[list[Row], list[Row]]:
    """The texts to score and the others: of each category every second one, or all."""
    seen: Counter[str] = Counter()
    parts: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        parts[seen[row[0]] % 2 if half != "all" else 0].append(row)
        seen[row[0]] += 1
    return parts if half != "test" else (parts[1], parts[0])


def _cut(text: Text, words: int) -> Text:
    return Text(text.key, text.title, " ".join(text.text.split()[:words]))


def _read_bbc(path: Path) -> Iterable[Row]:
    if path.is_dir():
        for file in sorted(path.glob("*/*.txt")):
            title, _, body = file.read_text("cp1252", "replace").partition("\n")
            # One packaging calls the folder «sports».
            yield file.parent.name.replace("sports", "sport"), Text(file.stem, title, body)
        return
    with path.open(encoding="utf-8", newline="") as lines:
        delimiter = "\t" if "\t" in lines.readline() else ","
        for number, row in enumerate(csv.reader(lines, delimiter=delimiter)):
            yield row[0], Text(str(number), None, " ".join(row[1:] if len(row) < 4 else row[2:]))


def _read_ag(path: Path) -> Iterable[Row]:
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines)):
            if row[0].isdigit():
                yield _AG[int(row[0]) - 1].name, Text(str(number), row[1], row[2])


def _read_newsgroups(path: Path) -> Iterable[Row]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            group, _, body = line.partition("\t")
            if "." in group:
                topics = [topic for start, topic in _GROUP_TOPICS if group.startswith(start)]
                yield (topics or [group])[0], Text(str(number), None, body)


def _read_reuters(path: Path) -> Iterable[Row]:
    """The texts have neither titles nor capitals; three lines of heading come first."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(islice(lines, 3, None)):
            topic, _, body = line.rstrip("\n").partition("\t")
            yield topic, Text(str(number), None, body)


def _made_categories() -> list[Category]:
    topics = zip(_MADE_TOPICS, zip(*(language[1:] for language in _MADE), strict=True), strict=True)
    return [
        Category(name, None, tuple(word for part in parts for word in part.split("|")[0].split()))
        for name, parts in topics
    ]


def _made_rows(each: int) -> Iterable[Row]:
    """Texts of which a third has no defining word: those can be learned from the others only."""
    chance = random.Random(4)  # noqa: S311
    for number in range(each):
        for usual, *topics in _MADE:
            for name, topic in zip(_MADE_TOPICS, topics, strict=True):
                defining, further = (part.split() for part in topic.split("|"))
                pool = further if number % 3 == 0 else defining + further
                words = chance.sample(pool, 5) + chance.choices(usual.split(), k=12)
                chance.shuffle(words)
                yield name, Text(f"{name} {number}", None, " ".join(words))


if __name__ == "__main__":
    main()
