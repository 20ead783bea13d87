"""An account that its provider refuses: noticed before an effect is claimed, asked about once, never exchanged."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.connections import REFUSED
from bot.domain.deliveries import Post
from bot.domain.questions import Choice, ConnectPayload, Question, QuestionKind
from bot.domain.runs import Run, RunState
from bot.runtime.questions import expiry
from bot.runtime.questions.connect import ConnectQuestions, believe_again
from bot.slack.views import answer
from integrations.base import Preview, Requester
from integrations.errors import BasisChanged, Lack, NotConnected, ToolFailed
from integrations.grants import GoogleGrant
from policies.provenance import Impact
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.plans.test_plan import ONE, WRITE, confirmed, judged
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import Said

SEND = ("gmail_send", {"text": "it"})
LOST = NotConnected(Lack.CREDENTIALS, "gone", missing=frozenset({"mail"}))


@dataclass(slots=True)
class Grants:
    """Accounts as the test says."""

    account: str = "a1"
    error: Exception | None = None
    asked: list[frozenset[str]] = field(default_factory=list[frozenset[str]])

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        del requester, refused
        self.asked.append(scopes)
        if self.error:
            raise self.error
        return GoogleGrant(account=self.account, email="d", access_token="t", scopes=scopes)

    async def refused(self, requester: Requester, account: str) -> None:
        raise NotImplementedError(account)


@pytest.fixture
def here(here: Harness, monkeypatch: pytest.MonkeyPatch) -> Harness:
    monkeypatch.setattr(type(here.effect), "provider", "google")
    runner = here.runner
    executor = replace(runner.executor, connects=True, grants=Grants())
    here.runner = replace(runner, executor=executor, evaluator=replace(runner.evaluator, connects=True))
    return here


def grants(here: Harness) -> Grants:
    assert isinstance(here.runner.executor.grants, Grants)
    return here.runner.executor.grants


async def approved(here: Harness) -> Action:
    """Something that was approved, and waits to begin."""
    action = await here.standing(here.effect, ActionState.APPROVED, account="a1")
    async with here.base.store.write() as work:
        await work.users.set_level(TEAM, DANA, "autonomous")
    return action


async def questions(here: Harness) -> list[Question]:
    """What Dana is asked to connect, the oldest first."""
    async with here.base.store.read() as work:
        asked = await work.questions.open_of(TEAM, DANA, limit=99)
    return [question for question in reversed(asked) if question.kind is QuestionKind.CONNECT]


async def connect(here: Harness, account: str = "a1", status: str = "active") -> None:
    connection = make.connection(account=account, scopes=frozenset({"mail"}), status=status)
    async with here.base.store.write() as work:
        await work.connections.save(connection, at=here.base.clock.now())


# When it is claimed ---------------------------------------------------------------------------------------------------


async def test_a_lost_account_is_noticed_before_an_effect_is_claimed(here: Harness) -> None:
    """Nothing is begun: no attempt, no intent in the log, and a question instead."""
    action = await approved(here)
    grants(here).error = LOST
    await here.serve()
    found = await here.action(action)
    assert (found.state, found.attempt, here.effect.calls) == (ActionState.AWAITING, 0, [])
    assert "action.claimed" not in here.codes()
    (question,) = await questions(here)
    assert question.payload_as(ConnectPayload).is_lost


async def test_a_provider_that_is_away_keeps_nothing_from_being_claimed(here: Harness) -> None:
    """It may be back until the account is used; if not, the attempt says so."""
    action = await approved(here)
    grants(here).error = ToolFailed("google_unavailable", "away")
    await here.serve()
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_where_connecting_is_not_offered_the_attempt_says_what_is_missing(here: Harness) -> None:
    """It fails as the tool says, as ever."""
    here.runner = replace(here.runner, executor=replace(here.runner.executor, connects=False))
    action = await approved(here)
    grants(here).error = LOST
    here.effect.outcomes = [LOST]
    await here.serve()
    assert (await here.action(action)).state is ActionState.FAILED


# Another account ------------------------------------------------------------------------------------------------------


def for_account(account: str) -> Preview:
    return Preview(
        title="Do it?", fields=[], account=account, recipients=("helen@x.example",), impact=Impact(is_alone=True)
    )


async def test_what_was_approved_for_one_account_is_not_claimed_for_another(here: Harness) -> None:
    """Somebody connected another account meanwhile: it is refused, in words, and nothing was begun."""
    action = await approved(here)
    grants(here).account = "a2"
    here.effect.previews = [for_account("a2")]
    await here.serve()
    found = await here.action(action)
    assert (found.state, found.attempt, here.effect.calls) == (ActionState.REJECTED, 0, [])
    assert "action.other_account" in here.codes()


async def test_what_was_judged_for_one_account_is_not_done_with_another(here: Harness) -> None:
    """Also where nobody is asked: an account that is exchanged in the middle of an attempt ends it."""
    here.effect.previews = [for_account("a1"), for_account("a2")]
    here.effect.outcomes = [BasisChanged(what="the connected Google account")]
    action = await here.action(await here.asked([SEND]))
    assert (action.state, len(here.effect.calls)) == (ActionState.REJECTED, 1)


# Asked once -----------------------------------------------------------------------------------------------------------


async def two_lost(here: Harness) -> tuple[Run, Run]:
    """Two requests that found the same account refused."""
    await connect(here, status=REFUSED)
    here.effect.previews = [LOST, LOST]
    first = await here.asked([SEND])
    second = await here.asked([SEND])
    return first, second


async def test_two_requests_with_one_lost_account_ask_once(here: Harness) -> None:
    """The second one's line says that it waits for the same, and has no button to connect."""
    first, second = await two_lost(here)
    asked, waits = await questions(here)
    assert (asked.run_id, asked.remind_at is not None) == (first.id, True)
    assert (waits.run_id, waits.remind_at, waits.payload_as(ConnectPayload).elsewhere) == (second.id, None, True)
    await connect(here)
    await ConnectQuestions(transactions=here.transactions).connected(TEAM, DANA)
    assert await questions(here) == []
    await here.serve()
    assert {(await here.action(run)).state for run in (first, second)} == {ActionState.COMPLETED}


