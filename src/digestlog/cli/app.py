"""What every command starts from: the file, the user, the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digestlog.errors import MissingDirectory

if TYPE_CHECKING:
    from digestlog.store.db import Database
    from digestlog.web.fetch import Fetcher

Pins = Mapping[str, tuple[str, int]]


@dataclass(frozen=True, slots=True)
class App:
    """One run of the program. `now` was read once; `frozen` says that the person gave it."""

    db_path: Path | None
    user: str | None
    now: datetime
    frozen: bool
    verbosity: int
    pins: Pins | None

    @classmethod
    def begin(
        cls, *, db: Path | None, user: str | None, now: datetime | None, verbosity: int, pins: Pins | None
    ) -> App:
        """Read the clock, unless the person gave the time."""
        moment = now or datetime.now(UTC).replace(microsecond=0)
        return cls(db, user, moment, now is not None, verbosity, pins)

    def path(self) -> Path:
        """The file's place; the default one's folder is made."""
        if self.db_path is not None:
            return self.db_path
        from platformdirs import user_data_path

        try:
            return user_data_path("digestlog", appauthor=False, ensure_exists=True) / "digestlog.db"
        except OSError as error:
            raise MissingDirectory(
                f"your data folder cannot be made: {error.filename}: {error.strerror}",
                "name a file with --db",
            ) from error

    def open(self) -> Database:
        """The file, made or migrated if need be, after checking that the user exists."""
        from digestlog.store import users
        from digestlog.store.db import open_database

        db = open_database(self.path(), now=self.now, frozen=self.frozen)
        if self.user is not None:
            try:
                users.require(db, self.user)
            except BaseException:
                db.close()
                raise
        return db

    def fetcher(self) -> Fetcher:
        """What fetches for this run."""
        import os

        from digestlog.web.fetch import Fetcher, Limits

        # A web that this program serves itself needs no pauses between two requests.
        limits = Limits(host_delay_s=0.0) if self.pins else Limits()
        return Fetcher(pins=self.pins, limits=limits, contact=os.environ.get("DIGESTLOG_CONTACT"))

    @property
    def quiet(self) -> bool:
        """True if only results and errors are wanted."""
        return self.verbosity < 0

    @property
    def verbose(self) -> bool:
        """True if more is wanted than usual."""
        return self.verbosity > 0


class Text(click.types.StringParamType):
    """Words that can be stored and shown; bytes of the command line that are no text are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The words as they were typed."""
        text = str(super().convert(value, param, ctx))
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} contains characters that are no text", param, ctx)
        return text


TEXT = Text()

pass_app = click.make_pass_decorator(App)
