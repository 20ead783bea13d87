"""Fills the world: mails from `mail/*.yaml`, events from `events/*.yaml`, both around the day it is now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from playground.google.gmail.letters import Letter
from playground.google.gmail.mailbox import SENT, UNREAD
from playground.world.dates import Days
from playground.world.events import EventWriter
from playground.world.letters import Writer, Written

if TYPE_CHECKING:
    from playground.google.world import World

HERE = Path(__file__).parent


class Seed:
    """Everything that has happened before the playground was opened, read once and planted as often as it is needed."""

    def __init__(self) -> None:
        self._mail = list(_read("mail"))
        self._events = list(_read("events"))

    def plant(self, world: World) -> None:
        """Fills an empty world with it, around the day that it is there."""
        days = Days(world.clock.now())
        writer = Writer(days)
        mails = [written for spec in self._mail for written in writer.thread(spec)]
        for written in sorted(mails, key=lambda written: written.sent):
            _file(world, written)
        events = EventWriter(days)
        for spec in self._events:
            person, body = events.event(spec)
            meeting = world.agenda.insert(person, body)
            long_ago = meeting.created - timedelta(days=10)
            meeting.created = meeting.updated = long_ago


def _file(world: World, written: Written) -> None:
    letter = Letter(written.raw)
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
    for path in sorted((HERE / folder).glob("*.yaml")):
        yield from yaml.safe_load(path.read_text(encoding="utf-8"))
