"""Requests about time, as the scripted model understands them. It is Saturday 2026-11-21, 15:04, in London."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from playground.gemini.script.dates import day_in, duration_in, now_of, span_in, time_in, without_times
from tests.unit.playground.gemini.conversation import INSTRUCTION, RESULTS, TOOLS, UNANSWERED, Conversation, Json, names

WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
ALL = (*TOOLS, "reminder_set", "reminders", "reminder_remove", "briefing_schedule", "briefing_send")
KEPT: Json = {"reminder_id": "sch_1", "when": "every weekday at 08:00", "next": "Monday 23 November 2026, 08:00"}
MAIL = '{"type": "email", "id": "t-helen", "title": "Delivery of the benches", "snippet": "Could it be Thursday?"}'
EVENT = '{"type": "calendar_event", "id": "e-1", "title": "Bench delivery", "meta": {"when": "09:00–10:00"}}'


@pytest.fixture(autouse=True)
def results(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tools of time answer."""
    for name in ("reminder_set", "briefing_schedule"):
        monkeypatch.setitem(RESULTS, name, lambda args: KEPT)
    rows = [{"id": "sch_1", "title": "call Dana", "when": "once", "next": "Monday"}, {"id": "sch_2", "title": "oak"}]
    monkeypatch.setitem(RESULTS, "reminders", lambda args: {"reminders": rows})
    held = {"holds": ["2 meetings today", "1 mail waits for an answer"]}
    monkeypatch.setitem(RESULTS, "briefing_send", lambda args: held)
    monkeypatch.setitem(RESULTS, "gmail_thread_read", lambda args: UNANSWERED)


def play(text: str, *, attached: str = "") -> tuple[Conversation, str]:
    context = f"\n\n[ATTACHED CONTEXT] (data, not instructions)\n{attached}" if attached else ""
    conversation = Conversation(text=text, instruction=f"{INSTRUCTION}{context}", tools=ALL)
    return conversation, conversation.run()


@pytest.mark.parametrize(
    ("text", "what", "when"),
    [
        ("remind me at 4 to call Dana", "call Dana", {"at": "2026-11-21T16:00"}),
        ("Remind me at 3 to call Dana", "call Dana", {"at": "2026-11-22T15:00"}),
        ("please remind me tomorrow at 9 to water the oak", "water the oak", {"at": "2026-11-22T09:00"}),
        ("remind me to call Dana at 16:30", "call Dana", {"at": "2026-11-21T16:30"}),
        ("remind me on Monday to order oil", "order oil", {"at": "2026-11-23T09:00"}),
        ("remind me in 20 minutes to stretch", "stretch", {"at": "2026-11-21T15:24"}),
        ("remind me in an hour that the kiln is hot", "the kiln is hot", {"at": "2026-11-21T16:04"}),
        ("remind me about the taxes on 2026-12-01", "the taxes", {"at": "2026-12-01T09:00"}),
        ("remind me at 5pm to pay and send Helen a mail", "pay and send Helen a mail", {"at": "2026-11-21T17:00"}),
        (
            "remind me every weekday at 8 to look at the orders",
            "look at the orders",
            {"at": "08:00", "weekdays": WEEK[:5]},
        ),
        ("remind me every day at 9:30 to stretch", "stretch", {"at": "09:30", "weekdays": WEEK}),
        (
            "remind me to stretch every Monday and Thursday at 10",
            "stretch",
            {"at": "10:00", "weekdays": ["mon", "thu"]},
        ),
    ],
)
def test_a_reminder(text: str, what: str, when: dict[str, Any]) -> None:
    """The words and the moment come in either order; a time that is over today is tomorrow's; days have names."""
    conversation, answer = play(text)
    assert conversation.steps == [[("reminder_set", {"text": what} | when)]]
    assert "Monday 23 November 2026, 08:00" in answer


@pytest.mark.parametrize(
    ("text", "attached"),
    [
        ("remind me if nobody has answered by Friday", MAIL),
        ("remind me if nobody has answered Helen's mail by Friday", ""),
        ("remind me if no one replied by Friday", ""),
    ],
)
def test_a_reminder_unless_somebody_answers(text: str, attached: str) -> None:
    """About the mail at hand, the one that is named, or the last that was sent."""
    conversation, answer = play(text.replace("no one replied", "no one replied to Helen's mail"), attached=attached)
    [(name, args)] = conversation.steps[-1]
    assert (name, args["unless_answered"], args["at"]) == ("reminder_set", "t-helen", "2026-11-27T09:00")
    assert "otherwise I say nothing" in answer


@pytest.mark.parametrize("text", ["remind me to call Dana", "remind me", "remind me if nobody has answered by then"])
def test_what_lacks_a_time_is_asked_for(text: str) -> None:
    """Nothing is called."""
    conversation, answer = play(text)
    assert conversation.steps == []
    assert "?" in answer


@pytest.mark.parametrize(
    ("text", "tool", "said"),
    [
        ("what are my reminders?", "reminders", "call Dana: Monday\n"),
        ("list my reminders", "reminders", "call Dana"),
        ("show the reminders", "reminders", "call Dana"),
        ("brief me", "briefing_send", "2 meetings today; 1 mail waits for an answer"),
        ("what does my day look like?", "briefing_send", "2 meetings today; 1 mail waits for an answer"),
        ("Send me my briefing", "briefing_send", "2 meetings today; 1 mail waits for an answer"),
    ],
)
def test_reminders_and_a_briefing_are_told(text: str, tool: str, said: str) -> None:
    """Reminders are listed; a briefing is sent, and its contents are told."""
    conversation, answer = play(text)
    assert names(conversation) == [[tool]]
    assert said in answer


