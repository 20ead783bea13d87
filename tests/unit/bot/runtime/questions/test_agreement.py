"""Several deciders: the owner first, then those who have to agree, one after the other, on exactly this."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.confirmations import Confirmation
from bot.domain.deliveries import Post, card_slot, reader_slot
from bot.domain.questions import QUESTION_LIFE, Choice, Question, QuestionState
from bot.domain.runs import Run
from bot.domain.threads import User
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.delivery.home import home_view
from bot.runtime.delivery.lists import HomeView
from bot.runtime.questions import expiry
from bot.runtime.questions.edit import Edit, Editing, EditOutcome
from bot.runtime.runs import resume, stop
from bot.runtime.texts import to_people
from integrations.base import Field, Preview, Variant
from integrations.errors import Ambiguous
from policies.deciders import Approver, Deciders
from policies.types import Decision, Label, Rule, RuleAuthor, TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

SEND = ("gmail_send", {"text": "it"})
ERIN, FINN, GWEN = "U0ERIN", "U0FINN", "U0GWEN"
TURN = timedelta(minutes=240)


async def ruled(
    here: Harness,
    *approvers: str,
    stand_in: str = "",
    until: datetime | None = None,
    id: str = "four_eyes",
    **values: Any,
) -> None:
    """An administrator's rule: these have to agree to every mail; for the first of them somebody stands in, until then
    where that is said.
    """
    first, *others = approvers
    seats = (Approver(user=first, stand_in=stand_in, until=until), *(Approver(user=user) for user in others))
    deciders = Deciders(approvers=seats, **values)
    rule = Rule(id=id, decision=Decision.ASK, tool="gmail_send", by=RuleAuthor.ADMIN, deciders=deciders)
    async with here.base.store.write() as work:
        await work.rules.add(TEAM, MARA, rule, at=here.base.clock.now())


async def served(here: Harness) -> None:
    """The log is sealed, and the thread is worked on until only people can move it."""
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()


async def asked(here: Harness) -> tuple[Question, Action]:
    """A mail that waits for its owner."""
    run = await here.asked([SEND])
    return await here.card_of(run.id), await here.action(run)


async def says(
    here: Harness, question: Question, user: str, choice: Choice = Choice.APPROVE, **more: Any
) -> ClickOutcome:
    """Somebody presses a button of this question's card, ten seconds later; then the thread is served."""
    here.base.clock.advance(10)
    outcome = await here.click(question, choice, user=user, **more)
    await served(here)
    return outcome


async def now_of(here: Harness, question: Question) -> Question:
    async with here.base.store.read() as work:
        found = await work.questions.find(question.id)
    assert found is not None
    return found


async def passes(here: Harness, time: timedelta) -> None:
    """Time passes, and the ticks come."""
    here.base.clock.at += time
    await expiry.tick(here.transactions)
    await served(here)


def is_guest(user: str) -> User:
    return make.person(user=user, is_guest=True)


async def edited(here: Harness, question: Question, args: dict[str, object], **more: Any) -> EditOutcome:
    editing = Editing(transactions=here.transactions, registry=here.runner.loop.registry)
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": question.button_value(), "args": args}
    outcome = await editing.edit(Edit(**given | more))
    await served(here)
    return outcome


async def test_two_people_see_it_one_after_the_other(here: Harness) -> None:
    """The owner's yes shows it to the approver and does nothing else; theirs does it, once, and the log names both."""
    await ruled(here, MARA)
    question, action = await asked(here)
    view = await here.queries.card(question.id)
    assert view is not None
    assert [one.people for one in view.deciders] == [{MARA}]
    assert not (await says(here, question, MARA)).accepted
    assert here.codes()[-1] == "click.wrong_person"
    assert (await says(here, question, DANA)).accepted
    assert here.effect.calls == []
    assert (await now_of(here, question)).waits_for == MARA
    assert (await says(here, question, DANA)).text == to_people.NOT_IN_TURN.format(reader=MARA)
    assert (await says(here, question, MARA)).accepted
    done = await here.action(action)
    assert (done.state, len(here.effect.calls)) == (ActionState.COMPLETED, 1)
    assert done.approval is not None
    assert (done.approval.by, done.approval.agreed) == (DANA, (MARA,))
    said = [json.loads(row["body"])["details"] for row in here.base.rows("SELECT body FROM audit ORDER BY id")]
    assert [one["next"] for one in said if "next" in one] == [MARA]
    assert any(one.get("agreed_by") == [MARA] for one in said)


