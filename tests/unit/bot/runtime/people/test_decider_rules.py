"""Administrators' rules about who has to agree: who may write one, what is none, and what it does to what waits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.domain.rules import (
    APPROVERS,
    MOST_APPROVERS,
    MOST_DAYS,
    NEEDED,
    RECIPIENT,
    TOOL,
    TURN,
    NewRule,
    end_of,
    last_day,
    last_day_field,
    stand_in_field,
)
from bot.errors import BotError
from bot.runtime.audit.personal import Opener
from bot.runtime.people.decider_rules import (
    MOST_RULES,
    DeciderRules,
    InvalidRule,
    NoSuchRule,
    RuleChanged,
    edition,
)
from bot.runtime.people.people import NotAdministrator
from bot.runtime.people.profiles import ProfileService
from policies.deciders import Approver, Deciders
from policies.types import Addressing, Contract, Decision, Role, Rule, RuleAuthor
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

ERIN, FINN, GUEST, GONE, APP = "U0ERIN", "U0FINN", "U0GUEST", "U0GONE", "U0APP"
BOSS = make.person(user=MARA, is_admin=True, zone="Asia/Tokyo")
TODAY = make.NOW.astimezone(ZoneInfo(BOSS.zone)).date()
FORTNIGHT = TODAY + timedelta(days=14)
UNTIL = end_of(FORTNIGHT, ZoneInfo(BOSS.zone))
CONTRACTS = {
    "gmail_send": Contract(roles={"to": Role.DESTINATION}, addressing=Addressing.STATED),
    "calendar_event_cancel": Contract(roles={"event_id": Role.OBJECT}, addressing=Addressing.NONE),
}


@pytest.fixture
def rules(here: Harness) -> DeciderRules:
    here.directory.people |= {
        GUEST: make.person(user=GUEST, name="Gus Guest", is_guest=True),
        GONE: make.person(user=GONE, name="Gina Gone", is_deleted=True),
        APP: make.person(user=APP, name="Some App", is_bot=True),
    }
    profiles = ProfileService(store=here.base.store, profiles=here.directory)
    return DeciderRules(transactions=here.transactions, profiles=profiles, tools=CONTRACTS)


def wanted(**values: Any) -> NewRule:
    """Two of three agree to mail to one company."""
    made = NewRule(
        tool="gmail_send",
        recipient=" @Acme.example ",
        approvers=(ERIN, FINN, DANA),
        needed=2,
        turn_minutes=60,
        stand_ins={ERIN: "U0GWEN"},
        last_days=dict.fromkeys((ERIN, FINN), FORTNIGHT),
    )
    return replace(made, **values)


async def stored(here: Harness) -> list[Rule]:
    async with here.base.store.read() as work:
        return [rule for team, rule in await work.rules.of_administrators() if team == TEAM]


async def personal(here: Harness) -> list[Mapping[str, object] | None]:
    """What each entry keeps under the key of the administrator."""
    async with here.base.store.read() as work:
        entries = await work.audit.page(after=0, limit=99)
    opener = Opener(store=here.base.store)
    return [await opener.open(entry) for entry in entries]


async def test_a_rule_is_written_and_taken_away(here: Harness, rules: DeciderRules) -> None:
    """As it was filled in, once; the log has both, with what the rule says."""
    rule = await rules.add(BOSS, wanted())
    seats = (Approver(user=ERIN, stand_in="U0GWEN", until=UNTIL), Approver(user=FINN), Approver(user=DANA))
    assert rule == Rule(
        id=rule.id,
        decision=Decision.ASK,
        tool="gmail_send",
        argument="role:destination",
        value="@acme.example",
        by=RuleAuthor.ADMIN,
        deciders=Deciders(approvers=seats, needed=2, turn_minutes=60),
    )
    assert await stored(here) == [rule]
    assert await rules.remove(BOSS, rule.id) == rule
    assert await stored(here) == []
    assert here.codes() == ["workspace.rule_added", "workspace.rule_removed"]
    for row in here.base.rows("SELECT body FROM audit"):
        body = json.loads(row["body"])
        said = body["details"]
        assert (body["actor"], body["owner"], said["rule"], said["tool"]) == (MARA, MARA, rule.id, "gmail_send")
        assert "acme" not in row["body"]
        assert [one["user"] for one in said["who"]] == [ERIN, FINN, DANA]
        assert (said["needed"], said["turn_minutes"]) == (2, 60)
    assert await personal(here) == [{"value": "@acme.example"}] * 2


@pytest.mark.parametrize(
    ("values", "argument"),
    [
        ({"recipient": ""}, None),
        ({"tool": "calendar_event_cancel", "recipient": ""}, None),
        ({"tool": "*", "recipient": ""}, "role:destination"),
        ({"tool": "*"}, "role:destination"),
    ],
)
async def test_what_a_rule_is_about(rules: DeciderRules, values: dict[str, Any], argument: str | None) -> None:
    """One tool, whoever it reaches or somebody; or everything that goes to somebody, and never what only looks."""
    assert (await rules.checked(BOSS, wanted(**values))).argument == argument


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"tool": "gmail_sent"}, TOOL, "There is no such tool here"),
    ({"tool": ""}, TOOL, "There is no such tool here"),
    ({"recipient": "everybody"}, RECIPIENT, "This is no address and no domain"),
    ({"recipient": "a@b.example, c@d.example"}, RECIPIENT, "This is no address and no domain"),
    ({"recipient": "*"}, RECIPIENT, "This is no address and no domain"),
    ({"tool": "calendar_event_cancel"}, RECIPIENT, "names nobody whom it reaches"),
    ({"approvers": (), "stand_ins": {}}, APPROVERS, "Choose one person at least"),
    ({"approvers": tuple(f"U0N{n}" for n in range(MOST_APPROVERS + 1))}, APPROVERS, "at most"),
    ({"approvers": (ERIN, FINN, ERIN)}, APPROVERS, "Choose each person once"),
    ({"stand_ins": {"U0NOBODY": "U0GWEN"}}, APPROVERS, "Choose each person once"),
    ({"approvers": (ERIN, GUEST, FINN)}, APPROVERS, "Gus Guest is a guest"),
    ({"approvers": (ERIN, GONE, FINN)}, APPROVERS, "Gina Gone has no active account"),
    ({"approvers": (ERIN, APP, FINN)}, APPROVERS, "Some App is an app"),
    ({"needed": 4}, NEEDED, "You chose 3 above"),
    ({"needed": 0}, NEEDED, "You chose 3 above"),
    ({"turn_minutes": 0}, TURN, "from a minute to a day"),
    ({"turn_minutes": 1_441}, TURN, "from a minute to a day"),
    ({"stand_ins": {ERIN: FINN}}, stand_in_field(ERIN), "They have to agree themselves"),
    ({"stand_ins": {ERIN: ERIN}}, stand_in_field(ERIN), "They have to agree themselves"),
    ({"stand_ins": {ERIN: "U0GWEN", FINN: "U0GWEN"}}, stand_in_field(FINN), "for one person only"),
    ({"stand_ins": {FINN: GUEST}}, stand_in_field(FINN), "Gus Guest is a guest"),
    ({"last_days": {}}, last_day_field(ERIN), "Choose the last day on which they stand in."),
    ({"last_days": {ERIN: TODAY - timedelta(days=1)}}, last_day_field(ERIN), "This day is over."),
    ({"last_days": {ERIN: date.min}}, last_day_field(ERIN), "This day is over."),
    ({"last_days": {ERIN: TODAY + timedelta(days=91)}}, last_day_field(ERIN), "90 days at most."),
    ({"last_days": {ERIN: date.max}}, last_day_field(ERIN), "90 days at most."),
]


@pytest.mark.parametrize(("values", "at", "why"), FAULTS)
async def test_what_is_no_rule(here: Harness, rules: DeciderRules, values: dict[str, Any], at: str, why: str) -> None:
    """What could not be met, or means nothing, is said at its field, and nothing is written."""
    with pytest.raises(InvalidRule) as caught:
        await rules.add(BOSS, wanted(**values))
    assert why in caught.value.faults[at]
    assert (await stored(here), here.codes()) == ([], [])


async def test_a_stand_in_has_a_last_day_where_the_administrator_is(here: Harness, rules: DeciderRules) -> None:
    """Today at the earliest, 90 days from it at most, by the clock of whoever chose it: it ends with their midnight."""
    here.base.clock.at = datetime(2026, 11, 30, 23, tzinfo=UTC)  # the first of December in Tokyo
    for day in (date(2026, 12, 1), date(2026, 12, 1) + timedelta(days=MOST_DAYS)):
        rule = await rules.add(BOSS, wanted(last_days={ERIN: day}))
        assert rule.deciders is not None
        until = rule.deciders.approvers[0].until
        assert until is not None
        assert until.isoformat() == f"{day + timedelta(days=1)}T00:00:00+09:00"
        assert last_day(until) == day
        assert (await stored(here))[-1] == rule
    with pytest.raises(InvalidRule, match="This day is over"):
        await rules.checked(BOSS, wanted(last_days={ERIN: date(2026, 11, 30)}))


async def test_a_day_without_a_stand_in_says_nothing(rules: DeciderRules) -> None:
    """The window has one for each approver, whether or not somebody stands in."""
    days = {ERIN: TODAY - timedelta(days=1)}
    rule = await rules.checked(BOSS, wanted(stand_ins={}, last_days=days))
    assert rule.deciders is not None
    assert not rule.deciders.has_ends


async def test_all_faults_are_told_at_once(rules: DeciderRules) -> None:
    """Each at its own field."""
    with pytest.raises(InvalidRule) as caught:
        await rules.checked(BOSS, wanted(tool="x", recipient="y", needed=9, turn_minutes=0, stand_ins={ERIN: GONE}))
    assert caught.value.faults.keys() == {TOOL, RECIPIENT, NEEDED, TURN, stand_in_field(ERIN)}


async def test_who_cannot_be_looked_up_is_no_approver(here: Harness, rules: DeciderRules) -> None:
    """Slack does not answer, and they were never seen: nobody knows whether they may agree."""
    here.directory.error = BotError()
    with pytest.raises(InvalidRule, match="could not look up"):
        await rules.add(BOSS, wanted())
    assert await stored(here) == []


async def test_nobody_else_changes_rules(here: Harness, rules: DeciderRules) -> None:
    """Who is no administrator is told so, and that they tried is in the log."""
    rule = await rules.add(BOSS, wanted())
    member = make.person(user=DANA)
    for tried in (rules.add(member, wanted(needed=1)), rules.remove(member, rule.id), rules.checked(member, wanted())):
        with pytest.raises(NotAdministrator, match="can change who has to agree"):
            await tried
    assert await stored(here) == [rule]
    assert here.codes()[1:] == ["workspace.rule_refused"] * 3


async def test_a_rule_is_edited_in_place(here: Harness, rules: DeciderRules) -> None:
    """It keeps its id and its place in the list; the log has one entry, with what it said and what it says."""
    rule = await rules.add(BOSS, wanted())
    here.base.clock.advance(1)
    other = await rules.add(BOSS, wanted(needed=1))
    new = wanted(recipient="", approvers=(FINN,), needed=1, stand_ins={FINN: ERIN}, turn_minutes=15)
    edited = await rules.edit(BOSS, new, rule_id=rule.id, seen=edition(rule))
    deciders = Deciders(approvers=(Approver(user=FINN, stand_in=ERIN, until=UNTIL),), turn_minutes=15)
    assert edited == replace(rule, argument=None, value=None, deciders=deciders)
    assert await stored(here) == [edited, other]
    assert here.codes() == ["workspace.rule_added"] * 2 + ["workspace.rule_edited"]
    said = json.loads(here.base.rows("SELECT body FROM audit")[-1]["body"])["details"]
    before = said.pop("before")
    who = [{"user": FINN, "stand_in": ERIN, "until": UNTIL.isoformat()}]
    assert (said["rule"], said["who"], said["turn_minutes"]) == (rule.id, who, 15)
    assert "value" not in said
    assert (before["rule"], before["needed"]) == (rule.id, 2)
    assert "value" not in before
    assert (await personal(here))[-1] == {"before": {"value": "@acme.example"}}
    assert [one["user"] for one in before["who"]] == [ERIN, FINN, DANA]


async def test_an_edit_of_what_somebody_changed_is_told(here: Harness, rules: DeciderRules) -> None:
    """Of two edits of the same rule the second one changes nothing, nor does one of a rule that was taken away, or of
    another workspace's; each learns what the rule says by now.
    """
    rule = await rules.add(BOSS, wanted())
    seen = edition(rule)
    first = await rules.edit(BOSS, wanted(needed=1), rule_id=rule.id, seen=seen)
    with pytest.raises(RuleChanged) as told:
        await rules.edit(BOSS, wanted(needed=3), rule_id=rule.id, seen=seen)
    assert (told.value.now, told.value.wanted.deciders) == (first, wanted(needed=3).deciders(ZoneInfo(BOSS.zone)))
    with pytest.raises(RuleChanged) as told:
        await rules.edit(replace(BOSS, team="T0OTHER"), wanted(), rule_id=rule.id, seen=edition(first))
    assert told.value.now is None
    assert await stored(here) == [first]
    await rules.remove(BOSS, rule.id)
    with pytest.raises(RuleChanged) as told:
        await rules.edit(BOSS, wanted(needed=3), rule_id=rule.id, seen=edition(first))
    assert (told.value.now, await stored(here)) == (None, [])
    assert here.codes() == ["workspace.rule_added", "workspace.rule_edited", "workspace.rule_removed"]


async def test_an_edit_is_checked_as_a_new_rule_is(here: Harness, rules: DeciderRules) -> None:
    """What cannot be met, what another rule says, what it says already, and whoever is no administrator."""
    rule = await rules.add(BOSS, wanted())
    await rules.add(BOSS, wanted(needed=1))
    seen = edition(rule)
    for new, why in (
        (wanted(approvers=(GUEST,)), "Gus Guest is a guest"),
        (wanted(needed=1), "The same rule stands already"),
        (wanted(), "what the rule says already"),
    ):
        with pytest.raises(InvalidRule, match=why):
            await rules.edit(BOSS, new, rule_id=rule.id, seen=seen)
    with pytest.raises(NotAdministrator):
        await rules.edit(make.person(user=DANA), wanted(turn_minutes=15), rule_id=rule.id, seen=seen)
    assert (await stored(here))[0] == rule
    assert here.codes()[2:] == ["workspace.rule_refused"]


async def test_another_workspaces_rule_is_not_there(here: Harness, rules: DeciderRules) -> None:
    """An administrator of one workspace takes away nothing of another's, nor anybody's own list."""
    rule = await rules.add(BOSS, wanted())
    other = replace(BOSS, team="T0OTHER")
    mine = Rule(id="rule_mine", decision=Decision.ALLOW, tool="*", argument="recipient", by=RuleAuthor.OWNER)
    async with here.base.store.write() as work:
        await work.rules.add(TEAM, MARA, mine, at=here.base.clock.now())
    for person, rule_id in ((other, rule.id), (BOSS, mine.id), (BOSS, "rule_none")):
        with pytest.raises(NoSuchRule, match="/agent rules lists them"):
            await rules.remove(person, rule_id)
    assert await stored(here) == [rule]
    assert here.base.rows("SELECT count(*) AS n FROM rules") == [{"n": 2}]


async def test_the_same_rule_and_too_many(here: Harness, rules: DeciderRules) -> None:
    """The same again is refused, and so is one more than are looked up."""
    await rules.add(BOSS, wanted())
    for administrator in (BOSS, replace(BOSS, user=ERIN)):
        with pytest.raises(InvalidRule, match="The same rule stands already"):
            await rules.add(administrator, wanted())
    for n in range(MOST_RULES - 1):
        await rules.add(BOSS, wanted(recipient=f"a{n}@acme.example"))
    with pytest.raises(InvalidRule, match=f"There are {MOST_RULES} rules already"):
        await rules.add(BOSS, wanted(needed=1))
    await rules.add(replace(BOSS, team="T0OTHER"), wanted(needed=1))
    assert len(await stored(here)) == MOST_RULES
