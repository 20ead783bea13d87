"""Asking the owner: a tool's question is put to them with its answers; a click or a reply decides it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import Post
from bot.domain.limits import Limits
from bot.domain.questions import AnswerPayload, Choice, Question, QuestionKind, QuestionState
from bot.domain.replies import named
from bot.domain.runs import Run, RunState
from bot.llm import wire
from bot.runtime.actions import tool_questions
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.questions import expiry
from bot.runtime.runs import resume
from bot.runtime.runs.incoming import Admission, Incoming
from bot.runtime.runs.intake import Intake
from bot.runtime.texts import to_people
from integrations.base import Option, ToolQuestion
from integrations.errors import Ambiguous, ToolFailed
from policies.types import Decision, Label, Rule, RuleAuthor, TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import House

FIND = [("calendar_search", {"text": "Helen"})]
OPTIONS = [
    Option(value="helen.park@x.example", label="Helen Park", detail="Design, written to last week"),
    Option(value="helen.ito@y.example", label="Helen Ito", detail="outside"),
]
WHICH = ToolQuestion(text="Which Helen do you mean?", options=OPTIONS)
_numbers = itertools.count(1)


async def waiting(at: House, inquiry: ToolQuestion = WHICH, *says: Any, **values: Any) -> tuple[Run, Question]:
    """A request whose tool asked."""
    at.asking.inquiries = [inquiry]
    run = await at.asked(*says or (FIND, "Done."), **values)
    question = await at.card_of(run.id)
    return run, question


async def click(
    at: House, question: Question, choice: Choice = Choice.ANSWER, option: int | None = 1, **more: Any
) -> str:
    outcome = await at.click(question, choice, option=option, **more)
    assert outcome.accepted is not bool(outcome.text)
    return outcome.text


async def say(at: House, text: str, user: str = DANA) -> Admission:
    at.base.clock.advance(1)
    ts = f"2.{next(_numbers):06}"
    said = Incoming(
        event_id=ts, team=TEAM, channel="D1", ts=ts, thread_ts="1.1", user=user, text=text, typed=text, is_dm=True,
        mentions_agent=False,
    )  # fmt: skip
    return (await Intake(transactions=at.transactions, limits=Limits()).message(said)).admission


def told(at: House) -> Mapping[str, Any]:
    """What the model was told of its only call."""
    (part,) = wire.parts(at.model.requests[-1].contents[-1])
    return cast("dict[str, Any]", part["functionResponse"])["response"]


async def test_a_question_waits_for_its_owner(at: House) -> None:
    """What the tool asks stands in the question with its answers; nothing is executed, and the run waits."""
    run, question = await waiting(at)
    assert (question.kind, question.payload_as(AnswerPayload).text) == (QuestionKind.ANSWER, WHICH.text)
    assert list(tool_questions.options_of(question)) == OPTIONS
    assert (await at.run(run.id)).state is RunState.AWAITING
    assert (await at.action(run)).state is ActionState.AWAITING
    assert not at.asking.calls
    assert len(at.model.requests) == 1


async def test_a_click_answers(at: House) -> None:
    """The action is completed with what the tool makes of the option, by its owner, and the model goes on with it."""
    run, question = await waiting(at)
    assert await click(at, question) == ""
    await at.serve()
    assert told(at) == {"output": {"address": "helen.ito@y.example"}, "trust": "owner"}
    action = await at.action(run)
    assert (action.state, action.summary, action.label) == (ActionState.COMPLETED, "It is Helen Ito.", Label.OWNER)
    assert (await at.run(run.id)).state is RunState.COMPLETED
    assert not at.asking.calls
    after = await decided(at, question)
    assert (after.state, after.decision, after.reason) == (QuestionState.DECIDED, Choice.ANSWER, "Helen Ito")
    assert "action.answered" in at.codes()


async def decided(at: House, question: Question) -> Question:
    async with at.base.store.read() as work:
        found = await work.questions.find(question.id)
    assert found is not None
    return found


async def test_none_of_these(at: House) -> None:
    """That none fits is an answer too: the model is told to ask in words."""
    run, question = await waiting(at)
    assert await click(at, question, Choice.NONE, None) == ""
    await at.serve()
    assert told(at)["output"]["answer"] is None
    assert (await at.run(run.id)).state is RunState.COMPLETED
    assert "none of these" in await click(at, question)


async def test_a_later_click_is_told(at: House) -> None:
    """The first answer counts; who comes later is told which it was."""
    _, question = await waiting(at)
    await click(at, question)
    assert "said “Helen Ito”" in await click(at, question, option=0)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"user": MARA}, "Only <@"),
        ({"team": "T9"}, "Only <@"),
        ({"value": "q_none.x"}, "not known"),
        ({"option": 7}, "does not answer"),
        ({"option": None}, "does not answer"),
        ({"choice": Choice.APPROVE}, "does not answer"),
    ],
)
async def test_clicks_that_do_not_count(at: House, more: dict[str, Any], said: str) -> None:
    """Somebody else's, one of another card, or one that the question does not have: refused, and the person told."""
    _, question = await waiting(at)
    assert said in await click(at, question, **more)
    assert (await decided(at, question)).state is QuestionState.OPEN


