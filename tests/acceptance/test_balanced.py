"""Slack over HTTP with three replicas behind a balancer: any of them may get any request."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from playground.people import DANA, SIGNING_SECRET
from playground.serve import Served
from playground.slack.settings import Settings as SlackSettings
from tests.acceptance.mortal import BotProcesses
from tests.acceptance.world import APPROVE
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer
from tests.replicas import Balancer, Replicas, replicas

SEND = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "%s", "body": "Ready."}]]'
DM = "D0DANA"


@pytest.fixture
async def three(
    tmp_path: Path, postgres: PostgresServer, bot_processes: BotProcesses
) -> AsyncGenerator[tuple[Replicas, Balancer]]:
    patient = SlackSettings(ack_seconds=PATIENCE_SECONDS)
    async with replicas(
        tmp_path,
        postgres,
        bot_processes,
        slack_settings=patient,
        SLACK_APP_TOKEN="",
        SLACK_SIGNING_SECRET=SIGNING_SECRET,
    ) as made:
        balancer = Balancer([made.url_of(n) for n in made.running()], made.here.slack.http)
        async with Served(balancer.app()) as url:
            verified = await made.here.slack.post("/__admin/http_delivery", {"url": f"{url}/slack/events"})
            assert verified["verified"]
            yield made, balancer


async def test_the_main_job_behind_a_balancer(three: tuple[Replicas, Balancer]) -> None:
    """Events, clicks and commands go to different replicas, one of which dies, and each request is done once."""
    replicas, balancer = three
    here = replicas.here
    for title in ("One", "Two"):
        await here.say(DANA, SEND % title)
    cards = await here.card_in(DM, count=2)
    await replicas.kill(1)
    for card in cards:
        assert (await here.click(DANA, card, APPROVE))["acked"]
    await replicas.audited("run.completed", times=2)
    await replicas.at_rest()
    await replicas.completed_sends_are_mails()
    await replicas.verified()
    assert sorted(mail["subject"] for mail in await here.sent(DANA)) == ["One", "Two"]
    assert len(balancer.answered) >= 2
