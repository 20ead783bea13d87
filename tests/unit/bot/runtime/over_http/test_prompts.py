"""Prompts over HTTP: what each becomes, and what it is said to."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.limits import Rate
from bot.domain.plans import Phase
from bot.domain.questions import QuestionState
from bot.domain.runs import AttachedContext, RunState
from bot.domain.threads import NOBODY, Audience, Speaker, Surface
from bot.llm import wire
from bot.llm.model import ModelUnavailable
from bot.runtime.lifecycle.runs import next_order
from bot.runtime.over_http.admission import Turned
from bot.runtime.over_http.prompts import PastMessage
from bot.runtime.runs.incoming import Admission
from bot.runtime.texts import to_model, to_people
from integrations.base import Option, ToolQuestion
from policies.types import Label, TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.over_http.desk import LOOK, OTHER, SEND, Desk
from tests.unit.bot.runtime.runtime_harness import Harness, until

SUPERVISED = TrustLevel.SUPERVISED
NOTE = AttachedContext(type="email", id="m1", title="Benches", snippet="Friday?", meta={})


def told(here: Harness, n: int = -1) -> list[str]:
    """The texts of the contents of a model call."""
    contents = here.model.requests[n].contents
    return ["\n\n".join(str(part["text"]) for part in wire.parts(each) if "text" in part) for each in contents]


# New conversations ----------------------------------------------------------------------------------------------------


async def test_a_prompt_begins_a_conversation(at: Desk) -> None:
    """It is a private thread of one person, without a channel; its request is typed, and nothing goes to Slack."""
    taken = await at.asked("It goes on Friday.", text="When?")
    async with at.here.base.store.read() as work:
        thread, place = await work.threads.find(taken.thread_id), await work.runs.place(taken.run_id)
    assert (thread.surface, thread.owner, thread.channel, thread.is_dm) == (Surface.HTTP, DANA, "", True)
    assert (place.is_in_slack, place.elsewhere, place.root_ts) == (False, True, "")
    asked, answered = await at.messages(taken.thread_id)
    assert (asked.text, asked.typed, asked.author, asked.label) == ("When?", "When?", DANA, Label.MEMBER)
    assert (answered.text, answered.audience, answered.owner) == ("It goes on Friday.", Audience.OWNER, DANA)
    assert (await at.run(taken)).private
    assert at.sent_to_slack() <= {"answer", "stub"}  # of which the publisher shows nothing


async def test_a_conversation_has_a_past(at: Desk) -> None:
    """Forty messages stand before the prompt, in their order, in nobody's name, untyped, as a member's; the model is
    told that all are an application's word for it, and none is a turn of its own.
    """
    speakers = (Speaker.PERSON, Speaker.AGENT)
    past = [PastMessage(speaker=speakers[n % 2], text=f"said {n}") for n in range(40)]
    taken = await at.says("And now?", conversation=past)
    await at.serve(taken)
    *before, prompt, _ = await at.messages(taken.thread_id)
    assert [(one.speaker, one.text) for one in before] == [(one.speaker, one.text) for one in past]
    assert {one.author for one in before} == {NOBODY}
    assert {(one.typed, one.label, one.owner, one.ts) for one in before} == {("", Label.MEMBER, DANA, "")}
    assert prompt.text == "And now?"
    assert (await at.run(taken)).label is Label.MEMBER
    told_before, asked = told(at.here)
    assert asked == "And now?"
    assert all(wire.role(one) == "user" for one in at.here.model.requests[-1].contents)
    assert re.findall(r">said (\d+)<", told_before) == [str(n) for n in range(10, 40)]  # thirty of them are sent
    source = 'source="an earlier conversation, as an application tells it, said by '
    assert told_before.count(f"{source}a person") == 15
    assert told_before.count(f"{source}the assistant") == 15


async def test_a_known_conversation_has_its_own_past(at: Desk) -> None:
    """What the client says was said before is left out then: the thread is known here."""
    taken = await at.asked("It goes on Friday.", text="When?")
    again = await at.says(
        "Sure?", thread=taken.thread_id, conversation=[PastMessage(speaker=Speaker.PERSON, text="I am the boss.")]
    )
    await at.serve(again)
    assert again.thread_id == taken.thread_id
    assert again.run_id != taken.run_id
    assert told(at.here) == ["When?", "It goes on Friday.", "Sure?"]
    assert [one.text for one in await at.messages(taken.thread_id)] == ["When?", "It goes on Friday.", "Sure?", "Done."]


async def test_an_application_is_no_guest(at: Desk) -> None:
    """The past has a label of its own, although its author is not known as a member."""
    taken = await at.says("And now?", conversation=[PastMessage(speaker=Speaker.PERSON, text="Before.")])
    await at.serve(taken)
    assert (await at.run(taken)).label is Label.MEMBER


# Whose it is ----------------------------------------------------------------------------------------------------------


async def test_other_conversations_are_not_found(at: Desk) -> None:
    """Neither somebody else's, nor another workspace's, nor one in Slack; nothing is taken, and the log has it."""
    taken = await at.asked()
    in_slack = await at.here.request()
    messages = at.count("messages")
    for refused in (
        await at.refused(thread=taken.thread_id, user=MARA),
        await at.refused(thread=in_slack.thread_id),
        await at.refused(thread="thr_none"),
    ):
        assert refused.why is Turned.NOT_FOUND
    assert at.count("messages") == messages
    assert at.here.codes().count("message.refused") == 3
    async with at.here.base.store.read() as work:
        thread = await work.threads.find(taken.thread_id)
    assert not thread.is_over_http_of("T2", DANA)


# What is said to a run that is under way ------------------------------------------------------------------------------


async def test_a_prompt_while_the_model_is_asked(at: Desk) -> None:
    """It steers the run, which answers both; whoever asked again follows the same run."""
    here = at.here
    async with at.at_work() as taken:
        again = await at.says("On Friday.", thread=taken.thread_id)
        assert again.run_id == taken.run_id
        assert await at.goes_on_as(again) is None
    assert told(here)[-1] == f"{to_model.NOT_SHOWN}\n\nOn Friday."
    assert (await at.outcome(taken)).text == "Done."
    assert await at.goes_on_as(again) is None


async def test_a_prompt_while_a_tool_works(at: Desk) -> None:
    """What it does ends first; then the run hears it."""
    at.here.model.says, at.here.read.busy = [LOOK], asyncio.Event()
    taken = await at.says()
    async with at.serving(taken):
        await until(lambda: at.here.read.calls)
        assert (await at.says("On Friday.", thread=taken.thread_id)).run_id == taken.run_id
        at.here.read.busy.set()
    assert told(at.here)[-1].endswith("On Friday.")


async def test_a_prompt_under_a_card(at: Desk) -> None:
    """It withdraws the card, and the same run goes on with the words."""
    taken = await at.asked(SEND, "It goes on Friday.", level=SUPERVISED)
    assert (await at.says("Friday instead", thread=taken.thread_id)).run_id == taken.run_id
    await at.serve(taken)
    assert (await at.outcome(taken)).text == "It goes on Friday."
    assert [row["state"] for row in at.here.base.rows("SELECT state FROM questions")] == [QuestionState.WITHDRAWN]
    assert not at.here.effect.calls


@pytest.mark.parametrize("yes", ["yes", "OK, send it!"])
async def test_a_yes_decides_nothing(at: Desk, yes: str) -> None:
    """Only a click does. What waits is told again, and Slack is not told that somebody said yes elsewhere."""
    taken = await at.asked(SEND, level=SUPERVISED)
    before = await at.outcome(taken)
    again = await at.says(yes, thread=taken.thread_id)
    assert again.run_id == taken.run_id
    await at.serve(taken)
    assert await at.state(taken) is RunState.AWAITING
    assert await at.outcome(taken) == before
    assert "refusal" not in at.sent_to_slack()
    assert "message.decides_nothing" in at.here.codes()
    assert not at.here.effect.calls


async def test_a_no_rejects(at: Desk) -> None:
    """It is the vote of the Reject button on all that waits, and the run goes on."""
    taken = await at.asked([*SEND, *OTHER], "Then not.", level=SUPERVISED)
    assert (await at.says("No, thanks", thread=taken.thread_id)).run_id == taken.run_id
    await at.serve(taken)
    assert (await at.outcome(taken)).text == "Then not."
    assert {row["decision"] for row in at.here.base.rows("SELECT decision FROM questions")} == {"reject"}


async def test_a_prompt_answers_a_question_in_words(at: Desk) -> None:
    """What a tool asks is told whole, and the next prompt is the answer."""
    helens = [Option(value="h1", label="Helen Marsh"), Option(value="h2", label="Helen Wu")]
    at.here.asking.inquiries = [ToolQuestion(text="Which Helen?", options=helens)]
    taken = await at.asked([("calendar_search", {"text": "Helen"})], "Helen Wu it is.")
    assert (await at.outcome(taken)).text == "Which Helen?\n1. Helen Marsh\n2. Helen Wu"
    assert (await at.says("2", thread=taken.thread_id)).run_id == taken.run_id
    await at.serve(taken)
    assert (await at.outcome(taken)).text == "Helen Wu it is."
    assert "h2" in str(at.here.told())


async def test_a_prompt_with_attached_context_is_a_request_of_its_own(at: Desk) -> None:
    """Others' words need a label of their own: what it brings along is not lost in a run that is under way."""
    async with at.at_work() as taken:
        own = await at.says("What of this?", thread=taken.thread_id, attached=[NOTE])
        assert own.run_id != taken.run_id
    await at.serve(own)
    assert (await at.run(own)).attached == (NOTE,)
    assert "Benches" in at.here.model.requests[-1].instruction
    assert (await at.run(own)).label is Label.EXTERNAL
    assert (await at.run(taken)).label is not Label.EXTERNAL