async def test_nobody_agrees_to_their_own_request(here: Harness) -> None:
    """A rule that names the requester alone leaves nobody: refused with the reason, and no card is shown."""
    await ruled(here, DANA)
    run = await here.asked([SEND])
    action = await here.action(run)
    assert (action.state, here.effect.calls) == (ActionState.DENIED, [])
    assert "nobody but the person who asked" in action.summary


async def test_whoever_asks_is_not_counted(here: Harness) -> None:
    """Two of three have to agree: the requester is none of them, so both others are asked."""
    await ruled(here, DANA, MARA, ERIN, needed=2)
    question, action = await asked(here)
    for user in (DANA, MARA):
        await says(here, question, user)
    assert here.effect.calls == []
    await says(here, question, ERIN)
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_no_more_are_asked_than_have_to_agree(here: Harness) -> None:
    """Two of three: the third never sees the card, and cannot decide it."""
    await ruled(here, MARA, ERIN, FINN, needed=2)
    question, _ = await asked(here)
    for user in (DANA, MARA):
        await says(here, question, user)
    assert not (await says(here, question, FINN)).accepted
    assert (await says(here, question, ERIN)).accepted
    assert [turn.user for turn in (await now_of(here, question)).turns] == [MARA, ERIN]
    assert len(here.effect.calls) == 1


async def test_what_two_rules_want_is_wanted_of_both(here: Harness) -> None:
    """Each rule that asks names its own approvers; whoever two of them name is asked once."""
    await ruled(here, MARA)
    await ruled(here, MARA, ERIN, needed=2, id="more")
    question, _ = await asked(here)
    for user in (DANA, MARA):
        await says(here, question, user)
    assert here.effect.calls == []
    await says(here, question, ERIN)
    assert len(here.effect.calls) == 1


async def test_a_turn_ends(here: Harness) -> None:
    """Whoever says nothing in their time is replaced by who stands in, and decides no more; nobody follows that one, so
    they have the time of the question.
    """
    await ruled(here, MARA, stand_in=ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN - timedelta(seconds=1))
    assert (await now_of(here, question)).waits_for == MARA
    await passes(here, timedelta(seconds=1))
    assert (await now_of(here, question)).waits_for == ERIN
    assert (await says(here, question, MARA)).text == to_people.NOT_IN_TURN.format(reader=ERIN)
    assert here.codes()[-1] == "click.not_in_turn"
    assert [turn.ends_at == question.expires_at for turn in (await now_of(here, question)).turns] == [False, True]
    await passes(here, TURN * 2)
    assert (await now_of(here, question)).waits_for == ERIN
    assert (await says(here, question, ERIN)).accepted
    assert (await here.action(action)).state is ActionState.COMPLETED


@pytest.mark.parametrize("what", ["is_guest", "is_deleted", "is_bot"])
async def test_who_may_not_decide_is_not_asked(here: Harness, what: str) -> None:
    """In the place of a guest, of somebody who left, or of a bot stands who stands in; without one it is refused."""
    here.directory.people[MARA] = make.person(user=MARA, **{what: True})
    await ruled(here, MARA, stand_in=ERIN)
    question, _ = await asked(here)
    await says(here, question, DANA)
    assert (await now_of(here, question)).waits_for == ERIN
    here.directory.people[ERIN] = is_guest(ERIN)
    run = await here.asked([SEND])
    action = await here.action(run)
    assert (action.state, here.effect.calls) == (ActionState.DENIED, [])
    assert "only 0 of them may decide" in action.summary


