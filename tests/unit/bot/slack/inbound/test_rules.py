"""Rules about who has to agree, in Slack: an administrator writes one in two windows, sees it listed, takes it away."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.domain.rules import APPROVERS, NEEDED, RECIPIENT, TOOL, TURN, end_of, last_day_field, stand_in_field
from bot.slack.views import command, ids
from bot.slack.views.blocks import OPTION_LIMIT, VALUE
from bot.slack.views.rules import ABOUT, said
from playground.people import JONAS, LUIS, PRIYA
from policies.deciders import Approver, Deciders
from policies.types import Decision, Rule, RuleAuthor
from tests.builders import NOW
from tests.unit.bot.slack.cases import DANA, MARA, TEAM, THEO
from tests.unit.bot.slack.connected import World

STOCKHOLM = ZoneInfo("Europe/Stockholm")
"""Where Mara is, who is the administrator."""

FORTNIGHT = NOW.date() + timedelta(days=14)
UNTIL = end_of(FORTNIGHT, STOCKHOLM)


Values = Mapping[str, Mapping[str, Mapping[str, object]]]


def described(approvers: Sequence[str], *, tool: str = "gmail_send", needed: int = 1, recipient: str = "") -> Values:
    """The first window, filled in."""
    return {
        TOOL: {VALUE: {"selected_option": {"value": tool}}},
        RECIPIENT: {VALUE: {"value": recipient}},
        APPROVERS: {VALUE: {"selected_users": list(approvers)}},
        NEEDED: {VALUE: {"selected_option": {"value": str(needed)}}},
        TURN: {VALUE: {"selected_option": {"value": "60"}}},
    }


async def window(world: World, user: str = MARA) -> dict[str, Any]:
    """The modal that is open before somebody."""
    await world.slack.until(lambda: world.slack.state["views"].get(user))
    [shown] = world.slack.state["views"][user]
    return shown


async def sent(world: World, values: Values, *, user: str = MARA) -> dict[str, Any]:
    """They fill the window in and send it."""
    return await world.slack.act("submit", user=user, view_id=(await window(world, user))["id"], values=values)


async def closed(world: World) -> None:
    await world.slack.act("close", user=MARA, view_id=(await window(world))["id"])


async def stored(world: World) -> list[Rule]:
    async with world.base.store.read() as work:
        return [rule for team, rule in await work.rules.of_administrators() if team == TEAM]


async def written(world: World, approvers: Sequence[str] = (PRIYA.user_id,), **more: Any) -> Rule:
    """A rule that Mara wrote."""
    await world.command("rules add")
    await sent(world, described(approvers, **more))
    await sent(world, {})
    await closed(world)
    return (await stored(world))[-1]


async def becomes(world: World, user: str, **what: bool) -> None:
    """Somebody's profile changes, and Slack tells the bot."""
    before = world.slack.acknowledged()
    await world.slack.act("user", user=user, **what)
    await world.slack.until(lambda: world.slack.acknowledged() > before)


async def test_an_administrator_writes_a_rule(world: World) -> None:
    """Two windows: what it is about and who has to agree, then who stands in; it counts from then on."""
    await world.command("rules add")
    first = json.dumps(await window(world))
    assert "Everything that goes to anybody" in first
    assert '"text": "Send a mail"' in first
    assert '"text": "gmail_send"' not in first, "people call it by another name"
    await sent(world, described([PRIYA.user_id, LUIS.user_id], recipient="@acme.example"))
    second = json.dumps(await window(world))
    assert "Who stands in for Priya Raman?" in second
    assert "Who stands in for Luis Ortega?" in second
    said = f"Send a mail to @acme.example: 1 of <@{PRIYA.user_id}> and <@{LUIS.user_id}> has to agree"
    assert said in second
    assert await stored(world) == [], "nothing counts before the second window is sent"
    await sent(world, {stand_in_field(LUIS.user_id): {VALUE: {"selected_user": JONAS.user_id}}})
    [rule] = await stored(world)
    seats = (Approver(user=PRIYA.user_id), Approver(user=LUIS.user_id, stand_in=JONAS.user_id, until=UNTIL))
    assert (rule.tool, rule.value) == ("gmail_send", "@acme.example")
    assert rule.deciders == Deciders(approvers=seats, needed=1, turn_minutes=60)
    assert "Saved." in json.dumps(await window(world))
    assert world.codes() == ["workspace.rule_added"]


