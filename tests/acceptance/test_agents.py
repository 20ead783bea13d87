"""Agents that a team writes down, end to end: the assistant and people have them work, cards are clicked, and a kill
loses nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.domain.runs import RunState
from bot.slack.views.ids import STOP_AGENT
from playground.people import DANA, MARA
from policies import loader
from tests.acceptance.mortal import BotProcesses, Mortal
from tests.acceptance.request import ask
from tests.acceptance.slack_side import HELEN, call
from tests.acceptance.world import APPROVE, Json, World, text_of

SCOUT = """
name: scout
description: Finds something.
inputConfig:
  inputs: {order: {description: What to do., type: string, required: true}}
outputConfig:
  outputName: report
  description: What was found.
  schema: {type: object, properties: {found: {type: string}}, required: [found], additionalProperties: false}
processOutput: markdown
promptConfig: {query: "${order}", systemPrompt: You look.}
modelConfig: {model: MODEL}
toolConfig: {tools: [gmail_search]}
runConfig: {max_turns: 1}
"""
CLERK = """
name: clerk
displayName: Mail clerk
description: Sends one mail.
inputConfig:
  inputs: {order: {description: What to do., type: string, required: true}}
outputConfig: {outputName: report, description: What was done., schema: {type: string}}
promptConfig: {query: "${order}", systemPrompt: You send one mail.}
toolConfig: {tools: [gmail_send, gmail_search]}
"""
DESK = """
name: desk
displayName: Front desk
description: Writes an order, has it carried out, and sums up.
inputConfig:
  inputs: {order: {description: What to do., type: string, required: true}}
outputConfig: {outputName: report, description: What was done., schema: {type: string}}
promptConfig: {query: Unused., systemPrompt: You work at a desk.}
toolConfig: {tools: [clerk, calendar_search]}
flow:
  type: sequential
  steps:
    - {name: write, query: "${order}", tools: [calendar_search]}
    - {name: carry_out, agent: clerk, inputs: {order: "${steps.write}"}}
    - {name: sum_up, query: "Say what was done: ${previous}"}
