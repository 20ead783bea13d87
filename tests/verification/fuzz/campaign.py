"""Schemathesis against the real bot: requests made from the API's own document, good ones and bad ones.

It wants dependencies of its own, so it lives in an environment of its own under `.bench/`.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from dataclasses import dataclass
from pathlib import Path

from bot.api.agent.openapi import PATH
from playground.people import TEAM_ID
from tests.acceptance.http_side import client, start_api
from tests.acceptance.world import HURRIED, world
from tests.verification.benchmarks.peers import Peer, has, python_of

SCHEMATHESIS = Peer(name="schemathesis", module="schemathesis", packages=["schemathesis==4.32.5"])

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "ignored_auth",
    "missing_required_header",
    "unsupported_method",
)
"""All but those that need a document of another kind."""

REJECTIONS = (400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429)
"""What is answered to what the document does not allow; a missing cookie is that, too."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What it said, and how many requests it sent; `good` where nothing was found."""

    good: bool
    text: str
    requests: int


def is_installed() -> bool:
    """Whether its environment is there."""
    return has(SCHEMATHESIS)


async def fuzz(folder: Path, *, seconds: int, seed: int, phases: str = "examples,coverage,fuzzing") -> Verdict:
    """One campaign of so many seconds. Raises `NotToBeHad`."""
    python = await python_of(SCHEMATHESIS)
    async with world(folder) as here:
        await start_api(here, timings=HURRIED, http_requests_per_minute=0)
        dana = await client(here)
        done = await dana.run("What can you do?")
        config = folder / "schemathesis.toml"
        config.write_text(
            "[parameters]\n"
            f'"path.project" = "{TEAM_ID}"\n'
            '"path.agent" = "reply_polisher"\n'
            f'"path.runId" = "{done.body["runId"]}"\n'
            f'[auth.openapi.firebase]\napi_key = "{dana.cookie}"\n'
            f"[checks.negative_data_rejection]\nexpected-statuses = {list(REJECTIONS)}\n",
            encoding="utf-8",
        )
        command = [
            *(str(python.with_name("schemathesis")), "--config-file", str(config), "run"),
            *(f"{dana.url}{PATH}", "--url", dana.url),
            *("--checks", ",".join(CHECKS), "--phases", phases),
            *("--max-time", str(seconds), "--seed", str(seed), "--continue-on-failure", "--no-color"),
            *("--report", "ndjson", "--report-ndjson-path", "report.ndjson"),
            *("--suppress-health-check", "all", "--request-timeout", "30"),
            *("-H", f"Origin: {dana.url}"),
        ]
        process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
        try:
            said, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return Verdict(process.returncode == 0, said.decode(errors="replace"), _requests(folder / "report.ndjson"))


def _requests(report: Path) -> int:
    """How many requests stand in the report."""
    return report.read_text(encoding="utf-8").count('"status_code"') if report.exists() else 0
