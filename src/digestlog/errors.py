"""Every error that digestlog raises on purpose.

DigestlogError(message, hint)
  ConfigError            an option, address or setting that cannot be used
  StorageError           the file: see the subclasses
    NotADigestlogFile    text, another program's database
    SchemaVersionError   made by a newer digestlog, or a version with no way forward
    CorruptFile          SQLite cannot read it
    LockedFile           another program is writing
    ReadOnlyFile         no permission to write
    MissingDirectory     the folder is not there
    DiskFull             no space left
    IdentityCollision    two addresses, one article id
    RuleBroken           a row that the file's own rules refuse
  PushError              the Postgres database that was to be pushed to
  SourceError(url)       one source
    FetchError           it could not be fetched
    AddressRefused       it points into a private network
    RedirectRefused      it leads where the caller does not want to go
  ClassifierError        a provider (classifier, summary, search) that could not do its work
  ParseError             bytes that are not what they should be
  LibraryError
    UrlCapExceeded       the plan's number of tracked pages is used up

UrlError is a ValueError of its own: an address without identity is a value to
report, not a failure of the program.
"""

from __future__ import annotations


class DigestlogError(Exception):
    """Something a person can act on: one line, and a hint what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(DigestlogError):
    """An option, address or setting that cannot be used."""


class StorageError(DigestlogError):
    """The file could not be opened, read or written."""


class NotADigestlogFile(StorageError):
    """The file belongs to something else."""


class SchemaVersionError(StorageError):
    """The file's version is not one that this digestlog can work with."""


class CorruptFile(StorageError):
    """SQLite cannot read the file."""


class LockedFile(StorageError):
    """Another program holds the file."""


class ReadOnlyFile(StorageError):
    """The file or its folder cannot be written."""


class MissingDirectory(StorageError):
    """The folder that should hold the file does not exist."""


class DiskFull(StorageError):
    """There is no space left to write."""


class IdentityCollision(StorageError):
    """Two different addresses have the same article id."""


class RuleBroken(StorageError):
    """A rule of the file itself (CHECK, UNIQUE, FOREIGN KEY, a trigger) refused what was to be written."""


class PushError(DigestlogError):
    """The Postgres database could not be reached, or did not take what it was sent."""


class SourceError(DigestlogError):
    """One source failed; the others go on."""

    def __init__(self, message: str, hint: str | None = None, *, url: str) -> None:
        super().__init__(message, hint)
        self.url = url


class FetchError(SourceError):
    """An address could not be fetched; `temporary` where a later try may do better.

    Not `asked`: nothing was sent to it, so this says nothing about the address.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        url: str,
        temporary: bool = False,
        retry_after_s: int | None = None,
        asked: bool = True,
    ) -> None:
        super().__init__(message, hint, url=url)
        self.temporary = temporary
        self.retry_after_s = retry_after_s
        self.asked = asked


class AddressRefused(FetchError):
    """An address points into a private network."""


class RedirectRefused(FetchError):
    """An address leads to one that the caller did not want to be asked for; `reached` is that one."""

    def __init__(self, message: str, *, url: str, reached: str) -> None:
        super().__init__(message, url=url)
        self.reached = reached


class ClassifierError(DigestlogError):
    """A provider could not do its work; the embedded one does it instead."""


class ParseError(DigestlogError):
    """Bytes that are not what they should be."""


class LibraryError(DigestlogError):
    """A rule of the library was not met."""


class UrlCapExceeded(LibraryError):
    """The plan's number of tracked pages is used up."""


class UrlError(ValueError):
    """A text that has no URL identity; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