async def test_who_left_since_the_card_is_not_asked(here: Harness) -> None:
    """They left while the owner read the card: with their yes policy is asked again, and refuses."""
    await ruled(here, MARA)
    question, action = await asked(here)
    here.directory.people[MARA] = is_guest(MARA)
    await here.seen(is_guest(MARA))
    await says(here, question, DANA)
    assert (await here.action(action)).state is ActionState.DENIED
    assert (await now_of(here, question)).state is QuestionState.REPLACED
    assert here.effect.calls == []


async def test_an_approver_who_is_a_guest_by_now_decides_nothing(here: Harness) -> None:
    """Their click is checked as its owner's is."""
    await ruled(here, MARA)
    question, action = await asked(here)
    await says(here, question, DANA)
    await here.seen(is_guest(MARA))
    assert "Only full members" in (await says(here, question, MARA)).text
    assert (await here.action(action)).state is ActionState.AWAITING


async def test_a_yes_of_who_left_since_does_not_count(here: Harness) -> None:
    """Between their yes and the claim they became a guest in Slack: the claim finds that out, and nothing is done."""
    await ruled(here, MARA, stand_in=ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    here.directory.people[MARA] = is_guest(MARA)
    here.base.clock.advance(10)
    assert (await here.click(question, user=MARA)).accepted
    await served(here)
    assert (await here.action(action)).state is ActionState.AWAITING
    assert here.effect.calls == []
    again = await here.card_of(question.run_id)
    for user in (DANA, ERIN):
        await says(here, again, user)
    assert len(here.effect.calls) == 1


async def test_one_no_ends_it(here: Harness) -> None:
    """Whoever has to agree may say no, with a reason: it is shown, and the model is told, as a member's words."""
    await ruled(here, MARA, ERIN, needed=2)
    question, action = await asked(here)
    await says(here, question, DANA)
    assert (await says(here, question, MARA, Choice.REJECT, reason="Too dear.")).accepted
    now, view = await here.action(action), await here.queries.card(question.id)
    assert (now.state, now.label) == (ActionState.REJECTED, Label.MEMBER)
    assert view is not None
    assert (view.decided_by, view.said) == (MARA, "Too dear.")
    assert "Too dear." in str(here.told())
    assert (await here.run(question.run_id)).label is Label.MEMBER
    assert not (await says(here, question, ERIN)).accepted
    assert here.effect.calls == []


@pytest.mark.parametrize("in_words", [False, True])
async def test_its_owner_takes_it_back(here: Harness, in_words: bool) -> None:
    """As long as others are asked, the owner may say no after their yes, by the button or in words."""
    await ruled(here, MARA)
    question, action = await asked(here)
    await says(here, question, DANA)
    if in_words:
        await here.says("no")
        await served(here)
    else:
        assert (await says(here, question, DANA, Choice.REJECT)).accepted
    assert (await here.action(action)).state is ActionState.REJECTED
    assert [row["choice"] for row in here.base.rows("SELECT choice FROM votes")] == ["reject"]
    assert not (await says(here, question, MARA)).accepted
    assert here.effect.calls == []


async def test_an_edit_drops_all_votes(here: Harness) -> None:
    """It is its owner's alone, also while others are asked; then everybody is asked anew, about what it is now."""
    await ruled(here, MARA)
    question, action = await asked(here)
    await says(here, question, DANA)
    assert not (await edited(here, question, {"text": "that"}, user=MARA)).accepted
    assert (await edited(here, question, {"text": "that"})).accepted
    assert not (await says(here, question, MARA)).accepted
    newer = await here.card_of(question.run_id)
    assert (newer.waits_for, newer.edition) == (DANA, 2)
    await says(here, newer, DANA)
    assert here.effect.calls == []
    await says(here, newer, MARA)
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_no_variant_is_a_yes_for_others(here: Harness) -> None:
    """“Send later” is an edit and a vote in one: with others who have to agree there is none."""
    shown = Preview(title="Send it?", fields=[], variants=[Variant(label="Later", args={"text": "later"})])
    here.effect.previews = [shown, shown]
    await ruled(here, MARA)
    question, action = await asked(here)
    refused = await edited(here, question, {"text": "later"}, variant=0)
    assert (refused.accepted, here.codes()[-1]) == (False, "click.wrong_choice")
    assert (await here.action(action)).state is ActionState.AWAITING


async def test_a_rule_that_came_after_the_yes_counts(here: Harness) -> None:
    """Approved by its owner alone, and since then others have to agree: the claim asks again."""
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
    alone = await here.card_of(run.id)
    assert (await here.click(alone)).accepted
    await ruled(here, MARA)
    await served(here)
    assert here.effect.calls == []
    again = await here.card_of(run.id)
    for user in (DANA, MARA):
        await says(here, again, user)
    assert len(here.effect.calls) == 1


@pytest.mark.parametrize(
    ("taken_away", "added", "then"), [(True, (), ()), (True, (ERIN,), (ERIN,)), (False, (ERIN,), (MARA, ERIN))]
)
async def test_a_rule_that_changes_while_a_card_waits(
    here: Harness, taken_away: bool, added: tuple[str, ...], then: tuple[str, ...]
) -> None:
    """It was taken away, put in another one's place, or joined by one: with the last yes on the old card nothing is
    done, and whoever has to agree by now is asked, its owner first.
    """
    await ruled(here, MARA)
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
    question = await here.card_of(run.id)
    await says(here, question, DANA)
    async with here.base.store.write() as work:
        assert not taken_away or await work.rules.take_away(TEAM, "four_eyes")
    for user in added:
        await ruled(here, user, id=f"of_{user}")
    await says(here, question, MARA)
    assert here.effect.calls == []
    again = await here.card_of(run.id)
    assert (again.id != question.id, again.waits_for) == (True, DANA)
    assert [one for each in again.deciders for one in each.people] == list(then)
    for user in (DANA, *then):
        assert here.effect.calls == []
        await says(here, again, user)
    assert len(here.effect.calls) == 1


@pytest.mark.parametrize(
    ("edited", "then"), [({"deciders": Deciders(approvers=(Approver(user=ERIN),))}, [ERIN]), ({"tool": "other"}, [])]
)
async def test_a_rule_that_is_edited_while_a_card_waits(here: Harness, edited: dict[str, Any], then: list[str]) -> None:
    """It names others by now, or is about something else: the last yes on the old card does nothing, as when a rule
    was taken away.
    """
    await ruled(here, MARA)
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
    question = await here.card_of(run.id)
    await says(here, question, DANA)
    async with here.base.store.write() as work:
        rule = await work.rules.held(TEAM, "four_eyes")
        assert rule is not None
        assert await work.rules.rewrite(TEAM, replace(rule, **edited))
    await says(here, question, MARA)
    assert here.effect.calls == []
    again = await here.card_of(run.id)
    assert [one for each in again.deciders for one in each.people] == then
    for user in (DANA, *then):
        assert here.effect.calls == []
        await says(here, again, user)
    assert len(here.effect.calls) == 1


async def test_votes_are_on_who_has_to_agree(here: Harness) -> None:
    """Since all said yes a rule names others, too, and those who agreed would be enough for it: nobody saw that, so
    everybody is asked again.
    """
    await ruled(here, MARA)
    question, _ = await asked(here)
    await says(here, question, DANA)
    assert (await here.click(question, user=MARA)).accepted
    await ruled(here, MARA, ERIN, id="more")
    await served(here)
    assert here.effect.calls == []
    again = await here.card_of(question.run_id)
    for user in (DANA, MARA):
        await says(here, again, user)
    assert len(here.effect.calls) == 1


async def test_trying_again_needs_everybody(here: Harness) -> None:
    """“Try again” of what was in doubt is the owner's word alone: everybody is asked once more before it is."""
    here.effect.outcomes = [Ambiguous("sending")]
    await ruled(here, MARA)
    question, action = await asked(here)
    for user in (DANA, MARA):
        await says(here, question, user)
    doubt = await here.card_of(question.run_id)
    await says(here, doubt, DANA, Choice.TRY_AGAIN)
    assert len(here.effect.calls) == 1
    again = await here.card_of(question.run_id)
    for user in (DANA, MARA):
        await says(here, again, user)
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert len(here.effect.calls) == 2


async def test_silence_of_the_others_expires_it(here: Harness) -> None:
    """It expires as any card does; asked again, it begins with its owner."""
    await ruled(here, MARA)
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, QUESTION_LIFE)
    assert (await here.action(action)).state is ActionState.EXPIRED
    assert not (await says(here, question, MARA)).accepted
    click = ButtonClick(team=TEAM, user=DANA, value=question.button_value())
    assert (await resume.ask_again(here.transactions, click)).accepted
    await served(here)
    assert (await here.card_of(question.run_id)).waits_for == DANA


