"""What the log says of a secret of ours that was about to leave."""

from __future__ import annotations

import structlog

from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.core.transaction import AGENT
from bot.store.errors import NotSaved
from bot.store.store import Store

log = structlog.get_logger()


async def record_withheld(store: Store, team: str, method: str, place: str) -> None:
    """By which method, and where to. It was taken out of what is sent, which is sent in any case: where the log cannot
    be written, that is logged.
    """
    about = {"method": method, "place": place}
    event = AuditEvent(team=team, code=AuditCode.SECRET_WITHHELD, actor=AGENT, details=about)
    try:
        async with store.write() as work:
            await work.audit.record(event)
    except NotSaved as error:
        log.error("slack.withheld_not_recorded", error=str(error), **about)
