"""The fence around text that somebody else wrote, so that the model can tell data from its owner's words."""

from __future__ import annotations

import re

_FENCE = re.compile(r"<(\s*/?\s*untrusted)", re.IGNORECASE)


def untrusted(text: str, *, source: str) -> str:
    """The text between `<untrusted source="…">` and `</untrusted>`; a fence inside it is made harmless."""
    inside = _FENCE.sub(r"‹\1", text)
    return f'<untrusted source="{source}">{inside}</untrusted>'