async def test_what_came_too_late_is_a_request_of_its_own(at: Desk) -> None:
    """The run fails without having heard two prompts: they become one run, which whoever said either follows."""
    at.here.model.says = [ModelUnavailable("x")] * 20
    async with at.at_work() as taken:
        one, two = [await at.says(text, thread=taken.thread_id) for text in ("On Friday.", "At ten.")]
        at.here.model.says = [ValueError("a defect")]
    assert await at.state(taken) is RunState.FAILED
    following = await at.goes_on_as(one)
    assert following is not None
    assert following.run_id != taken.run_id
    assert (await at.goes_on_as(two) or one).run_id == following.run_id
    assert await at.goes_on_as(following) is None
    assert (await at.outcome(following)).text == "Done."
    assert any("At ten." in text for text in told(at.here))


async def test_what_came_too_late_in_two_conversations(at: Desk) -> None:
    """Prompts that were said to runs may have the same place in the order; each becomes a run."""
    first = await at.says("one")
    second = await at.says("two")
    said = [await at.says("more", thread=taken.thread_id) for taken in (first, second)]
    assert len({(await at.messages(taken.thread_id))[-1].ts for taken in said}) == 1
    await at.fails(first, second)
    goes_on = [await at.goes_on_as(taken) for taken in said]
    assert len({one.run_id for one in goes_on if one}) == 2


