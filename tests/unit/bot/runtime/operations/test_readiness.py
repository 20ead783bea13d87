"""Readiness: a loop that is stuck is seen, and so is a database that cannot be written or a log that is not sealed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from bot.api.health import health_routes
from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.heartbeat import Heartbeat
from bot.runtime.delivery.relay import Relay
from bot.runtime.operations.readiness import DEAD_SECONDS, HUNG_SECONDS, STUCK_SECONDS, UNSEALED_SECONDS, Readiness
from bot.secrets import KeyRing, new_key
from tests.builders import TEAM
from tests.stores import Opened


@dataclass(slots=True)
class Body:
    """Readiness with one loop, on a clock that is moved by hand."""

    base: Opened
    seconds: float = 0.0

    def made(self) -> tuple[Readiness, Heartbeat]:
        heartbeat = Heartbeat(lambda: self.seconds)
        readiness = Readiness(
            store=self.base.store,
            keyring=self.base.keyring,
            clock=self.base.clock,
            heartbeats={"relay": heartbeat},
            parts={"open": lambda: True},
            monotonic=lambda: self.seconds,
        )
        return readiness, heartbeat


@pytest.fixture
def body(base: Opened) -> Body:
    return Body(base)


async def test_everything_works(body: Body) -> None:
    """Each part has its name."""
    readiness, _ = body.made()
    assert readiness.alive() == {"relay": True}
    assert await readiness.ready() == {"open": True, "relay": True, "database": True, "log": True}


async def test_a_stuck_loop_is_not_ready_and_at_last_not_alive(body: Body) -> None:
    """First it takes no more work, then a new start is wanted; a beat makes all well."""
    readiness, heartbeat = body.made()
    body.seconds = STUCK_SECONDS + 1
    assert (readiness.alive()["relay"], (await readiness.ready())["relay"]) == (True, False)
    body.seconds = DEAD_SECONDS + 1
    assert (readiness.alive()["relay"], (await readiness.ready())["relay"]) == (False, False)
    heartbeat.beat()
    assert (readiness.alive()["relay"], (await readiness.ready())["relay"]) == (True, True)


async def test_a_job_that_hangs_is_not_ready_and_much_later_not_alive(body: Body) -> None:
    """A job may take as long as a round does; late, it keeps the process from being ready, and hung from living."""
    readiness, heartbeat = body.made()
    readiness.jobs = {"briefings": Heartbeat(lambda: body.seconds, rest=300)}
    for seconds, told in ((300, (True, True)), (400, (True, False)), (301 + HUNG_SECONDS, (False, False))):
        body.seconds = seconds
        heartbeat.beat()
        assert (readiness.alive()["briefings"], (await readiness.ready())["briefings"]) == told


async def test_a_database_that_refuses_is_not_ready_but_alive(body: Body) -> None:
    """A new start would not mend it. The look counts for some seconds, so that asking costs nothing."""
    readiness, _ = body.made()
    assert (await readiness.ready())["database"]
    await body.base.tamper("CREATE TRIGGER full BEFORE INSERT ON marks BEGIN SELECT RAISE(ABORT, 'full'); END")
    assert (await readiness.ready())["database"]
    body.seconds += 5
    assert not (await readiness.ready())["database"]
    assert readiness.alive() == {"relay": True}
    await body.base.tamper("DROP TRIGGER full; ALTER TABLE audit RENAME TO away")
    body.seconds += 5
    assert {name for name, works in (await readiness.ready()).items() if not works} == {"log"}


async def test_a_log_that_nobody_seals_is_not_ready(body: Body) -> None:
    """Effects wait then, so this one should get no more work."""
    readiness, _ = body.made()
    async with body.base.store.write() as work:
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
    body.base.clock.advance(UNSEALED_SECONDS)
    assert (await readiness.ready())["log"]
    body.seconds += 5
    body.base.clock.advance(1)
    assert not (await readiness.ready())["log"]


async def test_a_log_that_others_signed_is_not_ready(body: Body) -> None:
    """Heads of a key that is not there: what this process wrote could not go on with their chain."""
    readiness, _ = body.made()
    async with body.base.store.write() as work:
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
    assert await Sealer(store=body.base.store, keyring=body.base.keyring).seal() == 1
    assert (await readiness.ready())["log"]
    readiness.keyring = KeyRing([new_key()])
    body.seconds += 5
    assert {name for name, works in (await readiness.ready()).items() if not works} == {"log"}


async def test_the_loops_beat(body: Body) -> None:
    """Relay and sealer have a heartbeat of their own from the beginning."""
    base = body.base

    class Nowhere:
        async def deliver(self, delivery: object) -> None:
            raise NotImplementedError

    for heartbeat in (
        Relay(store=base.store, clock=base.clock, surface=Nowhere()).heartbeat,
        Sealer(store=base.store, keyring=base.keyring).heartbeat,
    ):
        assert heartbeat.age() < 5


async def test_health_over_http(body: Body) -> None:
    """200 with each part, or 503 with the part that does not work."""
    readiness, _ = body.made()
    client = TestClient(Starlette(routes=list(health_routes(readiness))))
    assert (client.get("/healthz").status_code, client.get("/healthz").json()["parts"]) == (200, {"relay": True})
    body.seconds = DEAD_SECONDS + 1
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"ok": False, "parts": {"relay": False}})