async def home_of(here: Harness, user: str) -> HomeView:
    given: dict[str, Any] = {"accounts_offered": False, "delegated": False, "now": here.base.clock.now()}
    async with here.base.store.read() as work:
        return await home_view(
            work, make.person(user=user), cap=TrustLevel.AUTONOMOUS, side_effects_enabled=True, **given
        )


async def test_what_waits_is_listed_for_whom_it_waits(here: Harness) -> None:
    """App Home lists it for its owner, then for whoever has to agree; its owner is not reminded of it any more."""
    await ruled(here, MARA)
    question, _ = await asked(here)

    async def lines() -> dict[str, list[str]]:
        views = {user: await home_of(here, user) for user in (DANA, MARA)}
        return {
            user: [f"{one.asked_by}:{view.more_questions}" for one in view.questions] for user, view in views.items()
        }

    assert await lines() == {DANA: [":0"], MARA: []}
    await passes(here, QUESTION_LIFE / 2)
    await says(here, question, DANA)
    assert await lines() == {DANA: [], MARA: [f"{DANA}:0"]}
    reminder = await here.schedule_views.reminder(question.id)
    assert reminder is not None
    assert reminder.needs_none


async def test_app_home_tells_readers_how_long_their_turn_lasts(here: Harness) -> None:
    """As their card does: the question itself may be open for longer."""
    await ruled(here, MARA, ERIN)
    question, _ = await asked(here)
    (own,) = (await home_of(here, DANA)).questions
    assert own.expires_at == question.expires_at
    await says(here, question, DANA)
    (theirs,) = (await home_of(here, MARA)).questions
    assert theirs.expires_at == theirs.asked_at + TURN


