"""Plays a scene: `countersign playground --script FILE`."""

from __future__ import annotations

from collections.abc import Sequence

from playground.stage.player import Player
from playground.stage.scene import Scene
from playground.stage.stage import Stage
from playground.supervisor import Supervisor
from playground.terminal import Terminal


async def play_all(scenes: Sequence[Scene], supervisor: Supervisor, terminal: Terminal) -> int:
    """Plays the scenes one after the other in the same world: 0 if all went as written, else 1."""
    return max([await play(scene, supervisor, terminal) for scene in scenes])


async def play(scene: Scene, supervisor: Supervisor, terminal: Terminal) -> int:
    """Plays the scene in the running playground and prints the transcript: 0 if all went as written, else 1."""
    async with Stage(supervisor, patience=scene.patience) as stage:
        return 0 if await Player(stage=stage, say=terminal.say).play(scene) else 1
