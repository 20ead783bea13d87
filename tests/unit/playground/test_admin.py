"""The admin side that all emulators share."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from playground.admin import Admin
from playground.serve import Served
from tests.patience import PATIENCE_SECONDS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response


class Counter:
    """An emulator small enough to see through."""

    def __init__(self) -> None:
        self.count = 0
        self.admin = Admin(state=lambda: {"count": self.count}, reset=self.reset)
        self.app = self.admin.app([Route("/add", self.add, methods=["POST"]), Route("/stream", self.stream)])

    def reset(self) -> None:
        self.count = 0

    async def add(self, request: Request) -> Response:
        self.count += int((await request.json())["by"])
        self.admin.changes.publish("added", count=self.count)
        return JSONResponse({"count": self.count})

    async def stream(self, request: Request) -> Response:
        async def pieces() -> AsyncIterator[str]:
            for number in range(5):
                yield f"piece {number}\n"
                await asyncio.sleep(0.01)

        return StreamingResponse(pieces())


class Client:
    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url, self.session = url, session

    async def post(self, path: str, **body: Any) -> tuple[int, Any]:
        async with self.session.post(self.url + path, json=body) as answer:
            return answer.status, await answer.json()

    async def get(self, path: str) -> Any:
        async with self.session.get(self.url + path) as answer:
            return await answer.json()


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Served(Counter().app) as url, aiohttp.ClientSession() as session:
        yield Client(url, session)


async def test_log(client: Client) -> None:
    """Every exchange is in the log with request, status and answer; admin requests are not."""
    await client.post("/add", by=2)
    entries = (await client.get("/__admin/log"))["entries"]
    assert [(entry["path"], entry["request"], entry["status"], entry["response"]) for entry in entries] == [
        ("/add", {"by": 2}, 200, {"count": 2})
    ]
    assert (await client.get(f"/__admin/log?after={entries[0]['n']}"))["entries"] == []


async def test_reset(client: Client) -> None:
    """Reset seeds the world again and takes pending faults away."""
    await client.post("/add", by=2)
    await client.post("/__admin/faults", kind="status", match={"path": "/add"})
    await client.post("/__admin/reset")
    assert await client.get("/__admin/state") == {"count": 0}
    assert (await client.get("/__admin/faults"))["faults"] == []


@pytest.mark.parametrize(("kind", "count"), [("status", 0), ("status_after", 1)])
async def test_status_faults(client: Client, kind: str, count: int) -> None:
    """`status` answers without doing, `status_after` after doing, and only as often as asked."""
    await client.post("/__admin/faults", kind=kind, match={"path": "/add"}, status=502, body={"error": "bad"})
    assert await client.post("/add", by=1) == (502, {"error": "bad"})
    assert await client.get("/__admin/state") == {"count": count}
    assert (await client.post("/add", by=1))[0] == 200


@pytest.mark.parametrize(("kind", "count"), [("drop_before", 0), ("drop_after", 1)])
async def test_drop_faults(client: Client, kind: str, count: int) -> None:
    """A drop closes the connection without an answer, before or after the effect."""
    await client.post("/__admin/faults", kind=kind, match={"path": "/ad*"})
    with pytest.raises(aiohttp.ClientError):
        await client.post("/add", by=1)
    assert await client.get("/__admin/state") == {"count": count}


async def test_hold(client: Client) -> None:
    """A held answer: the effect happens and is logged at once, the answer comes later."""
    await client.post("/__admin/faults", kind="hold", match={"path": "/add"}, seconds=1.5)
    asking = asyncio.create_task(client.post("/add", by=1))
    await asyncio.sleep(0.1)
    assert await client.get("/__admin/state") == {"count": 1}
    assert len((await client.get("/__admin/log"))["entries"]) == 1
    assert not asking.done()
    assert await asking == (200, {"count": 1})


async def test_one_fault_is_removed(client: Client) -> None:
    """A fault can be taken away by its id, and the others stay."""
    for status in (502, 503):
        await client.post("/__admin/faults", kind="status", match={"path": "/add"}, status=status)
    first, second = (await client.get("/__admin/faults"))["faults"]
    async with client.session.delete(f"{client.url}/__admin/faults?id={first['id']}") as answer:
        assert (await answer.json())["faults"] == [second]
    assert (await client.post("/add", by=1))[0] == 503


async def test_a_held_answer_is_let_go(client: Client) -> None:
    """Clearing the faults sends what is held now, however long it was to be held."""
    await client.post("/__admin/faults", kind="hold", match={"path": "/add"}, seconds=3600)
    asking = asyncio.create_task(client.post("/add", by=1))
    await asyncio.sleep(0.05)
    assert not asking.done()
    async with client.session.delete(f"{client.url}/__admin/faults") as answer:
        assert answer.status == 200
    assert await asyncio.wait_for(asking, PATIENCE_SECONDS) == (200, {"count": 1})


async def test_delay(client: Client) -> None:
    """A delayed request has no effect until its time."""
    await client.post("/__admin/faults", kind="delay", match={"path": "/add"}, seconds=1.5)
    asking = asyncio.create_task(client.post("/add", by=1))
    await asyncio.sleep(0.1)
    assert await client.get("/__admin/state") == {"count": 0}
    assert await asking == (200, {"count": 1})


async def test_cut(client: Client) -> None:
    """A cut stream ends in the middle: some pieces arrive, then the connection breaks."""
    await client.post("/__admin/faults", kind="cut", match={"path": "/stream"}, after=2)
    seen = b""

    async def read() -> None:
        nonlocal seen
        async with client.session.get(client.url + "/stream") as answer:
            async for piece in answer.content.iter_any():
                seen += piece

    with pytest.raises(aiohttp.ClientError):
        await read()
    assert seen == b"piece 0\npiece 1\n"


async def test_unknown_fault(client: Client) -> None:
    """A fault that nobody knows is refused with the known kinds."""
    status, answer = await client.post("/__admin/faults", kind="explode")
    assert status == 400
    assert "drop_after" in answer["error"]


async def test_contains(client: Client) -> None:
    """A fault may be narrowed to requests whose body holds a text."""
    await client.post("/__admin/faults", kind="status", match={"path": "/add", "contains": '"by": 7'})
    assert (await client.post("/add", by=1))[0] == 200
    assert (await client.post("/add", by=7))[0] == 503


async def test_events(client: Client) -> None:
    """Changes arrive as server-sent events while they happen."""
    async with client.session.get(client.url + "/__admin/events") as answer:
        assert (await answer.content.readline()).startswith(b":")
        await client.post("/add", by=3)
        await answer.content.readline()
        line = await answer.content.readline()
    assert json.loads(line.removeprefix(b"data: ")) == {"kind": "added", "count": 3}


async def test_clock(client: Client) -> None:
    """The emulator's clock moves when told to."""
    before = (await client.get("/__admin/clock"))["now"]
    _, after = await client.post("/__admin/clock", advance=3600)
    assert after["now"] > before


@pytest.mark.parametrize(
    ("headers", "path", "status"),
    [
        ({"Origin": "http://evil.example"}, "/__admin/state", 403),
        ({"Sec-Fetch-Site": "cross-site"}, "/__admin/reset", 403),
        ({"Host": "evil.example"}, "/__admin/state", 400),
        ({"Host": "evil.example"}, "/stream", 400),
        ({"Origin": "http://evil.example"}, "/stream", 200),
        ({}, "/__admin/state", 200),
    ],
    ids=["another site", "a blind form", "a rebound name", "a rebound name outside", "a browser outside", "ours"],
)
async def test_other_web_sites_are_kept_out(client: Client, headers: dict[str, str], path: str, status: int) -> None:
    """What a person's browser is made to send by a page he visits reaches nothing that could act or tell."""
    method = "POST" if path.endswith("reset") else "GET"
    async with client.session.request(method, client.url + path, headers=headers) as answer:
        assert answer.status == status