"""
MAIL = call("gmail_send", to=[HELEN], subject="Benches", body="Ready.")
HAND_OVER = call("complete_task", report="The mail is sent.")
DELEGATE = call("clerk", order=MAIL + HAND_OVER)
WRITE = call("desk", order=call("complete_task", result=MAIL + HAND_OVER))
DM = "D0DANA"


def installed(folder: Path, *written: str) -> Mapping[str, str]:
    """The variables of an installation that has these agents and may use them."""
    agents, policies = folder / "agents", folder / "policies"
    agents.mkdir()
    policies.mkdir()
    names = [text.split()[1] for text in written]
    for name, text in zip(names, written, strict=True):
        (agents / f"{name}.yaml").write_text(text)
    shipped = (loader.SHIPPED / "constitution.md").read_text()
    listed = "".join(f"  - {name}\n" for name in names)
    (policies / "constitution.md").write_text(shipped.replace("agents:\n", f"agents:\n{listed}", 1))
    return {"AGENTS_DIR": str(agents), "POLICIES_DIR": str(policies)}


@pytest.fixture
async def mortal(idle_world: World, tmp_path: Path, bot_processes: BotProcesses) -> AsyncGenerator[Mortal]:
    made = Mortal(idle_world, tmp_path, bot_processes, variables=installed(tmp_path, CLERK, DESK))
    try:
        yield made
    finally:
        await made.stop()


async def test_a_card_of_an_agent_says_whose_it_is_and_outlives_a_kill(mortal: Mortal) -> None:
    """Delegation, card, kill, Approve, answer: the mail is out once, and the assistant tells of it."""
    await mortal.start()
    card = await mortal.here.card_for(DANA, DELEGATE)
    assert "Wanted by the agent “Mail clerk”." in text_of(card)
    await mortal.restart()
    await mortal.here.click(DANA, card, APPROVE)
    await mortal.audited("run.completed", times=2)
    await mortal.settle_accounts()
    assert len(await mortal.here.sent(DANA)) == 1
    assert mortal.rows("SELECT state, output FROM runs WHERE agent = 'clerk'") == [
        {"state": "completed", "output": '"The mail is sent."'}
    ]


async def test_what_an_agent_says_is_no_answer_in_slack(mortal: Mortal) -> None:
    """Only the assistant speaks: what the agent wrote is neither streamed nor posted, nor in the message about it."""
    await mortal.start()
    await mortal.here.say(DANA, call("clerk", order="[[model: text=I am the clerk.]]"))
    await mortal.audited("run.completed", times=2)
    await mortal.settle_accounts()
    streamed = [entry["request"] for entry in await mortal.here.slack.log() if "startStream" in entry["path"]]
    assert not [request for request in streamed if str(request["markdown_text"]).startswith("I am")]
    shown, answer = await mortal.here.bot_messages(DM)
    assert "I am the clerk" not in text_of(shown)
    assert text_of(answer).startswith("Done.")


async def clerk(mortal: Mortal, words: str) -> Json:
    """The message about the clerk, once it says this."""
    shows = f"a message about the clerk with “{words}”"
    return await mortal.here.message(DM, lambda m: "*Mail clerk*" in text_of(m) and words in text_of(m), shows)


@pytest.mark.deep
async def test_what_an_agent_does_is_shown_also_after_a_kill(mortal: Mortal) -> None:
    """It waits, the bot dies, and what was not shown before is shown when it is back: the end, in the same message."""
    await mortal.start()
    card = await mortal.here.card_for(DANA, DELEGATE)
    waiting = await clerk(mortal, "waits for you")
    await mortal.restart()
    await mortal.here.click(DANA, card, APPROVE)
    await mortal.kill()
    await mortal.start()
    over = await clerk(mortal, "done")
    assert over["ts"] == waiting["ts"]
    assert "1 action " in text_of(over)
    await mortal.audited("run.completed", times=2)
    await mortal.settle_accounts()
    assert len(await mortal.here.sent(DANA)) == 1


async def test_one_agent_is_stopped_in_slack(mortal: Mortal) -> None:
    """Only its owner ends it; its card closes, nothing is sent, and the assistant answers."""
    await mortal.start()
    await mortal.here.card_for(DANA, DELEGATE)
    shown = await clerk(mortal, "waits for you")
    assert (await mortal.here.click(MARA, shown, STOP_AGENT)).get("error")
    await mortal.here.click(DANA, shown, STOP_AGENT)
    await clerk(mortal, "stopped")
    await mortal.audited("run.completed")
    await mortal.settle_accounts()
    assert await mortal.here.cards(DM) == []
    assert await mortal.here.sent(DANA) == []
    assert mortal.rows("SELECT state, stopped_by FROM runs WHERE agent = 'clerk'") == [
        {"state": "cancelled", "stopped_by": DANA.user_id}
    ]


@pytest.mark.parametrize(
    ("model", "last_word", "output"),
    [
        ("gemini-3.8-flash", "One bench.", '{"found": "One bench."}'),
        ("gemini-2.5-flash-lite", "One bench.", None),
        ("gemini-2.5-flash-lite", '{"found": "One bench."}', '{"found": "One bench."}'),
    ],
)
async def test_an_agent_at_its_limit_hands_over_what_it_has(
    idle_world: World, tmp_path: Path, model: str, last_word: str, output: str | None
) -> None:
    """By its schema where its model takes one beside tools, as a text where it does not; the assistant goes on."""
    variables = installed(tmp_path, SCOUT.replace("MODEL", model))
    await idle_world.start_bot(agents_dir=variables["AGENTS_DIR"], policies_dir=variables["POLICIES_DIR"])
    look = call("gmail_search", query="bench")
    request = await ask(idle_world, DANA, call("scout", order=f"{look}[[model: last={last_word}]]"))
    assert (await request.ended(RunState.COMPLETED)).stop_code == ""
    (action,) = await request.actions()
    scout = await idle_world.read(lambda work: work.runs.find(action.child or ""))
    assert (scout.state, scout.stop_code, scout.output) == (RunState.PAUSED, "steps", json.loads(output or "null"))
    assert "One bench." in str((action.response or {})["output"])


@pytest.mark.deep
async def test_killed_again_and_again_while_agents_work(mortal: Mortal) -> None:
    """With the process killed at whatever moment comes, each of several tasks is done, and told, once."""
    await mortal.start()
    for subject in ("One", "Two"):
        order = MAIL.replace("Benches", subject) + call("complete_task", report=f"{subject} is sent.")
        await mortal.here.say(DANA, call("clerk", order=order))
    clicked: set[str] = set()
    for life in range(6):
        for card in await mortal.here.cards(DM):
            if (await mortal.here.click(DANA, card, APPROVE)).get("acked"):
                clicked.add(card["ts"])
        await mortal.kill()
        await mortal.start(ready=life % 2 == 0)
    for card in await mortal.here.card_in(DM, count=2 - len(clicked)):
        await mortal.here.click(DANA, card, APPROVE)
    await mortal.audited("run.completed", times=4)
    await mortal.settle_accounts()
    assert len(await mortal.here.sent(DANA)) == 2


@pytest.mark.deep
async def test_a_reply_is_polished_in_three_steps_and_saved_as_a_draft(mortal: Mortal) -> None:
    """The shipped flow, as a person asks for it: its steps are runs of their own, and one of them asks."""
    await mortal.start()
    card = await mortal.here.card_for(DANA, "Polish my reply to Helen's mail about the benches: yes thursday works")
    assert "Wanted by the agent “Reply polisher · save”." in text_of(card)
    await mortal.restart()
    await mortal.here.click(DANA, card, APPROVE)
    await mortal.here.answer_in(DM, "Polished")
    await mortal.at_rest()
    steps = mortal.rows(
        "SELECT canonical, state, summary FROM runs JOIN definitions ON hash = definition ORDER BY runs.created_at"
    )
    assert [json.loads(row["canonical"])["displayName"] for row in steps] == [
        "Reply polisher",
        *(f"Reply polisher · {step}" for step in ("read", "polish", "save")),
    ]
    assert {row["state"] for row in steps} == {"completed"}
    assert steps[2]["summary"] == "Hi Helen,\n\nYes thursday works.\n\nBest regards,"


async def test_a_flow_goes_on_where_it_was_killed(mortal: Mortal) -> None:
    """Its steps are runs of their own: each is done once, in their order, whenever the process dies."""
    await mortal.start()
    card = await mortal.here.card_for(DANA, WRITE)
    assert "Wanted by the agent “Mail clerk”." in text_of(card)
    await mortal.restart()
    await mortal.here.click(DANA, card, APPROVE)
    await mortal.kill()
    await mortal.start()
    await mortal.audited("run.completed", times=5)
    await mortal.settle_accounts()
    assert len(await mortal.here.sent(DANA)) == 1
    steps = mortal.rows("SELECT agent, state FROM runs WHERE parent IS NOT NULL ORDER BY created_at")
    assert steps == [{"agent": name, "state": "completed"} for name in ("desk", "desk", "clerk", "desk")]


# People have one work -------------------------------------------------------------------------------------------


async def filled(mortal: Mortal, order: str) -> None:
    """Dana has the clerk carry out this order."""
    await sent(mortal, "clerk", order=order)


async def sent(mortal: Mortal, agent: str, **inputs: str) -> None:
    """Dana types the command, and sends the window with these inputs."""
    await mortal.here.command(DANA, f"run {agent}")
    [view] = await mortal.here.until(lambda: mortal.here.windows(DANA), "the window")
    values = {name: {"value": {"value": text}} for name, text in inputs.items()}
    await mortal.here.slack.post("/__act/submit", {"user": DANA.user_id, "view_id": view["id"], "values": values})


async def test_an_agent_works_for_a_person_through_a_kill(mortal: Mortal) -> None:
    """The window, the thread, the card, a kill, Approve, and the answer, which is what the agent handed over."""
    await mortal.start()
    await filled(mortal, MAIL + HAND_OVER)
    (card,) = await mortal.here.card_in(DM)
    await mortal.restart()
    await mortal.here.click(DANA, card, APPROVE)
    answer = await mortal.here.answer_in(DM, "The mail is sent.")
    await mortal.at_rest()
    (opening,) = [one for one in await mortal.here.bot_messages(DM) if one.get("thread_ts", one["ts"]) == one["ts"]]
    assert "Agent: Mail clerk" in text_of(opening)
    assert card["thread_ts"] == answer["thread_ts"] == opening["ts"]
    assert len(await mortal.here.sent(DANA)) == 1
    await mortal.completed_sends_are_mails()
    assert mortal.rows("SELECT agent, state, root FROM runs") == [
        {"agent": "clerk", "state": "completed", "root": None}
    ]


async def test_stop_in_its_thread_stops_the_agent_that_a_person_has_work(mortal: Mortal) -> None:
    """And a reply below its answer is for the assistant."""
    await mortal.start()
    await filled(mortal, MAIL + HAND_OVER)
    (card,) = await mortal.here.card_in(DM)
    await mortal.here.say(DANA, "stop", thread_ts=card["thread_ts"])
    await mortal.audited("run.cancelled")
    await mortal.here.say(DANA, "[[model: text=I am the assistant.]]", thread_ts=card["thread_ts"])
    await mortal.here.answer_in(DM, "I am the assistant.")
    await mortal.at_rest()
    assert await mortal.here.sent(DANA) == []


@pytest.mark.parametrize(
    ("agent", "inputs", "says"),
    [
        (
            "meeting_brief",
            {"meeting": "delivery planning"},
            "Helen Marsh asks: “Could the delivery be moved to Thursday",
        ),
        (
            "week_review",
            {"first_day": (SystemClock().now().date() - timedelta(days=5)).isoformat()},  # this week may begin today
            "“Delivery of the twelve oak benches” from Helen Marsh",
        ),
    ],
    ids=["meeting_brief", "week_review"],
)
async def test_the_shipped_agents_read_what_is_there(
    mortal: Mortal, agent: str, inputs: Mapping[str, str], says: str
) -> None:
    """Their answer is made of the person's own calendar and mail."""
    await mortal.start()
    await sent(mortal, agent, **inputs)
    answer = await mortal.here.answer_in(DM, says)
    assert "I do not understand" not in text_of(answer)
    assert "Delivery planning: Marsh Gardens" in text_of(answer)
    await mortal.at_rest()
    assert mortal.rows("SELECT state FROM runs") == [{"state": "completed"}]


