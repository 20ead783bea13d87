"""The read models of what is told beside requests: an account that was connected, a checkpoint of the audit log, and
the offer of what came too fast.
"""

from __future__ import annotations

from datetime import datetime

from bot.domain.deliveries import Announced, Connected, LinkEnd, RefusalSubject, certainly_before
from bot.domain.threads import Audience
from bot.runtime.audit.export import checkpoint_as_json
from bot.runtime.delivery.views import CheckpointView, ConnectedView, OfferView, UntakenLine
from bot.runtime.limits import held_back
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


async def connected_email(work: UnitOfWork, subject: str) -> str:
    """The address of the account that an attempt connected; empty where it connected none, or that was disconnected."""
    connect = await work.oauth_attempts.find(LinkEnd.parse(subject).attempt_id)
    found = await work.connections.find(connect.team, connect.user, connect.provider) if connect else None
    return found.email if found else ""


async def offer_view(work: UnitOfWork, subject: str, now: datetime) -> OfferView | None:
    """The view of what came too fast and is offered now; None where nothing is left, or its author is gone."""
    refusal = RefusalSubject.parse(subject)
    first = await work.messages.find(refusal.message_id)
    person, value = await work.users.find(first.team, first.author), str(refusal.figures[0])
    untaken = await held_back.offered(work, first.team, first.author, value, now)
    if not untaken or (person is not None and not person.is_member):
        return None
    lines = [UntakenLine(text=one.text, channel=_channel(one.audience, one.channel)) for one in untaken]
    return OfferView(team=first.team, user=first.author, value=value, untaken=lines, since=first.ts)


def _channel(audience: Audience, channel: str) -> str:
    return channel if audience is Audience.CHANNEL else ""


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
