"""Gmail's methods, by their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.errors import ApiError
from playground.google.gmail.draft_routes import DraftRoutes
from playground.google.gmail.label_routes import LabelRoutes
from playground.google.gmail.message_routes import MessageRoutes
from playground.google.gmail.setting_routes import SettingRoutes
from playground.google.gmail.thread_routes import ThreadRoutes
from playground.google.gmail.views import Viewer

if TYPE_CHECKING:
    from playground.google.call import Call
    from playground.google.front import Handler
    from playground.google.world import World


def gmail_handlers(world: Callable[[], World]) -> Mapping[str, Handler]:
    """The handlers of Gmail. `world` is asked at each call, because a reset makes a new one."""
    viewer = Viewer()
    parts = (
        MessageRoutes(world, viewer),
        ThreadRoutes(world, viewer),
        DraftRoutes(world, viewer),
        LabelRoutes(world),
        SettingRoutes(world),
    )
    return {method: _owned(handler) for part in parts for method, handler in part.handlers().items()}


def _owned(handler: Handler) -> Handler:
    """People can open only their own mailbox: as `me` or by its address."""

    def checked(call: Call) -> dict[str, object] | None:
        user = call.needed("userId")
        if user.lower() not in {"me", call.person.email}:
            raise ApiError(403, "forbidden", f"Delegation denied for {call.person.email}")
        return handler(call)

    return checked
