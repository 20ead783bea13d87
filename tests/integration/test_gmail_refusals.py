"""What Google may answer instead, and what is said of it."""

from __future__ import annotations

import pytest

from integrations.errors import NotConnected, ToolError, ToolFailed
from integrations.google.scopes import MAIL_READ
from playground.people import DANA, MARA
from tests.integration.google_world import World, data
from tests.integration.mails import MAIL

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("status", "reason", "code"),
    [
        (401, "authError", "needs_reconnect"),
        (403, "insufficientPermissions", "missing_scope"),
        (403, "rateLimitExceeded", "rate_limited"),
        (404, "notFound", "page_of_results_not_found"),
        (429, "rateLimitExceeded", "rate_limited"),
        (500, "backendError", "google_unavailable"),
    ],
)
async def test_googles_refusals_are_said_clearly(world: World, status: int, reason: str, code: str) -> None:
    """Each refusal of a search becomes an error with a code of its own."""
    world.fault("error", "threads.list", status=status, error=reason, reason=reason, times=-1)
    with pytest.raises(ToolError) as caught:
        await world.execute("gmail_search", {"query": "oak"})
    assert caught.value.code == code


async def test_a_revoked_grant_is_said_and_marked(world: World) -> None:
    """401: the person is told that nothing works and how to connect; the connection is marked."""
    await world.admin("grants", {"person": "mara", "do": "revoke"})
    with pytest.raises(NotConnected, match="No working Google account is connected"):
        await world.execute("gmail_send", MAIL)
    assert world.grants.told == [MARA.google_sub]


async def test_a_missing_scope_is_said(world: World) -> None:
    """With read access only, sending ends in NotConnected and nothing is left behind."""
    await world.admin("grants", {"person": "mara", "scopes": [MAIL_READ]})
    with pytest.raises(NotConnected) as caught:
        await world.execute("gmail_send", MAIL)
    assert caught.value.code == "missing_scope"


async def test_a_disabled_api_names_the_cure(world: World) -> None:
    """The administrator gets the page that enables the API."""
    await world.admin("apis", {"disabled": ["gmail"]})
    with pytest.raises(ToolFailed, match=r"gmail\.googleapis\.com"):
        await world.execute("gmail_search", {"query": "oak"})


async def test_an_expired_token_in_a_batch_is_said(world: World) -> None:
    """A token that runs out between list and batch is NotConnected, not an empty answer."""
    world.fault("expired_token", "threads.get", times=-1)
    with pytest.raises(NotConnected):
        await world.execute("gmail_search", {"query": "in:inbox"})


async def test_some_rows_may_fail(world: World) -> None:
    """One thread that cannot be read does not hide the others, and it is said."""
    world.fault("error", "threads.get", status=404, error="notFound", times=1)
    result = data(await world.execute("gmail_search", {"query": "in:inbox", "limit": 5}))
    assert len(result["threads"]) == 4
    assert "1 thread could not be read" in result["not_shown"]


async def test_rows_that_were_asked_to_wait_come_later(world: World) -> None:
    """429 for some items of a batch: they are asked for again and all rows come."""
    world.fault("error", "threads.get", status=429, error="rateLimitExceeded", times=3)
    assert len(data(await world.execute("gmail_search", {"query": "in:inbox", "limit": 5}))["threads"]) == 5


async def test_a_person_without_an_account_is_told_how(world: World) -> None:
    """No grant at all ends in the installation's own words."""
    stranger = type(DANA)(user_id="U0NOBODY", handle="no", name="No Body", title="", zone="UTC")
    with pytest.raises(NotConnected, match="Ask Mara"):
        await world.execute("gmail_search", {"query": "oak"}, who=stranger)
