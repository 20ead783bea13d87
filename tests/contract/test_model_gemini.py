"""The Model port over the real google-genai client, against the emulator, on both transports."""

from __future__ import annotations

import asyncio
import json
import math
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
import pytest
import pytest_asyncio
from google.oauth2.credentials import Credentials

from bot.llm.gemini import Gemini
from bot.llm.model import (
    DEVELOPER,
    VERTEX,
    FinishKind,
    ModelEvent,
    ModelMisconfigured,
    ModelRejected,
    ModelRequest,
    ModelUnavailable,
    QuotaExhausted,
    Restarted,
    TextDelta,
    ThoughtDelta,
    ToolDeclaration,
    Turn,
    Wire,
)
from bot.llm.models import DEFAULT_MODEL, ThinkingLevel
from bot.llm.patience import Retries, Timeouts
from bot.llm.transport import DeveloperApi, Form, VertexAi
from bot.llm.wire import (
    Origin,
    content,
    converted,
    decode,
    function_responses,
    signatures,
    user_text,
)
from playground.gemini.app import build
from playground.serve import Served

Part = dict[str, Any]

pytestmark = pytest.mark.asyncio(loop_scope="module")

INSTRUCTION = "You help people.\nNow: Saturday 2026-11-21 15:04 (Europe/Stockholm)"
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "additionalProperties": False}
TOOLS = tuple(
    ToolDeclaration(name=name, description=f"{name}.", schema=SCHEMA)
    for name in ("gmail_search", "gmail_thread_read", "gmail_reply", "gmail_send", "calendar_search")
)
QUICK = Retries(attempts=3, first_delay=0.01, longest_delay=0.02, longest_advice=0.1)
ONCE = Retries(attempts=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The emulator, one transport to it, and what went over the wire."""

    url: str
    transport: str
    form: Form = Form.WIRE

    def model(
        self,
        *,
        name: str = DEFAULT_MODEL,
        secret: str = "key",
        url: str = "",
        retries: Retries = QUICK,
        timeouts: Timeouts | None = None,
        level: ThinkingLevel | None = None,
    ) -> Gemini:
        access: DeveloperApi | VertexAi = DeveloperApi(api_key=secret, base_url=url or self.url)
        if self.transport == VERTEX:
            credentials = Credentials(token=secret)
            access = VertexAi(project="p", location="europe-west4", endpoint=url or self.url, credentials=credentials)
        return Gemini(
            access=access, name=name, retries=retries, timeouts=timeouts, thinking_level=level, form=self.form
        )

    async def fault(self, kind: str, **more: object) -> None:
        async with aiohttp.ClientSession() as session:
            fault = {"kind": kind, "match": {"path": "streamGenerateContent"}, **more}
            async with session.post(f"{self.url}/__admin/faults", json=fault) as response:
                assert response.status == 200

    async def log(self) -> list[dict[str, Any]]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.url}/__admin/log") as response:
            return cast("list[dict[str, Any]]", (await response.json())["entries"])

    async def requests(self, *, at_least: int) -> int:
        """How many requests there were; one is noted once the server has seen its end."""
        for _ in range(100):
            if len(await self.log()) >= at_least:
                break
            await asyncio.sleep(0.01)
        return len(await self.log())

    async def last_request(self) -> dict[str, Any]:
        return (await self.log())[-1]["request"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def emulator() -> AsyncIterator[str]:
    async with Served(build(pace_seconds=0)) as url:
        yield url


WORLDS = [(DEVELOPER, Form.WIRE), (VERTEX, Form.WIRE), (DEVELOPER, Form.TYPED)]
in_wire_form = pytest.mark.parametrize("world", WORLDS[:2], indirect=True, ids="-".join)


@pytest_asyncio.fixture(params=WORLDS, ids="-".join, loop_scope="module")
async def world(emulator: str, request: pytest.FixtureRequest) -> World:
    async with aiohttp.ClientSession() as session, session.post(f"{emulator}/__admin/reset"):
        transport, form = request.param
        return World(url=emulator, transport=transport, form=form)


def asking(*contents: Wire | str, tools: Sequence[ToolDeclaration] = TOOLS, tools_off: bool = False) -> ModelRequest:
    wires = [Wire(user_text(each)) if not each.startswith("{") else Wire(each) for each in contents]
    return ModelRequest(instruction=INSTRUCTION, contents=wires, tools=tools, tools_off=tools_off)


async def events_of(model: Gemini, request: ModelRequest) -> list[ModelEvent]:
    return [event async for event in model.stream(request)]


async def turn_of(model: Gemini, request: ModelRequest) -> Turn:
    last = (await events_of(model, request))[-1]
    assert isinstance(last, Turn)
    return last


def answered(turn: Turn) -> list[Wire]:
    """The turn's content with a response to each of its calls, for the next request."""
    assert turn.content is not None
    given: Mapping[str, object] = {"output": {"threads": ()}}
    return [turn.content, function_responses([(call.id, call.name, call.given_id, given) for call in turn.calls])]


# What an answer is ------------------------------------------------------------------------------------------------


async def test_a_text_streams(world: World) -> None:
    """Thoughts and text arrive apart, in several deltas, and add up to the turn, which comes last."""
    async with world.model() as model:
        events = await events_of(model, asking("[[model: text=One two three four five six seven eight nine ten.]]"))
    turn = events[-1]
    assert isinstance(turn, Turn)
    texts = [event.text for event in events if isinstance(event, TextDelta)]
    assert len(texts) > 1
    assert "".join(texts) == turn.text == "One two three four five six seven eight nine ten."
    assert "".join(event.text for event in events if isinstance(event, ThoughtDelta)) == turn.thoughts != ""
    assert (turn.finish, turn.calls, turn.model) == (FinishKind.STOP, (), DEFAULT_MODEL)


@in_wire_form
async def test_the_request_on_the_wire(world: World) -> None:
    """Contents, tools, instruction and thinking arrive as they were given, and nothing else does."""
    history = [user_text("hi"), content("model", [{"text": "Hello.", "thought": False}]), user_text("anything unread?")]
    async with world.model(level=ThinkingLevel.HIGH) as model:
        await turn_of(model, asking(*history))
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
            "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "HIGH"},
        },
    }


