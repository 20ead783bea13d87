"""Outcomes: what came of a request, in every state that it can be in."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agents import reader
from bot.domain.actions import Undo
from bot.domain.connections import REFUSED
from bot.domain.limits import Limits
from bot.domain.questions import Choice, QuestionKind
from bot.domain.retention import Outdated
from bot.domain.runs import SILENCE, FollowUp, Mode, RunState
from bot.llm.model import ModelUnavailable
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.limits.stops import DEADLINE
from bot.runtime.over_http.outcomes import Outcome, Status
from bot.runtime.questions import expiry
from bot.runtime.runs import undo
from bot.runtime.runs.stop import stop
from bot.runtime.texts import about_plans, about_requests, to_people
from integrations.base import Field, Option, Preview, ToolQuestion
from integrations.errors import Lack, NotConnected
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.over_http.desk import LOOK, OTHER, SEND, Desk, desk
from tests.unit.bot.runtime.scripted import FOUND, MODEL

SUPERVISED = TrustLevel.SUPERVISED
WHICH = ToolQuestion(
    text="Which Helen?", options=[Option(value="h1", label="Helen Marsh"), Option(value="h2", label="Wu")]
)
ASK = [("calendar_search", {"text": "Helen"})]


def shape(outcome: Outcome) -> tuple[Status | None, Mode, RunState, str]:
    return outcome.status, outcome.mode, outcome.state, outcome.stop_reason


# Done -----------------------------------------------------------------------------------------------------------------


async def test_words(at: Desk) -> None:
    """An answer alone: no tool was called, so its message names it."""
    taken = await at.asked("It goes on Friday.")
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.COMPLETED, Mode.TEXT, RunState.COMPLETED, "")
    assert (outcome.text, outcome.model, outcome.call, outcome.waiting) == ("It goes on Friday.", MODEL, None, [])
    assert outcome.step == (await at.messages(taken.thread_id))[-1].id
    assert outcome.thread_id == taken.thread_id


async def test_what_was_done(at: Desk) -> None:
    """The newest action names it, with its arguments."""
    taken = await at.asked(LOOK, SEND, "Sent.")
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.COMPLETED, Mode.TOOL, RunState.COMPLETED, "")
    (newest,) = at.here.base.rows("SELECT id FROM actions WHERE tool = 'gmail_send'")
    assert (outcome.step, outcome.call) == (newest["id"], ("gmail_send", {"text": "it"}))


async def test_a_call_whose_arguments_are_too_long_to_be_kept(at: Desk) -> None:
    """They were invalid; what came of the request is told without them."""
    taken = await at.asked([("gmail_search", {"text": "it", "more": "x" * 70_000})], "It cannot be looked up.")
    outcome = await at.outcome(taken)
    assert (outcome.text, outcome.call) == ("It cannot be looked up.", ("gmail_search", None))


@pytest.mark.parametrize("depth", [200, 600, 900])
async def test_a_call_whose_arguments_are_too_deep_to_be_told(at: Desk, depth: int) -> None:
    """A model made up arguments that no writer of JSON could write again."""
    deep: dict[str, object] = {}
    for _ in range(depth):
        deep = {"a": deep}
    taken = await at.asked([("gmail_search", {"text": deep})], "It cannot be looked up.")
    outcome = await at.outcome(taken)
    assert (outcome.text, outcome.call) == ("It cannot be looked up.", ("gmail_search", None))


async def test_what_was_only_tried(at: Desk) -> None:
    """What was rejected was not done."""
    taken = await at.asked(SEND, "Then not.", level=SUPERVISED)
    await at.here.click((await at.questions(taken.run_id))[0], Choice.REJECT)
    await at.serve(taken)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.COMPLETED, Mode.TEXT, RunState.COMPLETED, "")
    assert outcome.text == "Then not."


async def test_a_click_after_which_nothing_was_said(at: Desk) -> None:
    """What was done is told then; an outcome is never empty."""
    taken = await at.asked(SEND, "", level=SUPERVISED)
    await at.here.approve(await at.run(taken))
    await at.serve(taken)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.COMPLETED, Mode.TOOL, RunState.COMPLETED, "")
    assert outcome.text == "Done.\n• Did it"


@pytest.mark.parametrize("is_taken_back", [True, False])
async def test_what_came_of_what_was_scheduled(at: Desk, monkeypatch: pytest.MonkeyPatch, is_taken_back: bool) -> None:
    """While it waits the answer is what announced it; then it ends with what came of that. What was taken back was not
    done.
    """
    monkeypatch.setattr(at.here.effect, "hold", timedelta(seconds=30))
    taken = await at.asked(SEND, "It goes out in half a minute.")
    waits = await at.outcome(taken)
    assert (shape(waits)[:2], waits.text) == ((Status.COMPLETED, Mode.TOOL), "It goes out in half a minute.")
    (asked,) = at.here.base.rows("SELECT undo FROM actions WHERE undo IS NOT NULL")
    if is_taken_back:
        click = ButtonClick(team=TEAM, user=DANA, value=Undo.parse(asked["undo"]).subject)
        assert (await undo.undo_deferred(at.here.transactions, click)).accepted
    at.here.base.clock.advance(31)
    await at.serve(taken)
    outcome = await at.outcome(taken)
    end, mode = ("Undone. Nothing was sent.", Mode.TEXT) if is_taken_back else ("Done.", Mode.TOOL)
    assert (shape(outcome)[:2], outcome.call) == ((Status.COMPLETED, mode), waits.call)
    assert outcome.text == f"It goes out in half a minute.\n→ Do it: {end}"
    assert len(at.here.effect.calls) == (not is_taken_back)


async def test_it_failed(at: Desk) -> None:
    """It says so in words, may be tried again, and has an id even where the model was never asked."""
    taken = await at.says()
    await at.fails(taken)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.FAILED, Mode.TEXT, RunState.FAILED, "")
    assert (outcome.text, outcome.step) == ("A defect.", (await at.messages(taken.thread_id))[-1].id)
    assert outcome.offered is FollowUp.TRY_AGAIN


async def test_the_model_was_away(at: Desk) -> None:
    """What was done until then is told, and what can be done meanwhile: where it was asked are no buttons."""
    taken = await at.asked(SEND, *[ModelUnavailable("away")] * 9)
    outcome = await at.outcome(taken)
    assert outcome.status is Status.FAILED
    assert outcome.mode is Mode.TOOL
    assert "what waits for you in Slack can be decided meanwhile" in outcome.text
    assert "button" not in outcome.text


# Stopped --------------------------------------------------------------------------------------------------------------


async def test_it_was_stopped(at: Desk) -> None:
    taken = await at.asked(SEND, level=SUPERVISED)
    async with at.here.transactions.write() as tx:
        await stop(tx, await tx.work.runs.find(taken.run_id), by=DANA)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.FAILED, Mode.TEXT, RunState.CANCELLED, "cancelled")
    assert outcome.text
    assert outcome.offered is None


async def test_at_a_limit(at: Desk) -> None:
    """It says at which one, and can be continued."""
    at.limits = Limits(steps=1)
    taken = await at.asked(LOOK, "Never said.")
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.FAILED, Mode.TOOL, RunState.PAUSED, "steps")
    assert outcome.offered is FollowUp.CONTINUE
    assert outcome.text


async def test_in_silence(at: Desk) -> None:
    taken = await at.asked(SEND, level=SUPERVISED)
    at.here.base.clock.advance(timedelta(days=8).total_seconds())
    await expiry.tick(at.here.transactions)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.FAILED, Mode.TEXT, RunState.PAUSED, SILENCE)
    assert (outcome.offered, outcome.waiting) == (FollowUp.CONTINUE, [])
    assert outcome.text


async def test_at_its_deadline(at: Desk) -> None:
    taken = await at.says()
    await at.here.change_run(taken.run_id, deadline_at=at.now + timedelta(seconds=1))
    at.here.base.clock.advance(5)
    await at.serve(taken)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.FAILED, Mode.TEXT, RunState.PAUSED, DEADLINE)
    assert outcome.text


async def test_what_is_asked_names_the_deadline_where_that_is_before_its_own_end(at: Desk) -> None:
    taken = await at.asked([*LOOK, *SEND], level=SUPERVISED)
    until = at.now + timedelta(minutes=3)
    await at.here.change_run(taken.run_id, deadline_at=until)
    (one,) = (await at.outcome(taken)).waiting
    assert one.expires_at == until


# Waiting --------------------------------------------------------------------------------------------------------------


async def test_an_approval(at: Desk) -> None:
    """It is named by the action that waits, with what its card shows."""
    taken = await at.asked([*LOOK, *SEND], level=SUPERVISED)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.AWAITING, Mode.APPROVAL, RunState.AWAITING, "")
    (question,) = await at.questions(taken.run_id)
    (one,) = outcome.waiting
    assert (one.id, one.kind, one.action_id, one.tool) == (
        question.id,
        QuestionKind.APPROVE,
        question.action_id,
        "gmail_send",
    )
    assert (outcome.step, outcome.call) == (question.action_id, ("gmail_send", {"text": "it"}))
    assert (one.title, one.preview, one.expires_at, one.card) == (
        "Do it?",
        "Do it?\nWhat: it",
        question.expires_at,
        None,
    )
    assert one.reason
    assert outcome.text == "Waiting for your decision in Slack: Do it?"


async def test_a_question_in_words(at: Desk) -> None:
    """It is an answer to the prompt, told whole."""
    at.here.asking.inquiries = [WHICH]
    outcome = await at.outcome(await at.asked(ASK))
    assert shape(outcome) == (Status.COMPLETED, Mode.TEXT, RunState.AWAITING, "")
    assert outcome.text == "Which Helen?\n1. Helen Marsh\n2. Wu"


PICTURE = "![Helen](https://evil.example/p.png)"
"""A name that somebody gave themselves: whoever shows it as Markdown asks their server for a picture."""


@pytest.mark.parametrize("where", ["question", "label", "detail"])
async def test_a_question_holds_no_link_of_others(at: Desk, where: str) -> None:
    """People are asked by names that others chose: as in an answer, addresses in them are code."""
    texts = {"question": "Which?", "label": "Helen", "detail": "of Marsh"} | {where: PICTURE}
    option = Option(value="h1", label=texts["label"], detail=texts["detail"])
    at.here.asking.inquiries = [ToolQuestion(text=texts["question"], options=[option])]
    outcome = await at.outcome(await at.asked(ASK))
    assert "![Helen] (`https://evil.example/p.png`)" in outcome.text
    assert "](" not in outcome.text


async def test_what_was_done_holds_no_link_of_others(at: Desk) -> None:
    """A request that ended without words lists what was done, in which there are words of the model and titles of
    others; also where nobody can see what it said.
    """
    for said in ("", "\u200b"):
        at.here.effect.outcomes = [replace(FOUND, summary=f"Did {PICTURE}")]
        outcome = await at.outcome(await at.asked([("gmail_send", {"text": PICTURE})], said))
        assert outcome.text == "Done.\n• Did ![Helen] (`https://evil.example/p.png`)"


async def test_what_came_of_what_was_scheduled_holds_none(at: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does what came of a mail, behind code that the answer before it left open."""
    monkeypatch.setattr(at.here.effect, "hold", timedelta(seconds=30))
    taken = await at.asked([("gmail_send", {"text": f"\n```\n{PICTURE}"})], "It goes out.\n```\nlater")
    at.here.base.clock.advance(31)
    await at.serve(taken)
    assert "](" not in (await at.outcome(taken)).text


