"""What was planned, and how its time comes in a test: the row is due, as if the clock had gone on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.domain.schedules import Schedule
from playground.people import TEAM_ID, Person
from tests.acceptance.world import Json, World, text_of

_PAST = '{"at": "2020-01-01T08:00"}'


async def due_now(here: World, person: Person) -> None:
    """Whatever this person planned is due; a single time is its last."""
    past = f"{here.base.clock.now() - timedelta(seconds=1):%Y-%m-%d %H:%M:%S.%f}"
    once = f"""CASE WHEN spec LIKE '%"at"%' THEN '{_PAST}' ELSE spec END"""
    await here.tamper(
        f"UPDATE schedules SET next_fire = '{past}', spec = {once} WHERE state = 'active' AND user = ?", person
    )


async def planned(here: World, person: Person) -> Sequence[Schedule]:
    """What has not ended."""
    return await here.read(lambda work: work.schedules.of(TEAM_ID, person.user_id))


async def said(here: World, person: Person, words: str) -> list[Json]:
    """Our messages in the person's direct messages with these words."""
    return [m for m in await here.bot_messages(here.dm_of(person)) if words in text_of(m)]


async def codes(here: World, code: str) -> int:
    """How often this stands in the log."""
    return (await here.audit_codes()).count(code)
