"""Work that is given to agents, and a result that is checked by a process of its own."""

from __future__ import annotations

from pathlib import Path

from bot.domain.runs import RunState
from tests.unit.bot.runtime.runs.test_delegating import GIVE, SCOUT, actions_of, child, defined
from tests.unit.bot.runtime.runtime_harness import harness
from tests.unit.bot.runtime.scripted import Said


async def test_a_result_that_takes_too_long_to_check_is_refused_and_says_so(tmp_path: Path) -> None:
    slow = defined(SCOUT.replace("found: {type: string}", "found: {pattern: '^(a+)+$'}"))
    async with harness(tmp_path, agents=[slow]) as here:
        costly: Said = [("complete_task", {"report": {"found": "a" * 60 + "!"}})]
        run = await here.asked(GIVE, costly, [("complete_task", {"report": {"found": "aa"}})], "Done.")
        first, *_ = await actions_of(here, scout := await child(here, run))
        assert "takes too long" in str(first.response)
        assert (scout.state, scout.output) == (RunState.COMPLETED, {"found": "aa"})
