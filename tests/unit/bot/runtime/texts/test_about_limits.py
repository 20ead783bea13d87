"""What is said at a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.limits import DEFAULT_LIMITS, Budget, DailyBudgets, Limit, Limits, Rate
from bot.runtime.limits import rate_limit
from bot.runtime.limits.rate_limit import TooFast
from bot.runtime.texts import about_limits
from tests import builders as make
from tests.builders import NOW

PAGE = (Path(__file__).parents[5] / "docs" / "limits.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("limit", [limit for limit in Limit if limit is not Limit.COST])
def test_the_page_quotes_what_people_read(limit: Limit) -> None:
    """Each limit has its own first words, and docs/limits.md has them as they are."""
    assert f"| {about_limits.reached(limit, make.run(limits=DEFAULT_LIMITS))} |" in PAGE


def test_the_page_quotes_a_refusal_and_a_budget() -> None:
    """The two ends that name a moment are quoted up to it."""
    budgets = DailyBudgets(user_cost=5_000_000)
    told = about_limits.exhausted(Budget.USER_COST, budgets, NOW, "Europe/London")
    assert f"| {told.partition(' Sunday')[0]} … |" in PAGE
    figures = rate_limit.figures(Rate(per_minute=20, burst=20), TooFast(again_at=NOW, told=False))
    assert f"| {rate_limit.words_of(figures, 'UTC').partition(' 09:30')[0]} … |" in PAGE


@pytest.mark.parametrize(
    ("limit", "most", "words"),
    [
        (Limit.STEPS, 1, "1 step"),
        (Limit.ACTIVE, 600_000, "10 minutes"),
        (Limit.ACTIVE, 60_000, "1 minute"),
        (Limit.ACTIVE, 1_500, "1.5 seconds"),
        (Limit.TOKENS, 200_000, "200,000 tokens of the language model"),
        (Limit.COST, 500_000, "US$ 0.50"),
        (Limit.EFFECTS, 1, "1 change"),
        (Limit.RECIPIENTS, 1, "one address"),
        (Limit.RECIPIENTS, 10, "at most 10 different addresses"),
        (Limit.CARDS, 3, "at most 3 approvals"),
    ],
)
def test_amounts_read_like_amounts(limit: Limit, most: int, words: str) -> None:
    """One is singular, money has cents, minutes are minutes where they are whole."""
    assert about_limits.amount(limit, most) == words


def test_money_of_one_request_has_its_words() -> None:
    """The limit of money names the sum."""
    run = make.run(limits=Limits(cost_micros=500_000))
    assert about_limits.reached(Limit.COST, run).startswith("I used up US$ 0.50, which is the limit for one request")
