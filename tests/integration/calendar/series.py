"""A series in Mara's calendar, and its occurrences as she sees them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from playground.people import MARA, Person
from tests.integration.google_world import World, data


async def weekly(world: World, sunday: date, **more: object) -> list[dict[str, Any]]:
    """Make a series of Mara's on six Sundays; its occurrences."""
    arguments: dict[str, object] = {
        "title": "Oak",
        "start": f"{sunday}T14:00",
        "end": f"{sunday}T15:00",
        "recurrence": "RRULE:FREQ=WEEKLY;COUNT=6",
        **more,
    }
    await world.execute("calendar_event_create", arguments, key="made")
    return await rows(world, sunday)


async def rows(world: World, sunday: date, *, who: Person = MARA) -> list[dict[str, Any]]:
    arguments = {"query": "Oak", "start": str(sunday), "end": str(sunday + timedelta(days=70)), "limit": 50}
    return data(await world.execute("calendar_search", arguments, who=who))["events"]


async def times(world: World, sunday: date) -> list[str]:
    return [row["start"][5:16] for row in await rows(world, sunday)]


def weeks(sunday: date, *numbers: int, at: str = "14:00") -> list[str]:
    return [f"{sunday + timedelta(weeks=number)}T{at}"[5:] for number in numbers]
