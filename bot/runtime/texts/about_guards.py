"""The modes of the guard, in words for people."""

from __future__ import annotations

from collections.abc import Mapping

from policies.provenance import GuardMode

CAPTIONS: Mapping[GuardMode, str] = {
    GuardMode.ENFORCE: (
        "Where something would reach, change or pass on what you did not name, I ask you, whatever your trust level."
    ),
    GuardMode.SHADOW: (
        "I act as your trust level says. The audit log notes where I would have asked, because you did not name what I "
        "reach, change or pass on."
    ),
    GuardMode.OFF: (
        "I act as your trust level says, also where you did not name what I reach, change or pass on. "
        "If somebody deceives me, I may act wrongly unasked."
    ),
}
"""What each mode means."""