async def test_the_menu_is_written_for_people(world: World) -> None:
    """Each tool is called as people call it, and says in a line what it does; nothing is there that the model reads."""
    await world.command("rules add")
    [menu] = [block["element"] for block in (await window(world))["blocks"] if block["block_id"] == TOOL]
    described = {one["value"]: one["description"]["text"] for one in menu["options"][1:]}
    assert described == ABOUT
    assert "_" not in "".join([*described.values(), *(one["text"]["text"] for one in menu["options"])])
    assert all(len(said) < OPTION_LIMIT for said in described.values())


async def test_the_rules_are_listed_for_everybody(world: World) -> None:
    """With their ids, whoever asks; how they are changed is told to administrators alone, once there is one."""
    assert "No rule of this workspace names people" in await world.command("rules", user=DANA)
    none = await world.command("rules", user=MARA)
    assert "`/agent rules add` opens a window for a new one." in none
    assert "`/agent rules remove`" not in none
    rule = await written(world, [PRIYA.user_id, LUIS.user_id], needed=2, tool="*")
    both = f"Everything that goes to anybody: <@{PRIYA.user_id}> and <@{LUIS.user_id}> have to agree. "
    for user, how in ((DANA, "Administrators of this workspace change"), (MARA, "`/agent rules add` opens a window")):
        listed = await world.command("rules", user=user)
        for one in (both, f"`{rule.id}`", how):
            assert one in listed


async def test_many_rules_come_in_pages(world: World) -> None:
    """Each stands on one of them, whoever asks."""
    rule = await written(world, [PRIYA.user_id, LUIS.user_id], recipient="@x.example")
    async with world.base.store.write() as work:
        for n in range(11):
            await work.rules.add(TEAM, MARA, replace(rule, id=f"rul_{n}", value=f"{n}{'a' * 280}@x.example"), at=NOW)
    known = {each.id for each in await stored(world)}
    first, second = await world.command("rules"), await world.command("Rules Page 2", user=DANA)
    assert "Page 1 of 2; `/agent rules page 2` shows another." in first
    assert "Page 2 of 2; `/agent rules page 1` shows another." in second
    shown = [set(re.findall(r"`(rule?_\w+)`", page)) for page in (first, second)]
    assert (shown[0] | shown[1], shown[0] & shown[1], len(known)) == (known, set(), 12)
    assert min(map(len, shown)) > 1


@pytest.mark.parametrize(
    ("stand_ins", "needed", "turn"),
    [
        ({}, 1, "; each is waited for 60 minutes"),
        ({}, 2, ""),
        ({PRIYA.user_id: JONAS.user_id}, 2, "; each is waited for 60 minutes where a stand-in can follow"),
        ({PRIYA.user_id: JONAS.user_id, LUIS.user_id: DANA}, 2, "; each is waited for 60 minutes"),
    ],
)
def test_a_turn_is_named_where_it_ends(stand_ins: Mapping[str, str], needed: int, turn: str) -> None:
    """A turn ends only where somebody else can follow: where nobody can, no rule names a time that does not count."""
    seats = tuple(Approver(user=user, stand_in=stand_ins.get(user, "")) for user in (PRIYA.user_id, LUIS.user_id))
    deciders = Deciders(approvers=seats, needed=needed, turn_minutes=60)
    text = said(Rule(id="r1", decision=Decision.ASK, tool="gmail_send", by=RuleAuthor.ADMIN, deciders=deciders))
    assert text.endswith(f" to agree{turn}.")


