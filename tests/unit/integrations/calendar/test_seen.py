"""Which of a person's calendars are looked at, and what is said of the others."""

from __future__ import annotations

from integrations.calendar.seen import to_look_at
from integrations.calendar.wire import CalendarEntry


def entry(name: str, role: str = "reader", **more: object) -> CalendarEntry:
    return CalendarEntry.model_validate({"id": name, "summary": name, "selected": True, "accessRole": role} | more)


OWN = entry("mara@x.example", "owner", primary=True)
LISTED = [OWN, entry("Team", "writer"), entry("Holidays"), entry("Old", "owner", selected=False)]


def test_what_a_search_leaves_out_is_named() -> None:
    """Hidden calendars, and those that show only when somebody is busy."""
    others, unseen = to_look_at([*LISTED, entry("Boss", "freeBusyReader")], written=False)
    assert [each.name for each in others] == ["Team", "Holidays"]
    assert unseen == [
        "calendars hidden in Google Calendar: Old",
        "calendars of which only busy times are shared: Boss",
    ]


def test_more_calendars_than_are_looked_at_are_named() -> None:
    """Twenty with his own; of many more the first ones by name, the rest by number."""
    many = [OWN, *(entry(f"c{number}", "writer") for number in range(40))]
    for written in (True, False):
        others, unseen = to_look_at(many, written=written)
        assert len(others) == 19
        assert unseen == [f"calendars beyond the first 20: {', '.join(f'c{n}' for n in range(19, 29))}, 11 more"]


def test_only_what_a_person_may_write_is_his_time() -> None:
    """Conflicts and briefing are about those alone, and say nothing of calendars that do not count for them."""
    others, unseen = to_look_at([*LISTED, entry("Boss", "freeBusyReader")], written=True)
    assert ([each.name for each in others], list(unseen)) == (["Team"], [])