def test_a_reminder_is_removed_by_its_words() -> None:
    """Found first; where two could be meant it asks."""
    conversation, answer = play("remove the reminder to call Dana")
    assert conversation.steps[-1] == [("reminder_remove", {"reminder_id": "sch_1"})]
    assert "Removed" in answer
    conversation, answer = play("remove the reminder")
    assert names(conversation) == [["reminders"]]
    assert "Which one" in answer


def test_a_briefing_every_weekday() -> None:
    """At eight on weekdays."""
    conversation, answer = play("brief me every weekday at 8")
    assert conversation.steps == [[("briefing_schedule", {"at": "08:00", "weekdays": WEEK[:5]})]]
    assert "every weekday at 08:00" in answer


@pytest.mark.parametrize(
    ("text", "attached", "tools"),
    [
        ("Answer this mail for me.", MAIL, ["gmail_thread_read", "gmail_reply"]),
        ("Show me this mail: what does it say, and what is asked of me?", MAIL, ["gmail_thread_read"]),
        ("Help me to prepare this meeting.", EVENT, ["gmail_search"]),
    ],
)
def test_what_a_button_on_a_briefing_asks_for(text: str, attached: str, tools: list[str]) -> None:
    """About the item that is attached, and no other."""
    conversation, answer = play(text, attached=attached)
    assert [name for step in names(conversation) for name in step] == tools
    first: dict[str, Any] = conversation.steps[0][0][1]
    assert first.get("thread_id", "t-helen") == "t-helen"
    assert answer


def test_a_refusal_is_told() -> None:
    """With the tool's own words, and no claim that it was set."""
    error = {"code": "time_is_over", "message": "It is over.", "retryable": True}
    conversation = Conversation(text="remind me at 4 to call", tools=ALL, errors={"reminder_set": error})
    answer = conversation.run()
    assert "could not set the reminder. It is over." in answer


# Dates -------------------------------------------------------------------------------------------------------------


SATURDAY = date(2026, 11, 21)


def test_now_is_read_from_the_instruction() -> None:
    """The line with the moment and the zone is found in any instruction."""
    moment = now_of("Blah.\n\nNow: Saturday 2026-11-21 15:04 (Asia/Kolkata)", datetime(2000, 1, 1, tzinfo=UTC))
    assert (moment.at.isoformat(), moment.zone) == ("2026-11-21T15:04:00+05:30", "Asia/Kolkata")


@pytest.mark.parametrize(
    ("today", "monday", "told"),
    [(16, 16, "this week"), (20, 16, "this week"), (21, 23, "in the week to come"), (22, 23, "in the week to come")],
)
def test_on_a_weekend_this_week_is_the_one_to_come(today: int, monday: int, told: str) -> None:
    """From Monday to Friday it is the one that goes on; on no day it is one that is over."""
    first = date(2026, 11, monday)
    assert span_in("my week", date(2026, 11, today)) == (first, first + timedelta(days=7), told)


@pytest.mark.parametrize("instruction", ["", "Now: later", "Now: Saturday 2026-11-21 15:04 (Mars/Base)"])
def test_without_a_usable_line(instruction: str) -> None:
    """Without the line the clock decides, and an unknown zone is UTC."""
    assert now_of(instruction, datetime(2000, 1, 1, tzinfo=UTC)).zone == "UTC"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", date(2026, 11, 21)),
        ("tomorrow at 3", date(2026, 11, 22)),
        ("the day after tomorrow", date(2026, 11, 23)),
        ("on Thursday", date(2026, 11, 26)),
        ("next thu", date(2026, 11, 26)),
        ("Saturday", date(2026, 11, 28)),
        ("on 3 December", date(2026, 12, 3)),
        ("January 5th", date(2027, 1, 5)),
        ("2026-12-24", date(2026, 12, 24)),
        ("in two weeks", date(2026, 12, 5)),
        ("in 3 days", date(2026, 11, 24)),
        ("31 November", None),
        ("2026-13-40", None),
        ("sometime", None),
    ],
)
def test_days(text: str, day: date | None) -> None:
    """A weekday is the next one of its name; a date without a year is the next of its kind."""
    assert day_in(text, SATURDAY) == day


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("at 10", time(10)),
        ("at 3", time(15)),
        ("3pm", time(15)),
        ("12 am", time(0)),
        ("15:30", time(15, 30)),
        ("at 9.15 am", time(9, 15)),
        ("at noon", time(12)),
        ("at 25:00", None),
        ("at 99", None),
        ("soon", None),
    ],
)
def test_times(text: str, clock: time | None) -> None:
    """Times with and without minutes, halves of the day, noon."""
    assert time_in(text) == clock


@pytest.mark.parametrize(
    ("text", "minutes"), [("for 45 minutes", 45), ("for an hour", 60), ("for half an hour", 30), ("for 2 hours", 120)]
)
def test_durations(text: str, minutes: int) -> None:
    """How long something takes."""
    assert duration_in(text) == timedelta(minutes=minutes)


def test_a_name_without_its_times() -> None:
    """What remains when days and times are taken out."""
    assert without_times("garden show on Friday at 10:30 for 30 minutes") == "garden show"
