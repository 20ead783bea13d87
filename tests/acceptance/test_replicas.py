"""Three replicas on one PostgreSQL: what is asked of any of them is done once, whoever of them dies or freezes."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from playground.faults import Faults
from playground.people import BOT_USER_ID, DANA, MARA, PRIYA, Person
from tests.acceptance.mortal import BotProcesses
from tests.acceptance.world import APPROVE, REJECT, Json, button_ids, text_of
from tests.postgres import PostgresServer
from tests.replicas import Replicas, replicas

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEND = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "%s", "body": "Ready."}]]'
SALES = "C0SALES"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer, bot_processes: BotProcesses
) -> AsyncGenerator[Replicas]:
    """Three replicas for all tests of this module; each test's requests are threads of their own."""
    async with replicas(tmp_path_factory.mktemp("replicas"), postgres, bot_processes) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def three(company: Replicas) -> AsyncGenerator[Replicas]:
    """All of them alive, before and after."""
    yield company
    await company.here.mend()
    for n in range(3):
        if n not in company.pids:
            await company.start(n)
    await company.at_rest()


async def ask(three: Replicas, text: str, *, who: Person = DANA) -> Json:
    """Say this at the top of a DM; what Slack answered."""
    return await three.here.say(who, text)


async def card_of(three: Replicas, title: str, *, who: Person = DANA) -> Json:
    """The card of the mail with this subject."""
    return await three.here.message(
        three.here.dm_of(who), lambda m: APPROVE in button_ids(m) and title in text_of(m), f"the card of {title}"
    )


async def subjects(three: Replicas, who: Person = DANA) -> list[str]:
    """What left for Helen."""
    return [mail["subject"] for mail in await three.here.sent(who)]


def runs(three: Replicas, ts: str) -> list[Json]:
    """The runs of the message with this timestamp."""
    return three.rows("SELECT * FROM runs WHERE source_key LIKE ?", f"%:{ts}")


async def ended(three: Replicas, ts: str, state: str = "completed") -> Json:
    """The run of this message, once it ended so."""

    async def there() -> Json | None:
        (run,) = runs(three, ts) or [None]
        return run if run and run["state"] == state else None

    return await three.here.until(there, f"a {state} run of {ts}")


async def test_one_of_two_clicks_counts(three: Replicas) -> None:
    """Approve pressed twice at the same moment, at two replicas: the mail is sent once, and each press is answered."""
    said = await ask(three, SEND % "Two clicks")
    card = await card_of(three, "Two clicks")
    pressed = await asyncio.gather(*(three.here.click(DANA, card, APPROVE) for _ in range(3)))
    assert all(press["acked"] for press in pressed)
    await ended(three, said["ts"])
    assert (await subjects(three)).count("Two clicks") == 1
    votes = Counter(row["question_id"] for row in three.rows("SELECT question_id FROM votes"))
    assert set(votes.values()) == {1}


async def test_approve_and_reject_at_once(three: Replicas) -> None:
    """One of them wins, wherever it arrives: either the mail left and the run says so, or neither."""
    said = await ask(three, SEND % "Yes and no")
    card = await card_of(three, "Yes and no")
    await asyncio.gather(three.here.click(DANA, card, APPROVE), three.here.click(DANA, card, REJECT))
    run = await ended(three, said["ts"])
    (action,) = three.rows("SELECT * FROM actions WHERE run_id = ?", run["id"])
    assert (action["state"], (await subjects(three)).count("Yes and no")) in {("completed", 1), ("rejected", 0)}


async def test_the_last_siblings_at_once(three: Replicas) -> None:
    """Two cards of one step are decided at the same moment at two replicas: the step closes, and the run goes on."""
    said = await ask(three, " ".join(SEND % title for title in ("Sister", "Brother")))
    cards = [await card_of(three, title) for title in ("Sister", "Brother")]
    await asyncio.gather(three.here.click(DANA, cards[0], REJECT), three.here.click(DANA, cards[1], REJECT))
    run = await ended(three, said["ts"])
    assert [row["open"] for row in three.rows("SELECT * FROM steps WHERE run_id = ?", run["id"])] == [0]


async def test_an_event_that_comes_twice(three: Replicas) -> None:
    """A message that Slack delivers twice, to two replicas at once, is one run and one answer."""
    await three.here.slack.fault("duplicate_event", path="event/message.im")
    said = await ask(three, "[[model: text=Only once.]]")
    await ended(three, said["ts"])
    assert len(runs(three, said["ts"])) == 1


