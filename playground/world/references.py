"""The reference numbers of the seeded world: each mail, event and memory has one of its own.

They read like those that people put into their mails. Tests search for them where nothing private may be.
"""

from __future__ import annotations

import re

PREFIX = "FRN-"
REFERENCE = re.compile(rf"\b{PREFIX}[A-Z]-[0-9]{{4}}\b")


def reference(kind: str, number: int) -> str:
    """`FRN-M-0042`; the kind is one letter."""
    return f"{PREFIX}{kind}-{number:04d}"
