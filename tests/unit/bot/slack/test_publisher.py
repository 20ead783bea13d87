from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import DeliveryKind, Post
from bot.domain.events import ActionMoved, Event, HomeChanged, RunMoved, TextStreamed, TextVoided
from bot.domain.questions import Choice, QuestionState
from bot.domain.runs import RunState
from bot.runtime.ports import DeliveryFailed
from bot.runtime.views import LossView, Place, RefusalView
from bot.slack.publisher import Publisher
from bot.slack.streams import LIFE_SECONDS
from tests.unit.bot.slack.cases import MARA, NOW, SALES, answer_view, card_view, notice_view, place
from tests.unit.bot.slack.fakes import delivery
from tests.unit.bot.slack.world import Behind, Slack, publishing

SECRET = "canary-7f3a"


@dataclass(kw_only=True)
class Stage:
    """One run on the emulator: asked in #sales or in Mara's DM."""

    slack: Slack
    behind: Behind
    publisher: Publisher

    async def asked(self, *, in_dm: bool = False, **changes: Any) -> Place:
        channel = await self.slack.dm(MARA) if in_dm else SALES
        ts = await self.slack.say(MARA, channel, "please")
        return self.behind.queries.put(place(channel=channel, root_ts=ts, request_ts=ts, is_dm=in_dm, **changes))

    def now(self, asked: Place, **changes: Any) -> Place:
        return self.behind.queries.put(replace(asked, **changes))

    def tell(self, *events: Event) -> None:
        for event in events:
            self.behind.bus.publish(event)

    async def answer(self, text: str = "Done, Mara.", *, attempts: int = 1, **changes: Any) -> None:
        self.behind.queries.answers["run_1"] = answer_view(text=text, **changes)
        await self.publisher.deliver(delivery(DeliveryKind.ANSWER, "run_1", attempts=attempts))

    async def stub(self, *, attempts: int = 1) -> None:
        await self.publisher.deliver(delivery(DeliveryKind.STUB, "run_1", attempts=attempts))

    async def card(self, *, attempts: int = 1, **changes: Any) -> None:
        asked = self.behind.queries.places["run_1"]
        self.behind.queries.cards["qst_1"] = card_view(**{"place": asked, **changes})
        await self.publisher.deliver(delivery(DeliveryKind.CARD, "qst_1", attempts=attempts))

    def texts(self, channel: str) -> list[str]:
        return [json.dumps(message.get("blocks") or message["text"]) for message in self.slack.ours(channel)]

    def to_channel(self) -> str:
        """Everything that was ever sent to #sales, whatever became of it."""
        return json.dumps([entry["request"] for entry in self.slack.entries() if SALES in json.dumps(entry["request"])])


@pytest.fixture
async def stage(slack: Slack, behind: Behind) -> AsyncIterator[Stage]:
    async with publishing(slack, behind) as publisher:
        yield Stage(slack=slack, behind=behind, publisher=publisher)


async def test_an_answer_streams_and_ends(stage: Stage) -> None:
    """The first words start a stream at once, more are appended, and the answer takes its place."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hello [a"))
    await stage.slack.until(lambda: stage.slack.calls("chat.startStream"))
    stage.tell(TextStreamed("run_1", "](http://x.example) "), TextStreamed("run_1", "Mara"))
    await stage.slack.until(lambda: stage.slack.calls("chat.appendStream"))
    assert "Hello [a] (http://x.example) Mara" in stage.texts(asked.channel)[0]
    stage.now(asked, state=RunState.COMPLETED)
    await stage.answer("Hello Mara, done.")
    [shown] = stage.texts(asked.channel)
    assert "Hello Mara, done." in shown
    assert stage.slack.state["streams"][0]["state"] == "stopped"
    assert [call["status"] for call in stage.slack.calls("agents.sessions.setStatus")] == ["processing", "active"]


async def test_a_stream_in_a_channel_names_its_reader(stage: Stage) -> None:
    """Slack wants to know for whom a stream in a channel is."""
    await stage.asked()
    stage.tell(TextStreamed("run_1", "Hello"))
    await stage.slack.until(lambda: stage.slack.ours(SALES))
    [started] = stage.slack.calls("chat.startStream")
    assert (started["recipient_user_id"], started["recipient_team_id"]) == (MARA, "T0FERNHILL")
    assert (started["unfurl_links"], started["unfurl_media"]) == (False, False)


async def test_what_was_streamed_is_replaced(stage: Stage) -> None:
    """When a step is redone, its new words replace the old ones in the same message."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "First try"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    stage.tell(TextVoided("run_1"), TextStreamed("run_1", "Second try"))
    await stage.slack.until(lambda: "Second try" in str(stage.texts(asked.channel)))
    [shown] = stage.texts(asked.channel)
    assert "First" not in shown


