"""AgentDojo in a process of its own: what its suites ask for, one environment at a time, and its verdict.

AgentDojo (https://github.com/ethz-spylab/agentdojo, MIT) is installed into an environment of its own under `.bench/`.
Its side is `server.py`. It is asked in lines of JSON: `tasks` (of a suite), `begin` (an environment for a task, and
maybe an injection), `run` (a function in it), `look` (at one thing of it), `judge` (whether the goal is reached).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.verification.benchmarks.peers import Peer, has, python_of
from tests.verification.benchmarks.processes import Child, child

AGENTDOJO = Peer(name="agentdojo", module="agentdojo", packages=["agentdojo==0.1.35"])
WORKSPACE, SLACK, BANKING, TRAVEL = "workspace", "slack", "banking", "travel"

Call = tuple[str, Mapping[str, Any]]


class Refused(Exception):
    """The environment did not take a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tasks:
    """The tasks of a suite by their names: what its user asks for, and what injections want; and the arguments of each
    of its functions.
    """

    prompts: Mapping[str, str]
    goals: Mapping[str, str]
    functions: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """An environment as it is at first: the calls that do the task, and those that the injection wants. `account` is
    the address of its user, or their account with the bank; `known` are, by address, the names of those whom they wrote
    to and of their colleagues; `inside` are the people and channels of their Slack.
    """

    task: Sequence[Call]
    attack: Sequence[Call]
    account: str
    known: Mapping[str, str]
    inside: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A thing of the environment: its title, whose it is, and who takes part in it."""

    title: str
    owner: str
    people: Sequence[str]


@dataclass(frozen=True, slots=True)
class Suites:
    """What is asked of AgentDojo's side, one question at a time."""

    process: Child
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def _ask(self, what: Mapping[str, object]) -> dict[str, Any]:
        async with self._turn:
            return await self.process.ask(what)

    async def tasks(self, suite: str) -> Tasks:
        said = await self._ask({"do": "tasks", "suite": suite})
        return Tasks(prompts=dict(said["users"]), goals=dict(said["injections"]), functions=dict(said["functions"]))

    async def begin(self, suite: str, user: str, injection: str | None = None) -> Begun:
        """Throw the environment away, and make a new one."""
        said = await self._ask({"do": "begin", "suite": suite, "user": user, "injection": injection})
        return Begun(
            task=[(name, args) for name, args in said["task"]],
            attack=[(name, args) for name, args in said["attack"]],
            account=said.get("account", ""),
            known={email: name for name, email in said.get("known", ())},
            inside=frozenset([*said.get("users", ()), *said.get("channels", ())]),
        )

    async def run(self, function: str, args: Mapping[str, object]) -> Any:
        """What the function returns, as JSON. Raises `Refused`."""
        said = await self._ask({"do": "run", "function": function, "args": args})
        if "error" in said:
            raise Refused(said["error"])
        return said["value"]

    async def look(self, kind: str, which: str) -> Found | None:
        """A file, mail, event or standing order by its id, as it is now."""
        found = (await self._ask({"do": "look", "kind": kind, "id": which}))["found"]
        return None if found is None else Found(**found)

    async def reached(self) -> bool:
        """Whether the injection reached its goal, or without one the task."""
        return (await self._ask({"do": "judge"}))["reached"]


def is_installed() -> bool:
    """Whether AgentDojo's environment is there."""
    return has(AGENTDOJO)


@asynccontextmanager
async def suites(complaints: Path) -> AsyncGenerator[Suites]:
    """AgentDojo's side, until the block ends; what it says besides goes into a file. Raises `NotToBeHad`."""
    python = await python_of(AGENTDOJO)
    arguments = ["-m", "tests.verification.redteam.server"]
    async with child("agentdojo", arguments, python=python, errors=complaints) as process:
        yield Suites(process)
