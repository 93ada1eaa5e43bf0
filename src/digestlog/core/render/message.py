"""A digest as a mail: the page, and the same as text for programs that show none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from digestlog.core.digest import Digest
from digestlog.core.moments import from_iso
from digestlog.core.render.html import to_html
from digestlog.core.render.labels import Labels
from digestlog.core.render.markdown import to_markdown
from digestlog.core.render.plain import heading

_WIDTH = 72
# A bare address: no name beside it, and nothing that could be read as a second one.
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+")


def is_address(text: str) -> bool:
    """True if mail can be sent to this text, or from it."""
    return text.isprintable() and _ADDRESS.fullmatch(text) is not None


def message(digest: Digest, labels: Labels, *, sender: str, recipients: Sequence[str]) -> EmailMessage:
    """The mail; the same digest has the same Message-ID, so that a second copy is recognised as one."""
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = heading(digest, labels)
    mail["From"] = sender
    mail["To"] = ", ".join(recipients)
    mail["Date"] = format_datetime(from_iso(digest.created_at))
    mail["Message-ID"] = f"<{digest.id}@digestlog.invalid>"
    # So that no out-of-office answer comes back.
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(to_markdown(digest, labels, width=_WIDTH))
    mail.add_alternative(to_html(digest, labels), subtype="html")
    # Last, because what describes the content moves into a part when parts are added.
    mail["Content-Language"] = labels.language
    return mail
