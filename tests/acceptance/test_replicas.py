"""Three replicas on one PostgreSQL: what is asked of any of them is done once by one of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from playground.people import DANA
from tests.acceptance.mortal import Nursery
from tests.acceptance.world import APPROVE
from tests.postgres import PostgresServer
from tests.replicas import Replicas, replicas

SEND = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Benches", "body": "Ready."}]]'
DM = "D0DANA"


@pytest.fixture(scope="module")
def nursery() -> Generator[Nursery]:
    with Nursery() as made:
        yield made


@pytest.fixture
async def three(tmp_path: Path, postgres: PostgresServer, nursery: Nursery) -> AsyncGenerator[Replicas]:
    async with replicas(tmp_path, postgres, nursery) as made:
        yield made


async def test_the_main_job(three: Replicas) -> None:
    """Asked at one replica and approved at another, a mail is sent once."""
    await three.here.say(DANA, SEND)
    (card,) = await three.here.card_in(DM)
    await three.here.click(DANA, card, APPROVE)
    await three.audited("run.completed")
    await three.settle_accounts()
    assert len(await three.here.sent(DANA)) == 1
