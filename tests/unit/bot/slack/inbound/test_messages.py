"""What people say in Slack, over Socket Mode, and what is in the store afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import Choice, QuestionState
from bot.domain.runs import RunState
from bot.runtime.texts import to_people
from bot.slack.views import ids
from tests.unit.bot.slack.cases import DANA, MARA, SALES
from tests.unit.bot.slack.connected import World

BOT = "<@U0CSIGN>"


def said(world: World) -> list[dict[str, Any]]:
    return world.base.rows("SELECT * FROM messages ORDER BY n")


def states(world: World) -> list[str]:
    return [row["state"] for row in world.base.rows("SELECT state FROM runs ORDER BY order_key")]


async def test_a_mention_is_one_message(world: World) -> None:
    """A mention arrives as two events; both carry the same words, and one request comes of them."""
    ts = await world.slack.say(MARA, SALES, f"{BOT} write to <@{DANA}> about `code` & <https://x.example|oak>")
    await world.slack.until(lambda: world.slack.acknowledged() >= 2)
    [message] = said(world)
    assert (message["channel"], message["author"], message["ts"]) == (SALES, MARA, ts)
    assert message["text"] == f"write to <@{DANA}> about `code` & oak (https://x.example)"
    assert message["typed"] == f"write to <@{DANA}> about  & oak"
    assert states(world) == ["queued"]


@pytest.mark.parametrize(
    ("text", "me", "kept"),
    [
        ("Hello\n> quoted words\nthere", False, {"typed": "Hello\nthere", "audience": "owner"}),
        ("wonders what is on tomorrow", True, {"text": "wonders what is on tomorrow", "elements": "[]"}),
    ],
    ids=["with a quote", "with /me"],
)
async def test_a_direct_message(world: World, text: str, me: bool, kept: dict[str, str]) -> None:
    """What is quoted in it does not count as typed; what is said with `/me` is said, and has no blocks."""
    await world.slack.say(MARA, await world.slack.dm(MARA), text, me=me)
    await world.slack.until(lambda: said(world))
    [message] = said(world)
    assert {name: message[name] for name in kept} == kept


async def test_what_was_not_saved_comes_again(world: World) -> None:
    """An event whose commit failed is not acknowledged, and Slack's next delivery is taken."""
    await world.slack.settings(ack_seconds=1.0, retry_seconds=0.3, retries=200)
    with capture_logs() as logged:
        async with world.full("messages"):
            await world.slack.say(MARA, await world.slack.dm(MARA), "once")
            await world.slack.until(lambda: "slack.not_saved" in [entry["event"] for entry in logged])
            assert said(world) == []
    await world.slack.until(lambda: said(world))
    assert states(world) == ["queued"]


async def test_a_request_that_is_edited_and_deleted(world: World) -> None:
    """A request whose text is changed is answered so; one that is deleted is cancelled. Neither is a new message."""
    dm = await world.slack.dm(MARA)
    ts = await world.slack.say(MARA, dm, "once")
    await world.slack.until(lambda: states(world) == ["queued"])
    await world.slack.act("edit", user=MARA, channel=dm, ts=ts, text="once")
    await world.slack.act("edit", user=MARA, channel=dm, ts=ts, text="twice")
    await world.slack.until(lambda: world.base.rows("SELECT * FROM outbox WHERE kind = 'refusal'"))
    assert [row["subject"] for row in world.base.rows("SELECT subject FROM outbox WHERE kind = 'refusal'")] == [
        f"edited:{said(world)[0]['id']}"
    ]
    await world.slack.act("delete", user=MARA, channel=dm, ts=ts)
    await world.slack.until(lambda: states(world) == ["cancelled"])
    assert [message["speaker"] for message in said(world)] == ["person", "agent"]


async def test_a_waiting_card_that_is_deleted_stands_again(world: World) -> None:
    """Somebody deletes a card in Slack: it is posted again with its buttons, and its owner is told. The second one
    that is deleted stays so, and a card that was decided does not come back.
    """
    dm, ts = await world.card()
    deliveries = "SELECT id FROM outbox WHERE kind = 'card'"
    await world.slack.web.delete(dm, ts)
    await world.slack.until(lambda: world.base.rows(deliveries))
    await world.publisher.deliver(world.rows.delivery(DeliveryKind.CARD, "qst_1"))
    [shown] = world.slack.ours(dm)
    assert shown["ts"] != ts
    assert "was deleted while it waited for you" in str(shown["blocks"])
    assert f"'user_id': '{MARA}'" in str(shown["blocks"])
    assert ids.choice_action(Choice.APPROVE) in str(shown["blocks"])
    await world.slack.web.delete(dm, shown["ts"])
    await world.slack.say(MARA, dm, "and then")
    await world.slack.until(lambda: said(world))
    assert len(world.base.rows(deliveries)) == 1


async def test_a_decided_card_that_is_deleted_stays_so(world: World) -> None:
    """Nobody misses a card that needs no answer any more."""
    dm, ts = await world.card()
    await world.base.tamper(f"UPDATE questions SET state = '{QuestionState.DECIDED.value}'")
    await world.slack.web.delete(dm, ts)
    await world.slack.say(MARA, dm, "and then")
    await world.slack.until(lambda: said(world))
    assert world.base.rows("SELECT id FROM outbox WHERE kind = 'card'") == []


async def test_what_steers_is_heard(world: World) -> None:
    """A person who says something to a run at work is told, in the thread and nobody else, that it goes on with it."""
    dm = await world.slack.dm(MARA)
    root = await world.slack.say(MARA, dm, "write to Dana")
    await world.slack.until(lambda: states(world))
    await world.base.tamper(f"UPDATE runs SET state = '{RunState.PLANNING.value}'")
    await world.slack.say(MARA, dm, "and to Theo", thread_ts=root)
    sent = await world.told()
    assert (sent["user"], sent["thread_ts"], sent["text"]) == (MARA, root, to_people.HEARD)


async def test_our_own_messages_start_nothing(world: World) -> None:
    """What we post comes back as an event and is dropped."""
    dm, _ = await world.card()
    await world.slack.say(MARA, dm, "after")
    await world.slack.until(lambda: len(said(world)) > 1)
    assert [message["text"] for message in said(world)] == ["please", "after"]


async def test_the_stop_button(world: World) -> None:
    """Slack's Stop ends the person's runs of the thread and the session's status; a stranger's is refused.

    When nothing runs any more, that is said, and the status goes too.
    """
    ts = await world.slack.say(MARA, SALES, f"{BOT} work")
    await world.slack.until(lambda: states(world))
    await world.slack.web.session_status(SALES, ts, "processing")
    await world.slack.act("stop_session", user=DANA, channel=SALES, thread_ts=ts)
    await world.slack.until(lambda: "Only the person who asked" in str(world.slack.state["ephemerals"]))
    assert (states(world), world.slack.state["sessions"][0]["status"]) == (["queued"], "processing")
    await world.slack.act("stop_session", user=MARA, channel=SALES, thread_ts=ts)
    await world.slack.until(lambda: world.slack.state["sessions"][0]["status"] == "active")
    assert states(world) == ["cancelled"]
    await world.slack.web.session_status(SALES, ts, "processing")
    await world.slack.act("stop_session", user=MARA, channel=SALES, thread_ts=ts)
    await world.slack.until(lambda: "Nothing is running" in str(world.slack.state["ephemerals"]))
    await world.slack.until(lambda: world.slack.state["sessions"][0]["status"] == "active")