async def test_tools_off_keeps_the_declarations(world: World) -> None:
    """With tools off they are declared still, the mode is NONE, and the answer is in words."""
    async with world.model() as model:
        turn = await turn_of(model, asking("anything unread?", tools_off=True))
    request = await world.last_request()
    assert request["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert request["tools"]
    assert (turn.finish, turn.calls) == (FinishKind.STOP, ())


async def test_without_tools_there_is_no_tool_config(world: World) -> None:
    """The API refuses a function calling mode without declarations."""
    async with world.model() as model:
        turn = await turn_of(model, asking("hello", tools=()))
    assert turn.finish is FinishKind.STOP
    assert "toolConfig" not in await world.last_request()


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
    assert [signatures(content("model", [{"text": "", "thoughtSignature": text}])) for text in sent] == [
        signatures(content("model", [{"text": "", "thoughtSignature": text}])) for text in answers[:3]
    ]


@pytest.mark.parametrize("place", ["part", "empty", "none"])
async def test_signatures_of_texts_are_kept(world: World, place: str) -> None:
    """A signed text, or a signature on an empty text, comes back unmerged: the emulator would refuse it else."""
    asked = user_text(f"[[model: signature={place}; thoughts=Let me see.]]")
    async with world.model() as model:
        turn = await turn_of(model, asking(asked))
        assert turn.content is not None
        assert len(signatures(turn.content)) == (0 if place == "none" else 1)
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
        origin, target = Origin(model.transport, model.name), Origin(moved.transport, moved.name)
        final = await turn_of(moved, asking(asked, converted(called, made_by=origin, to=target), response))
    assert final.finish is FinishKind.STOP


async def test_usage_is_counted(world: World) -> None:
    """Prompt, output with thoughts, and what came from the cache are told as the last chunk says."""
    long_history = [user_text("x " * 4_000), content("model", [{"text": "Read."}])]
    async with world.model() as model:
        turn = await turn_of(model, asking(*long_history, "hello"))
    told = _last_chunk((await world.log())[-1])["usageMetadata"]
    assert turn.usage.prompt_tokens == told["promptTokenCount"]
    assert turn.usage.output_tokens == told["candidatesTokenCount"] + told["thoughtsTokenCount"]
    assert turn.usage.cached_tokens == told["cachedContentTokenCount"] > 1_000
    assert turn.usage.total == told["totalTokenCount"]


# What an answer should not be -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("directive", "finish", "detail"),
    [
        ("nothing", FinishKind.MALFORMED, "EMPTY"),
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
    async with world.model() as model:
        turn = await turn_of(model, asking(f"[[model: {directive}]]"))
    assert (turn.finish, turn.content, turn.calls) == (finish, None, ())
    assert turn.finish_detail.startswith(detail)


async def test_an_answer_to_be_continued_is_one_request(world: World) -> None:
    """CONTINUATION is told as a text cut at its limit: the client asks for no more, and bills no more, by itself."""
    before = await world.requests(at_least=0)
    async with world.model() as model:
        turn = await turn_of(model, asking("[[model: finish=CONTINUATION]]"))
    assert (turn.finish, turn.text) == (FinishKind.MAX_TOKENS, "It ended.")
    assert await world.requests(at_least=before + 1) == before + 1


@pytest.mark.parametrize("directive", ["safety_with_call", "max_tokens_with_call"])
async def test_calls_of_an_unfinished_answer(world: World, directive: str) -> None:
    """A call in a response that ended with SAFETY or MAX_TOKENS is told and not executable."""
    async with world.model() as model:
        turn = await turn_of(model, asking(f"[[model: {directive}]]"))
    assert ([call.name for call in turn.refused], turn.calls, turn.content) == (["gmail_send"], (), None)


async def test_a_text_cut_at_the_limit(world: World) -> None:
    """A text that hit the token limit is kept."""
    async with world.model() as model:
        turn = await turn_of(model, asking("[[model: max_tokens]]"))
    assert (turn.finish, turn.text) == (FinishKind.MAX_TOKENS, "This answer ends in the mid")
    assert turn.content is not None


async def test_a_megabyte_of_arguments(world: World) -> None:
    """One megabyte of arguments arrives whole and goes back."""
    asked = user_text("[[model: big_args]]")
    async with world.model() as model:
        turn = await turn_of(model, asking(asked))
        assert turn.calls[0].args is not None
        assert len(cast("str", turn.calls[0].args["body"])) == 1_000_000
        final = await turn_of(model, asking(asked, *answered(turn)))
    assert final.finish is FinishKind.STOP


async def test_sixty_calls_at_once(world: World) -> None:
    """Sixty calls arrive in order, each with its own id."""
    async with world.model() as model:
        turn = await turn_of(model, asking("[[model: calls=60]]"))
    assert len({call.id for call in turn.calls}) == 60
    assert [call.args for call in turn.calls][59] == {"query": "in:inbox part 60"}


@pytest.mark.parametrize(("odd", "limit"), [("infinity", math.inf), ("big", 2**60)])
async def test_numbers_beyond_json(world: World, odd: str, limit: float) -> None:
    """Odd numbers reach the caller as they are, and the history stays sendable."""
    asked = user_text(f"[[model: nan_args={odd}]]")
    async with world.model() as model:
        turn = await turn_of(model, asking(asked))
        assert turn.calls[0].args == {"query": "in:inbox", "limit": limit}
        final = await turn_of(model, asking(asked, *answered(turn)))
    assert final.finish is FinishKind.STOP


async def test_lone_surrogates(world: World) -> None:
    """A lone surrogate reaches the caller; in the history it is replaced, so that the history stays sendable."""
    asked = user_text("[[model: nan_args=surrogate]]")
    async with world.model() as model:
        turn = await turn_of(model, asking(asked))
        assert turn.calls[0].args == {"query": "in:inbox \ud800"}
        assert turn.content is not None
        assert turn.content.encode()
        assert turn.calls[0].raw.encode()
        final = await turn_of(model, asking(asked, *answered(turn)))
    assert final.finish is FinishKind.STOP


# Faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("overloaded", {}),
        ("status", {"status": 503}),
        ("status", {"status": 502, "body": "<html>", "headers": {"content-type": "text/html"}}),
        ("rate_limit", {"seconds": 0.01}),
        ("error", {"status": 500}),
        ("drop_before", {}),
        ("drop_after", {}),
    ],
)
async def test_a_passing_fault_before_the_answer(world: World, kind: str, more: dict[str, object]) -> None:
    """A fault that passes is waited out; as nothing was shown, nothing is replaced."""
    await world.fault(kind, **more)
    async with world.model() as model:
        events = await events_of(model, asking("hello"))
    assert Restarted() not in events
    assert isinstance(events[-1], Turn)
    assert events[-1].finish is FinishKind.STOP
    assert len(await world.log()) == 2


