"""What people do over HTTP beyond one prompt: again, meanwhile, stop, answers, go on, try again, plans, agents."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from urllib.parse import urlsplit

import pytest

from playground.people import DANA, MARA, TEAM_ID
from tests.acceptance.http_side import MODEL, RUN, STREAM, Client, Json, card_of, client, hold, over, read, start_api
from tests.acceptance.slack_side import HELEN, call, send_mail
from tests.acceptance.test_agents import CLERK, installed
from tests.acceptance.world import APPROVE, HURRIED, Opening, World

pytestmark = pytest.mark.asyncio(loop_scope="module")

LAME = CLERK.replace("name: clerk", "name: lame").replace("gmail_send", "mail_teleport")
CONFIRM = "question_confirm"


@pytest.fixture(scope="module")
def opening(tmp_path_factory: pytest.TempPathFactory) -> Opening:
    """With the HTTP API and agents of its own."""
    variables = installed(tmp_path_factory.mktemp("agents"), CLERK, LAME)
    folders = {"agents_dir": variables["AGENTS_DIR"], "policies_dir": variables["POLICIES_DIR"]}

    async def start(here: World) -> None:
        await start_api(here, timings=HURRIED, **folders)

    return start


def agent(name: str, query: str = "") -> str:
    return f"/api/projects/{TEAM_ID}/agents/{name}/trigger{query}"


async def reached(here: World, words: str) -> None:
    """Wait until the model was asked with these words."""

    async def there() -> bool:
        return any(words in json.dumps(entry["request"]) for entry in await here.gemini.log())

    await here.until(there, f"a request to the model with {words}")


async def mails(here: World, subject: str) -> int:
    return [mail["subject"] for mail in await here.sent(DANA)].count(subject)


# What waits --------------------------------------------------------------------------------------------------------


WAITING = {
    "two mails": (send_mail(HELEN, "Link one") + send_mail(HELEN, "Link two"), ["Link one", "Link two"], APPROVE),
    "an agent's mail": (call("clerk", order=send_mail(HELEN, "Link three")), ["Link three"], APPROVE),
    "a plan": ("plan: remember that Ben has the van; remember that the kiln is at 900", ["kiln"], CONFIRM),
}


def is_address_of(link: str, message: Json) -> bool:
    """Whether this leads to the message in Slack."""
    return urlsplit(link).path == f"/archives/{message['channel']}/p{message['ts'].replace('.', '')}"


@pytest.mark.parametrize(("prompt", "titles", "button"), WAITING.values(), ids=WAITING)
async def test_every_approval_has_its_end_and_the_address_of_its_card(
    company: World, dana: Client, prompt: str, titles: list[str], button: str
) -> None:
    """Whoever asks for it and whatever it is; when it is asked for again it is the same, until it is decided."""
    asked = (await dana.run(prompt)).body
    approvals = asked["output"]["approvals"]
    assert [one["tool"] for one in approvals] == [asked["approval"]["tool"]] * len(titles)
    for title, one in zip(titles, approvals, strict=True):
        shown = await card_of(company, title, button)
        assert is_address_of(one["link"], shown)
        question = await company.read(lambda work, one=one: work.questions.find(one["id"]))
        assert question is not None
        assert datetime.fromisoformat(one["expiresAt"]) == question.expires_at
    assert (await dana.look(asked["runId"])).body["output"]["approvals"] == approvals
    assert (await dana.joined(asked["runId"]))[1][-1]["result"]["output"]["approvals"] == approvals
    stopped = (await dana.run("stop", threadId=asked["threadId"])).body
    assert "approvals" not in stopped["output"]


async def test_a_card_that_comes_later_is_told_later(company: World, dana: Client) -> None:
    """The answer does not wait long for its address; `GET` has it, once the card is there."""
    await company.slack.fault("status", path="chat.postMessage", status=500, times=-1)
    asked = (await dana.run(send_mail(HELEN, "Late card"))).body
    (approval,) = asked["output"]["approvals"]
    assert "link" not in approval
    await company.mend()

    async def linked() -> str:
        return (await dana.look(asked["runId"])).body["output"]["approvals"][0].get("link", "")

    link: str = await company.until(linked, "the address of the card")
    assert is_address_of(link, await card_of(company, "Late card"))


# Again -------------------------------------------------------------------------------------------------------------


async def test_the_same_key_is_the_same_run(company: World, dana: Client) -> None:
    """One after the other and at once, while it works and when it waits: one run, one card, one mail."""
    prompt = send_mail(HELEN, "Only one")
    told = await asyncio.gather(*(dana.run(prompt, key="k-1") for _ in range(3)))
    told += [await dana.run(prompt, key="k-1")]
    assert {answer.status for answer in told} == {200}
    assert len({answer.body["runId"] for answer in told}) == 1
    await company.click(DANA, await card_of(company, "Only one"), APPROVE)
    await over(company, dana, told[0].body["runId"])
    again = await dana.run(prompt, key="k-1")
    assert (again.body["status"], again.body["runId"]) == ("completed", told[0].body["runId"])
    assert await mails(company, "Only one") == 1


async def test_the_same_key_with_something_else(dana: Client) -> None:
    """422, whatever of it is else: the words, the names, the route."""
    assert (await dana.run("[[model: text=One.]]", key="k-2")).status == 200
    prompt = {"prompt": "[[model: text=One.]]"}
    told = [
        await dana.run("[[model: text=Two.]]", key="k-2"),
        await dana.run("[[model: text=One.]]", key="k-2", conversation=[]),
        await dana.post(STREAM, prompt, key="k-2"),
        await dana.post(f"{RUN}?x=1", prompt, key="k-2"),
    ]
    assert {(answer.status, answer.error["code"]) for answer in told} == {(422, "idempotency_key_used")}


async def test_what_was_refused_leaves_its_key_free(dana: Client) -> None:
    """So that it can be mended and sent again."""
    assert (await dana.run("Hello", key="k-3", threadId="thr_nobody")).status == 404
    assert (await dana.run("[[model: text=Well.]]", key="k-3")).status == 200


async def test_a_stream_under_a_key_is_joined(dana: Client) -> None:
    """Who sends it again follows the same run."""
    told: list[list[Json]] = []
    for _ in range(2):
        headers = {**dana.headers, "idempotency-key": "k-4"}
        sent = dana.http.post(f"{dana.url}{STREAM}", json={"prompt": "[[model: text=Lines.]]"}, headers=headers)
        async with sent as answer:
            told.append([line async for line in read(answer)])
    assert told[0][0] == told[1][0]
    assert told[0][-1] == told[1][-1]
    assert told[0][-1]["type"] == "result"


# Meanwhile ---------------------------------------------------------------------------------------------------------


async def test_a_second_prompt_while_the_first_waits(company: World, dana: Client) -> None:
    """It steers the run that works: both get the answer of that one."""
    opened = (await dana.run("[[model: text=Begun.]]")).body
    await hold(company, "Steer me")
    first = asyncio.create_task(
        dana.run(f"{call('gmail_search', query='in:inbox')} Steer me", threadId=opened["threadId"])
    )
    await reached(company, "Steer me")
    second = asyncio.create_task(dana.run("[[model: text=As you say.]] Otherwise", threadId=opened["threadId"]))
    await company.until(lambda: company.audit_codes(), when=lambda codes: any("steer" in code for code in codes))
    await company.mend()
    one, two = await asyncio.gather(first, second)
    assert (one.status, two.status) == (200, 200)
    assert one.body["runId"] == two.body["runId"] != opened["runId"]
    assert one.body["summary"] == two.body["summary"] == "As you say."


async def test_stop_ends_what_works(company: World, dana: Client) -> None:
    """Both are told: it is failed, and `runStatus` says that somebody stopped it."""
    opened = (await dana.run("[[model: text=Begun.]]")).body
    await hold(company, "Stop me")
    first = asyncio.create_task(dana.run("[[model: text=Never.]] Stop me", threadId=opened["threadId"]))
    await reached(company, "Stop me")
    stopped = await dana.run("stop", threadId=opened["threadId"])
    await company.mend()
    for answer in (stopped, await first):
        assert (answer.status, answer.body["ok"], answer.body["status"]) == (200, False, "failed")
        assert (answer.body["output"]["runStatus"], answer.body["output"]["stopReason"]) == ("cancelled", "cancelled")
    nothing = await dana.run("stop", threadId=opened["threadId"])
    assert (nothing.status, nothing.error["code"]) == (422, "nothing_to_stop")


async def test_a_question_is_answered_by_the_next_prompt(company: World) -> None:
    """A question in words is a completed answer whose summary is the question; the next prompt goes on with it."""
    other = "Bruno Marchetti <bruno@marchettimarmi.example>"
    await company.google.post(
        "/__admin/mail", {"from": other, "to": [MARA.email], "subject": "Marble", "text": "Hello"}
    )
    mara = await client(company, MARA)
    asked = (await mara.run("Mail Bruno: the marble is fine")).body
    assert (asked["status"], asked["output"]["runStatus"]) == ("completed", "awaiting_confirmation"), asked
    assert "Which Bruno do you mean?" in asked["summary"]
    (question,) = asked["output"]["questions"]
    assert question["kind"] == "answer"
    assert "approval" not in asked
    answered = (await mara.run("bruno@marchettimarmi.example", threadId=asked["threadId"])).body
    assert answered["runId"] == asked["runId"]
    assert answered["actionId"] != asked["actionId"]


# Going on ----------------------------------------------------------------------------------------------------------


async def test_a_paused_run_is_continued(company: World, dana: Client) -> None:
    """The answer names the way on; going on twice under one key is going on once, and another time is refused."""
    paused = (await dana.run("[[model: never_stop]]")).body
    assert (paused["ok"], paused["status"], paused["output"]["runStatus"]) == (False, "failed", "paused")
    assert (paused["output"]["stopReason"], paused["output"]["next"]) == ("steps", "continue")
    path = f"{RUN}/{paused['runId']}/continue"
    told = await asyncio.gather(*(dana.post(path, {}, key="k-5") for _ in range(2)))
    assert {(answer.status, answer.body["runId"]) for answer in told} == {(200, paused["runId"])}
    assert told[0].body["output"]["runStatus"] == "paused"
    refused = await dana.post(f"{RUN}/{paused['runId']}/retry", {})
    assert (refused.status, refused.error["code"]) == (422, "not_now")
    assert refused.error["message"]


async def test_a_failed_run_is_tried_again(company: World, dana: Client) -> None:
    """It is another run of the same thread."""
    await company.gemini.fault("error", status=400, error="No.", path=MODEL, times=-1)
    failed = (await dana.run("[[model: text=At last.]]")).body
    assert (failed["status"], failed["output"]["next"]) == ("failed", "retry")
    await company.mend()
    path = f"{RUN}/{failed['runId']}/retry"
    again = await dana.post(path, {}, key="k-6")
    assert (again.status, again.body["status"], again.body["summary"]) == (200, "completed", "At last.")
    assert again.body["runId"] != failed["runId"]
    assert again.body["threadId"] == failed["threadId"]
    assert (await dana.post(path, {}, key="k-6")).body["runId"] == again.body["runId"]
    assert (await dana.post(path, {})).status == 422
    assert (await dana.post(f"{RUN}/{again.body['runId']}/continue", {})).status == 422


async def test_a_plan_is_confirmed_in_slack(company: World, dana: Client) -> None:
    """It is an approval of its own; after the click it is carried out, and told."""
    asked = (await dana.run("plan: remember that Ben has the key; remember that the lorry comes at 8")).body
    assert (asked["status"], asked["mode"]) == ("awaiting_confirmation", "requires_approval"), asked
    assert "lorry" in asked["approval"]["preview"]
    await company.click(DANA, await card_of(company, "lorry", CONFIRM), CONFIRM)
    done = (await over(company, dana, asked["runId"])).body
    assert (done["status"], done["mode"]) == ("completed", "tool_executed"), done
    assert done["summary"]


# Agents ------------------------------------------------------------------------------------------------------------


async def test_manual_trigger_via_api(company: World, dana: Client) -> None:
    """With its inputs as an object, or as the one text that it takes; the record is told, and is the run's."""
    answer = await dana.post(agent("meeting_brief"), {"meeting": "delivery planning"})
    assert (answer.status, answer.body["status"], answer.body["agent"]) == (200, "completed", "meeting_brief")
    assert answer.body["input"]["meeting"] == "delivery planning"
    assert "Helen Marsh" in answer.body["summary"]
    looked = (await dana.look(answer.body["id"])).body
    assert (looked["status"], looked["runId"]) == ("completed", answer.body["id"])
    assert looked["summary"]


