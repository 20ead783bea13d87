"""A model that costs nearly nothing and answers at once, as a process of its own.

The user's text says what it does: `steps=8` is eight calls of `lookup`, one at a time, then a final text in twenty
pieces; `stream=5` is a text that goes on for five seconds, twenty pieces a second unless it says `pace=5`. `rounds=8`
is a plan of one task that takes eight rounds of that call, and `/asked` says how often it was asked. It streams as the
Gemini API does, and speaks as much of OpenAI's chat completions as a peer needs.
`python -m tests.verification.benchmarks.model_server` prints its address as a line of JSON and serves until stdin ends.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress

from aiohttp import ClientConnectionResetError, web

_STEPS = re.compile(rb"steps=(\d+)")
_STREAM = re.compile(rb"stream=(\d+)")
_PACE = re.compile(rb"pace=(\d+)")
_ROUNDS = re.compile(rb"rounds=(\d+)")
_PHASES = (b"[REASON]", b"[ACT]", b"[REFLECT]")
_PIECES = [f"Piece {number} of what was found. " for number in range(20)]
_A_SECOND = 20  # pieces
_USAGE = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}
_SIGNATURE = "c2lnbmF0dXJlIG9mIGEgdGhvdWdodA=="


def _last(pattern: re.Pattern[bytes], body: bytes) -> int:
    return int(found[-1]) if (found := pattern.findall(body)) else 0


async def _pieces(seconds: int, pace: int = _A_SECOND) -> AsyncGenerator[str]:
    """The final text, at once or over this time, so many pieces a second."""
    for number in range(max(len(_PIECES), seconds * pace)):
        yield _PIECES[number % len(_PIECES)]
        if seconds:
            await asyncio.sleep(1 / pace)


_REASON = "The next piece is still missing, so I look it up by its number, and then I know more."
_ASKED = [0]


def _phase(body: bytes) -> bytes:
    """What a plan asks last, if it asks anything."""
    return max(_PHASES, key=body.rfind) if any(phase in body for phase in _PHASES) else b""


def _of_plan(body: bytes, rounds: int) -> dict[str, object]:
    """The answer of a plan of so many rounds."""
    done = body.count(b'"functionResponse"')
    match _phase(body):
        case b"[REASON]":
            return {"text": _REASON}
        case b"[ACT]":
            return {"functionCall": {"id": f"call{done}", "name": "lookup", "args": {"i": done}}}
        case b"[REFLECT]":
            return {"text": json.dumps({"is_task_complete": done >= rounds, "summary": "One piece more is known."})}
        case _:
            task = {"title": "Look things up", "goal": f"All is known: rounds={rounds}"}
            return {"functionCall": {"id": "plan", "name": "propose_plan", "args": {"tasks": [task]}}}


def _event(body: object) -> bytes:
    return b"data: " + json.dumps(body, separators=(",", ":")).encode() + b"\r\n\r\n"


def _chunk(part: dict[str, object], finish: str = "") -> bytes:
    candidate: dict[str, object] = {"content": {"role": "model", "parts": [part]}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return _event({"candidates": [candidate], "usageMetadata": _USAGE, "modelVersion": "bench", "responseId": "r"})


async def _gemini(request: web.Request) -> web.StreamResponse:
    body, answer = await request.read(), await _begun(request)
    _ASKED[0] += 1
    with suppress(ClientConnectionResetError):  # the benchmark is over
        await _answer(answer, body)
    return answer


async def _answer(answer: web.StreamResponse, body: bytes) -> None:
    done = body.count(b'"functionResponse"')
    if rounds := _last(_ROUNDS, body):
        await answer.write(_chunk(_of_plan(body, rounds), "STOP"))
    elif done < _last(_STEPS, body):
        call = {"id": f"call{done}", "name": "lookup", "args": {"i": done}}
        await answer.write(_chunk({"functionCall": call, "thoughtSignature": _SIGNATURE}, "STOP"))
    else:
        async for piece in _pieces(_last(_STREAM, body), _last(_PACE, body) or _A_SECOND):
            await answer.write(_chunk({"text": piece}))
        await answer.write(_chunk({"text": ""}, "STOP"))
    await answer.write_eof()


def _completion(delta: dict[str, object], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "bench", "choices": [choice]})


async def _openai(request: web.Request) -> web.StreamResponse:
    body = await request.read()
    answer = await _begun(request)
    done = body.count(b'"role":"tool"')
    if done < _last(_STEPS, body):
        function = {"name": "lookup", "arguments": json.dumps({"i": done})}
        call = {"index": 0, "id": f"call{done}", "type": "function", "function": function}
        await answer.write(_completion({"role": "assistant", "tool_calls": [call]}))
        await answer.write(_completion({}, "tool_calls"))
    else:
        async for piece in _pieces(0):
            await answer.write(_completion({"role": "assistant", "content": piece}))
        await answer.write(_completion({}, "stop"))
    await answer.write(b"data: [DONE]\r\n\r\n")
    await answer.write_eof()
    return answer


async def _begun(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await answer.prepare(request)
    return answer


async def _asked(_: web.Request) -> web.Response:
    return web.json_response({"asked": _ASKED[0]})


async def _serve() -> None:
    app = web.Application(client_max_size=64 << 20)
    app.router.add_post("/{version}/models/{model}:streamGenerateContent", _gemini)
    app.router.add_get("/asked", _asked)
    app.router.add_post("/v1/chat/completions", _openai)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=600)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
    await site.start()
    print(json.dumps({"url": f"http://127.0.0.1:{runner.addresses[0][1]}"}), flush=True)  # noqa: T201  # the parent reads it
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve())
