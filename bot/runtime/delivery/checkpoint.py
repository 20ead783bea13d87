"""The read model of a checkpoint of the audit log that is posted in a channel."""

from __future__ import annotations

from bot.domain.deliveries import Announced, certainly_before
from bot.runtime.audit.export import checkpoint_as_json
from bot.runtime.delivery.views import CheckpointView
from bot.store.unit_of_work import UnitOfWork


async def checkpoint_view(work: UnitOfWork, subject: str) -> CheckpointView | None:
    """The view of a checkpoint; None when it is not there, as nobody has signed it in a copy of the database."""
    about = Announced.parse(subject)
    made = await work.audit.sealed_at(about.team, about.seq)
    return made and CheckpointView(
        channel=about.channel,
        team=made.team,
        seq=made.seq,
        line=checkpoint_as_json(made),
        since=certainly_before(made.at),
    )
