"""Asking the owner: a tool's question is put to them with its answers; a click or a reply decides it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import Post
from bot.domain.questions import AnswerPayload, Choice, Question, QuestionKind, QuestionState
from bot.domain.replies import named
from bot.domain.runs import Run, RunState
from bot.runtime.actions.asking import tool_questions
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.questions import expiry
from bot.runtime.runs import resume
from bot.runtime.runs.incoming import Admission
from bot.runtime.texts import to_people
from integrations.base import Option, ToolQuestion
from integrations.errors import Ambiguous, ToolFailed
from policies.types import Decision, Label, Rule, RuleAuthor, TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness, harness

FIND = [("calendar_search", {"text": "Helen"})]
OPTIONS = [
    Option(value="helen.park@x.example", label="Helen Park", detail="Design, written to last week"),
    Option(value="helen.ito@y.example", label="Helen Ito", detail="outside"),
]
WHICH = ToolQuestion(text="Which Helen do you mean?", options=OPTIONS)


async def waiting(here: Harness, inquiry: ToolQuestion = WHICH, *says: Any, **values: Any) -> tuple[Run, Question]:
    """A request whose tool asked."""
    here.asking.inquiries = [inquiry]
    run = await here.asked(*says or (FIND, "Done."), **values)
    question = await here.card_of(run.id)
    return run, question


async def click(
    here: Harness, question: Question, choice: Choice = Choice.ANSWER, option: int | None = 1, **more: Any
) -> str:
    outcome = await here.click(question, choice, option=option, **more)
    assert outcome.accepted is not bool(outcome.text)
    return outcome.text


async def test_a_question_waits_for_its_owner(here: Harness) -> None:
    """What the tool asks stands in the question with its answers; nothing is executed, and the run waits."""
    run, question = await waiting(here)
    assert (question.kind, question.payload_as(AnswerPayload).text) == (QuestionKind.ANSWER, WHICH.text)
    assert list(tool_questions.options_of(question)) == OPTIONS
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert (await here.action(run)).state is ActionState.AWAITING
    assert not here.asking.calls
    assert len(here.model.requests) == 1


async def test_a_question_waits_as_long_as_a_card(tmp_path: Path) -> None:
    """As long as is configured, where its tool says nothing."""
    async with harness(tmp_path, question_life=timedelta(hours=1)) as here:
        _, question = await waiting(here)
        assert question.expires_at - question.created_at == timedelta(hours=1)


async def test_a_click_answers(here: Harness) -> None:
    """The action is completed with what the tool makes of the option, by its owner, and the model goes on with it."""
    run, question = await waiting(here)
    assert await click(here, question) == ""
    await here.serve()
    assert here.told() == {"output": {"address": "helen.ito@y.example"}, "trust": "owner"}
    action = await here.action(run)
    assert (action.state, action.summary, action.label) == (ActionState.COMPLETED, "It is Helen Ito.", Label.OWNER)
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert not here.asking.calls
    after = await decided(here, question)
    assert (after.state, after.decision, after.reason) == (QuestionState.DECIDED, Choice.ANSWER, "Helen Ito (outside)")
    assert "action.answered" in here.codes()


async def decided(here: Harness, question: Question) -> Question:
    async with here.base.store.read() as work:
        found = await work.questions.find(question.id)
    assert found is not None
    return found


async def test_none_of_these(here: Harness) -> None:
    """That none fits is an answer too: the model is told to ask in words."""
    run, question = await waiting(here)
    assert await click(here, question, Choice.NONE, None) == ""
    await here.serve()
    assert here.told()["output"]["answer"] is None
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert "none of these" in await click(here, question)


async def test_a_later_click_is_told(here: Harness) -> None:
    """The first answer counts; who comes later is told which it was."""
    _, question = await waiting(here)
    await click(here, question)
    assert "said “Helen Ito (outside)”" in await click(here, question, option=0)


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
async def test_clicks_that_do_not_count(here: Harness, more: dict[str, Any], said: str) -> None:
    """Somebody else's, one of another card, or one that the question does not have: refused, and the person told."""
    _, question = await waiting(here)
    assert said in await click(here, question, **more)
    assert (await decided(here, question)).state is QuestionState.OPEN


async def test_a_copy_does_not_count(here: Harness) -> None:
    """A button in another place than the card is a copy."""
    run, question = await waiting(here)
    async with here.base.store.write() as work:
        await work.posts.save(Post(run_id=run.id, slot=f"card:{question.id}", channel="D1", ts="5.0"))
    assert "copy" in await click(here, question, channel="D1", message_ts="6.0")


@pytest.mark.parametrize("typed", ["helen park", " Helen  Park ", "helen.park@x.example", "1", "#1", "1."])
async def test_a_reply_that_names_one_option_answers(here: Harness, typed: str) -> None:
    """Its label, its value or its number: as a click on it."""
    run, _ = await waiting(here)
    assert (await here.says(typed)).admission is Admission.ANSWERED
    await here.serve()
    assert here.told()["output"] == {"address": "helen.park@x.example"}
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_other_words_are_the_answer(here: Harness) -> None:
    """What names no option goes to the model as the answer; it is taken in once, and begins no run."""
    run, _ = await waiting(here)
    assert (await here.says("the one from the yard")).admission is Admission.ANSWERED
    await here.serve()
    output = here.told()["output"]
    assert output["answer_in_words"] == "the one from the yard"
    assert [option["label"] for option in output["options_shown"]] == ["Helen Park", "Helen Ito"]
    assert len(here.model.requests) == 2
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert here.base.rows("SELECT count(*) AS n FROM runs") == [{"n": 1}]


