"""Several deciders in Slack: each reader has a card, what its owner is told before, and a no with a reason."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import CardReminder, DeliveryKind
from bot.domain.questions import Choice, QuestionState
from bot.runtime.core.ports import DeliveryFailed
from bot.runtime.delivery.card import as_read_by
from bot.runtime.delivery.views import ReaderLine
from bot.slack.views import agreement, ids
from bot.slack.views.card import card as card_of
from integrations.base import Field, Preview
from policies.deciders import Approver, Deciders
from tests import builders as make
from tests.unit.bot.slack.cases import DANA, MARA, NOW, TEAM, THEO, card_view, preview
from tests.unit.bot.slack.connected import World

APPROVE = "question_approve"


async def card(world: World, shows: Preview | None = None) -> tuple[str, str]:
    """A card of Mara's to which Dana has to agree, else Theo; where it stands."""
    async with world.base.store.write() as work:
        for user in (DANA, THEO):
            await work.users.seen(make.person(team=TEAM, user=user))
    return await world.card(shows=shows, deciders=(Deciders(approvers=(Approver(user=DANA, stand_in=THEO),)),))


async def shown(world: World, user: str) -> list[dict[str, Any]]:
    """Our messages in this person's DM, once everything is delivered."""
    await world.publisher.deliver(world.rows.delivery(DeliveryKind.CARD, "qst_1"))
    return world.slack.ours(await world.slack.dm(user))


def text_of(message: dict[str, Any]) -> str:
    return json.dumps(message["blocks"], ensure_ascii=False)


async def presses(world: World, user: str, message: dict[str, Any], action_id: str) -> None:
    channel = await world.slack.dm(user)
    clicked = await world.slack.act("click", user=user, channel=channel, message_ts=message["ts"], action_id=action_id)
    assert clicked["acked"]


async def test_the_card_goes_from_one_to_the_next(world: World) -> None:
    """Its owner is told before who sees it next; the approver's card says whose request it is, has everything and no
    Edit; in the end both say once who agreed.
    """
    await card(world)
    [own] = await shown(world, MARA)
    assert "After you, " in text_of(own)
    assert f'"user_id": "{DANA}"' in text_of(own)
    assert await shown(world, DANA) == []
    await presses(world, MARA, own, APPROVE)
    [theirs] = await shown(world, DANA)
    for said in (f'"user_id": "{MARA}"', "You have to agree, too.", "dana@fernhill.example", "ten benches"):
        assert said in text_of(theirs)
    assert ids.EDIT not in text_of(theirs)
    [own] = await shown(world, MARA)
    assert APPROVE not in text_of(own)
    assert "Now it waits for " in text_of(own)
    assert await shown(world, THEO) == []
    await presses(world, DANA, theirs, APPROVE)
    for user in (MARA, DANA):
        [final] = await shown(world, user)
        assert "Approved" in text_of(final)
        assert [text_of(final).count(f'"user_id": "{one}"') for one in (MARA, DANA)] == [1, 1]
        assert '"type": "button"' not in text_of(final)
    assert world.base.rows("SELECT state FROM actions") == [{"state": ActionState.APPROVED.value}]


async def test_what_is_asked_again_says_so_on_the_cards_of_all_who_agreed(world: World) -> None:
    """A rule changed meanwhile, say: nothing is being worked on there any more."""
    await card(world)
    for user in (MARA, DANA):
        [one] = await shown(world, user)
        await presses(world, user, one, APPROVE)
    await shown(world, DANA)
    await world.base.tamper("UPDATE actions SET state = 'awaiting_confirmation'")
    async with world.base.store.write() as work:
        first = await work.questions.find("qst_1")
        assert first is not None
        fresh: dict[str, Any] = {"decision": None, "decided_by": None, "decided_at": None, "reader": None, "turns": ()}
        await work.questions.add(replace(first, id="qst_2", state=QuestionState.OPEN, **fresh))
    await world.publisher.deliver(world.rows.delivery(DeliveryKind.CARD, "qst_2"))
    [theirs] = world.slack.ours(await world.slack.dm(DANA))
    assert "Not done, and asked again." in text_of(theirs)
    assert "Working on it" not in text_of(theirs)
    [own, _] = world.slack.ours(await world.slack.dm(MARA))
    assert "asked again: see the newer card" in text_of(own)


