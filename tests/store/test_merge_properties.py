"""Merging files is a join: in any order, in any grouping, and as often as one likes, with the same result."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import NOW
from hypothesis import HealthCheck, given, settings
from merge_files import Rows, contents, files, make_template, write

from digestlog.store import health
from digestlog.store.db import open_database
from digestlog.store.merge import merge

quick = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty file to begin with."""
    return make_template(tmp_path_factory.mktemp("merge") / "template.db")


class Shelf:
    """Files of one example, by name."""

    def __init__(self, folder: Path, template: Path) -> None:
        self.folder = folder
        self.template = template

    def put(self, name: str, rows: Rows) -> Path:
        """A file with these rows."""
        return write(self.folder / f"{name}.db", rows, self.template)

    def merged(self, one: Path, other: Path, now: datetime = NOW) -> Path:
        """A new file: the first with the second taken in; neither of them changes."""
        made = self.folder / f"{one.stem}+{other.stem}.db"
        shutil.copy(one, made)
        before = other.read_bytes()
        with open_database(made, now=now, frozen=True) as db:
            merge(db, other)
            assert [check(db).problems for check in (health.foreign_keys, health.search)] == [(), ()]
        assert other.read_bytes() == before
        return made


@contextmanager
def shelf(template: Path) -> Iterator[Shelf]:
    with TemporaryDirectory() as folder:
        yield Shelf(Path(folder), template)


@quick
@given(a=files(spellings=3), b=files(spellings=3))
def test_it_makes_no_difference_which_takes_which(a: Rows, b: Rows, template: Path) -> None:
    with shelf(template) as here:
        one, two = here.put("a", a), here.put("b", b)
        assert contents(here.merged(one, two)) == contents(here.merged(two, one))


@quick
@given(a=files(spellings=3))
def test_a_file_brings_itself_nothing(a: Rows, template: Path) -> None:
    with shelf(template) as here:
        one, copy = here.put("a", a), here.put("copy", a)
        assert contents(here.merged(one, copy)) == contents(one)


@quick
@given(a=files(), b=files())
def test_merging_again_changes_nothing(a: Rows, b: Rows, template: Path) -> None:
    with shelf(template) as here:
        one, two = here.put("a", a), here.put("b", b)
        once = here.merged(one, two)
        assert contents(here.merged(once, two)) == contents(once)
        assert contents(here.merged(once, one)) == contents(once)


@quick
@given(a=files(), b=files(), c=files())
def test_it_makes_no_difference_how_files_are_paired(a: Rows, b: Rows, c: Rows, template: Path) -> None:
    with shelf(template) as here:
        one, two, three = here.put("a", a), here.put("b", b), here.put("c", c)
        left = here.merged(here.merged(one, two), three)
        right = here.merged(one, here.merged(two, three))
        assert contents(left) == contents(right)
