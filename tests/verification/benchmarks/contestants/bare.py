"""The floor that users know: google-genai, a loop around its stream, typed contents, nothing kept.

`python -m tests.verification.benchmarks.contestants.bare URL`.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, cast

from google.genai import Client, types

from tests.verification.benchmarks.contestants.serving import each, lookup, serve

_SCHEMA = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"]}


def _config() -> types.GenerateContentConfig:
    declared = types.FunctionDeclaration(name="lookup", description="Looks up.", parameters_json_schema=_SCHEMA)
    return types.GenerateContentConfig(
        system_instruction="You look things up.",
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )


class _Conversation:
    """Everything that is said in one run."""

    def __init__(self, client: Client, steps: int) -> None:
        self._models: Any = client.aio.models  # its types name libraries that are not installed
        self._contents = [types.Content(role="user", parts=[types.Part(text=f"Look things up: steps={steps}")])]

    async def play(self) -> None:
        while calls := await self._ask():
            results = [
                types.Part.from_function_response(name=str(call.name), response={"result": lookup(**(call.args or {}))})
                for call in calls
            ]
            self._contents.append(types.Content(role="user", parts=results))

    async def _ask(self) -> list[types.FunctionCall]:
        parts: list[types.Part] = []
        stream = await self._models.generate_content_stream(model="bench", contents=self._contents, config=_CONFIG)
        async for chunk in stream:
            parts += cast("types.GenerateContentResponse", chunk).parts or []
        self._contents.append(types.Content(role="model", parts=parts))
        return [part.function_call for part in parts if part.function_call]


_CONFIG = _config()


async def _main(url: str) -> None:
    options = types.HttpOptions(base_url=url, client_args={"verify": False}, async_client_args={"ssl": False})
    client = Client(enterprise=False, api_key="bench", http_options=options)
    await serve(each(lambda steps: _Conversation(client, steps).play()))
    await client.aio.aclose()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
