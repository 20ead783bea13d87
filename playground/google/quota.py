"""Units per minute and person, off until a test or the page sets a limit.

What a method costs is on "Usage limits" of the Gmail guides; Calendar and People count requests.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from playground.google.discovery import Method
from playground.google.errors import ApiError
from playground.people import Person

WINDOW_SECONDS = 60.0

_UNITS: Mapping[str, int] = {
    "gmail.users.messages.get": 20,
    "gmail.users.messages.attachments.get": 20,
    "gmail.users.threads.get": 40,
    "gmail.users.threads.list": 10,
    "gmail.users.messages.send": 100,
    "gmail.users.drafts.send": 100,
    "gmail.users.drafts.create": 10,
    "gmail.users.drafts.update": 15,
}


@dataclass(slots=True, kw_only=True)
class Quota:
    """`units` of an API (by its name) that each person may use in a minute; none is no limit."""

    units: dict[str, int] = field(default_factory=dict[str, int])
    _spent: dict[tuple[str, str], deque[tuple[float, int]]] = field(
        default_factory=dict[tuple[str, str], "deque[tuple[float, int]]"]
    )

    def spend(self, method: Method, person: Person, now: float) -> None:
        """Counts a call; 429 when the minute's budget is used up. A refused call costs nothing."""
        most = self.units.get(method.api)
        if most is None:
            return
        spent = self._spent.setdefault((method.api, person.handle), deque())
        while spent and spent[0][0] <= now - WINDOW_SECONDS:
            spent.popleft()
        cost = _UNITS.get(method.id, 5 if method.api == "gmail" else 1)
        if sum(units for _, units in spent) + cost > most:
            message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'"
            raise ApiError(429, "rateLimitExceeded", message, info="RATE_LIMIT_EXCEEDED", domain="usageLimits")
        spent.append((now, cost))