async def test_whoever_waited_asks_when_nobody_else_does_any_more(here: Harness) -> None:
    """The card that asked expired: the one that waited for it gets a card of its own, once."""
    _, second = await two_lost(here)
    asked, _ = await questions(here)
    tick = ConnectQuestions(transactions=here.transactions).tick
    await tick()
    assert [question.payload_as(ConnectPayload).elsewhere for question in await questions(here)] == [False, True]
    here.base.clock.at = asked.expires_at - timedelta(seconds=0)
    await expiry.tick(here.transactions)
    await tick()
    await tick()
    (speaks,) = await questions(here)
    assert speaks.run_id == second.id
    assert not speaks.payload_as(ConnectPayload).elsewhere
    assert speaks.remind_at is not None
    view = await here.queries.card(speaks.id)
    assert view is not None
    assert not view.elsewhere


async def test_what_waits_for_an_account_is_listed_as_that(here: Harness) -> None:
    """App Home and `/agent status` say that an account is asked for, and for what it is needed."""
    await two_lost(here)
    view = await here.queries.home(TEAM, DANA)
    titles = [line.title for line in view.questions]
    assert titles
    assert all(title.startswith("Connect your Google account again? I need it to: ") for title in titles), titles


async def test_not_now_is_said_once_for_all_that_wait(here: Harness) -> None:
    """“Not now” on the one card ends its own request; the others wait on without asking one after the other, say so
    where they stand, and go on when the account is connected all the same. A new request asks anew.
    """
    first, second = await two_lost(here)
    here.effect.previews = [LOST]
    third = await here.asked([SEND])
    asked, *_ = await questions(here)
    async with here.base.store.write() as work:
        await work.posts.save(Post(run_id=first.id, slot=f"card:{asked.id}", channel="D1", ts="1"))
    assert (await here.click(asked, Choice.REJECT, channel="D1", message_ts="1")).accepted
    await here.serve()
    everything = ConnectQuestions(transactions=here.transactions)
    await everything.tick()
    waiting = await questions(here)
    assert [question.run_id for question in waiting] == [second.id, third.id]
    for question in waiting:
        view = await here.queries.card(question.id)
        assert view is not None
        assert (view.elsewhere, view.declined) == (True, True)
    here.effect.previews = [LOST]
    await here.asked([SEND])
    assert not (await questions(here))[-1].payload_as(ConnectPayload).elsewhere
    await connect(here)
    await everything.connected(TEAM, DANA)
    await here.serve()
    assert [(await here.action(run)).state for run in (first, second, third)] == [
        ActionState.REJECTED, ActionState.COMPLETED, ActionState.COMPLETED,
    ]  # fmt: skip


async def test_what_waits_beside_in_one_request_speaks_up_when_connecting_was_not_enough(here: Harness) -> None:
    """Mail was connected, the calendar is still missing: a card asks for that."""
    no_mail, no_calendar = (NotConnected(Lack.ACCOUNT, "none", missing=frozenset({scope})) for scope in ("mail", "cal"))
    here.effect.previews = [no_mail, no_calendar]
    await here.asked([SEND, SEND])
    asked, quiet = sorted(await questions(here), key=lambda question: question.payload_as(ConnectPayload).quiet)
    first = asked.payload_as(ConnectPayload)
    assert (first.quiet, quiet.payload_as(ConnectPayload).quiet) == (False, True)
    met, unmet = (asked, quiet) if "mail" in first.missing else (quiet, asked)
    await connect(here)
    everything = ConnectQuestions(transactions=here.transactions)
    await everything.connected(TEAM, DANA)
    await everything.tick()
    (left,) = await questions(here)
    assert (left.id, left.payload_as(ConnectPayload).quiet) == (unmet.id, False)
    assert met.id != left.id


