"""`digestlog merge`: the files of other machines into this one.

look at every file -> for each: copy -> attach -> identities -> rows -> articles that are one
-> trends are counted anew

Each file is one transaction. A run that is killed has merged the files before it; to run it again does no
harm, since what is here already is not merged twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from digestlog.store import merge as store
from digestlog.store.db import Database
from digestlog.store.merge import Merged

Report = Callable[[Merged], None]


def merge(
    db: Database,
    paths: Sequence[Path],
    report: Report,
    *,
    dry_run: bool = False,
    say: store.Say = lambda text: None,
) -> list[Merged]:
    """Merge the files in the order given; each is reported once it is in. None, if one cannot be named."""
    for path in paths:
        store.refuse_itself(db, path)
    done = []
    for path in paths:
        done.append(store.merge(db, path, dry_run=dry_run, say=say))
        report(done[-1])
    if not dry_run and any(one.sum("added") + one.sum("changed") for one in done):
        store.count_anew(db)
    return done
