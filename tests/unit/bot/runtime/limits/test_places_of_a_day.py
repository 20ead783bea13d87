"""What a day has room for: changes outside and those whom they reach, of a person and of a workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.limits import Budget, DailyBudgets, Spent, Today, day_of, mark_of
from bot.domain.runs import Run, RunState
from bot.runtime.limits.cost import CostTracker
from integrations.base import NotDone
from integrations.errors import Ambiguous
from policies.types import TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.actions.test_defer import later
from tests.unit.bot.runtime.limits.test_quotas import LOOK, actions, send, to
from tests.unit.bot.runtime.runtime_harness import Harness, harness

Homes = Callable[[DailyBudgets], AbstractAsyncContextManager[Harness]]
ONE = DailyBudgets(user_effects=1)
SUPERVISED = TrustLevel.SUPERVISED
NEXT_DAY = "A new one starts on Sunday 22 November at 00:00 (Europe/London)."


@pytest.fixture
def homes(tmp_path: Path) -> Homes:
    def built(budgets: DailyBudgets) -> AbstractAsyncContextManager[Harness]:
        return harness(tmp_path, costs=CostTracker(daily=budgets))

    return built


async def used(home: Harness, user: str = DANA) -> Today:
    async with home.base.store.read() as work:
        return await work.spending.of_day(TEAM, user, day_of(home.base.clock.now()), recipients=True)


async def sent(home: Harness, user: str, spent: Spent) -> None:
    async with home.base.store.write() as work:
        await work.spending.take(TEAM, user, day_of(home.base.clock.now()), spent)


def marks(home: Harness, *addresses: str) -> frozenset[str]:
    return frozenset(mark_of(address, TEAM, day_of(home.base.clock.now())) for address in addresses)


async def states(home: Harness, run: Run) -> Sequence[ActionState]:
    return [action.state for action in await actions(home, run)]


async def denied(home: Harness, run: Run) -> Action:
    (refused,) = [action for action in await actions(home, run) if action.state is ActionState.DENIED]
    return refused


async def test_what_the_day_has_no_room_for_is_refused_in_plain_words(homes: Homes) -> None:
    """It is not done, the log and the verdict say which budget it was, and people read when a new day starts. What is
    refused is not counted, and the next day begins anew.
    """
    async with homes(ONE) as home:
        run = await home.asked([send("a"), send("b")], "One of two.")
        refused = await denied(home, run)
        assert refused.verdict is not None
        assert refused.verdict.rule == "limit.user_effects"
        assert refused.summary == (
            "This was not executed and nobody was asked: your budget for today (1 change) has no room for it. "
            f"{NEXT_DAY}"
        )
        said = "Your budget for today (1 change) has no room for more, so I stopped here. Nothing beyond it was done. "
        assert (run.state, run.summary) == (RunState.PAUSED, f"{said}{NEXT_DAY}\n\nOne of two.")
        assert (run.stop_code, len(home.effect.calls)) == ("user_effects", 1)
        assert "action.no_place" in home.codes()
        assert (await used(home)).user.effects == 1
        assert (await home.asked([LOOK], "Found.")).state is RunState.COMPLETED
        await later(home, timedelta(days=1))
        assert await states(home, await home.asked([send("c")], "Done.")) == [ActionState.COMPLETED]


@pytest.mark.parametrize(
    ("budgets", "who", "states_then"),
    [
        (DailyBudgets(user_effects=2), DANA, [ActionState.DENIED]),
        (DailyBudgets(user_effects=2), MARA, [ActionState.COMPLETED]),
        (DailyBudgets(workspace_effects=2), MARA, [ActionState.DENIED]),
        (DailyBudgets(workspace_effects=3), MARA, [ActionState.COMPLETED]),
    ],
)
async def test_each_budget_counts_those_whose_it_is(
    homes: Homes, budgets: DailyBudgets, who: str, states_then: list[ActionState]
) -> None:
    """One of a person leaves others alone; one of the workspace is everybody's."""
    async with homes(budgets) as home:
        await sent(home, who, Spent(effects=2))
        assert await states(home, await home.asked([send("a")], "Said.")) == states_then


async def test_recipients_of_a_day_count_once(homes: Homes) -> None:
    """In whatever case, request and number of mails; a mail that would reach too many is refused as a whole."""
    async with homes(DailyBudgets(user_recipients=2)) as home:
        home.effect.previews = [to("helen@x.example"), to("HELEN@x.example", "mara@x.example")]
        assert await states(home, await home.asked([send("a")], [send("b")], "Both.")) == [ActionState.COMPLETED] * 2
        home.effect.previews = [to("mara@x.example", "theo@x.example")]
        run = await home.asked([send("c")], "No.")
        refused = await denied(home, run)
        assert refused.verdict is not None
        assert refused.verdict.rule == "limit.user_recipients"
        assert "your budget for today (2 different addresses) has no room for it" in refused.summary
        assert (await used(home)).user == Spent(effects=2, recipients=marks(home, "helen@x.example", "mara@x.example"))


