"""What a request costs before anybody has asked for anything: the instruction, and the declarations of all tools."""

from __future__ import annotations

import pytest

from bot.domain.runs import RunState
from playground.gemini.usage import prompt_usage
from playground.people import DANA
from tests.acceptance.request import ask
from tests.acceptance.world import World

SHARED = pytest.mark.asyncio(loop_scope="module")

MOST_TOKENS = 5_074  # half of 10,149, which it was: every call of the model pays for it, and “thanks!” for nothing else


@SHARED
async def test_the_prompt_of_a_thanks_is_short(shared: World) -> None:
    """As the playground counts: four characters are a token."""
    request = await ask(shared, DANA, "thanks!")
    await request.ended(RunState.COMPLETED)
    (call,) = await request.to_model()
    assert prompt_usage(call["request"])["promptTokenCount"] <= MOST_TOKENS
