"""The Google emulator over a real socket, and the tools of one person on it, through google-api-python-client."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, cast

import aiohttp
import pytest

from integrations.base import Call, Preview, Reconciled, Requester, Result, Tool, ToolArgs
from integrations.calendar.toolset import calendar_tools
from integrations.errors import Ambiguous, Lack, NotConnected
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.toolset import mail_tools
from integrations.google.client import GoogleClient
from integrations.google.scopes import EVENTS, MAIL_COMPOSE, MAIL_MODIFY, MAIL_READ
from integrations.grants import GoogleGrant
from integrations.ports import SlackFiles
from playground.google.app import Emulator
from playground.people import MARA, PEOPLE, TEAM_ID, Person
from playground.serve import Served
from policies.provenance import Impact

Arguments = Mapping[str, object]

ALL_SCOPES = frozenset(
    {MAIL_READ, MAIL_COMPOSE, MAIL_MODIFY, EVENTS, "https://www.googleapis.com/auth/calendar.freebusy"}
)
CONNECT_HELP = "No working Google account is connected. Ask Mara, she connects accounts."


@dataclass(slots=True)
class EmulatorClock:
    """The emulator's own time, so that both agree on what is past."""

    emulator: Emulator

    def now(self) -> datetime:
        return self.emulator.admin.clock.now()


@dataclass(slots=True)
class PlaygroundGrants:
    """The tokens that the playground gives its people."""

    scopes: frozenset[str] = ALL_SCOPES
    told: list[str] = field(default_factory=list[str])

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        person = next((person for person in PEOPLE if person.user_id == requester.user), None)
        if person is None:
            raise NotConnected(Lack.ACCOUNT, CONNECT_HELP)
        token = f"ya29.playground-{person.handle}"
        return GoogleGrant(account=person.google_sub, email=person.email, access_token=token, scopes=self.scopes)

    async def refused(self, requester: Requester, account: str) -> None:
        self.told.append(account)


