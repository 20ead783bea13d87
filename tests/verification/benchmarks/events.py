"""Slack's side of many events, as a process of its own: what people say to each other, signed, at a steady rate.

`python -m tests.verification.benchmarks.events URL RATE SECONDS` posts them and prints how long each took to be
acknowledged, in seconds, as a line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

import aiohttp

from playground.people import MARA, SIGNING_SECRET
from playground.slack.envelopes import event_callback
from playground.slack.webhooks import signature

_CHANNEL = "C0SALES"


async def _main(url: str, rate: float, seconds: float) -> None:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        began, count = time.perf_counter(), int(rate * seconds)
        posting: list[asyncio.Task[float]] = []
        for number in range(count):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            posting.append(asyncio.create_task(_post(http, url, number)))
        taken = await asyncio.gather(*posting)
    sys.stdout.write(json.dumps({"taken": taken}) + "\n")


async def _post(http: aiohttp.ClientSession, url: str, number: int) -> float:
    """One reply in a thread among people: the bot looks whether it is for it, and it is not."""
    now = time.time()
    event: dict[str, Any] = {
        "type": "message", "channel": _CHANNEL, "channel_type": "channel", "user": MARA.user_id,
        "text": "As I said", "ts": f"{now:.6f}", "thread_ts": f"{now - 3600:.6f}", "event_ts": f"{now:.6f}",
    }  # fmt: skip
    body = json.dumps(event_callback(event, event_id=f"EvBench{now:.6f}{number}", at=now).payload)
    at = str(int(now))
    headers = {
        "content-type": "application/json",
        "x-slack-request-timestamp": at,
        "x-slack-signature": signature(SIGNING_SECRET, at, body),
    }
    began = time.perf_counter()
    async with http.post(f"{url}/slack/events", data=body.encode(), headers=headers) as answer:
        assert answer.status == 200, answer.status
    return time.perf_counter() - began


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))
