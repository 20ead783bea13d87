"""google-genai's client as this agent uses it: one streamed request at a time, in wire form, in our own errors.

The body goes through the client's public `http_options.extra_body` and is not converted to its typed models. Its own
retries, automatic function calling and automatic continuation are off.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, Self, cast

import aiohttp
from google.auth.credentials import Credentials
from google.genai import Client, types

from bot.llm import failures, models
from bot.llm.model import DEVELOPER, VERTEX
from bot.llm.patience import Timeouts
from bot.llm.session import first_answer, open_session

Chunk = types.GenerateContentResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class DeveloperApi:
    """The Gemini Developer API: a key, and a base URL where it is not Google's own."""

    api_key: str
    base_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VertexAi:
    """Vertex AI: project and location; credentials are the machine's own (application default) unless given."""

    project: str
    location: str
    endpoint: str | None = None
    credentials: Credentials | None = None


class Form(StrEnum):
    """How a request is handed to the client: as it stands, or through its typed models.

    TYPED is slower with every step of a run. It is the way out should the API refuse what WIRE sends.
    """

    WIRE = "wire"
    TYPED = "typed"


class Transport:
    """One client for the life of an `async with`."""

    def __init__(
        self, *, access: DeveloperApi | VertexAi, model: str, timeouts: Timeouts, form: Form = Form.WIRE
    ) -> None:
        self._access = access
        self._model = model
        self._timeouts = timeouts
        self._form = form
        self._stack = AsyncExitStack()
        self._client: Client | None = None

    @property
    def name(self) -> str:
        """`developer` or `vertex`."""
        return DEVELOPER if isinstance(self._access, DeveloperApi) else VERTEX

    async def __aenter__(self) -> Self:
        session = await self._stack.enter_async_context(open_session())
        self._client = _client(self._access, self._model, session)
        self._stack.push_async_callback(self._client.aio.aclose)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._client = None
        await self._stack.aclose()

    async def chunks(self, body: dict[str, object]) -> AsyncGenerator[Chunk, None]:
        """Ask once. Raises `ModelError`s, and `UnreadableAnswer` for what is no answer of the API."""
        now = asyncio.get_running_loop().time
        ends = now() + self._timeouts.total
        async with aclosing(await self._open(body)) as stream:
            with failures.translated():
                async with first_answer(connect=self._timeouts.connect, first=self._timeouts.first):
                    chunk = await anext(stream, None)
            while chunk is not None:
                yield chunk
                with failures.translated():
                    async with asyncio.timeout(min(self._timeouts.idle, ends - now())):
                        chunk = await anext(stream, None)

    async def _open(self, body: dict[str, object]) -> AsyncGenerator[Chunk, None]:
        assert self._client is not None, "a transport is used inside `async with`"
        models_api = cast("_ModelsApi", self._client.aio.models)
        contents, config = _as_wire(body) if self._form is Form.WIRE else _as_typed(body)
        config = {"automatic_function_calling": {"disable": True}, "automatic_continuation": False, **config}
        return await models_api.generate_content_stream(model=self._model, contents=contents, config=config)


class _ModelsApi(Protocol):
    """The one method in use; google-genai's own signature names types of a library that is not installed."""

    async def generate_content_stream(
        self, *, model: str, contents: object, config: dict[str, object]
    ) -> AsyncGenerator[Chunk, None]: ...


def _as_wire(body: dict[str, object]) -> tuple[object, dict[str, object]]:
    """The contents are a dummy that is no list: `extra_body` replaces them."""
    return "", {"http_options": {"extra_body": body}}


def _as_typed(body: dict[str, object]) -> tuple[object, dict[str, object]]:
    """The typed config holds in one object what the wire has in several."""
    settings = {name: value for name, value in body.items() if name not in {"contents", "generationConfig"}}
    return body["contents"], settings | cast("dict[str, object]", body["generationConfig"])


def _client(access: DeveloperApi | VertexAi, model: str, session: aiohttp.ClientSession) -> Client:
    base_url = access.base_url if isinstance(access, DeveloperApi) else access.endpoint
    options = types.HttpOptions(
        aiohttp_client=session,
        retry_options=types.HttpRetryOptions(attempts=1),
        base_url=base_url,
    )
    if base_url is not None and base_url.startswith("http://"):
        # Without TLS the trust stores are not needed, of which the client else reads four.
        options.client_args = {"verify": False}
        options.async_client_args = {"verify": False, "ssl": False}
    if isinstance(access, DeveloperApi):
        options.api_version = models.api_version_of(model)
        return Client(enterprise=False, api_key=access.api_key, http_options=options)
    return Client(
        enterprise=True,
        project=access.project,
        location=access.location,
        credentials=access.credentials,
        http_options=options,
    )
