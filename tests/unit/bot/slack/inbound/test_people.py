"""What Slack tells of people, over Socket Mode."""

from __future__ import annotations

from bot.domain.connections import Connection
from bot.domain.runs import RunState
from tests.builders import NOW
from tests.unit.bot.slack.cases import MARA, SALES, TEAM
from tests.unit.bot.slack.connected import World


async def connected(world: World) -> None:
    """Mara has an account connected."""
    account = Connection(
        team=TEAM,
        user=MARA,
        provider="google",
        account="a1",
        email="mara@fernhill.example",
        secret="s",
        scopes=frozenset(),
    )
    async with world.base.store.write() as work:
        await work.connections.save(account, at=NOW)


async def test_a_person_who_left_is_known_at_once(world: World) -> None:
    """Their requests stop and their account goes, though a profile is kept for five minutes."""
    await connected(world)
    await world.rows.asked(SALES, "1700000000.000100", state=RunState.QUEUED)
    await world.base.tamper("UPDATE steps SET open = 0, closed_at = started_at")
    await world.slack.act("user", user=MARA, deleted=True)
    await world.slack.until(lambda: world.base.rows("SELECT state FROM runs") == [{"state": "cancelled"}])
    assert world.base.rows("SELECT * FROM connections") == []


async def test_the_bot_was_removed(world: World) -> None:
    """Every account of the workspace goes with the app."""
    await connected(world)
    await world.slack.act("uninstall")
    await world.slack.until(lambda: world.slack.acknowledged() >= 2)
    assert world.base.rows("SELECT * FROM connections") == []
    assert "connection.disconnected" in world.codes()


async def test_a_persons_token_is_not_the_bots(world: World) -> None:
    """A token of a person that is revoked takes nothing away."""
    await connected(world)
    event = {"type": "tokens_revoked", "tokens": {"oauth": [MARA]}, "event_ts": "1.0"}
    world.slack.emulator.workspace.tell(event)
    await world.slack.until(lambda: world.slack.acknowledged() >= 1)
    assert len(world.base.rows("SELECT * FROM connections")) == 1