async def test_a_follow_up_right_behind_its_mention(three: Replicas) -> None:
    """What is said without a mention right behind the first word, and reaches another replica first, is not lost."""
    await three.here.slack.fault("delay_event", path="event/*", seconds=0.3, times=2)  # it comes as two events
    root = (await three.here.mention(MARA, SALES, "[[model: text=First word.]]"))["ts"]
    reply = (await three.here.say(MARA, "[[model: text=Second word.]]", channel=SALES, thread_ts=root))["ts"]
    await three.row("SELECT id FROM messages WHERE ts = ? AND (steers IS NULL OR taken_at IS NOT NULL)", reply)


async def test_a_message_as_its_run_completes(three: Replicas) -> None:
    """What is said in a thread while another replica completes its run is taken in, or begins a run: never neither."""
    root = (await three.here.mention(MARA, SALES, "[[model: text=First.]]"))["ts"]
    replies: list[str] = []

    async def one(text: str) -> None:
        replies.append((await three.here.mention(MARA, SALES, text, thread_ts=root))["ts"])
        await asyncio.sleep(0.15)

    for n in range(8):
        await one(f"[[model: text=Reply {n}.]]")
    await three.at_rest()
    begun = [ts for ts in replies if runs(three, ts)]
    taken = three.rows("SELECT ts FROM messages WHERE steers IS NOT NULL AND taken_at IS NOT NULL")
    assert sorted([*begun, *(row["ts"] for row in taken if row["ts"] in replies)]) == sorted(replies)


async def test_a_click_as_its_question_expires(three: Replicas) -> None:
    """Whoever comes first wins: the mail leaves and the run says so, or nothing leaves and the run pauses."""
    said = await ask(three, SEND % "In time")
    card = await card_of(three, "In time")
    (run,) = runs(three, said["ts"])
    three.tamper("UPDATE questions SET expires_at = now() + interval '0.5 s' WHERE run_id = ?", run["id"])
    await asyncio.sleep(0.45)
    assert (await three.here.click(DANA, card, APPROVE))["acked"]

    async def settled() -> str | None:
        (now,) = runs(three, said["ts"])
        return now["state"] if now["state"] in {"completed", "paused"} else None

    state = await three.here.until(settled, "an end")
    assert (state, (await subjects(three)).count("In time")) in {("completed", 1), ("paused", 0)}


SENDING, SAVING = "*users/me/drafts/send?*", "*users/me/drafts?*"


async def _in_flight(three: Replicas, title: str, *, path: str = SENDING, seconds: float = 2) -> tuple[str, int]:
    """A mail that is approved and on its way to Google, which answers late: the run, and the replica that waits."""
    said = await ask(three, SEND % title)
    card = await card_of(three, title)
    await three.here.google.fault("hold", path=path, seconds=seconds)
    await three.here.click(DANA, card, APPROVE)
    await three.here.until(three.here.google.no_fault, "the effect")
    (run,) = runs(three, said["ts"])
    n = three.serving(run["id"])
    assert n is not None
    return said["ts"], n


async def test_one_that_is_killed_is_followed(three: Replicas) -> None:
    """The replica that serves a thread dies in the middle of an effect: another finds out what happened, once."""
    ts, n = await _in_flight(three, "Killed")
    await three.kill(n)
    await ended(three, ts)
    assert (await subjects(three)).count("Killed") == 1


async def test_one_that_is_frozen_is_fenced(three: Replicas) -> None:
    """A replica that stands still loses its threads and duties; thawed, it changes nothing and goes on."""
    ts, n = await _in_flight(three, "Frozen")
    before = len(_said(three, n))
    three.freeze(n)
    run = await ended(three, ts)
    assert await elsewhere(three, n) == [True, True]
    three.thaw(n)
    (action,) = three.rows("SELECT * FROM actions WHERE run_id = ?", run["id"])
    assert (action["state"], (await subjects(three)).count("Frozen")) == ("completed", 1)
    for word in ("Warm", "Again", "Here"):
        said = await ask(three, f"[[model: text={word}.]]")
        await ended(three, said["ts"])
    assert "Traceback" not in _said(three, n)[before:]


