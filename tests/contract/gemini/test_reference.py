"""The model's port beside google-genai's own typed way: the same request is sent, and the same answer is read."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
import pytest_asyncio
from aiohttp import web
from google.genai import Client, types
from google.oauth2.credentials import Credentials

from bot.llm.model import (
    DEVELOPER,
    VERTEX,
    CallingMode,
    FinishKind,
    ModelRequest,
    Parameters,
    ThinkingLevel,
    Turn,
    Wire,
)
from bot.llm.models import DEFAULT_MODEL, api_version_of, generation_config
from bot.llm.wire import decode, parts, user_text
from tests.contract.gemini.world import INSTRUCTION, OLDER, SCHEMA, TOOLS, World, asking, turn_of

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    # google-genai makes its own subclass of aiohttp's session, which aiohttp dislikes
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
]

CHUNKS: Sequence[dict[str, Any]] = (
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Let me ", "thought": True}]}}]},
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "see.", "thought": True}, {"text": "I "}]}}]},
    {"usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 1, "totalTokenCount": 8}},
    {"candidates": []},
    {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "look ø 𝄞.", "thoughtSignature": "-_8="},
                        {
                            "functionCall": {"id": "c1", "name": "gmail_search", "args": {"query": "in:inbox"}},
                            "thoughtSignature": "+/8=",
                        },
                        {"functionCall": {"name": "gmail_search"}},
                    ],
                },
                "finishReason": "STOP",
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 7,
            "toolUsePromptTokenCount": 2,
            "cachedContentTokenCount": 3,
            "candidatesTokenCount": 5,
            "thoughtsTokenCount": 4,
        },
        "modelVersion": "gemini-3.8-flash-001",
        "responseId": "r1",
    },
)


def camel_case(value: Any) -> Any:
    """The same with the API's names: the typed way writes some in snake case, which the API reads, too."""
    if isinstance(value, list):
        return [camel_case(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    items = cast("dict[str, Any]", value).items()
    return {re.sub("_([a-z])", lambda found: found[1].upper(), name): camel_case(item) for name, item in items}


@dataclass(slots=True)
class Recorder:
    """A server that notes each request and answers always the same."""

    url: str = ""
    chunks: Sequence[object] = CHUNKS
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    raw: list[str] = field(default_factory=list[str])

    async def answer(self, request: web.Request) -> web.Response:
        names = ("x-goog-api-key", "authorization", "content-type")
        headers = {name: request.headers.get(name) for name in names}
        self.requests.append({"path": request.path_qs, "headers": headers, "body": await request.json()})
        self.raw.append(await request.text())
        events = "".join(f"data: {json.dumps(chunk)}\r\n\r\n" for chunk in self.chunks)
        return web.Response(text=events, content_type="text/event-stream")


@pytest_asyncio.fixture(loop_scope="module")
async def recorder() -> AsyncIterator[Recorder]:
    recorder = Recorder()
    app = web.Application()
    app.router.add_post("/{path:.*}", recorder.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    recorder.url = site.name
    yield recorder
    await runner.cleanup()


@asynccontextmanager
async def typed(transport: str, url: str, model: str) -> AsyncGenerator[Any]:
    """google-genai's own models, spoken to as its documents say."""
    plain: dict[str, Any] = {"verify": False, "ssl": False}
    options = types.HttpOptions(base_url=url, client_args={"verify": False}, async_client_args=plain)
    if transport == DEVELOPER:
        options.api_version = api_version_of(model)
        client = Client(enterprise=False, api_key="key", http_options=options)
    else:
        credentials = Credentials(token="key")
        client = Client(
            enterprise=True, project="p", location="europe-west4", credentials=credentials, http_options=options
        )
    async with client.aio as opened:
        yield opened.models


def typed_config(request: ModelRequest) -> types.GenerateContentConfig:
    declared = [
        types.FunctionDeclaration(name=tool.name, description=tool.description, parameters_json_schema=SCHEMA)
        for tool in TOOLS
    ]
    generation = generation_config(request.model, request.parameters)
    calling = types.FunctionCallingConfig(
        mode=types.FunctionCallingConfigMode(request.calling_mode.value),
        allowed_function_names=list(request.allowed_tools) or None,
    )
    return types.GenerateContentConfig(
        system_instruction=types.Content(parts=[types.Part(text=INSTRUCTION)]),
        tools=[types.Tool(function_declarations=declared)],
        tool_config=types.ToolConfig(function_calling_config=calling),
        max_output_tokens=cast("int", generation["maxOutputTokens"]),
        temperature=request.parameters.temperature,
        top_p=request.parameters.top_p,
        response_mime_type=None if request.output_schema is None else "application/json",
        response_json_schema=request.output_schema,
        thinking_config=types.ThinkingConfig.model_validate(generation["thinkingConfig"]),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )


async def typed_answer(transport: str, url: str, request: ModelRequest) -> list[types.GenerateContentResponse]:
    async with typed(transport, url, request.model) as models:
        contents = [types.Content(role="user", parts=[types.Part(text="hello")])]
        config = typed_config(request)
        stream = await models.generate_content_stream(model=request.model, contents=contents, config=config)
        return [chunk async for chunk in stream]


@pytest.mark.parametrize("transport", [DEVELOPER, VERTEX])
@pytest.mark.parametrize("name", [DEFAULT_MODEL, f"models/{DEFAULT_MODEL}", "gemini-flash-latest", "google/gemini-x"])
async def test_the_same_request(recorder: Recorder, transport: str, name: str) -> None:
    """Path, key or token, and body are those that the typed way sends."""
    await World(url=recorder.url, transport=transport).turn(asking("hello", model=name))
    await typed_answer(transport, recorder.url, asking("hello", model=name))
    ours, reference = recorder.requests
    assert ours == camel_case(reference)


@pytest.mark.parametrize("transport", [DEVELOPER, VERTEX])
@pytest.mark.parametrize(
    "request_",
    [
        asking("hello", calling_mode=CallingMode.NONE),
        asking("hello", calling_mode=CallingMode.ANY),
        asking("hello", calling_mode=CallingMode.ANY, allowed_tools=("gmail_send", "gmail_search")),
        asking("hello", parameters=Parameters(level=ThinkingLevel.HIGH)),
        asking("hello", model=OLDER, parameters=Parameters(budget=-1, temperature=0.2, top_p=0.9)),
        asking("hello", output_schema=SCHEMA, calling_mode=CallingMode.NONE),
    ],
    ids=["none", "any", "two of them", "level", "budget and sampling", "schema"],
)
async def test_what_a_request_asks_for(recorder: Recorder, transport: str, request_: ModelRequest) -> None:
    """Its calling mode, its parameters and its schema are sent as the typed way sends them."""
    await World(url=recorder.url, transport=transport).turn(request_)
    await typed_answer(transport, recorder.url, request_)
    ours, reference = recorder.requests
    assert ours == camel_case(reference)


@pytest.mark.parametrize("transport", [DEVELOPER, VERTEX])
async def test_contents_are_sent_as_they_are_stored(recorder: Recorder, transport: str) -> None:
    """Character for character, so that a long history is neither read nor written for each call."""
    asked = Wire('{"role": "user" , "parts":[{"text":"h\u00e9llo \\u00e9"}]}')
    stored = [asked, Wire('{"parts":[{"text":"2"}],"role":"model"}'), asked]
    await World(url=recorder.url, transport=transport).turn(replace(asking("hello"), contents=stored))
    assert recorder.raw[-1].endswith(f'"contents":[{",".join(stored)}]}}')
    assert recorder.requests[-1]["headers"]["content-type"] == "application/json"


@pytest.mark.parametrize("transport", [DEVELOPER, VERTEX])
async def test_each_request_names_its_model(recorder: Recorder, transport: str) -> None:
    """One client asks any model, each on the version of the API that knows it, with that model's settings."""
    names = [DEFAULT_MODEL, "gemini-flash-latest", "gemini-4-argon", DEFAULT_MODEL]
    async with World(url=recorder.url, transport=transport).model() as model:
        for name in names:
            await turn_of(model, asking("hello", model=name))
    for name in names:
        await typed_answer(transport, recorder.url, asking("hello", model=name))
    assert recorder.requests[:4] == [camel_case(reference) for reference in recorder.requests[4:]]


@pytest.mark.parametrize("transport", [DEVELOPER, VERTEX])
async def test_the_same_answer(recorder: Recorder, transport: str) -> None:
    """Texts, calls, tokens, the model and how it ended are what the typed way reads; signatures stay as they came."""
    turn = await World(url=recorder.url, transport=transport).turn(asking("hello"))
    told = await typed_answer(transport, recorder.url, asking("hello"))
    pieces = [part for chunk in told for part in (chunk.parts or [])]
    last = told[-1]
    assert turn.text == "".join(part.text for part in pieces if part.text and not part.thought)
    calls = [part.function_call for part in pieces if part.function_call]
    assert [(call.name, call.args) for call in turn.calls] == [(call.name, call.args or {}) for call in calls]
    assert [call.id for call in turn.calls if call.given_id] == [call.id for call in calls if call.id]
    assert turn.model == last.model_version
    assert turn.finish is FinishKind.CALLS
    usage = last.usage_metadata
    assert usage is not None
    assert turn.usage.prompt_tokens == (usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0)
    assert turn.usage.output_tokens == (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    assert turn.usage.cached_tokens == usage.cached_content_token_count
    assert turn.content is not None
    assert [part.get("thoughtSignature") for part in parts(turn.content)] == [None, None, "-_8=", "+/8=", None]


@pytest.mark.parametrize(
    "odd",
    [
        "text",
        [],
        {"candidates": {"content": {}}},
        {"candidates": [{"content": {"parts": [{"text": 5}]}}]},
        {"candidates": [{"content": {"parts": ["text"]}}]},
        {"candidates": [{"content": {"parts": [{"functionCall": {"name": "x", "args": "y"}}]}}]},
        {"usageMetadata": {"promptTokenCount": "many"}},
    ],
    ids=["text", "list", "one candidate", "number", "part", "arguments", "tokens"],
)
async def test_what_is_no_answer(recorder: Recorder, odd: object) -> None:
    """An event of another shape makes the turn malformed, as what is no JSON does; nothing of it is kept."""
    recorder.chunks = [CHUNKS[0], odd, *CHUNKS[3:]]
    turn = await _turn(recorder)
    assert (turn.finish, turn.finish_detail, turn.content, turn.calls) == (
        FinishKind.MALFORMED,
        "MALFORMED_RESPONSE: UNREADABLE",
        None,
        (),
    )


async def test_null_is_absent(recorder: Recorder) -> None:
    """A field that is null was not given."""
    nothing = {"content": {"parts": [{"text": None, "functionCall": None}]}, "finishReason": None}
    recorder.chunks = [
        {"candidates": None, "usageMetadata": None, "promptFeedback": None, "modelVersion": None},
        {"candidates": [{"content": None}], "promptFeedback": {"blockReason": None}},
        {"candidates": [nothing]},
        CHUNKS[-1],
    ]
    turn = await _turn(recorder)
    assert (turn.finish, turn.text) == (FinishKind.CALLS, "look ø 𝄞.")


async def test_what_is_not_known_goes_back(recorder: Recorder) -> None:
    """A part that this version does not know is kept as it came: the API made it, and takes it back."""
    unknown = {"madeUp": {"deep": [1, None]}, "thoughtSignature": "AA=="}
    ended = {"candidates": [{"content": {"parts": [{"text": "Done."}]}, "finishReason": "STOP"}]}
    recorder.chunks = [{"candidates": [{"content": {"parts": [unknown]}}]}, ended]
    turn = await _turn(recorder)
    assert turn.content is not None
    assert decode(turn.content) == {"role": "model", "parts": [unknown, {"text": "Done."}]}


async def _turn(recorder: Recorder) -> Turn:
    return await World(url=recorder.url, transport=DEVELOPER).turn(asking(user_text("hello")))