async def test_an_operator_has_an_agent_work_for_a_person(mortal: Mortal, bot_processes: BotProcesses) -> None:
    """The command waits while the person is asked, and prints the record."""
    await mortal.start()
    who, inputs = f"T0FERNHILL/{DANA.user_id}", ["--input", f"order={MAIL}{HAND_OVER}"]
    arguments = ["agents", "run", "clerk", "--as", who, *inputs, "--timeout", "90"]
    waiting = asyncio.create_task(bot_processes.command(mortal.folder, *arguments, **mortal.environment()))
    (card,) = await mortal.here.card_in(DM)
    await mortal.here.click(DANA, card, APPROVE)
    ended = await waiting
    assert ended.status == 0, ended.complained
    record = json.loads(ended.said)
    assert (record["agent"], record["status"], record["output"]) == ("clerk", "completed", "The mail is sent.")
    assert record["duration"] > 0
    (run,) = mortal.rows("SELECT limits, message_id FROM runs")
    assert json.loads(run["limits"])["active_ms"] == 90_000
    assert mortal.rows("SELECT typed FROM messages WHERE id = ?", run["message_id"]) == [{"typed": ""}]
    await mortal.here.answer_in(DM, "The mail is sent.")
    report = await mortal.verified()
    assert not report.problems, report.text()
