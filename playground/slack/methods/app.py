"""auth.test, apps.connections.open, oauth.v2.access, blocks.validate: the app itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from playground import people
from playground.slack.blocks import checked, parsed
from playground.slack.call import Call, Method
from playground.slack.errors import Refused, invalid_arguments
from playground.slack.modals import accepted
from playground.slack.openid import CLIENT_ID, CLIENT_SECRET
from playground.slack.records import Json

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace

CODE_PREFIX = "playground-code"


def auth_test(workspace: Workspace, call: Call) -> Json:
    return {
        "url": workspace.base,
        "team": people.TEAM_NAME,
        "user": people.BOT_NAME,
        "team_id": people.TEAM_ID,
        "user_id": people.BOT_USER_ID,
        "bot_id": people.BOT_ID,
        "is_enterprise_install": False,
    }


def connections_open(workspace: Workspace, call: Call) -> Json:
    ticket = workspace.deliveries.sockets.ticket()
    host = workspace.base.removeprefix("http://")
    return {"url": f"ws://{host}link/?ticket={ticket}&app_id={people.APP_ID}"}


def oauth_access(workspace: Workspace, call: Call) -> Json:
    """Exchanges a code (`playground-code…`) for the bot token; client id and secret in the header or as arguments."""
    client, secret = call.basic if call.basic[0] else (call.text("client_id"), call.text("client_secret"))
    if client != CLIENT_ID:
        raise Refused("invalid_client_id")
    if secret != CLIENT_SECRET:
        raise Refused("bad_client_secret")
    if not call.text("code").startswith(CODE_PREFIX):
        raise Refused("invalid_code")
    return {
        "app_id": people.APP_ID,
        "authed_user": {"id": people.MARA.user_id},
        "scope": ",".join(sorted(workspace.settings.scopes)),
        "token_type": "bot",
        "access_token": people.BOT_TOKEN,
        "bot_user_id": people.BOT_USER_ID,
        "team": {"id": people.TEAM_ID, "name": people.TEAM_NAME},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def blocks_validate(workspace: Workspace, call: Call) -> Json:
    given = [name for name in ("blocks", "message", "view") if call.args.get(name) is not None]
    if len(given) != 1:
        raise invalid_arguments("provide exactly one of blocks, message, view")
    if given == ["view"]:
        view: Any = call.json("view")
        accepted(view, home=isinstance(view, dict) and cast("Json", view).get("type") == "home")
    else:
        value: Any = call.json(given[0])
        checked(parsed(value["blocks"] if given == ["message"] else value))
    return {}


METHODS: dict[str, Method] = {
    "auth.test": auth_test,
    "apps.connections.open": connections_open,
    "oauth.v2.access": oauth_access,
    "blocks.validate": blocks_validate,
}