async def test_streams_that_slack_refuses(stage: Stage) -> None:
    """Where Slack takes no stream the answer grows in an ordinary message."""
    asked = await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.startStream"}, kind="status", status=500, times=-1)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: "Hello" in str(stage.texts(asked.channel)))
    await stage.answer("Hello.")
    assert len(stage.texts(asked.channel)) == 1


async def test_a_stream_that_expired(stage: Stage) -> None:
    """When Slack ended the stream, the text goes on in the same message."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    async with stage.slack.session.post(f"{stage.slack.url}/__admin/clock", json={"advance": 400}) as moved:
        assert moved.ok
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: stage.slack.calls("chat.appendStream"))
    stage.tell(TextStreamed("run_1", ", Mara"))
    await stage.slack.until(lambda: "Hello, Mara" in str(stage.texts(asked.channel)))
    assert len(stage.texts(asked.channel)) == 1


async def test_a_stream_ends_before_slack_ends_it(stage: Stage) -> None:
    """After four minutes the stream is ended by us, and the same message goes on."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    stage.behind.later = LIFE_SECONDS + 1
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: "Hello" in str(stage.texts(asked.channel)))
    assert stage.slack.calls("chat.appendStream") == []
    assert stage.slack.state["streams"][0]["state"] == "stopped"
    assert len(stage.texts(asked.channel)) == 1


async def test_a_stream_that_a_person_stopped(stage: Stage) -> None:
    """After Slack's Stop nothing more is written until the answer, which takes the message over."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
    await stage.slack.until(lambda: stage.slack.state["sessions"] and stage.slack.ours(asked.channel))
    await stage.slack.act("stop_session", user=MARA, channel=asked.channel, thread_ts=asked.root_ts)
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: stage.slack.calls("chat.appendStream"))
    stage.now(asked, state=RunState.CANCELLED)
    await stage.answer("Stopped, as you asked.")
    [shown] = stage.texts(asked.channel)
    assert "Stopped, as you asked." in shown


async def test_the_end_of_the_process(slack: Slack, behind: Behind) -> None:
    """When the process ends its streams are ended too, so that nothing hangs in Slack as unfinished."""
    async with publishing(slack, behind) as publisher:
        stage = Stage(slack=slack, behind=behind, publisher=publisher)
        asked = await stage.asked(in_dm=True)
        stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
        await slack.until(lambda: slack.ours(asked.channel))
    assert slack.state["streams"][0]["state"] == "stopped"


async def test_a_request_that_was_deleted(stage: Stage) -> None:
    """When the request and its thread are gone the owner still learns what was done, in the DM."""
    asked = await stage.asked()
    await stage.slack.act("delete", user=MARA, channel=SALES, ts=asked.root_ts)
    await stage.answer("Stopped; the mail to Dana was sent before.")
    assert "was sent before" in str(stage.texts(await stage.slack.dm(MARA)))


async def test_a_card_clears_the_way(stage: Stage) -> None:
    """While a card waits the session is suspended, words that did not count are gone, and the answer comes below it."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "I will write"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    stage.tell(TextVoided("run_1"), RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: not stage.slack.ours(asked.channel))
    await stage.card()
    await stage.slack.until(lambda: stage.slack.state["sessions"][0]["status"] == "suspended")
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Sent"))
    await stage.slack.until(lambda: len(stage.slack.ours(asked.channel)) == 2)
    await stage.answer("Sent it.")
    first, second = stage.texts(asked.channel)
    assert "Send this email?" in first
    assert "Sent it." in second


