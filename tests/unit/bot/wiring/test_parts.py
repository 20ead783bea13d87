"""What the parts are made with: the installation's settings reach them, and a shared database has one of each."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.routing import Route

from bot.api.metrics import Metrics
from bot.api.sign_in import FOLDER as SIGN_IN
from bot.llm.transport import DeveloperApi, VertexAi
from bot.runtime.connections.oauth_flow import AccountMatchPolicy
from bot.runtime.core.leader import LeaderLease, SingleProcess
from bot.runtime.core.lock import LeasedLock, NullLock
from bot.scheduler import Scheduler
from bot.settings import INSECURE_TRANSPORT, Settings, read
from bot.slack.connection.http import PATH
from bot.store.repositories.due import Due
from bot.store.repositories.leases import RELAY, SEALER
from bot.wiring.accounts import accounts
from bot.wiring.core import core_of, watch_leases
from bot.wiring.google import google_provider
from bot.wiring.http import entrance
from bot.wiring.jobs import timekeeping
from bot.wiring.limits import chat_limits, request_rate
from bot.wiring.model import access_of
from bot.wiring.store import Base, opened
from bot.wiring.timings import Timings
from integrations.google.client import GoogleClient
from policies import loader
from policies.types import Label, TrustLevel
from tests.builders import DANA, TEAM

CLIENT = {"GOOGLE_CLIENT_ID": "c", "GOOGLE_CLIENT_SECRET": "s", "PUBLIC_URL": "https://agent.example"}


def settings(**given: str) -> Settings:
    return read({"COUNTERSIGN_ENV_FILE": "", **given})


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Base]:
    async with opened(settings(DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}/agent.db"), owner=True) as made:
        yield made


async def test_what_the_installation_allows_is_what_policy_goes_by(base: Base) -> None:
    """Its kill switch and its highest level, for what is decided and for what is shown."""
    given = settings(AGENT_SIDE_EFFECTS_ENABLED="false", AGENT_TRUST_CAP="delegated")
    core = core_of(replace(base, settings=given), Timings(), loader.load())
    async with base.store.write() as work:
        await work.users.set_level(TEAM, DANA, TrustLevel.AUTONOMOUS.value)
    async with base.store.read() as work:
        evidence = await core.policy_service.evidence(work, TEAM, DANA, label=Label.OWNER)
    assert (evidence.level, evidence.side_effects_enabled) == (TrustLevel.DELEGATED, False)
    shown = await core.queries.permissions(TEAM, DANA)
    assert (shown.level, shown.cap) == (TrustLevel.DELEGATED, TrustLevel.DELEGATED)


async def test_a_request_that_another_one_leaves_behind_has_the_installations_limits(base: Base) -> None:
    given = settings(AGENT_MAX_LOOP_STEPS="3", AGENT_MAX_TOKENS="5000")
    core = core_of(replace(base, settings=given), Timings(), loader.load())
    assert core.transactions.limits == chat_limits(given)
    assert (core.transactions.limits.steps, core.transactions.limits.tokens) == (3, 5000)


async def test_one_of_those_that_share_a_database_does_it(base: Base) -> None:
    """Duties and locks are leased there, and a lease is renewed before it is over; a file has one process."""
    alone = core_of(base, Timings(), loader.load())
    assert isinstance(alone.duty("relay"), SingleProcess)
    assert isinstance(alone.lock(), NullLock)
    shared = replace(base, shared=True, settings=settings(DATABASE_URL="postgresql://localhost/agent"))
    core = core_of(shared, Timings(lease_seconds=3.0), loader.load())
    assert isinstance(core.duty("relay"), LeaderLease)
    assert isinstance(core.lock(), LeasedLock)
    assert core.transactions.renew_seconds <= 1.0


@pytest.mark.parametrize(("said", "strict"), [("ask", False), ("refuse", True)])
async def test_whose_accounts_are_taken_is_set(base: Base, said: str, strict: bool) -> None:
    """The organisation's domains, and what becomes of another address."""
    given = settings(**CLIENT, GOOGLE_ALLOWED_DOMAINS="fernhill.example", GOOGLE_OTHER_ADDRESS=said)
    core = core_of(replace(base, settings=given), Timings(), loader.load())
    made = accounts(core.base, core.transactions, lock=core.lock(), url="http://127.0.0.1:1")
    assert made.connecting is not None
    assert made.connecting.match_policy == AccountMatchPolicy(domains=frozenset({"fernhill.example"}), strict=strict)


