"""The live world of the explorer: nothing in it depends on the machine, and what is found can be looked into."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.domain.questions import Choice, QuestionKind
from integrations.base import Call
from policies.types import TrustLevel
from tests.verification.explorer.live.outside import How, Place
from tests.verification.explorer.machine import again, machine_on, main
from tests.verification.explorer.rules import Machine
from tests.verification.explorer.values import Violation
from tests.verification.explorer.walks import read

EFFECT = 36
"""The first number of a walk by which the model calls one effect that its provider knows by a key."""


@contextmanager
def walking(number: int = EFFECT) -> Generator[Machine]:
    """Dana lets run unasked what the model calls for her; in the end all comes to rest."""
    with machine_on(None) as kind:
        machine = kind()
        try:
            machine.begin(n=number, level=TrustLevel.AUTONOMOUS)
            yield machine
        finally:
            machine.teardown()


def _ends(machine: Machine, place: Place, how: How = How.WELL) -> None:
    """The call that waits at this place ends like this."""
    (waiting,) = machine.stage.under_way()
    assert waiting.place is place
    machine.do(how.value, machine.stage.end(waiting, how))


def test_how_long_something_takes_changes_nothing() -> None:
    """An effect whose guard takes a moment more is under way when nothing else goes on."""
    with walking() as machine:
        prompt = machine.stage.guard

        async def slow(tool: str, call: Call, text: str) -> None:
            await asyncio.sleep(0.01)
            await prompt(tool, call, text)

        machine.stage.outside.guard = slow
        _ends(machine, Place.PREVIEW)
        assert [waiting.place for waiting in machine.stage.under_way()] == [Place.EXECUTE]


def test_a_crashed_job_rests_by_the_clock_of_the_stage() -> None:
    """What crashed begins again when a second has passed there, and not before, however fast or slow the machine is."""
    with walking() as machine:
        _ends(machine, Place.PREVIEW)
        _ends(machine, Place.EXECUTE, How.SILENT)
        _ends(machine, Place.PAUSE)  # until its deadline
        _ends(machine, Place.RECONCILE, How.BROKEN)
        _ends(machine, Place.PAUSE)
        (asked,) = machine.stage.sight.open_questions()
        assert asked["kind"] == QuestionKind.SETTLE.value
        machine.do("try again", machine.people.clicks(asked, Choice.TRY_AGAIN))
        machine.do("work", machine.stage.work())
        assert not machine.stage.under_way()
        machine.do("a second", machine.stage.passes(1))
        machine.do("work", machine.stage.work())
        assert machine.stage.under_way()


def test_whoever_goes_round_is_found() -> None:
    """What enters the store again and again, and waits for nothing, would never come to rest."""
    with machine_on(None) as kind:
        machine = kind()
        machine.begin(n=EFFECT, level=TrustLevel.AUTONOMOUS)

        async def goes_round() -> None:
            while True:
                async with machine.stage.transactions.store.read() as work:
                    await work.runs.live("thr_1")

        async def beside() -> None:
            going = asyncio.create_task(goes_round())
            await machine.stage.work()
            going.cancel()

        with pytest.raises(Violation, match="goes round and round"):
            machine.do("work", beside())
        machine.teardown()


def test_a_request_is_deleted_after_a_stop() -> None:
    """Its run was told to stop and still executes: that its request is gone then is a move of the explored world."""
    with walking() as machine:
        _ends(machine, Place.PREVIEW)
        machine.do("stop", machine.people.stops())
        machine.do("deletes", machine.people.deleted(machine.asked[0]))
        (run,) = machine.stage.sight.worlds.values()
        assert (run.run.cancel, run.run.deleted) == (True, True)


def test_a_walk_goes_the_same_way_again() -> None:
    """Whatever depends on what came first in the database or among the tasks comes first again."""
    with machine_on(None) as kind:
        machine = kind()
        machine.begin(n=6, level=TrustLevel.AUTONOMOUS)
        for n in range(12):
            machine.end_somehow(n=5 * n + 1)
            machine.kill_at_commit(n=2, kept=bool(n % 2), m=n)
            machine.freeze()
        machine.teardown()
    assert again(None, machine.walk).stage.moves == machine.stage.moves


def test_what_is_found_says_what_goes_on_and_can_be_taken_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A violation names the lease, what rests, the tasks with what they wait for, and how it is found again."""
    with machine_on(None) as kind:
        machine = kind()
        machine.begin(n=EFFECT, level=TrustLevel.AUTONOMOUS)
        machine.stage.found.append(Violation("made up"))
        with pytest.raises(Violation) as found:
            machine.end_well(n=0)
        machine.teardown()
    notes = "\n".join(found.value.__notes__)
    assert "lease: thread:thr_1 of worker 1" in notes
    assert "task: worker 1, at " in notes
    assert "waits for the outside: worker 1, EXECUTE of " in notes
    file = Path(notes.split()[-1])
    assert read(file).events == machine.walk.events
    monkeypatch.setattr(sys, "argv", ["machine", "--again", str(file)])
    assert main() == 0
    assert "no way led out" in capsys.readouterr().out
