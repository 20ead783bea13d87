"""Which workspace the bot token belongs to."""

from __future__ import annotations

from bot.domain.threads import Workspace
from bot.slack.errors import SlackAway, SlackError, SlackRefused, WrongToken
from bot.slack.payload import text_at
from bot.slack.web import SlackWeb


async def installation(web: SlackWeb) -> Workspace:
    """The workspace with our ids in it (auth.test); raises `WrongToken`, or `SlackAway`."""
    try:
        found = await web.auth_test()
    except SlackRefused as error:
        if error.may_heal:
            raise SlackAway from error
        raise WrongToken("SLACK_BOT_TOKEN", error.code) from error
    except SlackError as error:
        raise SlackAway from error
    return Workspace(
        team=text_at(found, "team_id"),
        name=text_at(found, "team"),
        bot_user=text_at(found, "user_id"),
        bot_id=text_at(found, "bot_id"),
    )