async def test_each_reader_has_a_card_of_their_own(here: Harness) -> None:
    """A press counts on one's own card alone, and a message below somebody else's card is none of its request."""
    await ruled(here, MARA)
    question, _ = await asked(here)
    await says(here, question, DANA)
    own = Post(run_id=question.run_id, slot=card_slot(question.id), channel="D1", ts="7")
    theirs = Post(run_id=question.run_id, slot=reader_slot(question.id, MARA), channel="D2", ts="8")
    async with here.base.store.write() as work:
        for post in (own, theirs):
            await work.posts.save(post)
        assert await work.posts.run_at(TEAM, "D1", "7") == question.run_id
        assert await work.posts.run_at(TEAM, "D2", "8") is None
    assert "is a copy" in (await says(here, question, MARA, channel="D1", message_ts="7")).text
    assert (await says(here, question, MARA, channel="D2", message_ts="8")).accepted


@pytest.mark.parametrize(("seconds", "hasty"), [(1.9, True), (2.0, False)])
async def test_a_hasty_decision_is_marked(here: Harness, seconds: float, hasty: bool) -> None:
    """Whoever decides within two seconds of being asked has hardly read it: the log says so, of each of them."""
    await ruled(here, MARA)
    question, _ = await asked(here)
    for user in (DANA, MARA):
        here.base.clock.at = (await now_of(here, question)).shown_since(user) + timedelta(seconds=seconds)
        assert (await here.click(question, user=user)).accepted
    told = [json.loads(row["body"]) for row in here.base.rows("SELECT body FROM audit ORDER BY id")]
    paces = [one["details"] for one in told if "latency_ms" in one["details"]]
    assert [(one["latency_ms"], one.get("hasty", False)) for one in paces] == [(int(seconds * 1000), hasty)] * 2


