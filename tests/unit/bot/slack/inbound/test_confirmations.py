"""The window in which a card is checked, over Socket Mode: who sees it, and what is done with what was filled in."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, QuestionState
from bot.runtime.texts import to_people
from bot.slack.views import command, ids
from integrations.base import Field
from policies.types import Unnamed
from tests.unit.bot.slack.cases import MARA, THEO, preview
from tests.unit.bot.slack.connected import World

EVIL = "x@evil.example"
UNNAMED = [
    Unnamed(rule="guard.destination", value=EVIL, shown=EVIL),
    Unnamed(rule="guard.attachment", value="plan.pdf", shown="plan.pdf"),
]


def stands(world: World) -> tuple[str, str]:
    [question], [action] = (world.base.rows(f"SELECT state FROM {table}") for table in ("questions", "actions"))
    return question["state"], action["state"]


WAITS = (QuestionState.OPEN.value, ActionState.AWAITING.value)


async def window(world: World) -> dict[str, Any]:
    """The window of a card that asks about an address and a file."""
    dm, ts = await world.card(unnamed=UNNAMED)
    answer = await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=ids.CONFIRM)
    assert answer["acked"]
    await world.slack.until(lambda: world.slack.state["views"].get(MARA))
    return world.slack.state["views"][MARA][-1]


async def submit(world: World, view: dict[str, Any], typed: str, *, ticked: bool) -> dict[str, Any]:
    chosen = [{"value": "yes"}] if ticked else []
    values = {
        "typed": {"field": {"type": "plain_text_input", "value": typed}},
        "tick_1": {"field": {"type": "checkboxes", "selected_options": chosen}},
    }
    return await world.slack.act("submit", user=MARA, view_id=view["id"], values=values)


@pytest.mark.parametrize(
    ("typed", "ticked", "told"),
    [
        ("x@good.example", True, "“x@good.example” does not match."),
        (EVIL, False, "Tick this"),
        ("y@good.example\n" + EVIL, True, "“y@good.example” is not one of those"),
    ],
)
async def test_what_is_missing_or_differs_stands_at_its_field(
    world: World, typed: str, ticked: bool, told: str
) -> None:
    """Nothing is approved by it, the window stays, and filled in right it approves the card."""
    view = await window(world)
    assert told in str(await submit(world, view, typed, ticked=ticked))
    assert stands(world) == WAITS
    assert world.codes() == ["click.not_confirmed"]
    await submit(world, view, EVIL.upper(), ticked=True)
    assert stands(world) == (QuestionState.DECIDED.value, ActionState.APPROVED.value)
    assert not world.slack.state["views"].get(MARA)


async def test_an_old_press_of_approve_counts_for_nothing(world: World) -> None:
    """A card that still has Approve, or a button that was made up, is refused on the server and says what to press."""
    dm, ts = await world.card()
    verdict = {"decision": "ask", "rule": "guard.unknown", "reason": "", "unnamed": [{"rule": "guard.unknown"}]}
    await world.base.tamper(f"UPDATE actions SET verdict = '{json.dumps(verdict)}'")
    pressed = ids.choice_action(Choice.APPROVE)
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=pressed)
    assert (await world.told())["text"] == to_people.CHECK_FIRST
    assert stands(world) == WAITS
    assert world.codes() == ["click.not_confirmed"]


async def test_only_its_owner_sees_the_window(world: World) -> None:
    """Somebody else who presses the button is told whose card it is, and that is in the log."""
    await world.card(unnamed=UNNAMED)
    value = world.base.rows("SELECT id || '.' || nonce AS value FROM questions")[0]["value"]
    await world.click(ids.CONFIRM, value, user=THEO)
    assert "can decide this" in (await world.told())["text"]
    assert world.slack.calls("views.open") == []
    assert world.codes() == ["click.wrong_person"]


async def test_a_card_that_a_plain_yes_does_for_has_no_such_window(world: World) -> None:
    """A press that was made up opens nothing and approves nothing."""
    dm, _ = await world.card()
    value = world.base.rows("SELECT id || '.' || nonce AS value FROM questions")[0]["value"]
    await world.click(ids.CONFIRM, value, channel=dm)
    assert (await world.told())["text"] != ""
    assert stands(world) == WAITS
    assert world.slack.calls("views.open") == []


async def test_what_came_too_late_says_so_in_the_window(world: World) -> None:
    """The card was decided while the window was open: what came of it stands in its place."""
    view = await window(world)
    await world.base.tamper("UPDATE questions SET state = 'withdrawn'")
    await submit(world, view, EVIL, ticked=True)
    shown = world.slack.state["views"][MARA][-1]
    assert "was withdrawn" in str(shown)
    assert to_people.NOT_CONFIRMED not in str(shown)


async def test_what_was_not_saved_can_be_sent_again(world: World) -> None:
    """The window stays as it is, and says that nothing was saved."""
    view = await window(world)
    async with world.full("audit"):
        assert command.NOT_SAVED in str(await submit(world, view, EVIL, ticked=True))
    assert stands(world) == WAITS


LETTER = "The benches stand in the yard. " * 100 + "The LAST words."
LONG = preview(fields=[Field(label="Body", value=LETTER, long=True)])


async def opened(world: World, user: str) -> dict[str, Any]:
    await world.slack.until(lambda: world.slack.state["views"].get(user))
    return world.slack.state["views"][user][-1]


async def test_what_is_long_is_approved_in_a_window_with_all_of_it(world: World) -> None:
    """There is no Approve; the window that the card's button opens has the last words, and its submit is one vote."""
    dm, ts = await world.card(shows=LONG)
    [message] = world.slack.ours(dm)
    assert ids.choice_action(Choice.APPROVE) not in str(message["blocks"])
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=ids.CONFIRM)
    view = await opened(world, MARA)
    assert "The LAST words." in str(view["blocks"])
    assert stands(world) == WAITS
    sent = [await world.slack.act("submit", user=MARA, view_id=view["id"], values={}) for _ in range(2)]
    assert stands(world) == (QuestionState.DECIDED.value, ActionState.APPROVED.value)
    assert world.codes().count("question.decided") == 1
    assert "Already decided" in str(sent[1]) or not sent[1].get("ok", True)


