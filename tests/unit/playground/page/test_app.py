from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator
from typing import Any

import aiohttp
import pytest

from playground.page.app import build
from playground.serve import Served
from playground.slack.emulator import build as build_slack
from tests.patience import PATIENCE_SECONDS

NOBODY = "http://127.0.0.1:9"


@pytest.fixture
async def slack() -> AsyncGenerator[str]:
    async with Served(build_slack()) as url:
        yield url


@pytest.fixture
async def url(slack: str) -> AsyncGenerator[str]:
    addresses = {"slack": slack, "google": NOBODY, "gemini": NOBODY, "supervisor": NOBODY}
    async with Served(build(addresses)) as page:
        yield page


@pytest.fixture
async def http() -> AsyncGenerator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def settled(http: aiohttp.ClientSession, url: str) -> dict[str, Any]:
    """The state once Slack's arrived."""
    while True:
        async with http.get(f"{url}/api/state") as response:
            state: dict[str, Any] = await response.json()
        if state.get("slack", {}).get("users"):
            return state
        await asyncio.sleep(0.02)


async def test_the_state_is_merged_and_says_who_is_away(http: aiohttp.ClientSession, url: str) -> None:
    """Messages come by channel and timestamp, and a process that does not answer is named."""
    state = await settled(http, url)
    assert "U0DANA" in state["slack"]["users"]
    assert all(isinstance(by_ts, dict) for by_ts in state["slack"]["messages"].values())
    assert state["up"]["google"] is False


async def test_what_a_person_does_arrives_as_a_change(http: aiohttp.ClientSession, url: str) -> None:
    """A message posted through the page is streamed to its windows."""
    await settled(http, url)
    async with http.get(f"{url}/api/events") as events:
        await events.content.readuntil(b"\n\n")
        body = {"user": "U0DANA", "channel": "C0SALES", "text": "hello <all>"}
        async with http.post(f"{url}/api/act/message", json=body) as response:
            ts = (await response.json())["ts"]
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                raw = (await events.content.readuntil(b"\n\n")).decode()
                change = json.loads(raw.removeprefix("data: "))
                for path, value in change.get("set", []):
                    if path == ["slack", "messages", "C0SALES", ts]:
                        assert value["text"] == "hello &lt;all&gt;"
                        return


async def test_a_click_on_what_is_gone_is_answered_in_words(http: aiohttp.ClientSession, url: str) -> None:
    """Two windows may press at once: the second gets an answer, no error of HTTP, which a browser would log."""
    await settled(http, url)
    where = {"user": "U0DANA", "channel": "C0SALES"}
    async with http.post(f"{url}/api/act/message", json=where | {"text": "no buttons"}) as response:
        ts = (await response.json())["ts"]
    for gone, why in ((ts, "this button is gone"), ("1.000001", "this message is gone")):
        body = where | {"message_ts": gone, "action_id": "question_approve"}
        async with http.post(f"{url}/api/act/click", json=body) as response:
            assert response.status == 200
            said = await response.json()
            assert (said["ok"], said["reason"]) == (False, why)


async def test_reading_is_remembered_for_every_window(http: aiohttp.ClientSession, url: str) -> None:
    """How far a person has read only moves forward."""
    for ts in ("2.0", "1.0"):
        async with http.post(f"{url}/api/read", json={"user": "U0DANA", "channel": "C0SALES", "ts": ts}) as response:
            assert response.status == 200
    async with http.get(f"{url}/api/state") as response:
        assert (await response.json())["reads"] == {"U0DANA": {"C0SALES": "2.0"}}


async def faults(http: aiohttp.ClientSession, url: str, count: int) -> dict[str, Any]:
    """Slack's faults in the page's state, once there are so many."""
    while True:
        async with http.get(f"{url}/api/state") as response:
            armed = (await response.json()).get("faults", {}).get("slack", {})
        if len(armed) == count:
            return armed
        await asyncio.sleep(0.02)


async def test_armed_faults_are_part_of_the_state(http: aiohttp.ClientSession, url: str, slack: str) -> None:
    """Every window sees which faults are armed, until they happened or were taken away, one or all of them."""
    await settled(http, url)
    for path in ("/api/chat.postMessage", "/api/chat.update", "/api/auth.test"):
        async with http.post(f"{url}/api/faults/slack", json={"kind": "status", "match": {"path": path}}) as response:
            assert response.status == 200
    async with asyncio.timeout(PATIENCE_SECONDS):
        first = next(iter(await faults(http, url, 3)))
        async with http.delete(f"{url}/api/faults/slack/{first}", json={}) as response:
            assert response.status == 200
        assert first not in await faults(http, url, 2)
        async with http.post(f"{slack}/api/auth.test") as response:
            assert response.status == 503
        await faults(http, url, 1)
        async with http.delete(f"{url}/api/faults", json={}) as response:
            assert response.status == 200
        await faults(http, url, 0)