@pytest.mark.parametrize(
    ("kind", "more"),
    [("cut", {}), ("no_finish", {}), ("error_event", {"status": 503}), ("hang_midstream", {"seconds": 5})],
)
async def test_a_stream_that_breaks_is_redone(world: World, kind: str, more: dict[str, object]) -> None:
    """A stream that is cut, ends without a finish reason, hangs or carries an error is done again from its start."""
    await world.fault(kind, after=3, **more)
    async with world.model(timeouts=Timeouts(idle=0.1)) as model:
        events = await events_of(model, asking("[[model: text=All of this text comes again from its very start.]]"))
    again = events.index(Restarted())
    assert [event for event in events[:again] if isinstance(event, TextDelta)]
    turn = events[-1]
    assert isinstance(turn, Turn)
    anew = "".join(event.text for event in events[again:] if isinstance(event, TextDelta))
    assert anew == turn.text == "All of this text comes again from its very start."
    single = _last_chunk((await world.log())[-1])["usageMetadata"]["totalTokenCount"]
    assert turn.usage.total > single


@pytest.mark.parametrize(
    ("kind", "more", "reason"),
    [
        ("overloaded", {}, "overloaded"),
        ("rate_limit", {"seconds": 0.01}, "rate"),
        ("drop_before", {}, "network"),
        ("cut", {"after": 2}, "network"),
        ("no_finish", {"after": 2}, "network"),
        ("hang", {"seconds": 5}, "timeout"),
    ],
)
async def test_a_lasting_fault_ends_in_an_error(world: World, kind: str, more: dict[str, object], reason: str) -> None:
    """A fault that does not pass is told after the last attempt, with its reason."""
    await world.fault(kind, times=-1, **more)
    async with world.model(timeouts=Timeouts(first=0.1)) as model:
        with pytest.raises(ModelUnavailable) as caught:
            await turn_of(model, asking("hello"))
    assert caught.value.reason == reason
    assert await world.requests(at_least=QUICK.attempts) == QUICK.attempts


