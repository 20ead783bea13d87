"""The window with a connect link, once that is over."""

from __future__ import annotations

import json

import pytest
from structlog.testing import capture_logs

from bot.domain.connections import Connection
from bot.domain.deliveries import DeliveryKind, LinkEnd, LinkOutcome
from bot.runtime.core.ports import DeliveryFailed
from bot.slack.views import ids
from tests.unit.bot.slack.cases import MARA, TEAM
from tests.unit.bot.slack.connected import World


async def opened(world: World) -> str:
    """Mara has the window with her link in front of her; the attempt that it begins."""
    await world.click(ids.CONNECT, "google")
    await world.slack.until(lambda: "/oauth/google/start" in shown(world))
    [attempt] = world.base.rows("SELECT id FROM connects")
    return attempt["id"]


def shown(world: World) -> str:
    return json.dumps(world.slack.state["views"].get(MARA, []), ensure_ascii=False)


async def over(world: World, attempt: str, *, connected: bool) -> None:
    """The delivery that says what came of it."""
    await ended(world, attempt, LinkOutcome.CONNECTED if connected else LinkOutcome.REFUSED)


async def ended(world: World, attempt: str, outcome: LinkOutcome) -> None:
    subject = str(LinkEnd(attempt, outcome))
    await world.publisher.deliver(world.rows.delivery(DeliveryKind.LINK, subject))


async def test_it_says_which_account_was_connected(world: World) -> None:
    """Its link is gone; said twice it is the same, and an account that was disconnected since is not named."""
    attempt = await opened(world)
    kept = Connection(
        team=TEAM, user=MARA, provider="google", account="s", email="mara@x.example", scopes=frozenset(), secret=""
    )
    async with world.base.store.write() as work:
        await work.connections.save(kept, at=world.base.clock.now())
    for _ in range(2):
        await over(world, attempt, connected=True)
        await world.slack.until(lambda: "✓ Connected as mara@x.example." in shown(world))
    assert "/oauth/google/start" not in shown(world)
    await world.base.tamper("DELETE FROM connections")
    await over(world, attempt, connected=True)
    await world.slack.until(lambda: "✓ Connected." in shown(world))


async def test_it_says_that_nothing_was_connected(world: World) -> None:
    """Also where the same person has an account by another attempt."""
    await over(world, await opened(world), connected=False)
    await world.slack.until(lambda: "Nothing was connected by this link" in shown(world))
    assert "/oauth/google/start" not in shown(world)


async def test_it_says_that_its_owner_disconnected(world: World) -> None:
    """Elsewhere, while it has its link, and once it said that an account was connected."""
    attempt = await opened(world)
    for before in ("/oauth/google/start", "✓ Connected."):
        assert before in shown(world)
        await ended(world, attempt, LinkOutcome.DISCONNECTED)
        await world.slack.until(lambda: "You disconnected Google" in shown(world))
        assert before not in shown(world)
        await over(world, attempt, connected=True)
        await world.slack.until(lambda: "✓ Connected." in shown(world))


async def test_a_window_that_was_closed_is_no_error(world: World) -> None:
    """Nor one that a command's link never had."""
    attempt = await opened(world)
    [view] = world.slack.state["views"][MARA]
    await world.slack.act("close", user=MARA, view_id=view["id"])
    with capture_logs() as logged:
        await over(world, attempt, connected=True)
        await over(world, "con_never", connected=False)
    assert (json.loads(shown(world)), [one["event"] for one in logged]) == ([], [])


@pytest.mark.parametrize(("error", "waits"), [("internal_error", True), ("view_too_large", False)])
async def test_what_slack_refuses(world: World, error: str, waits: bool) -> None:
    """What may heal is tried again; everything else is given up, as the message says it too."""
    attempt = await opened(world)
    await world.slack.fault(match={"path": "/api/views.update"}, kind="ok_false", error=error, times=-1)
    if not waits:
        await over(world, attempt, connected=True)
        return
    with pytest.raises(DeliveryFailed) as failed:
        await over(world, attempt, connected=True)
    assert failed.value.retry_after is not None
