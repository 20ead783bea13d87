"""What an attempt asks first is asked while the attempt is claimed, and it is dropped where none is."""

from __future__ import annotations

import asyncio

from bot.domain.actions import ActionState
from integrations.errors import ToolFailed
from policies.types import Decision, Rule, RuleAuthor, TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

SEND = ("gmail_send", {"text": "it"})


async def test_an_attempt_is_given_what_was_asked_before_it_was_claimed(here: Harness) -> None:
    """It is asked while the action is approved, and answers after the claim; the attempt waits for it."""
    states, claimed = list[str](), asyncio.Event()
    here.transactions.bus.attend(lambda _: claimed.set() if "action.claimed" in here.codes() else None)

    async def ask() -> object:
        states.extend(row["state"] for row in here.base.rows("SELECT state FROM actions"))
        await claimed.wait()
        return "found"

    here.effect.ahead = ask
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
    await here.approve(run, serve=True)
    assert (states, [call.ahead for call in here.effect.calls]) == (["approved"], ["found"])


async def test_what_cannot_be_found_ahead_stops_no_attempt(here: Harness) -> None:
    """An error of the tool's, and a defect of ours: the attempt is made, and asks by itself."""
    for error in (ToolFailed("google_unavailable", "Google could not be reached."), RuntimeError("a defect")):

        async def ask(error: Exception = error) -> object:
            raise error

        here.effect.ahead = ask
        run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
        await here.approve(run, serve=True)
        assert ((await here.action(run)).state, here.effect.calls.pop().ahead) == (ActionState.COMPLETED, None)


async def test_what_is_not_claimed_is_looked_up_for_nothing(here: Harness) -> None:
    """A rule of their own forbids it after the vote: the look is called off at once, while the thread is served."""
    served = list[bool]()

    async def ask() -> object:
        try:
            await asyncio.Event().wait()
        finally:
            served.append(any(task.get_name().startswith("renew ") for task in asyncio.all_tasks()))

    here.effect.ahead = ask
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
    await here.approve(run)
    async with here.base.store.write() as work:
        rule = Rule(id="never", decision=Decision.DENY, by=RuleAuthor.OWNER, tool="gmail_send")
        await work.rules.add(TEAM, DANA, rule, at=here.base.clock.now())
    await here.serve()
    assert (served, here.effect.calls, (await here.action(run)).state) == ([True], [], ActionState.DENIED)