async def test_garbage_inside_a_stream(world: World) -> None:
    """What is no JSON makes the turn malformed, whatever came before it."""
    await world.fault("garbage", after=2)
    async with world.model() as model:
        turn = await turn_of(model, asking("hello"))
    assert (turn.finish, turn.content) == (FinishKind.MALFORMED, None)


async def test_a_fault_after_the_finish_reason_is_nothing(world: World) -> None:
    """Once the API said how the answer ended, a cut costs nothing."""
    await world.fault("hang_midstream", after=1_000, seconds=5)
    async with world.model(timeouts=Timeouts(idle=0.1)) as model:
        events = await events_of(model, asking("hello"))
    assert Restarted() not in events
    assert await world.requests(at_least=1) == 1


async def test_long_advice_is_reported(world: World) -> None:
    """Advice to come back much later is handed on at once."""
    await world.fault("rate_limit", seconds=31)
    async with world.model() as model:
        with pytest.raises(ModelUnavailable) as caught:
            await turn_of(model, asking("hello"))
    assert (caught.value.reason, caught.value.retry_after) == ("rate", 31.0)


async def test_the_quota_of_the_day(world: World) -> None:
    """A used-up quota of the day is told at once and never slept on."""
    await world.fault("daily_quota")
    async with world.model() as model:
        with pytest.raises(QuotaExhausted) as caught:
            await turn_of(model, asking("hello"))
    assert caught.value.daily


async def test_a_refused_key(world: World) -> None:
    """A key or token that is refused is a fault of the configuration."""
    async with world.model(secret="invalid") as model:
        with pytest.raises(ModelMisconfigured):
            await turn_of(model, asking("hello"))


