"""How long a list of a million domains takes to import, and one address to look up.

Run from the top of the checkout: PYTHONPATH=src python benchmarks/bench_policy.py
The last figures are in docs/policy.md.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from digestlog.core.policy import BLOCK
from digestlog.core.policy_lists import Tally, opened, read_names
from digestlog.core.policy_rules import rule
from digestlog.store import policy
from digestlog.store.db import Database, open_database
from digestlog.store.policy_lists import Meaning, Replaced, replace

DOMAINS = 1_000_000
LOOKUPS = 100_000
ENDINGS = ("com", "net", "org", "info", "de", "co.uk", "com.br", "io", "ru", "shop")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
NOW = datetime(2026, 2, 12, tzinfo=UTC)


def made_up(count: int, chance: random.Random) -> list[str]:
    """So many different domains, a third of them with a name below the one that is registered."""
    found: dict[str, None] = {}
    while len(found) < count:
        name = "".join(chance.choices(LETTERS, k=chance.randint(5, 16)))
        host = chance.choice(("ads.", "track.", "cdn7.")) if chance.random() < 1 / 3 else ""
        found[f"{host}{name}.{chance.choice(ENDINGS)}"] = None
    return list(found)


def write_hosts(path: Path, names: Sequence[str]) -> None:
    """A hosts file as they are found on the web: a head, the machine's own names, then a name a line."""
    with path.open("w", encoding="ascii") as file:
        file.write("# made up\n127.0.0.1 localhost\n::1 localhost\n255.255.255.255 broadcasthost\n\n")
        file.writelines(f"0.0.0.0 {name}\n" for name in names)


def imported(db: Database, path: Path) -> tuple[Replaced, float, float]:
    """What the import did, and how many seconds it took by the clock and of the processor."""
    start, busy = time.perf_counter(), time.process_time()
    with path.open("rb") as file, opened(file) as stream:
        done = replace(db, Meaning("million", BLOCK, "unknown"), read_names(stream, Tally()))
    return done, time.perf_counter() - start, time.process_time() - busy


def addresses(names: Sequence[str], chance: random.Random) -> dict[str, list[str]]:
    """A quarter each: hosts on the list, with www., below one on the list, on no list."""
    some = chance.sample(names, LOOKUPS)
    quarter = LOOKUPS // 4
    return {
        "on the list": [f"https://{name}/page/{at}?id=7" for at, name in enumerate(some[:quarter])],
        "with www. before": [f"https://www.{name}/news/" for name in some[quarter : 2 * quarter]],
        "below one on it": [f"https://a.b.{name}/x" for name in some[2 * quarter : 3 * quarter]],
        "on no list": [f"https://not-{name}/story/{at}" for at, name in enumerate(some[3 * quarter :])],
    }


def looked_up(db: Database, urls: Sequence[str]) -> tuple[list[float], float, int]:
    """Microseconds of each look-up by the clock, of the processor in all, and how many were blocked."""
    took, blocked = [], 0
    busy = time.process_time_ns()
    for url in urls:
        start = time.perf_counter_ns()
        decision = policy.evaluate(db, url)
        took.append((time.perf_counter_ns() - start) / 1000)
        blocked += decision.decision == BLOCK
    return took, (time.process_time_ns() - busy) / 1000, blocked


def tell(name: str, took: Sequence[float], busy: float, blocked: int) -> None:
    """Print one line of figures."""
    cuts = statistics.quantiles(took, n=100)
    print(
        f"{name:22} {len(took):8,} look-ups  median {cuts[49]:6.1f} µs  p99 {cuts[98]:6.1f} µs"
        f"  processor {busy / len(took):6.1f} µs  {blocked:7,} blocked"
    )


def size(path: Path) -> str:
    """The size of a file in megabytes."""
    return f"{path.stat().st_size / 1e6:.1f} MB"


def measure_imports(db: Database, hosts: Path, names: Sequence[str], chance: random.Random) -> None:
    """Import, import the same again, and import a copy of which one name in a hundred is another."""
    for what in ("first import", "the same again", "1 % other names"):
        if what.startswith("1 %"):
            write_hosts(hosts, [*names[: len(names) * 99 // 100], *made_up(len(names) // 100, chance)])
        done, took, busy = imported(db, hosts)
        print(
            f"{what:16} {done.domains:9,} names  {took:6.2f} s  {done.domains / took:9,.0f} names/s"
            f"  processor {busy:6.2f} s"
            f"  {done.added:9,} new  {done.removed:9,} gone"
        )


def main() -> None:
    """Print all figures."""
    chance = random.Random(1)  # noqa: S311
    names = made_up(DOMAINS, chance)
    with tempfile.TemporaryDirectory() as folder:
        hosts, file = Path(folder) / "hosts.txt", Path(folder) / "digestlog.db"
        write_hosts(hosts, names)
        with open_database(file, now=NOW) as db:
            print(f"Python {sys.version.split()[0]}; {len(names):,} domains, {size(hosts)} of text")
            measure_imports(db, hosts, names, chance)
            asked = addresses(names[: DOMAINS * 99 // 100], chance)
            mixed = [url for urls in asked.values() for url in urls]
            chance.shuffle(mixed)
            for name, urls in (*asked.items(), ("all, shuffled", mixed)):
                tell(name, *looked_up(db, urls))
            policy.add(db, [rule("path", f"/own/{at}/*", BLOCK) for at in range(100)])
            tell("with 100 own patterns", *looked_up(db, mixed[:20_000]))
        print(f"the file: {size(file)}")


if __name__ == "__main__":
    main()
