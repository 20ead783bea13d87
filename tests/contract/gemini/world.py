"""The Model port over the real google-genai client, against the emulator, on both transports."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
from google.oauth2.credentials import Credentials

from bot.llm.gemini import Gemini
from bot.llm.model import VERTEX, ModelEvent, ModelRequest, ToolDeclaration, Turn, Wire
from bot.llm.models import DEFAULT_MODEL
from bot.llm.transport import DeveloperApi, Retries, Timeouts, VertexAi
from bot.llm.wire import function_responses, user_text
from tests.patience import PATIENCE_SECONDS

Part = dict[str, Any]
INSTRUCTION = "You help people.\nNow: Saturday 2026-11-21 15:04 (Europe/Stockholm)"
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "additionalProperties": False}
TOOLS = tuple(
    ToolDeclaration(name=name, description=f"{name}.", schema=SCHEMA)
    for name in ("gmail_search", "gmail_thread_read", "gmail_reply", "gmail_send", "calendar_search")
)
OLDER = "gemini-2.5-flash-lite"
"""It takes a budget and sampling, and no level."""
QUICK = Retries(attempts=3, first_delay=0.01, longest_delay=0.02, longest_advice=0.1)
ONCE = Retries(attempts=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The emulator, one transport to it, and what went over the wire."""

    url: str
    transport: str

    def model(
        self,
        *,
        secret: str = "key",
        url: str = "",
        retries: Retries = QUICK,
        timeouts: Timeouts | None = None,
    ) -> Gemini:
        access: DeveloperApi | VertexAi = DeveloperApi(api_key=secret, base_url=url or self.url)
        if self.transport == VERTEX:
            credentials = Credentials(token=secret)
            access = VertexAi(project="p", location="europe-west4", endpoint=url or self.url, credentials=credentials)
        return Gemini(access=access, retries=retries, timeouts=timeouts)

    async def turn(self, request: ModelRequest, **more: Any) -> Turn:
        """The answer of a model that is there for this one request."""
        async with self.model(**more) as model:
            return await turn_of(model, request)

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
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(await self.log()) < at_least:
                await asyncio.sleep(0.01)
        return len(await self.log())

    async def last_request(self) -> dict[str, Any]:
        return (await self.log())[-1]["request"]


def asking(
    *contents: Wire | str,
    tools: Sequence[ToolDeclaration] = TOOLS,
    model: str = DEFAULT_MODEL,
    **more: Any,
) -> ModelRequest:
    wires = [Wire(user_text(each)) if not each.startswith("{") else Wire(each) for each in contents]
    return ModelRequest(model=model, instruction=INSTRUCTION, contents=wires, tools=tools, **more)


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


def chunks(entry: dict[str, Any]) -> list[dict[str, Any]]:
    lines = str(entry["response"]).splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def last_chunk(entry: dict[str, Any]) -> dict[str, Any]:
    return chunks(entry)[-1]
