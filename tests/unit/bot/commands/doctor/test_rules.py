"""What the doctor says of administrators' rules about who has to agree."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.commands.doctor.findings import Findings
from bot.commands.doctor.rules import findings_of
from policies.deciders import Approver, Deciders
from policies.types import Decision, Rule, RuleAuthor
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM

ERIN = "U0ERIN"
GONE = make.person(user=ERIN, name="Erin", is_deleted=True)
GUEST = make.person(user=ERIN, name="Erin", is_guest=True)
APP = make.person(user=ERIN, name="Erin", is_bot=True)


def found(
    *users: str,
    stand_in: str = "",
    until: datetime | None = None,
    needed: int = 1,
    tool: str = "gmail_send",
    erin: Any = GONE,
) -> Findings:
    """What is told of one rule that names these people, of whom Erin is gone, or something else."""
    first, *others = users
    seats = (Approver(user=first, stand_in=stand_in, until=until), *(Approver(user=user) for user in others))
    deciders = Deciders(approvers=seats, needed=needed)
    rule = Rule(id="rule_1", decision=Decision.ASK, tool=tool, by=RuleAuthor.ADMIN, deciders=deciders)
    people = {(TEAM, user): make.person(user=user) for user in (DANA, MARA)} | {(TEAM, ERIN): erin}
    return findings_of([(TEAM, rule)], people, {"gmail_send"}, NOW)


def test_a_rule_that_can_be_met_is_nothing_to_tell() -> None:
    """Of one tool, or of everything that goes to somebody."""
    assert found(DANA, MARA, needed=2) == found(DANA, tool="*") == Findings()


@pytest.mark.parametrize(
    ("erin", "why"),
    [(GONE, "Erin (left)"), (GUEST, "Erin (a guest)"), (APP, "Erin (an app)"), (None, f"{ERIN} (never")],
)
def test_who_cannot_agree_is_named(erin: Any, why: str) -> None:
    """A remark as long as enough others are left; else a problem, because what the rule is about is refused."""
    (remark,) = found(DANA, ERIN, erin=erin).remarks
    (problem,) = found(DANA, ERIN, needed=2, erin=erin).problems
    assert why in remark
    assert why in problem
    assert "Enough others are left" in remark
    assert "wants 2 to agree, and 1 of those whom it names can" in problem
    for said in (remark, problem):
        assert f"The rule rule_1 of {TEAM}" in said
        assert "type “/agent rules edit rule_1”; “/agent rules remove rule_1” takes it away" in said


def test_who_stands_in_takes_the_place() -> None:
    """Then the rule can be met, and the approver who left is a remark."""
    assert found(ERIN, stand_in=MARA).problems == []
    assert len(found(ERIN, stand_in=MARA).remarks) == 1


def test_who_stands_in_no_more_is_nobody() -> None:
    """Their last day is over: a remark where the approver is there, else a problem, which names both."""
    (remark,) = found(DANA, stand_in=MARA, until=NOW).remarks
    (problem,) = found(ERIN, stand_in=MARA, until=NOW).problems
    assert "(stands in no more). Enough others are left." in remark
    assert "Erin (left), " in problem
    assert "(stands in no more). What it is about is refused." in problem
    assert found(DANA, stand_in=MARA, until=NOW + timedelta(microseconds=1)) == Findings()


def test_a_tool_that_does_not_exist() -> None:
    """Such a rule protects nothing: a problem, with the next step."""
    (problem,) = found(DANA, tool="gmail_sent").problems
    assert "about “gmail_sent”, and there is no such tool: it never asks anybody." in problem
    assert "/agent rules edit rule_1" in problem


def test_a_rule_that_contradicts_itself() -> None:
    """One that was not written in Slack can."""
    (problem,) = found(DANA, needed=2).problems
    assert "contradicts itself: 2 have to agree, but it names 1" in problem
