"""Which of a person's calendars are searched, and what is said about the others."""

from __future__ import annotations

from integrations.calendar.calendars import to_look_at
from integrations.calendar.wire import CalendarEntry


def entry(name: str, role: str = "reader", **more: object) -> CalendarEntry:
    return CalendarEntry.model_validate({"id": name, "summary": name, "selected": True, "accessRole": role} | more)


OWN = entry("mara@x.example", "owner", primary=True)
LISTED = [OWN, entry("Team", "writer"), entry("Holidays"), entry("Old", "owner", selected=False)]


def test_what_a_search_leaves_out_is_named() -> None:
    """Hidden calendars, and those that share only busy times, are named."""
    others, unseen = to_look_at([*LISTED, entry("Boss", "freeBusyReader")], written=False)
    assert [each.name for each in others] == ["Team", "Holidays"]
    assert unseen == [
        "calendars hidden in Google Calendar: Old",
        "calendars of which only busy times are shared: Boss",
    ]


def test_more_calendars_than_are_looked_at_are_named() -> None:
    """Twenty calendars are searched with the person's own; the first others are named, the rest counted."""
    many = [OWN, *(entry(f"c{number}", "writer") for number in range(40))]
    for written in (True, False):
        others, unseen = to_look_at(many, written=written)
        assert len(others) == 19
        assert unseen == [f"calendars beyond the first 20: {', '.join(f'c{n}' for n in range(19, 29))}, 11 more"]


def test_only_what_a_person_may_write_is_his_time() -> None:
    """Conflicts and briefing look at writable calendars alone, and do not mention the others."""
    others, unseen = to_look_at([*LISTED, entry("Boss", "freeBusyReader")], written=True)
    assert ([each.name for each in others], list(unseen)) == (["Team"], [])