async def test_words_before_a_card_stay(stage: Stage) -> None:
    """Words that count stay above the card, and the answer does not overwrite them."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Here is the plan."))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    stage.tell(RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: stage.slack.state["streams"][0]["state"] == "stopped")
    await stage.card()
    await stage.answer("Sent it.")
    first, second, third = stage.texts(asked.channel)
    assert "Here is the plan." in first
    assert "Send this email?" in second
    assert "Sent it." in third


async def test_the_status_says_what_is_done(stage: Stage) -> None:
    """The line under the conversation names the action that runs, and goes with the answer."""
    asked = await stage.asked(in_dm=True)
    stage.tell(ActionMoved("run_1", "act_1", ActionState.EXECUTING.value, "Search mail for “oak”"))
    await stage.slack.until(lambda: stage.slack.state["statuses"])
    assert stage.slack.state["statuses"][0]["status"] == "is working: Search mail for “oak”"
    stage.now(asked, state=RunState.COMPLETED)
    await stage.answer()
    assert stage.slack.state["statuses"] == []


async def test_the_status_in_a_channel_says_nothing_of_what_is_done(stage: Stage) -> None:
    """A caption quotes arguments, a memory's text for example; everybody in the channel sees the line."""
    await stage.asked()
    stage.tell(ActionMoved("run_1", "act_1", ActionState.EXECUTING.value, f"Remember “{SECRET}”"))
    await stage.slack.until(lambda: stage.slack.state["statuses"])
    assert stage.slack.state["statuses"][0]["status"] == "is working on it…"
    assert SECRET not in stage.to_channel()


async def test_a_status_that_slack_takes_later(stage: Stage) -> None:
    """A rate limit on the status holds up neither text nor answer, and the last status is shown when Slack takes it."""

    def asked_for(times: int) -> bool:
        return len(stage.slack.calls("agents.sessions.setStatus")) == times

    asked = await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "agents.sessions.setStatus"}, kind="rate_limit", seconds=30, times=2)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hello"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel) and asked_for(1))
    stage.behind.later = 31
    stage.now(asked, state=RunState.COMPLETED)
    await stage.answer("Hello.")
    await stage.slack.until(lambda: asked_for(2))
    assert stage.slack.state["sessions"] == []
    stage.behind.later = 62
    stage.tell(RunMoved("run_1", RunState.COMPLETED))
    await stage.slack.until(lambda: stage.slack.state["sessions"])
    assert stage.slack.state["sessions"][0]["status"] == "active"


