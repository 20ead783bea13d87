"""The doctor on Slack: whether it takes the tokens, lets people sign in, and whether the signing secret can be one."""

from __future__ import annotations

from collections.abc import Awaitable

from slack_sdk.web.async_client import AsyncWebClient

from bot.api.sign_in import redirect_uri
from bot.commands.doctor.findings import Findings
from bot.settings import Settings
from bot.slack.connection.errors import OtherApp, SlackError, SlackRefused, WrongToken, away
from bot.slack.connection.http import is_signing_secret
from bot.slack.connection.sign_in import NotEncrypted, is_encrypted
from bot.slack.connection.socket import check_app_token, refuse_another_app
from bot.slack.connection.web import SlackWeb, app_of, installation, slack_client
from bot.urls import is_loopback

_NO_CODE = "countersign-doctor"
_NO_CLIENT = frozenset({"invalid_client_id", "bad_client_secret"})
_NO_SIGNING_SECRET = (
    "SLACK_SIGNING_SECRET is wrong: it has 32 hexadecimal digits. Copy it again from “Basic Information” of your app's "
    "settings."
)


async def examine_slack(settings: Settings) -> Findings:
    """Ask Slack about each token that is set. Of the signing secret only a call by Slack shows whether it is right."""
    found, checks = Findings(), list[Awaitable[str]]()
    token, app_token, secret = settings.slack_bot_token, settings.slack_app_token, settings.slack_signing_secret
    if secret is not None and not is_signing_secret(secret.get_secret_value()):
        found.problems.append(_NO_SIGNING_SECRET)
    async with slack_client(
        token=token.get_secret_value() if token else None, base_url=settings.slack_api_url
    ) as client:
        checks += [_bot_token(client)] if token else []
        checks += [_app_token(client, app_token.get_secret_value())] if app_token else []
        checks += [_one_app(client, app_token.get_secret_value())] if token and app_token else []
        for check in checks:
            try:
                found.good += [good] if (good := await check) else []
            except (WrongToken, OtherApp) as error:
                found.problems.append(str(error))
            except SlackError as error:
                found.problems.append(away(error))
        if settings.slack_client_id and settings.slack_client_secret:
            await _sign_in(client, settings, found)
    return found


async def _sign_in(client: AsyncWebClient, settings: Settings, found: Findings) -> None:
    """Ask with a code that cannot exist: what Slack says first is whether it knows the client."""
    if not settings.public_url:  # `missing_address` tells of it
        return
    if not is_encrypted(settings.slack_api_url):
        found.problems.append(str(NotEncrypted()))
        return
    if trouble := no_way_back(settings):
        found.remarks.append(f"PUBLIC_URL is {settings.public_url}, and {trouble}")
    secret = settings.slack_client_secret.get_secret_value() if settings.slack_client_secret else ""
    try:
        await SlackWeb(client).openid_token(
            _NO_CODE,
            client_id=settings.slack_client_id or "",
            client_secret=secret,
            redirect_uri=redirect_uri(settings.public_url),
        )
    except SlackRefused as error:
        if error.code in _NO_CLIENT:
            found.problems.append(
                f"Slack does not know SLACK_CLIENT_ID with SLACK_CLIENT_SECRET ({error.code}). Copy both again from "
                "“Basic Information” of your app's settings."
            )
        elif error.code == "invalid_code":
            found.good.append("Slack knows the client: people can sign in with it")
    except SlackError as error:
        found.away.append(away(error))


def no_way_back(settings: Settings) -> str:
    """Why people cannot sign in with Slack at PUBLIC_URL; empty where they can."""
    if (settings.public_url or "").startswith("https:") or is_loopback(settings.slack_api_url):
        return ""
    return (
        "Slack leads browsers back to https addresses only, on one machine, too: people cannot sign in with Slack. Set "
        "it to an https address, as of a tunnel."
    )


async def _bot_token(client: AsyncWebClient) -> str:
    workspace = await installation(SlackWeb(client))
    return f"Slack accepts it: the workspace {workspace.name}, the bot {workspace.bot_user}"


async def _one_app(client: AsyncWebClient, app_token: str) -> str:
    """Nothing to say of two tokens of one app; a bot token that Slack does not accept is told already."""
    web = SlackWeb(client)
    refuse_another_app(app_token, await app_of(web, await installation(web)))
    return ""


async def _app_token(client: AsyncWebClient, token: str) -> str:
    await check_app_token(client, token)
    return "Slack opens a connection with it: Socket Mode works"
