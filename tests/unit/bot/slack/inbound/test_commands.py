"""`/agent` over Socket Mode: what it answers, and what it changes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.domain.runs import RunState
from bot.slack.views import command, trust_form
from policies.types import TrustLevel
from tests.unit.bot.slack.cases import DANA, MARA, SALES, TEAM, THEO, reminder
from tests.unit.bot.slack.connected import World

COMMANDS = {
    "": "I show you a card",
    "help": "I show you a card",
    "nonsense <!channel>": "I do not know “nonsense",
    "status": "Your trust level is `supervised`",
    "trust": "Your trust level is `supervised`",
    "trust high": f"There is no trust level “high”. Choose one of: {', '.join(TrustLevel)}.",
    "guard": "The guard is set to `enforce`. Where something would reach",
    "guard <!channel>": "Choose one of: enforce, shadow, off. Nothing was changed.",
    "allow": "Tell me one address",
    "allow dana": "“dana” is not a mail address. Type one like dana@example.com. Nothing was changed.",
    "allow dana@fernhill.example": "is on your list",
    "allow remove": "`/agent disallow` takes one off the list",
    "allow remove x@y.example": "is not on your list; /agent allow shows it. Nothing was changed",
    "disallow": "*Your list:* empty",
    "disallow <!channel>": "is not on your list; /agent allow shows it. Nothing was changed",
    "stop": "Nothing of yours is running",
    "schedule": "Nothing is planned",
    f"schedule page {'9' * 5_000}": "Nothing is planned",
    f"schedule pause {'9' * 5_000}": "Nothing is planned.",
    "connect google": "https://countersign.example",
    "connect google everything": "I do not know that choice",
    "connect outlook": "I can connect Google",
    "disconnect google": "No Google account of yours is connected",
}


@pytest.mark.parametrize(("text", "expected"), COMMANDS.items())
async def test_commands(world: World, text: str, expected: str) -> None:
    """Every command answers the person who typed it, bad input too, and says what to do."""
    answered = await world.command(text)
    assert expected in answered
    assert "<!channel>" not in answered.partition("'text': ")[2]


async def test_commands_take_effect(world: World) -> None:
    """A trust level and an address that is allowed are saved; the address is taken off again by either word."""
    await world.command("trust delegated")
    for word in ("disallow", "Allow Remove"):
        await world.command("allow dana@fernhill.example")
        now = await world.core.queries.permissions(TEAM, MARA)
        assert (now.level.value, list(now.allowed)) == ("delegated", ["dana@fernhill.example"])
        said = await world.command(f"{word} dana@fernhill.example")
        assert "is not on your list any more. I ask again before mail goes there." in said
        assert not (await world.core.queries.permissions(TEAM, MARA)).allowed


async def test_every_allowed_address_can_be_seen(world: World) -> None:
    """The list comes in pages; a number that is none of theirs is the nearest one. No page adds or takes off any."""
    for n in range(45):
        await world.command(f"allow a{n:02}@x.example")
    for typed, first, last, which in (
        ("allow", 0, 19, "Page 1 of 3; `/agent allow page 2`"),
        ("allow Page 2", 20, 39, "Page 2 of 3; `/agent allow page 3`"),
        ("allow page 99999999999999", 0, 19, "Page 1 of 3"),
        ("disallow page 3", 40, 44, "Page 3 of 3; `/agent allow page 1`"),
        ("allow page 9", 40, 44, "Page 3 of 3"),
    ):
        answer = await world.command(typed)
        assert list(dict.fromkeys(re.findall(r"• a(\d\d)@", answer))) == [f"{n:02}" for n in range(first, last + 1)]
        assert which in answer
    assert "… and 25 more: /agent allow lists them" in await world.command("status")
    assert len((await world.core.queries.permissions(TEAM, MARA)).allowed) == 45


async def test_an_address_that_changed_nothing_is_taken_off(world: World) -> None:
    """At a level that does not look at the list nothing is promised."""
    await world.command("allow dana@fernhill.example")
    said = await world.command("disallow dana@fernhill.example")
    assert "At your trust level, `supervised`, that changes nothing." in said


async def test_an_administrator_sets_the_guard(world: World) -> None:
    """It counts for the whole workspace, is said wherever the level is, and is in the log with what it was before."""
    for mode, said in (("Shadow", "The audit log notes"), ("off", "If somebody deceives me"), ("enforce", "I ask you")):
        answered = await world.command(f"guard {mode}")
        assert f"The guard is now set to `{mode.lower()}` for this workspace." in answered
        assert said in answered
        assert (await world.core.queries.permissions(TEAM, DANA)).guard == mode.lower()
        assert f"The guard is set to `{mode.lower()}`" in await world.command("status")
        assert f"The guard is set to `{mode.lower()}`" in await world.command("guard", user=DANA)
    assert world.codes() == ["workspace.guard"] * 3
    [entry, *_] = world.base.rows("SELECT body FROM audit ORDER BY id")
    assert '"before":"enforce"' in entry["body"]
    assert '"guard":"shadow"' in entry["body"]


async def test_a_guard_that_is_set_so_already_is_no_change(world: World) -> None:
    assert "set to `enforce` already. Nothing was changed." in await world.command("guard enforce")
    assert world.codes() == []


@pytest.mark.parametrize("mode", ["shadow", "off"])
async def test_what_a_level_means_does_not_count_on_a_guard_that_asks_nobody(world: World, mode: str) -> None:
    """Its window, its command, the status and App Home say what can happen, and how to have the guard back."""
    assert "To go back at any time: `/agent guard enforce`." in await world.command(f"guard {mode}")
    await world.command("trust autonomous")
    await world.slack.until(lambda: world.slack.calls("views.open"))
    window = str(await _window(world))
    assert "in this workspace it asks nobody" in window
    assert "only within what you named" not in window
    await world.slack.act("submit", user=MARA, view_id=(await _window(world))["id"])
    home = str(trust_form.on_home(await world.core.queries.home(TEAM, MARA)))
    for said in (await world.command("trust"), await world.command("status"), home):
        assert "I act without asking. Deceived, I may write to anybody" in said
        assert "where you named what I do" not in said


async def test_nobody_else_sets_the_guard(world: World) -> None:
    """Who is no administrator is told so, and that they tried is in the log."""
    said = await world.command("guard off", user=DANA)
    assert "Only administrators of this workspace can set the guard. Nothing was changed." in said
    assert (await world.core.queries.permissions(TEAM, DANA)).guard == "enforce"
    assert world.codes() == ["workspace.guard_refused"]


async def test_autonomous_wants_a_yes(world: World) -> None:
    """One typed line does not let the agent act alone: a window says what it means, and its button sets the level."""
    assert "window" not in await world.command("trust autonomous"), "that would stay in the conversation"
    await world.slack.until(lambda: world.slack.calls("views.open"))
    [opened] = world.slack.calls("views.open")
    assert "deceived model can then act unasked" in str(opened)
    assert (await world.core.queries.permissions(TEAM, MARA)).level.value == "supervised"
    assert world.codes() == []
    await world.slack.act("submit", user=MARA, view_id=(await _window(world))["id"])
    assert (await world.core.queries.permissions(TEAM, MARA)).level.value == "autonomous"
    said = await _window(world)
    assert "Your trust level is now `autonomous`" in str(said)
    assert "deceived model" not in str(said), "that was read a moment ago"


async def test_the_window_of_a_level_shows_its_marks_as_slack_does(world: World) -> None:
    """Bold is bold and code is code there, before the button was pressed and after; no mark is read as a letter."""
    await world.command("trust autonomous")
    await world.slack.until(lambda: world.slack.calls("views.open"))
    for _ in range(2):
        window = await _window(world)
        assert {block["text"]["type"] for block in window["blocks"]} == {"mrkdwn"}
        await world.slack.act("submit", user=MARA, view_id=window["id"])


async def _window(world: World) -> dict[str, Any]:
    """The modal that is open before Mara."""
    [window] = world.slack.emulator.workspace.world.views[MARA]
    return window


async def test_stop(world: World) -> None:
    """What runs is stopped, and named."""
    await world.rows.asked(SALES, "1700000000.000100", state=RunState.QUEUED)
    await world.base.tamper("UPDATE steps SET open = 0, closed_at = started_at")
    answered = await world.command("stop")
    assert "Stopping at the next safe point" in answered
    assert "please" in answered
    assert world.base.rows("SELECT state FROM runs") == [{"state": "cancelled"}]


async def test_a_schedule_is_changed_by_its_number(world: World) -> None:
    """Pause, resume and remove take a number; without one that is known, the list is shown."""
    due = world.base.clock.now()
    async with world.base.store.write() as work:
        await work.schedules.add(reminder(due, next_fire=due, payload={"text": "x", "number": 1}))
    number = (await world.core.queries.home(TEAM, MARA)).schedules[0].number
    assert "Which one?" in await world.command("schedule pause 99")
    assert "is paused" in await world.command(f"schedule pause {number}")
    assert world.base.rows("SELECT state FROM schedules") == [{"state": "paused"}]
    assert "Nothing was changed" in await world.command(f"schedule pause #{number}")
    assert "is removed" in await world.command(f"schedule remove {number}")


async def test_a_command_that_was_not_saved(world: World) -> None:
    """A setting that could not be saved is answered so, and can be sent again."""
    async with world.full("audit"):
        assert command.NOT_SAVED_COMMAND in await world.command("trust delegated")


async def test_guests_have_no_commands(world: World) -> None:
    """A guest's command changes nothing and goes into the log."""
    assert command.GUESTS in await world.command("trust autonomous", user=THEO)
    assert (await world.core.queries.permissions(TEAM, THEO)).level.value == "supervised"
    assert len(world.codes()) == 1


async def test_a_broken_command_shows_no_error(world: World) -> None:
    """When something breaks, a person gets a reference, and nothing of the error."""
    await world.rows.asked(SALES, "1700000000.000100")
    await world.base.tamper("UPDATE runs SET state = 'xoxb-secret'")
    answered = await world.command("status")
    assert "tell your administrator" in answered
    assert "xoxb" not in answered
