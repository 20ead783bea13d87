"""Doubt: when it is not known whether something happened, the provider is asked, else the owner; never done twice.

In the shared world the wait for an attempt's deadline is not waited; the tests of the deadline itself wait.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from integrations.calendar.tools.create import CalendarEventCreate
from integrations.gmail.tools.draft_create import GmailDraftCreate
from integrations.gmail.tools.send import GmailSend
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, Person
from tests.acceptance.request import Request, ask
from tests.acceptance.world import APPROVE, HURRIED, World, button_ids

SHARED = pytest.mark.asyncio(loop_scope="module")

HAPPENED, DID_NOT, TRY_AGAIN = "question_happened", "question_did_not", "question_try_again"
MAIL = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Hi", "body": "Hello"}]]'
DRAFT = '[[call: gmail_draft_create {"to": ["helen.marsh@marshgardens.example"], "subject": "Note", "body": "Hello"}]]'
EVENT = '[[call: calendar_event_create {"title": "Tea", "start": "2031-03-03T10:00", "end": "2031-03-03T11:00"}]]'
DEADLINE_SECONDS = 2.0
PATHS = {MARA: "/drafts/send", JONAS: "/drafts", LUIS: "/calendars/primary/events"}
WAYS: list[tuple[str, dict[str, Any]]] = [
    ("drop_after", {}),
    ("drop_before", {}),
    ("status_after", {"status": 500}),
]


async def approved(here: World, person: Person, text: str, fault: str = "", **more: Any) -> Request:
    """A request whose card was approved, with this fault of Google's from then on."""
    request = await ask(here, person, text)
    card = await request.card(APPROVE)
    if fault:
        await here.google.fault(fault, **more)
    await here.click(person, card, APPROVE)
    return request


async def done_once(request: Request) -> None:
    """The run is completed, its action too, and nobody was asked what happened."""
    assert (await request.ended()).state is RunState.COMPLETED
    (action,) = await request.actions()
    assert (action.state, action.doubt) == (ActionState.COMPLETED, False)
    assert not any(HAPPENED in button_ids(message) for message in await request.said())
    assert "action.unknown" not in await request.codes()


# The provider knows --------------------------------------------------------------------------------------------------


@SHARED
@pytest.mark.parametrize(
    ("kind", "path", "more"),
    [
        ("drop_after", "/drafts/send", {}),
        ("status_after", "/drafts/send", {"status": 500}),
        ("drop_before", "/drafts/send", {}),
        ("drop_after", "/drafts", {}),
    ],
)
async def test_a_doubtful_mail_leaves_once(shared: World, kind: str, path: str, more: dict[str, Any]) -> None:
    """Whether the answer, the request or the draft was lost: exactly one mail leaves, and no draft stays behind."""
    before, drafts = len(await shared.sent(MARA)), len(await shared.drafts(MARA))
    request = await approved(shared, MARA, MAIL, kind, path=path, method="POST", **more)
    await request.answer("Done.")
    await done_once(request)
    assert await shared.google.no_fault()
    assert len(await shared.sent(MARA)) == before + 1
    assert len(await shared.drafts(MARA)) == drafts


@SHARED
async def test_a_doubtful_reply_leaves_once(shared: World) -> None:
    """The answer to `drafts.send` is lost: the reply is found in its thread and not sent again."""
    search = await ask(shared, DANA, '[[call: gmail_search {"query": "in:inbox", "limit": 1}]]')
    await search.ended()
    (found,) = await search.actions()
    thread = json.loads(json.dumps(found.response))["output"]["threads"][0]["thread_id"]
    before = len(await shared.sent(DANA))
    await shared.google.fault("drop_after", path="/drafts/send")
    request = await approved(shared, DANA, f'[[call: gmail_reply {{"thread_id": "{thread}", "body": "Fine."}}]]')
    await done_once(request)
    sent = await shared.sent(DANA)
    assert len(sent) == before + 1
    assert sent[0]["threadId"] == thread


@SHARED
@pytest.mark.parametrize("kind", ["drop_after", "drop_before"])
async def test_a_doubtful_draft_is_saved_once(shared: World, kind: str) -> None:
    """The answer to `drafts.create` is lost, or the request: there is one draft in the end."""
    before = len(await shared.drafts(JONAS))
    request = await approved(shared, JONAS, DRAFT, kind, path="/drafts", method="POST")
    await done_once(request)
    assert len(await shared.drafts(JONAS)) == before + 1


@SHARED
@pytest.mark.parametrize(("kind", "more"), WAYS)
async def test_a_doubtful_event_is_there_once(shared: World, kind: str, more: dict[str, Any]) -> None:
    """The answer to `events.insert` is lost, or the request: one event in the end."""
    before = await _events(shared, LUIS, "Tea")
    request = await approved(shared, LUIS, EVENT, kind, path="/calendars/primary/events", method="POST", **more)
    await done_once(request)
    assert await _events(shared, LUIS, "Tea") == before + 1


