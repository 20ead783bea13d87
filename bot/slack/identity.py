"""Who said what where: an event of Slack becomes an `Incoming`, or is none of our business.

Bots, our own messages and edits start nothing; a file, a `/me` and a reply that is also sent to the channel do
(docs.slack.dev/reference/events/message, "Message subtypes").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.domain.threads import Workspace
from bot.runtime.runs.intake import Incoming
from bot.runtime.runs.shared_files import SharedFile
from bot.slack.directory import SLACKBOT
from bot.slack.payload import Payload, flag_at, items_at, mapping_at, team_of, text_at
from bot.slack.typed import mentions, readable, rich_text, typed_words

KEPT_SUBTYPES = frozenset({"", "file_share", "me_message", "thread_broadcast"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """A message that its author, or somebody who may, took back. `may_ask`: it may have been a request to the agent."""

    team: str
    channel: str
    ts: str
    may_ask: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A message whose author changed its text."""

    team: str
    channel: str
    ts: str


class Identity:
    """Reads events for one workspace. `name_of` knows names without asking Slack."""

    def __init__(self, *, workspace: Workspace, name_of: Callable[[str, str], str | None]) -> None:
        self._workspace = workspace
        self._name_of = name_of

    def team(self, body: Payload) -> str:
        """The workspace that we are installed in and that got this event."""
        return team_of(body)

    def incoming(self, body: Payload) -> Incoming | Deleted | Edited | None:
        """What a `message` or `app_mention` event means; None for what starts nothing."""
        event = mapping_at(body, "event")
        if gone := _deleted_ts(event):
            channel, asks = text_at(event, "channel"), self._may_ask(event)
            return Deleted(team=self.team(body), channel=channel, ts=gone, may_ask=asks)
        if changed := _edited_ts(event):
            return Edited(team=self.team(body), channel=text_at(event, "channel"), ts=changed)
        return self._message(body, event) if self._is_said_by_a_person(event) else None

    def _may_ask(self, event: Payload) -> bool:
        """Whether what is gone could have been a request, as far as the event shows it: not what people say to each
        other at the top of a channel, and nothing of ours.
        """
        before = mapping_at(event, "previous_message")
        if not before:
            return True
        if text_at(before, "bot_id") or text_at(before, "user") == self._workspace.bot_user:
            return False
        mention = mentions(rich_text(before), text_at(before, "text"), self._workspace.bot_user)
        return mention or text_at(event, "channel").startswith("D") or bool(text_at(before, "thread_ts"))

    def _is_said_by_a_person(self, event: Payload) -> bool:
        user = text_at(event, "user")
        ours_or_nobody = user in {"", SLACKBOT, self._workspace.bot_user}
        from_app = bool(text_at(event, "bot_id")) or bool(mapping_at(event, "bot_profile"))
        kept = text_at(event, "subtype") in KEPT_SUBTYPES and not flag_at(event, "hidden")
        return kept and not ours_or_nobody and not from_app and bool(text_at(event, "ts"))

    def _message(self, body: Payload, event: Payload) -> Incoming:
        team, agent, text = self.team(body), self._workspace.bot_user, text_at(event, "text")
        elements, channel = rich_text(event), text_at(event, "channel")
        mention = text_at(event, "type") == "app_mention" or mentions(elements, text, agent)
        return Incoming(
            event_id=text_at(body, "event_id"),
            team=team,
            channel=channel,
            ts=text_at(event, "ts"),
            thread_ts=text_at(event, "thread_ts") or None,
            user=text_at(event, "user"),
            text=readable(text, agent=agent, name_of=lambda user: self._name_of(team, user)),
            typed=typed_words(elements, agent=agent),
            elements=elements,
            is_dm=text_at(event, "channel_type") == "im" or channel.startswith("D"),
            mentions_agent=mention,
            files=[_file(file) for file in items_at(event, "files")],
            external=_is_external(body, event, team),
            sent_at=_moment(text_at(event, "ts")),
        )


def _file(file: Payload) -> SharedFile:
    return SharedFile(name=text_at(file, "name") or "a file", id=text_at(file, "id"))


def _is_external(body: Payload, event: Payload, team: str) -> bool:
    """A channel shared with another organisation, or an author from one."""
    homes = {text_at(event, name) for name in ("user_team", "source_team")} - {""}
    return flag_at(body, "is_ext_shared_channel") or bool(homes - {team})


def _deleted_ts(event: Payload) -> str:
    """The timestamp of a message that is gone; a thread's first message leaves a tombstone behind."""
    if text_at(event, "type") != "message":
        return ""
    if text_at(event, "subtype") == "message_deleted":
        return text_at(event, "deleted_ts") or text_at(event, "previous_message", "ts")
    tombstone = text_at(event, "message", "subtype") == "tombstone"
    return text_at(event, "message", "ts") if text_at(event, "subtype") == "message_changed" and tombstone else ""


def _edited_ts(event: Payload) -> str:
    """The timestamp of a message whose text was changed; links that unfold fire the same event with the same text."""
    if text_at(event, "type") != "message" or text_at(event, "subtype") != "message_changed":
        return ""
    before, after = mapping_at(event, "previous_message"), mapping_at(event, "message")
    by_a_person = bool(text_at(after, "user")) and not text_at(after, "bot_id")
    changed = bool(before) and text_at(before, "text") != text_at(after, "text")
    return text_at(after, "ts") if by_a_person and changed else ""


def _moment(ts: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (ValueError, OverflowError, OSError):
        return None
