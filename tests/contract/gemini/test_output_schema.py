"""Answers by a schema, and models that give none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.llm.model import Blob, CallingMode, FinishKind, ModelRejected, ModelRequest, Restarted, TextDelta, Turn
from bot.llm.wire import model_text, user_text
from tests.contract.gemini.world import OLDER, TOOLS, World, asking, events_of, turn_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

REPORT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"report": {"$ref": "#/$defs/text"}, "sure": {"const": "yes"}},
    "required": ["report"],
    "additionalProperties": False,
    "$defs": {"text": {"type": "string", "minLength": 1}},
}
SENT = {
    **REPORT,
    "properties": {**REPORT["properties"], "sure": {"enum": ["yes"]}},
    "$defs": {"text": {"type": "string"}},
}
FILLED = {"report": "All well.", "sure": "yes"}
HAND_OVER = "hand_over_answer"
BARE = "Request contains an invalid argument."
NO_JSON_BESIDE_TOOLS = "Function calling with a response mime type: 'application/json' is unsupported"
NO_JSON_BESIDE_TOOLS_ON_VERTEX = (
    "For controlled generation of only function calls (forced function calling), please set "
    "'tool_config.function_calling_config.mode' field to ANY instead of populating 'response_mime_type', "
    "'response_schema' and 'response_json_schema' fields."
)


def last(text: str = "[[model: text=All well.]]", **more: Any) -> ModelRequest:
    """The last call of an agent: tools are off, and the answer has a schema."""
    asked: dict[str, Any] = {"calling_mode": CallingMode.NONE, "output_schema": REPORT, **more}
    return asking(text, **asked)


async def demanded(world: World) -> object:
    """How the last request says whether the model calls."""
    return (await world.last_request())["toolConfig"]["functionCallingConfig"]


async def asked_with(world: World) -> list[object]:
    """The schema of each request so far."""
    return [entry["request"]["generationConfig"].get("responseJsonSchema") for entry in await world.log()]


@pytest.mark.parametrize("tools", [TOOLS, ()])
async def test_an_answer_by_a_schema(world: World, tools: Any) -> None:
    """It is JSON by the schema, with the declarations kept or without any."""
    turn = await world.turn(last(tools=tools))
    assert (turn.finish, json.loads(turn.text)) == (FinishKind.STOP, {"report": "All well.", "sure": "yes"})
    request = await world.last_request()
    assert request["generationConfig"]["responseMimeType"] == "application/json"
    assert ("tools" in request, await asked_with(world)) == (bool(tools), [SENT])


async def test_where_it_may_call_it_calls(world: World) -> None:
    """A schema is that of a text; a model of today takes both."""
    turn = await world.turn(last("anything unread?", calling_mode=CallingMode.AUTO))
    assert turn.finish is FinishKind.CALLS


async def test_an_older_model_is_asked_for_text(world: World) -> None:
    """A 2.x model never gets a schema."""
    turn = await world.turn(last(model=OLDER))
    assert (turn.text, await asked_with(world)) == ("All well.", [None])


@pytest.mark.parametrize("refusal", [NO_JSON_BESIDE_TOOLS, NO_JSON_BESIDE_TOOLS_ON_VERTEX], ids=["developer", "vertex"])
async def test_a_model_without_json_beside_tools(world: World, refusal: str) -> None:
    """It is asked once more without the schema, and from then on at once, until it has no tools. Others are not."""
    await world.fault("error", status=400, error=refusal)
    async with world.model() as model:
        assert (await turn_of(model, last())).text == "All well."
        assert await asked_with(world) == [SENT, None]
        assert (await turn_of(model, last())).text == "All well."
        await turn_of(model, last(tools=()))
        await turn_of(model, last(model="gemini-4-argon"))
    assert (await asked_with(world))[2:] == [None, SENT, SENT]


@pytest.mark.parametrize("refusal", [NO_JSON_BESIDE_TOOLS, NO_JSON_BESIDE_TOOLS_ON_VERTEX], ids=["developer", "vertex"])
async def test_a_model_without_json_beside_tools_hands_over_by_a_call(world: World, refusal: str) -> None:
    """Where the request names a function for that: it has to call it, and its arguments are the text. Nothing responds
    to that call: the text is what the history keeps.
    """
    await world.fault("error", status=400, error=refusal)
    async with world.model() as model:
        turn = await turn_of(model, last(output_call=HAND_OVER))
        assert (turn.finish, turn.calls, json.loads(turn.text)) == (FinishKind.STOP, (), FILLED)
        assert turn.content == model_text(turn.text)
        assert await asked_with(world) == [SENT, None]
        assert await demanded(world) == {"mode": "ANY", "allowedFunctionNames": [HAND_OVER]}
        *others, declared = (await world.last_request())["tools"][0]["functionDeclarations"]
        assert ([one["name"] for one in others], declared["name"]) == ([tool.name for tool in TOOLS], HAND_OVER)
        assert declared["parametersJsonSchema"] == SENT
        following = last(output_call=HAND_OVER)
        again = replace(following, contents=[*following.contents, turn.content, *following.contents])
        assert json.loads((await turn_of(model, again)).text) == FILLED
    assert (await asked_with(world))[2:] == [None]


async def test_an_older_model_hands_over_by_a_call(world: World) -> None:
    """A 2.x model never gets a schema, so it is asked for the call at once."""
    turn = await world.turn(last(model=OLDER, output_call=HAND_OVER))
    assert (json.loads(turn.text), await asked_with(world)) == (FILLED, [None])
    assert await demanded(world) == {"mode": "ANY", "allowedFunctionNames": [HAND_OVER]}


async def test_a_call_that_is_refused_too_is_asked_for_in_words(world: World) -> None:
    """Of the model nothing is learned by that."""
    async with world.model() as model:
        for _ in range(2):
            await world.fault("error", status=400, error=BARE)
        assert (await turn_of(model, last(output_call=HAND_OVER))).text == "All well."
        assert await demanded(world) == {"mode": "NONE"}
        await turn_of(model, last(output_call=HAND_OVER))
    assert await asked_with(world) == [SENT, None, None, SENT]


async def test_a_schema_that_cannot_be_served(world: World) -> None:
    """The API does not say what it refuses: it is asked without. Of the model nothing is learned by that."""
    long = {"type": "array", "items": {"type": "string"}, "maxItems": 2_000}
    async with world.model() as model:
        assert (await turn_of(model, last(output_schema=long))).text == "All well."
        await turn_of(model, last())
    assert await asked_with(world) == [long, None, SENT]


async def test_what_is_refused_without_it_too(world: World) -> None:
    """Then it was something else, which is told."""
    request = replace(last(user_text("hi", files=["f"])), files={"f": [Blob("application/pdf", b"%PDF-1.4")]})
    with pytest.raises(ModelRejected, match="no pages"):
        await world.turn(request)
    assert await asked_with(world) == [SENT, None]


async def test_a_refusal_without_a_schema_is_final(world: World) -> None:
    """There is nothing to leave out."""
    await world.fault("error", status=400, error=BARE)
    with pytest.raises(ModelRejected, match=BARE):
        await world.turn(last(output_schema=None))
    assert await asked_with(world) == [None]


async def test_what_was_shown_before_a_refusal_is_void(world: World) -> None:
    """A refusal may come inside the stream."""
    await world.fault("error_event", status=400, error=BARE, after=4)
    async with world.model() as model:
        events = await events_of(model, last())
    again = events.index(Restarted())
    assert again
    assert isinstance(events[-1], Turn)
    assert "".join(event.text for event in events[again:] if isinstance(event, TextDelta)) == "All well."
    assert events[-1].text == "All well."