@SHARED
@pytest.mark.parametrize(("kind", "more"), WAYS)
async def test_a_doubtful_change_is_made_once(shared: World, kind: str, more: dict[str, Any]) -> None:
    """The answer to `events.patch` is lost, or the request: the event is changed once, and nobody is asked again."""
    event = await shared.event(DANA, "Delivery planning: Marsh Gardens")
    call = f'[[call: calendar_event_update {{"event_id": "{event["id"]}", "location": "Room {kind}"}}]]'
    request = await approved(shared, DANA, call, kind, path=event["id"], method="PATCH", **more)
    await done_once(request)
    now = await shared.event(DANA, "Delivery planning: Marsh Gardens")
    assert now["location"] == f"Room {kind}"
    assert now["sequence"] <= event["sequence"] + 1


@SHARED
async def test_what_never_came_as_far_as_sending_is_given_up(shared: World) -> None:
    """A mail whose every attempt broke off before anything could be sent is failed after three attempts, and said not
    to be sent.
    """
    before = len(await shared.sent(MARA))
    request = await approved(shared, MARA, MAIL, "drop_before", path="/drafts", method="POST", times=-1)
    assert (await request.ended()).state is RunState.COMPLETED
    await request.answer("certainly did not happen")
    (action,) = await request.actions()
    assert (action.state, action.attempt, action.doubt) == (ActionState.FAILED, 3, False)
    assert len(await shared.sent(MARA)) == before


async def never_answered(here: World, person: Person) -> tuple[Request, Any]:
    """A mail that Google was told to send three times and has not sent so far, and the card that asks its owner."""
    request = await approved(here, person, MAIL, "drop_before", path="/drafts/send", times=-1)
    settle = await request.card(HAPPENED)
    (action,) = await request.actions()
    assert (action.state, action.attempt, action.doubt) == (ActionState.UNKNOWN, 3, True)
    await here.mend()
    return request, settle


@SHARED
@pytest.mark.parametrize("late", [True, False], ids=["sent late", "never sent"])
async def test_a_mail_that_may_be_sent_late_is_not_said_to_be_unsent(shared: World, late: bool) -> None:
    """Google still has the draft after three requests to send it, and may act on them yet: its owner is asked where to
    look. “Try again” sends one mail, or finds the one that was sent meanwhile.
    """
    before = len(await shared.sent(PRIYA))
    request, settle = await never_answered(shared, PRIYA)
    assert "Gmail, under Sent" in json.dumps(settle)
    if late:
        await _acts_late(shared, request, PRIYA)
    await shared.click(PRIYA, settle, TRY_AGAIN)
    assert (await request.ended()).state is RunState.COMPLETED
    (action,) = await request.actions()
    assert (action.state, action.attempt, action.doubt) == (ActionState.COMPLETED, 4, False)
    assert (len(await shared.sent(PRIYA)), await shared.drafts(PRIYA)) == (before + 1, [])


@SHARED
async def test_a_stop_says_what_may_still_be_sent(shared: World) -> None:
    """Whoever stops while Google may act on a request late is told so, and not that it was not done."""
    request, _ = await never_answered(shared, JONAS)
    await shared.command(JONAS, "stop")
    assert (await request.ended()).state is RunState.CANCELLED
    assert "not known whether this happened" in await request.answer("Stopped")


# The deadline --------------------------------------------------------------------------------------------------------


@pytest.fixture
async def patient(idle_world: World) -> World:
    """A bot that waits for deadlines as in life."""
    await idle_world.start_bot(timings=replace(HURRIED, settling_sleep=asyncio.sleep))
    return idle_world


def bring_deadlines_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is approved from now on; what a card shows was looked up before, and takes its time on a busy machine."""
    for tool in (GmailSend, GmailDraftCreate, CalendarEventCreate):
        monkeypatch.setattr(tool, "timeout_seconds", DEADLINE_SECONDS)


async def test_what_is_held_beyond_its_deadline_happens_once(patient: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that comes too late: after the deadline, and not before, Google is asked, and says that it happened."""
    requests = [await ask(patient, MARA, MAIL), await ask(patient, JONAS, DRAFT), await ask(patient, LUIS, EVENT)]
    cards = [await request.card(APPROVE) for request in requests]
    bring_deadlines_near(monkeypatch)
    for path in ("/drafts/send", "/drafts", "/calendars/primary/events"):
        await patient.google.fault("hold", path=path, method="POST", seconds=DEADLINE_SECONDS + 1)
        for request, card in zip(requests, cards, strict=True):
            if path == PATHS[request.person]:
                await patient.click(request.person, card, APPROVE)
                await patient.until(patient.google.no_fault, "the request on its way")
    for request in requests:
        await done_once(request)
        (action,) = await request.actions()
        assert action.deadline_at is not None
        assert action.ended_at is not None
        assert action.ended_at >= action.deadline_at
    assert len(await patient.sent(MARA)) == 1
    assert len(await patient.drafts(JONAS)) == 1
    assert await _events(patient, LUIS, "Tea") == 1


