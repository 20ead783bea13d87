"""What a person sets, within what the workspace allows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.events import HomeChanged
from bot.domain.threads import User, Workspace
from bot.errors import BotError
from bot.runtime.delivery.queries import Queries
from bot.runtime.people.people import AboveCap, InvalidAddress, NotConfirmed, NotListed, People
from bot.runtime.people.profiles import SILENT_SECONDS, NobodyKnown, NotLookedUp, ProfileService
from bot.runtime.policy.service import PolicyService
from bot.slack.views import command
from bot.slack.views.home import home
from policies import loader
from policies.errors import UnknownLevel
from policies.types import Label, TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.stores import Opened
from tests.unit.bot.runtime.runtime_harness import Harness


@pytest.fixture
def people(here: Harness) -> People:
    return People(transactions=here.transactions)


async def test_a_level_is_chosen_and_told(here: Harness, people: People) -> None:
    """However it is typed; App Home is told; the log has it."""
    async with here.transactions.bus.subscribe() as heard:
        assert await people.choose_level(TEAM, DANA, " Autonomous ", confirmed=True) is TrustLevel.AUTONOMOUS
        assert heard.get_nowait() == HomeChanged(TEAM, DANA)
    assert here.codes() == ["person.trust_level"]


async def test_no_level_above_the_workspaces(here: Harness, people: People) -> None:
    """What the workspace does not allow is not set, and neither is what does not exist."""
    async with here.base.store.write() as work:
        await work.users.installed(Workspace(team=TEAM, cap=TrustLevel.DELEGATED))
    with pytest.raises(AboveCap, match="at most “delegated”"):
        await people.choose_level(TEAM, DANA, "autonomous")
    with pytest.raises(UnknownLevel):
        await people.choose_level(TEAM, DANA, "reckless")
    async with here.base.store.read() as work:
        assert await work.users.find(TEAM, DANA) is None
    assert await people.choose_level(TEAM, DANA, "delegated") is TrustLevel.DELEGATED
    assert here.codes() == ["person.trust_level_refused", "person.trust_level"]


async def test_a_level_that_people_are_warned_of_is_confirmed(here: Harness, people: People) -> None:
    """Without a yes to its warning nothing is set and nothing is in the log."""
    with pytest.raises(NotConfirmed):
        await people.choose_level(TEAM, DANA, "autonomous")
    assert (
        await Queries(store=here.base.store, clock=here.base.clock, side_effects_enabled=True).permissions(TEAM, DANA)
    ).level == "supervised"
    assert here.codes() == []


async def test_no_level_above_the_installations(here: Harness) -> None:
    """`AGENT_TRUST_CAP` bounds what is chosen, what is shown of an earlier choice, and what policy goes by."""
    base, team = here.base.store, (TEAM, DANA)
    await People(transactions=here.transactions).choose_level(*team, "autonomous", confirmed=True)
    cap = TrustLevel.DELEGATED
    with pytest.raises(AboveCap, match="at most “delegated”"):
        await People(transactions=here.transactions, cap=cap).choose_level(*team, "autonomous", confirmed=True)
    shown = await Queries(store=base, clock=here.base.clock, side_effects_enabled=True, cap=cap).permissions(*team)
    assert (shown.level, shown.cap) == (cap, cap)
    policy = PolicyService(policy=loader.load(), side_effects_enabled=True, cap=cap)
    async with base.read() as work:
        assert (await policy.evidence(work, *team, label=Label.OWNER)).level is cap


async def test_a_command_of_a_guest_is_in_the_log(here: Harness, people: People) -> None:
    """Who was turned away can be read later."""
    await people.turned_away(TEAM, MARA)
    (row,) = here.base.rows("SELECT code, body FROM audit")
    assert row["code"] == "person.turned_away"
    assert MARA in row["body"]


async def test_an_address_is_allowed_once(here: Harness, people: People) -> None:
    """The same address again is no second rule; what is no address is refused with an example."""
    for typed in ("Helen@Marsh.example", "helen@marsh.example"):
        assert await people.allow(TEAM, DANA, typed) == "helen@marsh.example"
    assert here.codes() == ["person.allowed"]
    with pytest.raises(InvalidAddress, match="Type one like dana@"):
        await people.allow(TEAM, DANA, "everybody")


async def test_an_address_is_taken_off_the_list(here: Harness, people: People) -> None:
    """However it is typed; only one's own entries, once, and the log has it."""
    await people.allow(TEAM, DANA, "Helen@Marsh.example")
    await people.allow(TEAM, MARA, "helen@marsh.example")
    queries = Queries(store=here.base.store, clock=here.base.clock, side_effects_enabled=True)
    assert (await queries.home(TEAM, DANA)).allowed == ["helen@marsh.example"]
    taken = await people.disallow(TEAM, DANA, "<mailto:helen@Marsh.example|helen@Marsh.example> ")
    assert taken == "helen@marsh.example"
    with pytest.raises(NotListed, match=r"helen@marsh\.example” is not on your list"):
        await people.disallow(TEAM, DANA, "helen@marsh.example")
    assert (await queries.home(TEAM, DANA)).allowed == []
    assert (await queries.home(TEAM, MARA)).allowed == ["helen@marsh.example"]
    assert here.codes() == ["person.allowed", "person.allowed", "person.disallowed"]


