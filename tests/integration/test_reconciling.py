"""Every tool that can look what became of an attempt, at a Google that does what it was asked and does not say so."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from integrations.base import Done, Result, Unknown
from integrations.errors import Ambiguous, BasisChanged
from playground.people import DANA, MARA
from tests.integration.google_world import ALL_SCOPES, Arguments, World, data
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELEN = "helen.marsh@marshgardens.example"
LETTER = {"to": [HELEN], "subject": "Loungers", "body": "Eight of them."}
TIMES = {"start": "2031-03-03T10:00", "end": "2031-03-03T11:00"}
SECONDS = 0.15


async def _thread(world: World) -> str:
    found = await world.execute("gmail_search", {"query": 'subject:"Invoice 2291"'})
    return str(data(found)["threads"][0]["thread_id"])


async def _draft(world: World) -> str:
    return str(data(await world.execute("gmail_draft_create", LETTER, key="draft"))["draft_id"])


async def _event(world: World) -> str:
    event = {"title": "Tea", "attendees": [DANA.email], **TIMES}
    return str(data(await world.execute("calendar_event_create", event, key="event"))["event_id"])


async def _invitation(world: World) -> str:
    event = {"title": "Tea", "attendees": [MARA.email], **TIMES}
    return str(data(await world.execute("calendar_event_create", event, who=DANA, key="event"))["event_id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A tool's arguments, `about` something that is there if it needs that; the `request` is what changes something."""

    arguments: Arguments
    request: tuple[str, str]
    about: tuple[str, Callable[[World], Awaitable[str]]] | None = None

    async def prepared(self, world: World) -> Arguments:
        """What it is called with, in a fresh world."""
        await world.begin().admin("grants", {"person": "mara", "scopes": [*ALL_SCOPES]})
        name, make = self.about or ("", None)
        return {**self.arguments, name: await make(world)} if make else self.arguments


_SEND, _DRAFTS, _MODIFY = ("POST", "/drafts/send"), ("POST", "/drafts"), ("POST", "/modify")
CASES = {
    "gmail_send": Case(arguments=LETTER, request=_SEND),
    "gmail_reply": Case(arguments={"body": "Fine."}, request=_SEND, about=("thread_id", _thread)),
    "gmail_draft_create": Case(arguments=LETTER, request=_DRAFTS),
    "gmail_draft_update": Case(arguments={"body": "Nine."}, request=("PUT", "/drafts/"), about=("draft_id", _draft)),
    "gmail_draft_send": Case(arguments={}, request=_SEND, about=("draft_id", _draft)),
    "gmail_labels": Case(arguments={"archive": True}, request=_MODIFY, about=("thread_id", _thread)),
    "calendar_event_create": Case(arguments={"title": "Tea", **TIMES}, request=("POST", "/events")),
    "calendar_event_update": Case(
        arguments={"title": "Cake"}, request=("PATCH", "/events/"), about=("event_id", _event)
    ),
    "calendar_event_cancel": Case(arguments={}, request=("DELETE", "/events/"), about=("event_id", _event)),
    "calendar_event_answer": Case(
        arguments={"answer": "accept"}, request=("PATCH", "/events/"), about=("event_id", _invitation)
    ),
}

WAYS: Mapping[str, Mapping[str, Any]] = {
    "drops the connection": {"kind": "drop_after"},
    "answers 500": {"kind": "status_after", "status": 500},
    "does it late": {"kind": "delay", "seconds": SECONDS},
}


async def test_each_tool_that_can_look_is_here(world: World) -> None:
    """A tool that learns to look what became of an attempt is tested as the others."""
    assert CASES.keys() == {name for name, tool in world.tools.items() if tool.can_reconcile}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
async def test_what_was_done_and_not_said_is_found(world: World, name: str, way: str) -> None:
    """Afterwards it is known as done, and everything is as after an attempt that went well: it happened once."""
    case = CASES[name]
    arguments = await case.prepared(world)
    await world.execute(name, arguments, card=await world.preview(name, arguments))
    well = await _things(world)
    arguments = await case.prepared(world)
    card = await world.preview(name, arguments)
    method, path = case.request
    world.fault(path=path, method=method, **WAYS[way])
    attempt = asyncio.create_task(world.execute(name, arguments, card=card))
    if way == "does it late":
        await _given_up(world, attempt, well)
    with suppress(Ambiguous, asyncio.CancelledError):  # some look by themselves, and know
        await attempt
    assert world.emulator.admin.faults.all() == []
    assert isinstance(await world.reconcile(name, arguments, card=card), Done)
    assert await _things(world) == well


@pytest.mark.parametrize("name", CASES)
async def test_nothing_is_done_with_another_account(world: World, name: str) -> None:
    """An account that was connected after the approval changes nothing, and is not asked what became of an attempt."""
    arguments = await CASES[name].prepared(world)
    before = await _things(world)
    card = replace(await world.preview(name, arguments), account="another")
    with pytest.raises(BasisChanged):
        await world.execute(name, arguments, card=card)
    assert isinstance(await world.reconcile(name, arguments, card=card), Unknown)
    assert await _things(world) == before


async def _given_up(world: World, attempt: asyncio.Task[Result], well: Counter[str]) -> None:
    """Google has the request when the attempt is given up, and does what it was asked afterwards."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while world.emulator.admin.faults.all():
            await asyncio.sleep(0.01)
        attempt.cancel()
        while await _things(world) != well:
            await asyncio.sleep(0.02)


async def _things(world: World) -> Counter[str]:
    """Mails, drafts, events and what Google tells people about them."""
    state = await world.state()
    people: Mapping[str, Mapping[str, list[dict[str, Any]]]] = state["people"]
    mails = [
        f"{handle}'s {box}: {mail['subject']} {mail['text']}"
        for handle, person in people.items()
        for box in ("inbox", "sent", "drafts")
        for mail in person[box]
    ]
    events = [
        f"{handle}'s {event.get('summary')} {event.get('status')} {guest.get('responseStatus')}"
        for handle, person in people.items()
        for event in person["events"]
        for guest in [event, *event.get("attendees", [])]
    ]
    return Counter([*mails, *events, *(f"told: {notice['kind']}" for notice in state["notices"])])
