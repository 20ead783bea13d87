"""A round of a job: one item after the other, each in its own transaction, so that no item blocks the others."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Sequence, Set
from contextlib import asynccontextmanager
from typing import TypeVar

import structlog

from bot.domain.states import LostRace
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.store.errors import NotRead, NotSaved
from bot.store.repositories.due import Due

log = structlog.get_logger()

Thing = TypeVar("Thing")


def shuffled(things: Sequence[Thing]) -> Sequence[Thing]:
    """The things in random order, so that replicas that look at once do not all wait for the first one."""
    return random.sample(things, len(things))


async def due(transactions: TransactionFactory) -> Set[Due]:
    """Who has something to do now, by one statement for all of them. Raises `NotRead`."""
    async with transactions.store.read() as work:
        return await work.due.at(transactions.clock.now())


@asynccontextmanager
async def isolated(transactions: TransactionFactory, job: str, about: str) -> AsyncGenerator[Transaction]:
    """One transaction of a job; whatever goes wrong in it is logged, changes nothing, and is tried by the next round.

    A lost race is nothing: another replica, or a person, was first.
    """
    try:
        async with transactions.write() as tx:
            yield tx
    except LostRace as race:
        log.debug("round.lost_race", job=job, about=about, race=str(race))
    except (NotSaved, NotRead) as trouble:
        log.error("round.store_in_trouble", job=job, about=about, why=str(trouble))
    except Exception:  # the outer edge of one thing: the round goes on with the next
        log.exception("round.failed", job=job, about=about)
