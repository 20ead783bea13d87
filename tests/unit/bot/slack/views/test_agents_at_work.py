"""The message about agents at work: what each does and used, and to whom that is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import Tally
from bot.domain.runs import RunState
from bot.runtime.delivery.views import AgentLine, AgentsView
from bot.slack.views import ids
from bot.slack.views.agents_at_work import MAX_AGENTS, agents
from bot.slack.views.blocks import Outgoing
from playground.slack.blocks import walk
from tests.unit.bot.slack.cases import MARA, SALES, place

DM = place(channel="D0MARA", is_dm=True)
PRIVATE = place(channel=SALES, private=True)


def line(**changes: Any) -> AgentLine:
    made = AgentLine(
        run_id="run_2",
        path=("Mail clerk",),
        state=RunState.PLANNING,
        tally=Tally(2, 1),
        tokens=12_400,
        cost_micros=21_000,
    )
    return replace(made, **changes)


def said(*lines: AgentLine, where: Any = DM, thoughts: Mapping[str, str] | None = None) -> list[str]:
    """All texts of the message, but for its buttons."""
    found = walk(list(agents(AgentsView(place=where, agents=lines), thoughts or {}).blocks))
    return [item["text"] for item in found if isinstance(item.get("text"), str) and item["text"] != "Stop"]


def buttons(shown: Outgoing) -> list[dict[str, Any]]:
    return [item for item in walk(json.loads(json.dumps(list(shown.blocks)))) if item.get("type") == "button"]


def test_an_agent_with_what_it_used() -> None:
    assert said(line()) == [
        "*Mail clerk*",
        "thinking",
        "2 lookups, 1 action · 12,400 tokens · at most US$\N{NO-BREAK SPACE}0.03",
    ]


@pytest.mark.parametrize(
    ("changes", "doing"),
    [
        ({"state": RunState.QUEUED}, "about to begin"),
        ({"state": RunState.EXECUTING, "doing": "Search mail for “benches”"}, "Search mail for “benches”"),
        ({"state": RunState.EXECUTING}, "working"),
        ({"state": RunState.EXECUTING, "stopping": True, "doing": "Send it"}, "stopping: what is being done"),
        ({"state": RunState.AWAITING}, "waits for you"),
        ({"state": RunState.COMPLETED}, "done"),
        ({"state": RunState.COMPLETED, "changes": 2, "rejected": 1}, "done"),
        ({"state": RunState.COMPLETED, "changes": 1, "rejected": 1}, "nothing was done, as it was rejected"),
        ({"state": RunState.PLANNING, "changes": 1, "rejected": 1}, "thinking"),
        ({"state": RunState.FAILED, "error": "The model was away."}, "failed: The model was away."),
        ({"state": RunState.CANCELLED, "stopping": True}, "stopped"),
        ({"state": RunState.PAUSED}, "paused"),
    ],
)
def test_what_it_does_or_how_it_ended(changes: dict[str, Any], doing: str) -> None:
    assert said(line(**changes))[1].startswith(doing)


@pytest.mark.parametrize(
    ("changes", "did"),
    [
        ({"state": RunState.CANCELLED, "changes": 1}, "2 lookups, nothing done"),
        ({"state": RunState.CANCELLED, "changes": 2, "tally": Tally(2, 1)}, "2 lookups, 1 action"),
        ({"state": RunState.CANCELLED}, "2 lookups"),
        ({"state": RunState.PAUSED, "changes": 1, "tally": Tally()}, "nothing done"),
        ({"state": RunState.AWAITING, "changes": 1}, "2 lookups"),
        ({"state": RunState.COMPLETED, "changes": 1, "rejected": 1}, "2 lookups"),
        ({"state": RunState.QUEUED, "tally": Tally()}, None),
    ],
)
def test_what_it_did(changes: dict[str, Any], did: str | None) -> None:
    """What was only asked about is no action; that nothing was done is said once, of one that is over and wanted it."""
    found = said(line(**{"tally": Tally(lookups=2), "cost_micros": 0} | changes))[2]
    assert found == " · ".join([*([did] if did else []), "12,400 tokens"])


@pytest.mark.parametrize(
    ("thought", "shown"),
    [
        ("**Reading the mail**\n\nHelen asks.\n\n\n**Writing\nan answer**\n\n", "Reading the mail"),
        ("**Reading the mail**\n\nHelen asks.\n\n\n**Writing an answer**\n\nNow I", "Writing an answer"),
        ("I look for it.\nThen I read", "Then I read"),
        ("\n \n", "thinking"),
    ],
)
def test_its_thought_in_a_few_words(thought: str, shown: str) -> None:
    """The newest heading, or the newest line; only while it thinks."""
    assert said(line(), thoughts={"run_2": thought})[1] == shown
    assert said(line(state=RunState.COMPLETED), thoughts={"run_2": thought})[1] == "done"


@pytest.mark.parametrize(
    ("micros", "cost"), [(0, []), *((spent, ["at most US$\N{NO-BREAK SPACE}0.01"]) for spent in (1, 4_900, 10_000))]
)
def test_what_it_costs(micros: int, cost: list[str]) -> None:
    """Nothing is said where no price is known; one action is one."""
    assert said(line(tally=Tally(actions=1), cost_micros=micros))[2].split(" · ") == [
        "1 action",
        "12,400 tokens",
        *cost,
    ]


def test_an_agent_of_an_agent_is_named_by_those_above() -> None:
    assert said(line(path=("Week review", "Mail *clerk* <b>")))[0] == "*Week review › Mail *clerk* &lt;b&gt;*"


def test_one_at_work_has_a_button_for_its_owner() -> None:
    (button,) = buttons(agents(AgentsView(place=DM, agents=[line(), line(run_id="run_3", stopping=True)]), {}))
    assert (button["action_id"], button["value"], button["visible_to_user_ids"]) == (ids.STOP_AGENT, "run_2", [MARA])


@pytest.mark.parametrize("state", [state for state in RunState if not state.is_live()])
def test_one_that_is_over_has_none(state: RunState) -> None:
    assert buttons(agents(AgentsView(place=DM, agents=[line(state=state)]), {})) == []


@pytest.mark.parametrize("state", list(RunState))
def test_a_channel_is_told_nothing_of_what_it_thinks_or_does(state: RunState) -> None:
    """The same goes to the owner's direct messages once the request is private: there it is told."""
    secret = line(state=state, doing="canary", error="canary")
    thoughts = {"run_2": "**canary**"}
    assert "canary" not in str(agents(AgentsView(place=place(), agents=[secret]), thoughts))
    told = state in {RunState.PLANNING, RunState.EXECUTING, RunState.FAILED}
    assert ("canary" in str(agents(AgentsView(place=PRIVATE, agents=[secret]), thoughts))) is told


def test_of_many_those_at_work_and_the_newest_are_shown() -> None:
    over = [line(run_id=f"run_{n}", path=(f"Agent {n}",), state=RunState.COMPLETED) for n in range(MAX_AGENTS)]
    texts = said(line(run_id="run_w", path=("At work",)), *over)
    assert texts[0] == "*At work*"
    assert "✓ *Agent 0*" not in texts
    assert "✓ *Agent 1*" in texts
    assert texts[-1] == "… and 1 more"
