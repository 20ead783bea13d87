"""As little as there can be: aiohttp and JSON, nothing kept. `python -m …contestants.raw URL`."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import aiohttp

from tests.verification.benchmarks.contestants.serving import each, lookup, serve

_SCHEMA = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"]}
_TOOLS = [{"functionDeclarations": [{"name": "lookup", "description": "Looks up.", "parametersJsonSchema": _SCHEMA}]}]


async def _converse(http: aiohttp.ClientSession, url: str, steps: int) -> None:
    contents: list[dict[str, Any]] = [{"role": "user", "parts": [{"text": f"Look things up: steps={steps}"}]}]
    while True:
        parts = await _ask(http, url, contents)
        contents.append({"role": "model", "parts": parts})
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        if not calls:
            return
        results = [{"name": call["name"], "response": {"result": lookup(**call["args"])}} for call in calls]
        contents.append({"role": "user", "parts": [{"functionResponse": result} for result in results]})


async def _ask(http: aiohttp.ClientSession, url: str, contents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    body = json.dumps({"contents": contents, "tools": _TOOLS})
    async with http.post(f"{url}/v1/models/bench:streamGenerateContent?alt=sse", data=body) as answer:
        lines = [line async for line in answer.content if line.startswith(b"data: ")]
    chunks = [json.loads(line.removeprefix(b"data: ")) for line in lines]
    return [part for chunk in chunks for part in chunk["candidates"][0]["content"]["parts"]]


async def _main(url: str) -> None:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        await serve(each(lambda steps: _converse(http, url, steps)))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