# stop -----------------------------------------------------------------------------------------------------------------


async def test_stop_ends_what_is_under_way(at: Desk) -> None:
    """A run that waits for a card is stopped; its outcome says so."""
    taken = await at.asked(SEND, level=SUPERVISED)
    assert (await at.says("stop", thread=taken.thread_id)).run_id == taken.run_id
    outcome = await at.outcome(taken)
    assert (outcome.state, outcome.stop_reason) == (RunState.CANCELLED, "cancelled")
    assert outcome.text
    assert "refusal" not in at.sent_to_slack()


async def test_stop_where_nothing_is_under_way(at: Desk) -> None:
    """It is refused in words: in an old conversation, a new one, and beside a run elsewhere."""
    taken = await at.asked()
    await at.here.request()
    messages, threads = at.count("messages"), at.count("threads")
    for thread in (taken.thread_id, None):
        refused = await at.refused("stop", thread=thread)
        assert (refused.why, refused.words) == (Turned.NOTHING_TO_STOP, to_people.NOTHING_TO_STOP)
    assert (at.count("messages"), at.count("threads")) == (messages, threads)


# Rates ----------------------------------------------------------------------------------------------------------------


async def test_too_fast_is_refused_and_nothing_is_taken(at: Desk) -> None:
    """No thread, no message, no run; it says when, and then the same is taken."""
    at.rate = Rate(per_minute=1)
    await at.says()
    before = [at.count(table) for table in ("threads", "messages", "runs")]
    refused = await at.refused("again")
    assert (refused.why, bool(refused.words)) == (Turned.TOO_FAST, True)
    assert refused.again_at is not None
    assert [at.count(table) for table in ("threads", "messages", "runs")] == before
    at.here.base.clock.at = refused.again_at
    await at.says("again")
    assert at.here.codes().count("message.refused") == 1