async def test_a_text_is_the_one_input(company: World, dana: Client) -> None:
    """The clerk takes one; what needs approval waits for a click, and the record tells."""
    order = send_mail(HELEN, "By the clerk") + call("complete_task", report="The mail is sent.")
    waiting = (await dana.post(agent("clerk"), order)).body
    assert (waiting["status"], waiting["input"], waiting["completed_at"]) == (
        "awaiting_confirmation",
        {"order": order},
        None,
    )
    approval = (await dana.look(waiting["id"])).body["approval"]
    assert "By the clerk" in approval["preview"]
    await company.click(DANA, await card_of(company, "By the clerk"), APPROVE)
    done = (await over(company, dana, waiting["id"])).body
    assert (done["status"], done["output"]["result"]) == ("completed", "The mail is sent.")
    assert await mails(company, "By the clerk") == 1


async def test_an_agent_that_lacks_a_tool(company: World, dana: Client) -> None:
    """409, and in the log."""
    before = (await company.audit_codes()).count("message.refused")
    for body in ({"order": "x"}, "x"):
        answer = await dana.post(agent("lame"), body)
        assert (answer.status, answer.error["code"]) == (409, "agent_unavailable")
    assert (await company.audit_codes()).count("message.refused") == before + 2


async def test_a_trigger_under_a_key_begins_once(dana: Client) -> None:
    """And another agent under it is refused."""
    told = [await dana.post(agent("week_review"), {}, key="k-7") for _ in range(2)]
    assert told[0].status == 200
    assert told[0].body == told[1].body
    assert (await dana.post(agent("week_review"), {"x": 1}, key="k-7")).status in {400, 422}
    assert (await dana.post(agent("meeting_brief"), {"meeting": "x"}, key="k-7")).status == 422