async def test_nobody_asks_before_the_deadline(patient: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the connection broke at once, Google is not asked what became of it before the attempt's own deadline."""
    await patient.google.fault("drop_after", path="/drafts/send")
    request = await ask(patient, PRIYA, MAIL)
    card = await request.card(APPROVE)
    bring_deadlines_near(monkeypatch)
    await patient.click(PRIYA, card, APPROVE)
    await done_once(request)
    (action,) = await request.actions()
    assert action.deadline_at is not None
    assert action.ended_at is not None
    assert action.ended_at >= action.deadline_at
    assert len(await patient.sent(PRIYA)) == 1


# Only the owner knows ------------------------------------------------------------------------------------------------


async def doubtful(here: World, person: Person, *, arrived: bool) -> tuple[Request, Any]:
    """A mail of which Google does not say whether it left, and the card that asks its owner."""
    request = await ask(here, person, MAIL)
    card = await request.card(APPROVE)
    await here.google.fault("drop_after" if arrived else "drop_before", path="/drafts/send")
    await here.google.fault("error", path="gmail.users.drafts.get", times=-1, status=500, error="backendError")
    await here.click(person, card, APPROVE)
    settle = await request.card(HAPPENED)
    assert {HAPPENED, DID_NOT, TRY_AGAIN} <= button_ids(settle)
    (action,) = await request.actions()
    assert (action.state, action.doubt) == (ActionState.UNKNOWN, True)
    run = await request.run()
    assert run is not None
    assert run.state is RunState.AWAITING
    await here.mend()
    return request, settle


@SHARED
@pytest.mark.parametrize(
    ("choice", "state", "words"),
    [
        (HAPPENED, ActionState.COMPLETED, "settled_by_owner"),
        (DID_NOT, ActionState.FAILED, "it did not happen"),
    ],
)
async def test_the_owner_says_what_happened(shared: World, choice: str, state: ActionState, words: str) -> None:
    """The owner's word settles the doubt: it is audited, the model is told, and nothing is sent once more."""
    before = len(await shared.sent(MARA))
    arrived = choice == HAPPENED
    request, settle = await doubtful(shared, MARA, arrived=arrived)
    await shared.click(MARA, settle, choice)
    await request.answer(words)
    (action,) = await request.actions()
    assert (action.state, action.doubt) == (state, False)
    assert len(await shared.sent(MARA)) == before + arrived
    assert "action.settled" in await request.codes()
    await shared.message(
        request.channel,
        lambda m: m["ts"] == settle["ts"] and not button_ids(m) & {HAPPENED, DID_NOT, TRY_AGAIN},
        "the card's final form",
    )


@SHARED
@pytest.mark.parametrize("arrived", [True, False])
async def test_try_again_never_sends_twice(shared: World, arrived: bool) -> None:
    """“Try again” looks first: a mail that did leave is found, one that did not leaves now; one in either case."""
    before = len(await shared.sent(DANA))
    request, settle = await doubtful(shared, DANA, arrived=arrived)
    await shared.click(DANA, settle, TRY_AGAIN)
    assert (await request.ended()).state is RunState.COMPLETED
    (action,) = await request.actions()
    assert (action.state, action.attempt, action.doubt) == (ActionState.COMPLETED, 2, False)
    assert len(await shared.sent(DANA)) == before + 1
    assert "action.try_again" in await request.codes()


@SHARED
async def test_a_stop_in_doubt_is_said(shared: World) -> None:
    """A run that is stopped while its owner is asked says that the mail may have left."""
    request, _ = await doubtful(shared, JONAS, arrived=True)
    await shared.command(JONAS, "stop")
    assert (await request.ended()).state is RunState.CANCELLED
    assert "not known whether this happened" in await request.answer("Stopped")


# A crash in the middle -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/drafts/send", "/drafts"])
async def test_a_crash_in_the_middle_of_an_effect_is_settled(idle_world: World, path: str) -> None:
    """A bot that is killed while Google has its request asks Google at its next start, and sends nothing twice."""
    world = idle_world
    await world.start_bot(timings=HURRIED)
    request = await approved(world, MARA, MAIL, "hold", path=path, method="POST", seconds=0.6)
    await world.until(world.google.no_fault, "the request on its way")
    await world.stop_bot()
    await world.start_bot(timings=HURRIED)
    await done_once(request)
    assert len(await world.sent(MARA)) == 1
    assert await world.drafts(MARA) == []


async def _acts_late(here: World, request: Request, person: Person) -> None:
    """Google carries out a request to send that was made before."""
    (action,) = await request.actions()
    head = {"Authorization": f"Bearer ya29.playground-{person.handle}"}
    body = {"id": (action.noted or {})["draft_id"]}
    url = f"{here.google.url}/gmail/v1/users/me/drafts/send"
    async with here.google.http.post(url, json=body, headers=head) as answer:
        assert answer.ok


async def _events(here: World, person: Person, title: str) -> int:
    events = (await here.google.state())["people"][person.handle]["events"]
    return sum(event.get("summary") == title for event in events)
