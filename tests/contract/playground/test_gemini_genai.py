"""The Gemini emulator, spoken to by the real google-genai client with nothing but its base URL changed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol, cast

import aiohttp
import pytest
import pytest_asyncio
from google.genai import Client, errors, types
from google.oauth2.credentials import Credentials

from playground.gemini.app import build
from playground.serve import Served

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    # google-genai makes its own subclass of aiohttp's session, which aiohttp dislikes
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
]

MODEL = "gemini-3.8-flash"
DECLARATION = types.FunctionDeclaration(
    name="gmail_search",
    description="Search mail.",
    parameters_json_schema={
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "additionalProperties": False,
    },
)
CONFIG: types.GenerateContentConfigDict = {
    "tools": [types.Tool(function_declarations=[DECLARATION])],
    "automatic_function_calling": {"disable": True},
    "automatic_continuation": False,
    "thinking_config": {"include_thoughts": True, "thinking_level": types.ThinkingLevel.LOW},
}

Answer = types.GenerateContentResponse


class Models(Protocol):
    """What is used of the client; its own signatures name a library that is not installed."""

    async def generate_content(
        self, *, model: str, contents: object, config: types.GenerateContentConfigDict | None = None
    ) -> Answer: ...

    async def generate_content_stream(
        self, *, model: str, contents: object, config: types.GenerateContentConfigDict | None = None
    ) -> AsyncGenerator[Answer, None]: ...

    async def get(self, *, model: str) -> types.Model: ...


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url() -> AsyncIterator[str]:
    async with Served(build(pace_seconds=0)) as address:
        yield address


@asynccontextmanager
async def client(
    url: str, *, vertex: bool = False, key: str = "any key", version: str = "v1"
) -> AsyncGenerator[Models]:
    plain: dict[str, Any] = {"verify": False, "ssl": False}
    options = types.HttpOptions(
        base_url=url,
        client_args={"verify": False},
        async_client_args=plain,
        retry_options=types.HttpRetryOptions(attempts=1),
    )
    if vertex:
        made = Client(
            enterprise=True,
            project="p",
            location="us-central1",
            credentials=Credentials(token=key),
            http_options=options,
        )
    else:
        options.api_version = version
        made = Client(enterprise=False, api_key=key, http_options=options)
    async with made.aio as opened:
        yield cast("Models", opened.models)


def parts_of(answer: Answer) -> Sequence[types.Part]:
    assert answer.candidates
    content = answer.candidates[0].content
    return (content and content.parts) or []


async def streamed(models: Models, contents: object, config: types.GenerateContentConfigDict = CONFIG) -> list[Answer]:
    stream = await models.generate_content_stream(model=MODEL, contents=contents, config=config)
    return [chunk async for chunk in stream]


@pytest.mark.parametrize("vertex", [False, True])
async def test_a_text_at_once(url: str, vertex: bool) -> None:
    """Without streaming the answer is one response with thoughts, text, usage and a finish reason."""
    async with client(url, vertex=vertex) as models:
        answer = await models.generate_content(model=MODEL, contents="hello", config=CONFIG)
    thought, text = parts_of(answer)[:2]
    assert thought.thought
    assert "scripted model" in (text.text or "")
    assert answer.candidates
    assert answer.candidates[0].finish_reason is types.FinishReason.STOP
    assert answer.usage_metadata
    assert answer.usage_metadata.thoughts_token_count
    assert (answer.model_version, bool(answer.response_id)) == (MODEL, True)


@pytest.mark.parametrize("vertex", [False, True])
async def test_a_text_in_pieces(url: str, vertex: bool) -> None:
    """A stream has many deltas, and a finish reason in its last chunk only."""
    async with client(url, vertex=vertex) as models:
        chunks = await streamed(models, "hello")
    reasons = [chunk.candidates[0].finish_reason for chunk in chunks if chunk.candidates]
    assert len(chunks) > 5
    assert reasons == [None] * (len(chunks) - 1) + [types.FinishReason.STOP]
    assert len({chunk.response_id for chunk in chunks}) == 1
    assert all(chunk.usage_metadata for chunk in chunks)


@pytest.mark.parametrize("vertex", [False, True])
@pytest.mark.parametrize("ids", ["given", "none"])
async def test_a_typed_conversation(url: str, vertex: bool, ids: str) -> None:
    """A client that keeps google-genai's typed contents can go through a whole tool call."""
    asked = types.Content(role="user", parts=[types.Part(text=f"anything unread? [[model: parallel=2; ids={ids}]]")])
    async with client(url, vertex=vertex) as models:
        chunks = await streamed(models, [asked])
        parts = [part for chunk in chunks for part in parts_of(chunk)]
        calls = [part.function_call for part in parts if part.function_call]
        assert [bool(call.id) for call in calls] == [ids == "given"] * 2
        assert [bool(part.thought_signature) for part in parts if part.function_call] == [True, False]
        said = types.Content(role="model", parts=[part for part in parts if part.function_call or part.thought])
        responses = [
            types.Part(
                function_response=types.FunctionResponse(id=call.id, name=call.name, response={"output": {"n": number}})
            )
            for number, call in enumerate(calls)
        ]
        final = await models.generate_content(
            model=MODEL, contents=[asked, said, types.Content(role="user", parts=responses)], config=CONFIG
        )
    assert "Done." in (final.text or "")


