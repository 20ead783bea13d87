"""An administrator's rule holds by whatever name a call goes where it would arrive."""

from __future__ import annotations

import pytest

from bot.domain.actions import ActionState
from integrations.base import Field, Preview
from policies.provenance import Impact
from policies.types import Decision, Rule, RuleAuthor, TrustLevel
from tests.builders import MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

CARD = Preview(
    title="Do it?",
    fields=[Field(label="What", value="it")],
    account="a1",
    recipients=["helen@x.example"],
    places=["c_team@group.calendar.google.com", "Fernhill team"],
    impact=Impact(destinations=["answers@x.example"]),
)


@pytest.mark.parametrize("level", [TrustLevel.SUPERVISED, TrustLevel.AUTONOMOUS])
@pytest.mark.parametrize(
    ("value", "is_denied"),
    [
        ("c_team@group.calendar.google.com", True),
        ("fernhill  team", True),
        ("answers@x.example", True),
        ("Fernhill", False),
    ],
)
async def test_rules_hear_of_what_a_preview_says(here: Harness, value: str, is_denied: bool, level: TrustLevel) -> None:
    """Both names of a calendar, and where answers to a mail would go."""
    rule = Rule(
        id="r1", decision=Decision.DENY, tool="*", argument="role:destination", value=value, by=RuleAuthor.ADMIN
    )
    async with here.base.store.write() as work:
        await work.rules.add(TEAM, MARA, rule, at=here.base.clock.now())
    here.effect.previews = [CARD]
    run = await here.asked([("gmail_send", {"text": "it"})], "Done.", level=level)
    action = await here.action(run)
    assert (action.state is ActionState.DENIED) is is_denied
    assert here.effect.calls == []
