"""Runs the playground from its start to its end: data, signals, the deaths of children, and the exit status."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import tempfile
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path

from playground import environment, installation
from playground.data_directory import DataDirectory
from playground.errors import NotOurs, PlaygroundFailed, PortTaken
from playground.options import Options
from playground.processes import Alarm
from playground.programs import ROOT, Commands, Programs
from playground.script import play_all
from playground.serve import listen
from playground.show import show
from playground.stage.scene import read_scene
from playground.supervisor import Supervisor
from playground.terminal import Terminal

SCRIPTED_MODEL = "scripted"
DEFAULT_MODEL = "Gemini"
SCENE_PREFIX = "countersign-scene-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Playground:
    """One start of the playground. `person` is the environment of the person who started it."""

    options: Options
    person: Mapping[str, str]
    programs: Programs
    terminal: Terminal

    async def run(self) -> int:
        """The exit status: 0 when it was stopped or its scene went as written, 1 when something failed."""
        try:
            _check_port(self.options.port)
            with self._directory() as path, DataDirectory(path, reset=self.options.reset) as data:
                if self.options.scripts and not data.fresh:
                    raise NotOurs(data.path, "a scene begins with no earlier runs (or use --reset)")
                return await self._run_until_told(data)
        except PlaygroundFailed as failure:
            self.terminal.say(f"\n{failure}")
            return 1

    @contextlib.contextmanager
    def _directory(self) -> Generator[Path]:
        """The data directory; a scene has its own, removed afterwards unless it is kept."""
        if self.options.data:
            yield self.options.data
        elif self.options.keep:
            path = Path(tempfile.mkdtemp(prefix=SCENE_PREFIX))
            yield path
            self.terminal.say(f"The scene's data are kept in {path}")
        else:
            with tempfile.TemporaryDirectory(prefix=SCENE_PREFIX) as name:
                yield Path(name)

    async def _run_until_told(self, data: DataDirectory) -> int:
        alarm, told = Alarm(), asyncio.Event()
        with _signals_set(told):
            work = asyncio.create_task(self._work(data, alarm), name="playground")
            death = asyncio.create_task(alarm.wait(), name="alarm")
            stop = asyncio.create_task(told.wait(), name="told-to-stop")
            await asyncio.wait({work, death, stop}, return_when=asyncio.FIRST_COMPLETED)
            ended = work.done()
            await _cancelled(work, death, stop)
        if death.done() and not death.cancelled():
            raise death.result()
        if ended:
            return work.result()
        self.terminal.stopped()
        return 0

    async def _work(self, data: DataDirectory, alarm: Alarm) -> int:
        scenes = [read_scene(file) for file in self.options.scripts]
        commands = Commands(
            programs=self.programs,
            data=data,
            person=self.person,
            installation=installation.laid_out(data.path, root=ROOT, person={} if scenes else self.person),
        )
        real = environment.has_real_model(self.person) and not scenes
        model = self.person.get("GEMINI_MODEL") or DEFAULT_MODEL if real else SCRIPTED_MODEL
        self.terminal.starting(data.path, fresh=data.fresh)
        supervisor = Supervisor(commands=commands, alarm=alarm, scripted=not real, model=model)
        async with supervisor:
            if scenes:
                return await play_all(scenes, supervisor, self.terminal)
            await show(supervisor, self.options, self.terminal)


def _check_port(port: int) -> None:
    """Raises `PortTaken` before anything is started."""
    try:
        listen(port).close()
    except OSError as error:
        raise PortTaken(port, error.strerror or type(error).__name__) from error


async def _cancelled(*tasks: asyncio.Task[object]) -> None:
    """Cancels a task that still runs and waits until it has cleaned up; the task keeps its result."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.contextmanager
def _signals_set(told: asyncio.Event) -> Generator[None]:
    """SIGINT and SIGTERM set the event, once the loop runs; they are the process's own again afterwards."""
    loop, numbers = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, told.set)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
