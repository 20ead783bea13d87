"""What the doctor says of each thing that can come of one call to Gemini."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import aiohttp
import pytest

from bot.commands.doctor.findings import Findings
from bot.commands.doctor.gemini import examine_model
from bot.llm.transport import Timeouts
from bot.settings import Settings
from playground.gemini.app import build
from playground.serve import Served

SHORT = Timeouts(connect=1, first=0.2, total=0.3)


@pytest.fixture
async def gemini() -> AsyncGenerator[str]:
    """The emulated Gemini."""
    async with Served(build(0)) as url:
        yield url


async def found(url: str, *, key: str | None = "playground", fault: dict[str, object] | None = None) -> Findings:
    if fault is not None:
        body = {"match": {"path": "*"}, "times": 1, **fault}
        async with aiohttp.ClientSession() as http, http.post(f"{url}/__admin/faults", json=body) as answer:
            assert answer.status == 200, await answer.text()
    given = {"gemini_api_key": key} if key else {}
    settings = Settings.model_validate({**given, "google_gemini_base_url": url})
    return await examine_model(settings, patience=SHORT)


async def test_a_model_that_answers_is_nothing_to_tell(gemini: str) -> None:
    """A right key and a known model; and without a key nobody is asked."""
    assert await found(gemini) == Findings(good=["Gemini answers: gemini-3.8-flash"])
    assert await found(gemini, key=None) == Findings()


async def test_a_model_that_never_answers_is_not_waited_for(gemini: str) -> None:
    """Silence is told as an address that cannot be reached, and ends within the bound."""
    told = await found(gemini, fault={"kind": "hang", "seconds": 5})
    (line,) = told.problems
    assert "could not be reached (timeout)" in line


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "daily_quota"}, "quota of the day for gemini"),
        ({"kind": "overloaded"}, "accepts the key, but is busy at the moment (overloaded)"),
        ({"kind": "rate_limit", "seconds": 3}, "accepts the key, but is busy at the moment (rate)"),
        ({"kind": "garbage", "after": 0}, "gave no answer that can be read"),
    ],
)
async def test_what_passes_by_itself_is_a_remark(gemini: str, fault: dict[str, object], words: str) -> None:
    """A used-up day, a busy minute and an unreadable answer keep nobody from starting, and are told."""
    told = await found(gemini, fault=fault)
    assert told.problems == []
    (line,) = told.remarks
    assert words in line
