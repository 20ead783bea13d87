"""The rows of one request, as the runtime would have written them: what the Slack surface shows is read from these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from bot.domain.actions import ActionState
from bot.domain.deliveries import Delivery, DeliveryKind, DeliveryState, Place
from bot.domain.runs import RunState
from bot.domain.threads import Audience, Surface, Thread
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.schedule_views import ScheduleViews
from integrations.base import Preview
from policies.types import Decision, EffectClass, Unnamed, Verdict
from tests import builders as make
from tests.stores import Opened
from tests.unit.bot.slack.cases import MARA, TEAM, preview


class Rows:
    """One request of Mara's, `run_1`, and what belongs to it. Everything it writes can be read back by the product."""

    def __init__(self, base: Opened) -> None:
        self.base = base
        self.queries = Queries(store=base.store, clock=base.clock, side_effects_enabled=True)
        self.timely = ScheduleViews(store=base.store, clock=base.clock)
        self.posts = PostService(store=base.store)

    async def asked(
        self, channel: str, ts: str, *, run_id: str = "run_1", is_dm: bool = False, **changes: Any
    ) -> Place:
        """The request stands in this channel at this moment; without one it is yet to be posted."""
        thread = make.thread(id=f"thr_{run_id}", channel=channel, root_ts=ts or f"thr_{run_id}", is_dm=is_dm)
        audience = Audience.OWNER if is_dm else Audience.CHANNEL
        said: dict[str, Any] = {"channel": channel, "ts": ts, "root_ts": ts, "audience": audience, "owner": MARA}
        said["created_at"] = self.base.clock.now()
        return await self._asked(thread, said, run_id, **changes)

    async def asked_over_http(self, *, run_id: str = "run_1", order: str = "0.0000000001", **changes: Any) -> Place:
        """The request came over HTTP, at the clock's moment."""
        thread_id = f"thr_{run_id}"
        thread = make.thread(id=thread_id, channel="", root_ts=thread_id, is_dm=True, surface=Surface.HTTP, owner=MARA)
        said = {"ts": order, "root_ts": thread_id, "audience": Audience.OWNER, "owner": MARA}
        asked = {"created_at": self.base.clock.now()}
        return await self._asked(thread, said | asked, run_id, **{"private": True} | changes)

    async def _asked(self, thread: Thread, said: dict[str, Any], run_id: str, **changes: Any) -> Place:
        message_id = f"msg_{run_id}"
        async with self.base.store.write() as work:
            thread_id = (await work.threads.ensure(replace(thread, team=TEAM))).id
        request = make.message("please", id=message_id, thread_id=thread_id, team=TEAM, author=MARA, **said)
        owned = {"team": TEAM, "user": MARA, "thread_id": thread_id, "message_id": message_id}
        begun: dict[str, Any] = {"state": RunState.PLANNING, "started_at": self.base.clock.now()}
        values = {"source_key": f"slack:{run_id}"} | begun | owned | changes
        async with self.base.store.write() as work:
            await work.users.seen(make.person(team=TEAM, user=MARA, name="Mara", zone="Europe/Stockholm"))
            await work.messages.add(request)
            await work.runs.add(make.run(id=run_id, **values))
            await work.steps.add(make.step(id=f"step_{run_id}", run_id=run_id, seq=1, open=1))
        return await self.queries.place(run_id)

    async def served(self, *, times: int, run_id: str = "run_1") -> None:
        """Its thread was served so often by now, each time under another epoch of its lease."""
        name = f"thread:thr_{run_id}"
        async with self.base.store.write() as work:
            for _ in range(times):
                epoch = await work.leases.take(name, "x", now=self.base.clock.now(), seconds=30)
                assert epoch is not None
                await work.leases.release(name, "x", epoch)

    async def now(self, *, run_id: str = "run_1", **changes: Any) -> Place:
        """The run as it is from now on."""
        async with self.base.store.write() as work:
            await work.runs.change(run_id, **changes)
        return await self.queries.place(run_id)

    async def action(self, action_id: str = "act_1", *, run_id: str = "run_1", **changes: Any) -> None:
        """An action of the run; what was known of it before is forgotten."""
        await self.base.tamper(f"DELETE FROM actions WHERE id = '{action_id}'")
        given = {
            "run_id": run_id,
            "step_id": f"step_{run_id}",
            "thread_id": f"thr_{run_id}",
            "team": TEAM,
            "user": MARA,
            "caption": "Send mail to dana@fernhill.example",
        }
        async with self.base.store.write() as work:
            await work.actions.add([make.action(id=action_id, **(given | changes))])

    async def question(
        self,
        question_id: str = "qst_1",
        *,
        action: ActionState = ActionState.AWAITING,
        shows: Preview | None = None,
        private: bool = True,
        reason: str = "you asked to be asked",
        unnamed: Sequence[Unnamed] = (),
        detail: str = "",
        **changes: Any,
    ) -> str:
        """A question about an action of its own; the value of its card's buttons."""
        shown = shows or preview(private=private)
        about = f"act_{question_id}"
        rule = unnamed[0].rule if unnamed else "level.supervised"
        verdict = Verdict(decision=Decision.ASK, rule=rule, reason=reason, unnamed=tuple(unnamed))
        args = '{"text":"it"}'
        given: dict[str, Any] = {"preview": asdict(shown), "verdict": verdict, "summary": detail, "state": action}
        await self.action(about, **given, args=args, args_proposed=args, effect=EffectClass.EXTERNAL)
        await self.base.tamper(f"DELETE FROM questions WHERE id = '{question_id}'")
        owned = {"team": TEAM, "user": MARA, "thread_id": "thr_run_1", "run_id": "run_1", "step_id": "step_run_1"}
        expires = self.base.clock.now() + timedelta(days=1)
        values = {"id": question_id, "action_id": about, "expires_at": expires} | owned | changes
        question = make.question(**values)
        async with self.base.store.write() as work:
            await work.questions.add(question)
        return question.button_value()

    async def forget_posts(self) -> None:
        """The process died before it wrote down what it posted."""
        await self.base.tamper("DELETE FROM posts")

    def delivery(self, kind: DeliveryKind, subject: str, *, attempts: int = 1) -> Delivery:
        return Delivery(
            id=1,
            lane="thr_1",
            kind=kind,
            subject=subject,
            team=TEAM,
            state=DeliveryState.PENDING,
            attempts=attempts,
            created_at=self.base.clock.now(),
        )
