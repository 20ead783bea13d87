"""Answers that cannot be used, or only with care."""

from __future__ import annotations

import math
from typing import cast

import pytest

from bot.llm.model import FinishKind, Turn
from bot.llm.wire import user_text
from tests.contract.gemini.world import World, answered, asking, turn_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("directive", "finish", "detail"),
    [
        ("nothing", FinishKind.EMPTY, "EMPTY"),
        ("garbage", FinishKind.MALFORMED, "MALFORMED_RESPONSE: UNREADABLE"),
        ("malformed_function_call", FinishKind.MALFORMED, "MALFORMED_FUNCTION_CALL"),
        ("unexpected_tool_call", FinishKind.MALFORMED, "UNEXPECTED_TOOL_CALL"),
        ("safety", FinishKind.SAFETY, "SAFETY"),
        ("block", FinishKind.SAFETY, "PROMPT_BLOCKED: PROHIBITED_CONTENT"),
        ("finish=RECITATION", FinishKind.SAFETY, "RECITATION"),
        ("finish=LANGUAGE", FinishKind.OTHER, "LANGUAGE"),
    ],
)
async def test_unusable_answers(world: World, directive: str, finish: FinishKind, detail: str) -> None:
    """Each unusable answer is a turn that says what it is and leaves nothing for the history."""
    turn = await world.turn(asking(f"[[model: {directive}]]"))
    assert (turn.finish, turn.content, turn.calls) == (finish, None, ())
    assert turn.finish_detail.startswith(detail)


async def test_an_answer_to_be_continued_is_one_request(world: World) -> None:
    """CONTINUATION is told as a text cut at its limit: the client asks for no more, and bills no more, by itself."""
    before = await world.requests(at_least=0)
    turn = await world.turn(asking("[[model: finish=CONTINUATION]]"))
    assert (turn.finish, turn.text) == (FinishKind.MAX_TOKENS, "It ended.")
    assert await world.requests(at_least=before + 1) == before + 1


@pytest.mark.parametrize("directive", ["safety_with_call", "max_tokens_with_call"])
async def test_calls_of_an_unfinished_answer(world: World, directive: str) -> None:
    """A call in a response that ended with SAFETY or MAX_TOKENS is told and not executable."""
    turn = await world.turn(asking(f"[[model: {directive}]]"))
    assert ([call.name for call in turn.refused], turn.calls, turn.content) == (["gmail_send"], (), None)


async def test_a_text_cut_at_the_limit(world: World) -> None:
    """A text that hit the token limit is kept."""
    turn = await world.turn(asking("[[model: max_tokens]]"))
    assert (turn.finish, turn.text) == (FinishKind.MAX_TOKENS, "This answer ends in the mid")
    assert turn.content is not None


async def went_round(world: World, directive: str) -> Turn:
    """The turn with calls that the model was told to make; the API takes it back with its responses."""
    asked = user_text(f"[[model: {directive}]]")
    async with world.model() as model:
        turn = await turn_of(model, asking(asked))
        assert (await turn_of(model, asking(asked, *answered(turn)))).finish is FinishKind.STOP
    return turn


async def test_a_megabyte_of_arguments(world: World) -> None:
    """One megabyte of arguments arrives whole and goes back."""
    turn = await went_round(world, "big_args")
    assert turn.calls[0].args is not None
    assert len(cast("str", turn.calls[0].args["body"])) == 1_000_000


async def test_sixty_calls_at_once(world: World) -> None:
    """Sixty calls arrive in order, each with its own id."""
    turn = await world.turn(asking("[[model: calls=60]]"))
    assert len({call.id for call in turn.calls}) == 60
    assert [call.args for call in turn.calls][59] == {"query": "in:inbox part 60"}


@pytest.mark.parametrize(
    ("odd", "args"),
    [
        ("infinity", {"query": "in:inbox", "limit": math.inf}),
        ("big", {"query": "in:inbox", "limit": 2**60}),
        ("surrogate", {"query": "in:inbox \ud800"}),
    ],
    ids=["infinity", "big", "surrogate"],
)
async def test_odd_arguments(world: World, odd: str, args: dict[str, object]) -> None:
    """Numbers beyond JSON and a lone surrogate reach the caller as they are, and the history stays sendable."""
    turn = await went_round(world, f"nan_args={odd}")
    assert turn.calls[0].args == args
    assert turn.calls[0].raw.encode()
    assert turn.content is not None
    assert turn.content.encode()
