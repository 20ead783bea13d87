"""users.info, users.list and users.lookupByEmail."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from playground import people
from playground.slack.call import Call, Method
from playground.slack.errors import Refused
from playground.slack.records import Json, User

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace


def info(workspace: Workspace, call: Call) -> Json:
    user = workspace.world.user(call.need("user"))
    return {"user": described(user, workspace.admin.clock.now(), email="users:read.email" in call.scopes)}


def listed(workspace: Workspace, call: Call) -> Json:
    now = workspace.admin.clock.now()
    email = "users:read.email" in call.scopes
    members = [described(user, now, email=email) for user in workspace.world.users.values()]
    return {"members": members, "cache_ts": int(workspace.now()), "response_metadata": {"next_cursor": ""}}


def by_email(workspace: Workspace, call: Call) -> Json:
    """Whoever has this address; nobody who was deactivated (docs.slack.dev/reference/methods/users.lookupByEmail)."""
    wanted = call.need("email").casefold()
    active = (user for user in workspace.world.users.values() if not user.deleted)
    found = next((user for user in active if user.email and user.email.casefold() == wanted), None)
    if found is None:
        raise Refused("users_not_found")
    return {"user": described(found, workspace.admin.clock.now())}


def described(user: User, now: datetime, *, email: bool = True) -> Json:
    """The user object; the address only with the scope for it."""
    zone = now.astimezone(ZoneInfo(user.zone))
    offset = zone.utcoffset()
    profile: Json = {
        "real_name": user.real_name,
        "real_name_normalized": user.real_name,
        "display_name": user.name,
        "display_name_normalized": user.name,
        "first_name": user.real_name.split(" ")[0],
        "title": user.title,
        "team": user.team_id,
    }
    if email and user.email:
        profile["email"] = user.email
    if user.is_bot:
        profile |= {"bot_id": user.bot_id, "api_app_id": user.app_id}
    body: Json = {
        "id": user.id,
        "team_id": user.team_id or people.TEAM_ID,
        "name": user.name,
        "deleted": user.deleted,
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": 0,
        "profile": profile,
    }
    if user.deleted:
        return body
    return body | {
        "real_name": user.real_name,
        "tz": user.zone,
        "tz_label": zone.tzname() or user.zone,
        "tz_offset": int(offset.total_seconds()) if offset else 0,
        "locale": "en-GB",
        "is_admin": user.is_admin,
        "is_owner": user.is_admin,
        "is_primary_owner": False,
        "is_restricted": user.is_restricted,
        "is_ultra_restricted": user.is_ultra_restricted,
        "is_stranger": user.is_stranger,
        "is_email_confirmed": True,
    }


METHODS: dict[str, Method] = {"users.info": info, "users.list": listed, "users.lookupByEmail": by_email}