async def test_more_questions_than_are_listed_are_counted(here: Harness) -> None:
    """A person learns that more waits for them than the list has."""
    queries = Queries(store=here.base.store, clock=here.base.clock, side_effects_enabled=True)
    run = await here.request()
    async with here.base.store.write() as work:
        action = make.action(run_id=run.id, step_id="step_1")
        await work.actions.add([action])
        for n in range(26):
            await work.questions.add(make.question(id=f"q_{n}", action_id=action.id, run_id=run.id))
        await work.questions.add(make.question(user=MARA, action_id=action.id, run_id=run.id))
    view = await queries.home(TEAM, DANA)
    assert (len(view.questions), view.more_questions) == (10, 16)


# Profiles ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Directory:
    """Knows one person, or cannot be reached."""

    person: User | None

    async def profile(self, team: str, user: str) -> User:
        if self.person is None:
            raise BotError
        return self.person


async def test_a_person_is_known_as_well_as_can_be(base: Opened) -> None:
    """Not at all, then as the directory says, then as last seen; the level that was chosen stays."""
    directory = Directory(None)
    book = ProfileService(store=base.store, profiles=directory)
    with pytest.raises(NobodyKnown):
        await book.person(TEAM, DANA)
    async with base.store.write() as work:
        await work.users.set_level(TEAM, DANA, TrustLevel.DELEGATED.value)
    directory.person = make.person()
    seen = await book.person(TEAM, DANA)
    assert (seen.name, seen.level) == ("Dana Okafor", TrustLevel.DELEGATED)
    directory.person = None
    assert await book.person(TEAM, DANA) == seen


class Silent:
    """A directory that says nothing, however long one waits."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def profile(self, team: str, user: str) -> User:
        self.asked.append(user)
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_silent_directory_is_not_waited_for_each_time(base: Opened) -> None:
    """Who asks many times, as programs do, waits once; others are asked about, and a moment later they are again."""
    seconds, directory = [0.0], Silent()
    book = ProfileService(store=base.store, profiles=directory, patience_seconds=0.001, monotonic=lambda: seconds[0])
    async with base.store.write() as work:
        known = await work.users.seen(make.person())
    for _ in range(3):
        assert await book.person(TEAM, DANA) == known
    for _ in range(2):
        with pytest.raises(NotLookedUp):
            await book.person(TEAM, MARA)
    assert directory.asked == [DANA, MARA]
    seconds[0] = SILENT_SECONDS
    assert await book.person(TEAM, DANA) == known
    assert directory.asked == [DANA, MARA, DANA]


async def test_an_administrator_sees_the_log_of_everybody(here: Harness) -> None:
    """Anybody else what is about them."""
    async with here.base.store.write() as work:
        for user, is_admin in ((DANA, False), ("U9BOSS", True)):
            await work.users.seen(User(team=TEAM, user=user, is_admin=is_admin))
            await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.PERSON_ALLOWED, actor=user))
    _, mine = await here.queries.audit(TEAM, DANA, limit=9)
    boss, all_ = await here.queries.audit(TEAM, "U9BOSS", limit=9)
    assert (len(mine), len(all_)) == (1, 2)
    assert "The newest entries of this workspace" in command.audit(all_, boss)
    told = command.audit(mine, User(team=TEAM, user=DANA, zone="Europe/London"))
    assert "about you, with the times of Europe/London:" in told
    assert f"– <@{DANA}> put an address on the list" in told
    assert "The log says nothing of you yet." in command.audit([], User(team=TEAM, user=DANA))
    await here.base.tamper("DROP TRIGGER audit_insert_only; UPDATE audit SET body = CAST(x'ff' AS TEXT) WHERE id = 2")
    _, odd = await here.queries.audit(TEAM, "U9BOSS", limit=9)
    assert "person allowed" in command.audit(odd, boss), "what is no UTF-8 is told as its code"
    tab = str(home(await here.queries.home(TEAM, DANA), log=mine))
    assert "Audit log" in tab
    assert str({"type": "user", "user_id": DANA}) in tab