@pytest.mark.parametrize("vertex", [False, True])
async def test_a_wire_conversation(url: str, vertex: bool) -> None:
    """A client that sends its history by `extra_body` gets the same, streaming or not."""
    asked = {"role": "user", "parts": [{"text": "anything unread?"}]}
    tools = [{"functionDeclarations": [{"name": "gmail_search", "parametersJsonSchema": {"type": "object"}}]}]

    def config(*contents: object) -> types.GenerateContentConfigDict:
        body: dict[str, Any] = {"contents": list(contents), "tools": tools}
        return {"automatic_function_calling": {"disable": True}, "http_options": {"extra_body": body}}

    async with client(url, vertex=vertex) as models:
        [*_, called, _] = await streamed(models, "", config(asked))
        [part] = parts_of(called)
        assert part.function_call
        assert part.function_call.args == {"query": "is:unread", "limit": 10}
        said = {"role": "model", "parts": [part.model_dump(mode="json", by_alias=True, exclude_none=True)]}
        told = {"name": "gmail_search", "response": {"output": {"threads": ()}}}
        answered = {"role": "user", "parts": [{"functionResponse": told}]}
        final = await models.generate_content(model=MODEL, contents="", config=config(asked, said, answered))
    assert "no mail" in (final.text or "")


async def test_a_blocked_prompt(url: str) -> None:
    """A blocked prompt has feedback and no candidate."""
    async with client(url) as models:
        [chunk] = await streamed(models, "[[model: block]]")
    assert chunk.candidates is None
    assert chunk.prompt_feedback
    assert chunk.prompt_feedback.block_reason is types.BlockedReason.PROHIBITED_CONTENT


@pytest.mark.parametrize(
    ("key", "vertex", "model", "code", "status"),
    [
        ("invalid", False, MODEL, 400, "INVALID_ARGUMENT"),
        ("invalid", True, MODEL, 401, "UNAUTHENTICATED"),
        ("key", False, "gemini-1-none", 404, "NOT_FOUND"),
        ("key", False, "gemini-flash-latest", 404, "NOT_FOUND"),
    ],
)
async def test_who_may_ask_what(url: str, key: str, vertex: bool, model: str, code: int, status: str) -> None:
    """A wrong key, a wrong token and an unknown model are answered as by Google; aliases exist on v1beta only."""
    async with client(url, key=key, vertex=vertex) as models:
        with pytest.raises(errors.ClientError) as caught:
            await models.generate_content(model=model, contents="hello")
    assert (caught.value.code, caught.value.status) == (code, status)


async def test_an_alias_on_the_beta(url: str) -> None:
    """On v1beta an alias answers with the version that it stands for."""
    async with client(url, version="v1beta") as models:
        answer = await models.generate_content(model="gemini-flash-latest", contents="hello")
    assert answer.model_version == MODEL


async def test_no_key_at_all(url: str) -> None:
    """Without a key the caller is unregistered: 403."""
    path = f"{url}/v1/models/{MODEL}:generateContent"
    async with aiohttp.ClientSession() as session, session.post(path, json={"contents": []}) as response:
        assert response.status == 403
        assert "unregistered callers" in (await response.json())["error"]["message"]


async def test_a_model_is_described(url: str) -> None:
    """models.get says that the model is a script."""
    async with client(url) as models:
        model = await models.get(model=MODEL)
    assert model.name == f"models/{MODEL}"
    assert "scripted" in (model.display_name or "")


@pytest.mark.parametrize(
    ("kind", "code"), [("rate_limit", 429), ("daily_quota", 429), ("overloaded", 503), ("error", 500)]
)
async def test_faults_in_googles_words(url: str, kind: str, code: int) -> None:
    """An injected fault has Google's shape; rate limits say when to come back."""
    async with aiohttp.ClientSession() as session:
        fault = {"kind": kind, "match": {"path": MODEL}, "seconds": 7, "status": code}
        async with session.post(f"{url}/__admin/faults", json=fault) as response:
            assert response.status == 200
    async with client(url) as models:
        with pytest.raises(errors.APIError) as caught:
            await models.generate_content(model=MODEL, contents="hello")
        assert (await models.generate_content(model=MODEL, contents="hello")).text
    assert caught.value.code == code
    body = cast("dict[str, Any]", caught.value.details)
    kinds = [detail["@type"].rpartition(".")[2] for detail in body["error"].get("details", [])]
    assert kinds == (["QuotaFailure", "RetryInfo"] if code == 429 else [])
