"""The seeded workspace, its rate limits and its settings."""

from __future__ import annotations

import pytest

from playground import people
from playground.clock import Clock
from playground.slack.api import METHODS
from playground.slack.errors import Refused
from playground.slack.scopes import GRANTED, NEEDED, TIER, RateLimits
from playground.slack.seed import seed
from playground.slack.settings import Settings
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


# Rate limits and settings ------------------------------------------------------------------------------------------


def test_window() -> None:
    """Twenty streams may start in a minute; the next is told how long to wait."""
    limits = RateLimits()
    for second in range(20):
        limits.count("chat.startStream", "", float(second))
    with pytest.raises(Refused) as caught:
        limits.count("chat.startStream", "", 20.0)
    assert caught.value.detail["retry_after"] == 40
    limits.count("chat.startStream", "", 60.0)


def test_tables_name_real_methods() -> None:
    """Every scope and tier belongs to an emulated method, and every needed scope is granted."""
    assert NEEDED.keys() | TIER.keys() <= METHODS.keys() | {"chat.postMessage"}
    assert {scope for scopes in NEEDED.values() for scope in scopes} <= GRANTED


def test_settings() -> None:
    """Settings are changed by name, and unknown names are refused."""
    assert Settings().changed({"revoked_scopes": ["chat:write"]}).revoked_scopes == ("chat:write",)
    with pytest.raises(TypeError, match="speed"):
        Settings().changed({"speed": 1})
