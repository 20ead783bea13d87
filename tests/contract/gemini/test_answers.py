"""What the model answers: texts, calls, signatures and usage, as they came over the wire."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.llm.model import (
    DEVELOPER,
    VERTEX,
    Blob,
    CallingMode,
    FinishKind,
    ModelRejected,
    Parameters,
    TextDelta,
    ThoughtDelta,
    Turn,
    Wire,
)
from bot.llm.models import DEFAULT_MODEL
from bot.llm.wire import Origin, content, converted, decode, files_in, parts, user_text
from tests.contract.gemini.world import (
    INSTRUCTION,
    OLDER,
    SCHEMA,
    TOOLS,
    Part,
    World,
    answered,
    asking,
    chunks,
    events_of,
    last_chunk,
    turn_of,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_text_streams(world: World) -> None:
    """Thoughts and text arrive apart, in several deltas, and add up to the turn, which comes last."""
    async with world.model() as model:
        events = await events_of(model, asking("[[model: text=One two three four five six seven eight nine ten.]]"))
    turn = events[-1]
    assert isinstance(turn, Turn)
    texts = [event.text for event in events if isinstance(event, TextDelta)]
    assert len(texts) > 1
    assert "".join(texts) == turn.text == "One two three four five six seven eight nine ten."
    assert turn.content is not None
    thoughts = [str(part["text"]) for part in parts(turn.content) if part.get("thought")]
    assert [event.text for event in events if isinstance(event, ThoughtDelta)]
    assert "".join(event.text for event in events if isinstance(event, ThoughtDelta)) == "".join(thoughts)
    assert (turn.finish, turn.calls, turn.model) == (FinishKind.STOP, (), DEFAULT_MODEL)


async def test_tools_are_sent_as_each_request_has_them(world: World) -> None:
    """Those of one agent do not stand in the request of another one, and a list may change."""
    listed = [TOOLS[2]]
    async with world.model() as model:
        for tools in (TOOLS, TOOLS[:1], TOOLS, listed, listed, ()):
            name = OLDER if tools is listed else DEFAULT_MODEL
            await turn_of(model, asking("[[model: text=Hello.]]", tools=tools, model=name))
            listed[:] = [TOOLS[3]] if len(await world.log()) == 4 else listed
    sent = [entry["request"].get("tools", [{"functionDeclarations": []}]) for entry in await world.log()]
    names = [tool.name for tool in TOOLS]
    assert [OLDER in entry["path"] for entry in await world.log()] == [False, False, False, True, True, False]
    assert [[tool["name"] for tool in one["functionDeclarations"]] for (one,) in sent] == [
        *(names, names[:1], names),
        *([names[2]], [names[3]], []),
    ]


async def test_the_request_on_the_wire(world: World) -> None:
    """Contents, tools, instruction and thinking arrive as they were given, and nothing else does."""
    history = [user_text("hi"), content("model", [{"text": "Hello.", "thought": False}]), user_text("anything unread?")]
    await world.turn(asking(*history))
    assert await world.last_request() == {
        "contents": [decode(wire) for wire in history],
        "systemInstruction": {"parts": [{"text": INSTRUCTION}]},
        "tools": [
            {
                "functionDeclarations": [
                    {"name": tool.name, "description": tool.description, "parametersJsonSchema": SCHEMA}
                    for tool in TOOLS
                ]
            }
        ],
        "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
        "generationConfig": {
            "maxOutputTokens": 16_384,
            "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "LOW"},
        },
    }


async def test_a_file_goes_as_inline_data(world: World) -> None:
    """In the place where the content names it, with what stands around it; both transports take the same."""
    told = user_text("What is in it?", files=["file_1"])
    assert files_in([user_text("hi"), told, told]) == ["file_1"]
    picture = b"\x89PNG\r\n\x1a\n\xff\xfe"
    pieces: dict[str, Sequence[str | Blob]] = {"file_1": ["a picture:", Blob("image/png", picture)]}
    turn = await world.turn(replace(asking("hi", content("model", [{"text": "Hello."}]), told), files=pieces))
    assert (await world.last_request())["contents"][-1]["parts"] == [
        {"text": "a picture:"},
        {"inlineData": {"mimeType": "image/png", "data": base64.b64encode(picture).decode()}},
        {"text": "What is in it?"},
    ]
    assert turn.finish is FinishKind.STOP


async def test_a_damaged_file_is_a_refusal(world: World) -> None:
    """Of the request, not of the model: without the file it may work."""
    request = replace(asking(user_text("hi", files=["f"])), files={"f": [Blob("application/pdf", b"%PDF-1.4")]})
    with pytest.raises(ModelRejected, match="no pages"):
        await world.turn(request)


async def test_tools_off_keeps_the_declarations(world: World) -> None:
    """With tools off they are declared still, the mode is NONE, and the answer is in words."""
    turn = await world.turn(asking("anything unread?", calling_mode=CallingMode.NONE))
    request = await world.last_request()
    assert request["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert request["tools"]
    assert (turn.finish, turn.calls) == (FinishKind.STOP, ())


async def test_without_tools_there_is_no_tool_config(world: World) -> None:
    """The API refuses a function calling mode without declarations."""
    turn = await world.turn(asking("hello", tools=()))
    assert turn.finish is FinishKind.STOP
    assert "toolConfig" not in await world.last_request()


async def test_without_tools_no_call_can_be_demanded(world: World) -> None:
    """The API refuses it; the model is not asked for a text instead."""
    with pytest.raises(ModelRejected, match="without function_declarations"):
        await world.turn(asking("hello", tools=(), calling_mode=CallingMode.ANY))


@pytest.mark.parametrize("allowed", [(), ("calendar_search", "gmail_send")])
async def test_a_call_that_is_demanded(world: World, allowed: Sequence[str]) -> None:
    """The model calls a tool where it would have answered: one of those that are named, or any."""
    turn = await world.turn(asking("hello", calling_mode=CallingMode.ANY, allowed_tools=allowed))
    assert (turn.finish, turn.text) == (FinishKind.CALLS, "")
    assert {call.name for call in turn.calls} <= set(allowed or (tool.name for tool in TOOLS))


async def test_only_what_is_declared_can_be_demanded(world: World) -> None:
    """The API refuses the name of any other tool."""
    with pytest.raises(ModelRejected, match="slack_read"):
        await world.turn(asking("hello", calling_mode=CallingMode.ANY, allowed_tools=("slack_read",)))


async def test_an_older_model_with_its_parameters(world: World) -> None:
    """What a 2.x model takes is taken, and its limits are those of the API."""
    taken = Parameters(budget=512, temperature=0.2, top_p=0.9)
    turn = await world.turn(asking("hello", model=OLDER, parameters=taken))
    assert (turn.finish, turn.model) == (FinishKind.STOP, OLDER)
    with pytest.raises(ModelRejected, match=r"in the range \[0.0, 2.0\]"):
        await world.turn(asking("hello", model=OLDER, parameters=replace(taken, temperature=3)))


@pytest.mark.parametrize("ids", ["given", "none"])
async def test_calls_and_their_responses_go_round(world: World, ids: str) -> None:
    """Several calls, with ids or without, are answered in one content, and the API takes the history back."""
    async with world.model() as model:
        asked = user_text(f"[[model: parallel=3; ids={ids}]]")
        turn = await turn_of(model, asking(asked))
        assert turn.finish is FinishKind.CALLS
        assert len({call.id for call in turn.calls}) == 3
        assert {call.given_id for call in turn.calls} == {ids == "given"}
        final = await turn_of(model, asking(asked, *answered(turn)))
    assert final.finish is FinishKind.STOP
    responses = (await world.last_request())["contents"][-1]["parts"]
    assert [("id" in part["functionResponse"]) for part in responses] == [ids == "given"] * 3


async def test_signatures_come_back_as_they_were(world: World) -> None:
    """A signature's bytes survive the way through the store, and a request with them is taken over many steps."""
    contents: list[Wire] = [user_text("[[model: never_stop]]")]
    async with world.model() as model:
        for _ in range(4):
            turn = await turn_of(model, asking(*contents))
            contents += answered(turn)
    sent = [part["thoughtSignature"] for part in _model_parts((await world.last_request())["contents"])]
    answers = [_signature(entry) for entry in await world.log()]
    assert [_decoded(text) for text in sent] == [_decoded(text) for text in answers[:3]]