async def test_a_relay_that_is_frozen_as_slack_answers(three: Replicas, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thawed, it hears the answer together with the end of its duty: a reminder comes once, by who took over."""
    said = await ask(three, "remind me tomorrow at 9 to water the oak", who=PRIYA)
    await ended(three, said["ts"])
    await three.at_rest()
    n = three.number_of(three.holder("relay"))
    assert n is not None
    hold = Faults.hold

    async def freezing(faults: Faults, seconds: float) -> None:
        three.freeze(n)
        await hold(faults, seconds)

    monkeypatch.setattr(Faults, "hold", freezing)
    await three.here.slack.fault("hold", path="/api/conversations.open", seconds=0.5)
    past = '{"at": "2020-01-01T08:00"}'
    three.tamper("UPDATE schedules SET next_fire = now(), spec = ? WHERE state = 'active'", past)

    async def reminders() -> int:
        texts = map(text_of, await three.here.bot_messages(three.here.dm_of(PRIYA)))
        return sum("You asked me to remind you" in text for text in texts)

    await three.here.until(reminders, "the reminder by another")
    three.thaw(n)
    await asyncio.sleep(1)
    assert await reminders() == 1


def _said(three: Replicas, n: int) -> str:
    return three.said[n].read_text(encoding="utf-8")


async def elsewhere(three: Replicas, n: int) -> list[bool]:
    """Whether each duty is held by another than this one."""

    async def taken() -> bool:
        return n not in [three.number_of(three.holder(duty)) for duty in ("relay", "sealer")]

    await three.here.until(taken, "a take-over of what it did for all")
    return [three.number_of(three.holder(duty)) != n for duty in ("relay", "sealer")]


async def test_duties_of_the_dead_are_done(three: Replicas) -> None:
    """Whoever relays and seals dies: others go on, cards and answers still come, and the log is sealed."""
    for n in {three.number_of(three.holder(duty)) for duty in ("relay", "sealer")} - {None}:
        await three.kill(n or 0)
    assert three.running()
    said = await ask(three, "[[model: text=Still here.]]")
    await ended(three, said["ts"])
    await three.here.answer_in("D0DANA", "Still here.")
    await three.at_rest()


async def test_one_that_leaves_hands_over(three: Replicas) -> None:
    """A replica that is told to leave while the model thinks has its request answered by another, in seconds."""
    await three.here.gemini.fault("hold", path="streamGenerateContent", seconds=30)
    said = await ask(three, "[[model: text=Handed over.]]")
    await three.here.until(three.here.gemini.no_fault, "the model's silence")

    async def serving() -> tuple[int] | None:
        (run,) = runs(three, said["ts"]) or [None]
        n = three.serving(run["id"]) if run else None
        return None if n is None else (n,)

    (n,) = await three.here.until(serving, "somebody who serves it")
    await three.leave(n)
    await ended(three, said["ts"])


async def test_the_books(three: Replicas) -> None:
    """After all that: a completed send is one mail, nothing is half written or posted twice, the log verifies."""
    await three.at_rest()
    await three.completed_sends_are_mails()
    state = await three.here.slack.state()
    said = [message for messages in state["messages"].values() for message in messages]
    assert not [message for message in said if message.get("streaming_state") == "in_progress"]
    marks = Counter(str(message["metadata"]["event_payload"]) for message in said if message.get("metadata"))
    assert set(marks.values()) == {1}
    ours = [message for message in said if message.get("user") == BOT_USER_ID and message.get("thread_ts")]
    assert len(ours) == len(three.rows("SELECT * FROM posts"))
    await three.verified()


@pytest.mark.chaos
async def test_a_take_over_within_a_minute(
    tmp_path_factory: pytest.TempPathFactory,
    postgres: PostgresServer,
    bot_processes: BotProcesses,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the product waits, not hurried: whatever the dead replicas did is done by another within sixty seconds, though
    the tool may take as long as that by itself. Mails at the two places where it matters: before anything can have been
    sent, and when nobody knows.
    """
    async with replicas(tmp_path_factory.mktemp("patient"), postgres, bot_processes, timings={}) as three:
        flights = [await _in_flight(three, path, path=path, seconds=8) for path in (SAVING, SENDING)]
        began = time.monotonic()
        for n in {n for _, n in flights}:
            await three.kill(n)
        for ts, _ in flights:
            while runs(three, ts)[0]["state"] != "completed":
                assert time.monotonic() - began < 60
                await asyncio.sleep(0.1)
            sys.stdout.write(f"taken over and completed {time.monotonic() - began:.0f} s after kill -9\n")
        assert Counter(await subjects(three)) == {SAVING: 1, SENDING: 1}
