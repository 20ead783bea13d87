"""Bad input from Google: no account, refused credentials, missing rights, refusals, faults, and a world that moved."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from playground.people import COLLEAGUES, DANA, JONAS, LUIS, MARA, PRIYA, THEO
from tests.acceptance.request import Request, ask, error_of
from tests.acceptance.world import APPROVE, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEARCH = '[[call: gmail_search {"query": "in:inbox", "limit": 3}]]'
MAIL = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Hi", "body": "Hello"}]]'
NO_ACCOUNT = "No working Google account is connected"


@pytest_asyncio.fixture(loop_scope="module")
async def unplugged(shared: World) -> AsyncGenerator[World]:
    """A world in which connections may be broken: afterwards everybody is connected again."""
    yield shared
    await shared.google.post("/__admin/apis", {"disabled": []})
    for person in COLLEAGUES:
        await shared.connect(person)


async def failed_with(request: Request, code: str) -> None:
    """The run ended in words, and its one action failed with this code: no success is claimed anywhere."""
    await request.ended(RunState.COMPLETED)
    action = await request.action(ActionState.FAILED)
    assert error_of(action)["code"] == code
    assert "action.completed" not in await request.codes()


# The account ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [SEARCH, MAIL, '[[call: calendar_search {"query": "planning"}]]'])
async def test_without_an_account_the_person_is_told(unplugged: World, call: str) -> None:
    """Without a connection nothing is asked of Google or of the person; he is told whom to ask."""
    await unplugged.disconnect(LUIS)
    request = await ask(unplugged, LUIS, call)
    answer = await request.answer(NO_ACCOUNT)
    assert "connecting accounts is not set up here" in answer
    assert APPROVE not in answer
    await failed_with(request, "not_connected")
    assert await request.to_google() == []


@pytest.mark.parametrize("call", [SEARCH, MAIL])
async def test_withdrawn_credentials_are_told(unplugged: World, call: str) -> None:
    """A grant that Google does not know any more: the action failed, and the connection is shown as not working."""
    await unplugged.google.post("/__admin/grants", {"person": "luis", "do": "revoke"})
    request = await ask(unplugged, LUIS, call)
    await request.answer(NO_ACCOUNT)
    await failed_with(request, "needs_reconnect")
    status = await unplugged.command(LUIS, "status")
    assert "luis@fernhill.example" in status
    assert "does not work any more" in status


async def test_credentials_refused_after_approval_are_told(unplugged: World) -> None:
    """A grant withdrawn between card and click: nothing is sent, and card and answer say that it was not done."""
    request = await ask(unplugged, LUIS, MAIL)
    card = await request.card(APPROVE)
    await unplugged.google.post("/__admin/grants", {"person": "luis", "do": "revoke"})
    await unplugged.click(LUIS, card, APPROVE)
    await request.answer(NO_ACCOUNT)
    await failed_with(request, "needs_reconnect")
    assert await unplugged.sent(LUIS) == []
    await request.says("✗ Not done.")


async def test_a_token_that_stays_refused_is_given_up(unplugged: World) -> None:
    """A 401 that a new token does not heal marks the connection, after exactly one renewal."""
    await unplugged.google.fault("expired_token", path="gmail.users.threads.list", times=-1)
    request = await ask(unplugged, LUIS, SEARCH)
    await request.answer(NO_ACCOUNT)
    await failed_with(request, "needs_reconnect")
    assert len(await request.to_google("/token")) == 1


@pytest.mark.parametrize("call", [SEARCH, '[[call: calendar_search {"query": "planning"}]]'])
async def test_an_expired_token_is_renewed(unplugged: World, call: str) -> None:
    """An access token that ran out is renewed once and kept; the person notices nothing."""
    await unplugged.google.post("/__admin/grants", {"person": "jonas", "do": "expire"})
    request = await ask(unplugged, JONAS, call)
    assert (await request.ended()).state is RunState.COMPLETED
    await request.action(ActionState.COMPLETED)
    again = await ask(unplugged, JONAS, call)
    await again.ended()
    assert len(await request.to_google("/token")) == 1


async def test_a_token_that_runs_out_before_a_write_is_renewed(unplugged: World) -> None:
    """A token that ran out between card and click is renewed, and the mail leaves once."""
    request = await ask(unplugged, JONAS, MAIL)
    card = await request.card(APPROVE)
    await unplugged.google.post("/__admin/grants", {"person": "jonas", "do": "expire"})
    await unplugged.google.fault("expired_token", path="gmail.users.drafts.send")
    await unplugged.click(JONAS, card, APPROVE)
    assert (await request.ended()).state is RunState.COMPLETED
    assert len(await unplugged.sent(JONAS)) == 1


async def test_a_missing_scope_is_told(unplugged: World) -> None:
    """Google's 403 for a missing scope is told as an account that does not allow this; nothing is sent."""
    request = await ask(unplugged, PRIYA, MAIL)
    card = await request.card(APPROVE)
    scopes = ["https://www.googleapis.com/auth/gmail.readonly"]
    await unplugged.google.post("/__admin/grants", {"person": "priya", "scopes": scopes})
    await unplugged.click(PRIYA, card, APPROVE)
    await request.answer("does not allow this")
    await failed_with(request, "missing_scope")
    assert await unplugged.sent(PRIYA) == []


