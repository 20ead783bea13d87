"""What is known of a person, their workspace and their rules from one transaction to the next, and what ends that."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from bot.domain.threads import Workspace
from bot.errors import BotError
from bot.store.repositories.people import Standing
from bot.store.unit_of_work import UnitOfWork
from policies.provenance import GuardMode
from policies.types import Decision, Rule, RuleAuthor, TrustLevel
from tests import builders as make
from tests.builders import DANA, NOW, TEAM
from tests.stores import Opened, opened

_OWN = Rule(id="r1", decision=Decision.ALLOW, tool="*", argument="recipient", value="a@x.example", by=RuleAuthor.OWNER)
_ADMINS = Rule(id="r2", decision=Decision.DENY, tool="gmail_send", by=RuleAuthor.ADMIN)

Write = Callable[[UnitOfWork], Awaitable[object]]
_WRITES: dict[str, Write] = {
    "seen": lambda work: work.users.seen(make.person(is_guest=True)),
    "level": lambda work: work.users.set_level(TEAM, DANA, TrustLevel.DELEGATED.value),
    "installed": lambda work: work.users.installed(Workspace(team=TEAM, name="Fernhill Ltd")),
    "guard": lambda work: work.users.set_guard(TEAM, GuardMode.OFF),
    "added": lambda work: work.rules.add(TEAM, DANA, replace(_OWN, id="r3", value="b@x.example"), at=NOW),
    "added for all": lambda work: work.rules.add(TEAM, "U0ERIN", replace(_ADMINS, id="r4", tool="*"), at=NOW),
    "removed": lambda work: work.rules.remove(TEAM, DANA, "a@x.example"),
    "rewritten": lambda work: work.rules.rewrite(TEAM, replace(_ADMINS, tool="*")),
    "taken away": lambda work: work.rules.take_away(TEAM, "r2"),
}


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    """A person with a rule of their own and one of the workspace, which the writer of the file knows."""
    async with opened(tmp_path) as base:
        async with base.store.write() as work:
            await work.users.seen(make.person())
            await work.users.installed(Workspace(team=TEAM, name="Fernhill"))
            await work.rules.add(TEAM, DANA, _OWN, at=NOW)
            await work.rules.add(TEAM, DANA, _ADMINS, at=NOW)
        await known(base)
        yield base


async def known(base: Opened) -> Standing:
    """As a writing transaction has it."""
    async with base.store.write() as work:
        return await work.rules.standing(TEAM, DANA)


async def stored(base: Opened) -> Standing:
    """As the rows are."""
    async with base.store.read() as work:
        return await work.rules.standing(TEAM, DANA)


async def test_it_is_not_read_again(base: Opened) -> None:
    """While nothing of it was written, and of nobody else."""
    with base.heard() as said:
        assert await known(base) == (make.person(), Workspace(team=TEAM, name="Fernhill"), [_OWN, _ADMINS])
        assert said == []
        async with base.store.write() as work:
            person, _, rules = await work.rules.standing(TEAM, "U0ERIN")
        assert (person, rules) == (None, [_ADMINS])


@pytest.mark.parametrize("write", _WRITES.values(), ids=_WRITES)
async def test_whatever_is_written_of_it_counts_at_once(base: Opened, write: Write) -> None:
    """In the same transaction, and in the next one."""
    before = await known(base)
    async with base.store.write() as work:
        assert await work.rules.standing(TEAM, DANA) == before
        await write(work)
        within = await work.rules.standing(TEAM, DANA)
    assert before != within == await known(base) == await stored(base)
    assert await known(base) == within


@pytest.mark.parametrize("write", _WRITES.values(), ids=_WRITES)
async def test_what_was_not_saved_counts_for_nothing(base: Opened, write: Write) -> None:
    """A transaction that fails leaves what it saw to nobody."""

    async def fail() -> NoReturn:
        async with base.store.write() as work:
            await write(work)
            assert await work.rules.standing(TEAM, DANA) != before
            raise BotError

    before = await known(base)
    with pytest.raises(BotError):
        await fail()
    assert await known(base) == before == await stored(base)


async def test_another_process_may_write_too(base: Opened) -> None:
    """Whatever it wrote, it is read again."""
    await base.tamper("DELETE FROM rules")
    assert (await known(base))[2] == []
