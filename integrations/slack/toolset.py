"""What the model sees of Slack: the channels that its owner may see, and what was said in one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import Field

from integrations.base import Call, ObjectId, ObjectRef, Result, Tool, ToolArgs, ToolContext, Tools
from integrations.fences import unfenced, untrusted
from integrations.ports import Channel, SlackMessage, SlackReader
from policies.characters import quoted
from policies.guards.own_words import without_shown
from policies.types import EffectClass, Label, Role

MOST_CHANNELS = 100
MOST_MESSAGES = 100
TOPIC_CHARACTERS = 200
MESSAGE_CHARACTERS = 2_000
AUTHOR_CHARACTERS = 100  # people choose their own names
FILE_CHARACTERS = 200
MOST_FILES = 10  # of one message, which is as many as Slack takes at once
RESULT_CHARACTERS = 24_000


class ChannelsArgs(ToolArgs):
    """Arguments of `slack_channels`."""

    query: Annotated[str, Role.NONE] = ""
    limit: Annotated[int, Role.NONE, Field(ge=1, le=MOST_CHANNELS)] = 30


class ReadArgs(ToolArgs):
    """Arguments of `slack_read`."""

    channel: Annotated[ObjectId, Field(min_length=1, description="Its id, or #name.")]
    thread_ts: Annotated[ObjectId | None, Role.OBJECT] = None
    limit: Annotated[int, Role.NONE, Field(ge=1, le=MOST_MESSAGES)] = 20


class SlackChannels(Tool[ChannelsArgs]):
    """Lists channels."""

    name = "slack_channels"
    effect = EffectClass.READ
    description = "List the Slack channels that the person can see, their own first, with their ids."
    args = ChannelsArgs

    def __init__(self, reader: SlackReader) -> None:
        self._reader = reader

    def caption(self, args: ChannelsArgs) -> str:
        """Names the query."""
        return f"Look for Slack channels about {quoted(args.query)}" if args.query else "Look at the Slack channels"

    async def execute(self, args: ChannelsArgs, call: Call) -> Result:
        """List; external when anybody but a full member wrote one of the topics, private when somebody who reads the
        answer could not see one of the channels.
        """
        found = [channel for channel in await self._reader.channels(call.requester) if _fits(channel, args.query)]
        shown = found[: args.limit]
        data: dict[str, object] = {"channels": [_entry(channel) for channel in shown]}
        if len(found) > len(shown):
            data["cut"] = f"{len(found) - len(shown)} more. Narrow the query, or raise limit (at most {MOST_CHANNELS})."
        return Result(
            data=data,
            summary=f"Found {_count(len(shown), 'channel')}",
            label=await self._label(shown),
            private=not await self._seen_by_all(shown, call),
            objects=[ObjectRef(kind="channel", id=channel.id, title=f"#{channel.name}") for channel in shown],
        )

    async def _label(self, shown: Sequence[Channel]) -> Label:
        """Guests and people of other organisations can set the topic of a channel that they are in."""
        authors = {channel.topic_by for channel in shown if channel.topic}
        return Label.MEMBER if await self._reader.are_members(authors) else Label.EXTERNAL

    async def _seen_by_all(self, shown: Sequence[Channel], call: Call) -> bool:
        for channel in sorted(shown, key=lambda channel: not channel.is_private):
            if not await self._reader.seen_by_all(channel.id, readers_of=_place(call)):
                return False
        return True


class SlackRead(Tool[ReadArgs]):
    """Reads a channel or a thread."""

    name = "slack_read"
    effect = EffectClass.READ
    description = (
        "Read the newest messages of a Slack channel or thread, oldest first. A message with reply_count begins a "
        "thread: read it with thread_ts."
    )
    args = ReadArgs

    def __init__(self, reader: SlackReader) -> None:
        self._reader = reader

    def caption(self, args: ReadArgs) -> str:
        """Names the channel as it was given."""
        return f"Read {'a thread in ' if args.thread_ts else ''}{args.channel}"

    async def execute(self, args: ReadArgs, call: Call) -> Result:
        """Read; external when anybody but a full member wrote, private when not every reader of the answer could."""
        found = await self._reader.messages(
            call.requester, args.channel, thread_ts=args.thread_ts, limit=args.limit + 1
        )
        shown = _bounded(found, args.limit, keep_first=args.thread_ts is not None)
        channel = found[0].channel if found else args.channel
        data: dict[str, object] = {"channel": channel, "messages": [_said(message) for message in shown]}
        if len(shown) < len(found):
            data["cut"] = f"Earlier messages are left out. Raise limit (at most {MOST_MESSAGES}), or read one thread."
        return Result(
            data=data,
            summary=f"Read {_count(len(shown), 'message')} in {args.channel}",
            label=Label.MEMBER if all(message.by_member for message in shown) else Label.EXTERNAL,
            private=not await self._reader.seen_by_all(channel, readers_of=_place(call)),
            objects=[ObjectRef(kind="channel", id=channel, title=args.channel)],
        )

    def words_of_people(self, data: object) -> Sequence[str]:
        """What the authors of the messages typed: neither the names of them, of files and of the channel, nor what they
        only quote, show as code or strike through.
        """
        shown = cast("dict[str, list[dict[str, str]]]", data) if isinstance(data, dict) else {}
        return [without_shown(unfenced(message["text"])) for message in shown.get("messages", ())]


def slack_tools(reader: SlackReader) -> Tools:
    """`slack_channels` and `slack_read`."""
    return [SlackChannels(reader), SlackRead(reader)]


def _place(context: ToolContext) -> str | None:
    return None if context.is_dm else context.channel


def _fits(channel: Channel, query: str) -> bool:
    about = f"{channel.name} {channel.topic}".casefold()
    return all(word in about for word in query.casefold().replace("#", " ").split())


def _entry(channel: Channel) -> dict[str, object]:
    topic = _cut(channel.topic, TOPIC_CHARACTERS)
    return {"id": channel.id, "name": channel.name, "topic": topic, "private": channel.is_private}


def _said(message: SlackMessage) -> dict[str, object]:
    said: dict[str, object] = {
        "ts": message.ts,
        "author": untrusted(_cut(message.author, AUTHOR_CHARACTERS), source="slack"),
        "text": untrusted(_cut(message.text, MESSAGE_CHARACTERS), source="slack"),
    }
    if message.files:
        said["files"] = [untrusted(_cut(file, FILE_CHARACTERS), source="slack") for file in message.files[:MOST_FILES]]
    if message.thread_ts:
        said["thread_ts"] = message.thread_ts
    if message.reply_count:
        said["reply_count"] = message.reply_count
    return said


def _bounded(found: Sequence[SlackMessage], limit: int, *, keep_first: bool) -> list[SlackMessage]:
    """The newest that fit by number and size; of a thread its first message too."""
    first = list(found[:1]) if keep_first else []
    room = RESULT_CHARACTERS - sum(_size(message) for message in first)
    newest: list[SlackMessage] = []
    for message in reversed(found[len(first) :]):
        room -= _size(message)
        if room < 0 or len(first) + len(newest) == limit:
            break
        newest.insert(0, message)
    return [*first, *newest]


def _size(message: SlackMessage) -> int:
    files = sum(min(len(file), FILE_CHARACTERS) + 50 for file in message.files[:MOST_FILES])
    return min(len(message.text), MESSAGE_CHARACTERS) + min(len(message.author), AUTHOR_CHARACTERS) + files + 150


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[:characters]} … [{len(text) - characters} more characters cut]"


def _count(number: int, what: str) -> str:
    return f"one {what}" if number == 1 else f"{number} {what}s"
