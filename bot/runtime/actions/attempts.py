"""What the log says of one attempt of an action, where no column does."""

from __future__ import annotations

import json

from bot.domain.actions import Action
from bot.domain.audit import AuditCode
from bot.store.unit_of_work import UnitOfWork


async def was_logged(work: UnitOfWork, action: Action, code: AuditCode, *, attempt: int) -> bool:
    """Whether the log has this of that attempt of the action."""
    entries = [json.loads(body)["details"] for body in await work.audit.told(action.run_id, code)]
    return any((told["action"], told["attempt"]) == (action.id, attempt) for told in entries)


async def is_wanted_in_doubt(work: UnitOfWork, action: Action) -> bool:
    """Whether its owner said to make the present attempt although an earlier one is in doubt. One that is only made
    again because the provider had not acted so far is none of these.
    """
    return action.doubt and await was_logged(work, action, AuditCode.ACTION_TRY_AGAIN, attempt=action.attempt - 1)