async def test_all_of_them_is_warned_of(world: World) -> None:
    """Where all have to agree, none of them can ask for it themselves: the second window says so."""
    for approvers, warns in (([PRIYA.user_id], True), ([PRIYA.user_id, LUIS.user_id], False)):
        await world.command("rules add")
        await sent(world, described(approvers))
        shown = json.dumps(await window(world))
        assert ("nobody agrees to their own request" in shown.lower()) is warns
        assert (f"so what <@{PRIYA.user_id}> asks for is refused" in shown) is warns
        await closed(world)


async def test_what_is_wrong_stands_at_its_field(world: World) -> None:
    """A guest, an address that is none, more than were chosen; the window stays, and nothing is written."""
    await world.command("rules add")
    answer = await sent(world, described([THEO], needed=3, recipient="everybody"))
    assert answer["errors"].keys() == {RECIPIENT, APPROVERS, NEEDED}
    assert "Theo Grant is a guest" in answer["errors"][APPROVERS]
    await sent(world, described([PRIYA.user_id]))
    answer = await sent(world, {stand_in_field(PRIYA.user_id): {VALUE: {"selected_user": THEO}}})
    assert "Theo Grant is a guest" in answer["errors"][stand_in_field(PRIYA.user_id)]
    assert (await stored(world), world.codes()) == ([], [])


async def test_a_rule_is_taken_away_by_its_id(world: World) -> None:
    """Once; what is not there is told, and so is what has no id."""
    rule = await written(world)
    asked = await world.command("rules remove")
    assert "Say which one, by its id. Nothing was changed." in asked
    assert f"`{rule.id}`" in asked
    assert "Taken away: " in await world.command(f"rules remove `{rule.id}`")
    assert await stored(world) == []
    assert "There is no rule “" in await world.command(f"rules remove {rule.id}")
    assert world.codes() == ["workspace.rule_added", "workspace.rule_removed"]


async def test_a_rule_is_edited_by_its_id(world: World) -> None:
    """The same two windows, with what it says filled in; what is changed counts from then on, and all else stays."""
    rule = await written(world, [PRIYA.user_id, LUIS.user_id], recipient="@acme.example")
    assert "Say which one, by its id." in await world.command("rules edit")
    assert "There is no rule “rule_none”" in await world.command("rules edit rule_none")
    await world.command(f"rules edit `{rule.id}`")
    shown = await window(world)
    values = {name: next(iter(block.values())) for name, block in shown["state"]["values"].items()}
    assert values[TOOL]["selected_option"]["value"] == "gmail_send"
    assert values[RECIPIENT]["value"] == "@acme.example"
    assert values[APPROVERS]["selected_users"] == [PRIYA.user_id, LUIS.user_id]
    assert (values[NEEDED]["selected_option"]["value"], values[TURN]["selected_option"]["value"]) == ("1", "60")
    await sent(world, {NEEDED: {VALUE: {"selected_option": {"value": "2"}}}})
    assert (await window(world))["submit"]["text"] == "Save the rule"
    await sent(world, {stand_in_field(LUIS.user_id): {VALUE: {"selected_user": JONAS.user_id}}})
    assert "Saved." in json.dumps(await window(world))
    seats = (Approver(user=PRIYA.user_id), Approver(user=LUIS.user_id, stand_in=JONAS.user_id, until=UNTIL))
    edited = replace(rule, deciders=Deciders(approvers=seats, needed=2, turn_minutes=60))
    assert await stored(world) == [edited]
    assert world.codes() == ["workspace.rule_added", "workspace.rule_edited"]
    await closed(world)
    await world.click(ids.RULE_EDIT, rule.id)
    await sent(world, {})
    second = {name: next(iter(block.values())) for name, block in (await window(world))["state"]["values"].items()}
    assert second[stand_in_field(LUIS.user_id)]["selected_user"] == JONAS.user_id


def stands_in(day: date | str, user: str = JONAS.user_id) -> Values:
    """The second window: who stands in for Priya, and the last day on which they do."""
    priya = PRIYA.user_id
    return {
        stand_in_field(priya): {VALUE: {"selected_user": user}},
        last_day_field(priya): {VALUE: {"selected_date": str(day)}},
    }


