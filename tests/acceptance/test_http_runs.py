"""The HTTP API over real sockets: ask, decide in Slack, look again; every sentence of runtime contract §1 to §4."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
import pytest_asyncio

from playground.people import DANA, JONAS
from tests.acceptance.http_side import RUN, STREAM, client, start_api
from tests.acceptance.slack_side import HELEN, MAIL_HELEN, send_mail
from tests.acceptance.world import APPROVE, PATIENT, World, button_ids, text_of

LONG = replace(PATIENT, longest_hold=timedelta(minutes=5))

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def api(fresh_idle: World) -> World:
    await start_api(fresh_idle)
    return fresh_idle


async def test_a_question_is_answered(api: World) -> None:
    """A prompt that needs no approval comes back with its answer, and nothing of it stands in Slack."""
    dana = await client(api)
    answer = await dana.run("What can you do?")
    assert answer.status == 200, answer.body
    assert answer.body["ok"] is True
    assert answer.body["status"] == "completed"
    assert answer.body["summary"]
    assert await api.bot_messages(api.dm_of(DANA)) == []


async def test_a_mail_waits_for_its_card_and_is_sent_once(api: World) -> None:
    """prompt → card → click in Slack → GET completed, one mail."""
    dana = await client(api)
    asked = await dana.run(MAIL_HELEN)
    assert asked.status == 200, asked.body
    assert asked.body["status"] == "awaiting_confirmation"
    assert asked.body["mode"] == "requires_approval"
    assert asked.body["tool"] == "gmail_send"
    assert asked.body["output"]["approvals"][0]["link"]
    (card,) = await api.card_in(api.dm_of(DANA))
    root, *_ = await api.bot_messages(api.dm_of(DANA))
    assert "About your request in" in text_of(root)
    await api.click(DANA, card, APPROVE)
    await api.audited("run.completed")
    done = await dana.look(asked.body["runId"])
    assert done.body["status"] == "completed"
    assert done.body["mode"] == "tool_executed"
    assert done.body["summary"]
    assert len(await api.sent(DANA)) == 1


async def test_a_held_mail_is_undone_in_slack(fresh_idle: World) -> None:
    """Allowed without a card it waits a little: in the owner's DM with Undo, below the line about the request. Undone
    it is never sent, nothing more is said in Slack, and `GET` tells.
    """
    await start_api(fresh_idle, timings=LONG)
    await fresh_idle.act_alone(DANA)
    dana, dm = await client(fresh_idle), fresh_idle.dm_of(DANA)
    asked = (await dana.run(send_mail(HELEN, "Held"))).body
    assert (asked["status"], asked["tool"], asked["mode"]) == ("completed", "gmail_send", "tool_executed")
    assert "approval" not in asked
    assert "Undone" not in asked["summary"]
    waiting = await fresh_idle.message(dm, lambda m: "held_undo" in button_ids(m), "a message with Undo")
    root, *below = await fresh_idle.bot_messages(dm)
    assert "About your request in" in text_of(root)
    assert [(one["ts"], one["thread_ts"]) for one in below] == [(waiting["ts"], root["ts"])]
    assert await fresh_idle.sent(DANA) == []
    await fresh_idle.click(DANA, waiting, "held_undo")
    await fresh_idle.message(dm, lambda m: m["ts"] == waiting["ts"] and "Undone" in text_of(m), "Undone")
    done = (await dana.look(asked["runId"])).body
    assert done["summary"].startswith(asked["summary"])
    assert done["summary"].endswith("Undone. Nothing was sent.")
    assert (done["status"], done["mode"], done["tool"]) == ("completed", "assistant_text", "gmail_send")
    assert {one["ts"] for one in await fresh_idle.bot_messages(dm)} == {root["ts"], waiting["ts"]}
    assert await fresh_idle.sent(DANA) == []


async def test_a_stream_tells_what_happens(api: World) -> None:
    """`status` first, then deltas and calls, and exactly one `result` last."""
    dana = await client(api)
    lines = await dana.lines("What is on my calendar tomorrow?")
    kinds = [line["type"] for line in lines]
    assert kinds[0] == "status"
    assert kinds[-1] == "result"
    assert kinds.count("result") == 1
    assert "tool_call" in kinds
    last_step = lines[len(kinds) - kinds[::-1].index("status") :]
    said = "".join(line["delta"] for line in last_step if line["type"] == "delta")
    assert lines[-1]["result"]["summary"].startswith(said[:40])


async def test_no_answer_holds_a_link_that_a_model_made(api: World) -> None:
    """As in Slack (R8): a page that shows it as Markdown asks no other address for anything."""
    dana = await client(api)
    said = "[[model: text=See [here](https://evil.example/?q=1) and ![x](https://evil.example/p.png), <tel-me:x>.]]"
    shown = "See [here] (`https://evil.example/?q=1`) and ![x] (`https://evil.example/p.png`), &lt;tel-me:x>."
    *_, last = lines = await dana.lines(said)
    assert last["result"]["summary"] == shown
    assert "".join(line["delta"] for line in lines if line["type"] == "delta") == shown
    assert (await dana.look(last["result"]["runId"])).body["output"]["text"] == shown


async def test_a_first_word_over_http_needs_nothing_in_slack_before(api: World) -> None:
    """Whoever never spoke to the agent is found by the confirmed address of their account."""
    jonas = await client(api, JONAS, claims={})
    assert (await jonas.run("What can you do?")).body["status"] == "completed"


@pytest.mark.parametrize(
    ("method", "path", "status", "code", "allowed"),
    [
        ("GET", "/api/nothing", 404, "not_found", None),
        ("POST", "/api/", 404, "not_found", None),
        ("POST", f"{RUN}/", 404, "not_found", None),
        ("GET", f"{RUN}/run_x/", 404, "not_found", None),
        ("GET", RUN, 405, "wrong_method", {"POST"}),
        ("PUT", RUN, 405, "wrong_method", {"POST"}),
        ("OPTIONS", RUN, 405, "wrong_method", {"POST"}),
        ("DELETE", f"{RUN}/run_x", 405, "wrong_method", {"GET", "HEAD"}),
        ("WHATEVER", f"{RUN}/run_x/retry", 405, "wrong_method", {"POST"}),
    ],
)
async def test_what_no_route_takes_is_refused_in_the_usual_form(
    api: World, method: str, path: str, status: int, code: str, allowed: set[str] | None
) -> None:
    """Also a path with a slash too many: nobody is led on to an address that may be http behind a proxy with TLS."""
    answer = await (await client(api)).send(method, path, allow_redirects=False)
    assert answer.status == status
    assert (answer.error["message"] == "The API has no such path.") is (status == 404)
    assert answer.body["ok"] is False
    assert answer.error["code"] == code
    named = answer.headers.get("allow")
    assert (named and set(named.split(", "))) == allowed


async def test_a_listed_page_reads_every_answer(fresh_idle: World) -> None:
    """Whatever is answered: what was done, what no route takes, what is refused before anybody is asked for."""
    shop = "https://shop.example"
    await start_api(fresh_idle, http_origins=shop)
    dana = await client(fresh_idle)
    mine = {"origin": shop}
    answers = [
        await dana.send("POST", RUN, headers=mine, json={"prompt": "What can you do?"}),
        await dana.send("POST", RUN, headers={**mine, "content-type": "text/plain"}, data="Hello"),
        await dana.send("POST", RUN, headers={**mine, "cookie": ""}, json={"prompt": "Hello"}),
        await dana.send("GET", f"{RUN}/run_x", headers=mine),
        await dana.send("DELETE", RUN, headers=mine),
        await dana.send("GET", "/api/nothing", headers=mine),
        await dana.send("GET", f"{RUN}/run_x", headers={**mine, "host": "evil.example"}),
    ]
    assert [answer.status for answer in answers] == [200, 415, 401, 404, 405, 404, 421]
    assert {answer.headers["access-control-allow-origin"] for answer in answers} == {shop}
    assert {answer.error["code"] for answer in answers[3:]} == {"not_found", "wrong_method", "wrong_host"}
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    assert (await dana.send("OPTIONS", RUN, headers={**mine, **asks})).status == 204
    refused = await dana.send("OPTIONS", RUN, headers={"origin": "https://evil.example", **asks})
    assert (refused.status, refused.error["code"]) == (403, "wrong_origin")


@pytest.mark.parametrize("why", ["nobody can sign in", "others could listen"])
async def test_without_a_safe_way_in_there_are_no_routes(fresh_idle: World, why: str) -> None:
    """Without a way of signing in, or reached from elsewhere without https: 404, whatever is asked."""
    if why == "nobody can sign in":
        await fresh_idle.start_bot()
    else:
        await start_api(fresh_idle, http_host="0.0.0.0")
    dana = await client(fresh_idle)
    dana.url = dana.url.replace("0.0.0.0", "127.0.0.1")
    told = [await dana.run("Hello"), await dana.post(STREAM, {"prompt": "Hello"}), await dana.look("run_x")]
    told += [await dana.send("GET", "/api/openapi.json")]
    assert {(answer.status, answer.error["code"]) for answer in told} == {(404, "not_found")}


async def test_behind_a_proxy_with_tls(fresh_idle: World) -> None:
    """People come by the public name, and write from its pages alone; each address has its own rate, as the proxy on
    this machine says it.
    """
    public = "https://agent.example.com"
    await start_api(fresh_idle, public_url=public, http_requests_per_minute=3)
    dana = await client(fresh_idle)
    ways = {"host": "agent.example.com", "origin": public, "x-forwarded-for": "192.0.2.9, 192.0.2.7"}
    prompt = {"prompt": "What can you do?"}
    assert (await dana.send("POST", RUN, headers=ways, json=prompt)).status == 200
    told = [await dana.send("POST", RUN, headers={**ways, "origin": dana.url}, json=prompt) for _ in range(3)]
    assert [answer.status for answer in told] == [403, 403, 429]
    again = await dana.send("POST", RUN, headers={**ways, "x-forwarded-for": "192.0.2.7, 192.0.2.9"}, json=prompt)
    assert again.status == 200


async def test_pages_have_no_second_address(api: World) -> None:
    """A slash at the end is another path, as for the API."""
    answer = await (await client(api)).send("GET", "/auth/slack/", allow_redirects=False)
    assert (answer.status, answer.body) == (404, {"text": "Not Found"})
