"""The read models of what is told beside requests: an account that was connected, a checkpoint of the audit log."""

from __future__ import annotations

from bot.domain.deliveries import Announced, Connected, certainly_before
from bot.runtime.audit.export import checkpoint_as_json
from bot.runtime.delivery.views import CheckpointView, ConnectedView
from bot.store.unit_of_work import UnitOfWork


async def connected_view(work: UnitOfWork, subject: str) -> ConnectedView | None:
    """The view of a connected account, for the person who is told of it; None when it is not connected any more."""
    told = Connected.parse(subject)
    connect = await work.oauth_attempts.find(told.attempt_id)
    found = await work.connections.find(connect.team, connect.user, connect.provider) if connect else None
    if connect is None or found is None:
        return None
    sharing = await work.connections.of_account(found.provider, found.account)
    return ConnectedView(
        team=connect.team,
        reader=told.reader,
        owner=connect.user,
        provider=found.provider,
        email=found.email,
        sharing=[item.user for item in sharing if item.team == connect.team and item.user != connect.user],
        since=certainly_before(connect.created_at),
    )


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
