"""Events called Oak, alone and in a series, and how they stand in the calendars."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from playground.people import MARA, Person
from tests.integration.google_world import World, data


def oak(day: date | str, **more: object) -> dict[str, object]:
    """What an event from two to three is created with."""
    return {"title": "Oak", "start": f"{day}T14:00", "end": f"{day}T15:00"} | more


async def created(world: World, day: date | str, *, key: str = "made", **more: object) -> str:
    """The id of such an event, which is there now."""
    return str(data(await world.execute("calendar_event_create", oak(day, **more), key=key))["event_id"])


async def entries(world: World, handle: str = "mara", title: str = "Oak") -> list[dict[str, Any]]:
    """The events with this title in somebody's calendar, as Google has them."""
    found = (await world.state())["people"][handle]["events"]
    return [event for event in found if event.get("summary") == title]


async def weekly(
    world: World, sunday: date, *, recurrence: str = "RRULE:FREQ=WEEKLY;COUNT=6", **more: Any
) -> list[dict[str, Any]]:
    """Make a series of Mara's on six Sundays; its occurrences."""
    await created(world, sunday, recurrence=recurrence, **more)
    return await rows(world, sunday)


async def rows(world: World, sunday: date, *, who: Person = MARA) -> list[dict[str, Any]]:
    arguments = {"query": "Oak", "start": str(sunday), "end": str(sunday + timedelta(days=70)), "limit": 50}
    return data(await world.execute("calendar_search", arguments, who=who))["events"]


async def times(world: World, sunday: date) -> list[str]:
    return [row["start"][5:16] for row in await rows(world, sunday)]


def weeks(sunday: date, *numbers: int, at: str = "14:00") -> list[str]:
    return [f"{sunday + timedelta(weeks=number)}T{at}"[5:] for number in numbers]