async def test_a_waiting_run_costs_no_task(stage: Stage) -> None:
    """While people are asked nothing of the run is kept running."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: "suspended" in str(stage.slack.state["sessions"]))
    stage.now(asked, state=RunState.AWAITING)
    await stage.slack.until(lambda: not [task for task in asyncio.all_tasks() if "slack-feed" in task.get_name()])


async def test_a_private_run_says_nothing_in_the_channel(stage: Stage) -> None:
    """Text, card, answer and caption of a private run go to the owner's DM under one root; the thread gets a stub."""
    asked = await stage.asked(private=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", f"The mail says {SECRET}"))
    stage.tell(ActionMoved("run_1", "act_1", ActionState.EXECUTING.value, f"Read {SECRET}"))
    dm = await stage.slack.dm(MARA)
    await stage.slack.until(lambda: SECRET in str(stage.texts(dm)))
    await stage.publisher.deliver(delivery(DeliveryKind.STUB, "run_1"))
    await stage.card(reason=SECRET)
    stage.now(asked, state=RunState.COMPLETED)
    await stage.answer(f"It says {SECRET}.")
    root, *rest = stage.slack.ours(dm)
    assert all(message["thread_ts"] == root["ts"] for message in rest)
    assert "About your request in" in json.dumps(root)
    [stub] = stage.texts(SALES)
    assert "direct message" in stub
    assert SECRET not in stage.to_channel()


async def test_a_run_that_becomes_private_while_it_streams(stage: Stage) -> None:
    """What stood in the channel is taken away, and nothing said after that moment ever goes there."""
    asked = await stage.asked()
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Let me look. "))
    await stage.slack.until(lambda: stage.slack.ours(SALES))
    stage.now(asked, private=True)
    stage.tell(TextStreamed("run_1", SECRET))
    dm = await stage.slack.dm(MARA)
    await stage.slack.until(lambda: SECRET in str(stage.texts(dm)))
    assert stage.slack.ours(SALES) == []
    await stage.answer(f"It says {SECRET}.")
    assert SECRET not in stage.to_channel()


async def test_a_private_card_of_an_open_run(stage: Stage) -> None:
    """A card that shows private things goes to the DM though its run may speak in the channel; another stays there."""
    await stage.asked()
    await stage.card(card_private=True)
    assert stage.slack.ours(SALES) == []
    await stage.card(card_private=False, question_id="qst_2")
    assert "Send this email?" in stage.texts(SALES)[0]


async def test_a_card_gets_its_final_form_in_place(stage: Stage) -> None:
    """The decided card has no buttons, says who decided, and is the same message."""
    asked = await stage.asked(in_dm=True)
    await stage.card()
    decided: dict[str, Any] = {
        "state": QuestionState.DECIDED,
        "decision": Choice.APPROVE,
        "decided_by": MARA,
        "decided_at": NOW,
    }
    await stage.card(outcome=ActionState.COMPLETED, detail="sent to Dana", **decided)
    [shown] = stage.texts(asked.channel)
    assert "button" not in shown
    assert "Approved" in shown
    assert "sent to Dana" in shown


async def test_a_card_that_stands_changes_app_home(stage: Stage) -> None:
    """The tab links to the card, however long its delivery took."""
    await stage.asked(in_dm=True)
    async with stage.behind.bus.subscribe() as events:
        await stage.card()
        assert events.get_nowait() == HomeChanged("T0FERNHILL", MARA)


async def test_an_unclear_post_is_looked_up(stage: Stage) -> None:
    """When the answer of chat.postMessage is lost, the message is found and not posted again."""
    asked = await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.postMessage"}, kind="drop_after", times=1)
    await stage.card()
    assert len(stage.slack.ours(asked.channel)) == 1
    assert stage.behind.posts.posts["run_1", "card:qst_1"].ts == stage.slack.ours(asked.channel)[0]["ts"]


async def test_a_post_that_nobody_wrote_down(stage: Stage) -> None:
    """After a crash between posting and writing it down, the next attempt finds the message."""
    asked = await stage.asked(in_dm=True)
    await stage.card()
    stage.behind.posts.posts.clear()
    await stage.card(attempts=2)
    assert len(stage.slack.ours(asked.channel)) == 1


async def test_a_card_that_nobody_wrote_down_is_brought_up_to_date(stage: Stage) -> None:
    """What was decided since the forgotten attempt is shown in its message: there is no other delivery for it."""
    asked = await stage.asked(in_dm=True)
    await stage.card()
    stage.behind.posts.posts.clear()
    await stage.card(attempts=2, state=QuestionState.WITHDRAWN, outcome=ActionState.CANCELLED)
    [shown] = stage.texts(asked.channel)
    assert "Withdrawn" in shown
    assert "button" not in shown


async def test_words_that_were_kept_are_not_taken_for_the_answer(stage: Stage) -> None:
    """Looking for a forgotten answer does not find what was said before a card, though it once stood in its slot."""
    asked = await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.startStream"}, kind="ok_false", error="channel_type_not_supported")
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Here is the plan."))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    stage.tell(RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: [slot for _, slot in stage.behind.posts.posts if slot.startswith("said")])
    await stage.answer("Sent it.", attempts=2)
    first, second = stage.texts(asked.channel)
    assert "Here is the plan." in first
    assert "Sent it." in second


@pytest.mark.parametrize("lost", ["the row", "Slack's answer"])
async def test_an_answer_after_a_pause_is_found_though_the_pause_bears_its_mark(stage: Stage, lost: str) -> None:
    """What was said at a pause stays in the thread with the mark of the answer; the answer to come is looked for."""
    asked = await stage.asked(in_dm=True)
    await stage.answer("I stopped here.")
    pause = stage.behind.posts.posts.pop(("run_1", "answer"))
    stage.behind.posts.posts["run_1", pause.said.slot] = pause.said
    if lost == "Slack's answer":
        await stage.slack.fault(match={"path": "chat.postMessage"}, kind="drop_after", times=1)
    await stage.answer("Sent it.")
    stage.behind.posts.posts.pop(("run_1", "answer"))
    await stage.answer("Sent it.", attempts=2)
    first, second = stage.texts(asked.channel)
    assert "I stopped here." in first
    assert "Sent it." in second


async def test_a_private_card_of_an_open_run_is_pointed_to(stage: Stage) -> None:
    """While the run works its thread has one line about the card in the DM; where the answer stands, it goes."""
    asked = await stage.asked()
    for attempts in (1, 1, 2):
        await stage.stub(attempts=attempts)
    [shown] = stage.texts(SALES)
    assert "I asked you about this in a direct message." in shown
    stage.now(asked, state=RunState.COMPLETED)
    await stage.answer("Sent it.")
    [shown] = stage.texts(SALES)
    assert "Sent it." in shown
    await stage.stub()
    assert len(stage.texts(SALES)) == 1


async def test_a_run_that_is_private_from_its_start(stage: Stage) -> None:
    """Its thread has a line at once, and at the end the same message says how it ended."""
    asked = await stage.asked(private=True)
    await stage.stub()
    [shown] = stage.texts(SALES)
    assert "I go on in a direct message" in shown
    stage.behind.posts.posts.clear()
    stage.now(asked, private=True, state=RunState.COMPLETED)
    await stage.stub(attempts=2)
    await stage.answer()
    [shown] = stage.texts(SALES)
    assert "I answered in a direct message" in shown


async def test_a_direct_message_needs_no_pointer(stage: Stage) -> None:
    """Neither does a thread that is gone, and nobody is told about that."""
    asked = await stage.asked(in_dm=True, private=True)
    await stage.stub()
    assert stage.slack.ours(asked.channel) == []
    asked = await stage.asked(private=True)
    await stage.slack.act("delete", user=MARA, channel=SALES, ts=asked.root_ts)
    for attempts in (1, 2):
        await stage.stub(attempts=attempts)
    assert stage.slack.ours(SALES) == stage.slack.ours(await stage.slack.dm(MARA)) == []


async def test_a_channel_that_takes_no_pointer(stage: Stage) -> None:
    """An answer that stands in the DM is delivered, whether or not the channel takes the line about it."""
    await stage.asked(private=True, state=RunState.COMPLETED)
    stage.slack.emulator.workspace.world.channels[SALES].members.remove("U0CSIGN")
    await stage.answer("Here it is.")
    assert "Here it is." in str(stage.texts(await stage.slack.dm(MARA)))
    with pytest.raises(DeliveryFailed) as failed:
        await stage.stub()
    assert failed.value.retry_after is None


@pytest.mark.parametrize("kind", [kind for kind in DeliveryKind if kind is not DeliveryKind.LOSS])
async def test_a_loss_is_told_once(stage: Stage, kind: DeliveryKind) -> None:
    """What could not be delivered is told in the DM, with the id to quote, and not again by another attempt."""
    asked = await stage.asked()
    view = LossView(team="T0FERNHILL", user=MARA, kind=kind, reference="run_1", request_ts=asked.request_ts)
    stage.behind.queries.losses[f"{kind.value}:x"] = view
    for attempts in (1, 2):
        await stage.publisher.deliver(delivery(DeliveryKind.LOSS, f"{kind.value}:x", attempts=attempts))
        stage.behind.posts.posts.clear()
    [shown] = stage.texts(await stage.slack.dm(MARA))
    assert "I could not" in shown
    assert "run_1" in shown


async def test_an_answer_after_a_crash(stage: Stage) -> None:
    """What an earlier process streamed is replaced by the answer, though its stream was never ended."""
    asked = await stage.asked(in_dm=True)
    ts = await stage.slack.web.start_stream(asked.channel, asked.root_ts, "Half of", user=MARA, team="T0FERNHILL")
    await stage.behind.posts.save(Post(run_id="run_1", slot="answer", channel=asked.channel, ts=ts, streaming=True))
    await stage.answer("All of it.")
    [shown] = stage.texts(asked.channel)
    assert "All of it." in shown
    assert stage.behind.posts.posts["run_1", "answer"].streaming is False


async def stray(stage: Stage, asked: Place, text: str = "Half of") -> None:
    """A stream that an earlier process began and did not live to write down."""
    await stage.slack.web.start_stream(asked.channel, asked.root_ts, text, user=MARA, team="T0FERNHILL")


async def test_a_stream_whose_beginning_was_lost_is_taken_over(stage: Stage) -> None:
    """Whether chat.startStream worked is not known: the stream is looked for, and the answer stands once."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.QUEUED))
    await stage.slack.fault(match={"path": "chat.startStream"}, kind="drop_after", times=1)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Half of"))
    await stage.slack.until(lambda: stage.slack.calls("chat.update"))
    stage.tell(TextStreamed("run_1", " it is here"))
    await stage.slack.until(lambda: "Half of it is here" in str(stage.texts(asked.channel)))
    await stage.answer("All of it.")
    [shown] = stage.texts(asked.channel)
    assert "All of it." in shown
    assert [stream["state"] for stream in stage.slack.state["streams"]] == ["stopped"]


async def test_a_stream_that_died_with_its_process_is_taken_over(stage: Stage) -> None:
    """A run that goes on in another process finds the stream that nobody wrote down, before it shows anything."""
    asked = await stage.asked(in_dm=True)
    await stray(stage, asked)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "From the start"))
    await stage.slack.until(lambda: "From the start" in str(stage.texts(asked.channel)))
    assert len(stage.texts(asked.channel)) == 1
    assert [stream["state"] for stream in stage.slack.state["streams"]] == ["stopped"]


async def test_an_answer_finds_every_stream_that_nobody_wrote_down(stage: Stage) -> None:
    """The answer takes the newest over and the others away, and leaves alone what belongs to other runs or people."""
    asked = await stage.asked()
    await stray(stage, asked, "Other run")
    ts = stage.slack.ours(SALES)[0]["ts"]
    await stage.behind.posts.save(Post(run_id="run_2", slot="answer", channel=SALES, ts=ts))
    await stage.slack.act("message", user=MARA, channel=SALES, text="thanks", thread_ts=asked.root_ts)
    await stray(stage, asked)
    await stray(stage, asked, "Half of it")
    stage.now(asked, state=RunState.COMPLETED)
    await stage.answer("All of it.")
    other, shown = stage.texts(SALES)
    assert "Other run" in other
    assert "All of it." in shown
    assert any(message["text"] == "thanks" for message in stage.slack.messages(SALES))


async def test_a_stray_of_a_private_run_does_not_stay_in_the_channel(stage: Stage) -> None:
    """What an earlier process began in the channel goes when the run is private by now."""
    asked = await stage.asked()
    await stray(stage, asked, SECRET)
    stage.now(asked, private=True)
    await stage.answer(SECRET)
    assert SECRET not in str(stage.texts(SALES))
    assert SECRET in str(stage.texts(await stage.slack.dm(MARA)))


async def test_a_run_that_began_here_is_not_looked_for(stage: Stage) -> None:
    """What this process saw from its beginning needs no look at Slack."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.QUEUED), RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hi"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    await stage.answer("Hi.")
    assert stage.slack.calls("conversations.replies") == []


async def test_a_long_answer(stage: Stage) -> None:
    """Forty thousand characters arrive in several messages of one thread."""
    asked = await stage.asked(in_dm=True)
    await stage.answer("word " * 8_000)
    assert len(stage.slack.ours(asked.channel)) == 4
    await stage.answer("word " * 8_000)
    assert len(stage.slack.ours(asked.channel)) == 4


async def test_slack_says_wait(stage: Stage) -> None:
    """A 429 is handed to the relay with the seconds that Slack asked for."""
    await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.postMessage"}, kind="rate_limit", seconds=30, times=1)
    with pytest.raises(DeliveryFailed) as failed:
        await stage.card()
    assert failed.value.retry_after == 30


async def test_slack_is_broken(stage: Stage) -> None:
    """A 500 is tried again soon."""
    await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.postMessage"}, kind="status", status=500, times=1)
    with pytest.raises(DeliveryFailed) as failed:
        await stage.card()
    assert failed.value.retry_after is not None


@pytest.mark.parametrize("error", ["token_revoked", "account_inactive", "fatal_error"])
async def test_slack_takes_nothing_now(stage: Stage, error: str) -> None:
    """A revoked token or a trouble of Slack's own is no fault of the delivery, which waits for the cure."""
    await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.postMessage"}, kind="ok_false", error=error)
    with pytest.raises(DeliveryFailed) as failed:
        await stage.card()
    assert failed.value.retry_after is not None


async def test_slack_will_never_take_it(stage: Stage) -> None:
    """Where we may not post, the delivery is hopeless."""
    asked = await stage.asked()
    stage.slack.emulator.workspace.world.channels[SALES].members.remove("U0CSIGN")
    with pytest.raises(DeliveryFailed) as failed:
        await stage.answer()
    assert failed.value.retry_after is None
    assert asked.channel == SALES


async def test_notices_and_refusals(stage: Stage) -> None:
    """A memory's line has its Undo; why a message started nothing is said in its thread, once."""
    asked = await stage.asked(in_dm=True)
    stage.behind.queries.notices["act_1"] = notice_view()
    await stage.publisher.deliver(delivery(DeliveryKind.NOTICE, "act_1"))
    assert "undo" in stage.texts(asked.channel)[0]
    stage.behind.queries.refusals["empty:msg_1"] = RefusalView(
        channel=asked.channel, root_ts=asked.root_ts, request_ts=asked.request_ts, text="Your message had no text."
    )
    for attempts in (1, 2):
        await stage.publisher.deliver(delivery(DeliveryKind.REFUSAL, "empty:msg_1", attempts=attempts))
    assert len(stage.slack.ours(asked.channel)) == 2


async def test_every_send_is_without_previews(stage: Stage) -> None:
    """No call that sends text lets Slack fetch what it links to."""
    await stage.asked()
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "https://evil.example"))
    await stage.slack.until(lambda: stage.slack.ours(SALES))
    await stage.card()
    await stage.answer("https://evil.example")
    sends = ("chat.postMessage", "chat.update", "chat.startStream", "chat.postEphemeral")
    bodies = [body for method in sends for body in stage.slack.calls(method)]
    assert len(bodies) >= 3
    assert all(body["unfurl_links"] is False and body["unfurl_media"] is False for body in bodies)
