"""What the log keeps of people in private: opened with the person's key, and erased with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from bot.domain.audit import AuditCode, AuditEntry, AuditEvent
from bot.domain.runs import OPERATOR
from bot.domain.seals import personal_bound_to
from bot.redaction import readable_json
from bot.runtime.audit.bodies import body_of
from bot.secrets import CannotOpen, KeyRing
from bot.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Opener:
    """Opens what is personal in entries; each person's key is read once."""

    store: Store
    _keys: dict[tuple[str, str], KeyRing | None] = field(default_factory=dict[tuple[str, str], KeyRing | None])

    async def open(self, entry: AuditEntry) -> Mapping[str, object] | None:
        """The personal details of the entry; None where it has none, or its key was destroyed."""
        body = body_of(entry.body)
        owner, sealed = body.get("owner"), body.get("personal")
        if not isinstance(owner, str) or not isinstance(sealed, str):
            return None
        key = await self._key((entry.team, owner))
        if key is None:
            return None
        bound = personal_bound_to(entry.team, owner, entry.scope, entry.number)
        try:
            opened = json.loads(key.open(sealed, bound_to=bound))
        except CannotOpen:
            return None
        return cast("dict[str, object]", json.loads(readable_json(json.dumps(opened, ensure_ascii=False))))

    async def _key(self, person: tuple[str, str]) -> KeyRing | None:
        if person not in self._keys:
            async with self.store.read() as work:
                try:
                    self._keys[person] = await work.person_keys.find(person)
                except CannotOpen:
                    self._keys[person] = None
        return self._keys[person]


async def erase(store: Store, team: str, user: str) -> bool:
    """Destroy the person's key, which the log says: nobody opens what lies under it any more, and everything verifies
    as before. False where there is no key. What comes later lies under another one. Raises `NotSaved`.
    """
    async with store.write() as work:
        if not await work.person_keys.destroy((team, user)):
            return False
        details = {"person": user}
        await work.audit.record(AuditEvent(team=team, code=AuditCode.PERSON_ERASED, actor=OPERATOR, details=details))
    return True
