"""A small Bolt app in the bot's place: shows a card, sends the mail when it is approved, opens a modal."""

from __future__ import annotations

import base64
import contextlib
from email.message import EmailMessage
from types import TracebackType
from typing import Any, Self

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from playground import people
from playground.clock import Clock
from tests.browser import cards
from tests.browser.supervision import Supervision

RUN, QUESTION, ACTION = "run_01HV8A2M4Q", "qst_01HV8A3N5R", "act_01HV8A3M9T"
HELEN = "Helen Marsh <helen.marsh@marshgardens.example>"


class StandIn:
    """Connects to Slack by Socket Mode with `async with`."""

    def __init__(self, *, slack: str, google: str, supervision: Supervision) -> None:
        self.client = AsyncWebClient(token=people.BOT_TOKEN, base_url=f"{slack}/api/")
        self._google = google
        self._slack = slack
        self._supervision = supervision
        self._clock = Clock()
        self._bolt = AsyncApp(client=self.client, process_before_response=True)
        self._socket = AsyncSocketModeHandler(self._bolt, people.APP_TOKEN)
        self._stack = contextlib.AsyncExitStack()
        self._listen()

    async def __aenter__(self) -> Self:
        self._http = await self._stack.enter_async_context(aiohttp.ClientSession())
        await self._socket.connect_async()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._socket.close_async()
        await self._stack.aclose()

    async def say(self, user: str, text: str) -> str:
        """The person writes to the app; returns the message's timestamp."""
        body = {"user": user, "channel": f"D{user[1:]}", "text": text}
        async with self._http.post(f"{self._slack}/__act/message", json=body) as response:
            return str((await response.json())["ts"])

    async def ask(self, user: str = people.DANA.user_id) -> str:
        """A request, and the card that waits for it; returns the request's timestamp."""
        root = await self.say(user, "Please answer Helen's mail about the benches: Thursday works.")
        channel = f"D{user[1:]}"
        await self.client.agents_sessions_setStatus(channel_id=channel, thread_ts=root, status="suspended")
        await self.post(user, cards.approval(QUESTION, user), thread_ts=root, text="Send this mail?")
        self.record("run.queued")
        self.record("question.opened", action=ACTION, question=QUESTION, tool="gmail_send")
        return root

    async def post(self, user: str, blocks: list[dict[str, Any]], **more: Any) -> str:
        said = await self.client.chat_postMessage(channel=f"D{user[1:]}", blocks=blocks, **more)
        return str(said["ts"])

    def record(self, code: str, actor: str = "U0DANA", **body: Any) -> None:
        self._supervision.record(code, self._clock.now().isoformat(), actor, RUN, **body)

    def _listen(self) -> None:
        self._bolt.action("approve")(self._approved)
        self._bolt.action("go")(self._modal)
        self._bolt.view("settings")(self._submitted)
        self._bolt.command("/agent")(self._command)
        self._bolt.event("message")(_taken)
        self._bolt.event("app_home_opened")(self._home)

    async def _approved(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        await ack()
        self.record("vote.cast", actor=body["user"]["id"], action=ACTION, question=QUESTION, choice="approve")
        self.record("action.claimed", actor="agent", action=ACTION, tool="gmail_send", attempt=1)
        await self._send()
        self.record("action.completed", actor="agent", action=ACTION, tool="gmail_send", attempt=1)
        where = {"channel": body["channel"]["id"], "ts": body["message"]["ts"]}
        done = [
            *body["message"]["blocks"][:3],
            {"type": "context", "elements": [cards.text("*Approved* by <@U0DANA> · sent")]},
        ]
        await self.client.chat_update(**where, text="Sent", blocks=done)
        answer = "Done: I answered Helen that **Thursday works**."
        thread = body["message"]["thread_ts"]
        await self.client.chat_postMessage(channel=where["channel"], thread_ts=thread, markdown_text=answer)
        await self.client.agents_sessions_setStatus(channel_id=where["channel"], thread_ts=thread, status="active")

    async def _send(self) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = people.DANA.email, HELEN, "Re: Benches for the terrace"
        mail.set_content("Hello Helen,\n\nThursday works for us.\n\nBest,\nDana")
        raw = base64.urlsafe_b64encode(mail.as_bytes()).decode()
        url = f"{self._google}/gmail/v1/users/me/messages/send"
        token = {"Authorization": f"Bearer ya29.playground-{people.DANA.handle}"}
        async with self._http.post(url, json={"raw": raw}, headers=token) as response:
            response.raise_for_status()

    async def _modal(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        await ack()
        await self.client.views_open(trigger_id=body["trigger_id"], view=cards.modal())

    async def _submitted(self, ack: AsyncAck, view: dict[str, Any]) -> None:
        if view["state"]["values"]["body"]["v"]["value"] == "wrong":
            await ack(response_action="errors", errors={"body": "Say something better."})
        else:
            await ack()

    async def _command(self, ack: AsyncAck, command: dict[str, Any]) -> None:
        await ack(f"You asked `{command['command']} {command['text']}`.")

    async def _home(self, event: dict[str, Any]) -> None:
        blocks = [
            {"type": "header", "text": cards.text("Your agent", "plain_text")},
            {"type": "section", "text": cards.text("*Trust level* supervised · *Google* connected")},
        ]
        await self.client.views_publish(user_id=event["user"], view={"type": "home", "blocks": blocks})


async def _taken() -> None:
    """Messages are acknowledged and nothing else."""
