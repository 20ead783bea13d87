"""People: profiles, workspaces, rules, objects."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.questions import QuestionState
from bot.domain.threads import SeenObject, Workspace
from bot.store.unit_of_work import UnitOfWork
from policies.deciders import Approver, Deciders
from policies.types import Decision, Rule, RuleAuthor, TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM

LATER = NOW + timedelta(hours=1)


async def test_a_profile_is_kept_and_its_level_left_alone(work: UnitOfWork) -> None:
    """Seeing a person again changes the profile, never the trust level; a level can be set before the first sight."""
    assert await work.users.find(TEAM, DANA) is None
    await work.users.set_level(TEAM, DANA, TrustLevel.DELEGATED.value)
    seen = await work.users.seen(make.person(level=TrustLevel.AUTONOMOUS, email="dana@fernhill.example"))
    assert seen == await work.users.find(TEAM, DANA)
    assert (seen.level, seen.email) == (TrustLevel.DELEGATED, "dana@fernhill.example")
    await work.users.set_level(TEAM, DANA, TrustLevel.SUPERVISED.value)
    fresh = await work.users.seen(make.person(user=MARA))
    assert fresh == await work.users.find(TEAM, MARA)
    found = await work.users.find(TEAM, DANA)
    assert (found and found.level) is TrustLevel.SUPERVISED


async def test_letters_that_fold_alike_are_others(work: UnitOfWork) -> None:
    """Of an address only A to Z may be in another case, whatever else a database folds."""
    for user, email in ((DANA, "Mike@fernhill.example"), (MARA, "J\xdcRGEN@fernhill.example")):
        await work.users.seen(make.person(user=user, email=email))

    async def has(email: str) -> list[str]:
        return [one.user for one in await work.users.members_with(email, {TEAM})]

    assert await has("mIKE@FERNHILL.example") == [DANA]
    assert await has("mi\u212ae@fernhill.example") == []
    assert await has("j\xdcrgen@fernhill.example") == [MARA]
    assert await has("j\xfcrgen@fernhill.example") == []


async def test_a_workspace_keeps_its_cap(work: UnitOfWork) -> None:
    """Installing again keeps the cap that an administrator set; an unknown workspace has the defaults."""
    assert await work.users.workspace("T9") == Workspace(team="T9")
    await work.users.installed(Workspace(team=TEAM, name="Fernhill", cap=TrustLevel.DELEGATED))
    await work.users.installed(Workspace(team=TEAM, name="Fernhill Ltd", bot_user="U0"))
    found = await work.users.workspace(TEAM)
    assert (found.name, found.bot_user, found.cap) == ("Fernhill Ltd", "U0", TrustLevel.DELEGATED)


async def test_rules_count_for_their_author_or_for_everybody(work: UnitOfWork) -> None:
    """A person's rules count for that person, an administrator's for the workspace; the same rule is kept once."""
    mine = Rule(
        id="r1", decision=Decision.ALLOW, tool="gmail_send", argument="recipient", value="a@b.c", by=RuleAuthor.OWNER
    )
    theirs = Rule(id="r2", decision=Decision.DENY, tool="*", by=RuleAuthor.ADMIN)
    assert await work.rules.add(TEAM, DANA, mine, at=NOW)
    assert not await work.rules.add(TEAM, DANA, replace(mine, id="r9"), at=NOW)
    assert await work.rules.add(TEAM, MARA, theirs, at=LATER)
    assert await work.rules.of(TEAM, DANA) == [mine, theirs]
    assert await work.rules.of(TEAM, MARA) == [theirs]
    assert await work.rules.of("T2", DANA) == []


async def test_an_administrators_rule_is_taken_away_whole(work: UnitOfWork) -> None:
    """By its id, in its own workspace, with whom it names; never anybody's own rule."""
    deciders = Deciders(approvers=(Approver(user=DANA, stand_in="U0ERIN"),), turn_minutes=5)
    shared = Rule(id="r1", decision=Decision.ASK, tool="gmail_send", by=RuleAuthor.ADMIN, deciders=deciders)
    mine = Rule(
        id="r2", decision=Decision.ALLOW, tool="*", argument="recipient", value="a@x.example", by=RuleAuthor.OWNER
    )
    await work.rules.add("T2", MARA, replace(shared, id="r3"), at=NOW)
    await work.rules.add(TEAM, MARA, shared, at=LATER)
    await work.rules.add(TEAM, MARA, mine, at=NOW)
    assert dict(await work.rules.of_administrators()) == {
        TEAM: shared,
        "T2": replace(shared, id="r3"),
    }
    for id in ("r2", "r3", "r4"):
        assert await work.rules.take_away(TEAM, id) is None
    assert await work.rules.take_away(TEAM, "r1") == shared
    assert await work.rules.take_away(TEAM, "r1") is None
    assert [rule.id for _, rule in await work.rules.of_administrators()] == ["r3"]
    assert await work.rules.of(TEAM, MARA) == [mine]