async def test_a_round_comes_to_everybody_who_connected_however_many_did_not(here: Harness) -> None:
    """Questions that nothing answers yet keep nobody's from its turn, nor those of one page the next page's."""
    no_mail = NotConnected(Lack.ACCOUNT, "none", missing=frozenset({"mail"}))
    here.effect.previews = [no_mail] * 6
    others = [await here.asked([SEND], user=f"U{n}") for n in range(3)]
    ours = [await here.asked([SEND]) for _ in range(3)]
    await connect(here)
    await ConnectQuestions(transactions=here.transactions, batch=2).tick()
    await here.serve()
    assert [(await here.action(run)).state for run in (*others, *ours)] == [
        *[ActionState.AWAITING] * 3, *[ActionState.COMPLETED] * 3,
    ]  # fmt: skip


# Scopes that are stored, and refused all the same --------------------------------------------------------------------


async def test_what_the_provider_refuses_is_not_believed_until_it_is_connected_again(here: Harness) -> None:
    """The stored account has the scope, the provider says no: asked once, and answered by a new connection alone."""
    await connect(here)
    refused = NotConnected(Lack.SCOPE, "no", missing=frozenset({"mail"}), refused=True)
    here.effect.outcomes = [refused, refused]
    run = await here.asked([SEND])
    (question,) = await questions(here)
    for _ in range(3):
        await ConnectQuestions(transactions=here.transactions).tick()
        await here.serve()
    assert ([each.id for each in await questions(here)], len(here.effect.calls)) == ([question.id], 1)
    here.effect.outcomes = []
    async with here.base.store.write() as work:
        await work.connections.save(make.connection(scopes=frozenset({"mail"})), at=here.base.clock.now())
        await believe_again(work, TEAM, DANA)
    await ConnectQuestions(transactions=here.transactions).tick()
    await here.serve()
    action = await here.action(run)
    assert (action.state, len(here.effect.calls)) == (ActionState.COMPLETED, 2)


# In a plan ------------------------------------------------------------------------------------------------------------

NONE = NotConnected(Lack.ACCOUNT, "none", missing=frozenset({"mail"}))


async def test_a_plan_asks_for_the_account_once(here: Harness) -> None:
    """“Not now” is said to the request: neither another round nor another task shows the card again."""
    here.effect.outcomes = [NONE, NONE, NONE]
    says: list[Said] = [
        "I answer.",
        WRITE,
        judged("No.", complete=False),
        "Again.",
        WRITE,
        judged(),
        "I answer.",
        WRITE,
    ]
    run = await confirmed(here, *says, judged())
    (card,) = await questions(here)
    assert (await here.click(card, Choice.REJECT)).accepted
    await here.serve()
    assert await questions(here) == []
    assert (await here.run(run.id)).state is RunState.COMPLETED
    asked = here.base.rows("SELECT id FROM questions WHERE kind = 'connect'")
    assert [row["id"] for row in asked] == [card.id]
    view = await here.queries.answer(run.id)
    assert [line.on_card for line in view.actions] == [True, False, False]


async def test_a_plan_asks_for_more_than_was_declined(here: Harness) -> None:
    """Other rights are another question."""
    more = NotConnected(Lack.ACCOUNT, "none", missing=frozenset({"calendar"}))
    here.effect.outcomes = [NONE, more]
    await confirmed(here, "I answer.", WRITE, judged("No.", complete=False), "Again.", WRITE, judged(), plan=ONE)
    (card,) = await questions(here)
    assert (await here.click(card, Choice.REJECT)).accepted
    await here.serve()
    (other,) = await questions(here)
    assert other.payload_as(ConnectPayload).missing == {"calendar"}


async def test_a_card_that_was_declined_is_not_told_again_below_it(here: Harness) -> None:
    """The answer has the model's words; that no account was connected stands on the card above them."""
    here.effect.outcomes = [NONE]
    run = await here.asked([SEND], "I could not send it.", level=TrustLevel.AUTONOMOUS)
    (card,) = await questions(here)
    assert (await here.click(card, Choice.REJECT)).accepted
    await here.serve()
    (message,) = answer.answer(await here.queries.answer(run.id))
    assert "I could not send it." in str(message.blocks)
    assert "No account was connected" not in str(message.blocks)