async def test_no_with_a_reason(world: World) -> None:
    """The window asks for it; its owner reads it on their card, with who said it."""
    await card(world)
    [own] = await shown(world, MARA)
    await presses(world, MARA, own, APPROVE)
    [theirs] = await shown(world, DANA)
    await presses(world, DANA, theirs, ids.REJECT_WHY)
    await world.slack.until(lambda: world.slack.state["views"].get(DANA))
    view = world.slack.state["views"][DANA][-1]
    values = {"why": {"field": {"type": "plain_text_input", "value": "Too <dear>."}}}
    await world.slack.act("submit", user=DANA, view_id=view["id"], values=values)
    [own] = await shown(world, MARA)
    assert "Too <dear>." in text_of(own)
    assert "Rejected" in text_of(own)
    assert f'"user_id": "{DANA}"' in text_of(own)
    assert world.base.rows("SELECT state FROM actions") == [{"state": ActionState.REJECTED.value}]
    late = await world.slack.act("submit", user=DANA, view_id=view["id"], values=values)
    assert "Already decided" in str(late) or not late.get("ok", True)


async def test_everything_is_shown_to_readers_alone(world: World) -> None:
    """Show everything opens for whoever's turn it is, not for who comes next; nor does the window for a no."""
    await card(world)
    [own] = await shown(world, MARA)
    value = next(one["value"] for block in own["blocks"] if block["type"] == "actions" for one in block["elements"])
    for user, may in ((DANA, False), (MARA, True)):
        await world.click(ids.SHOW_ALL, value, user=user)
        assert bool(world.slack.state["views"].get(user)) is may
    await world.click(ids.REJECT_WHY, value, user=DANA)
    assert world.codes().count("click.wrong_person") == 2
    await presses(world, MARA, own, APPROVE)
    await world.click(ids.SHOW_ALL, value, user=DANA)
    await world.slack.until(lambda: world.slack.state["views"].get(DANA))


async def test_everything_has_what_the_card_says_around_it(world: World) -> None:
    """The window says who has to agree after its owner, or whose request it is, why it is asked and until when."""
    await card(world)
    [own] = await shown(world, MARA)
    value = next(one["value"] for block in own["blocks"] if block["type"] == "actions" for one in block["elements"])
    await world.click(ids.SHOW_ALL, value, user=MARA)
    await presses(world, MARA, own, APPROVE)
    await shown(world, DANA)
    await world.click(ids.SHOW_ALL, value, user=DANA)
    await world.slack.until(lambda: world.slack.state["views"].get(DANA))
    windows = [json.dumps(world.slack.state["views"][user][-1]) for user in (MARA, DANA)]
    for window, said in zip(windows, ("After you, ", "asks for this and agreed to it."), strict=True):
        assert said in window
        assert "Expires" in window
        assert window.count("Card ") == 1
    assert why_it_is_asked(own) in windows[0]


def why_it_is_asked(message: dict[str, Any]) -> str:
    """What stands first in the card's small print."""
    return json.dumps(message["blocks"][-1]["elements"][0]["text"])


async def test_whoever_has_to_agree_reads_what_is_long(world: World) -> None:
    """The window opens for whose turn it is, and for nobody else; each of its submits is that person's vote."""
    await card(world, preview(fields=[Field(label="Body", value=f"{'word ' * 600}THE-END", long=True)]))
    value = world.base.rows("SELECT id || '.' || nonce AS value FROM questions")[0]["value"]
    await world.click(ids.CONFIRM, value, user=DANA)
    assert world.codes() == ["click.wrong_person"]
    for user in (MARA, DANA):
        message = (await shown(world, user))[-1]
        assert APPROVE not in text_of(message)
        await presses(world, user, message, ids.CONFIRM)
        await world.slack.until(lambda user=user: world.slack.state["views"].get(user))
        view = world.slack.state["views"][user][-1]
        assert "THE-END" in str(view)
        await world.slack.act("submit", user=user, view_id=view["id"], values={})
    assert world.base.rows("SELECT state FROM actions") == [{"state": ActionState.APPROVED.value}]