async def test_a_copy_does_not_count(at: House) -> None:
    """A button in another place than the card is a copy."""
    run, question = await waiting(at)
    async with at.base.store.write() as work:
        await work.posts.save(Post(run_id=run.id, slot=f"card:{question.id}", channel="D1", ts="5.0"))
    assert "copy" in await click(at, question, channel="D1", message_ts="6.0")


@pytest.mark.parametrize("typed", ["helen park", " Helen  Park ", "helen.park@x.example", "1", "#1", "1."])
async def test_a_reply_that_names_one_option_answers(at: House, typed: str) -> None:
    """Its label, its value or its number: as a click on it."""
    run, _ = await waiting(at)
    assert await say(at, typed) is Admission.ANSWERED
    await at.serve()
    assert told(at)["output"] == {"address": "helen.park@x.example"}
    assert (await at.run(run.id)).state is RunState.COMPLETED


async def test_other_words_are_the_answer(at: House) -> None:
    """What names no option goes to the model as the answer; it is taken in once, and begins no run."""
    run, _ = await waiting(at)
    assert await say(at, "the one from the yard") is Admission.ANSWERED
    await at.serve()
    output = told(at)["output"]
    assert output["answer_in_words"] == "the one from the yard"
    assert [option["label"] for option in output["options_shown"]] == ["Helen Park", "Helen Ito"]
    assert len(at.model.requests) == 2
    assert (await at.run(run.id)).state is RunState.COMPLETED
    assert at.base.rows("SELECT count(*) AS n FROM runs") == [{"n": 1}]


async def test_yes_and_no(at: House) -> None:
    """“yes” names nothing, so it is pointed at the buttons; “no” is none of these."""
    run, question = await waiting(at)
    assert await say(at, "yes") is Admission.POINTED
    assert (await decided(at, question)).state is QuestionState.OPEN
    assert await say(at, "no") is Admission.ANSWERED
    await at.serve()
    assert told(at)["output"]["answer"] is None
    assert (await at.run(run.id)).state is RunState.COMPLETED


async def test_an_option_that_is_a_yes(at: House) -> None:
    """An option that is called so is named by “yes”."""
    await waiting(at, ToolQuestion(text="Both of them?", options=[Option(value="y", label="Yes")]))
    assert await say(at, "yes") is Admission.ANSWERED


async def test_a_reply_answers_and_supersedes_nothing(at: House) -> None:
    """Beside a card that waits for approval a reply is the answer, and the card stays; “no” rejects the card."""
    run, _ = await waiting(at, WHICH, [*FIND, ("gmail_send", {"text": "it"})], "Done.", level=TrustLevel.SUPERVISED)
    assert await say(at, "no") is Admission.REJECTED
    assert await say(at, "Helen Ito") is Admission.ANSWERED
    await at.serve()
    assert (await at.run(run.id)).state is RunState.COMPLETED
    run, _ = await waiting(at, WHICH, [*FIND, ("gmail_send", {"text": "that"})], "Done.", level=TrustLevel.SUPERVISED)
    assert await say(at, "Helen Ito") is Admission.ANSWERED
    assert (await at.run(run.id)).state is RunState.AWAITING