@pytest.mark.parametrize("place", ["part", "empty", "none"])
async def test_signatures_of_texts_are_kept(world: World, place: str) -> None:
    """A signed text, or a signature on an empty text, comes back unmerged: the emulator would refuse it else."""
    asked = user_text(f"[[model: signature={place}; thoughts=Let me see.]]")
    async with world.model() as model:
        turn = await turn_of(model, asking(asked))
        assert turn.content is not None
        assert sum("thoughtSignature" in part for part in parts(turn.content)) == (place != "none")
        again = await turn_of(model, asking(asked, turn.content, "hello"))
    assert again.finish is FinishKind.STOP


async def test_a_tampered_call_is_refused(world: World) -> None:
    """The emulator checks signatures, so the tests above prove something."""
    asked = user_text("anything unread?")
    async with world.model() as model:
        turn = await turn_of(model, asking(asked))
        signed, response = answered(turn)
        tampered = Wire(signed.replace("is:unread", "is:starred"))
        with pytest.raises(ModelRejected, match="signature is not valid"):
            await turn_of(model, asking(asked, tampered, response))


async def test_a_history_moves_to_the_other_transport(world: World) -> None:
    """A content of another transport is refused as it is, and taken once it is converted."""
    other = World(url=world.url, transport=DEVELOPER if world.transport == VERTEX else VERTEX)
    asked = user_text("anything unread?")
    async with world.model() as model, other.model() as moved:
        turn = await turn_of(model, asking(asked))
        called, response = answered(turn)
        with pytest.raises(ModelRejected):
            await turn_of(moved, asking(asked, called, response))
        origin, target = Origin(model.transport, DEFAULT_MODEL), Origin(moved.transport, DEFAULT_MODEL)
        final = await turn_of(moved, asking(asked, converted(called, made_by=origin, to=target), response))
    assert final.finish is FinishKind.STOP


