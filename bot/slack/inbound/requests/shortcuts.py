"""The message shortcut “Ask the agent about this”, and the window that it opens."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pydantic import Json

from bot.runtime.runs.incoming import SharedFile, SharedMessage
from bot.runtime.runs.message_requests import MessageRequest, MessageRequests
from bot.slack.connection.directory import SlackDirectory, UnknownPerson
from bot.slack.connection.errors import SlackError
from bot.slack.connection.schema import SlackModel, SlackRequest, Text, at, text_at
from bot.slack.connection.web import SlackWeb
from bot.slack.connection.windows import Answer, instead, wrong
from bot.slack.inbound.events import MessageChosen, MessageReader
from bot.slack.inbound.people import Members
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import ask_form, command, ids
from bot.slack.views.blocks import Block
from bot.store.errors import NotRead, NotSaved


class Context(SlackModel):
    """What the window holds for its request, and Slack brings back with it."""

    messages: tuple[SharedMessage, ...]
    files: tuple[SharedFile, ...] = ()


class SubmittedShortcut(SlackRequest):
    """The window as it was sent (docs.slack.dev/reference/interaction-payloads/view-interactions-payload)."""

    user: str = at("user", "id")
    form: str = at("view", "id")
    context: Json[Context] = at("view", "private_metadata")
    text: Text = text_at("view", "state", "values", ask_form.REQUEST, ask_form.REQUEST, "value")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortcutListener:
    """Opens the window, and begins a request with what was written in it. The message is kept by the window alone, so a
    window that is closed leaves nothing behind.
    """

    requests: MessageRequests
    reader: MessageReader
    members: Members
    directory: SlackDirectory
    web: SlackWeb
    replies: Replies

    def register(self, router: Router) -> None:
        """The shortcut, and its window."""
        router.shortcut(ids.ASK_ABOUT, self.reader.chosen, self.chosen)
        router.form(ids.ASK_FORM, SubmittedShortcut.parse, self.asked)

    async def chosen(self, chosen: MessageChosen) -> None:
        """Ask what to do with the message. Raises `NotSaved`."""
        person = await self.members.find(chosen.team, chosen.user)
        window = ask_form.refused(person) if isinstance(person, str) else await self._window(chosen)
        self.replies.open(chosen.trigger, window, response_url=chosen.response_url, otherwise=ask_form.NOT_OPENED)

    async def _window(self, chosen: MessageChosen) -> Block:
        first, *forwarded = chosen.messages
        if not (first.text or forwarded or chosen.files):
            return ask_form.refused(ask_form.NOTHING_TO_READ)
        first = replace(first, author=first.author or await self._name(chosen))
        kept = Context(messages=(first, *forwarded), files=tuple(chosen.files)).model_dump_json()
        if len(kept) > ask_form.METADATA_LIMIT:
            return ask_form.refused(ask_form.TOO_LONG)
        text = next((message.text for message in (first, *forwarded) if message.text), "")
        return ask_form.form(author=first.author, channel=first.channel, text=text, kept=kept)

    async def _name(self, chosen: MessageChosen) -> str:
        try:
            return (await self.directory.profile(chosen.team, chosen.author)).name
        except UnknownPerson:
            return "somebody"

    async def asked(self, asked: SubmittedShortcut) -> Answer:
        """What Slack does with the window: close it, or show why it stays open."""
        if not asked.text.strip():
            return _wrong(ask_form.EMPTY)
        try:
            person = await self.members.find(asked.team, asked.user)
            if isinstance(person, str):
                return instead(ask_form.refused(person))
            refusal = await self.requests.begin(await self._request(asked))
        except SlackError:
            return _wrong(ask_form.NO_DIRECT)
        except (NotSaved, NotRead):
            return _wrong(command.NOT_SAVED)
        return _wrong(refusal) if refusal else {}

    async def _request(self, asked: SubmittedShortcut) -> MessageRequest:
        return MessageRequest(
            team=asked.team,
            user=asked.user,
            channel=await self.web.direct(asked.user),
            form=asked.form,
            text=asked.text.strip(),
            messages=asked.context.messages,
            files=asked.context.files,
        )


def _wrong(text: str) -> Answer:
    return wrong({ask_form.REQUEST: text})
