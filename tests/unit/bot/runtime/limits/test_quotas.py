"""What side effects, recipients and cards take up of a run's allowance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.limits import Limit, Limits
from bot.domain.questions import QuestionState
from bot.domain.runs import Run, RunState
from bot.llm.model import CallingMode
from bot.runtime.audit.personal import Opener
from bot.runtime.audit.sealer import Sealer
from bot.runtime.lifecycle.actions import move_action, settle_action
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import close_question
from bot.runtime.limits.quotas import renewed
from bot.runtime.texts import about_limits
from integrations.base import Field, Preview
from integrations.errors import ToolFailed
from policies.provenance import GuardMode, Impact
from policies.types import Decision, TrustLevel, Verdict
from tests import builders as make
from tests.unit.bot.runtime.audit.test_personal import entries
from tests.unit.bot.runtime.runs.test_delegating import GIVE, HAND_OVER, SCOUT, defined
from tests.unit.bot.runtime.runtime_harness import Harness, harness

LOOK = ("gmail_search", {"text": "it"})
SUPERVISED = TrustLevel.SUPERVISED


def send(text: str) -> tuple[str, Mapping[str, object]]:
    return "gmail_send", {"text": text}


def to(*recipients: str) -> Preview:
    return Preview(
        title="Do it?",
        fields=[Field(label="What", value="it")],
        account="a1",
        recipients=recipients,
        impact=Impact(is_alone=True),
    )


def only(**values: int) -> dict[str, Any]:
    """A run with these limits alone."""
    return {"limits": Limits(**values), "ceiling": Limits(**values)}


async def actions(here: Harness, run: Run) -> Sequence[Action]:
    async with here.base.store.read() as work:
        return await work.actions.of_run(run.id)


def error_of(action: Action) -> Mapping[str, str]:
    assert action.response is not None
    error = action.response["error"]
    assert isinstance(error, dict)
    return cast("dict[str, str]", error)


async def test_effects_beyond_the_limit_are_refused_and_end_the_run(here: Harness) -> None:
    """What has no place is not executed, the model learns which limit it was, and the run pauses with a summary."""
    run = await here.asked([send("a"), send("b"), send("c")], "Two of three.", **only(effects=2))
    assert [action.state for action in await actions(here, run)].count(ActionState.COMPLETED) == 2
    (refused,) = [action for action in await actions(here, run) if action.state is ActionState.DENIED]
    assert refused.verdict is not None
    assert (error_of(refused)["code"], refused.verdict.rule) == ("limit_reached", "limit.effects")
    assert "limited to 2 changes" in error_of(refused)["message"]
    assert (run.state, run.summary) == (
        RunState.PAUSED,
        f"{about_limits.reached(Limit.EFFECTS, run)}\n\nTwo of three.",
    )
    assert len(here.effect.calls) == 2
    assert [request.calling_mode for request in here.model.requests] == [CallingMode.AUTO, CallingMode.NONE]


async def test_a_ledger_does_not_blame_policy_for_a_limit(here: Harness) -> None:
    """The summary from the rows says of what had no place that it is beyond the limit."""
    run = await here.asked([send("a"), send("b")], [LOOK], **only(effects=1))
    told = [line for line in run.summary.splitlines() if "not done" in line]
    assert [line.partition(": ")[2] for line in told] == ["not done, it is beyond the limit"]


async def test_reads_take_no_place(here: Harness) -> None:
    """Looking things up is no side effect."""
    run = await here.asked([LOOK, ("gmail_search", {"text": "b"})], [send("a")], "Done.", **only(effects=1))
    assert run.state is RunState.COMPLETED


async def test_an_effect_that_was_tried_keeps_its_place(here: Harness) -> None:
    """A failed attempt counts too: a model that fails and fails comes to an end."""
    here.effect.outcomes = [ToolFailed("no", "No."), ToolFailed("no", "No.")]
    run = await here.asked([send("a")], [send("b")], [send("c")], "I give up.", **only(effects=2))
    assert (run.state, len(here.effect.calls)) == (RunState.PAUSED, 2)


async def test_recipients_are_counted_once_however_they_are_written(here: Harness) -> None:
    """The same address in another case is no second one; a mail that would reach too many is refused as a whole."""
    here.effect.previews = [
        to("helen@x.example"),
        to("HELEN@x.example", "mara@x.example"),
        to("mara@x.example", "theo@x.example"),
    ]
    run = await here.asked([send("a")], [send("b")], [send("c")], "Enough.", **only(recipients=2))
    states = [action.state for action in await actions(here, run)]
    assert states == [ActionState.COMPLETED, ActionState.COMPLETED, ActionState.DENIED]
    assert run.stopping == about_limits.reached(Limit.RECIPIENTS, run)


async def test_what_reaches_too_many_by_itself_is_asked_about(here: Harness) -> None:
    """No request could ever do it, so its owner decides; the card says why, and nobody more is reached after it."""
    here.effect.previews = [to("helen@x.example", "mara@x.example", "theo@x.example"), to("luis@x.example")]
    run = await here.asked([send("a")], [send("b")], "Enough.", **only(recipients=2))
    asked = await here.action(run)
    assert (asked.state, asked.verdict) == (
        ActionState.AWAITING,
        Verdict(decision=Decision.ASK, rule="limit.recipients", reason=about_limits.too_many(run)),
    )
    await here.approve(run, serve=True)
    states = [action.state for action in await actions(here, run)]
    assert states == [ActionState.COMPLETED, ActionState.DENIED]


@pytest.mark.parametrize(("guard", "level"), [(GuardMode.OFF, TrustLevel.AUTONOMOUS), (GuardMode.ENFORCE, SUPERVISED)])
async def test_whom_an_impact_names_is_counted_and_kept_untraced(
    here: Harness, guard: GuardMode, level: TrustLevel
) -> None:
    """Though its tool says it nowhere else, no guard looks, or its owner is asked in any case."""
    async with here.base.store.write() as work:
        await work.users.set_guard(make.TEAM, guard)
    both = ["helen@x.example", "mara@x.example"]
    here.effect.previews = [
        replace(to(), recipients=None, impact=Impact(destinations=each)) for each in (both, ["t@x"])
    ]
    run = await here.asked([send("a"), send("b")], "Enough.", level=level, **only(recipients=2))
    first, second = await actions(here, run)
    assert first.state is (ActionState.COMPLETED if level is TrustLevel.AUTONOMOUS else ActionState.AWAITING)
    assert second.verdict is not None
    assert (second.state, second.verdict.rule) == (ActionState.DENIED, "limit.recipients")
    codes = {AuditCode.ACTION_ASKED, AuditCode.ACTION_CLAIMED}
    entry = next(one for one in await entries(here.base) if one.code in codes)
    opened = await Opener(store=here.base.store).open(entry)
    assert opened is not None
    assert opened["destinations"] == both


async def test_an_approval_that_is_over_does_not_let_it_reach_too_many(here: Harness) -> None:
    """It has its place since its card, and that alone lets nothing happen."""
    here.effect.previews = [to("helen@x.example", "mara@x.example")] * 2
    run = await here.asked([send("a")], "Enough.", **only(recipients=1))
    await here.approve(run)
    here.base.clock.advance(2 * 24 * 60 * 60)
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()
    assert (await here.action(run)).state is ActionState.AWAITING
    assert here.effect.calls == []


async def test_recipients_are_counted_for_a_request_and_its_agents(tmp_path: Path) -> None:
    """Whom the assistant wrote to is counted beside whom its agent writes to, each once."""
    async with harness(tmp_path, agents=[defined(SCOUT)]) as here:
        here.effect.previews = [
            to("helen@x.example"),
            to("HELEN@x.example", "mara@x.example"),
            to("theo@x.example"),
        ]
        says = ([send("a")], GIVE, [send("b")], [send("c")], HAND_OVER, "Enough.")
        run = await here.asked(*says, **only(recipients=2))
        assert await states_of_sending(here, run) == [
            ActionState.COMPLETED,
            ActionState.COMPLETED,
            ActionState.DENIED,
        ]
        assert (run.state, len(here.effect.calls)) == (RunState.PAUSED, 2)


async def test_cards_are_counted_for_a_request_and_its_agents(tmp_path: Path) -> None:
    """A card of the assistant leaves its agent none where one is all."""
    async with harness(tmp_path, agents=[defined(SCOUT)]) as here:
        says = ([send("a")], GIVE, [send("b")], HAND_OVER, "Enough.")
        run = await here.asked(*says, level=SUPERVISED, **only(cards=1))
        await here.approve(run, serve=True)
        assert await states_of_sending(here, run) == [ActionState.COMPLETED, ActionState.DENIED]
        assert here.base.rows("SELECT count(*) AS cards FROM questions") == [{"cards": 1}]


async def states_of_sending(here: Harness, run: Run) -> Sequence[ActionState]:
    """Of every mail of a request and its agents, in order."""
    async with here.base.store.read() as work:
        return [action.state for action in await work.actions.of_work(run.id) if action.is_side_effect]


async def test_three_cards_of_one_step_wait_and_a_fourth_is_not_asked(here: Harness) -> None:
    """Cards up to the limit are decided in peace, the step closes with all answers, and then the run pauses."""
    run = await here.asked([send(text) for text in "abcd"], "Three of four.", level=SUPERVISED, **only(cards=3))
    assert run.state is RunState.AWAITING
    assert here.base.rows("SELECT count(*) AS cards FROM questions") == [{"cards": 3}]
    states = [action.state for action in await actions(here, run)]
    assert sorted(states) == sorted([ActionState.AWAITING] * 3 + [ActionState.DENIED])
    for action in await actions(here, run):
        if action.state is ActionState.AWAITING:
            await rejected(here, action)
    await here.serve()
    after = await here.run(run.id)
    assert after.summary == f"{about_limits.reached(Limit.CARDS, run)}\n\nThree of four."


async def rejected(here: Harness, action: Action) -> None:
    async with here.transactions.write() as tx, step_locked(tx, action.step_id, woken=True):
        (question,) = [q for q in await tx.work.questions.open_of_run(action.run_id) if q.action_id == action.id]
        await close_question(tx, question, QuestionState.DECIDED)
        await settle_action(tx, action, ActionState.REJECTED, code=AuditCode.ACTION_REJECTED, response={})


async def test_what_was_asked_about_never_lacks_a_place(here: Harness) -> None:
    """An approved action is claimed though the limits were lowered or used up meanwhile."""
    run = await here.asked([send("a")], level=SUPERVISED, **only(cards=1, effects=1))
    (action,) = await actions(here, run)
    async with here.base.store.write() as work:
        await work.runs.change(run.id, ceiling=Limits(cards=0, effects=0, recipients=0))
    async with here.transactions.write() as tx, step_locked(tx, action.step_id, woken=True):
        (question,) = await tx.work.questions.open_of_run(run.id)
        await close_question(tx, question, QuestionState.DECIDED)
        approval = make.approval(question.hash, until=question.expires_at)
        await move_action(tx, action, ActionState.APPROVED, code=AuditCode.ACTION_APPROVED, approval=approval)
    await here.serve()
    assert (await here.action(run)).state is ActionState.COMPLETED


async def test_a_continued_run_has_one_fresh_allowance(here: Harness) -> None:
    """Whatever was used before, its ceiling is that and one allowance more, and nothing of the stop is left."""
    run = await here.asked([send("a"), send("b")], "One.", **only(effects=1, steps=3, recipients=4))
    async with here.base.store.write() as work:
        changes = await renewed(work, run, here.base.clock.now())
        await work.runs.change(run.id, **changes)
    now = await here.run(run.id)
    assert now.ceiling == Limits(effects=2, steps=4, recipients=5)
    assert (now.stopping, now.stopping_at, now.hard_stop, now.hinted) == (None, None, None, ())
