"""Destinations: what is private goes to its owner's DM, and the thread is pointed to it."""

from __future__ import annotations

import json

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import ActionMoved, RunMoved, TextStreamed
from bot.domain.runs import RunState
from bot.runtime.core.ports import DeliveryFailed
from tests.unit.bot.slack.cases import MARA, SALES
from tests.unit.bot.slack.stage import SECRET, Stage


async def test_a_private_run_says_nothing_in_the_channel(stage: Stage) -> None:
    """Text, card, answer and caption of a private run go to the owner's DM under one root; the thread gets a stub."""
    await stage.asked(private=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", f"The mail says {SECRET}"))
    stage.tell(ActionMoved("run_1", "act_1", ActionState.EXECUTING.value, f"Read {SECRET}"))
    dm = await stage.slack.dm(MARA)
    await stage.slack.until(lambda: SECRET in str(stage.texts(dm)))
    await stage.deliver(DeliveryKind.STUB, "run_1")
    await stage.card(reason=SECRET)
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer(f"It says {SECRET}.")
    root, *rest = stage.slack.ours(dm)
    assert all(message["thread_ts"] == root["ts"] for message in rest)
    assert "About your request in" in json.dumps(root)
    [stub] = stage.texts(SALES)
    assert (
        "This uses things that others here may not see, such as your mail or calendar, so I answered you privately."
        in stub
    )
    assert "Go to it" in stub
    assert SECRET not in stage.to_channel()


async def test_a_run_that_becomes_private_while_it_streams(stage: Stage) -> None:
    """What stood in the channel is taken away, and nothing said after that moment ever goes there."""
    await stage.asked()
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Let me look. "))
    await stage.slack.until(lambda: stage.slack.ours(SALES))
    await stage.rows.now(private=True)
    stage.tell(TextStreamed("run_1", SECRET))
    dm = await stage.slack.dm(MARA)
    await stage.slack.until(lambda: SECRET in str(stage.texts(dm)))
    assert stage.slack.ours(SALES) == []
    await stage.answer(f"It says {SECRET}.")
    assert SECRET not in stage.to_channel()


async def test_a_private_card_of_an_open_run(stage: Stage) -> None:
    """A card that shows private things goes to the DM though its run may speak in the channel; another stays there."""
    await stage.asked()
    await stage.card(private=True)
    assert stage.slack.ours(SALES) == []
    await stage.card("qst_2", private=False)
    assert "Send this mail?" in stage.texts(SALES)[0]


async def test_a_card_follows_its_run_into_the_direct_messages(stage: Stage) -> None:
    """A card that stands in the channel is taken away there once its run is private."""
    await stage.asked()
    await stage.card(private=False)
    assert len(stage.slack.ours(SALES)) == 1
    await stage.rows.now(private=True)
    await stage.deliver(DeliveryKind.CARD, "qst_1")
    assert stage.slack.ours(SALES) == []
    assert "Send this mail?" in str(await stage.direct())


async def test_a_private_card_of_an_open_run_is_pointed_to(stage: Stage) -> None:
    """While the run works its thread has one line about the card in the DM; where the answer stands, it goes."""
    await stage.asked()
    for attempts in (1, 1, 2):
        await stage.stub(attempts=attempts)
    [shown] = stage.texts(SALES)
    assert "I asked you about this privately." in shown
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer("Sent it.")
    [shown] = stage.texts(SALES)
    assert "Sent it." in shown
    await stage.stub()
    assert len(stage.texts(SALES)) == 1


async def test_a_run_that_is_private_from_its_start(stage: Stage) -> None:
    """Its thread has a line at once, and at the end the same message says how it ended."""
    await stage.asked(private=True)
    await stage.stub()
    [shown] = stage.texts(SALES)
    assert "I answer you privately" in shown
    await stage.rows.forget_posts()
    await stage.rows.now(private=True, state=RunState.COMPLETED)
    await stage.stub(attempts=2)
    await stage.answer()
    [shown] = stage.texts(SALES)
    assert "I answered you privately" in shown


async def test_a_direct_message_needs_no_pointer(stage: Stage) -> None:
    """Neither does a thread that is gone, and nobody is told about that."""
    asked = await stage.asked(in_dm=True, private=True)
    await stage.stub()
    assert stage.slack.ours(asked.channel) == []
    asked = await stage.asked(private=True, run_id="run_2")
    await stage.slack.act("delete", user=MARA, channel=SALES, ts=asked.root_ts)
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.STUB, "run_2", attempts=attempts)
    assert stage.slack.ours(SALES) == stage.slack.ours(await stage.slack.dm(MARA)) == []


async def test_a_channel_that_takes_no_pointer(stage: Stage) -> None:
    """An answer that stands in the DM is delivered, whether or not the channel takes the line about it."""
    await stage.asked(private=True, state=RunState.COMPLETED)
    stage.slack.emulator.workspace.world.channels[SALES].members.remove("U0CSIGN")
    await stage.answer("Here it is.")
    assert "Here it is." in str(stage.texts(await stage.slack.dm(MARA)))
    with pytest.raises(DeliveryFailed) as failed:
        await stage.stub()
    assert failed.value.retry_after is None