async def test_an_administrators_rule_is_rewritten_in_its_place(work: UnitOfWork) -> None:
    """By its id, in its own workspace; never anybody's own, and not into what another one says."""
    deciders = Deciders(approvers=(Approver(user=DANA),))
    first = Rule(id="r1", decision=Decision.ASK, tool="gmail_send", by=RuleAuthor.ADMIN, deciders=deciders)
    second = replace(first, id="r2", tool="*", argument="role:destination", value="@acme.example")
    mine = Rule(
        id="r3", decision=Decision.ALLOW, tool="*", argument="recipient", value="a@x.example", by=RuleAuthor.OWNER
    )
    for rule, at in ((first, NOW), (second, LATER), (mine, LATER)):
        await work.rules.add(TEAM, MARA, rule, at=at)
    await work.rules.add("T2", MARA, replace(second, id="r4"), at=NOW)
    assert [await work.rules.held(TEAM, id) for id in ("r1", "r3", "r4", "r5")] == [first, None, None, None]
    assert not await work.rules.rewrite(TEAM, replace(second, id="r1"))
    edited = replace(first, value="@x.example", argument="role:destination")
    assert await work.rules.rewrite(TEAM, edited)
    assert await work.rules.of(TEAM, DANA) == [edited, second]
    assert await work.rules.rewrite(TEAM, replace(edited, argument=None, value=None))
    assert await work.rules.of(TEAM, DANA) == [first, second]


async def test_a_rule_is_removed_by_who_added_it(work: UnitOfWork) -> None:
    """Only the person's own rules about exactly this value go; nobody else's, and none of an administrator's."""
    rule = Rule(
        id="r1", decision=Decision.ALLOW, tool="*", argument="recipient", value="a@x.example", by=RuleAuthor.OWNER
    )
    await work.rules.add(TEAM, DANA, rule, at=NOW)
    await work.rules.add(TEAM, DANA, replace(rule, id="r2", value="b@x.example"), at=NOW)
    await work.rules.add(TEAM, MARA, replace(rule, id="r3"), at=NOW)
    by_admin = replace(rule, id="r4", value="c@x.example", by=RuleAuthor.ADMIN)
    await work.rules.add(TEAM, DANA, by_admin, at=LATER)
    assert await work.rules.remove(TEAM, DANA, "a@x.example") == ["r1"]
    assert await work.rules.remove(TEAM, DANA, "a@x.example") == []
    assert await work.rules.remove(TEAM, DANA, "c@x.example") == []
    assert await work.rules.remove("T2", DANA, "b@x.example") == []
    assert [rule.id for rule in await work.rules.of(TEAM, DANA)] == ["r2", "r4"]
    assert [rule.id for rule in await work.rules.of(TEAM, MARA)] == ["r3", "r4"]


async def test_open_questions_are_counted(work: UnitOfWork) -> None:
    """A person's open questions, without anybody else's and without those that are over."""
    for values in ({}, {}, {"user": MARA}, {"team": "T2"}, {"state": QuestionState.EXPIRED}):
        await work.questions.add(make.question(**values))
    assert await work.questions.count_open(TEAM, DANA) == 2
    assert await work.questions.count_open("T3", DANA) == 0


async def test_objects_are_listed_for_their_owner(work: UnitOfWork) -> None:
    """What a thread showed to one person, the newest so many, oldest first; nothing of other people's."""
    seen = [
        SeenObject(run_id="r", owner=DANA, kind="mail", object_id=f"m{n}", title="Oak", people=["h@x"])
        for n in range(3)
    ]
    await work.objects.add("thr_1", [], at=NOW)
    await work.objects.add("thr_1", seen, at=NOW)
    await work.objects.add("thr_1", [replace(seen[0], owner=MARA)], at=NOW)
    assert await work.objects.of_owner("thr_1", DANA, limit=2) == seen[1:]
    assert await work.objects.of_owner("thr_2", DANA, limit=2) == []
