"""What of many cases must hold before a change lands; the others are `deep`, which `.ci/run` leaves out."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def first(count: int, cases: Iterable[object]) -> list[ParameterSet]:
    """The cases for `parametrize`, those after the first `count` marked as deep."""
    return [pytest.param(case, marks=_DEEP if number >= count else ()) for number, case in enumerate(cases)]


def some(chosen: Iterable[object], cases: Iterable[object]) -> list[ParameterSet]:
    """The cases for `parametrize`, those that were not chosen marked as deep."""
    known = list(chosen)
    return [pytest.param(case, marks=() if case in known else _DEEP) for case in cases]


_DEEP = pytest.mark.deep
