"""One item of a list that cannot be read costs a line, never the list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import bot
import integrations
import policies
from integrations.base import Requester
from integrations.calendar.calendars import list_events
from integrations.calendar.client import CalendarClient
from integrations.calendar.wire import EventPage
from integrations.errors import ModelRetry, ToolError
from integrations.gmail.incoming.thread_view import UNREADABLE, ThreadView
from integrations.gmail.tools.search import row
from integrations.gmail.wire import GmailThread
from integrations.items import all_read, each_read, read_or
from policies.characters import unescaped
from tests.builders import NOW

HUGE = "1" * 5_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"a&#{HUGE};b", "a\ufffdb"),
        (f"a&#x{HUGE}b", "a\ufffd"),
        (f"a&#{HUGE} b", "a\ufffd b"),
        (f"&#{'0' * 5_000}65;", "A"),
        (f"&#X{'0' * 5_000}41;", "A"),
        ("&#1114112;&#xD800;", "\ufffd\ufffd"),
        ("&amp;#65; &lt;&eacute;&#8217;&#0; &#x1F600;", "&#65; <é\u2019\ufffd \U0001f600"),
        ("&# &#; &#x; &#xg;", "&# &#; &#x; &#xg;"),
    ],
    ids=range(8),
)
def test_a_reference_of_five_thousand_digits_is_one_character(text: str, said: str) -> None:
    """`html.unescape` raises for it, and anybody may write it into a mail, an invitation or a message."""
    assert unescaped(text) == said


def test_nothing_is_unescaped_in_another_way() -> None:
    """The safe form is the only one."""
    roots = [Path(str(package.__file__)).parent for package in (bot, integrations, policies)]
    found = ((path, path.read_text(encoding="utf-8")) for root in roots for path in root.rglob("*.py"))
    users = [path for path, text in found if re.search(r"\bunescape\b", text)]
    assert [path.name for path in users] == ["characters.py"]


def _inverse(number: int) -> float:
    if number < 0:
        raise ModelRetry("negative", "It is negative.")
    return 1 / number


async def _inverse_soon(number: int) -> float:
    return _inverse(number)


async def test_what_fails_is_told_apart_from_the_others() -> None:
    """In its place stands a line, or it is counted. What a tool says itself is no accident and goes on."""
    assert each_read([1, 0, 2], _inverse, unread=lambda number: -number - 9.0) == [1.0, -9.0, 0.5]
    assert all_read([1, 0, 0, 2], _inverse) == ([1.0, 0.5], 2)
    assert [await read_or(9.0, _inverse_soon(number)) for number in (1, 0)] == [1.0, 9.0]
    with pytest.raises(ModelRetry):
        all_read([-1], _inverse)
    with pytest.raises(ModelRetry):
        await read_or(9.0, _inverse_soon(-1))


def mail(n: int, **more: object) -> Mapping[str, object]:
    payload = {"headers": [{"name": "From", "value": "Ada <ada@x.example>"}]}
    return {"id": f"m{n}", "internalDate": "1790000000000", "snippet": "Hello", "payload": payload, **more}


@pytest.mark.parametrize(
    "odd",
    [{"snippet": 5}, {"payload": {"headers": 7}}, {"internalDate": "9" * 30}, {"internalDate": "-9"}, {"labelIds": 1}],
    ids=str,
)
def test_a_message_of_an_odd_shape_does_not_hide_its_thread(odd: dict[str, Any]) -> None:
    """It keeps its number and its id; the others are read."""
    thread = GmailThread.model_validate({"id": "t", "messages": [mail(1), mail(2, **odd), mail(3)]})
    assert [(message.id, message.unreadable) for message in thread.messages] == [
        ("m1", False), ("m2", True), ("m3", False),
    ]  # fmt: skip
    assert row(thread, Requester(team="T1", user="U1"))["messages"] == 3


def test_a_message_that_cannot_be_shown_costs_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its text does to our code, the other messages of its thread are there."""

    def odd(text: str, earlier: list[str]) -> tuple[str, bool]:
        if text == "two":
            raise IndexError
        return text, False

    monkeypatch.setattr("integrations.gmail.incoming.thread_view.trim_quotes", odd)
    thread = GmailThread.model_validate({"id": "t", "messages": [mail(n) for n in (1, 2, 3)]})
    shown = ThreadView(thread=thread, texts=["one", "two", "three"], zone="UTC").overview()
    assert [(said["n"], said.get("note")) for said in shown] == [(1, None), (2, UNREADABLE), (3, None)]


class OddCalendar(CalendarClient):
    """Its events are these."""

    def __init__(self, *events: Mapping[str, object]) -> None:
        self.page = EventPage.model_validate({"items": [*events, 7]})

    async def calendars(self) -> list[Any]:
        return []

    @property
    def sees_calendars(self) -> bool:
        return True

    async def events_of(self, *_: object, **__: object) -> list[EventPage | ToolError]:
        return [self.page]


async def test_an_event_that_makes_no_sense_is_counted() -> None:
    """An invitation with impossible times, or of another shape, leaves the others in place."""
    good = {"id": "e1", "start": {"dateTime": "2026-11-24T10:00:00Z"}, "end": {"dateTime": "2026-11-24T11:00:00Z"}}
    client = OddCalendar(
        good,
        good | {"id": "e2", "start": {"dateTime": "soon"}},
        good | {"id": "e3", "start": {"date": "9999-99-99"}, "end": {"date": "1"}},
        good | {"id": "e4", "summary": 5},
    )
    found = await list_events(client, NOW - timedelta(days=9), NOW + timedelta(days=9), zone="UTC", limit=9)
    assert [seen.event.id for seen in found.events] == ["e1"]
    assert found.unseen == ["4 events that could not be read"]