async def test_nothing_to_ask(at: House) -> None:
    """Where the tool has no question it is claimed and executed as any read."""
    run = await at.asked(FIND, "Done.")
    assert (at.asking.looks, len(at.asking.calls)) == (1, 1)
    assert (await at.run(run.id)).state is RunState.COMPLETED


@pytest.mark.parametrize(
    "trouble", [ToolFailed("gone", "It is gone."), Ambiguous("the look"), RuntimeError("a defect")]
)
async def test_a_look_that_fails(at: House, trouble: Exception) -> None:
    """What cannot be looked up fails the action, and the model is told; the run goes on."""
    at.asking.inquiries = [trouble]
    run = await at.asked(FIND, "Done.")
    assert (await at.action(run)).state is ActionState.FAILED
    assert "error" in told(at)
    assert (await at.run(run.id)).state is RunState.COMPLETED


async def test_nobody_answers(at: House) -> None:
    """Expired, the run pauses and no model is called; asked again the tool looks anew."""
    run, question = await waiting(at)
    at.base.clock.advance(timedelta(days=8).total_seconds())
    await expiry.tick(at.transactions)
    assert (await at.run(run.id)).state is RunState.PAUSED
    assert await click(at, question) == to_people.EXPIRED
    at.asking.inquiries = [WHICH]
    again = ButtonClick(team=TEAM, user=DANA, value=question.button_value())
    assert (await resume.ask_again(at.transactions, again)).accepted
    await at.serve()
    newer = await at.card_of(run.id)
    assert (newer.id != question.id, at.asking.looks) == (True, 2)
    assert await click(at, newer) == ""
    await at.serve()
    assert (await at.run(run.id)).state is RunState.COMPLETED


async def test_a_stop_withdraws_it(at: House) -> None:
    """Stopped, the question is withdrawn, and a click on it is told."""
    run, question = await waiting(at)
    assert await say(at, "stop") is Admission.STOPPED
    assert (await at.run(run.id)).state is RunState.CANCELLED
    assert "withdrawn" in await click(at, question)


async def test_an_answer_that_is_private(at: House) -> None:
    """In a channel the question is for its owner alone, and with its answer the run goes on in their messages."""
    run, question = await waiting(at, in_channel=True)
    assert not (await at.run(run.id)).private
    assert at.base.rows("SELECT kind FROM outbox WHERE kind = 'stub'")
    await click(at, question)
    assert (await at.run(run.id)).private


async def test_policy_comes_first(at: House) -> None:
    """What policy wants asked is not looked up before it was approved."""
    rule = Rule(id="r1", decision=Decision.ASK, by=RuleAuthor.OWNER, tool="calendar_search")
    async with at.base.store.write() as work:
        await work.rules.add(TEAM, DANA, rule, at=at.base.clock.now())
    run = await at.asked(FIND, "Done.")
    question = await at.card_of(run.id)
    assert (question.kind, at.asking.looks) == (QuestionKind.APPROVE, 0)


async def test_what_is_long_is_bounded(at: House) -> None:
    """A hundred long options are cut to what a card can hold; the values stay whole."""
    options = [Option(value=f"v{n}" * 300, label="x" * 900, detail="y" * 900) for n in range(100)]
    _, question = await waiting(at, ToolQuestion(text="?" * 9000, options=options))
    shown = tool_questions.options_of(question)
    assert (len(shown), len(shown[0].label), len(question.payload_as(AnswerPayload).text)) == (25, 300, 2000)
    assert shown[3].value == "v3" * 300


def test_what_names_an_option() -> None:
    """Exactly one: what fits two names none, and a label that is a number goes before the count."""
    twins = [Option(value="a", label="Helen"), Option(value="b", label="Helen"), Option(value="c", label="1")]
    assert named(twins, "helen") is None
    assert named(twins, "b") == 1
    assert named(twins, "1") == 2
    assert named(twins, "9") is None
    assert named(twins, "") is None
    assert named(twins, "²") is None


async def test_a_question_that_waits_is_listed_in_its_own_words(at: House) -> None:
    """App Home says what is asked, not which tool asks."""
    await waiting(at)
    home = await at.queries.home(TEAM, DANA)
    assert [line.title for line in home.questions] == ["Which Helen do you mean?"]
