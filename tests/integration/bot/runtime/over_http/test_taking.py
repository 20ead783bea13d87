"""Taking something in while the database is lost: whoever asked must not ask twice because of what they are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from bot.api.agent.runs import answered
from bot.api.refusals import busy
from bot.domain.limits import Limits, Rate
from bot.domain.runs import RunState
from bot.runtime.over_http.admission import MaybeTaken
from tests.builders import DANA, TEAM
from tests.lost_commits import Lost, way_to
from tests.unit.bot.runtime.over_http.desk import LOOK, desk, key


async def test_what_was_saved_unheard_is_taken(postgres_url: str, tmp_path: Path) -> None:
    """A prompt that begins a run, one that is said to it, one under a key, and what is tried again: each is answered as
    if the database had said that it saved it, and what comes of it is followed here. Of Continue nothing can be seen.
    """
    async with way_to(postgres_url, tmp_path) as way, desk(tmp_path, postgresql=way.url) as at:
        way.lost = Lost.ANSWER
        taken = await at.says("When?", key=key())
        assert way.lost is None
        way.lost = Lost.ANSWER
        assert await at.says("When?", key=key()) == taken
        way.lost = Lost.ANSWER
        assert (await at.says("On Friday.", thread=taken.thread_id)).run_id == taken.run_id
        followed = await at.following.join(taken.run_id, team=TEAM, user=DANA)
        await at.serve(taken)
        outcome = await at.following.outcome(followed)
        assert outcome is not None
        assert outcome.text == "Done."
        failed = await at.says()
        await at.fails(failed)
        way.lost = Lost.ANSWER
        again = await at.going_on.again(failed.run_id, team=TEAM, user=DANA)
        assert again.run_id != failed.run_id
        await at.serve(again)
        assert await at.state(again) is RunState.COMPLETED
        at.limits, at.here.model.says = Limits(steps=1), [LOOK]
        paused = await at.says()
        await at.serve(paused)
        way.lost = Lost.ANSWER
        with pytest.raises(MaybeTaken) as caught:
            await at.going_on.continued(paused.run_id, team=TEAM, user=DANA)
        assert caught.value.taken.run_id == paused.run_id
        assert await at.state(paused) is not RunState.PAUSED


@pytest.mark.parametrize(("lost", "ends"), [(Lost.ORDER, False), (Lost.ANSWER, True)], ids=["not saved", "not seen"])
async def test_what_cannot_be_seen_may_be_taken(postgres_url: str, tmp_path: Path, lost: Lost, ends: bool) -> None:
    """Neither is claimed, and the run is named that it would be. Of what was refused it is known that it is not."""
    async with way_to(postgres_url, tmp_path) as way, desk(tmp_path, postgresql=way.url) as at:

        async def says(_request: Request) -> Response:
            await at.says()
            raise AssertionError

        async def told() -> dict[str, str]:
            answer = await answered(says)(Request({"type": "http", "path": "/", "headers": []}))
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
            return json.loads(bytes(answer.body))["error"]

        at.rate = Rate(per_minute=1)
        await at.says()
        way.lost = Lost.ANSWER
        assert (await told())["message"] == busy().message
        at.rate, way.lost, way.ends = None, lost, ends
        error = await told()
        assert (error["code"], "nothing was done" in error["message"]) == ("unsure", False)
        way.is_over = False
        assert (await at.known(error["runId"]) is not None) is ends
