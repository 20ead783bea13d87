"""Plans with models that give no JSON where functions are declared: Reflect and Replan are calls that are forced."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.runtime.plans.record import SessionStatus
from bot.runtime.plans.rounds import OUTPUT_CALL
from playground.people import DANA
from tests.acceptance.slack_side import HELEN
from tests.acceptance.test_core_agent_service import TIMINGS, asked_of_model, card, phase_of, plans
from tests.acceptance.world import APPROVE, REJECT, Json, world

OLDER = "gemini-2.5-flash-lite"
"""It never gets a schema."""
REFUSED = "Function calling with a response mime type: 'application/json' is unsupported"
PROMPT = f"plan: remember that tea is at 4 [[plan: add remember that Ben knows]]; email {HELEN} that Monday works"


@pytest.mark.parametrize("model", [OLDER, None], ids=["an older model", "one that refuses the schema"])
async def test_a_plan_with_a_model_that_takes_no_schema(tmp_path: Path, model: str | None) -> None:
    """It changes itself, and a rejected mail is replanned. What the calls had is told as text, so none is answered."""
    async with world(tmp_path) as here:
        if model is None:
            await here.gemini.fault("error", status=400, error=REFUSED, contains="[REFLECT]")
        await here.start_bot(timings=TIMINGS, gemini_model=model)
        proposed = await plans(here).start_planning(PROMPT)
        await plans(here).confirm_plan(proposed.session_id, 1)
        await here.click(DANA, await card(here, "Monday"), REJECT)
        await here.click(DANA, await card(here, "Save this draft?"), APPROVE)
        ended = await plans(here).execute_plan(proposed.session_id)
        session = await plans(here).session(proposed.session_id)
        judged = [one for one in await asked_of_model(here, "[TASK]") if phase_of(one) == "REFLECT"]
        (replanned,) = await asked_of_model(here, "[REPLAN]")
    assert ended.status is SessionStatus.COMPLETED, session.summary
    assert [task.goal for task in session.tasks][2:3] == ["Remember that Ben knows."]
    assert session.tasks[-1].replaces == "2"
    refused = judged[: 1 if model is None else 0]
    assert [is_json(one) for one in refused] == [True] * len(refused)
    for request in [*judged[len(refused) :], replanned]:
        assert (is_json(request), calling(request)) == (False, {"mode": "ANY", "allowedFunctionNames": [OUTPUT_CALL]})
        assert OUTPUT_CALL not in str(request["contents"])


def is_json(request: Json) -> bool:
    """Whether the answer is to be JSON by a schema."""
    return "responseJsonSchema" in request["generationConfig"]


def calling(request: Json) -> Json:
    return request["toolConfig"]["functionCallingConfig"]
