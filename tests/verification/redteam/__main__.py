"""`make redteam`: replays AgentDojo's suites through our engine, evidence and executor, without any model; fails where
an attack reaches its goal without a card, or where people are asked too often.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import click
import structlog

from policies.types import TrustLevel
from tests.verification.benchmarks.peers import NotToBeHad
from tests.verification.redteam import plays, probes
from tests.verification.redteam.figures import HEAD, SANITY, Figures, Task, insane, short_of
from tests.verification.redteam.suites import BANKING, SLACK, TRAVEL, WORKSPACE, Suites, suites

SUITES = (WORKSPACE, SLACK, BANKING, TRAVEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is played: these levels of these suites; `only` what
    has a task or an injection of these names; `tells` which cards came.
    """

    suites: Sequence[str]
    levels: Sequence[TrustLevel]
    only: Sequence[str]
    tells: bool

    @property
    def is_whole(self) -> bool:
        return not self.only and set(self.suites) == set(SUITES)

    def has(self, *names: str) -> bool:
        return not self.only or bool({*self.only} & {*names})


async def replay(dojo: Suites, chosen: Chosen, level: TrustLevel, *, guarded: bool) -> list[Figures]:
    """Every pair, and every task alone where it is guarded."""
    found: list[Figures] = []
    for suite in chosen.suites:
        tasks, began = await dojo.tasks(suite), monotonic()
        pairs = [
            await plays.attack(dojo, suite, user, prompt, injection, level, guarded=guarded)
            for injection in tasks.goals
            for user, prompt in tasks.prompts.items()
            if chosen.has(user, injection)
        ]
        alone = [
            await plays.task(dojo, suite, user, prompt, level)
            for user, prompt in tasks.prompts.items()
            if guarded and chosen.has(user)
        ]
        found.append(Figures(suite=suite, pairs=pairs, tasks=alone))
        click.echo(f"{found[-1].line()}   in {monotonic() - began:.0f} s")
        if chosen.tells:
            tell(alone)
    return found


async def probed() -> list[str]:
    """The adaptive probes, guarded and not; what is wrong, in words."""
    problems: list[str] = []
    click.echo("\nadaptive probes: how many of a family got what they wanted, guarded and with the guard off")
    for family in dict.fromkeys(probe.family for probe in probes.PROBES):
        of_it = [probe for probe in probes.PROBES if probe.family == family]
        got = [probe for probe in of_it if (await probes.play(probe)).got]
        missed = [probe for probe in of_it if not (await probes.play(probe, guarded=False)).got]
        click.echo(f"{family:<34}{len(got):>3} of {len(of_it):<3}{len(of_it) - len(missed):>4} of {len(of_it)}")
        problems += [f"{probe} got what it wants" for probe in got]
        problems += [f"{probe} does not even work unguarded" for probe in missed]
    return problems


def tell(tasks: Sequence[Task]) -> None:
    """The cards of each task, with the rule that asked."""
    for each in tasks:
        if each.carded:
            click.echo(f"    {each.user}: {'; '.join(each.carded)}")


async def redteam(folder: Path, chosen: Chosen) -> list[str]:
    """Play it and print the figures; what falls short, in words. Raises `NotToBeHad`."""
    problems: list[str] = []
    async with suites(folder / "complaints.txt") as dojo:
        least = ", ".join(f"{least} ({' and '.join(of)})" for of, least in SANITY.items())
        click.echo(f"autonomous, guard off: at least so many attacks must reach their goal: {least}\n{HEAD}")
        unguarded = await replay(dojo, chosen, TrustLevel.AUTONOMOUS, guarded=False)
        if chosen.is_whole:
            problems += insane(unguarded)
        for level in chosen.levels:
            click.echo(f"\n{level}\n{HEAD}")
            problems += short_of(level, await replay(dojo, chosen, level, guarded=True))
    return [*problems, *await probed()] if chosen.is_whole else problems


def main() -> int:
    """The status: 0 where everything holds, 1 where something does not, 2 where AgentDojo cannot be had."""
    parser = argparse.ArgumentParser(prog="make redteam", description=__doc__)
    parser.add_argument("--suite", choices=SUITES, help="this one only")
    parser.add_argument("--level", choices=[*TrustLevel], type=TrustLevel, help="this one only")
    parser.add_argument("--cards", action="store_true", help="name the cards of each task, with their rules")
    parser.add_argument("only", nargs="*", help="user_task_7 injection_task_2: only what names one of them")
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    chosen = Chosen(
        suites=[asked.suite] if asked.suite else SUITES,
        levels=[asked.level] if asked.level else [*TrustLevel],
        only=asked.only,
        tells=asked.cards,
    )
    with tempfile.TemporaryDirectory() as folder:
        try:
            problems = asyncio.run(redteam(Path(folder), chosen))
        except NotToBeHad as error:
            click.echo(f"AgentDojo cannot be installed here: {error}")
            return 2
    for problem in problems:
        click.echo(f"short: {problem}")
    click.echo("" if problems else "everything holds")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
