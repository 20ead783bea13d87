"""App Home, over Socket Mode."""

from __future__ import annotations

from bot.domain.events import HomeChanged, RunMoved
from bot.domain.runs import RunState
from tests.unit.bot.slack.cases import DANA, MARA, SALES, TEAM
from tests.unit.bot.slack.connected import World


async def test_home(world: World) -> None:
    """The tab is there when it is opened, and is published again when something on it changed."""
    await world.rows.asked(SALES, "1700000000.000100")
    await world.slack.act("open_home", user=MARA, tab="messages")
    await world.slack.act("open_home", user=MARA, tab="home")
    await world.slack.until(lambda: world.slack.state["homes"].get(MARA))
    for event in (HomeChanged(TEAM, MARA), RunMoved("run_1", RunState.PLANNING)):
        before = len(world.slack.calls("views.publish"))
        world.core.bus.publish(HomeChanged(TEAM, DANA))  # who did not open it
        world.core.bus.publish(event)
        await world.slack.until(lambda before=before: len(world.slack.calls("views.publish")) > before)
    assert [call["user_id"] for call in world.slack.calls("views.publish")] == [MARA] * 3
