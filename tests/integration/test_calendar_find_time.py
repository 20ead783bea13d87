"""Times that suit several people."""

from __future__ import annotations

import pytest

from integrations.errors import ModelRetry
from playground.people import DANA, MARA
from tests.integration.google_world import World, data

OUTSIDER = "bruno@kellerholz.example"

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_time_is_found_for_several_people(world: World) -> None:
    """Everybody is free, people whose calendars cannot be seen are named, and working hours are kept."""
    arguments = {"people": [DANA.email, OUTSIDER], "minutes": 60, "limit": 3}
    result = await world.execute("calendar_find_time", arguments)
    slots = data(result)["slots"]
    assert len(slots) == 3
    assert all(slot["free"] == [MARA.email, DANA.email] and slot["unknown"] == [OUTSIDER] for slot in slots)
    assert data(result)["cannot_see"] == [OUTSIDER]
    assert all("09:00" <= slot["start"][11:16] <= "16:00" for slot in slots)
    created = {"title": "x", "start": slots[0]["start"], "end": slots[0]["end"], "attendees": [DANA.email]}
    assert not [
        w for w in (await world.preview("calendar_event_create", created)).warnings if "usy" in w or "You al" in w
    ]


async def test_bad_windows_and_too_many_people_are_asked_back(world: World) -> None:
    """Wrong windows, hours and addresses are refused without asking Google."""
    wrong: list[dict[str, object]] = [
        {"start": "2020-01-01", "end": "2020-01-02"},
        {"start": "2026-12-01T10:00", "end": "2026-12-01T10:10"},
        {"start": "2026-12-01", "end": "2027-12-01"},
        {"earliest": "17:00", "latest": "09:00"},
        {"people": [f"a{n}@x.example" for n in range(50)]},
        {"people": ["dana"]},
        {"zone": "Mars/Olympus"},
    ]
    for arguments in wrong:
        with pytest.raises(ModelRetry):
            await world.execute("calendar_find_time", arguments)
    assert world.requests("/freeBusy") == 0
