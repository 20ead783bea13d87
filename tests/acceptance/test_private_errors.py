"""An error that was made from what only the owner may see reaches the owner's DM, and no channel."""

from __future__ import annotations

import json

import pytest

from playground.people import BOT_USER_ID, DANA, PRIYA, Person
from policies.types import Label
from tests.acceptance.request import Request, ask
from tests.acceptance.slack_side import FINANCE, SALES, call, payloads_to, payloads_to_channels, reply_in
from tests.acceptance.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")
TELLING = "[[model: whole]] "


async def asked_in_sales(here: World, person: Person, text: str) -> Request:
    request = await ask(here, person, f"<@{BOT_USER_ID}> {TELLING}{text}", channel=SALES)
    await request.told_all()
    return request


async def leaked(here: World, words: str) -> list[str]:
    return [payload for payload in await payloads_to_channels(here) if words in payload]


async def test_whose_event_it_is_stays_private(shared: World) -> None:
    """A preview that fails names the organizer of a private event: told in the DM, and the channel gets the stub."""
    events = (await shared.google.state())["people"][DANA.handle]["events"]
    theirs = next(one for one in events if one["organizer"]["email"] not in {"", DANA.email})
    change = call("calendar_event_update", event_id=theirs["id"], location="Elsewhere")
    request = await asked_in_sales(shared, DANA, change)
    await reply_in(shared, SALES, request.root, "privately")
    (action,) = await request.actions()
    run = await request.run()
    assert run is not None
    assert (action.private, run.private, run.label) == (True, True, Label.EXTERNAL)
    assert f"Only the organizer ({theirs['organizer']['email']})" in action.summary
    assert "Only the organizer" in await payloads_to(shared, shared.dm_of(DANA))
    assert await leaked(shared, "Only the organizer") == []


async def test_the_name_of_a_private_channel_stays_private(shared: World) -> None:
    """Executing a read fails and names a private channel whose id was given: told in the DM."""
    request = await asked_in_sales(shared, PRIYA, call("slack_read", channel=FINANCE, thread_ts="1700000000.000100"))
    await reply_in(shared, SALES, request.root, "privately")
    (action,) = await request.actions()
    assert (action.state, action.private) == ("failed", True)
    assert "no such thread in #" in action.summary
    assert "no such thread in #" in await payloads_to(shared, shared.dm_of(PRIYA))
    assert await leaked(shared, "no such thread") == []


async def test_what_the_arguments_say_themselves_stays_in_the_thread(shared: World) -> None:
    """A recipient that is no address is the requester's own word: the answer comes where it was asked."""
    mail = call("gmail_send", to=["helen"], subject="Hi", body="Hello")
    request = await asked_in_sales(shared, DANA, mail)
    answer = await reply_in(shared, SALES, request.root, "cannot be a recipient")
    run = await request.run()
    assert run is not None
    assert (run.private, run.label is Label.EXTERNAL) == (False, False)
    assert "helen" in json.dumps(answer)