async def test_who_stands_in_does_so_until_a_day(world: World) -> None:
    """Two weeks ahead where nothing else is chosen; a day that is over, too far off or none is refused at its field,
    and the list says until when.
    """
    await world.command("rules add")
    await sent(world, described([PRIYA.user_id]))
    shown = (await window(world))["state"]["values"][last_day_field(PRIYA.user_id)][VALUE]
    assert shown["selected_date"] == FORTNIGHT.isoformat()
    today = NOW.date()
    wrong = {
        str(today - timedelta(days=1)): "This day is over.",
        str(today + timedelta(days=91)): "90 days at most.",
        "": "Choose the last day on which they stand in.",
    }
    for day, why in wrong.items():
        answer = await sent(world, stands_in(day))
        assert why in answer["errors"][last_day_field(PRIYA.user_id)]
        assert await stored(world) == []
    await sent(world, stands_in(today))
    [rule] = await stored(world)
    assert rule.deciders is not None
    assert rule.deciders.approvers[0].until == end_of(today, STOCKHOLM)
    said = f"<@{PRIYA.user_id}> (else <@{JONAS.user_id}> until {today:%A} {today.day} {today:%B %Y}) has to agree"
    assert said in await world.command("rules", user=DANA)


async def test_an_end_that_is_over_is_chosen_again(world: World) -> None:
    """A rule is edited after its stand-in's last day: the window shows that day, and is not saved with it."""
    rule = await written(world)
    assert rule.deciders is not None
    over = end_of(NOW.date() - timedelta(days=3), STOCKHOLM)
    seats = (Approver(user=PRIYA.user_id, stand_in=JONAS.user_id, until=over),)
    async with world.base.store.write() as work:
        assert await work.rules.rewrite(TEAM, replace(rule, deciders=replace(rule.deciders, approvers=seats)))
    await world.command(f"rules edit {rule.id}")
    await sent(world, {})
    answer = await sent(world, {})
    assert "This day is over." in answer["errors"][last_day_field(PRIYA.user_id)]
    await sent(world, {last_day_field(PRIYA.user_id): {VALUE: {"selected_date": FORTNIGHT.isoformat()}}})
    [edited] = await stored(world)
    assert edited.deciders is not None
    assert edited.deciders.approvers[0].until == UNTIL


async def test_a_stand_in_of_before_there_were_ends(world: World) -> None:
    """The list says that there is no end; who edits the rule chooses one."""
    rule = await written(world)
    assert rule.deciders is not None
    seats = (Approver(user=PRIYA.user_id, stand_in=JONAS.user_id),)
    async with world.base.store.write() as work:
        assert await work.rules.rewrite(TEAM, replace(rule, deciders=replace(rule.deciders, approvers=seats)))
    assert f"(else <@{JONAS.user_id}> without an end) has to agree" in await world.command("rules")
    await world.command(f"rules edit {rule.id}")
    await sent(world, {})
    await sent(world, {})
    [edited] = await stored(world)
    assert edited.deciders is not None
    assert edited.deciders.approvers[0].until == UNTIL


@pytest.mark.parametrize("windows", [1, 2])
@pytest.mark.parametrize("gone", [False, True])
async def test_an_edit_that_comes_too_late_is_told(world: World, windows: int, gone: bool) -> None:
    """Another administrator edited the rule, or took it away, while a window was open: nothing is overwritten, and the
    window says what the rule says by now, and what was chosen.
    """
    rule = await written(world)
    await world.command(f"rules edit {rule.id}")
    fewer = {TURN: {VALUE: {"selected_option": {"value": "15"}}}}
    if windows == 2:
        await sent(world, fewer)
    other = replace(rule, value="@acme.example", argument="role:destination")
    async with world.base.store.write() as work:
        assert await (work.rules.take_away(TEAM, rule.id) if gone else work.rules.rewrite(TEAM, other))
    await sent(world, fewer if windows == 1 else {})
    told = json.dumps(await window(world), ensure_ascii=False)
    assert ("Not saved: somebody took this rule away" if gone else "Not saved: somebody edited this rule") in told
    assert f"You had chosen: Send a mail: <@{PRIYA.user_id}> has to agree." in told
    assert ("It says now: Send a mail to @acme.example" in told) is not gone
    assert await stored(world) == ([] if gone else [other])
    assert world.codes() == ["workspace.rule_added"]


