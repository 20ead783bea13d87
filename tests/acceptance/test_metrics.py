"""Metrics and health of a bot at work, over HTTP: what happened is counted, and nobody is named."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from playground.people import DANA
from tests.acceptance.slack_side import at_rest, final, send_mail
from tests.acceptance.world import APPROVE, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def read(here: World, path: str) -> tuple[int, str]:
    assert here.bot
    async with here.slack.http.get(f"{here.bot.url}{path}") as answer:
        return answer.status, await answer.text()


async def ready(here: World) -> None:
    """What was written before the bot's time is sealed first, and a look at the database counts for seconds."""
    await here.until(lambda: read(here, "/readyz"), "the bot is ready", when=lambda told: told[0] == 200)


async def test_a_request_is_counted_and_nobody_is_named(here: World) -> None:
    """A mail from request to answer: steps of the model, attempts of the tool, the end of the run; no label and no
    text has a person, an address, an id or a word of theirs.
    """
    card = await here.card_for(DANA, send_mail("helen.marsh@marshgardens.example", "Benches"))
    await here.until(
        lambda: read(here, "/metrics"),
        "the question in the metrics",
        when=lambda told: 'countersign_questions_open{kind="approve"} 1.0' in told[1],
    )
    await here.click(DANA, card, APPROVE)
    await final(here, card, "✓ Done.")
    (run,) = await at_rest(here, DANA, runs=1)
    status, text = await here.until(
        lambda: read(here, "/metrics"),
        "the end of the run in the metrics, which count it after its commit",
        when=lambda told: 'countersign_runs_ended_total{state="completed"} ' in told[1],
    )
    assert status == 200
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]

    def value(name: str, **labels: str) -> float:
        return sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items())

    assert value("countersign_tool_seconds_count", tool="gmail_send", outcome="ok") == 1
    assert value("countersign_runs_ended_total", state="completed") == 1
    assert value("countersign_questions_asked_total", kind="approve") == 1
    assert value("countersign_model_seconds_count") == 2
    assert value("countersign_lease_takeovers_total") == 0
    assert "process_resident_memory_bytes" in text
    for told in (DANA.user_id, "Dana", "helen", "Benches", run.id, run.thread_id, "T0FERNHILL"):
        assert told not in text


async def test_a_bot_at_work_is_alive_and_ready(here: World) -> None:
    """Every part has its name, and all of them work."""
    await ready(here)
    _, text = await read(here, "/readyz")
    for part in ("relay", "sealer", "scheduler", "sweep", "database", "log", "open", "slack"):
        assert f'"{part}":true' in text
    assert (await read(here, "/healthz"))[0] == 200


async def test_a_database_that_cannot_be_written_is_seen(here: World) -> None:
    """While somebody holds it the process is not ready, and alive all the same."""
    async with here.base.store.write():
        status, text = await read(here, "/readyz")
        assert (status, '"database":false' in text) == (503, True)
        assert (await read(here, "/healthz"))[0] == 200


async def test_while_slack_is_away_the_process_lives(here: World) -> None:
    """A start waits for Slack however long it takes. Meanwhile the process lives and is not ready: nobody need start it
    anew.
    """
    await here.stop_bot()
    await here.slack.fault("ok_false", path="auth.test", error="internal_error")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    starting = asyncio.create_task(here.start_bot(http_port=port))

    async def lives() -> bool:
        with contextlib.suppress(aiohttp.ClientConnectionError):
            alive, ready = [await status(f"http://127.0.0.1:{port}/{path}") for path in ("healthz", "readyz")]
            return alive == 200 and ready == 503
        return False

    async def status(url: str) -> int:
        async with here.slack.http.get(url) as answer:
            return answer.status

    await here.until(lives, "the process lives and is not ready")
    assert not starting.done()
    await starting
    await ready(here)
