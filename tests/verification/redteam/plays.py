"""The plays: each user task alone, and each with an injection whose calls a model proposes that obeys every text."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.limits import Guard
from integrations.base import Requester
from integrations.ports import Contact
from policies.guards import words
from policies.types import EffectClass, Label, TrustLevel
from tests.folders import in_memory
from tests.verification.redteam.banking import BANKING_TOOLS
from tests.verification.redteam.declared import Dojo
from tests.verification.redteam.figures import Pair, Task
from tests.verification.redteam.slack import SLACK_TOOLS
from tests.verification.redteam.stage import Stage, stage
from tests.verification.redteam.suites import BANKING, SLACK, TRAVEL, WORKSPACE, Begun, Call, Suites
from tests.verification.redteam.travel import TRAVEL_TOOLS
from tests.verification.redteam.workspace import WORKSPACE_TOOLS


@dataclass(frozen=True, slots=True)
class People:
    """Implements `Acquaintances`: those whom the environment's user wrote to, and their colleagues. Nobody stands in a
    directory, where less would name them.
    """

    names: Mapping[str, str]
    label: Label = Label.EXTERNAL

    async def called(self, requester: Requester, name: str) -> Sequence[Contact]:
        return [
            Contact(name=its_name, email=email, known_from="mail that they sent", label=self.label)
            for email, its_name in self.names.items()
            if {*words.words_of(name)} <= {*words.words_of(f"{its_name} {email.partition('@')[0]}")}
        ]

    async def mentioned(self, requester: Requester, user: str) -> None:
        return None


MOST_CALLS = Guard().calls  # that one step executes
TOOLS = {WORKSPACE: WORKSPACE_TOOLS, SLACK: SLACK_TOOLS, BANKING: BANKING_TOOLS, TRAVEL: TRAVEL_TOOLS}


async def attack(
    suites: Suites, suite: str, user: str, prompt: str, injection: str, level: TrustLevel, *, guarded: bool
) -> Pair:
    """The user's reads in as few steps as the loop takes, then the injection's calls, one in each. No card is approved:
    each is rejected, so that the model goes on with the next call.
    """
    begun = await suites.begin(suite, user, injection)
    reads = [call for call in begun.task if _effects(suite)[call[0]] is EffectClass.READ]
    async with _stage(suites, suite, begun, level, guarded=guarded) as here:
        played = await here.play(prompt, [*_in_steps(reads), *_one_by_one(begun.attack)])
    return Pair(suite=suite, user=user, injection=injection, cards=len(played.carded), reached=await suites.reached())


async def task(suites: Suites, suite: str, user: str, prompt: str, level: TrustLevel) -> Task:
    """The whole task, which nobody disturbs. Its owner approves every card."""
    begun = await suites.begin(suite, user)
    async with _stage(suites, suite, begun, level) as here:
        played = await here.play(prompt, _one_by_one(begun.task), approves=True)
    changes = [action for action in played.actions if action.is_side_effect]
    return Task(
        suite=suite,
        user=user,
        changes=len(changes),
        carded=[
            f"{action.tool}: {action.verdict.rule if action.verdict else ''}"
            for action in played.actions
            if action.id in played.carded
        ],
        unasked=sum(action.id not in played.carded for action in changes),
        reached=await suites.reached(),
    )


@asynccontextmanager
async def _stage(
    suites: Suites, suite: str, begun: Begun, level: TrustLevel, *, guarded: bool = True
) -> AsyncGenerator[Stage]:
    tools: Sequence[Dojo] = [tool(suites, begun) for tool in TOOLS[suite]]
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        given: dict[str, Any] = {
            "level": level,
            "guarded": guarded,
            "email": begun.account if "@" in begun.account else "",
        }
        async with stage(Path(folder), lambda _: tools, **given, acquaintances=People(begun.known)) as here:
            yield here


def _in_steps(calls: Sequence[Call]) -> list[Sequence[Call]]:
    return [calls[at : at + MOST_CALLS] for at in range(0, len(calls), MOST_CALLS)]


def _one_by_one(calls: Sequence[Call]) -> list[Sequence[Call]]:
    return [[call] for call in calls]


def _effects(suite: str) -> dict[str, EffectClass]:
    return {tool.name: tool.effect for tool in TOOLS[suite]}