REFUSED: tuple[tuple[str, dict[str, str]], ...] = (
    ("foreign host", {"Host": "evil.example", "Content-Type": "application/json"}),
    ("foreign origin", {"Origin": "http://evil.example", "Content-Type": "application/json"}),
    ("another port", {"Origin": "http://127.0.0.1:1", "Content-Type": "application/json"}),
    ("cross-site", {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/json"}),
    ("a form", {"Content-Type": "application/x-www-form-urlencoded"}),
    ("plain text", {"Content-Type": "text/plain"}),
)


@pytest.mark.parametrize(("what", "headers"), REFUSED, ids=[what for what, _ in REFUSED])
async def test_others_may_not_act(http: aiohttp.ClientSession, url: str, what: str, headers: dict[str, str]) -> None:
    """A request with a foreign host or origin, or one that a form could send, is refused and does nothing."""
    async with http.post(f"{url}/api/act/message", data=b"{}", headers=headers) as response:
        assert response.status == 403, what


async def test_a_rebound_name_reads_nothing(http: aiohttp.ClientSession, url: str) -> None:
    """Reading, too, needs the loopback address in the Host header."""
    async with http.get(f"{url}/api/state", headers={"Host": "rebound.example:80"}) as response:
        assert response.status == 403


async def test_every_answer_carries_the_policy(http: aiohttp.ClientSession, url: str) -> None:
    """No inline script or style, nothing from elsewhere, no framing."""
    for path in ("/", "/static/main.js", "/api/state", "/nowhere"):
        async with http.get(url + path) as response:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_page_has_no_inline_script_or_style(http: aiohttp.ClientSession, url: str) -> None:
    """The document names its script and styles by address only."""
    async with http.get(url) as response:
        document = await response.text()
    assert "style=" not in document
    assert "<style" not in document
    assert document.count("<script") == document.count('<script type="module" src="/static/')
    assert "//" not in document.replace("<!doctype html>", "")


async def test_a_process_that_is_away_is_named(http: aiohttp.ClientSession, url: str) -> None:
    """An act that needs a process which does not answer says which one, and what is asked for is checked first."""
    async with http.post(f"{url}/api/bot/kill", json={}) as response:
        assert response.status == 502
        assert "supervisor" in (await response.json())["error"]
    async with http.post(f"{url}/api/bot/explode", json={}) as response:
        assert response.status == 404
    async with http.post(f"{url}/api/act/uninstall", json={}) as response:
        assert response.status == 404


@pytest.mark.parametrize(("path", "status"), [("agent/run/run_1", 502), ("projects/T1/agents/a/trigger", 404)])
async def test_the_page_asks_for_runs_only(http: aiohttp.ClientSession, url: str, path: str, status: int) -> None:
    """What a product's page asks goes to the bot, which is not there; anything else goes nowhere. Both say why."""
    async with http.get(f"{url}/api/product/U0DANA/{path}") as response:
        assert response.status == status
        assert (await response.json())["error"]["message"]


@pytest.mark.parametrize(
    ("name", "mimetype", "content", "kind"),
    [
        ("log.json", "application/json", b'{"a": "<script>"}', "text/plain; charset=utf-8"),
        ("page.html", "text/html", "<script>alert('ö')</script>".encode(), "text/plain; charset=utf-8"),
        ("oak.png", "image/png", b"\x89PNG\r\n\x1a\n\0\0", "application/octet-stream"),
        ("odd.txt", "text/plain", b"a\0b", "application/octet-stream"),
    ],
)
async def test_a_shared_file_is_opened(
    http: aiohttp.ClientSession, url: str, name: str, mimetype: str, content: bytes, kind: str
) -> None:
    """A text as a text and never as a page, everything else to be saved; what is not there is not found."""
    file = {"name": name, "mimetype": mimetype, "encoding": "base64", "content": base64.b64encode(content).decode()}
    body = {"user": "U0DANA", "channel": "C0SALES", "text": "", "files": [file]}
    async with http.post(f"{url}/api/act/message", json=body) as response:
        ts = (await response.json())["ts"]
    shared = (await settled(http, url))["slack"]["messages"]["C0SALES"]
    while ts not in shared:
        shared = (await settled(http, url))["slack"]["messages"]["C0SALES"]
    async with http.get(f"{url}/api/file/{shared[ts]['files'][0]['id']}") as response:
        assert (await response.read(), response.headers["content-type"]) == (content, kind)
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers.get("content-disposition", "") == ("" if kind.startswith("text") else "attachment")
    async with http.get(f"{url}/api/file/F0NONE") as response:
        assert response.status == 404
