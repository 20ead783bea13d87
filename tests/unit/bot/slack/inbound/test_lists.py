"""The windows of whole lists: what App Home has the beginning of, a part at a time."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest

from bot.domain import ids as names
from bot.domain.actions import ActionState
from bot.domain.questions import QuestionState
from bot.domain.runs import HELD_SOURCE, RunState
from bot.slack.views import ids
from bot.slack.views.home import home
from tests.unit.bot.slack.cases import DANA, MARA, home_view, question_line
from tests.unit.bot.slack.connected import World


def window(world: World, user: str = MARA) -> dict[str, Any]:
    """What this person has open, if anything."""
    return next(iter(world.slack.state["views"].get(user, [])), dict[str, Any]())


def said(world: World) -> str:
    return json.dumps(window(world), ensure_ascii=False)


def codes(world: World) -> list[str]:
    """Of the cards in the window, in order."""
    return re.findall(r'"Card (\w+)"', said(world))


async def turned(world: World, action_id: str, shown: str) -> None:
    """Press a button of the window, and wait for what is in it then."""
    view_id = window(world)["id"]
    await world.slack.act("click", user=MARA, view_id=view_id, action_id=action_id)
    await world.slack.until(lambda: shown in said(world))
    assert window(world)["id"] == view_id


async def waits(world: World, count: int) -> list[str]:
    """So many cards wait for Mara; their codes, the newest first."""
    await world.card()
    for n in range(2, count + 1):
        await world.rows.question(f"qst_{n}")
    return [names.card_code(f"qst_{n}") for n in range(count, 0, -1)]


async def test_all_that_waits_is_listed_in_parts(world: World) -> None:
    """The newest first, each with its card's code, and with the way to the card where it stands."""
    expected = await waits(world, 45)
    await world.click(ids.LIST, "waiting.0")
    await world.slack.until(lambda: "1 to 20 of 45" in said(world))
    assert codes(world) == expected[:20]
    await turned(world, ids.LIST_LATER, "21 to 40 of 45")
    assert codes(world) == expected[20:40]
    await turned(world, ids.LIST_LATER, "41 to 45 of 45")
    await world.slack.until(lambda: "Go to the card" in said(world))
    assert codes(world) == expected[40:]
    assert (said(world).count("Go to the card"), "in a moment" in said(world)) == (1, False)
    assert ids.LIST_LATER not in said(world)
    await turned(world, ids.LIST_EARLIER, "21 to 40 of 45")
    assert codes(world) == expected[20:40]


async def test_the_window_opens_before_links_are_looked_up(world: World) -> None:
    """A click is good for three seconds: the window is there first, and says that they come."""
    await waits(world, 2)
    await world.slack.fault(match={"path": "/api/chat.getPermalink"}, kind="delay", seconds=0.5)
    await world.click(ids.LIST, "waiting.0")
    await world.slack.until(lambda: "The links to the cards come in a moment." in said(world))
    await world.slack.until(lambda: "Go to the card" in said(world))
    assert "1 to 2 of 2" not in said(world)


async def test_a_list_that_became_shorter_shows_its_last_part(world: World) -> None:
    """Where its part is gone by the time of the click; and a list of nothing says so."""
    expected = await waits(world, 21)
    await world.click(ids.LIST, "waiting.40")
    await world.slack.until(lambda: "21 to 21 of 21" in said(world))
    assert codes(world) == expected[20:]
    await world.base.tamper(f"UPDATE questions SET state = '{QuestionState.WITHDRAWN.value}'")
    await turned(world, ids.LIST_EARLIER, "Nothing is left of this list.")


async def test_addresses_are_listed_for_their_owner_alone(world: World) -> None:
    """Who clicks sees a list of their own, whatever the button carries."""
    for n in range(25):
        await world.command(f"allow a{n:02}@x.example")
    await world.click(ids.LIST, "allowed.20")
    await world.slack.until(lambda: "21 to 25 of 25" in said(world))
    assert len(re.findall(r"a\d\d@x.example", said(world))) == 5
    await world.click(ids.LIST, "allowed.0", user=DANA)
    await world.slack.until(lambda: window(world, DANA))
    assert "Nothing is left of this list." in json.dumps(window(world, DANA))


async def test_what_is_scheduled_is_cancelled_in_its_window(world: World) -> None:
    """Each has its Cancel there as on App Home, and the window goes on with what is left."""
    channel = await world.slack.dm(MARA)
    for n in range(22):
        at = world.base.clock.now() + timedelta(hours=n + 1)
        held = {"state": RunState.QUEUED, "source_key": f"{HELD_SOURCE}act_of_{n}", "not_before": at}
        await world.rows.asked(channel, f"1700000000.{n:06}", run_id=f"run_h{n}", is_dm=True, **held)
        await world.rows.action(f"act_{n}", run_id=f"run_h{n}", caption=f"Mail {n}", state=ActionState.APPROVED)
    await world.click(ids.LIST, "held.0")
    await world.slack.until(lambda: "1 to 20 of 22" in said(world))
    assert said(world).count(f'"{ids.HELD_UNDO}"') == 20
    await turned(world, ids.LIST_LATER, "21 to 22 of 22")
    await turned(world, ids.HELD_UNDO, "21 to 21 of 21")
    assert "Mail 20" not in said(world)
    assert "Mail 21" in said(world)
    assert world.base.rows("SELECT state FROM runs WHERE id = 'run_h20'") == [{"state": RunState.CANCELLED.value}]
    await world.click(ids.HELD_UNDO, "run_h21")
    await world.slack.until(lambda: "run.undone" in world.codes()[1:])
    assert "Mail 21" in said(world), "what is pressed elsewhere changes no window"


@pytest.mark.parametrize("value", ["waiting", "waiting.x", "waiting.-1", "votes.0", "waiting.1000000", ""])
def test_what_we_never_made_names_no_list(value: str) -> None:
    """A button's value comes from outside."""
    assert ids.list_of(value) is None


def test_app_home_leads_to_the_whole_list() -> None:
    """Where more waits than it lists, and nowhere else."""
    more = json.dumps(home(home_view(more_questions=8)), ensure_ascii=False)
    assert "… and 8 more" in more
    assert ids.list_value(ids.WAITING, 0) in more
    assert ids.LIST not in json.dumps(home(home_view(questions=[question_line()])))