async def test_recipients_of_a_workspace_are_those_of_all_together(homes: Homes) -> None:
    """Whom somebody else reached is reached; another is one more."""
    async with homes(DailyBudgets(workspace_recipients=1)) as home:
        await sent(home, MARA, Spent(effects=1, recipients=marks(home, "helen@x.example")))
        home.effect.previews = [to("helen@x.example"), to("theo@x.example")]
        run = await home.asked([send("a")], [send("b")], "One.")
        assert await states(home, run) == [ActionState.COMPLETED, ActionState.DENIED]


async def test_what_was_asked_about_keeps_its_place(homes: Homes) -> None:
    """A card takes its place when it is asked, once, and not again when it is approved: what a person approved is never
    refused, though the day has no room left, nor on another day.
    """
    async with homes(DailyBudgets(user_effects=1, user_recipients=1)) as home:
        run = await home.asked([send("a")], level=SUPERVISED)
        assert (await used(home)).user.effects == 1
        await sent(home, DANA, Spent(effects=5, recipients=marks(home, "mara@x.example")))
        await home.approve(run, serve=True)
        assert await states(home, run) == [ActionState.COMPLETED]
        assert (await used(home)).user.effects == 6


async def test_what_no_budget_counts_is_not_counted(homes: Homes) -> None:
    """Without one of places, no row says how much was done and whom it reached."""
    async with homes(DailyBudgets(user_tokens=10_000)) as home:
        await home.asked([send("a")], "Done.")
        assert home.base.rows("SELECT effects, recipients FROM spending") == []


async def test_changes_are_counted_without_whom_they_reach(homes: Homes) -> None:
    """Where only their number is limited; looking something up is no change."""
    async with homes(DailyBudgets(user_effects=9)) as home:
        await home.asked([LOOK], [send("a")], "Done.")
        assert home.base.rows("SELECT effects, recipients FROM spending") == [{"effects": 1, "recipients": None}]


async def test_an_attempt_that_is_made_again_takes_no_second_place(homes: Homes) -> None:
    """The row of a day has one change for each action, however often it was tried."""
    async with homes(DailyBudgets(user_effects=1)) as home:
        home.effect.settled, home.effect.outcomes = [NotDone()], [Ambiguous("sending")]
        run = await home.asked([send("a")], "Done.")
        assert (await states(home, run), len(home.effect.calls)) == ([ActionState.COMPLETED], 2)
        assert (await used(home)).user.effects == 1


async def test_what_is_held_back_took_its_place_with_its_request(homes: Homes, monkeypatch: pytest.MonkeyPatch) -> None:
    """When its moment comes it is done, whatever the day has room for then, and it is not counted again."""
    async with homes(ONE) as home:
        monkeypatch.setattr(home.effect, "hold", timedelta(seconds=30))
        await home.asked([send("a")], "Soon.")
        assert (len(home.effect.calls), (await used(home)).user.effects) == (0, 1)
        home.base.clock.advance(30)
        await home.serve()
        assert (len(home.effect.calls), (await used(home)).user.effects) == (1, 1)


async def test_at_eighty_percent_it_is_said_once(homes: Homes) -> None:
    """As of money: the model is told before its next call, the person under the answer."""
    async with homes(DailyBudgets(user_effects=5)) as home:
        await sent(home, DANA, Spent(effects=3))
        run = await home.asked([send("a")], [LOOK], "Done.")
        hint = "most of what the person may have changed today is used"
        assert [hint in "".join(request.contents) for request in home.model.requests] == [False, False, True]
        said = f"_More than 80 % of your budget for today (5 changes) is used. {NEXT_DAY}_"
        assert run.summary == f"Done.\n\n{said}"
        assert (await home.asked("Hello.")).summary == "Hello."


@pytest.mark.parametrize(
    ("budgets", "before", "spent", "passed"),
    [
        (DailyBudgets(user_effects=3), Spent(effects=2), Spent(effects=1), None),
        (DailyBudgets(user_effects=3), Spent(effects=3), Spent(effects=1), Budget.USER_EFFECTS),
        (DailyBudgets(user_effects=3), Spent(effects=9), Spent(recipients=frozenset("a")), None),
        (DailyBudgets(user_recipients=1), Spent(recipients=frozenset("a")), Spent(recipients=frozenset("a")), None),
        (
            DailyBudgets(user_recipients=1, workspace_recipients=1),
            Spent(),
            Spent(recipients=frozenset("ab")),
            Budget.USER_RECIPIENTS,
        ),
        (DailyBudgets(user_tokens=1), Spent(tokens=9), Spent(effects=1), None),
    ],
)
def test_a_budget_is_passed_by_what_draws_on_it(
    budgets: DailyBudgets, before: Spent, spent: Spent, passed: Budget | None
) -> None:
    """The last place is given; one that was passed before refuses only what takes more of it."""
    day = Today(user=before, workspace=before)
    assert budgets.overdrawn(day, day.with_more(spent)) is passed


def test_no_budget_of_places_ends_a_run_before_its_call() -> None:
    """The model may be asked when nothing more can be changed: it can still look things up and answer."""
    full = Spent(effects=9, recipients=frozenset("ab"))
    budgets = DailyBudgets(user_effects=1, workspace_recipients=1)
    assert budgets.exhausted(Today(user=full, workspace=full)) is None
