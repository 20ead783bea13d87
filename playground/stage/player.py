"""Plays a scene step by step and writes its transcript."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Callable

from playground.errors import PlaygroundFailed
from playground.stage.scene import Scene
from playground.stage.stage import Stage, Unmet
from playground.stage.step import Step
from playground.stage.witness import Witness

LABEL_COLUMNS = 12
TEXT_COLUMNS = 100
SETTLE_SECONDS = 0.5


class Player:
    """`say` prints a line."""

    def __init__(self, *, stage: Stage, say: Callable[[str], None]) -> None:
        self._stage = stage
        self._print = say
        self._witness = Witness(stage)

    async def play(self, scene: Scene) -> bool:
        """Whether everything that the scene expects came, and held to its end. Stops at the first failure."""
        self._print(f"\n{scene.title}\n{textwrap.fill(scene.about, TEXT_COLUMNS)}\n")
        await self._witness.skip()
        try:
            for step in scene.steps:
                await self._play(step)
            await self._check_lasting()
            await self._tell_seen()
        except (Unmet, PlaygroundFailed) as unmet:
            await self._tell_seen()
            self._say("FAILED", str(unmet))
            return False
        self._print("\nEverything went as the scene says.")
        return True

    async def _play(self, step: Step) -> None:
        """Plays one step. An act is printed before its effects, an expectation after its causes."""
        told: list[tuple[str, str]] = []
        try:
            await step.play(self._stage, lambda label, said: told.append((label, said)))
        finally:
            if not step.is_act:
                await self._tell_seen()
            for label, said in told:
                self._say(label, said)
        if step.is_act:
            await self._tell_seen()

    async def _check_lasting(self) -> None:
        """Checks a moment after the end that expectations still hold: one mail, and no second one a little later."""
        await asyncio.sleep(SETTLE_SECONDS)
        for check in self._stage.lasting.values():
            if wrong := await check():
                raise Unmet(f"at the end of the scene: {wrong}")

    async def _tell_seen(self) -> None:
        for line in await self._witness.lines():
            self._say(line.label, line.said)

    def _say(self, label: str, said: str) -> None:
        first, *rest = [row for line in said.splitlines() or [""] for row in textwrap.wrap(line, TEXT_COLUMNS) or [""]]
        self._print(f"{label:>{LABEL_COLUMNS}}  {first}".rstrip())
        for row in rest:
            self._print(f"{'':>{LABEL_COLUMNS}}  {row}".rstrip())
