"""What a `connect` question lacks, as its payload says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from bot.domain.questions import Question


def missing_of(question: Question) -> frozenset[str]:
    """The scopes that connecting must bring."""
    return frozenset(str(scope) for scope in cast("Sequence[object]", question.payload["missing"]))