async def test_a_scope_that_was_never_granted_is_told(unplugged: World) -> None:
    """A connection without the tool's scopes is none for this tool: Google is not even asked."""
    await unplugged.connect(PRIYA, scopes=["https://www.googleapis.com/auth/gmail.readonly"])
    request = await ask(unplugged, PRIYA, MAIL)
    await request.answer("is connected, but does not allow this")
    await failed_with(request, "missing_scope")
    assert await request.to_google() == []


async def test_a_disabled_api_is_told(unplugged: World) -> None:
    """An API that is switched off in the Google project: an administrator is told where to switch it on."""
    await unplugged.google.post("/__admin/apis", {"disabled": ["gmail"]})
    request = await ask(unplugged, DANA, SEARCH)
    await request.answer("not enabled")
    await failed_with(request, "api_disabled")


async def test_an_account_that_no_key_opens_is_none(unplugged: World) -> None:
    """A secret that does not open with the keys that we have is as good as no account: the person is told."""
    await unplugged.tamper("UPDATE connections SET secret = 'v1:00000000:AAAA:AAAA' WHERE user = ?", LUIS)
    request = await ask(unplugged, LUIS, SEARCH)
    await request.answer(NO_ACCOUNT)
    await failed_with(request, "needs_reconnect")
    assert await request.to_google() == []


async def test_a_guest_is_not_served(shared: World) -> None:
    """A guest's request starts nothing: he is told, and neither the model nor Google is asked."""
    request = await ask(shared, THEO, SEARCH)
    assert (await request.ended()).state is RunState.FAILED
    await request.answer("guest")
    assert await request.to_model() == []
    assert await request.to_google() == []


# Refusals of reads ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "reason", "code"),
    [
        (403, "forbidden", "forbidden"),
        (403, "domainPolicy", "blocked_by_admin"),
        (429, "rateLimitExceeded", "rate_limited"),
        (500, "backendError", "google_unavailable"),
        (503, "backendError", "google_unavailable"),
    ],
)
async def test_a_refused_read_is_told(shared: World, status: int, reason: str, code: str) -> None:
    """What Google refuses for good fails in words that both the model and the person understand."""
    await shared.google.fault("error", path="gmail.users.threads.list", times=-1, status=status, error=reason)
    request = await ask(shared, DANA, SEARCH)
    await request.answer("I could not")
    await failed_with(request, code)


async def test_what_is_not_there_is_told(shared: World) -> None:
    """404: the model is told that there is no such thread, and where ids come from."""
    request = await ask(shared, DANA, '[[call: gmail_thread_read {"thread_id": "19000000000fffff"}]]')
    await failed_with(request, "thread_not_found")
    (action,) = await request.actions()
    assert "gmail_search" in error_of(action)["try"]


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("error", {"status": 429, "error": "rateLimitExceeded"}),
        ("error", {"status": 500, "error": "backendError"}),
        ("drop_after", {}),
        ("cut", {}),
        ("status", {"status": 429, "headers": {"retry-after": "2"}}),
    ],
)
async def test_a_read_is_tried_again(shared: World, kind: str, more: dict[str, Any]) -> None:
    """What passes by itself is waited for: the read succeeds, and the person notices nothing."""
    path = "gmail.users.threads.list" if kind == "error" else "/users/me/threads?"
    await shared.google.fault(kind, path=path, times=2, **more)
    request = await ask(shared, DANA, SEARCH)
    assert (await request.ended()).state is RunState.COMPLETED
    await request.action(ActionState.COMPLETED)
    assert len(await request.to_google("/users/me/threads?")) == 3


# Refusals of writes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "reason", "code"),
    [
        (400, "invalidArgument", "invalid_argument"),
        (403, "forbidden", "forbidden"),
        (404, "notFound", "draft_gone"),
    ],
)
async def test_a_refused_write_is_not_done(shared: World, status: int, reason: str, code: str) -> None:
    """An approved mail that Google refuses was certainly not sent; it is tried once, and that is said."""
    await shared.google.fault("error", path="gmail.users.drafts.send", times=-1, status=status, error=reason)
    before = len(await shared.sent(MARA))
    request = await ask(shared, MARA, MAIL)
    await shared.click(MARA, await request.card(APPROVE), APPROVE)
    await request.answer("I could not")
    await failed_with(request, code)
    assert len(await shared.sent(MARA)) == before
    assert len(await request.to_google("/drafts/send")) == 1


