"""Metrics for Prometheus (prometheus.io/docs/instrumenting/exposition_formats): `/metrics`.

What waits is read from the rows when it is asked for, in one short transaction that counts for a second; what happened
in this process is counted as it happens, from the bus. No label says anything about people: states, tool names, model
names and kinds of outcomes only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.domain.events import (
    Event,
    JobCrashed,
    LeaseTakenOver,
    ModelAnswered,
    ModelRetried,
    QuestionAsked,
    RunMoved,
    ToolAnswered,
)
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from bot.domain.statistics import Statistics
from bot.store.errors import NotRead
from bot.store.store import Store
from integrations.ports import Clock

log = structlog.get_logger()

_FRESH_SECONDS = 1.0
_PATIENCE_SECONDS = 2.0
_MODEL_BUCKETS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 300)
_TOOL_BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32)


class Metrics:
    """One registry; inert until something is told to it or asked of it."""

    def __init__(self, *, store: Store, clock: Clock, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._monotonic = monotonic
        self._waiting = _Waiting(clock)
        self._read_at = float("-inf")
        self._reading = asyncio.Lock()
        self._registry = CollectorRegistry()
        self._registry.register(self._waiting)
        ProcessCollector(registry=self._registry)
        counter, histogram = partial(Counter, registry=self._registry), partial(Histogram, registry=self._registry)
        self._ended = counter("countersign_runs_ended", "Runs that came to an end or a pause here.", ["state"])
        self._asked = counter("countersign_questions_asked", "Questions that were asked here.", ["kind"])
        self._model = histogram(
            "countersign_model_seconds",
            "One step of the model, retries included.",
            ["model", "finish"],
            buckets=_MODEL_BUCKETS,
        )
        self._retries = counter("countersign_model_retries", "Attempts to ask the model again.", ["reason"])
        self._tool = histogram(
            "countersign_tool_seconds", "One attempt of a tool.", ["tool", "outcome"], buckets=_TOOL_BUCKETS
        )
        self._repeats = counter("countersign_tool_repeats", "Attempts of a tool after the first.", ["tool"])
        self._taken_over = counter("countersign_lease_takeovers", "Leases taken from a holder that was gone.")
        self._crashes = counter("countersign_job_crashes", "Jobs of runs that a defect broke off.", ["kind"])
        self._answers = counter("countersign_http_answers", "Answers of the HTTP API.", ["route", "status"])

    def hear(self, event: Event) -> None:
        """Count one event of the bus; most are none of ours."""
        match event:
            case ModelAnswered():
                self._model.labels(event.model, event.finish).observe(event.seconds)
            case ModelRetried():
                self._retries.labels(event.reason).inc()
            case ToolAnswered():
                self._tool.labels(event.tool, event.outcome).observe(event.seconds)
                if event.attempt > 1:
                    self._repeats.labels(event.tool).inc()
            case QuestionAsked():
                self._asked.labels(event.kind.value).inc()
            case LeaseTakenOver():
                self._taken_over.inc()
            case JobCrashed():
                self._crashes.labels(event.kind).inc()
            case RunMoved(root=None) if not event.state.is_live():
                self._ended.labels(event.state.value).inc()
            case _:
                return

    def count_answer(self, route: str, status: int) -> None:
        """Count one answer of the HTTP API."""
        self._answers.labels(route, str(status)).inc()

    async def text(self) -> bytes:
        """Everything, in the text format."""
        async with self._reading:
            if self._monotonic() - self._read_at >= _FRESH_SECONDS:
                self._waiting.figures = await self._figures()
                self._read_at = self._monotonic()
        return generate_latest(self._registry)

    async def _figures(self) -> Statistics | None:
        try:
            async with self._store.read(patience=_PATIENCE_SECONDS, long=True) as work:
                return await work.statistics.now()
        except NotRead as error:
            log.warning("metrics.not_read", why=str(error))
            return None

    def routes(self) -> Sequence[Route]:
        """`/metrics`."""

        async def metrics(request: Request) -> Response:
            return Response(await self.text(), headers={"content-type": CONTENT_TYPE_LATEST})

        return [Route("/metrics", metrics)]


class _Waiting(Collector):
    """The gauges that rows answer; without rows only that there are none."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.figures: Statistics | None = None

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Every gauge, of the figures that were read last."""
        figures = self.figures
        yield GaugeMetricFamily("countersign_store_readable", "Whether the store could be read.", figures is not None)
        if figures is not None:
            now = self._clock.now()
            runs = {state.value: figures.runs.get(state, 0) for state in RunState if not state.is_final()}
            asked = {
                kind.value: figures.questions[kind].count if kind in figures.questions else 0 for kind in QuestionKind
            }
            yield _by("countersign_runs", "Runs that are live or paused.", "state", runs)
            yield _by("countersign_questions_open", "Open questions.", "kind", asked)
            yield from _waits("countersign_questions_oldest", "open question", figures.open_questions.age(now))
            yield GaugeMetricFamily("countersign_outbox_pending", "Undelivered rows.", figures.deliveries.count)
            yield from _waits("countersign_outbox_oldest", "undelivered row", figures.deliveries.age(now))
            yield GaugeMetricFamily("countersign_outbox_dead", "Dead letters.", figures.dead_letters)
            yield GaugeMetricFamily("countersign_audit_unsealed", "Unsealed entries.", figures.unsealed.count)
            yield from _waits("countersign_audit_unsealed_oldest", "unsealed entry", figures.unsealed.age(now))


def _waits(name: str, what: str, age: float) -> Iterator[GaugeMetricFamily]:
    yield GaugeMetricFamily(f"{name}_seconds", f"How long the oldest {what} waits; 0 when none does.", age)


def _by(name: str, about: str, label: str, counts: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=[label])
    for value, count in counts.items():
        family.add_metric([value], count)
    return family