async def test_a_reminder_stands_in_the_approvers_dm(world: World) -> None:
    """However often it is delivered, with the way to their card; it is gone once they decided, and what is written
    below it is none of the owner's request.
    """
    await card(world)
    [own] = await shown(world, MARA)
    await presses(world, MARA, own, APPROVE)
    [theirs] = await shown(world, DANA)
    dm = await world.slack.dm(DANA)

    async def reminded(attempts: int) -> list[dict[str, Any]]:
        about = str(CardReminder("qst_1", DANA))
        await world.publisher.deliver(world.rows.delivery(DeliveryKind.REMINDER, about, attempts=attempts))
        return [message for message in world.slack.ours(dm) if message["ts"] != theirs["ts"]]

    for attempts in (1, 2):
        [line] = await reminded(attempts)
    assert "Still waiting for your decision" in text_of(line)
    assert f'"user_id": "{MARA}"' in text_of(line)
    assert f"archives/{dm}/p{theirs['ts'].replace('.', '')}" in text_of(line)
    async with world.base.store.read() as work:
        assert await work.posts.run_at(TEAM, dm, line["ts"]) is None
    await presses(world, DANA, theirs, APPROVE)
    assert await reminded(1) == []
    assert len(world.slack.ours(await world.slack.dm(MARA))) == 1


@pytest.mark.parametrize(("error", "tries_again"), [("restricted_action", False), ("token_revoked", True)])
@pytest.mark.parametrize("kind", [DeliveryKind.CARD, DeliveryKind.REMINDER])
async def test_an_approver_who_cannot_be_reached(
    world: World, kind: DeliveryKind, error: str, tries_again: bool
) -> None:
    """Neither their card nor their reminder is a loss of its owner's, for their turn ends. Where Slack takes nothing
    from us at all, it is tried again.
    """
    await card(world)
    [own] = await shown(world, MARA)
    await presses(world, MARA, own, APPROVE)
    await world.slack.fault(match={"path": "chat.postMessage"}, kind="ok_false", error=error)
    about = "qst_1" if kind is DeliveryKind.CARD else str(CardReminder("qst_1", DANA))
    with pytest.raises(DeliveryFailed) if tries_again else nullcontext() as failed:
        await world.publisher.deliver(world.rows.delivery(kind, about))
    if failed:
        assert failed.value.retry_after is not None
    assert world.slack.ours(await world.slack.dm(DANA)) == []


async def deleted(world: World, user: str, message: dict[str, Any]) -> list[dict[str, Any]]:
    """Somebody deletes this message of ours in this person's DM; what stands there then, once Slack told us so and
    everything that is to be delivered was.
    """
    dm = await world.slack.dm(user)
    await world.slack.web.delete(dm, message["ts"])
    before = len(world.base.rows("SELECT id FROM messages"))
    await world.slack.say(MARA, await world.slack.dm(MARA), f"after {before}")  # what comes later was heard later
    await world.slack.until(lambda: len(world.base.rows("SELECT id FROM messages")) > before)
    for _ in world.base.rows("SELECT id FROM outbox WHERE kind = 'card' AND state = 'pending'"):
        await world.publisher.deliver(world.rows.delivery(DeliveryKind.CARD, "qst_1"))
        await world.base.tamper("DELETE FROM outbox WHERE kind = 'card'")
    return world.slack.ours(dm)


async def test_an_approvers_card_that_is_deleted_stands_again(world: World) -> None:
    """It is posted again with its buttons, and they are told, once; their press counts on the new one. What is written
    below either of them is none of the owner's request, and the owner's own card says nothing of it.
    """
    await card(world)
    [own] = await shown(world, MARA)
    await presses(world, MARA, own, APPROVE)
    [theirs] = await shown(world, DANA)
    await world.base.tamper("DELETE FROM outbox WHERE kind = 'card'")
    [again] = await deleted(world, DANA, theirs)
    assert again["ts"] != theirs["ts"]
    assert "was deleted while it waited for you" in text_of(again)
    assert f'"user_id": "{DANA}"' in text_of(again)
    assert APPROVE in text_of(again)
    [own] = await shown(world, MARA)
    assert "was deleted" not in text_of(own)
    dm = await world.slack.dm(DANA)
    async with world.base.store.read() as work:
        assert [await work.posts.run_at(TEAM, dm, one["ts"]) for one in (theirs, again)] == [None, None]
    await presses(world, DANA, again, APPROVE)
    assert world.base.rows("SELECT state FROM actions") == [{"state": ActionState.APPROVED.value}]


