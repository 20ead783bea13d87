"""The seeded workspace."""

from __future__ import annotations

import pytest

from playground import people
from playground.clock import Clock
from playground.slack.errors import Refused
from playground.slack.seed import seed
from playground.slack.world import World


@pytest.fixture
def world() -> World:
    world = World(Clock())
    seed(world)
    return world


def test_people(world: World) -> None:
    """Everybody of the company is there with the bot, and has a conversation with it."""
    assert {person.user_id for person in people.PEOPLE} <= world.users.keys()
    for person in people.PEOPLE:
        assert people.BOT_USER_ID in world.dm(person.user_id).members


def test_talk(world: World) -> None:
    """Every room has a few messages by its members, in order, with timestamps of their own."""
    stamps: list[str] = []
    for room in people.ROOMS:
        messages = world.messages[room.channel_id]
        assert len(messages) >= 2
        assert {message["user"] for message in messages} <= set(room.members)
        assert [message["ts"] for message in messages] == sorted(message["ts"] for message in messages)
        stamps += [message["ts"] for message in messages]
    assert len(stamps) == len(set(stamps))


def test_timestamps_increase(world: World) -> None:
    """A burst of messages within a microsecond still has increasing timestamps."""
    stamps = [world.ts() for _ in range(1_000)]
    assert stamps == sorted(set(stamps))


def test_no_conversation_with_bots_or_leavers(world: World) -> None:
    """Bots and deactivated people cannot be written to."""
    for user in ("U0RELAY", "U0OLAF"):
        with pytest.raises(Refused):
            world.dm(user)
