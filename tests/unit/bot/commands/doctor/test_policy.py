"""What the doctor says of the policy."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

import policies
from bot.commands.doctor.findings import Findings
from bot.commands.doctor.policy import examine_policy
from bot.settings import Settings
from bot.wiring.tools import policy_problems
from playground.people import BOT_TOKEN, BOT_USER_ID, JONAS, LUIS, PRIYA, THEO
from tests.unit.bot.slack.emulated import Slack, slack_running

SHIPPED = Path(policies.__file__).parent
RULE = "rules: [{{id: a, decision: deny, tool: gmail_send, argument: {argument}, value: x@y.example, reason: Never.}}]"


def test_the_shipped_policy_is_well() -> None:
    """What is shipped starts."""
    assert policy_problems() == []


@pytest.mark.parametrize(("argument", "problems"), [("recipient", 0), ("receivers", 1)])
def test_a_rule_that_nothing_could_match_is_told(tmp_path: Path, argument: str, problems: int) -> None:
    """An argument that no mail has is told before a start refuses it."""
    (tmp_path / "constitution.md").write_bytes((SHIPPED / "constitution.md").read_bytes())
    (tmp_path / "policy.yaml").write_text(RULE.format(argument=argument), encoding="utf-8")
    told = policy_problems(tmp_path)
    assert len(told) == problems
    assert all(f"names the argument “{argument}”" in line for line in told)


@pytest.fixture
async def slack() -> AsyncGenerator[Slack]:
    async with slack_running() as made:
        yield made


async def examined(slack: Slack, folder: Path, *users: str, needed: int = 1, **more: object) -> Findings:
    """What is told of a policy whose one rule names these people."""
    rule = f"id: big, decision: ask, tool: gmail_send, reason: Big., approvers: [{', '.join(users)}], needed: {needed}"
    (folder / "policy.yaml").write_text(f"rules: [{{{rule}}}]" if users else "rules: []", encoding="utf-8")
    given = {"slack_api_url": f"{slack.url}/api/", "slack_bot_token": BOT_TOKEN, "policies_dir": str(folder)}
    return await examine_policy(Settings.model_validate(given | more))


async def test_people_of_policy_yaml_are_asked_for_in_slack(slack: Slack, tmp_path: Path) -> None:
    """Who left, a guest, an app, and an id of nobody are named, and what to do; whoever can agree is not."""
    await slack.act("user", user=JONAS.user_id, deleted=True)
    assert await examined(slack, tmp_path, PRIYA.user_id, LUIS.user_id, needed=2) == Findings()
    found = await examined(
        slack, tmp_path, PRIYA.user_id, JONAS.user_id, THEO.user_id, BOT_USER_ID, "U0NOBODY", needed=2
    )
    (problem,) = found.problems
    assert "The rule big of policy.yaml wants 2 to agree, and 1 of those whom it names can: " in problem
    for who in (f"{JONAS.name} (left)", f"{THEO.name} (a guest)", "(an app)", "U0NOBODY (nobody in this workspace)"):
        assert who in problem
    assert PRIYA.name not in problem
    assert problem.endswith("In policy.yaml, name others, then restart the bot.")
    found = await examined(slack, tmp_path, PRIYA.user_id, "U0NOBODY")
    assert (found.problems, "Enough others are left" in found.remarks[0]) == ([], True)


async def test_nobody_is_asked_for_where_it_cannot_be(slack: Slack, tmp_path: Path) -> None:
    """Rules that name nobody, no token, or a wrong one, which is told besides; a Slack that is away is a remark."""
    assert await examined(slack, tmp_path) == Findings()
    assert slack.calls("auth.test") == []
    assert await examined(slack, tmp_path, "U0NOBODY", slack_bot_token=None) == Findings()
    assert await examined(slack, tmp_path, "U0NOBODY", slack_bot_token="xoxb-of-nobody") == Findings()
    found = await examined(slack, tmp_path, "U0NOBODY", slack_api_url="http://127.0.0.1:9/api/")
    await slack.fault(kind="ok_false", match={"path": "/api/users.info"}, error="internal_error", times=-1)
    for told in (found, await examined(slack, tmp_path, "U0NOBODY")):
        (remark,) = told.remarks
        assert "people whom rules of policy.yaml name were not looked up" in remark
        assert told.problems == []
    (tmp_path / "policy.yaml").write_text("rules: none", encoding="utf-8")
    broken = {"slack_api_url": f"{slack.url}/api/", "slack_bot_token": BOT_TOKEN, "policies_dir": str(tmp_path)}
    assert await examine_policy(Settings.model_validate(broken)) == Findings()