async def test_a_member_changes_nothing(world: World) -> None:
    """Neither by command nor by a button; what they tried is in the log."""
    rule = await written(world)
    for word in ("add", f"edit {rule.id}", f"remove {rule.id}"):
        assert "Only administrators of this workspace can change who" in await world.command(f"rules {word}", user=DANA)
    for action_id in (ids.RULE_ADD, ids.RULE_EDIT, ids.RULE_REMOVE):
        await world.click(action_id, rule.id, user=DANA)
    await world.slack.until(lambda: len(world.slack.calls("chat.postEphemeral")) == 3)
    assert DANA not in world.slack.state["views"]
    assert await stored(world) == [rule]
    assert world.codes()[1:] == ["workspace.rule_refused"] * 6


async def test_who_is_no_administrator_by_now_changes_nothing(world: World) -> None:
    """They were one when they opened the window: both windows ask again, also for a rule that there is."""
    rule = await written(world)
    for windows, word in ((1, "add"), (2, "add"), (2, f"edit {rule.id}")):
        await world.command(f"rules {word}")
        if windows == 2:
            await sent(world, described([PRIYA.user_id]))
        await becomes(world, MARA, is_admin=False)
        await sent(world, described([PRIYA.user_id]) if windows == 1 else {})
        assert "Only administrators of this workspace" in json.dumps(await window(world))
        await becomes(world, MARA, is_admin=True)
        await closed(world)
    assert await stored(world) == [rule]
    assert world.codes()[1:] == ["workspace.rule_refused"] * 3


async def test_an_approver_who_left_between_the_windows(world: World) -> None:
    """It is looked again before the rule is written."""
    await world.command("rules add")
    await sent(world, described([PRIYA.user_id]))
    await becomes(world, PRIYA.user_id, deleted=True)
    answer = await sent(world, {})
    assert "Priya Raman has no active account any more" in answer["errors"][stand_in_field(PRIYA.user_id)]
    assert await stored(world) == []


async def test_app_home_has_the_rules(world: World) -> None:
    """Its administrators add one there and take one away; everybody else reads them."""
    rule = await written(world)
    for user, may in ((DANA, False), (MARA, True)):
        await world.slack.act("open_home", user=user, tab="home")
        await world.slack.until(lambda user=user: world.slack.state["homes"].get(user))
        shown = json.dumps(world.slack.state["homes"][user])
        assert f"Send a mail: <@{PRIYA.user_id}> has to agree." in shown
        assert [each in shown for each in (ids.RULE_ADD, ids.RULE_EDIT, ids.RULE_REMOVE)] == [may] * 3
    await world.click(ids.RULE_REMOVE, rule.id)
    assert "Taken away: " in (await world.told())["text"]
    assert await stored(world) == []
    await world.click(ids.RULE_EDIT, rule.id)
    await world.slack.until(lambda: len(world.slack.calls("chat.postEphemeral")) == 2)
    assert "There is no rule “" in world.slack.calls("chat.postEphemeral")[-1]["text"]
    await world.click(ids.RULE_ADD, "new")
    assert "What is it about?" in json.dumps(await window(world))


async def test_what_was_not_saved_is_said(world: World) -> None:
    """The window stays, with what was chosen in it."""
    await world.command("rules add")
    await sent(world, described([PRIYA.user_id]))
    async with world.full("audit"):
        answer = await sent(world, {})
    assert command.NOT_SAVED in answer["errors"].values()
    assert await stored(world) == []
