"""What a tool is told of its call: who asks, where, and what is known of the action."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bot.domain.ids import effect_key
from bot.domain.runs import HELD_SOURCE, OPERATOR
from bot.runtime.people.requesters import Requesters
from integrations.base import Call, Requester
from policies.types import Label
from tests import builders as make
from tests.builders import DANA, NOW, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

DEADLINE = NOW + timedelta(minutes=1)
ASKS = Requester(team=TEAM, user=DANA, name="Dana Okafor", email=make.person().email, zone=make.person().zone)


async def noting(value: Mapping[str, object]) -> None:
    raise AssertionError(value)


async def test_an_attempt_knows_its_action(here: Harness) -> None:
    """What was approved, with which account, what an earlier attempt noted, whether it is made in spite of a doubt."""
    run = await here.request(label=Label.MEMBER)
    known: dict[str, Any] = {"basis": {"etag": "1"}, "account": "sub-1", "noted": {"draft_id": "d1"}}
    action = make.action(run_id=run.id, doubt=True, attempt=2, **known)
    known |= {"doubt": True, "attempt": 2}
    told = await Requesters(store=here.base.store).call(action, run, noting, deadline=DEADLINE, doubt=True)
    assert told == Call(
        requester=ASKS,
        run_id=run.id,
        channel=make.thread().channel,
        is_dm=True,
        label=Label.MEMBER,
        key=effect_key(action.id),
        deadline=DEADLINE,
        note=noting,
        **known,
    )


async def test_what_was_held_back_is_due(here: Harness) -> None:
    """A deferred action's moment has come, for its preview and for its attempt; that of another request has not."""
    requesters = Requesters(store=here.base.store)
    for source, due in (("event:1", False), (f"{HELD_SOURCE}act_1", True)):
        run = await here.request(source_key=source, label=Label.OWNER)
        action = make.action(run_id=run.id)
        context = await requesters.context(action, run)
        assert (context.due, context.label, context.requester) == (due, Label.OWNER, ASKS)
        assert (await requesters.call(action, run, noting, deadline=DEADLINE)).due is due


async def test_in_a_copy_attempts_may_be_forgotten(here: Harness) -> None:
    """A run that an operator stopped was under way when the copy was made."""
    run = await here.request()
    action, requesters = make.action(run_id=run.id), Requesters(store=here.base.store)
    assert not (await requesters.call(action, run, noting, deadline=DEADLINE)).forgotten
    copied = await here.request(stopped_by=OPERATOR)
    assert (await requesters.call(action, copied, noting, deadline=DEADLINE)).forgotten