async def test_usage_is_counted(world: World) -> None:
    """Prompt, output with thoughts, and what came from the cache are told as the last chunk says."""
    long_history = [user_text("x " * 4_000), content("model", [{"text": "Read."}])]
    turn = await world.turn(asking(*long_history, "hello"))
    told = last_chunk((await world.log())[-1])["usageMetadata"]
    assert turn.usage.prompt_tokens == told["promptTokenCount"]
    assert turn.usage.output_tokens == told["candidatesTokenCount"] + told["thoughtsTokenCount"]
    assert turn.usage.cached_tokens == told["cachedContentTokenCount"] > 1_000


async def test_a_hundred_steps_at_once(world: World) -> None:
    """One client serves many runs at the same time."""
    async with world.model() as model:
        turns = await asyncio.gather(*(turn_of(model, asking(f"[[model: text=answer {n}]]")) for n in range(50)))
    assert [turn.text for turn in turns] == [f"answer {n}" for n in range(50)]


async def test_the_environment_does_not_decide(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and switches in the environment do not change what the constructor was given."""
    monkeypatch.setenv("GOOGLE_API_KEY", "invalid-other")
    monkeypatch.setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true" if world.transport == DEVELOPER else "false")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "other")
    async with world.model() as model:
        assert (await turn_of(model, asking("hello"))).finish is FinishKind.STOP


async def test_a_long_history_is_not_converted(world: World) -> None:
    """The history reaches the wire byte for byte, unknown fields included, whatever its length."""
    odd = content("user", [{"text": "hi", "videoMetadata": {"madeUp": [1, {"deep": None}]}}])
    pairs = [wire for _ in range(100) for wire in (odd, content("model", [{"text": "Yes."}]))]
    await world.turn(asking(*pairs, "hello"))
    assert (await world.last_request())["contents"][:200] == [decode(wire) for wire in pairs]


def _decoded(signature: str) -> bytes:
    """The bytes of a signature in either alphabet of base64, padded or not."""
    return base64.b64decode(signature.translate(str.maketrans("-_", "+/")) + "=" * (-len(signature) % 4))


def _model_parts(contents: list[Any]) -> list[Part]:
    return [
        part for each in contents if each["role"] == "model" for part in each["parts"] if "thoughtSignature" in part
    ]


def _signature(entry: dict[str, Any]) -> str:
    found = [
        part["thoughtSignature"]
        for chunk in chunks(entry)
        for part in chunk["candidates"][0].get("content", {}).get("parts", [])
        if "thoughtSignature" in part
    ]
    return str(found[0])
