"""A small app in the bot's place: shows a card, sends the mail when it is approved, opens a modal.

It speaks Socket Mode and the Web API in plain JSON, because it is the page that is tested with it.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import Callable
from email.message import EmailMessage
from types import TracebackType
from typing import Any, Self

import aiohttp

from playground import people
from playground.clock import Clock
from tests.patience import PATIENCE_SECONDS
from tests.verification.browser import cards
from tests.verification.browser.supervision import Supervision

Payload = dict[str, Any]

RUN, QUESTION, ACTION = "run_01hv8a2m4q", "qst_01hv8a3n5r", "act_01hv8a3m9t"
HELEN = "Helen Marsh <helen.marsh@marshgardens.example>"
SUBJECT = "Re: Benches for the terrace"


class StandIn:
    """Connects to the Slack emulator with `async with`."""

    def __init__(self, *, slack: str, google: str, supervision: Supervision) -> None:
        self._slack = slack
        self._google = google
        self._supervision = supervision
        self._clock = Clock()
        self._stack = contextlib.AsyncExitStack()
        self.heard: list[Payload] = []
        self._came = asyncio.Event()
        self.window = cards.modal()

    async def __aenter__(self) -> Self:
        self._http = await self._stack.enter_async_context(aiohttp.ClientSession())
        opened = await self.call("apps.connections.open", token=people.APP_TOKEN)
        self._socket = await self._stack.enter_async_context(self._http.ws_connect(opened["url"]))
        self._listening = asyncio.create_task(self._listen(), name="stand-in")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._listening
        await self._stack.aclose()

    async def call(self, method: str, *, token: str = people.BOT_TOKEN, **body: Any) -> Payload:
        """A Web API method; a refusal fails the test."""
        headers = {"Authorization": f"Bearer {token}"}
        async with self._http.post(f"{self._slack}/api/{method}", json=body, headers=headers) as response:
            answer: Payload = await response.json()
        assert answer["ok"], (method, answer)
        return answer

    async def act(self, name: str, **body: Any) -> Payload:
        """Somebody does something in Slack."""
        async with self._http.post(f"{self._slack}/__act/{name}", json=body) as response:
            answer: Payload = await response.json()
        assert answer["ok"], (name, answer)
        return answer

    async def admin(self, name: str, **body: Any) -> None:
        """A setting of the Slack emulator."""
        async with self._http.post(f"{self._slack}/__admin/{name}", json=body) as response:
            response.raise_for_status()

    async def reset(self) -> None:
        """Both emulators as seeded."""
        self.heard.clear()
        self.window = cards.modal()
        await self.admin("reset")
        async with self._http.post(f"{self._google}/__admin/reset", json={}) as response:
            response.raise_for_status()

    async def say(self, user: str, text: str, **more: Any) -> str:
        """The person writes to the app; returns the message's timestamp."""
        return str((await self.act("message", user=user, channel=dm(user), text=text, **more))["ts"])

    async def post(self, user: str, blocks: list[Payload], **more: Any) -> str:
        """The app writes to the person."""
        said = await self.call("chat.postMessage", channel=dm(user), blocks=blocks, **{"text": "A message", **more})
        return str(said["ts"])

    async def ask(self, user: str = people.DANA.user_id) -> str:
        """A request, and the card that waits for it; returns the request's timestamp."""
        root = await self.say(user, "Please answer Helen's mail about the benches: Thursday works.")
        await self.session(user, root, "suspended")
        await self.post(user, cards.approval(QUESTION, user), thread_ts=root, text="Send this mail?")
        self.record("run.queued", actor=user, source=f"slack:{people.TEAM_ID}:{dm(user)}:{root}")
        self.record("question.asked", action=ACTION, question=QUESTION, kind="approve")
        return root

    async def hears(self, wanted: Callable[[Payload], bool]) -> Payload:
        """What the app heard of this kind, the newest, once there is any."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                self._came.clear()
                if found := [one for one in self.heard if wanted(one)]:
                    return found[-1]
                await self._came.wait()

    async def pressed(self, action_id: str) -> Payload:
        """The payload of the press of this button."""
        return (await self.hears(lambda one: _is_about(one, action_id)))["payload"]

    async def session(self, user: str, root: str, status: str) -> None:
        await self.call("agents.sessions.setStatus", channel_id=dm(user), thread_ts=root, status=status)

    def record(self, code: str, actor: str = "agent", of: str = RUN, **body: Any) -> None:
        self._supervision.record(code, self._clock.now().isoformat(), actor, of, **body)

    async def _listen(self) -> None:
        async for frame in self._socket:
            envelope: Payload = json.loads(frame.data)
            if "envelope_id" not in envelope:
                continue
            self.heard.append(envelope)
            self._came.set()
            answer = self._answer(envelope["type"], envelope["payload"])
            await self._socket.send_json({"envelope_id": envelope["envelope_id"], **answer})
            await self._after(envelope["type"], envelope["payload"])

    def _answer(self, kind: str, payload: Payload) -> Payload:
        if kind == "slash_commands":
            return {"payload": {"text": f"You asked `{payload['command']} {payload['text']}`."}}
        if payload["type"] == "view_submission" and payload["view"]["state"]["values"]["body"]["v"]["value"] == "wrong":
            return {"payload": {"response_action": "errors", "errors": {"body": "Say something better."}}}
        return {}

    async def _after(self, kind: str, payload: Payload) -> None:
        if kind == "events_api" and payload["event"]["type"] == "app_home_opened":
            await self._home(payload["event"]["user"])
        if kind == "interactive" and payload["type"] == "block_actions":
            await self._clicked(payload["actions"][0]["action_id"], payload)
        opens = kind == "slash_commands" and payload["text"].startswith("run")
        if opens or (kind == "interactive" and payload["type"] == "message_action"):
            await self.call("views.open", trigger_id=payload["trigger_id"], view=self.window)

    async def _clicked(self, action: str, payload: Payload) -> None:
        if action == "approve":
            await self._approved(payload)
        elif action == "go":
            await self.call("views.open", trigger_id=payload["trigger_id"], view=self.window)

    async def _approved(self, payload: Payload) -> None:
        self.record("question.decided", payload["user"]["id"], action=ACTION, question=QUESTION, decision="approve")
        self.record("action.claimed", action=ACTION, tool="gmail_send", attempt=1)
        await self._send()
        self.record("action.completed", action=ACTION, tool="gmail_send", attempt=1)
        channel, message = payload["channel"]["id"], payload["message"]
        verdict = {"type": "context", "elements": [cards.text("*Approved* by <@U0DANA> · ✓ Done.")]}
        await self.call("chat.update", channel=channel, ts=message["ts"], blocks=[*message["blocks"][:3], verdict])
        root = message["thread_ts"]
        answer = "Done: I answered Helen that **Thursday works**."
        await self.call("chat.postMessage", channel=channel, thread_ts=root, markdown_text=answer)
        await self.session(payload["user"]["id"], root, "active")

    async def _send(self) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = people.DANA.email, HELEN, SUBJECT
        mail.set_content("Hello Helen,\n\nThursday works for us.\n\nBest,\nDana")
        await self.deliver(people.DANA.handle, mail)

    async def deliver(self, handle: str, mail: EmailMessage) -> None:
        """The person sends this mail."""
        url = f"{self._google}/gmail/v1/users/me/messages/send"
        token = {"Authorization": f"Bearer ya29.playground-{handle}"}
        raw = base64.urlsafe_b64encode(mail.as_bytes()).decode()
        async with self._http.post(url, json={"raw": raw}, headers=token) as response:
            response.raise_for_status()

    async def _home(self, user: str) -> None:
        blocks = [
            {"type": "header", "text": cards.text("Your agent", "plain_text")},
            {"type": "section", "text": cards.text("*Trust level* supervised · *Google* connected")},
        ]
        await self.call("views.publish", user_id=user, view={"type": "home", "blocks": blocks})


def dm(user: str) -> str:
    """The channel in which a person talks with the app."""
    return f"D{user[1:]}"


def _is_about(envelope: Payload, action_id: str) -> bool:
    return any(action["action_id"] == action_id for action in envelope["payload"].get("actions", ()))
