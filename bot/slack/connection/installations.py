"""Which workspace the bot token belongs to."""

from __future__ import annotations

import asyncio

import structlog

from bot.domain.threads import Workspace
from bot.slack.connection.errors import SlackBusy, SlackRefused, SlackUnclear, WrongToken, away
from bot.slack.connection.schema import text_in
from bot.slack.connection.web import SlackWeb

log = structlog.get_logger()

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0


async def installation(web: SlackWeb) -> Workspace:
    """The workspace with our ids in it (auth.test); raises `WrongToken` when Slack does not know the token."""
    try:
        found = await web.auth_test()
    except SlackRefused as error:
        if error.may_heal:
            raise
        raise WrongToken("SLACK_BOT_TOKEN", error.code) from error
    return Workspace(
        team=text_in(found, "team_id"),
        name=text_in(found, "team"),
        bot_user=text_in(found, "user_id"),
        bot_id=text_in(found, "bot_id"),
    )


async def awaited_installation(web: SlackWeb) -> Workspace:
    """The same, however long Slack is away; raises `WrongToken` only."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        try:
            return await installation(web)
        except (SlackBusy, SlackRefused, SlackUnclear) as error:
            log.warning("slack.away", error=away(error), again_in=pause)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