async def test_a_preview_that_cannot_be_made_asks_nobody(shared: World) -> None:
    """What could not be looked up is not asked about and not done."""
    await shared.google.fault("error", path="calendar.events.get", times=-1, status=500, error="backendError")
    event = await shared.event(MARA, "Monday planning")
    call = f'[[call: calendar_event_update {{"event_id": "{event["id"]}", "title": "Planning"}}]]'
    request = await ask(shared, MARA, call)
    await failed_with(request, "google_unavailable")
    assert not any(APPROVE in button_ids(message) for message in await request.said())


# A world that moved --------------------------------------------------------------------------------------------------


async def test_security_input_25_a_changed_event_is_asked_about_again(shared: World) -> None:
    """An event that somebody changed after the card was shown is not touched: a new card shows it as it is now."""
    event = await shared.event(DANA, "Visit: Rivertown Hotel")
    call = f'[[call: calendar_event_update {{"event_id": "{event["id"]}", "location": "The lobby"}}]]'
    request = await ask(shared, DANA, call)
    first = await request.card(APPROVE)
    await shared.change_event(DANA, event, {"summary": "Visit: Rivertown Hotel, both"})
    await shared.click(DANA, first, APPROVE)
    second = await request.card(APPROVE, besides=first)
    assert "both" in text_of(second)
    now = await shared.event(DANA, "Visit: Rivertown Hotel, both")
    assert now.get("location") == event.get("location")

    await shared.click(DANA, second, APPROVE)
    assert (await request.ended()).state is RunState.COMPLETED
    changed = await shared.event(DANA, "Visit: Rivertown Hotel, both")
    assert changed["location"] == "The lobby"
    codes = [code for code in await request.codes() if code in {"action.basis_changed", "action.completed"}]
    assert codes == ["action.basis_changed", "action.completed"]


async def test_an_event_that_changes_at_the_last_moment_is_asked_about_again(shared: World) -> None:
    """An event that changes between the bot's own look and its PATCH (412) is not touched, and asked about again."""
    event = await shared.event(DANA, "Quote for the café benches")
    call = f'[[call: calendar_event_update {{"event_id": "{event["id"]}", "location": "Upstairs"}}]]'
    request = await ask(shared, DANA, call)
    first = await request.card(APPROVE)
    await shared.google.fault("delay", path=event["id"], method="PATCH", seconds=0.4)
    await shared.click(DANA, first, APPROVE)
    await shared.until(shared.google.no_fault, "the request on its way")
    await shared.change_event(DANA, event, {"description": "Bring the samples."})
    second = await request.card(APPROVE, besides=first)
    assert "location" not in await shared.event(DANA, "Quote for the café benches")
    await shared.click(DANA, second, APPROVE)
    assert (await request.ended()).state is RunState.COMPLETED
    now = await shared.event(DANA, "Quote for the café benches")
    assert (now["location"], now["description"]) == ("Upstairs", "Bring the samples.")


async def test_a_412_without_a_change_needs_no_second_card(shared: World) -> None:
    """When nothing changed after all, the approval still stands for exactly this, and it is done."""
    event = await shared.event(DANA, "Dentist")
    call = f'[[call: calendar_event_update {{"event_id": "{event["id"]}", "location": "High Street"}}]]'
    request = await ask(shared, DANA, call)
    await shared.google.fault("error", path="calendar.events.patch", status=412, error="conditionNotMet")
    await shared.click(DANA, await request.card(APPROVE), APPROVE)
    assert (await request.ended()).state is RunState.COMPLETED
    assert (await shared.event(DANA, "Dentist"))["location"] == "High Street"


async def test_a_412_that_never_ends_is_given_up(shared: World) -> None:
    """What is refused as changed again and again is tried three times, and then certainly not done."""
    event = await shared.event(MARA, "Loungers, price or larch")
    call = f'[[call: calendar_event_update {{"event_id": "{event["id"]}", "location": "Attic"}}]]'
    request = await ask(shared, MARA, call)
    await shared.google.fault("error", path="calendar.events.patch", times=-1, status=412, error="conditionNotMet")
    await shared.click(MARA, await request.card(APPROVE), APPROVE)
    await failed_with(request, "changed")
    assert len(await request.to_google(event["id"])) >= 3
