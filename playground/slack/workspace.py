"""The running workspace: the world, and the events that changes of it cause."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from playground import people
from playground.slack.deliveries import Deliveries
from playground.slack.envelopes import event_callback
from playground.slack.records import Channel, Json, ResponseUrl, StreamState, Trigger
from playground.slack.seed import seed
from playground.slack.settings import Settings
from playground.slack.sign_in import OpenId, new_key
from playground.slack.world import World

if TYPE_CHECKING:
    from playground.admin import Admin

MENTION = f"<@{people.BOT_USER_ID}"


class Workspace:
    """One workspace with the app installed. `base` is the address under which its clients reach it."""

    def __init__(self, admin: Admin, settings: Settings) -> None:
        self.admin = admin
        self._initial = settings
        self.settings = settings
        self.base = ""
        self.revoked = False
        self.deliveries = Deliveries(admin, lambda: self.settings)
        self.openid_key = new_key()
        self.sign_in = OpenId()
        self.world = World(admin.clock)
        seed(self.world)

    def reset(self) -> None:
        """The world as seeded; connections stay."""
        self.deliveries.forget()
        self.deliveries.webhooks.url = ""
        self.settings = self._initial
        self.revoked = False
        self.sign_in = OpenId()
        self.world = World(self.admin.clock)
        seed(self.world)

    def now(self) -> float:
        return self.admin.clock.seconds()

    def post(self, channel: Channel, message: Json) -> Json:
        """Files a new message and sends its event to the app, also for the app's own messages, as Slack does."""
        self.world.add(channel.id, message)
        self.admin.changes.publish("message", channel=channel.id, message=message)
        self.tell_message(channel, {**copy.deepcopy(message), "event_ts": message["ts"]})
        if channel.type != "im" and MENTION in message.get("text", "") and not message.get("bot_id"):
            keys = ("user", "ts", "client_msg_id", "text", "team", "thread_ts", "parent_user_id", "blocks", "files")
            mention = {key: message[key] for key in keys if key in message}
            self.tell({"type": "app_mention", **mention, "channel": channel.id, "event_ts": message["ts"]}, channel)
        return message

    def changed(self, channel: Channel, message: Json, previous: Json) -> None:
        """Tells the app and the page that a message is different now."""
        self.admin.changes.publish("message_changed", channel=channel.id, message=message)
        ts = self.world.ts()
        event = {
            "subtype": "message_changed",
            "message": copy.deepcopy(message),
            "previous_message": previous,
            "hidden": True,
            "ts": ts,
            "event_ts": ts,
        }
        self.tell_message(channel, event)

    def deleted(self, channel: Channel, previous: Json) -> None:
        self.admin.changes.publish("message_deleted", channel=channel.id, ts=previous["ts"])
        ts = self.world.ts()
        event = {
            "subtype": "message_deleted",
            "previous_message": previous,
            "deleted_ts": previous["ts"],
            "hidden": True,
            "ts": ts,
            "event_ts": ts,
        }
        self.tell_message(channel, event)

    def tell_message(self, channel: Channel, event: Json) -> None:
        body = {**event, "type": "message", "channel": channel.id, "channel_type": channel.type}
        self.tell(body, channel)

    def tell(self, event: Json, channel: Channel | None = None, *, user: str = "") -> None:
        """Delivers an event, unless it is of a channel where the bot is not, or the app did not subscribe to it."""
        if channel and people.BOT_USER_ID not in channel.members:
            return
        shared = channel.is_ext_shared if channel else False
        event_id = self.world.id("Ev")
        delivery = event_callback(event, event_id=event_id, at=self.now(), ext_shared=shared, user=user)
        subscription = delivery.name.split("/")[1]
        if not self.settings.events or subscription in self.settings.events:
            self.deliveries.event(delivery)

    def trigger(self, user: str, *, view_id: str = "") -> str:
        """A `trigger_id` for what this person just did."""
        trigger_id = f"{len(self.world.triggers) + 1}.{int(self.now())}.{self.world.id('t')}"
        expires = self.now() + self.settings.trigger_seconds
        self.world.triggers[trigger_id] = Trigger(id=trigger_id, user=user, expires=expires, view_id=view_id)
        return trigger_id

    def response_url(self, user: str, channel: str, **about: Any) -> str:
        made = ResponseUrl(
            id=self.world.id("R"),
            user=user,
            channel=channel,
            expires=self.now() + self.settings.response_url_seconds,
            uses=self.settings.response_url_uses,
            **about,
        )
        self.world.response_urls[made.id] = made
        return f"{self.base}response/{made.id}"

    def expire(self) -> None:
        """Ends streams and assistant statuses whose time is over."""
        for stream in self.world.streams.values():
            if stream.state is StreamState.STREAMING and self.now() - stream.started >= self.settings.stream_seconds:
                self.end_stream(stream.channel, stream.ts, StreamState.EXPIRED)
        for key, status in tuple(self.world.statuses.items()):
            if self.now() >= status["expires"]:
                del self.world.statuses[key]

    def end_stream(self, channel_id: str, ts: str, state: StreamState) -> None:
        """Ends the stream; a task that still ran is shown as failed."""
        self.world.streams[channel_id, ts].state = state
        message = self.world.find(channel_id, ts)
        if message is None:
            return
        message["streaming_state"] = "completed" if state is StreamState.STOPPED else "errored"
        for block in message.get("blocks", ()):
            for task in block.get("tasks", (block,)):
                if task.get("status") == "in_progress":
                    task["status"] = "error"
        self.admin.changes.publish("message_changed", channel=channel_id, message=message)
