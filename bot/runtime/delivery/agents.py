"""What people are shown of agents: the name of one, and the read model of those that work for a request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.agents.definition import ENDING_TOOL
from bot.agents.flows import title_below
from bot.domain.runs import Run
from bot.runtime.delivery.views import AgentLine, AgentsView
from bot.runtime.limits.usage import tokens_of
from bot.store.repositories.actions import Used
from bot.store.unit_of_work import UnitOfWork


async def title_of(work: UnitOfWork, run: Run) -> str:
    """The name for people of the agent whose run this is; empty where it is the assistant's."""
    return _title(run, await work.definitions.find([run.definition])) if run.definition else ""


def _title(run: Run, known: Mapping[str, str]) -> str:
    written = json.loads(known.get(run.definition or "", "{}"))
    return str(written.get("displayName") or run.agent)


async def agents_view(work: UnitOfWork, root_id: str) -> AgentsView:
    """The agents that work for the request of this run, or did."""
    runs, place = await work.runs.given_work(root_id), await work.runs.place(root_id)
    if not runs:
        return AgentsView(place=place, agents=())
    rows = _Rows(
        runs=runs,
        known=await work.definitions.find([run.definition for run in runs if run.definition]),
        used=await work.actions.used(root_id, apart_from=ENDING_TOOL),
    )
    return AgentsView(place=place, agents=list(rows.below(root_id)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """The runs below a request, the definitions by hash, and by run what it did."""

    runs: Sequence[Run]
    known: Mapping[str, str]
    used: Mapping[str, Used]

    def below(self, run_id: str, above: Sequence[str] = (), over: str = "") -> Iterable[AgentLine]:
        """A line for each that works for this run, and behind it those that work for that; `above` are the names of
        those that this run works for and its own, `over` is its whole title.
        """
        for run in self.runs:
            if run.parent == run_id:
                title = _title(run, self.known)
                path = (*above, title_below(title, over))
                lower = list(self.below(run.id, path, title))
                yield self._line(run, path, [line for line in lower if len(line.path) == len(path) + 1])
                yield from lower

    def _line(self, run: Run, path: Sequence[str], helpers: Sequence[AgentLine]) -> AgentLine:
        own = self.used.get(run.id, Used())
        return AgentLine(
            run_id=run.id,
            path=path,
            state=run.state,
            tally=sum((line.tally for line in helpers), own.tally),
            changes=own.changes + sum(line.changes for line in helpers),
            rejected=own.rejected + sum(line.rejected for line in helpers),
            tokens=tokens_of(run),
            cost_micros=run.cost_micros,
            doing=own.doing,
            error=run.error,
            stopping=run.cancel_requested,
        )
