"""Slack as people use it: they write, read and press buttons."""

from __future__ import annotations

import json
from collections.abc import Mapping

from playground.errors import EmulatorRefused
from playground.people import BOT_USER_ID, PEOPLE, ROOMS, Person
from playground.stage.cards import Button, Posted, posted
from playground.stage.emulator import Emulator
from playground.stage.fields import Fields, fields, rows, text


class SlackStage:
    """Acts in the Slack emulator and reads its state."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator

    async def dm(self, person: Person) -> str:
        """The channel of a person's direct messages with the agent."""
        return text(await self.emulator.get("/__act/dm", user=person.user_id), "channel")

    async def say(self, person: Person, channel: str, said: str, thread: str | None = None) -> str:
        """Posts as a person and returns the message's timestamp; `@countersign` becomes a mention."""
        act = {"user": person.user_id, "channel": channel, "text": said.replace("@countersign", f"<@{BOT_USER_ID}>")}
        answer = await self.emulator.post("/__act/message", {**act, "thread_ts": thread} if thread else act)
        ts = text(answer, "ts") or text(fields(answer.get("message")), "ts")
        if not ts:
            raise EmulatorRefused("a message", answer)
        return ts

    async def press(self, person: Person, card: Posted, button: Button) -> bool:
        """Presses a button of a card; whether the agent acknowledged the click in Slack's three seconds."""
        answer = await self.emulator.post(
            "/__act/click",
            {
                "user": person.user_id,
                "channel": card.channel,
                "message_ts": card.ts,
                "action_id": button.action_id,
                "block_id": button.block_id,
                "value": button.value,
            },
        )
        return answer.get("acked") is True

    async def command(self, person: Person, said: str) -> str:
        """Types `/agent …` in the direct messages; the answer, which this person alone sees."""
        act = {"user": person.user_id, "channel": await self.dm(person), "command": "/agent", "text": said}
        answer = await self.emulator.post("/__act/command", act)
        return json.dumps(answer, ensure_ascii=False)

    async def modal(self, person: Person) -> Fields | None:
        """The uppermost form that a person has open."""
        opened = rows(fields((await self.emulator.state()).get("views")), person.user_id)
        return opened[-1] if opened else None

    async def submit(self, person: Person, view: Fields, filled: Mapping[str, str]) -> Fields:
        """Sends a form with some of its fields changed; Slack's answer."""
        values = {block: _filled(view, block, value) for block, value in filled.items()}
        act = {"user": person.user_id, "view_id": text(view, "id"), "values": values}
        return await self.emulator.post("/__act/submit", act)

    async def messages(self, channel: str, *, since: str = "") -> list[Posted]:
        """The messages of a channel and its threads since `since`, oldest first."""
        state = await self.emulator.state()
        found = (posted(message, channel) for message in rows(fields(state.get("messages")), channel))
        return sorted((message for message in found if message.ts >= since), key=lambda message: message.ts)

    async def by_agent(self, channel: str, *, since: str = "") -> list[Posted]:
        return [message for message in await self.messages(channel, since=since) if message.author == BOT_USER_ID]

    async def waiting_cards(self, channel: str, *, since: str = "") -> list[Posted]:
        """The agent's messages that offer an approval."""
        return [message for message in await self.by_agent(channel, since=since) if _asks(message)]

    async def sent_to(self, channel: str, *, after: int = 0) -> list[Fields]:
        """The log's entries of everything that the agent sent to a channel."""
        return [entry for entry in await self.emulator.log(after) if _goes_to(entry, channel)]


def _asks(message: Posted) -> bool:
    """Whether it asks for approval: Continue looks like Approve, but has no Reject beside it."""
    return message.button("Approve") is not None and message.button("Reject") is not None


_KEYS = {"datepicker": "selected_date", "timepicker": "selected_time"}


def _filled(view: Fields, block: str, value: str) -> Fields:
    """The value of an input after a person wrote this into it. Raises LookupError for an unknown field."""
    for row in rows(view, "blocks"):
        if text(row, "block_id") == block:
            element = fields(row.get("element"))
            kind = text(element, "type")
            return {text(element, "action_id"): {"type": kind, _KEYS.get(kind, "value"): value}}
    offered = ", ".join(text(row, "block_id") for row in rows(view, "blocks") if row.get("type") == "input")
    raise LookupError(f"the form has no field {block!r}; it has {offered}")


def person_called(handle: str) -> Person:
    """A person of the company. Raises LookupError for a stranger."""
    for person in PEOPLE:
        if person.handle == handle.casefold():
            return person
    raise LookupError(f"nobody at the company is called {handle!r}: {', '.join(one.handle for one in PEOPLE)}")


def room_called(name: str) -> str:
    """The id of `#name`. Raises LookupError."""
    for room in ROOMS:
        if f"#{room.name}" == name:
            return room.channel_id
    raise LookupError(f"there is no channel {name}: {', '.join('#' + room.name for room in ROOMS)}")


def _goes_to(entry: Fields, channel: str) -> bool:
    request = fields(entry.get("request"))
    return entry.get("direction") == "in" and channel in {text(request, "channel"), text(request, "channel_id")}