async def test_the_name_of_a_tool_that_there_is_not_is_no_link(at: Desk) -> None:
    """A model makes it up."""
    outcome = await at.outcome(await at.asked([(PICTURE, {})]))
    assert outcome.status is Status.FAILED
    assert "evil.example" in outcome.text
    assert "](" not in outcome.text


async def test_a_text_brings_no_fields_of_its_own(at: Desk) -> None:
    """What is to be approved is told line by line; what a value has after its first line is indented."""
    preview = Preview(title="Send this mail?", fields=[Field(label="Body", value="Hi\nTo: helen@example.com")])
    preview = replace(preview, warnings=["The subject says “a\u2028Not checked: b”."])
    at.here.effect.previews = [preview]
    (one,) = (await at.outcome(await at.asked(SEND, level=SUPERVISED))).waiting
    assert one.preview.splitlines() == [
        "Send this mail?",
        "Body: Hi",
        "  To: helen@example.com",
        "Warning: The subject says “a",
        "  Not checked: b”.",
    ]


async def test_what_was_not_checked_says_so_itself(at: Desk) -> None:
    """As on a card: “Not checked: Conflicts were checked …” would say both."""
    left_out = "Conflicts were checked until Fri 19 Feb 2027 only."
    at.here.effect.previews = [Preview(title="Create this event?", fields=[], unchecked=[left_out])]
    (one,) = (await at.outcome(await at.asked(SEND, level=SUPERVISED))).waiting
    assert one.preview == f"Create this event?\n{left_out}"