@pytest.mark.parametrize("when", ["twice", "its turn is over", "it was decided"])
async def test_an_approvers_card_that_stays_deleted(world: World, when: str) -> None:
    """One that is deleted again, of somebody whose turn is over, or that was decided. The owner's is posted again, also
    after that of an approver was.
    """
    await card(world)
    [own] = await shown(world, MARA)
    await presses(world, MARA, own, APPROVE)
    [theirs] = await shown(world, DANA)
    await world.base.tamper("DELETE FROM outbox WHERE kind = 'card'")
    if when == "twice":
        [theirs] = await deleted(world, DANA, theirs)
    elif when == "its turn is over":
        await world.base.tamper(f"UPDATE questions SET reader = '{THEO}'")
    else:
        await world.base.tamper("UPDATE questions SET state = 'decided'")
    assert await deleted(world, DANA, theirs) == []
    if when == "twice":
        [owners] = await deleted(world, MARA, own)
        assert "was deleted while it waited for you" in text_of(owners)


def read_by(user: str, *deciders: Deciders, **changes: Any) -> str:
    """What this person reads on their card: JONAS said nothing in his turn, and LUIS stands in for him."""
    over = ReaderLine(user="JONAS", said=None, turn_ends_at=NOW)
    turns = (over, ReaderLine(user="LUIS", said=changes.pop("said", None), turn_ends_at=NOW + timedelta(hours=1)))
    field = Field(label="Subject", value="Ten benches")
    view = card_view(deciders=deciders, readers=turns, reader="LUIS", preview=preview(fields=[field]), **changes)
    return text_of({"blocks": list(card_of(as_read_by(view, user)).blocks)})


FOR_JONAS = Approver(user="JONAS", stand_in="LUIS")


@pytest.mark.parametrize(
    ("deciders", "said", "stands_in"),
    [
        (Deciders(approvers=(FOR_JONAS,)), "You have to agree, too.", True),
        (Deciders(approvers=(FOR_JONAS, Approver(user="PRIYA"))), "Others have to agree, too, and now you are", True),
        (Deciders(approvers=(Approver(user="LUIS"),)), "You have to agree, too.", False),
    ],
)
def test_who_is_asked_reads_whether_it_takes_them_and_for_whom(deciders: Deciders, said: str, stands_in: bool) -> None:
    """Where one of several is enough nobody has to; and a stand-in is asked in somebody's place."""
    words = read_by("LUIS", deciders)
    assert said in words
    assert ("You stand in for " in words) is stands_in


def test_whose_turn_is_over_sees_the_title_alone_in_the_end_too() -> None:
    """They decided nothing of what others agreed to."""
    final: dict[str, Any] = {"state": QuestionState.DECIDED, "decision": Choice.APPROVE, "said": Choice.APPROVE}
    for user, sees in (("JONAS", False), ("LUIS", True)):
        assert ("Ten benches" in read_by(user, Deciders(approvers=(FOR_JONAS,)), **final)) is sees
        assert ("Ten benches" in read_by(user, Deciders(approvers=(FOR_JONAS,)))) is sees


@pytest.mark.parametrize(
    ("needed", "said"),
    [
        (1, "After you, one of LUIS and PRIYA has to agree, too: one yes is enough."),
        (2, "After you, LUIS and PRIYA have to agree, too. They see this card one after the other."),
    ],
)
def test_where_one_yes_is_enough_nobody_is_said_to_come_after_the_other(needed: int, said: str) -> None:
    """Who comes second is asked only where the first says nothing."""
    deciders = Deciders(approvers=(Approver(user="LUIS"), Approver(user="PRIYA")), needed=needed)
    (block,) = agreement.others(card_view(deciders=(deciders,)))
    lines: Any = block["elements"]
    text = "".join(one.get("text") or one["user_id"] for one in lines[0]["elements"])
    assert text.startswith(said)
    assert ("one after the other" in text) is (needed == 2)
