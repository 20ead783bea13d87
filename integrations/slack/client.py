"""Slack as one person may see it: public channels, and those they are a member of, checked at every call.

Message text becomes plain words. The control sequences are those of Slack's page "Formatting text for app surfaces":
`<@U…>`, `<#C…|name>`, `<!here>`, `<!subteam^S…|@name>`, `<!date^…|fallback>`, `<https://…|label>`, `&amp; &lt; &gt;`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from slack_sdk.web.async_client import AsyncWebClient

from integrations.base import Requester
from integrations.errors import ModelRetry, ToolFailed
from integrations.items import NOT_READ, each_read
from integrations.ports import Channel, Clock, SlackMessage
from integrations.slack.people import Person, SlackPeople
from integrations.slack.web import Aging, Object, SlackReadRefused, Web, flag, number, objects, part, sequence, text
from policies.guards.addresses import links

CHANNEL_PAGES = 10
MEMBER_PAGES = 25
THREAD_PAGES = 5
SECONDS_OF_AUDIENCE = 10  # one answer looks at one audience for several channels
MOST_OUTSIDERS = 100

_ID = re.compile(r"[CG][A-Z0-9]{2,}")  # a D… is a conversation of two: nothing that slack_read reads
_MISSING = frozenset(
    {"channel_not_found", "missing_channel", "method_not_supported_for_channel_type", "not_in_channel"}
)
_SEQUENCE = re.compile(r"<([^<>]*)>")
_MENTIONED = re.compile(r"<([@#][A-Z0-9]+|!subteam\^[A-Z0-9]+)\|[^<>]*>")
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^<>]*)?>")
_BROADCASTS = frozenset({"here", "channel", "everyone"})


class WebReader:
    """Implements `SlackReader` over the Web API, with the app's own token.

    The app sees more than a person does, so every answer is cut down to what Slack would show the requester: a guest
    sees only the channels they were added to. Where the app itself is no member, the error says how to invite it.
    """

    def __init__(self, *, client: AsyncWebClient, clock: Clock, bot_name: str = "countersign") -> None:
        self._web = Web(client)
        self._people = SlackPeople(self._web, clock)
        self._bot_name = bot_name
        self._rooms = Aging(self._room, seconds=SECONDS_OF_AUDIENCE, clock=clock)
        self._members = Aging(self._members_now, seconds=SECONDS_OF_AUDIENCE, clock=clock)

    async def channels(self, requester: Requester) -> Sequence[Channel]:
        """The public channels and the private ones they are in, their own first, by name. Raises `ToolFailed`."""
        mine, _ = await self._web.listing(
            "users.conversations",
            "channels",
            pages=CHANNEL_PAGES,
            user=requester.user,
            types="public_channel,private_channel",
            exclude_archived=True,
        )
        joined = {text(room, "id") for room in objects(mine)}
        found = {text(room, "id"): room for room in [*await self._public_for(requester), *objects(mine)]}
        for channel_id, room in found.items():
            self._rooms.put(channel_id, room)
        channels = [_channel(room, is_member=channel_id in joined) for channel_id, room in found.items()]
        return sorted(channels, key=lambda channel: (not channel.is_member, channel.name))

    async def are_members(self, users: Collection[str]) -> bool:
        """Whether all of them are full members of the workspace by now; what Slack does not tell counts as no."""
        try:
            found = await self._people.find_all(users)
        except SlackReadRefused:
            return False
        return all(user in found and found[user].is_member for user in users)

    async def messages(
        self, requester: Requester, channel: str, *, thread_ts: str | None, limit: int
    ) -> Sequence[SlackMessage]:
        """The newest messages, oldest first; of a thread its first message and the newest replies.

        Raises `ModelRetry` for a channel that is unknown or hidden from them, and where the app must be invited first.
        """
        room = await self._visible_room(requester, channel)
        try:
            found = await self._thread(room, thread_ts, limit) if thread_ts else await self._newest(room, limit)
        except SlackReadRefused as refusal:
            raise self._explained(refusal, room) from refusal
        return await self._written(text(room, "id"), found)

    async def seen_by_all(self, channel: str, *, readers_of: str | None) -> bool:
        """Whether every reader of `readers_of` could also read `channel`; what cannot be told counts as no."""
        if readers_of in {None, channel}:
            return True
        try:
            return await self._covers(channel, str(readers_of))
        except SlackReadRefused:
            return False

    async def may_read(self, requester: Requester, channel: str) -> bool:
        """Whether they can read this conversation; what the app cannot look at counts as no."""
        try:
            return await self._may_see(requester, await self._room(channel))
        except SlackReadRefused:
            return False

    # Which channel -----------------------------------------------------------------------------------------------

    async def _public_for(self, requester: Requester) -> list[Object]:
        if not (await self._people.find(requester.user)).is_member:
            return []
        public, _ = await self._web.listing(
            "conversations.list", "channels", pages=CHANNEL_PAGES, types="public_channel", exclude_archived=True
        )
        return objects(public)

    async def _visible_room(self, requester: Requester, channel: str) -> Object:
        wanted = channel.strip().strip("<>").partition("|")[0].removeprefix("#")
        if not _ID.fullmatch(wanted):
            named = (known.id for known in await self.channels(requester) if known.name == wanted.lower())
            wanted = next(named, "")
        if not wanted:
            raise self._not_found(channel)
        try:
            room = await self._room(wanted)
            visible = await self._may_see(requester, room)
        except SlackReadRefused as refusal:
            if refusal.error in _MISSING:
                raise self._not_found(channel) from refusal
            raise
        if not visible:
            raise self._not_found(channel)
        return room

    async def _may_see(self, requester: Requester, room: Object) -> bool:
        if _is_public(room) and (await self._people.find(requester.user)).is_member:
            return True
        return requester.user in (await self._members_now(text(room, "id")))[0]

    async def _room(self, channel: str) -> Object:
        return part(await self._web.call("conversations.info", channel=channel), "channel")

    async def _members_now(self, channel: str) -> tuple[frozenset[str], bool]:
        found, complete = await self._web.listing(
            "conversations.members", "members", pages=MEMBER_PAGES, channel=channel
        )
        return frozenset(member for member in found if isinstance(member, str)), complete

    # Who could read it -------------------------------------------------------------------------------------------

    async def _covers(self, channel: str, place: str) -> bool:
        room, place_room = await self._rooms.get(channel), await self._rooms.get(place)
        if _is_public(place_room) and not _is_public(room):
            return False
        if flag(place_room, "is_ext_shared") or flag(place_room, "is_pending_ext_shared"):
            return False
        readers, complete = await self._members.get(place)
        return complete and await self._all_in(readers, room)

    async def _all_in(self, readers: frozenset[str], room: Object) -> bool:
        inside, complete = await self._members.get(text(room, "id"))
        outside = readers - inside
        if not outside:
            return True
        if not complete or len(outside) > MOST_OUTSIDERS:
            return False
        people = (await self._people.find_all(outside)).values()
        return all(person.is_bot or (person.is_member and _is_public(room)) for person in people)

    # What it says ------------------------------------------------------------------------------------------------

    async def _newest(self, room: Object, limit: int) -> list[Object]:
        answer = await self._web.call("conversations.history", channel=text(room, "id"), limit=limit)
        return objects(sequence(answer, "messages"))[:limit][::-1]

    async def _thread(self, room: Object, thread_ts: str, limit: int) -> list[Object]:
        found, _ = await self._web.listing(
            "conversations.replies", "messages", pages=THREAD_PAGES, channel=text(room, "id"), ts=thread_ts
        )
        said = objects(found)
        return said if len(said) <= limit else [*said[:1], *said[len(said) - limit + 1 :]]

    async def _written(self, channel: str, found: Sequence[Object]) -> list[SlackMessage]:
        ids = {text(message, "user") for message in found}
        ids = ids.union(*(mentioned(text(message, "text")) for message in found))
        people = await self._people.find_all(ids)
        names = {person.id: person.name for person in people.values()}
        return each_read(
            found,
            lambda message: _message(message, channel, people, names),
            unread=lambda message: _unread(message, channel),
        )

    # Refusals ----------------------------------------------------------------------------------------------------

    def _not_found(self, channel: str) -> ModelRetry:
        return ModelRetry(
            "channel_not_found",
            f"There is no channel {channel} that this person can see, or the app is not in it.",
            hint=f"Look with slack_channels. Into a private channel somebody has to invite @{self._bot_name} first.",
            private=False,
        )

    def _explained(self, refusal: SlackReadRefused, room: Object) -> ToolFailed | ModelRetry:
        name = text(room, "name") or "the channel"
        if refusal.error in {"not_in_channel", "channel_not_found"}:
            return ModelRetry(
                "bot_not_in_channel",
                f"The app is not a member of #{name}, so it cannot read there.",
                hint=f"Ask somebody in #{name} to write: /invite @{self._bot_name}",
            )
        if refusal.error in {"thread_not_found", "invalid_arguments", "invalid_ts_latest", "invalid_ts_oldest"}:
            return ModelRetry(
                "thread_not_found",
                f"There is no such thread in #{name}.",
                hint="Take thread_ts from a message that slack_read showed.",
            )
        return refusal


def _is_public(room: Object) -> bool:
    return not (flag(room, "is_private") or flag(room, "is_im") or flag(room, "is_mpim"))


def _channel(room: Object, *, is_member: bool) -> Channel:
    return Channel(
        id=text(room, "id"),
        name=text(room, "name"),
        topic=plain(text(part(room, "topic"), "value"), people={}),
        topic_by=text(part(room, "topic"), "creator"),
        is_private=flag(room, "is_private"),
        is_member=is_member,
    )


def _message(message: Object, channel: str, people: Mapping[str, Person], names: Mapping[str, str]) -> SlackMessage:
    author = people.get(text(message, "user"))
    by_app = bool(text(message, "bot_id"))
    return SlackMessage(
        channel=channel,
        ts=text(message, "ts"),
        author=author.shown_as if author else f"{text(message, 'username') or 'An app'} (app)",
        text=own_words(text(message, "text"), names),
        files=[_file(file) for file in objects(sequence(message, "files"))],
        by_member=author is not None and author.is_member and not by_app,
        thread_ts=text(message, "thread_ts") or None,
        reply_count=number(message, "reply_count"),
    )


def _unread(message: Object, channel: str) -> SlackMessage:
    said = f"[This message {NOT_READ}.]"
    return SlackMessage(channel=channel, ts=text(message, "ts"), author="?", text=said, by_member=False)


def own_words(text: str, people: Mapping[str, str]) -> str:
    """The text as a person reads it, with ids in the place of names where a name would make an address that its author
    did not write: people and groups choose their own.
    """
    said, without_names = plain(text, people=people), plain(_MENTIONED.sub(r"<\1>", text), people={})
    return said if links.found(said) == links.found(without_names) else without_names


def _file(file: Object) -> str:
    """By its id it can be attached to a mail."""
    known = f", id {text(file, 'id')}" if text(file, "id") else ""
    return f"{text(file, 'name') or 'unnamed'}{known}"


def mentioned(text: str) -> set[str]:
    """The ids of the people that a text mentions."""
    return set(_MENTION.findall(text))


def plain(text: str, *, people: Mapping[str, str]) -> str:
    """The text as a person reads it. `people` maps ids to names; an id that is not there stays as it is."""
    words = _SEQUENCE.sub(lambda found: _word(found.group(1), people), text)
    return words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _word(inside: str, people: Mapping[str, str]) -> str:
    target, _, label = inside.partition("|")
    if target.startswith("@"):
        return f"@{people.get(target[1:], label or target[1:])}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return _special(target[1:], label)
    address = target.removeprefix("mailto:").removeprefix("tel:")
    return address if label in {"", address, target} else f"{label} ({address})"


def _special(command: str, label: str) -> str:
    if command.partition("^")[0] in _BROADCASTS:
        return f"@{command.partition('^')[0]}"
    return label or "@a group"
