"""The message about the agents that work for a request: what each does and used so far, with a button that ends it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.domain.runs import RunState
from bot.runtime.delivery.views import AgentLine, AgentsView
from bot.runtime.texts import about_limits
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.plain import escaped, markdown_line, one_line

MAX_AGENTS = 20  # two blocks each; a message has 50
TITLE_LIMIT, DOING_LIMIT = 130, 200

_MARKS = {RunState.COMPLETED: "✓ ", RunState.FAILED: "✗ ", RunState.CANCELLED: "– ", RunState.PAUSED: "– "}
_STANDS = {
    RunState.QUEUED: "about to begin",
    RunState.PLANNING: "thinking",
    RunState.EXECUTING: "working",
    RunState.AWAITING: "waits for you",
    RunState.COMPLETED: "done",
    RunState.FAILED: "failed",
    RunState.CANCELLED: "stopped",
    RunState.PAUSED: "paused",
}
_REJECTED = "nothing was done, as it was rejected"
_STOPS = "stopping: what is being done at this moment ends first"
_HEADING = re.compile(r"^\*\*(.+?)\*\*\s*$", re.M)
"""How the model begins each of its thoughts."""


def agents(view: AgentsView, thoughts: Mapping[str, str]) -> Outgoing:
    """All of them as they are now; `thoughts` are what the model of each is thinking, by its run. In a channel nothing
    that an agent thinks or does is told, because it may quote something private.
    """
    shown = _chosen(view.agents)
    lines = [block for line in shown for block in _agent(line, thoughts.get(line.run_id, ""), view)]
    names = ", ".join(dict.fromkeys(_name(line) for line in shown if len(line.path) == 1))
    return Outgoing(
        text=kit.fallback(f"Agents at work: {names}"), blocks=[*lines, *kit.and_more(len(view.agents) - len(shown))]
    )


def _chosen(lines: Sequence[AgentLine]) -> Sequence[AgentLine]:
    """Those that fit: the ones at work before the others, of these the newest."""
    at_work = [line for line in lines if line.state.is_live()]
    others = [line for line in lines if not line.state.is_live()]
    kept = {line.run_id for line in [*at_work, *reversed(others)][:MAX_AGENTS]}
    return [line for line in lines if line.run_id in kept]


def _agent(line: AgentLine, thought: str, view: AgentsView) -> Sequence[Block]:
    mark = "– " if line.did_nothing else _MARKS.get(line.state, "")
    title = kit.marked(f"{mark}*{escaped(_name(line))}*") | {"block_id": f"agent:{line.run_id}"}
    if line.can_be_stopped:
        title |= {"accessory": kit.button("Stop", ids.STOP_AGENT, line.run_id, only_for=view.place.user)}
    is_told = view.place.is_dm or view.place.private
    return [title, kit.context(kit.small(_doing(line, thought, is_told=is_told)), kit.small(_used(line)))]


def _name(line: AgentLine) -> str:
    """With the names of those that it works for."""
    return " › ".join(one_line(title, TITLE_LIMIT) or "…" for title in line.path)


def _doing(line: AgentLine, thought: str, *, is_told: bool) -> str:
    if line.did_nothing:
        return _REJECTED
    stands = _STOPS if line.stopping and line.state.is_live() else _STANDS[line.state]
    if not is_told or line.stopping:
        return stands
    match line.state:
        case RunState.PLANNING:
            return one_line(_gist(thought), DOING_LIMIT) or stands
        case RunState.EXECUTING:
            return one_line(line.doing, DOING_LIMIT) or stands
        case RunState.FAILED:
            return f"{stands}: {markdown_line(line.error, DOING_LIMIT)}" if line.error else stands
        case _:
            return stands


def _gist(thought: str) -> str:
    """The newest heading, else the newest line."""
    headings = _HEADING.findall(thought)
    lines = [line for line in thought.splitlines() if line.strip()]
    return str(headings[-1]) if headings else "".join(lines[-1:])


def _used(line: AgentLine) -> str:
    return " · ".join([*_did(line), f"{line.tokens:,} tokens", *_cost(line.cost_micros)])


def _did(line: AgentLine) -> Sequence[str]:
    """What it did; of one that is over also that this is nothing, where it wanted something and that is not said."""
    is_nothing = line.changes and not (line.tally.actions or line.state.is_live() or line.did_nothing)
    said = ", ".join(filter(None, [str(line.tally), "nothing done" if is_nothing else ""]))
    return [said] if said else []


def _cost(micros: int) -> Sequence[str]:
    """Nothing where no price is known."""
    return [about_limits.spent(micros)] if micros else []
