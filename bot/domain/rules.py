"""A rule about who has to agree, as an administrator fills it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from policies.deciders import TURN_MINUTES, Approver, Deciders

MOST_APPROVERS = 10
LONGEST_TURN_MINUTES = 1_440
"""A card waits for a day."""

TOOL, RECIPIENT, APPROVERS, NEEDED, TURN = "tool", "recipient", "approvers", "needed", "turn_minutes"
"""The fields of a new rule, as its faults name them; each approver's stand-in has one of its own."""


def stand_in_field(approver: str) -> str:
    """The field of whoever stands in for this approver."""
    return f"stand_in_{approver}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRule:
    """What an administrator filled in. `tool` may be `*`, which is everything that goes to somebody; `recipient` is an
    address, `@domain`, or empty for anybody. `stand_ins` are by approver. People are ids of Slack's.
    """

    tool: str
    recipient: str = ""
    approvers: Sequence[str] = ()
    needed: int = 1
    turn_minutes: int = TURN_MINUTES
    stand_ins: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def deciders(self) -> Deciders:
        """Who has to agree."""
        seats = [Approver(user=user, stand_in=self.stand_ins.get(user, "")) for user in self.approvers]
        return Deciders(approvers=tuple(seats), needed=self.needed, turn_minutes=self.turn_minutes)
