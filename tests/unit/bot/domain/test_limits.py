"""Limits are resolved once, and added to at Continue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.limits import DEFAULT_LIMITS, Limit, Limits, resolve_limits

AMOUNTS = st.none() | st.integers(min_value=0, max_value=10**9)
SOME = st.dictionaries(st.sampled_from([limit.value for limit in Limit]), AMOUNTS)
WHOLE = st.builds(Limits, **{limit.value: AMOUNTS for limit in Limit})


@given(spawn=SOME, definition=SOME, default=WHOLE)
def test_the_first_that_speaks_decides(
    spawn: Mapping[str, int | None], definition: Mapping[str, int | None], default: Limits
) -> None:
    """Of each limit: who spawned the run, else its agent's definition, else the default; None speaks as well."""
    resolved = resolve_limits(spawn, definition, default)
    for limit in Limit:
        name = limit.value
        expected = spawn[name] if name in spawn else definition.get(name, default.of(limit))
        assert resolved.of(limit) == expected


@given(one=WHOLE, other=WHOLE)
def test_together_there_is_no_limit_where_one_has_none(one: Limits, other: Limits) -> None:
    """Both allowances are added; without a limit in either there is none."""
    both = one + other
    for limit in Limit:
        amounts = [one.of(limit), other.of(limit)]
        known = [amount for amount in amounts if amount is not None]
        assert both.of(limit) == (sum(known) if len(known) == 2 else None)


def test_a_name_that_is_no_limit_is_refused() -> None:
    """A misspelt limit would be no limit at all."""
    with pytest.raises(KeyError, match="no such limit: step"):
        resolve_limits({"step": 3}, {})


def test_the_defaults_are_the_documented_ones() -> None:
    """Eight steps, ten minutes, 200,000 tokens, half a dollar, ten changes, ten recipients, three cards."""
    assert asdict(DEFAULT_LIMITS) == {
        "steps": 8,
        "active_ms": 600_000,
        "tokens": 200_000,
        "cost_micros": 500_000,
        "effects": 10,
        "recipients": 10,
        "cards": 3,
    }