async def test_an_old_press_of_approve_opens_what_is_long(world: World) -> None:
    """A card of an earlier version still has Approve: its press is refused and logged, and opens the window."""
    dm, ts = await world.card()
    shown = json.dumps(asdict(LONG), separators=(",", ":"))
    await world.base.tamper(f"UPDATE actions SET preview = '{shown}'")
    pressed = ids.choice_action(Choice.APPROVE)
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=pressed)
    view = await opened(world, MARA)
    assert (stands(world), world.codes()) == (WAITS, ["click.not_read"])
    assert world.slack.calls("chat.postEphemeral") == []
    await world.slack.act("submit", user=MARA, view_id=view["id"], values={})
    assert stands(world) == (QuestionState.DECIDED.value, ActionState.APPROVED.value)


async def test_a_window_without_the_text_approves_nothing_long(world: World) -> None:
    """One that was opened by an earlier version, for what nobody named: it says why in its place."""
    view = await window(world)
    body = [{"label": "Body", "value": LETTER, "before": None, "long": True, "aside": False, "destination": False}]
    await world.base.tamper(f"UPDATE actions SET preview = json_set(preview, '$.fields', json('{json.dumps(body)}'))")
    await submit(world, view, EVIL, ticked=True)
    assert stands(world) == WAITS
    assert world.codes() == ["click.not_read"]
    assert "Read and approve" in str(world.slack.state["views"][MARA][-1])


async def test_a_window_without_fields_says_in_its_place_that_nothing_was_saved(world: World) -> None:
    """There is no field to say it at; the card still waits, and its button opens the window again."""
    dm, ts = await world.card(shows=LONG)
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=ids.CONFIRM)
    view = await opened(world, MARA)
    async with world.full("audit"):
        await world.slack.act("submit", user=MARA, view_id=view["id"], values={})
    assert command.NOT_SAVED in str(world.slack.state["views"][MARA][-1])
    assert stands(world) == WAITS
