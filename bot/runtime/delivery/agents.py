"""What people are shown of agents."""

from __future__ import annotations

import json

from bot.domain.runs import Run
from bot.store.unit_of_work import UnitOfWork


async def title_of(work: UnitOfWork, run: Run) -> str:
    """The name for people of the agent whose run this is; empty where it is the assistant's."""
    if run.definition is None:
        return ""
    known = await work.definitions.find([run.definition])
    written = json.loads(known.get(run.definition, "{}"))
    return str(written.get("displayName") or run.agent)
