"""What a stretch of work cost, by who caused it, as a text that a test keeps."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.verification.costs.meter import Tally
from tests.verification.costs.written import INSTRUCTION

CAUSES = {
    "slack-socket": "listener",
    "thread #": "thread",
    "model of #": "model",
    "# of #": "action",
    "deliver to #": "delivery",
    "slack-update-#": "live view",
    "sealer": "sealer",
    "process job serve[#]": "jobs",
    "wake-ups": "jobs",
}
"""What the causes are called here, by the names of their tasks."""

_WIDTH = 100
_TICKS = ("relay", "job ", "renew ", "worker loop", "poll_jobs_to_abort", "update_heartbeats")
"""Tasks that look by the clock, or whenever somebody wrote: how often is chance."""
_CONNECTING = "apps.connections.open"
"""The socket is opened anew when its pings are late, which is chance on a busy machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Statements and transactions by cause, requests to others, bytes of rows by table."""

    tallies: Sequence[tuple[str, Tally]]
    model: int
    slack: Counter[str]
    google: int
    stored: Counter[str]

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            tallies=[*self.tallies, *other.tallies],
            model=self.model + other.model,
            slack=self.slack + other.slack,
            google=self.google + other.google,
            stored=self.stored + other.stored,
        )

    def text(self) -> str:
        """A line for each cause, one for all, then what was asked of others and what was stored."""
        causes = self._causes()
        lines = [_line(cause, tally) for cause, tally in sorted(causes.items())]
        lines += [_line("in all", sum(causes.values(), Tally())), f"model {self.model}, Google {self.google}"]
        return "\n".join([*lines, _listed("Slack", self._calls()), _listed("bytes", self._rows()), self._instruction()])

    def writing(self, cause: str) -> int:
        """How many transactions of this cause wrote something."""
        return self._causes().get(cause, Tally()).writing

    def _causes(self) -> dict[str, Tally]:
        found: dict[str, Tally] = {}
        for name, tally in self.tallies:
            if not _is_chance(name, tally):
                cause = CAUSES.get(name, name)
                found[cause] = found.get(cause, Tally()) + tally
        return found

    def _calls(self) -> Counter[str]:
        return Counter({method: count for method, count in self.slack.items() if method != _CONNECTING})

    def _rows(self) -> Counter[str]:
        return Counter({place: size for place, size in self.stored.items() if place != INSTRUCTION})

    def _instruction(self) -> str:
        return f"the instruction is written {self.stored[INSTRUCTION]} times"


def _is_chance(name: str, tally: Tally) -> bool:
    """Ticks, and rounds of the sealer that find nothing."""
    return name.startswith(_TICKS) or (name == "sealer" and not tally.writing)


def _line(cause: str, tally: Tally) -> str:
    return f"{cause:<9} {tally.statements:4} statements, {tally.reading} reading, {tally.writing} writing"


def _listed(what: str, counts: Counter[str]) -> str:
    parts = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    return textwrap.fill(f"{what} {counts.total()}: {parts}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
