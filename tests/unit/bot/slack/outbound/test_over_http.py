"""What Slack shows of requests over HTTP: what waits for their owner, and what they can undo, in their DM."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from bot.domain.actions import ActionState, Undo
from bot.domain.deliveries import DeliveryKind, certainly_before
from bot.domain.events import ActionMoved, RunMoved, TextStreamed, TextVoided, ThoughtStreamed
from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.runs import RunState
from tests.unit.bot.slack.cases import MARA
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import Stage, staged

ROOT = "About your request in an application."
QUIET = {"conversations.open", "conversations.replies", "conversations.history", "auth.test", "chat.getPermalink"}
"""The calls that show nobody anything."""


def said(stage: Stage) -> list[str]:
    """The calls of Slack that show somebody something."""
    methods = [entry["path"].partition("?")[0].removeprefix("/api/") for entry in stage.slack.entries()]
    return [one for one in methods if not one.startswith("/__") and one not in QUIET and one != ""]


async def below_root(stage: Stage, root: str = ROOT) -> list[str]:
    """What stands in the owner's DM below the one line that says what it is about."""
    first, *rest = stage.slack.ours(await stage.slack.dm(MARA))
    assert root in json.dumps(first)
    assert all(one["thread_ts"] == first["ts"] for one in rest)
    return [json.dumps(one.get("blocks") or one["text"]) for one in rest]


# Nothing --------------------------------------------------------------------------------------------------------------


async def test_its_work_is_not_shown(stage: Stage) -> None:
    """No stream, no status, no message about agents, while it works and when it ends, however it ends."""
    await stage.rows.asked_over_http()
    for state in (RunState.QUEUED, RunState.PLANNING):
        stage.tell(RunMoved("run_1", state, begun_in=1 if state is RunState.PLANNING else None))
    stage.tell(TextStreamed("run_1", "I look. "), ThoughtStreamed("run_1", "Hm."), TextVoided("run_1"))
    stage.tell(ActionMoved("run_1", "act_1", ActionState.EXECUTING.value, "Look"))
    stage.tell(RunMoved("run_2", RunState.QUEUED, root="run_1"), RunMoved("run_2", RunState.PLANNING, root="run_1"))
    stage.tell(ThoughtStreamed("run_2", "Hm.", root="run_1"), RunMoved("run_1", RunState.EXECUTING))
    await stage.at_rest()
    for state in (RunState.COMPLETED, RunState.FAILED, RunState.PAUSED, RunState.CANCELLED):
        stage.tell(RunMoved("run_1", state))
        await stage.rows.now(state=state, error="It broke.")
        await stage.answer()
        await stage.answer(attempts=2)
    for kind in (DeliveryKind.STUB, DeliveryKind.AGENTS):
        for attempts in (1, 2):
            await stage.deliver(kind, "run_1", attempts=attempts)
    await stage.at_rest()
    assert said(stage) == []
    assert await stage.direct() == []


async def test_it_slows_nobody_down(stage: Stage) -> None:
    """What is not shown takes no share of what Slack lets us write: others stream as if it were not there."""
    await stage.rows.asked_over_http(run_id="run_http")
    stage.tell(RunMoved("run_http", RunState.PLANNING), TextStreamed("run_http", "I look. "))
    asked = await stage.streaming("Let me see. ")
    assert "Let me see." in str(stage.texts(asked.channel))
    assert "I look." not in str(stage.texts(asked.channel))


# What waits for its owner ---------------------------------------------------------------------------------------------


async def test_a_card_stands_below_one_line(stage: Stage) -> None:
    """However many there are and however often each is delivered."""
    await stage.rows.asked_over_http(state=RunState.AWAITING)
    await stage.card()
    await stage.card(attempts=2)
    await stage.card("qst_2")
    cards = await below_root(stage)
    assert len(cards) == 2
    assert all("approve" in card for card in cards)