@dataclass(slots=True)
class World:
    """The emulator, the tools, and what the tools noted (one dict per action's key)."""

    emulator: Emulator
    url: str
    grants: PlaygroundGrants
    clock: EmulatorClock
    google: GoogleClient
    tools: Mapping[str, Tool[ToolArgs]]
    notes: dict[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    seen: int = 0

    def call(self, key: str, *, who: Person = MARA, attempt: int = 1) -> Call:
        async def note(value: Mapping[str, object]) -> None:
            self.notes[key] = value

        return Call(
            requester=Requester(team=TEAM_ID, user=who.user_id, name=who.name, email=who.email, zone=who.zone),
            run_id="run-1",
            key=key,
            attempt=attempt,
            deadline=self.clock.now() + timedelta(seconds=60),
            noted=self.notes.get(key, {}),
            note=note,
        )

    async def preview(self, name: str, arguments: Arguments, *, who: Person = MARA) -> Preview:
        tool = self.tools[name]
        return await tool.preview(tool.args.model_validate(arguments), self.call("preview", who=who))

    async def impact(self, name: str, arguments: Arguments, *, who: Person = MARA) -> Impact:
        """What policy judges of the call where nobody is asked in any case."""
        tool, call = self.tools[name], self.call("preview", who=who)
        args = tool.args.model_validate(arguments)
        found = (await tool.with_rivals(args, call, await tool.preview(args, call))).impact
        assert found is not None
        return found

    async def execute(
        self,
        name: str,
        arguments: Arguments,
        *,
        key: str = "k1",
        attempt: int = 1,
        who: Person = MARA,
        card: Preview | None = None,
        doubt: bool = False,
        ahead: object = None,
    ) -> Result:
        tool, call = self.tools[name], replace(self.call(key, who=who, attempt=attempt), doubt=doubt, ahead=ahead)
        if card:
            call = replace(call, basis=card.basis, account=card.account)
        return await tool.execute(tool.args.model_validate(arguments), call)

    async def look_ahead(self, name: str, arguments: Arguments, *, who: Person = MARA) -> object:
        tool, call = self.tools[name], self.call("look ahead", who=who)
        grant = await self.grants.grant(call.requester, tool.scopes)
        return await tool.look_ahead(tool.args.model_validate(arguments), call, grant)

    async def reconcile(
        self, name: str, arguments: Arguments, *, key: str = "k1", who: Person = MARA, card: Preview | None = None
    ) -> Reconciled:
        async def no_note(value: Mapping[str, object]) -> None:
            raise AssertionError("settling notes nothing")

        tool, call = self.tools[name], replace(self.call(key, who=who), note=no_note)
        if card:
            call = replace(call, basis=card.basis, account=card.account)
        return await tool.reconcile(tool.args.model_validate(arguments), call)

    async def interrupt(
        self,
        fault: str,
        path: str,
        name: str,
        arguments: Arguments,
        *,
        method: str = "",
        key: str = "k1",
        card: Preview | None = None,
        **more: object,
    ) -> None:
        """An attempt that meets this fault at this path, so that nobody can tell what came of it."""
        self.fault(fault, path, method=method, **more)
        with pytest.raises(Ambiguous):
            await self.execute(name, arguments, key=key, card=card)

    def begin(self) -> World:
        """As on the first day: for the next test."""
        self.emulator.reset()
        self.emulator.admin.faults.clear()
        self.grants.scopes = ALL_SCOPES
        self.grants.told.clear()
        self.notes.clear()
        self.seen = len(self.emulator.admin.log.after(0))
        return self

    def fault(self, kind: str, path: str, *, method: str = "", **more: object) -> None:
        self.emulator.admin.faults.add({"kind": kind, "match": {"path": path, "method": method}, **more})

    def requests(self, path: str) -> int:
        """How often a path was asked for, as the wire log has it."""
        return sum(path in entry["path"] for entry in self.emulator.admin.log.after(self.seen))

    async def admin(self, path: str, body: Mapping[str, object]) -> None:
        async with aiohttp.ClientSession() as http, http.post(f"{self.url}/__admin/{path}", json=body) as answer:
            assert answer.status == 200, await answer.text()

    async def granted(self, scopes: frozenset[str]) -> None:
        """Mara granted these scopes, here and at Google."""
        self.grants.scopes = scopes
        await self.admin("grants", {"person": "mara", "scopes": sorted(scopes)})

    async def state(self) -> dict[str, Any]:
        async with aiohttp.ClientSession() as http, http.get(f"{self.url}/__admin/state") as answer:
            return await answer.json()

    async def box(self, handle: str, name: str, subject: str) -> list[dict[str, Any]]:
        """The mails in somebody's inbox, sent or drafts whose subject holds this."""
        return [mail for mail in (await self.state())["people"][handle][name] if subject in mail["subject"]]


async def _no_wait(seconds: float) -> None:
    del seconds


@asynccontextmanager
async def google_world(*, files: SlackFiles | None = None) -> AsyncGenerator[World]:
    """A fresh company, served, with Mara's and everybody's tools."""
    emulator = Emulator()
    grants, clock = PlaygroundGrants(), EmulatorClock(emulator)
    async with (
        Served(emulator.app()) as url,
        GoogleClient(
            grants=grants, clock=clock, connect_help=CONNECT_HELP, api_root_url=url, timeout_seconds=20, sleep=_no_wait
        ) as google,
        HtmlReader() as html,
    ):
        tools = {tool.name: tool for tool in (*mail_tools(google, html=html, files=files), *calendar_tools(google))}
        yield World(emulator=emulator, url=url, grants=grants, clock=clock, google=google, tools=tools)


def data(result: Result) -> dict[str, Any]:
    """What the model gets."""
    return cast("dict[str, Any]", result.data)


def shown(card: Preview) -> dict[str, str]:
    """What a card shows, by label."""
    return {field.label: field.value for field in card.fields}
