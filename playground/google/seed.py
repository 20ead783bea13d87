"""Fills the world: mails from `world/mail/*.yaml`, events from `world/events/*.yaml`, both around today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from playground.google.gmail.letters import Letter
from playground.google.gmail.mailbox import SENT, UNREAD
from playground.google.people.contacts import read_book
from playground.google.world import World
from playground.people import PEOPLE
from playground.world.dates import Days
from playground.world.events import EventWriter
from playground.world.letters import Writer, Written

STILL_GOOD = timedelta(minutes=10)

WORLD = Path(__file__).parents[1] / "world"


class Seed:
    """The history of the world before the playground starts, read once and planted as often as needed."""

    def __init__(self) -> None:
        self._mail = list(_read("mail"))
        self._events = list(_read("events"))
        self._contacts: Mapping[str, Mapping[str, Any]] = _load(WORLD / "contacts.yaml")
        self._written_at: datetime | None = None
        self._post: list[tuple[Written, Letter]] = []

    def plant(self, world: World) -> None:
        """Fills an empty world around its present day."""
        days = Days(world.clock.now())
        for written, letter in self._letters(days):
            _file(world, written, letter)
        world.books = {person.handle: read_book(self._contacts[person.handle], person) for person in PEOPLE}
        events = EventWriter(days)
        for spec in self._events:
            person, body = events.event(spec)
            meeting = world.agenda.insert(person, body)
            long_ago = meeting.created - timedelta(days=10)
            meeting.created = meeting.updated = long_ago

    def _letters(self, days: Days) -> list[tuple[Written, Letter]]:
        """The mails in order of sending, cached for a few minutes."""
        if self._written_at is None or not timedelta() <= days.now - self._written_at < STILL_GOOD:
            writer = Writer(days)
            mails = [written for spec in self._mail for written in writer.thread(spec)]
            mails.sort(key=lambda written: written.sent)
            self._post = [(written, Letter(written.raw)) for written in mails]
            self._written_at = days.now
        return self._post


@cache
def shipped() -> Seed:
    """The seed of this process, cached, since reading and writing all mails takes longest."""
    return Seed()


def _file(world: World, written: Written, letter: Letter) -> None:
    for mailbox, stored in world.post.file(letter, arrived_ms=int(written.sent.timestamp() * 1000)):
        if SENT in stored.labels:
            continue
        read = () if written.unread else (UNREAD,)
        own = ()
        if written.label:
            label_id = f"Label_{written.label.lower()}"
            mailbox.own_labels[label_id] = written.label
            own = (label_id,)
        mailbox.relabel(stored.id, add=(*written.labels, *own), remove=read)


def _read(folder: str) -> Iterator[Mapping[str, Any]]:
    for path in sorted((WORLD / folder).glob("*.yaml")):
        yield from _load(path)


def _load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))