async def test_an_approval_beside_a_question(at: Desk) -> None:
    """Both are told in the order of their calls; what is to be approved names it."""
    at.here.asking.inquiries = [WHICH]
    taken = await at.asked([*ASK, *SEND], level=SUPERVISED)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.AWAITING, Mode.APPROVAL, RunState.AWAITING, "")
    assert [one.kind for one in outcome.waiting] == [QuestionKind.ANSWER, QuestionKind.APPROVE]
    assert outcome.step == outcome.waiting[1].action_id
    assert outcome.text == "Which Helen?\n1. Helen Marsh\n2. Wu\nWaiting for your decision in Slack: Do it?"


async def test_two_approvals(at: Desk) -> None:
    """In the order of the calls, whatever the order of their questions."""
    taken = await at.asked([*OTHER, *SEND], level=SUPERVISED)
    outcome = await at.outcome(taken)
    assert [one.tool for one in outcome.waiting] == ["calendar_event_create", "gmail_send"]
    assert outcome.call == ("calendar_event_create", {"text": "that"})


@pytest.fixture
def connects(at: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Where accounts can be connected."""
    monkeypatch.setattr(type(at.here.effect), "provider", "google")
    runner = at.here.runner
    evaluator, executor = replace(runner.evaluator, connects=True), replace(runner.executor, connects=True)
    at.here.runner = replace(runner, evaluator=evaluator, executor=executor)
    return at


async def test_an_account_to_connect(connects: Desk) -> None:
    """It is no approval; it is done in Slack, too."""
    at = connects
    at.here.effect.previews = [NotConnected(Lack.ACCOUNT, "No account.", missing=frozenset({"mail"}))]
    taken = await at.asked(SEND)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.AWAITING, Mode.TEXT, RunState.AWAITING, "")
    assert [one.kind for one in outcome.waiting] == [QuestionKind.CONNECT]
    assert outcome.text.startswith("Waiting for you in Slack: ")
    assert not outcome.waiting[0].is_approval


async def test_two_requests_that_lack_the_same_account(connects: Desk) -> None:
    """One card asks for both; what waits without a card of its own is told all the same."""
    at = connects
    lost = make.connection(account="a1", scopes=frozenset({"mail"}), status=REFUSED)
    async with at.here.base.store.write() as work:
        await work.connections.save(lost, at=at.now)
    at.here.effect.previews = [NotConnected(Lack.CREDENTIALS, "Gone.", missing=frozenset({"mail"}))] * 2
    first, second = [await at.outcome(await at.asked(SEND)) for _ in range(2)]
    assert [len(outcome.waiting) for outcome in (first, second)] == [1, 0]
    assert (first.status, second.status) == (Status.AWAITING, Status.AWAITING)
    assert second.text == about_requests.WAITS


async def test_what_may_have_happened(at: Desk) -> None:
    """It is not known, so only its owner can say; it is no approval."""
    taken = await at.asked(OTHER, level=SUPERVISED)
    (question,) = await at.questions(taken.run_id)
    at.here.blind.outcomes = [TimeoutError("no answer")]
    await at.here.click(question)
    await at.serve(taken)
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.AWAITING, Mode.TEXT, RunState.AWAITING, "")
    assert [one.kind for one in outcome.waiting] == [QuestionKind.SETTLE]
    assert "it is not known whether this happened" in outcome.text


async def test_a_plan_to_confirm(at: Desk) -> None:
    """Its card asks whether all of it may be done."""
    task = {"title": "Look for benches", "goal": "Benches are found."}
    taken = await at.asked([("propose_plan", {"tasks": [task]})], text="plan: benches")
    outcome = await at.outcome(taken)
    assert shape(outcome) == (Status.AWAITING, Mode.APPROVAL, RunState.AWAITING, "")
    assert outcome.text.startswith("Waiting for you to confirm the plan in Slack: ")
    (waits,) = outcome.waiting
    assert (waits.is_approval, waits.reason) == (True, about_plans.ASKED_BECAUSE)


async def test_while_it_works(at: Desk) -> None:
    """It has no status yet, and no words."""
    async with at.at_work() as taken:
        outcome = await at.outcome(taken)
        assert shape(outcome) == (None, Mode.TEXT, RunState.PLANNING, "")
        assert (outcome.text, outcome.rests, outcome.step) == ("", False, taken.run_id)
    assert (await at.outcome(taken)).rests


# Agents ---------------------------------------------------------------------------------------------------------------

SCOUT = """
name: meeting_brief
description: Finds what was said about a topic.
inputConfig: {inputs: {topic: {description: What., type: string, required: true}}}
outputConfig: {outputName: report, description: What was found., schema: {type: string}}
promptConfig: {query: "Find ${topic}.", systemPrompt: You look.}
toolConfig: {tools: [gmail_search, gmail_send]}
runConfig: {max_turns: 4}
"""
GIVE = ("meeting_brief", {"topic": "benches"})


@pytest.fixture
async def with_agent(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with desk(tmp_path, agents=[reader.read(SCOUT, "an agent", suffix=".yaml").definition]) as made:
        yield made


async def test_what_an_agent_asks(with_agent: Desk) -> None:
    """It stands where its call does: behind what was called before, and before what was called after."""
    at = with_agent
    taken = await at.asked([*OTHER, GIVE, *SEND], SEND, level=SUPERVISED)
    outcome = await at.outcome(taken)
    assert [one.tool for one in outcome.waiting] == ["calendar_event_create", "gmail_send", "gmail_send"]
    rows = {row["id"]: row["run_id"] for row in at.here.base.rows("SELECT id, run_id FROM actions")}
    assert [rows[one.action_id] == taken.run_id for one in outcome.waiting] == [True, False, True]
    child = next(run for run in rows.values() if run != taken.run_id)
    assert await at.known(child) is None


# What is forgotten ----------------------------------------------------------------------------------------------------


async def forget(at: Desk, what: Outdated, *keys: str) -> None:
    async with at.here.transactions.write() as tx:
        await tx.work.retention.forget(what, keys)


async def test_what_is_not_kept_any_more_is_said_to_be_so(at: Desk) -> None:
    """First what was done goes, and then the words: the rest must not read as if nothing had been done, or failed."""
    done = await at.asked(LOOK, SEND, "Sent.")
    failed = await at.asked(ModelUnavailable("refused"), text="and now")
    nothing = await at.says("never begun")
    async with at.here.transactions.write() as tx:
        await stop(tx, await tx.work.runs.find(nothing.run_id), by=DANA)
    await at.serve(nothing)
    runs = [one.run_id for one in (done, failed, nothing)]
    await forget(at, Outdated.STEPS, *runs)
    early = await at.outcome(done)
    assert (early.text, early.mode, early.call) == ("Sent.", Mode.TEXT, None)
    words = [message.id for one in (done, failed, nothing) for message in await at.messages(one.thread_id)]
    await forget(at, Outdated.ANSWERS, *runs)
    assert (await at.outcome(nothing)).text.startswith("Stopped")
    await forget(at, Outdated.MESSAGES, *words)
    for one in (done, failed, nothing):
        assert (await at.outcome(one)).text == to_people.NOT_KEPT


# Whose it is ----------------------------------------------------------------------------------------------------------


async def test_it_is_nobody_elses(at: Desk) -> None:
    """Neither another person's, nor another workspace's, nor one that was asked in Slack, nor one that never was."""
    taken = await at.asked()
    in_slack = await at.here.request()
    assert await at.known(taken.run_id) is not None
    assert await at.known(taken.run_id, user=MARA) is None
    assert await at.known(taken.run_id, team="T2") is None
    assert await at.known(in_slack.id) is None
    assert await at.known("run_none") is None
