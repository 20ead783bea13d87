"""google-genai's client as this agent uses it: one streamed request at a time, in wire form, in our own errors.

The client signs and sends the request, reads the stream and raises its errors. The body is not built of its typed
models and the answer does not become any: that would take three quarters of a call's time, and drops what they do not
know. Its own retries are off.

The client has no timeout for connecting: aiohttp's per-request timeout, which it sets, has one figure for everything.
Here an attempt's own deadline starts as the one for connecting and is moved when a connection stands.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self
from urllib.parse import quote
from urllib.request import getproxies

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace
from google.auth.credentials import Credentials
from google.genai import Client, types
from google.genai.errors import APIError

from bot.llm import failures, models
from bot.llm.chunks import Chunk, read_chunk
from bot.llm.model import DEVELOPER, VERTEX, ModelUnavailable

_READ_BUFFER_BYTES = 2**22
_attempt: ContextVar[_Attempt | None] = ContextVar("attempt", default=None)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds one attempt may take: to connect, to the first chunk, between chunks, and in all."""

    connect: float = 10.0
    first: float = 60.0
    idle: float = 30.0
    total: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How an unavailable model is asked again.

    `attempts` counts the first one; waits double from `first_delay` to `longest_delay` with jitter; the provider's own
    advice is followed up to `longest_advice` and reported beyond it; no attempt begins later than `overall` seconds
    after the step began.
    """

    attempts: int = 4
    first_delay: float = 0.25
    longest_delay: float = 8.0
    longest_advice: float = 15.0
    overall: float = 120.0

    def delay(self, failure: ModelUnavailable, *, attempt: int, elapsed: float) -> float | None:
        """Seconds to wait after the given attempt (counted from 1), or None to give up."""
        wait = failure.retry_after
        if wait is None:
            wait = min(self.longest_delay, self.first_delay * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0)
        elif wait > self.longest_advice:
            return None
        return wait if attempt < self.attempts and elapsed + wait < self.overall else None


@dataclass(slots=True, kw_only=True)
class _Attempt:
    """One request and its answer: when it must begin, and the response, which google-genai does not hand out."""

    first: float
    deadline: asyncio.Timeout | None = None
    response: aiohttp.ClientResponse | None = None

    @asynccontextmanager
    async def begun(self, *, connect: float) -> AsyncGenerator[None]:
        """Raises TimeoutError when there is no connection in `connect` seconds, or no answer `first` seconds later."""
        async with asyncio.timeout(connect) as self.deadline:
            token = _attempt.set(self)
            try:
                yield
            finally:
                _attempt.reset(token)

    def connected(self) -> None:
        """From now on the model is waited for."""
        assert self.deadline is not None, "a connection stands inside `begun`"
        self.deadline.reschedule(asyncio.get_running_loop().time() + self.first)

    @asynccontextmanager
    async def left_closed(self) -> AsyncGenerator[None]:
        """Close the connection of an answer that is not read to its end.

        google-genai leaves that to the garbage collector. One that was read to its end was given back.
        """
        try:
            yield
        finally:
            if self.response is not None:
                self.response.close()


class Transport:
    """One client for the life of an `async with`."""

    def __init__(self, *, access: DeveloperApi | VertexAi, timeouts: Timeouts) -> None:
        self._access = access
        self._timeouts = timeouts
        self._stack = AsyncExitStack()
        self._client: _Client | None = None

    @property
    def name(self) -> str:
        """`developer` or `vertex`."""
        return DEVELOPER if isinstance(self._access, DeveloperApi) else VERTEX

    async def __aenter__(self) -> Self:
        session = await self._stack.enter_async_context(_open_session())
        self._client = _client(self._access, session)
        self._stack.push_async_callback(self._client.aio.aclose)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._client = None
        await self._stack.aclose()

    async def chunks(self, model: str, body: bytes) -> AsyncGenerator[Chunk, None]:
        """Ask this model once, with a body that is JSON. Raises `ModelError`s, and `UnreadableAnswer` for what is no
        answer of the API.
        """
        now = asyncio.get_running_loop().time
        ends = now() + self._timeouts.total
        attempt = _Attempt(first=self._timeouts.first)
        async with attempt.left_closed(), aclosing(self._asked(model, body)) as stream:
            with failures.translated():
                async with attempt.begun(connect=self._timeouts.connect):
                    chunk = await anext(stream, None)
            while chunk is not None:
                yield chunk
                with failures.translated():
                    async with asyncio.timeout(min(self._timeouts.idle, ends - now())):
                        chunk = await anext(stream, None)

    async def _asked(self, model: str, body: bytes) -> AsyncGenerator[Chunk, None]:
        """The chunks of one answer; nothing is sent before the first one is asked for."""
        assert self._client is not None, "a transport is used inside `async with`"
        version = models.api_version_of(model) if isinstance(self._access, DeveloperApi) else None
        async with aclosing(self._client.events(_path(self._access, model), body, version=version)) as events:
            async for event in events:
                yield read_chunk(event)


class _Json(bytes):
    """A body that is JSON already. google-genai sends bytes as they are. Before that it takes keys of its own out of a
    body, of which this one has none.
    """

    def keys(self) -> Sequence[str]:
        """None."""
        return ()


class _Client(Client):
    """google-genai's client, asked for the events of a stream as it read them.

    What it does for each besides, writing them as JSON again and making a response of its own of them, takes as long as
    reading them.
    """

    async def events(self, path: str, body: bytes, *, version: str | None) -> AsyncGenerator[object, None]:
        """Send the request; the JSON of each event. Raises what google-genai raises."""
        client: Any = self._api_client
        errors: Any = APIError
        request = self._request(path, body, version)
        answer: Any = await client._async_request_once(request, stream=True)  # it is asked again by `Retries`
        async for event in answer:
            if "error" in event:
                await errors.raise_error_async(event["error"].get("code"), event, answer)
            yield event

    def _request(self, path: str, body: bytes, version: str | None) -> Any:
        """Only the body is another one in each call of a model; the client adds headers to a request that it sends."""
        made = self._made.get((path, version))
        if made is None:
            client: Any = self._api_client
            options = None if version in {None, models.API_VERSION} else types.HttpOptions(api_version=version)
            made = self._made[path, version] = client._build_request("post", path, _Json(b""), options)
        return replace(made, headers=dict(made.headers), data=body)

    @cached_property
    def _made(self) -> dict[tuple[str, str | None], Any]:
        """The requests by where they go."""
        return {}


def _path(access: DeveloperApi | VertexAi, model: str) -> str:
    """Where the model answers, below the API's version and, with Vertex AI, below the project's location."""
    name = quote(model)
    if isinstance(access, DeveloperApi):
        place = name if name.startswith(("models/", "tunedModels/")) else f"models/{name}"
    elif name.startswith(("projects/", "publishers/", "models/")):
        place = name
    else:
        publisher, _, model_id = name.rpartition("/")
        place = f"publishers/{publisher or 'google'}/models/{model_id}"
    return f"{place}:streamGenerateContent?alt=sse"


def _client(access: DeveloperApi | VertexAi, session: aiohttp.ClientSession) -> _Client:
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
        options.api_version = models.API_VERSION
        return _Client(enterprise=False, api_key=access.api_key, http_options=options)
    return _Client(
        enterprise=True,
        project=access.project,
        location=access.location,
        credentials=access.credentials,
        http_options=options,
    )


def _open_session() -> aiohttp.ClientSession:
    """A session without a limit of connections; to be made inside the running loop and closed by its owner."""
    return aiohttp.ClientSession(
        connector=_Connector(limit=0),
        # aiohttp reads proxies and ~/.netrc anew in a thread for each request: only where there is a proxy at all.
        trust_env=bool(getproxies()),
        read_bufsize=_READ_BUFFER_BYTES,
        middlewares=[_answered],
    )


class _Connector(aiohttp.TCPConnector):
    """Tells the attempt when its connection stands. aiohttp's tracing tells five moments of each request for that."""

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        """A connection that was kept, or a new one."""
        connection = await super().connect(req, traces, timeout)
        if (attempt := _attempt.get()) is not None:
            attempt.connected()
        return connection


async def _answered(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Hands the response to the attempt."""
    response = await send(request)
    if (attempt := _attempt.get()) is not None:
        attempt.response = response
    return response
