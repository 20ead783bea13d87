"""The doctor on rules of policy.yaml about who has to agree: whether the people they name can."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.commands.doctor.findings import Findings
from bot.commands.doctor.rules import Told, examine_people
from bot.domain.threads import User
from bot.settings import Settings
from bot.slack.connection.directory import NobodyInSlack, SlackDirectory, UnknownPerson
from bot.slack.connection.errors import SlackError, WrongToken, away
from bot.slack.connection.web import SlackWeb, installation, slack_client
from policies import loader
from policies.deciders import Deciders
from policies.errors import PolicyError

_CURE = "In policy.yaml, name others, then restart the bot."


async def examine_policy(settings: Settings) -> Findings:
    """Ask Slack about the people that rules of policy.yaml name. Nothing is told of them without a token that Slack
    takes, or where the policy cannot be read: that is told besides.
    """
    found, rules, token = Findings(), _rules_of(settings.policies_dir), settings.slack_bot_token
    if not rules or token is None:
        return found
    named = sorted({user for _, deciders in rules for user in deciders.people})
    async with slack_client(token=token.get_secret_value(), base_url=settings.slack_api_url) as client:
        web = SlackWeb(client)
        directory = SlackDirectory(web=web)
        try:
            team = (await installation(web)).team
            people = {user: await _asked(directory, team, user) for user in named}
        except WrongToken:
            return found
        except SlackError as error:
            return Findings(remarks=[f"The people whom rules of policy.yaml name were not looked up. {away(error)}"])
    for rule, deciders in rules:
        told = Told(rule=rule, cure=_CURE, unknown="nobody in this workspace")
        examine_people(told, deciders, people, found)
    return found


def _rules_of(folder: str | None) -> Sequence[tuple[str, Deciders]]:
    """Those that name people, as each is called."""
    try:
        policy = loader.load(Path(folder) if folder else None)
    except PolicyError:
        return []
    return [(f"The rule {rule.id} of policy.yaml", rule.deciders) for rule in policy.rules if rule.deciders]


async def _asked(directory: SlackDirectory, team: str, user: str) -> User | None:
    """The person as Slack tells of them; None where it knows nobody by this id. Raises `SlackError`."""
    try:
        return await directory.profile(team, user)
    except NobodyInSlack:
        return None
    except UnknownPerson as error:
        if isinstance(error.__cause__, SlackError):
            raise error.__cause__ from error
        return None
