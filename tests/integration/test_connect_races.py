"""Accounts that are kept on one replica while another takes them away, on PostgreSQL: none is left behind."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.domain.actions import Action
from bot.domain.questions import ConnectPayload
from bot.domain.runs import RunState
from bot.runtime.actions.asking.connect_questions import ask_to_connect
from bot.runtime.lifecycle.progress import step_locked
from integrations.errors import Lack, NotConnected
from integrations.grants import Tokens
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.connections.test_oauth_flow import account, connector
from tests.unit.bot.runtime.runtime_harness import Harness, harness


async def test_an_account_kept_while_the_app_is_removed_goes_with_it(tmp_path: Path, postgres_url: str) -> None:
    """Whoever takes everything away waits for the attempt that is just keeping an account, and finds what it kept."""
    async with harness(tmp_path, postgresql=postgres_url) as here:
        made = connector(here, account())
        await made.leave()
        kept = made.connecting.connections.sealed(
            TEAM,
            DANA,
            account="sub-1",
            email="d",
            scopes=frozenset({"mail"}),
            tokens=Tokens(access_token="a", refresh_token="r"),
        )
        async with here.base.store.write() as work:
            [row] = here.base.rows("SELECT id FROM connects")
            attempt = await work.oauth_attempts.find(row["id"])
            assert attempt is not None
            assert await work.oauth_attempts.end(attempt, at=here.base.clock.at)
            removed = asyncio.create_task(made.revoking.disconnect_workspace(TEAM))
            await asyncio.sleep(0.1)  # it waits for this transaction, in the database
            assert not removed.done()
            await work.connections.save(kept, at=here.base.clock.at)
        assert [item.user for item in await removed] == [DANA]
        assert made.connected() == []
        assert await made.given_back() == ["r"]


async def test_two_replicas_ask_once_about_one_lost_account(tmp_path: Path, postgres_url: str) -> None:
    """Requests in two threads find the account refused at the same moment: one card, and one line that waits for it."""
    async with harness(tmp_path, postgresql=postgres_url) as here:
        actions = [await _waiting(here, thread) for thread in ("thr_1", "thr_2")]
        both = asyncio.Barrier(2)

        async def asks(action: Action) -> None:
            async with here.transactions.write() as tx, step_locked(tx, action.step_id):
                await both.wait()
                await ask_to_connect(tx, action, NotConnected(Lack.CREDENTIALS, "gone"))
                await asyncio.sleep(0.05)  # the other one is asking, too

        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.gather(*map(asks, actions))
        async with here.base.store.read() as work:
            asked = await work.questions.open_of(TEAM, DANA, limit=9)
        assert sorted(question.payload_as(ConnectPayload).elsewhere for question in asked) == [False, True]


async def _waiting(here: Harness, thread_id: str) -> Action:
    """An action that is to be judged, in a thread of its own."""
    asked = make.message("please", thread_id=thread_id)
    run = make.run(thread_id=thread_id, message_id=asked.id, state=RunState.EXECUTING)
    step = make.step(run_id=run.id, open=1)
    action = make.action(run_id=run.id, step_id=step.id, thread_id=thread_id)
    async with here.base.store.write() as work:
        await work.threads.ensure(make.thread(id=thread_id, root_ts=thread_id))
        await work.users.seen(make.person())
        await work.messages.add(asked)
        await work.runs.add(run)
        await work.steps.add(step)
        await work.actions.add([action])
    return action