async def test_an_unknown_model(world: World) -> None:
    """A model that does not exist is a fault of the configuration."""
    async with world.model(name="gemini-0-none") as model:
        with pytest.raises(ModelMisconfigured, match="gemini-0-none"):
            await turn_of(model, asking("hello"))


async def test_an_alias(world: World) -> None:
    """A `-latest` alias works, and the turn says which model answered."""
    async with world.model(name="gemini-flash-latest") as model:
        turn = await turn_of(model, asking("hello"))
    assert turn.model == "gemini-3.8-flash"


async def test_a_bad_history_is_rejected(world: World) -> None:
    """A call without a response is a 400 that is not sent again."""
    async with world.model() as model:
        turn = await turn_of(model, asking("anything unread?"))
        assert turn.content is not None
        with pytest.raises(ModelRejected, match="number of function response parts"):
            await turn_of(model, asking("anything unread?", turn.content, "and now?"))
    assert len(await world.log()) == 2


async def test_nobody_listens(world: World) -> None:
    """A refused connection is told as a network failure, without google-genai's own sleep of seconds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        started = asyncio.get_running_loop().time()
        async with world.model(url=url) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await turn_of(model, asking("hello"))
    assert caught.value.reason == "network"
    assert asyncio.get_running_loop().time() - started < 0.9


async def test_a_connection_that_never_stands(world: World) -> None:
    """Connecting has a timeout of its own, far shorter than the wait for the first token."""
    async with _full_backlog() as url, world.model(url=url, retries=ONCE, timeouts=Timeouts(connect=0.1)) as model:
        with pytest.raises(ModelUnavailable) as caught:
            await turn_of(model, asking("hello"))
    assert caught.value.reason == "timeout"


async def test_an_answer_that_never_ends(world: World) -> None:
    """An attempt has an overall timeout, however lively the stream is."""
    patience = Timeouts(total=0.15)
    async with Served(build(pace_seconds=0.02)) as url, world.model(url=url, retries=ONCE, timeouts=patience) as model:
        with pytest.raises(ModelUnavailable) as caught:
            await turn_of(model, asking("[[model: long=20000]]"))
    assert caught.value.reason == "timeout"


async def test_leaving_early_ends_the_request(world: World) -> None:
    """Closing the stream closes its connection, and the model can be asked again."""
    async with Served(build(pace_seconds=0.01)) as url, world.model(url=url) as model:
        stream = model.stream(asking("[[model: long=20000]]"))
        assert isinstance(await anext(stream), ThoughtDelta)
        await stream.aclose()
        assert (await turn_of(model, asking("hello"))).finish is FinishKind.STOP


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


@in_wire_form
async def test_a_long_history_is_not_converted(world: World) -> None:
    """The history reaches the wire byte for byte, unknown fields included, whatever its length."""
    odd = content("user", [{"text": "hi", "videoMetadata": {"madeUp": [1, {"deep": None}]}}])
    pairs = [wire for _ in range(100) for wire in (odd, content("model", [{"text": "Yes."}]))]
    async with world.model() as model:
        await turn_of(model, asking(*pairs, "hello"))
    assert (await world.last_request())["contents"][:200] == [decode(wire) for wire in pairs]


def _model_parts(contents: list[Any]) -> list[Part]:
    return [
        part for each in contents if each["role"] == "model" for part in each["parts"] if "thoughtSignature" in part
    ]


def _chunks(entry: dict[str, Any]) -> list[dict[str, Any]]:
    lines = str(entry["response"]).splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def _last_chunk(entry: dict[str, Any]) -> dict[str, Any]:
    return _chunks(entry)[-1]


def _signature(entry: dict[str, Any]) -> str:
    found = [
        part["thoughtSignature"]
        for chunk in _chunks(entry)
        for part in chunk["candidates"][0].get("content", {}).get("parts", [])
        if "thoughtSignature" in part
    ]
    return str(found[0])


@asynccontextmanager
async def _full_backlog() -> AsyncGenerator[str]:
    """An address that accepts no connection: its backlog is full."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    waiting = [socket.socket() for _ in range(4)]
    for client in waiting:
        client.setblocking(False)
        client.connect_ex(listener.getsockname())
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        for each in [*waiting, listener]:
            each.close()
