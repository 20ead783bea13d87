"""Keys of requests: asking again under the same key is asking once (runtime contract; `Idempotency-Key`)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from bot.domain import ids
from bot.runtime.core.transaction import Transaction
from bot.runtime.over_http.admission import Refused, Taking, Took, Turned

KEPT = timedelta(hours=24)
"""How long a key means what it meant; afterwards it can be used for something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key that a person's client made up, and the `body` that was sent under it."""

    team: str
    user: str
    name: str
    body: bytes

    @property
    def id(self) -> str:
        """The id of its row: of one person, so that nobody meets another one's."""
        return ids.named("htr", "/".join([self.team, self.user, self.name]))


async def once(tx: Transaction, key: Key | None, take: Taking) -> Took | Refused:
    """The run that `take` begins or is said to, or that came of the same key before. What is refused leaves the key
    free, so that it can be tried again.
    """
    if key is None:
        return await take(tx)
    body = hashlib.sha256(key.body).hexdigest()
    known = await tx.work.http_requests.begin(key.id, body=body, at=tx.now, until=tx.now - KEPT)
    if known is not None:
        same = known.run_id if known.body == body else None
        return Took(run_id=same, message_id=known.message_id) if same else Refused(Turned.KEY_USED)
    took = await take(tx)
    if isinstance(took, Refused):
        await tx.work.http_requests.give_back(key.id)
    else:
        await tx.work.http_requests.stands_for(key.id, took.run_id, took.message_id)
    return took
