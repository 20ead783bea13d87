"""`compose.yaml`, without Docker: Compose can read it, it holds no secret, and its commands do what they are for."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.secrets import new_key
from bot.settings import Settings
from playground.people import APP_TOKEN, BOT_TOKEN
from tests.acceptance.world import world
from tests.dockerfile import of
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer

ROOT = Path(__file__).parents[2]
SERVICE = {
    "build",
    "image",
    "command",
    "env_file",
    "environment",
    "depends_on",
    "deploy",
    "healthcheck",
    "restart",
    "stop_grace_period",
    "read_only",
    "cap_drop",
    "security_opt",
    "tmpfs",
    "ports",
    "configs",
    "volumes",
    "shm_size",
}
"""The keys of a service that this file uses, as the Compose specification names them."""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_it_is_what_compose_reads(compose: dict[str, Any]) -> None:
    """Known keys only; what is referred to exists; every service has a health check (what we
    build has the image's) and is started again.
    """
    assert compose.keys() <= {"services", "configs", "volumes"}
    services: dict[str, dict[str, Any]] = compose["services"]
    for name, service in services.items():
        assert service.keys() <= SERVICE, name
        assert "build" in service or {"test", "interval", "timeout", "retries"} <= service["healthcheck"].keys(), name
        assert service["restart"] == "unless-stopped"
        assert service.get("depends_on", {}).keys() <= services.keys()
        assert {config["source"] for config in service.get("configs", [])} <= compose.get("configs", {}).keys()
        assert {volume.split(":")[0] for volume in service.get("volumes", [])} <= compose.get("volumes", {}).keys()


def test_three_replicas_share_a_database(compose: dict[str, Any]) -> None:
    """The agent's variables are variables of the program, and all that it keeps is on the server."""
    agent = compose["services"]["agent"]
    assert agent["deploy"] == {"replicas": 3}
    assert {name.lower() for name in agent["environment"]} <= Settings.model_fields.keys()
    assert agent["environment"]["DATABASE_URL"].startswith("postgresql://")
    assert int(agent["stop_grace_period"].removesuffix("s")) > 10
    assert "volumes" not in agent


def test_it_holds_no_secret(compose: dict[str, Any]) -> None:
    """Passwords and tokens come from a file that is in no repository."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"xox[bp]-|xapp-|AIza|BEGIN [A-Z ]*KEY", text)
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or value.startswith("${POSTGRES_PASSWORD:?"), name
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert compose["services"]["agent"]["env_file"] == "countersign.env"
    assert "*.env" in ignored


def test_the_balancer_hands_requests_to_the_agent(compose: dict[str, Any]) -> None:
    """It asks the port that the agent listens at, finds new replicas by name, and keeps the metrics inside."""
    port = compose["services"]["agent"]["environment"]["HTTP_PORT"]
    content: str = compose["configs"]["balancer"]["content"]
    assert f"server agent:{port} resolve" in content
    assert content.count("{") == content.count("}")
    assert "location = /metrics { return 404; }" in content
    assert not re.search(r"(?<!\$)\$(?!\$)", content), "Compose would fill in a single dollar itself"


def _interpolated(value: str, given: Mapping[str, str]) -> str:
    """As Compose does it: `${NAME:?message}`."""
    return re.sub(r"\$\{(\w+):\?[^}]*\}", lambda found: given[found[1]], value)


@asynccontextmanager
async def _process(command: list[str], environment: Mapping[str, str]) -> AsyncGenerator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


def _here(command: list[str]) -> list[str]:
    """The image's programs are those of this environment."""
    programs = {"countersign": [sys.executable, "-m", "bot.cli"], "python": [sys.executable]}
    return [*programs[command[0]], *command[1:]]


@pytest.mark.deep
async def test_its_commands_run(
    compose: dict[str, Any], postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three replicas start at once on an empty database: all get ready, as the image's check says, and leave."""
    agent = compose["services"]["agent"]
    async with world(tmp_path) as here:
        with postgres.database(migrated=False) as url:
            environment = {
                "PATH": os.environ["PATH"],
                "SLACK_BOT_TOKEN": BOT_TOKEN,
                "SLACK_APP_TOKEN": APP_TOKEN,
                "SLACK_API_URL": here.settings.slack_api_url,
                "GEMINI_API_KEY": "playground",
                "ENCRYPTION_KEYS": new_key(),
                "COUNTERSIGN_ENV_FILE": "",
                "COUNTERSIGN_READY_LINE": "1",
                **{name: _interpolated(v, {"POSTGRES_PASSWORD": "p"}) for name, v in agent["environment"].items()},
                "DATABASE_URL": url,
                "HTTP_HOST": "127.0.0.1",
                "HTTP_PORT": "0",
            }
            await _start_check_and_leave(agent, environment)


def _health_check() -> list[str]:
    """The command of the image's health check."""
    (check,) = of("HEALTHCHECK")
    return json.loads(check.partition("CMD ")[2])


async def _start_check_and_leave(agent: Mapping[str, Any], environment: Mapping[str, str]) -> None:
    command = _here(agent["command"])
    async with (
        _process(command, environment) as one,
        _process(command, environment) as two,
        _process(command, environment) as three,
        asyncio.timeout(PATIENCE_SECONDS),
    ):
        ready = [await _ready_line(process) for process in (one, two, three)]
        check = _here(_health_check())
        for port in (line.rsplit(":", 1)[1].strip('"} \n') for line in ready):
            async with _process(check, {**environment, "HTTP_PORT": port}) as asked:
                assert await asked.wait() == 0
        async with _process(check, {**environment, "HTTP_PORT": "9"}) as asked:
            assert await asked.wait() != 0
        for process in (one, two, three):
            process.terminate()
        assert [await process.wait() for process in (one, two, three)] == [0, 0, 0]


async def _ready_line(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async for line in process.stdout:
        if line.startswith(b'{"ready"'):
            return line.decode()
    raise AssertionError("it ended before it was ready")
