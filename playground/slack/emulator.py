"""Slack, as far as one app and the people of one workspace see it."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute

from playground import people
from playground.admin import Admin, asked
from playground.slack.acting.responses import ResponseUrls
from playground.slack.acting.routes import Acting
from playground.slack.api import KINDS as API_KINDS
from playground.slack.api import WebApi
from playground.slack.deliveries import KINDS as DELIVERY_KINDS
from playground.slack.manifest import app_manifest
from playground.slack.methods.users import described
from playground.slack.modals import shown
from playground.slack.openid import OpenIdRoutes
from playground.slack.settings import WATCHED_PAUSES, Settings
from playground.slack.workspace import Workspace

if TYPE_CHECKING:
    from starlette.requests import Request

    from playground.faults import Fault
    from playground.slack.records import Channel, Json

FAULT_KINDS = API_KINDS | DELIVERY_KINDS | {"lose_ack"}
_PERMALINK = re.compile(r"p(\d{10})(\d{6})")
_NO_WINDOW = (
    "This is the emulated Slack, which has no window of its own. Open the message on the playground's page, whose "
    "address is in the terminal.\n"
)


class Emulator:
    """Joins the workspace to its routes."""

    def __init__(self, settings: Settings) -> None:
        self.admin = Admin(
            state=self.state, reset=self.reset, fault_kinds=FAULT_KINDS, fault_at_once=self.disconnect_at_once
        )
        self.workspace = Workspace(self.admin, settings)
        self.api = WebApi(self.workspace)
        self.app = self.admin.app(self._routes(), lifespan=self._lifespan)

    def reset(self) -> None:
        self.workspace.reset()
        self.api.reset()

    def state(self) -> Json:
        """The state that the page shows."""
        self.workspace.expire()
        world, now = self.workspace.world, self.admin.clock.now()
        return {
            "team": {"id": people.TEAM_ID, "name": people.TEAM_NAME, "domain": people.TEAM_DOMAIN},
            "bot": {"user_id": people.BOT_USER_ID, "bot_id": people.BOT_ID, "name": people.BOT_NAME},
            "users": [described(user, now) for user in world.users.values()],
            "channels": [_channel(channel) for channel in world.channels.values()],
            "messages": world.messages,
            "ephemerals": world.ephemerals,
            "commands": world.commands,
            "views": {user: [shown(view) for view in stack] for user, stack in world.views.items() if stack},
            "homes": {user: shown(home) for user, home in world.homes.items()},
            "sessions": [asdict(session) for session in world.sessions.values()],
            "statuses": list(world.statuses.values()),
            "prompts": self._prompts(),
            "streams": [asdict(stream) for stream in world.streams.values()],
            "sockets": len(self.workspace.deliveries.sockets.ready()),
            "http_delivery": self.workspace.deliveries.webhooks.url,
            "settings": asdict(self.workspace.settings),
        }

    def _prompts(self) -> Json:
        """What is suggested in each conversation with the app: what it set there, else what its manifest says. To
        guests nothing is: the app works for members alone.
        """
        suggested: Json = {"title": "", "prompts": [dict(prompt) for prompt in self.workspace.settings.prompts]}
        world = self.workspace.world
        guests = {user.id for user in world.users.values() if user.is_restricted or user.is_ultra_restricted}
        dms = [one.id for one in world.channels.values() if one.is_im and not guests & set(one.members)]
        return {**(dict.fromkeys(dms, suggested) if suggested["prompts"] else {}), **self.workspace.world.prompts}

    def disconnect_at_once(self, fault: Fault) -> bool:
        """Carries out a `disconnect` fault that names no delivery now."""
        if fault.kind != "disconnect" or fault.match:
            return False
        self.workspace.deliveries.spawn(self._disconnect(fault.reason), "disconnect")
        return True

    async def _disconnect(self, reason: str) -> None:
        await self.workspace.deliveries.sockets.disconnect(reason or "refresh_requested")

    def _routes(self) -> list[Route | WebSocketRoute]:
        return [
            *self.api.routes(),
            *Acting(self.workspace).routes(),
            *OpenIdRoutes(lambda: self.workspace).routes(),
            Route("/response/{id:str}", ResponseUrls(self.workspace).endpoint, methods=["POST"]),
            Route("/archives/{channel:str}/{message:str}", self._permalink),
            WebSocketRoute("/link/", self.workspace.deliveries.sockets.endpoint),
            Route("/__admin/http_delivery", self._http_delivery, methods=["POST"]),
            Route("/__admin/settings", self._settings, methods=["GET", "POST"]),
            Route("/__admin/manifest", self._manifest, methods=["POST"]),
            Route("/__admin/openid", self._openid, methods=["POST"]),
            Route("/__admin/disconnect", self._disconnect_now, methods=["POST"]),
        ]

    async def _http_delivery(self, request: Request) -> Response:
        """`{"url": …}` sends everything to that URL from now on, an empty one goes back to Socket Mode."""
        url = str((await asked(request)).get("url") or "")
        webhooks = self.workspace.deliveries.webhooks
        verified = await webhooks.verify(url, self.workspace.settings.ack_seconds) if url else False
        webhooks.url = url
        return JSONResponse({"ok": True, "url": url, "verified": verified})

    async def _settings(self, request: Request) -> Response:
        """Changes the emulator's strictness and timing: any field of `Settings`."""
        try:
            self.workspace.settings = self.workspace.settings.changed(await asked(request))
        except TypeError as error:
            return JSONResponse({"ok": False, "error": str(error)}, 400)
        return JSONResponse({"ok": True, "settings": asdict(self.workspace.settings)})

    async def _manifest(self, request: Request) -> Response:
        """Installs the app anew with this manifest (as JSON): only its scopes, events and commands work then."""
        try:
            self.workspace.settings = self.workspace.settings.installed(await asked(request))
        except KeyError as error:
            return JSONResponse({"ok": False, "error": f"the manifest has no {error}"}, 400)
        self.admin.changes.publish("app")
        return JSONResponse({"ok": True, "settings": asdict(self.workspace.settings)})

    async def _openid(self, request: Request) -> Response:
        """`{"claims": {…}}`: what id_tokens say from now on instead of the truth; null leaves a claim out."""
        self.workspace.sign_in.changed = (await asked(request)).get("claims", {})
        return JSONResponse({"ok": True})

    async def _disconnect_now(self, request: Request) -> Response:
        """`{"reason": "refresh_requested" | "warning" | "abrupt"}`: tells every connection, or cuts it."""
        reason = str((await asked(request)).get("reason") or "refresh_requested")
        told = await self.workspace.deliveries.sockets.disconnect(reason)
        return JSONResponse({"ok": True, "sockets": told})

    async def _permalink(self, request: Request) -> Response:
        """The address of a message, for a browser; people read messages on the page, not here."""
        window = self.workspace.settings.window
        place, message = request.path_params["channel"], _PERMALINK.fullmatch(request.path_params["message"])
        channel = self.workspace.world.channels.get(place)
        if not window or message is None or channel is None:
            return PlainTextResponse(_NO_WINDOW)
        reader = {"user": channel.user} if channel.user else {}
        target = {**reader, "channel": place, "show": f"message:{place}:{message[1]}.{message[2]}"}
        return RedirectResponse(f"{window}/#{urlencode(target)}", 303)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncGenerator[None]:
        yield
        self.workspace.deliveries.forget()


def build_watched() -> Starlette:
    """The emulator for a person who watches the page, with the app installed as its manifest says."""
    return build(Settings(retry_pauses=WATCHED_PAUSES).installed(app_manifest()))


def build(settings: Settings | None = None) -> Starlette:
    """The emulator as an application."""
    return Emulator(settings or Settings()).app


def _channel(channel: Channel) -> Json:
    body: Json = {
        "id": channel.id,
        "name": channel.name,
        "is_im": channel.is_im,
        "is_private": channel.is_private or channel.is_im,
        "is_ext_shared": channel.is_ext_shared,
        "topic": channel.topic,
        "members": list(channel.members),
    }
    return body | ({"user": channel.user} if channel.is_im else {})