@pytest.mark.parametrize(
    "body", [{}, {"meeting": 5}, {"meeting": None}, {"meeting": " \u200b"}, {"meeting": "x", "strange": 1}]
)
async def test_bad_inputs_are_named(company: World, dana: Client, body: Json) -> None:
    """400 with the input at fault; it is in the log."""
    before = (await company.audit_codes()).count("message.refused")
    answer = await dana.post(agent("meeting_brief"), body)
    assert (answer.status, answer.error["code"]) == (400, "bad_inputs")
    assert answer.error["field"] in {"meeting", "strange"}
    assert (await company.audit_codes()).count("message.refused") == before + 1


@pytest.mark.parametrize("body", [5, True, "delivery planning", ["delivery planning"]])
async def test_inputs_of_another_shape(company: World, dana: Client, body: object) -> None:
    """400, and in the log."""
    before = (await company.audit_codes()).count("message.refused")
    answer = await dana.post(agent("meeting_brief"), body)
    assert (answer.status, answer.error["code"]) == (400, "bad_inputs")
    assert (await company.audit_codes()).count("message.refused") == before + 1


async def test_a_text_for_an_agent_without_inputs(dana: Client) -> None:
    """It takes none."""
    assert (await dana.post(agent("week_review"), "this one")).status == 400


LIMITS = (
    "timeout=0",
    "timeout=-1",
    "timeout=86401",
    "timeout=x",
    "timeout=",
    "maxSteps=0",
    "maxSteps=1001",
    "maxSteps=1.5",
    "max_steps=1",
    "timeout=1&timeout=2",
)


@pytest.mark.parametrize("query", LIMITS)
async def test_limits_that_do_not_count(company: World, dana: Client, query: str) -> None:
    """400 with the field, and in the log."""
    before = (await company.audit_codes()).count("message.refused")
    answer = await dana.post(agent("week_review", f"?{query}"), {})
    assert (answer.status, answer.error["field"]) == (400, query.partition("=")[0])
    assert (await company.audit_codes()).count("message.refused") == before + 1


async def test_limits_win(dana: Client) -> None:
    """One step is not enough to read a calendar and say what is there."""
    answer = await dana.post(agent("week_review", "?maxSteps=1&timeout=60"), {})
    assert (answer.status, answer.body["status"], answer.body["stop_reason"]) == (200, "paused", "steps")
