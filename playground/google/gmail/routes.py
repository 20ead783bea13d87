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
    from playground.google.call import Call, Handler
    from playground.google.gmail.post_office import PostOffice


def gmail_handlers(post: Callable[[], PostOffice]) -> Mapping[str, Handler]:
    """The handlers of Gmail. `post` is asked at each call, because a reset makes a new one."""
    viewer = Viewer()
    parts = (
        MessageRoutes(post, viewer),
        ThreadRoutes(post, viewer),
        DraftRoutes(post, viewer),
        LabelRoutes(post),
        SettingRoutes(post),
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
