"""What the tests of the HTTP API do: sign somebody in, ask, follow lines, over real sockets."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.api.agent.openapi import document
from bot.wiring.timings import Timings
from playground.google.oauth.service_account import PROJECT
from playground.people import DANA, TEAM_ID, Person
from tests.acceptance.world import APPROVE, HURRIED, World, button_ids, text_of

Json = dict[str, Any]
RUN, STREAM = "/api/agent/run", "/api/agent/run/stream"
FIRST = "countersign-first-line"
MODEL = "GenerateContent"
"""What the model is asked by, in the paths of its emulator."""

DOCUMENT = document("Countersign", "0", {})
_DECLARED = [
    (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", template)), {int(status) for status in each["responses"]})
    for template, methods in DOCUMENT["paths"].items()
    for method, each in methods.items()
]


def declared(method: str, path: str, status: int) -> int:
    """This status, which the API's document has for the route that was asked; of other paths it says nothing."""
    for known, template, statuses in _DECLARED:
        if known == method and template.fullmatch(path.partition("?")[0]):
            assert status in statuses, f"{method} {path} answers {status}, and the document has {sorted(statuses)}"
    return status


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: Json
    headers: Mapping[str, str]

    @classmethod
    def read(cls, status: int, text: str, headers: Mapping[str, str]) -> Answer:
        """As it came."""
        body = json.loads(text) if headers.get("content-type", "").startswith("application/json") else {"text": text}
        return cls(status, body, headers)

    @property
    def error(self) -> Json:
        return self.body["error"]


@dataclass(slots=True)
class Client:
    """A program that somebody signed in to."""

    url: str
    http: aiohttp.ClientSession
    cookie: str

    @property
    def headers(self) -> dict[str, str]:
        return {"origin": self.url, "cookie": f"__session={self.cookie}"}

    async def send(self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> Answer:
        """A request, with the cookie and the origin unless others are given."""
        url = f"{self.url}{path}"
        async with self.http.request(method, url, headers={**self.headers, **(headers or {})}, **more) as answer:
            return Answer.read(declared(method, path, answer.status), await answer.text(), answer.headers)

    async def post(self, path: str, body: object, *, key: str = "") -> Answer:
        headers = {"idempotency-key": key} if key else {}
        return await self.send("POST", path, headers=headers, json=body)

    async def run(self, prompt: str, *, key: str = "", **more: object) -> Answer:
        return await self.post(RUN, {"prompt": prompt, **more}, key=key)

    async def look(self, run_id: str) -> Answer:
        return await self.send("GET", f"{RUN}/{run_id}")

    @asynccontextmanager
    async def opened(self, method: str, path: str, **more: Any) -> AsyncGenerator[aiohttp.ClientResponse]:
        async with self.http.request(method, f"{self.url}{path}", headers=self.headers, **more) as answer:
            declared(method, path, answer.status)
            yield answer

    async def lines(self, prompt: str, **more: object) -> list[Json]:
        """All lines of a prompt's stream."""
        async with self.opened("POST", STREAM, json={"prompt": prompt, **more}) as answer:
            assert answer.status == 200, await answer.text()
            assert answer.headers["content-type"].startswith("application/x-ndjson")
            return [line async for line in read(answer)]

    async def joined(self, run_id: str, after: int | None = None) -> tuple[int, list[Json]]:
        """The number of the first line, and all lines, of a stream that is joined."""
        query = "" if after is None else f"?after={after}"
        async with self.opened("GET", f"{RUN}/{run_id}/stream{query}") as answer:
            assert answer.status == 200, await answer.text()
            return int(answer.headers[FIRST]), [line async for line in read(answer)]


async def read(answer: aiohttp.ClientResponse) -> AsyncGenerator[Json]:
    """The lines as they come; empty ones do not count."""
    async for line in answer.content:
        if line.strip():
            yield json.loads(line)


async def cookie_of(here: World, person: Person = DANA, **wish: object) -> str:
    """A session cookie of this person's, whose claims say who they are in Slack."""
    claims = {"slack_team_id": TEAM_ID, "slack_user_id": person.user_id}
    return (await here.google.post("/__admin/firebase", {"person": person.handle, "claims": claims, **wish}))["cookie"]


async def start_api(here: World, *, timings: Timings | None = None, **overrides: Any) -> None:
    """Start a bot with the HTTP API."""
    key_file = here.settings.sqlite_path.with_name("firebase.json")
    key_file.touch(mode=0o600)
    key_file.write_text(json.dumps(await here.google.get("/__admin/service_account")), encoding="utf-8")
    await here.start_bot(
        timings=timings,
        firebase_project_id=PROJECT,
        firebase_service_account_file=str(key_file),
        firebase_certs_url=f"{here.google.url}/identitytoolkit/v3/relyingparty/publicKeys",
        firebase_api_url=here.google.url,
        **overrides,
    )


async def start_hurried_api(here: World) -> None:
    """The same with a bot that hurries."""
    await start_api(here, timings=HURRIED)


async def client(here: World, person: Person = DANA, **wish: object) -> Client:
    """This person at the API."""
    assert here.bot is not None
    return Client(here.bot.url, here.slack.http, await cookie_of(here, person, **wish))


# What happens meanwhile ---------------------------------------------------------------------------------------------


async def hold(here: World, words: str, *, skip: int = 0, times: int = 1, seconds: float = 120) -> None:
    """The model does not answer whoever says this, after so many answers, until `mend`."""
    await here.gemini.fault("hold", path=MODEL, contains=words, skip=skip, times=times, seconds=seconds)


async def over(here: World, who: Client, run_id: str) -> Answer:
    """What is told of this run, once it neither works nor waits for an approval."""
    done = {"completed", "failed"}
    return await here.until(lambda: who.look(run_id), when=lambda now: now.body.get("status") in done)


async def card_of(here: World, title: str, button: str = APPROVE, *, person: Person = DANA) -> Json:
    """The card with these words and this button in the person's direct messages, once it is there."""
    return await here.message(here.dm_of(person), lambda m: button in button_ids(m) and title in text_of(m), title)
