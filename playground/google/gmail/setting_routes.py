"""Profile and send-as addresses of the Gmail API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.discovery import JsonObject
from playground.google.errors import not_found
from playground.google.gmail.mailbox import Mailbox
from playground.google.gmail.send_as import send_as_of
from playground.google.gmail.views import send_as_resource

if TYPE_CHECKING:
    from playground.google.call import Call, Handler
    from playground.google.gmail.post_office import PostOffice


class SettingRoutes:
    """What a mailbox says about itself."""

    def __init__(self, post: Callable[[], PostOffice]) -> None:
        self._post = post

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "gmail.users.getProfile": self.profile,
            "gmail.users.settings.sendAs.list": self.send_as_list,
            "gmail.users.settings.sendAs.get": self.send_as,
        }

    def profile(self, call: Call) -> JsonObject:
        mailbox = self._mailbox(call)
        return {
            "emailAddress": call.person.email,
            "messagesTotal": len(mailbox.messages),
            "threadsTotal": len({stored.thread_id for stored in mailbox.messages.values()}),
            "historyId": str(mailbox.history_id),
        }

    def send_as_list(self, call: Call) -> JsonObject:
        return {"sendAs": [send_as_resource(alias) for alias in send_as_of(call.person)]}

    def send_as(self, call: Call) -> JsonObject:
        wanted = call.needed("sendAsEmail").lower()
        for alias in send_as_of(call.person):
            if alias.email == wanted:
                return send_as_resource(alias)
        raise not_found()

    def _mailbox(self, call: Call) -> Mailbox:
        return self._post().mailbox(call.person)
