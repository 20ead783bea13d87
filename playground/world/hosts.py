"""Calendars that belong to no colleague: shared ones, public ones, and those of people outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from playground.people import COLLEAGUES, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """An owner of events that is no person: its id as `email`, and what each colleague may do with it."""

    email: str
    name: str
    zone: str
    description: str = ""
    roles: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    """Handles to `owner`, `writer`, `reader` or `freeBusyReader`."""


Party = Person | Host
"""Whose calendar it is."""

TEAM = Host(
    email="c_fernhillteam@group.calendar.google.com",
    name="Fernhill team",
    zone="Europe/London",
    description="What concerns everybody: visitors, the van, who is away.",
    roles={"mara": "owner", "dana": "writer", "jonas": "writer", "priya": "writer", "luis": "reader"},
)
DELIVERIES = Host(
    email="c_deliveries@group.calendar.google.com",
    name="Deliveries",
    zone="Europe/London",
    description="When the lorry goes where.",
    roles={"dana": "owner", "jonas": "writer", "mara": "freeBusyReader"},
)
HOLIDAYS = Host(
    email="en.uk#holiday@group.v.calendar.google.com",
    name="Holidays in United Kingdom",
    zone="Europe/London",
    description="Holidays and Observances in United Kingdom",
    roles={person.handle: "reader" for person in COLLEAGUES},
)

HOSTS = (TEAM, DELIVERIES, HOLIDAYS)


def role_of(person: Person, party: Party) -> str | None:
    """What the person may do with a calendar; None if they cannot see it."""
    if isinstance(party, Host):
        return party.roles.get(person.handle)
    return "owner" if party == person else None


def handle_of(party: Party) -> str:
    return party.email if isinstance(party, Host) else party.handle
