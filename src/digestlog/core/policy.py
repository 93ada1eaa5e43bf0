"""Whether a page may be watched: allow, block or review, with the reason and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

ALLOW, BLOCK, REVIEW = "allow", "block", "review"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about an address; reason_code None: nothing speaks against it."""

    decision: str
    reason_code: str | None
    hostname: str
    pattern: str | None
    reason: str

    @property
    def evidence(self) -> dict[str, str | None]:
        """What the audit log keeps."""
        return {"hostname": self.hostname, "pattern": self.pattern, "reason": self.reason}
