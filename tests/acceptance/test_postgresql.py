"""The main job with the bot's rows in a real PostgreSQL."""

from __future__ import annotations

from pydantic import SecretStr

from bot.secrets import new_key
from playground.people import DANA
from tests.acceptance.world import APPROVE, World


async def test_an_approved_mail_is_sent_once_on_postgresql(postgres_url: str, idle_world: World) -> None:
    """Ask, card, click, effect, answer and a log that verifies: as on SQLite."""
    await idle_world.start_bot(database_url=postgres_url, encryption_keys=SecretStr(new_key()))
    await idle_world.connect(DANA)
    await idle_world.say(DANA, "Please email helen.marsh@marshgardens.example that Thursday works.")
    (card,) = await idle_world.card_in(idle_world.dm_of(DANA))
    await idle_world.click(DANA, card, APPROVE)
    await idle_world.until(lambda: idle_world.sent(DANA), "the mail")
    await idle_world.answer_in(idle_world.dm_of(DANA), "sent")
    await idle_world.audited("run.completed")
    assert len(await idle_world.sent(DANA)) == 1
