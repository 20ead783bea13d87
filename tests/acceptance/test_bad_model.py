"""Bad input from the model: whatever it says or does not say, the run ends in words and nothing happens unasked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA
from tests.acceptance.request import Request, ask, error_of, told
from tests.acceptance.world import APPROVE, REJECT, World, hurried_model, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAIL = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Hi", "body": "Hello"}]]'


async def unused(request: Request) -> None:
    """Nothing of this run was executed, and nobody was asked anything."""
    assert await request.actions() == []
    assert await request.to_google() == []
    assert not any(APPROVE in text_of(message) for message in await request.said())


# Nothing, garbage, endings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "words", "asked"),
    [
        ("nothing", "nothing that I could use", 3),
        ("garbage", "nothing that I could use", 3),
        ("malformed_function_call", "nothing that I could use", 3),
        ("unexpected_tool_call", "nothing that I could use", 3),
        ("finish=OTHER", "nothing that I could use", 3),
        ("max_tokens_with_call", "nothing that I could use", 3),
        ("safety_with_call", "safety", 1),
        ("safety", "safety", 1),
        ("finish=RECITATION", "safety", 1),
        ("block", "safety", 1),
    ],
)
async def test_an_answer_that_cannot_be_used(shared: World, order: str, words: str, asked: int) -> None:
    """Nothing of it is executed; what may pass is asked again twice with a word about it, then the run says why."""
    request = await ask(shared, DANA, f"Try this. [[model: {order}]]")
    run = await request.ended(RunState.FAILED)
    assert words in await request.answer(run.error[:30])
    assert len(await request.to_model()) == asked
    await unused(request)


async def test_an_answer_that_is_empty_once_is_asked_for_again(shared: World) -> None:
    """After one empty answer the model is told, and its next answer counts."""
    request = await ask(shared, DANA, "[[model: nothing_once]]")
    await request.answer("Recovered.")
    assert (await request.ended()).state is RunState.COMPLETED


async def test_a_text_that_ends_at_the_limit_is_said_to_be_cut(shared: World) -> None:
    """A text that ended with MAX_TOKENS is shown with the remark that it was cut."""
    request = await ask(shared, DANA, "[[model: max_tokens]]")
    assert "reached the model’s length limit" in await request.answer("This answer ends in the mid")


# Calls ---------------------------------------------------------------------------------------------------------------


async def test_security_input_41_an_unknown_tool_ends_the_run(shared: World) -> None:
    """Nothing of the step is executed, its good calls included; the run failed with an explanation, and is audited."""
    request = await ask(shared, DANA, '[[call: gmail_search {"query": "x"}]] [[call: mail_teleport {"to": "moon"}]]')
    await request.ended(RunState.FAILED)
    assert "mail_teleport" in await request.answer("does not exist here")
    await unused(request)
    assert await request.codes() == [
        "run.queued",
        "run.started",
        "action.unknown_tool",
        "action.unknown_tool",
        "run.unknown_tool",
        "run.failed",
    ]


async def test_security_input_41_wrong_types_are_an_error_that_names_the_field(shared: World) -> None:
    """Arguments of wrong types are never executed: the model is told which fields are wrong, and goes on."""
    request = await ask(shared, DANA, "[[model: wrong_types]]")
    await request.ended(RunState.COMPLETED)
    await request.action(ActionState.FAILED)
    error = told((await request.to_model())[-1])[0]["error"]
    assert (error["code"], error["retryable"]) == ("invalid_arguments", True)
    assert all(f"{name}:" in error["message"] for name in ("to", "subject", "body"))
    assert await request.to_google() == []


async def test_wrong_types_again_and_again_end_the_run(shared: World) -> None:
    """A model that does not learn from the error is given up after two retries."""
    request = await ask(shared, DANA, "[[model: stubborn]]")
    await request.ended(RunState.FAILED)
    await request.answer("nothing that I could use")
    assert len(await request.to_model()) == 3
    assert await request.to_google() == []


@pytest.mark.parametrize("kind", ["infinity", "big", "surrogate"])
async def test_security_input_41_arguments_without_a_canonical_form_are_invalid(shared: World, kind: str) -> None:
    """What RFC 8785 refuses is answered as invalid arguments, and the run goes on."""
    request = await ask(shared, DANA, f"[[model: nan_args={kind}]]")
    await request.ended(RunState.COMPLETED)
    action = await request.action(ActionState.FAILED)
    assert error_of(action)["code"] == "invalid_arguments"
    assert "no canonical JSON form" in error_of(action)["message"]
    assert await request.to_google() == []


async def test_security_input_41_a_megabyte_of_arguments_is_invalid(shared: World) -> None:
    """Arguments that are too long are refused before anybody is asked, and kept in part only; their tokens count."""
    request = await ask(shared, DANA, "[[model: big_args]]")
    run = await request.ended(RunState.PAUSED)
    assert run.summary.startswith("I used up 200,000 tokens of the language model")
    action = await request.action(ActionState.FAILED)
    assert "bytes long; at most 262,144 are taken" in error_of(action)["message"]
    assert len(action.args) + len(action.args_proposed) < 200_000
    assert not any(APPROVE in text_of(message) for message in await request.said())


async def test_security_input_43_of_sixty_calls_sixteen_are_executed(shared: World) -> None:
    """The first 16 calls of a step run; each of the others is answered with an error, in call order."""
    request = await ask(shared, DANA, "[[model: calls=60]]")
    await request.ended(RunState.COMPLETED)
    actions = await request.actions()
    states = [action.state for action in actions]
    assert states == [ActionState.COMPLETED] * 16 + [ActionState.DENIED] * 44
    assert [error_of(action)["code"] for action in actions[16:]] == ["too_many_calls"] * 44
    assert len(await request.to_google("users/me/threads?")) == 16


# The line to the model -----------------------------------------------------------------------------------------------


async def test_a_short_advice_is_followed(shared: World) -> None:
    """A 429 whose RetryInfo asks for a moment is waited out, and the person notices nothing."""
    await shared.gemini.fault("rate_limit", seconds=0.3)
    request = await ask(shared, DANA, "[[model: text=All is well.]]")
    await request.answer("All is well.")
    run = await request.ended()
    assert run.active_ms >= 300
    assert len(await request.to_model()) == 2


@pytest.mark.parametrize(
    ("kind", "more", "words", "attempts"),
    [
        ("rate_limit", {"seconds": 90}, "cannot be reached or is overloaded", 1),
        ("daily_quota", {}, "daily quota is used up", 1),
        ("overloaded", {}, "cannot be reached or is overloaded", 4),
        ("drop_before", {}, "cannot be reached or is overloaded", 4),
        ("error", {"status": 400, "error": "API key not valid. Please pass a valid API key."}, "GEMINI_API_KEY", 1),
        ("error", {"status": 404, "error": "models/x is not found"}, "GEMINI_MODEL", 1),
        ("error", {"status": 400, "error": "Request contains an invalid argument."}, "refused this request", 1),
    ],
)
async def test_a_model_that_stays_away(
    shared: World, kind: str, more: dict[str, Any], words: str, attempts: int
) -> None:
    """After the retries that may help the run fails in words that say what to do; there is no other provider."""
    await shared.gemini.fault(kind, path="GenerateContent", times=-1, **more)
    request = await ask(shared, JONAS, "[[model: text=Never said.]]")
    await request.ended(RunState.FAILED)
    await request.answer(words)
    assert len(await request.to_model()) == attempts


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("overloaded", {}),
        ("drop_after", {}),
        ("cut", {"after": 3}),
        ("no_finish", {"after": 3}),
        ("error_event", {"status": 503, "after": 3}),
        ("garbage", {"after": 3}),
    ],
)
async def test_a_step_that_broke_off_is_done_again(shared: World, kind: str, more: dict[str, Any]) -> None:
    """The step is asked for once more, and what was streamed of the first attempt is replaced, not repeated."""
    await done_again(shared, kind, more)


@pytest.mark.parametrize(("kind", "more"), [("hang", {"seconds": 5}), ("hang_midstream", {"seconds": 5, "after": 3})])
async def test_a_step_that_hangs_is_done_again(fresh_idle: World, kind: str, more: dict[str, Any]) -> None:
    """The same when nothing more comes for some time."""
    await fresh_idle.start_bot(timings=hurried_model(1.5))
    await done_again(fresh_idle, kind, more)


async def done_again(here: World, kind: str, more: dict[str, Any]) -> None:
    """A step with this fault is done once more, and only the second attempt is seen."""
    await here.gemini.fault(kind, path="GenerateContent", **more)
    sentence = "The quick brown fox jumps over the lazy dog while the band plays on and on until the morning comes."
    request = await ask(here, LUIS, f"[[model: text={sentence}]]")
    await request.answer("morning comes.")
    assert (await request.ended()).summary == sentence
    (message,) = await request.said()
    assert text_of(message).count("quick brown fox") <= 2  # the fallback text and the block, each once
    assert len(await request.to_model()) == 2


async def test_a_model_that_hangs_is_given_up(fresh_idle: World) -> None:
    """A model that never answers is asked as often as the retries say, each within its time."""
    await fresh_idle.start_bot(timings=hurried_model(0.3))
    await fresh_idle.gemini.fault("hang", path="GenerateContent", times=-1, seconds=20)
    request = await ask(fresh_idle, PRIYA, "[[model: text=Never said.]]")
    assert (await request.ended()).state is RunState.FAILED
    await request.answer("cannot be reached")


async def test_buttons_commands_and_home_work_without_the_model(shared: World) -> None:
    """With Gemini down `/agent`, App Home, Approve and Reject work; what was approved is done, and that is said."""
    approved, rejected = await ask(shared, MARA, MAIL), await ask(shared, MARA, MAIL)
    cards = [await approved.card(APPROVE), await rejected.card(APPROVE)]
    await shared.gemini.fault("overloaded", path="GenerateContent", times=-1)
    assert "trust level" in await shared.command(MARA, "status")
    await shared.slack.post("/__act/open_home", {"user": MARA.user_id, "tab": "home"})
    await shared.click(MARA, cards[0], APPROVE)
    await shared.click(MARA, cards[1], REJECT)
    assert "Sent “" in await approved.answer("cannot be reached")
    assert "you rejected it" in await rejected.answer("cannot be reached")
    assert len(await shared.sent(MARA)) == 1
    home = (await shared.slack.state())["homes"][MARA.user_id]
    assert "helen.marsh@marshgardens.example" in json.dumps(home)