async def test_one_line_for_each_request(stage: Stage) -> None:
    """Also where a line was posted and its row got lost."""
    await stage.rows.asked_over_http(state=RunState.AWAITING)
    await stage.card()
    await stage.rows.forget_posts()
    await stage.card(attempts=2)
    assert len(await below_root(stage)) == 1


@pytest.mark.parametrize("written_down", [True, False])
async def test_a_card_that_was_decided(stage: Stage, written_down: bool) -> None:
    """It is changed where it stands, also where that was not written down."""
    await stage.rows.asked_over_http(state=RunState.AWAITING)
    await stage.card()
    if not written_down:
        await stage.rows.forget_posts()
    await stage.card(state=QuestionState.WITHDRAWN, attempts=1 if written_down else 2)
    (card,) = await below_root(stage)
    assert "approve" not in card


async def test_a_card_whose_line_was_deleted(stage: Stage) -> None:
    """It is shown at the top of the DM."""
    await stage.rows.asked_over_http(state=RunState.AWAITING)
    await stage.card()
    dm = await stage.slack.dm(MARA)
    root = stage.slack.ours(dm)[0]
    await stage.slack.act("delete", user=MARA, channel=dm, ts=root["ts"])
    await stage.card("qst_2")
    assert any("approve" in text for text in await stage.direct())


async def test_a_notice_with_undo(stage: Stage) -> None:
    """What was remembered is told, with its button; nothing else of the request is."""
    await stage.rows.asked_over_http()
    await stage.rows.action(undo=Undo("memory", "mem_1"), state=ActionState.COMPLETED)
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.NOTICE, "act_1", attempts=attempts)
    (notice,) = await below_root(stage)
    assert "undo" in notice


async def test_a_reminder(stage: Stage) -> None:
    """It leads to the card."""
    await stage.rows.asked_over_http(state=RunState.AWAITING)
    expires = stage.rows.base.clock.now() + timedelta(hours=12)
    await stage.card(expires_at=expires)
    await stage.deliver(DeliveryKind.REMINDER, "qst_1")
    reminder = (await stage.direct())[-1]
    assert "12 hours left" in reminder
    assert f"archives/{await stage.slack.dm(MARA)}" in reminder


async def test_a_loss(stage: Stage) -> None:
    """What could not be shown is told, with the id to quote, once."""
    await stage.rows.asked_over_http(state=RunState.AWAITING)
    await stage.rows.question()
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.LOSS, "card:qst_1", attempts=attempts)
        await stage.rows.forget_posts()
    (loss,) = await stage.direct()
    assert "run_1" in loss


async def test_what_was_posted_before_is_looked_for_from_the_request_on(stage: Stage) -> None:
    """A request over HTTP has no place of Slack's, but a moment; without it all of a DM would be looked through."""
    place = await stage.rows.asked_over_http(state=RunState.AWAITING)
    assert place.request_ts == certainly_before(stage.rows.base.clock.now())
    await stage.card(attempts=2)
    await stage.deliver(DeliveryKind.LOSS, "card:qst_1", attempts=2)
    looks = [*stage.slack.calls("conversations.history"), *stage.slack.calls("conversations.replies")]
    assert looks
    assert {look.get("oldest") for look in looks} == {place.request_ts}


async def test_a_question_of_a_tool(stage: Stage) -> None:
    """It can be answered by its buttons, too."""
    await stage.rows.asked_over_http(state=RunState.AWAITING)
    await stage.card(kind=QuestionKind.ANSWER)
    (card,) = await below_root(stage)
    assert "None of these" in card


async def test_the_application_has_a_name(slack: Slack, rows: Rows) -> None:
    """It stands in the first line, in one line, as plain text."""
    async with staged(slack, rows, application="Fernhill *CRM*\n<!channel>") as stage:
        await stage.rows.asked_over_http(state=RunState.AWAITING)
        await stage.card()
        root = slack.ours(await slack.dm(MARA))[0]
    assert "\n" not in root["text"]
    assert "<!channel>" not in root["text"]
    assert "About your request in Fernhill" in root["text"]
    assert {block["type"] for block in root["blocks"]} == {"rich_text"}  # whose texts are shown as they are
