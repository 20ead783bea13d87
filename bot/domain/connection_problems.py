"""Connection problems: how connected accounts fared, as the rows tell, to help find a wrong setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.audit import AuditCode

TESTING_LIFE = timedelta(days=7)
"""How long refresh tokens live that an app gives out while its publishing status is “Testing” (Google Identity, "Using
OAuth 2.0 to Access Google APIs", "Refresh token expiration").
"""

_LATE = timedelta(hours=2)  # refreshed so much later than seven days: there is no such end
_SEEN = timedelta(days=7)  # how long after its end a connection may first be used again, and be found dead


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that became of a person's connection; `code` is that of the log."""

    whose: tuple[str, str]
    code: AuditCode
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The newest failure of its kind: the tool, what people were told, and when."""

    tool: str
    message: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionProblems:
    """Of the last weeks: what became of connections, in order, and what failed because a Google API is not enabled."""

    changes: Sequence[Change]
    disabled: Sequence[Failure]


def ended_after_a_week(changes: Sequence[Change]) -> int:
    """How many connections ended at seven days, as those of an app in testing do; 0 when one lived on."""
    began: dict[tuple[str, str], datetime] = {}
    seen: dict[tuple[str, str], timedelta] = {}
    ended = 0
    for change in changes:
        match change.code:
            case AuditCode.CONNECTION_CONNECTED | AuditCode.CONNECTION_ADOPTED:
                began[change.whose], seen[change.whose] = change.at, timedelta()
            case AuditCode.CONNECTION_REFRESHED if change.whose in began:
                seen[change.whose] = change.at - began[change.whose]
                if seen[change.whose] > TESTING_LIFE + _LATE:
                    return 0
            case AuditCode.CONNECTION_REFUSED if change.whose in began:
                age = change.at - began.pop(change.whose)
                ended += TESTING_LIFE - _LATE <= age <= TESTING_LIFE + _SEEN
            case _:
                pass
    return ended