async def test_every_job_is_kept(base: Base) -> None:
    """What expires, fires, is looked up, is forgotten, is answered and is given back."""
    core, scheduler = core_of(base, Timings(), loader.load()), Scheduler()
    own = accounts(base, core.transactions, lock=core.lock(), url="")
    google = GoogleClient(grants=own.connections, clock=base.clock, connect_help="")
    times = timekeeping(core.transactions, google, limits=chat_limits(base.settings), rate=request_rate(base.settings))
    times.keep(scheduler, base)
    own.keep(scheduler)
    assert scheduler.heartbeats.keys() == {
        "look", "questions", "schedules", "reminders", "briefings", "retention", "accounts", "revocations",
    }  # fmt: skip


async def test_a_replica_looks_for_leases(base: Base) -> None:
    """Where the database is shared: what nobody holds is asked for as soon as the look finds it."""
    alone, shared, core = Scheduler(), Scheduler(), core_of(base, Timings(), loader.load())
    watch_leases(alone, core.duty(RELAY), core.duty(SEALER))
    core = replace(core, base=replace(base, shared=True))
    watch_leases(shared, core.duty(RELAY), core.duty(SEALER))
    assert alone.heartbeats == {}
    assert shared.heartbeats.keys() == {Due.RELAY_LEASE, Due.SEALER_LEASE}


@pytest.mark.parametrize("in_socket_mode", [True, False])
async def test_slacks_requests_are_served_where_they_come(base: Base, in_socket_mode: bool) -> None:
    """With an app token they come through the socket, and there is no address for them."""
    given = (
        settings(SLACK_APP_TOKEN="xapp-1") if in_socket_mode else settings(SLACK_SIGNING_SECRET="0123456789abcdef" * 2)
    )
    made = entrance(replace(base, settings=given), Metrics(store=base.store, clock=base.clock))
    paths = {route.path for route in made.routes if isinstance(route, Route)}
    assert (PATH in paths) is not in_socket_mode


_SLACK = {"SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "s", "PUBLIC_URL": "https://agent.example"}
_FIREBASE = {"FIREBASE_PROJECT_ID": "fernhill-product", "FIREBASE_SERVICE_ACCOUNT_FILE": "viewer.json"}


@pytest.mark.parametrize(
    ("given", "has_api", "has_sign_in"),
    [
        ({}, False, False),
        (_SLACK, True, True),
        ({**_SLACK, "SLACK_CLIENT_SECRET": ""}, False, False),
        (_FIREBASE, True, False),
        ({**_FIREBASE, "HTTP_HOST": "0.0.0.0"}, False, False),
    ],
)
async def test_what_is_off_is_not_found(base: Base, given: dict[str, str], has_api: bool, has_sign_in: bool) -> None:
    """Also while the gate is shut, as it is where Slack cannot be reached: nobody is told to try it later."""
    made = entrance(replace(base, settings=settings(**given)), Metrics(store=base.store, clock=base.clock))
    paths = {route.path for route in made.routes if isinstance(route, Route)}
    assert ("/api/{rest:path}" in paths, SIGN_IN in paths) == (has_api, has_sign_in)


@pytest.mark.parametrize(("url", "is_told"), [("http://127.0.0.1:9/token", True), ("https://x.example/token", False)])
def test_http_is_spoken_to_this_machine_only(monkeypatch: pytest.MonkeyPatch, url: str, is_told: bool) -> None:
    """Account keys go unencrypted to an emulator, and to nobody else."""
    monkeypatch.delenv(INSECURE_TRANSPORT, raising=False)
    assert google_provider(settings(**CLIENT, GOOGLE_OAUTH_TOKEN_URL=url), CLIENT["PUBLIC_URL"]) is not None
    assert (INSECURE_TRANSPORT in os.environ) is is_told
    monkeypatch.delenv(INSECURE_TRANSPORT, raising=False)


def test_the_variables_of_vertex_win() -> None:
    """A key that is there as well is not used; without either there is no way."""
    assert isinstance(access_of(settings(GEMINI_API_KEY="k")), DeveloperApi)
    assert isinstance(access_of(settings(GEMINI_API_KEY="k", VERTEX_AI_PROJECT_ID="p")), VertexAi)
    assert access_of(settings()) is None