async def test_a_request_waits_for_its_turn(at: Desk) -> None:
    """Where the rate gives places away ahead it is taken, and begins later; Slack is not told of it."""
    at.rate = Rate(per_minute=6, ahead=timedelta(seconds=30))
    await at.says()
    waits = await at.says("again")
    assert (await at.run(waits)).not_before == at.now + timedelta(seconds=9)
    assert not at.sent_to_slack()


@pytest.mark.parametrize("text", ["yes", "no"])
async def test_a_yes_to_nothing_is_a_request(at: Desk, text: str) -> None:
    """It counts as one where nothing waits for it; where something does, it never does."""
    at.rate = Rate(per_minute=1)
    taken = await at.asked(SEND, level=SUPERVISED)
    at.here.base.clock.advance(60)
    await at.says(text, thread=taken.thread_id)
    await at.says(text)
    assert (await at.refused(text)).why is Turned.TOO_FAST


# What is asked for ----------------------------------------------------------------------------------------------------


async def test_a_plan_is_asked_for(at: Desk) -> None:
    """`plan:` has one proposed first, as in Slack; further words refine what was proposed."""
    task = {"title": "Look for benches", "goal": "Benches are found."}
    proposal: Any = [("propose_plan", {"tasks": [task]})]
    taken = await at.asked(proposal, text="plan: benches for the park")
    assert (await at.run(taken)).phase is Phase.PROPOSE
    assert await at.state(taken) is RunState.AWAITING
    assert (await at.says("two of them", thread=taken.thread_id)).run_id == taken.run_id
    at.here.model.says = [proposal]
    await at.serve(taken)
    assert [row["state"] for row in at.here.base.rows("SELECT state FROM questions ORDER BY n")] == ["replaced", "open"]
    assert told(at.here)[-1].endswith("two of them")


# Order ----------------------------------------------------------------------------------------------------------------


async def test_prompts_keep_their_order(at: Desk) -> None:
    """However many come without a message in Slack between them; one in Slack afterwards comes later still."""
    in_slack = await at.here.says("first", ts="1795944600.000100", thread_ts=None)
    assert in_slack.admission is Admission.STARTED
    await at.says()
    newest = "1795944600.0001009998"
    await at.here.base.tamper(f"UPDATE runs SET order_key = '{newest}' WHERE order_key LIKE '1795944600.0001000001'")
    keys = [newest, *[(await at.run(await at.says())).order_key for _ in range(3)]]
    assert keys == sorted(keys)
    assert len(set(keys)) == 4
    later = await at.here.says("last", ts="1795944600.000200", thread_ts=None)
    assert (await at.here.run(later.run_id or "")).order_key > keys[-1]
    stop = await at.here.says("stop", ts="1795944601.000100", thread_ts=None)
    assert stop.run_id == later.run_id


async def test_ten_thousand_places(at: Desk) -> None:
    """The order goes on past the last of four digits, and from nothing at all."""
    taken = await at.says()
    seen = [(await at.run(taken)).order_key]
    assert seen == ["0.0000000001"]
    for key, follows in (
        ("0.0000009999", "0.0000010000"),
        ("9.9999999999", "10.0000000000"),
        ("1795944600.9999999999", "1795944601.0000000000"),
        ("1795944600.000100", "1795944600.0001000001"),
    ):
        await at.here.change_run(taken.run_id, order_key=key)
        async with at.here.base.store.read() as work:
            assert await next_order(work, TEAM, DANA) == follows
