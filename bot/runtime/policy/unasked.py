"""People the agent wrote to first, with nobody's yes: that alone makes nobody an acquaintance (docs/security.md).

A mailbox shows every mail alike, whoever had it sent. So the commit that lets a mail begin keeps the people its owner
had not written to before, unless they approved it, and a mail to these that they approve takes them off again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.domain.actions import Action
from bot.domain.limits import mark_of
from bot.runtime.core.transaction import Transaction
from bot.store.unit_of_work import UnitOfWork
from integrations.base import AnyTool, Requester
from policies.types import Addressing, EffectClass


async def keep(
    tx: Transaction, action: Action, tool: AnyTool, reached: Iterable[str], *, met: Collection[str], covered: bool
) -> None:
    """Before the mail leaves, for it may be doubtful afterwards. `met` are those its owner wrote to before."""
    if tool.addressing is Addressing.NONE or tool.effect is not EffectClass.EXTERNAL:
        return
    people = set(reached) if covered else set(reached) - set(met)
    marks = {mark_of(address, action.team, action.user) for address in people}
    if not marks:
        return
    if covered:
        await tx.work.unasked.drop(action.team, action.user, marks)
    else:
        await tx.work.unasked.add(action.team, action.user, marks, tx.now)


async def among(work: UnitOfWork, requester: Requester, addresses: Iterable[str]) -> frozenset[str]:
    """Those of these addresses that only the agent wrote to."""
    marks = {address: mark_of(address, requester.team, requester.user) for address in addresses}
    if not marks:
        return frozenset()
    found = await work.unasked.among(requester.team, requester.user, set(marks.values()))
    return frozenset(address for address, mark in marks.items() if mark in found)