async def test_yes_and_no(here: Harness) -> None:
    """“yes” names nothing, so it is pointed at the buttons; “no” is none of these."""
    run, question = await waiting(here)
    assert (await here.says("yes")).admission is Admission.POINTED
    assert (await decided(here, question)).state is QuestionState.OPEN
    assert (await here.says("no")).admission is Admission.ANSWERED
    await here.serve()
    assert here.told()["output"]["answer"] is None
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_an_option_that_is_a_yes(here: Harness) -> None:
    """An option that is called so is named by “yes”."""
    await waiting(here, ToolQuestion(text="Both of them?", options=[Option(value="y", label="Yes")]))
    assert (await here.says("yes")).admission is Admission.ANSWERED


async def test_a_reply_answers_and_supersedes_nothing(here: Harness) -> None:
    """Beside a card that waits for approval a reply is the answer, and the card stays; “no” rejects the card."""
    run, _ = await waiting(here, WHICH, [*FIND, ("gmail_send", {"text": "it"})], "Done.", level=TrustLevel.SUPERVISED)
    assert (await here.says("no")).admission is Admission.REJECTED
    assert (await here.says("Helen Ito")).admission is Admission.ANSWERED
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    run, _ = await waiting(here, WHICH, [*FIND, ("gmail_send", {"text": "that"})], "Done.", level=TrustLevel.SUPERVISED)
    assert (await here.says("Helen Ito")).admission is Admission.ANSWERED
    assert (await here.run(run.id)).state is RunState.AWAITING


async def test_nothing_to_ask(here: Harness) -> None:
    """Where the tool has no question it is claimed and executed as any read."""
    run = await here.asked(FIND, "Done.")
    assert (here.asking.looks, len(here.asking.calls)) == (1, 1)
    assert (await here.run(run.id)).state is RunState.COMPLETED


@pytest.mark.parametrize(
    "trouble", [ToolFailed("gone", "It is gone."), Ambiguous("the look"), RuntimeError("a defect")]
)
async def test_a_look_that_fails(here: Harness, trouble: Exception) -> None:
    """What cannot be looked up fails the action, and the model is told; the run goes on."""
    here.asking.inquiries = [trouble]
    run = await here.asked(FIND, "Done.")
    assert (await here.action(run)).state is ActionState.FAILED
    assert "error" in here.told()
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_nobody_answers(here: Harness) -> None:
    """Expired, the run pauses and no model is called; asked again the tool looks anew."""
    run, question = await waiting(here)
    here.base.clock.advance(timedelta(days=8).total_seconds())
    await expiry.tick(here.transactions)
    assert (await here.run(run.id)).state is RunState.PAUSED
    assert await click(here, question) == to_people.EXPIRED
    here.asking.inquiries = [WHICH]
    again = ButtonClick(team=TEAM, user=DANA, value=question.button_value())
    assert (await resume.ask_again(here.transactions, again)).accepted
    await here.serve()
    newer = await here.card_of(run.id)
    assert (newer.id != question.id, here.asking.looks) == (True, 2)
    assert await click(here, newer) == ""
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_a_stop_withdraws_it(here: Harness) -> None:
    """Stopped, the question is withdrawn, and a click on it is told."""
    run, question = await waiting(here)
    assert (await here.says("stop")).admission is Admission.STOPPED
    assert (await here.run(run.id)).state is RunState.CANCELLED
    assert "withdrawn" in await click(here, question)


async def test_an_answer_that_is_private(here: Harness) -> None:
    """In a channel the question is for its owner alone, and with its answer the run goes on in their messages."""
    run, question = await waiting(here, in_channel=True)
    assert not (await here.run(run.id)).private
    assert here.base.rows("SELECT kind FROM outbox WHERE kind = 'stub'")
    await click(here, question)
    assert (await here.run(run.id)).private


async def test_policy_comes_first(here: Harness) -> None:
    """What policy wants asked is not looked up before it was approved."""
    rule = Rule(id="r1", decision=Decision.ASK, by=RuleAuthor.OWNER, tool="calendar_search")
    async with here.base.store.write() as work:
        await work.rules.add(TEAM, DANA, rule, at=here.base.clock.now())
    run = await here.asked(FIND, "Done.")
    question = await here.card_of(run.id)
    assert (question.kind, here.asking.looks) == (QuestionKind.APPROVE, 0)


async def test_what_is_long_is_bounded(here: Harness) -> None:
    """A hundred long options are cut to what a card can hold; the values stay whole."""
    options = [Option(value=f"v{n}" * 300, label="x" * 900, detail="y" * 900) for n in range(100)]
    _, question = await waiting(here, ToolQuestion(text="?" * 9000, options=options))
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


async def test_a_question_that_waits_is_listed_in_its_own_words(here: Harness) -> None:
    """App Home says what is asked, not which tool asks."""
    await waiting(here)
    home = await here.queries.home(TEAM, DANA)
    assert [line.title for line in home.questions] == ["Which Helen do you mean?"]