async def test_a_card_that_cannot_show_everybody_is_approved_by_nobody(here: Harness) -> None:
    """Whom it reaches must stand on an approver's card in full, too: else their yes does not count."""
    await ruled(here, MARA)
    question, action = await asked(here)
    await says(here, question, DANA)
    crowd = Preview(title="Send it?", fields=[Field(label="To", value="a@x.example\n" * 900, destination=True)])
    async with here.base.store.write() as work:
        await work.actions.change(action.id, preview=asdict(replace(crowd, impact=None)))
    assert (await says(here, question, MARA)).text == to_people.TOO_MANY_DESTINATIONS


async def test_everybody_reads_what_is_long(here: Harness) -> None:
    """Neither its owner nor who has to agree says yes with a plain press; whoever's turn it is not, has no window."""
    await ruled(here, MARA)
    long = Preview(title="Send it?", fields=[Field(label="Body", value="x" * 2_501, long=True)])
    here.effect.previews = [long, long]
    question, _ = await asked(here)
    for user in (DANA, MARA):
        assert (await says(here, question, user)).text == to_people.READ_FIRST
        assert (await says(here, question, user, confirmed=Confirmation(read=True))).accepted
    assert len(here.effect.calls) == 1


@dataclass
class Walk:
    """One mail of Dana's to which two of three others have to agree, and whatever people do about it, by dice."""

    here: Harness
    dice: Random
    run: Run
    edits: int = 0
    yes: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    async def goes_on(self) -> None:
        """One more thing happens; then the process is there to work on it, or dies first."""
        chances = {
            self.says_yes: 20,
            self.says_no: 0.3,
            self.edits_it: 1,
            partial(passes, self.here, TURN): 2,
            partial(passes, self.here, QUESTION_LIFE): 0.5,
            self.asks_again: 3,
            self.comes_or_goes: 1,
            partial(stop.stop_person, self.here.transactions, TEAM, DANA): 0.1,
        }
        await self.dice.choices([*chances], weights=[*chances.values()])[0]()
        if self.dice.random() < 0.8:
            await served(self.here)

    async def says_yes(self) -> None:
        user = self.dice.choice([DANA, MARA, ERIN, FINN, GWEN])
        if question := await self.here.question(self.run.id):
            args = (await self.here.action(self.run)).args
            self.here.base.clock.advance(10)
            if (await self.here.click(question, user=user)).accepted:
                self.yes.setdefault(f"{question.id} {args}", set()).add(user)

    async def says_no(self) -> None:
        if question := await self.here.question(self.run.id):
            await self.here.click(question, Choice.REJECT, user=question.waits_for)

    async def edits_it(self) -> None:
        self.edits += 1
        if question := await self.here.question(self.run.id):
            await edited(self.here, question, {"text": f"that {self.edits}"})

    async def asks_again(self) -> None:
        for row in self.here.base.rows("SELECT id, nonce FROM questions ORDER BY n DESC LIMIT 1"):
            click = ButtonClick(team=TEAM, user=DANA, value=f"{row['id']}.{row['nonce']}")
            await resume.ask_again(self.here.transactions, click)

    async def comes_or_goes(self) -> None:
        user = self.dice.choice([MARA, ERIN, FINN, GWEN])
        person = make.person(user=user, is_guest=self.dice.random() < 0.5)
        self.here.directory.people[user] = person
        await self.here.seen(person)

    def check(self) -> None:
        """What was done was said yes to, on one card and exactly as it is, by its owner and by two others."""
        assert len(self.here.effect.calls) <= 1
        for action in self.here.base.rows("SELECT args FROM actions") if self.here.effect.calls else ():
            agreed = [people for key, people in self.yes.items() if key.endswith(f" {action['args']}")]
            assert any(DANA in people and len(people - {DANA}) >= 2 for people in agreed), self.yes


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(4, 40))])
async def test_no_order_of_events_does_it_without_everybody(here: Harness, seed: int) -> None:
    """Votes, edits, turns that end, expiry, asking again, a stop, people who leave and come back, and a process that
    dies between any two of them.
    """
    await ruled(here, MARA, ERIN, FINN, needed=2, stand_in=GWEN)
    walk = Walk(here=here, dice=Random(seed), run=await here.asked([SEND]))
    for _ in range(25):
        await walk.goes_on()
        walk.check()
