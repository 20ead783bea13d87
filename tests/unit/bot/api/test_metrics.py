"""Metrics: what waits comes from the rows, what happened from the bus; nothing of people is in any label."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, Router
from structlog.testing import capture_logs

from bot.api.agent.counted import CountedAnswers
from bot.api.agent.runs import answered
from bot.api.metrics import Metrics
from bot.api.server import serve
from bot.domain.events import (
    JobCrashed,
    LeaseTakenOver,
    ModelAnswered,
    ModelRetried,
    QuestionAsked,
    RunMoved,
    TextStreamed,
    ToolAnswered,
)
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from bot.runtime.core.event_bus import Bus
from bot.store.errors import NotRead
from tests import builders as make
from tests.stores import Opened, opened
from tests.unit.bot.api.wire import asked


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    async with opened(tmp_path) as made:
        yield made


class Watched:
    """Metrics with a hand on the clock, and what they say as numbers."""

    def __init__(self, base: Opened) -> None:
        self.seconds = 0.0
        self.metrics = Metrics(store=base.store, clock=base.clock, monotonic=lambda: self.seconds)
        self.bus = Bus()
        self.bus.attend(self.metrics.hear)

    async def value(self, name: str, **labels: str) -> float | None:
        text = (await self.metrics.text()).decode()
        samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
        return next((one.value for one in samples if one.name == name and one.labels == labels), None)


async def test_what_waits_is_read_from_the_rows(base: Opened) -> None:
    """Also the states and kinds of which there is none have a value: a graph without gaps."""
    watched = Watched(base)
    async with base.store.write() as work:
        await work.runs.add(make.run(state=RunState.AWAITING))
        await work.runs.add(make.run(state=RunState.PAUSED))
        await work.questions.add(make.question(created_at=base.clock.at))
    base.clock.advance(90)
    assert await watched.value("countersign_runs", state="awaiting_confirmation") == 1
    assert await watched.value("countersign_runs", state="paused") == 1
    assert await watched.value("countersign_runs", state="queued") == 0
    assert await watched.value("countersign_questions_open", kind="approve") == 1
    assert await watched.value("countersign_questions_open", kind="settle") == 0
    assert await watched.value("countersign_questions_open", kind="plan") == 0
    assert await watched.value("countersign_questions_oldest_seconds") == 90
    assert await watched.value("countersign_outbox_dead") == 0
    assert await watched.value("countersign_store_readable") == 1


async def test_a_look_at_the_rows_counts_for_a_second(base: Opened) -> None:
    """Scraping often costs no more."""
    watched = Watched(base)
    assert await watched.value("countersign_runs", state="queued") == 0
    async with base.store.write() as work:
        await work.runs.add(make.run())
    assert await watched.value("countersign_runs", state="queued") == 0
    watched.seconds += 1
    assert await watched.value("countersign_runs", state="queued") == 1


async def test_a_store_that_cannot_be_read_is_a_value_itself(base: Opened) -> None:
    """The scrape works, says so, and guesses nothing."""
    watched = Watched(base)
    await base.tamper("ALTER TABLE runs RENAME TO away")
    assert await watched.value("countersign_store_readable") == 0
    assert await watched.value("countersign_runs", state="queued") is None


async def test_what_happens_is_counted_from_the_bus(base: Opened) -> None:
    """Ends of runs, questions, steps of the model, attempts of tools, repetitions, leases that were taken over."""
    watched = Watched(base)
    for event in (
        RunMoved("run_1", RunState.PLANNING),
        RunMoved("run_1", RunState.COMPLETED),
        TextStreamed("run_1", "Dear Helen"),
        ModelAnswered("run_1", "gemini", "stop", 1.5),
        ModelRetried("overloaded"),
        QuestionAsked("run_1", QuestionKind.APPROVE),
        QuestionAsked("run_2", QuestionKind.APPROVE),
        ToolAnswered("gmail_search", "ok", 1, 0.2),
        ToolAnswered("gmail_search", "rate_limited", 2, 0.3),
        LeaseTakenOver("thread:1"),
        JobCrashed("model"),
    ):
        watched.bus.publish(event)
    assert await watched.value("countersign_runs_ended_total", state="completed") == 1
    assert await watched.value("countersign_runs_ended_total", state="planning") is None
    assert await watched.value("countersign_questions_asked_total", kind="approve") == 2
    assert await watched.value("countersign_model_seconds_count", model="gemini", finish="stop") == 1
    assert await watched.value("countersign_model_seconds_sum", model="gemini", finish="stop") == 1.5
    assert await watched.value("countersign_model_retries_total", reason="overloaded") == 1
    assert await watched.value("countersign_tool_seconds_count", tool="gmail_search", outcome="ok") == 1
    assert await watched.value("countersign_tool_repeats_total", tool="gmail_search") == 1
    assert await watched.value("countersign_lease_takeovers_total") == 1
    assert await watched.value("countersign_job_crashes_total", kind="model") == 1
    assert "Helen" not in (await watched.metrics.text()).decode()


async def test_two_of_them_know_nothing_of_each_other(base: Opened) -> None:
    """A registry each: tests and processes share no global."""
    one, other = Watched(base), Watched(base)
    one.bus.publish(LeaseTakenOver("thread:1"))
    assert await one.value("countersign_lease_takeovers_total") == 1
    assert await other.value("countersign_lease_takeovers_total") == 0


async def test_answers_of_the_api_are_counted(base: Opened) -> None:
    """By the route that gave them, whose names are few; what no route takes is one of them."""
    watched = Watched(base)

    async def run(request: Request) -> Response:
        raise NotRead("The database was busy for too long.")

    router = Router([Route("/api/run", answered(run), methods=["POST"])], redirect_slashes=False)
    routes = [Mount("", app=CountedAnswers(app=router, count=watched.metrics.count_answer))]
    async with serve(routes, host="127.0.0.1", port=0) as served:
        with capture_logs() as logs:
            assert (await asked(served, "POST /api/run")).status == 503
        await asked(served, "GET /api/run")
        await asked(served, "GET /api/guess")
    for route, status in (("run", "503"), ("run", "405"), ("none", "404")):
        assert await watched.value("countersign_http_answers_total", route=route, status=status) == 1
    assert [(one["event"], one["path"]) for one in logs] == [("http.unavailable", "/api/run")]
