"""How a walk ends: without further disturbances everything comes to its end, people answering what they are asked."""

from __future__ import annotations

from bot.runtime.audit.verify import verified
from tests.builders import DANA
from tests.verification.explorer.live.outside import How
from tests.verification.explorer.live.people import People
from tests.verification.explorer.live.stage import Stage
from tests.verification.explorer.values import Violation

_MOST_ROUNDS = 200
_REST_SECONDS, _RESTS_IN_A_ROW = 61.0, 2
"""A job rests after a crash, or a dead worker's lease runs, for a minute at the most."""

_UNTIL_EVERY_MOMENT = 4 * 24 * 3600.0


async def come_to_an_end(people: People) -> None:
    """Raises `Violation` where a run does not end, or where the log does not verify."""
    stage, rests = people.stage, 0
    await stage.nobody_dies_any_more()
    for _ in range(_MOST_ROUNDS):
        rests = 0 if await _goes_on(people) else rests + 1
        if rests > _RESTS_IN_A_ROW or (rests and _is_over(stage)):
            break
        if rests:
            await stage.passes(_REST_SECONDS)
    if not _is_over(stage):
        raise Violation(f"it ended in {[stage.sight.state(run_id).value for run_id in stage.sight.runs]}")
    await stage.seal()
    report = await verified(stage.base.store, stage.base.keyring)
    if report.problems:
        raise Violation(report.text())


def _is_over(stage: Stage) -> bool:
    return all(stage.sight.state(run_id).is_final() for run_id in stage.sight.runs)


async def _goes_on(people: People) -> bool:
    """Whether anything but time moved it."""
    stage = people.stage
    await stage.work()
    if waiting := stage.under_way():
        await stage.end(waiting[0], How.WELL)
    elif questions := stage.sight.open_questions():
        first = questions[0]
        await people.clicks(first, people.truth(first), user=first["reader"] or DANA)
    elif resting := stage.sight.resting():
        await people.presses("continue", resting[0])
    elif stage.sight.holding():
        await stage.silence(_UNTIL_EVERY_MOMENT)
    else:
        return False
    return True
