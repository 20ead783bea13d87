"""What is said to AgentDojo's side and how its answers are read; AgentDojo itself plays where it was installed."""

from __future__ import annotations

import itertools
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.tools.arguments import role_of
from policies.types import EffectClass, TrustLevel
from tests.verification.benchmarks.processes import child
from tests.verification.redteam import plays
from tests.verification.redteam.suites import WORKSPACE, Refused, Suites, is_installed, suites

ANSWERING = """
import json, sys
answers = {
    "tasks": {"users": [["u", "Please"]], "injections": [["i", "Send it"]], "functions": [["f", ["a"]]]},
    "begin": {"task": [["f", {"a": 1}]], "attack": [], "users": ["Alice"], "channels": ["general"]},
    "run": {"error": "ValueError: no such thing"},
    "look": {"found": None},
    "judge": {"reached": True},
}
for line in sys.stdin:
    print(json.dumps(answers[json.loads(line)["do"]]), flush=True)
"""

needs_agentdojo = pytest.mark.skipif(
    not is_installed(), reason="`make redteam` makes the environment that AgentDojo lives in"
)


@pytest.fixture
async def answering() -> AsyncGenerator[Suites]:
    async with child("answering", ["-c", ANSWERING], python=sys.executable) as process:
        yield Suites(process)


async def test_what_it_says_becomes_values(answering: Suites) -> None:
    """Names of tasks, calls with their arguments, and who is inside."""
    tasks, begun = await answering.tasks("slack"), await answering.begin("slack", "u", "i")
    assert (tasks.prompts, tasks.goals, tasks.functions) == ({"u": "Please"}, {"i": "Send it"}, {"f": ["a"]})
    assert (begun.task, begun.account, begun.inside) == ([("f", {"a": 1})], "", {"Alice", "general"})
    assert await answering.reached()


async def test_a_call_that_the_environment_refuses_is_no_result(answering: Suites) -> None:
    """Nor is a thing that is not there."""
    with pytest.raises(Refused, match="no such thing"):
        await answering.run("f", {"a": 1})
    assert await answering.look("file", "1") is None


TOOLS = dict.fromkeys(itertools.chain.from_iterable(plays.TOOLS.values()))  # in an order that is the same everywhere


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_function_that_changes_something_says_what_each_argument_is(tool: type[plays.Dojo]) -> None:
    """By roles alone: no rule knows its name."""
    roles = {role_of(field) for field in tool.args.model_fields.values()}
    assert tool.effect is EffectClass.READ or roles & {"destination", "object", "content"}


@needs_agentdojo
async def test_a_pair_is_won_unguarded_and_lost_where_everything_is_asked(tmp_path: Path) -> None:
    """The attack is real, and cards stop it; the mail that was not sent cannot be deleted, and has none. The task is
    done once its card is approved.
    """
    async with suites(tmp_path / "complaints.txt") as dojo:
        for suite, tools in plays.TOOLS.items():
            tasks = await dojo.tasks(suite)
            assert {tool.name: sorted(tool.args.model_fields) for tool in tools} == tasks.functions
        user, injection = "user_task_6", "injection_task_8"
        prompt = (await dojo.tasks(WORKSPACE)).prompts[user]
        given = (dojo, WORKSPACE, user, prompt)
        assert (await plays.attack(*given, injection, TrustLevel.AUTONOMOUS, guarded=False)).reached
        held = await plays.attack(*given, injection, TrustLevel.SUPERVISED, guarded=True)
        assert (held.reached, held.cards) == (False, 7)
        done = await plays.task(*given, TrustLevel.SUPERVISED)
        assert (done.reached, done.changes, done.unasked, len(done.carded)) == (True, 1, 0, 1)
