from __future__ import annotations

import json

import pytest

from bot.slack.connection.directory import FRESH_SECONDS, SlackDirectory, UnknownPerson
from tests.unit.bot.slack.cases import MARA, TEAM, THEO
from tests.unit.bot.slack.emulated import Slack


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def directory(slack: Slack, now: list[float]) -> SlackDirectory:
    return SlackDirectory(web=slack.web, monotonic=lambda: now[0])


async def test_profiles(slack: Slack, directory: SlackDirectory) -> None:
    """A person comes with name, address, zone and standing; a guest is one; our bot is a bot."""
    mara = await directory.profile(TEAM, MARA)
    assert (mara.email, mara.zone, mara.is_admin) == ("mara@fernhill.example", "Europe/Stockholm", True)
    assert (mara.is_guest, mara.is_bot, mara.is_deleted) == (False, False, False)
    assert (await directory.profile(TEAM, THEO)).is_guest
    assert (await directory.profile(TEAM, "U0CSIGN")).is_bot
    assert directory.name(TEAM, MARA) == mara.name
    assert directory.name(TEAM, "U0DANA") is None


async def test_profiles_are_kept_for_five_minutes(slack: Slack, directory: SlackDirectory, now: list[float]) -> None:
    """Slack is asked again after five minutes, not before."""
    for after, calls in ((0, 1), (FRESH_SECONDS - 1, 1), (FRESH_SECONDS, 2)):
        now[0] = after
        await directory.profile(TEAM, MARA)
        assert len(slack.calls("users.info")) == calls


async def test_somebody_of_another_workspace_is_a_guest(directory: SlackDirectory) -> None:
    """A person of another workspace has no more rights than a guest."""
    assert (await directory.profile("T0OTHER", MARA)).is_guest


async def test_who_cannot_be_looked_up(slack: Slack, directory: SlackDirectory) -> None:
    """Nobody by that id, or a Slack that does not answer: both are said with one error."""
    with pytest.raises(UnknownPerson):
        await directory.profile(TEAM, "U0NOBODY")
    await slack.fault(match={"path": "users.info"}, kind="status", status=500, times=-1)
    with pytest.raises(UnknownPerson):
        await directory.profile(TEAM, MARA)


async def test_an_address_that_nobody_confirmed_is_none(slack: Slack, directory: SlackDirectory) -> None:
    """Whose mailbox is whose is told by the address, so one that Slack only was given does not count."""
    profile = {"id": MARA, "team_id": TEAM, "name": "mara", "profile": {"email": "boss@fernhill.example"}}
    for confirmed, email in ((False, None), (True, "boss@fernhill.example")):
        body = json.dumps({"ok": True, "user": profile | {"is_email_confirmed": confirmed}})
        await slack.fault(match={"path": "users.info"}, kind="status", status=200, body=body, times=1)
        assert (await SlackDirectory(web=slack.web).profile(TEAM, MARA)).email == email
