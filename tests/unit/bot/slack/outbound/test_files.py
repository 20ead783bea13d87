"""Files: the log of a plan is shared once, where it may be seen, without secrets."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.deliveries import DeliveryKind
from bot.domain.plans import Phase, Plan, PlanTask, Round, TaskStatus
from bot.domain.runs import DEADLINE, RunState
from bot.domain.states import LostRace
from bot.runtime.core.ports import DeliveryFailed
from bot.slack.connection.errors import SlackRefused, SlackUnclear
from bot.slack.outbound.files import OutgoingFile, SharedFiles
from bot.slack.outbound.messages import Destination
from bot.slack.views import plan as views
from playground import people
from tests import builders as make
from tests.unit.bot.slack.cases import MARA, SALES, preview
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import SECRET, Stage

AT_ONCE = (0.0, 0.0)
PATIENT = (0.0, *[0.02] * 500)
FILE = OutgoingFile(name="plan-run_1-completed.json", title="Log", comment="Here it is.", content=b'{"log": []}')


def sharer(slack: Slack, rows: Rows, **values: Any) -> SharedFiles:
    given: dict[str, Any] = {"author": people.BOT_USER_ID, "is_held": lambda: True, "pauses": AT_ONCE}
    return SharedFiles(web=slack.web, book=rows.posts, **given | values)


async def share(files: SharedFiles, ts: str, *, in_doubt: bool = False) -> None:
    await files.once("run_1", "log:COMPLETED", Destination(SALES, ts), FILE, since=ts, in_doubt=in_doubt)


def shared(slack: Slack, channel: str = SALES) -> list[str]:
    """The names of the files that we shared in a channel."""
    return [file["name"] for message in slack.ours(channel) for file in message.get("files", [])]


def contents(slack: Slack) -> list[bytes]:
    return [file.content for file in slack.emulator.workspace.world.files.values() if file.shared]


@pytest.fixture
async def ts(slack: Slack, rows: Rows) -> str:
    """A request in #sales."""
    said = await slack.say(MARA, SALES, "please")
    await rows.asked(SALES, said)
    return said


# Once -------------------------------------------------------------------------------------------------------------


async def test_a_file_is_shared_in_the_thread_once(slack: Slack, rows: Rows, ts: str) -> None:
    """Also when it is delivered again, and after a process that died before it wrote down where it stands."""
    await share(sharer(slack, rows), ts)
    await share(sharer(slack, rows), ts, in_doubt=True)
    await rows.forget_posts()
    await share(sharer(slack, rows), ts, in_doubt=True)
    (message,) = [message for message in slack.ours(SALES) if message.get("files")]
    assert (message["thread_ts"], message["text"], message["files"][0]["title"]) == (ts, "Here it is.", "Log")
    assert (shared(slack), contents(slack)) == ([FILE.name], [FILE.content])
    post = await rows.posts.find("run_1", "log:COMPLETED")
    assert post is not None
    assert (post.channel, post.ts) == (SALES, message["ts"])


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "/upload/v1", "files.completeUploadExternal"])
async def test_what_broke_off_before_it_was_shared_is_shared_by_the_next_attempt(
    slack: Slack, rows: Rows, ts: str, method: str
) -> None:
    await slack.fault(kind="drop_before", match={"path": method}, times=4)  # our client tries again, too
    with pytest.raises(SlackUnclear):
        await share(sharer(slack, rows), ts)
    await slack.session.delete(f"{slack.url}/__admin/faults")
    await share(sharer(slack, rows), ts, in_doubt=True)
    assert shared(slack) == [FILE.name]


async def test_an_answer_that_got_lost_shares_nothing_twice(slack: Slack, rows: Rows, ts: str) -> None:
    await slack.fault(kind="status_after", match={"path": "files.completeUploadExternal"})
    with pytest.raises(SlackUnclear):
        await share(sharer(slack, rows), ts)
    await share(sharer(slack, rows), ts, in_doubt=True)
    assert shared(slack) == [FILE.name]


async def test_slack_shares_a_moment_after_its_answer(slack: Slack, rows: Rows, ts: str) -> None:
    """It is waited for, also by the attempt after one that died meanwhile."""
    await slack.settings(share_seconds=0.3)
    with pytest.raises(SlackUnclear):
        await share(sharer(slack, rows), ts)
    await share(sharer(slack, rows, pauses=PATIENT), ts, in_doubt=True)
    assert shared(slack) == [FILE.name]


async def test_somebody_elses_file_of_that_name_is_none_of_ours(slack: Slack, rows: Rows, ts: str) -> None:
    theirs = [{"name": FILE.name, "content": "mine"}]
    await slack.say(MARA, SALES, "look", thread_ts=ts, files=theirs)
    await share(sharer(slack, rows), ts, in_doubt=True)
    assert shared(slack) == [FILE.name]


async def test_a_shared_file_is_no_stream_that_got_lost(slack: Slack, rows: Rows, ts: str) -> None:
    """Neither carries a mark. A file is not taken for an answer, nor taken away, while its row is not written yet."""
    await share(sharer(slack, rows), ts)
    assert await slack.web.unmarked(SALES, thread_ts=ts, author=people.BOT_USER_ID, since=ts) == []


async def test_who_does_not_relay_any_more_shares_nothing(slack: Slack, rows: Rows, ts: str) -> None:
    with pytest.raises(LostRace):
        await share(sharer(slack, rows, is_held=lambda: False), ts)
    assert shared(slack) == []


async def test_an_upload_that_slack_refuses_is_a_refusal(slack: Slack, rows: Rows, ts: str) -> None:
    await slack.fault(kind="status", status=400, match={"path": "/upload/v1"})
    with pytest.raises(SlackRefused, match="400"):
        await share(sharer(slack, rows), ts)
    assert shared(slack) == []


# The log of a plan ------------------------------------------------------------------------------------------------


async def plan_of(stage: Stage, *, private_card: bool = False, **changes: Any) -> None:
    """The request of this stage is a plan that was carried out: a task, and a call that found a secret."""
    given: dict[str, Any] = {"phase": Phase.CARRY_OUT, "state": RunState.COMPLETED}
    await stage.rows.now(**given | changes)
    now, task = stage.rows.base.clock.now(), PlanTask(id="1", title="Find it", goal="It is found.")
    child = make.run(
        id="run_2", parent="run_1", root="run_1", parent_action="act_1", source_key="child:act_1",
        thread_id="thr_run_1", message_id="msg_run_1", state=RunState.COMPLETED, phase=Phase.REASON, user=MARA,
    )  # fmt: skip
    await stage.rows.action(child="run_2", tool="plan_task", args='{"id":"1"}')
    await stage.rows.base.tamper("UPDATE steps SET model = '' WHERE run_id = 'run_1'")
    made = make.action(
        id="act_2", run_id="run_2", step_id="step_2", thread_id="thr_run_1", tool="gmail_send",
        args=json.dumps({"text": SECRET}), preview=asdict(preview(private=private_card)),
    )  # fmt: skip
    async with stage.rows.base.store.write() as work:
        plan = Plan(run_id="run_1", created_at=now)
        await work.plans.begin(plan)
        await work.plans.revise(plan, [task], by="m", reason="", at=now)
        await work.plans.confirm("run_1", 1, by=MARA, at=now)
        await work.runs.add(child)
        await work.plans.move_task("run_1", "1", TaskStatus.COMPLETED, child="run_2", summary="Found.")
        await work.plans.add_round("run_1", "1", Round(reason="I look for it."), most=8)
        await work.steps.add(make.step(id="step_2", run_id="run_2", seq=1))
        await work.actions.add([made])


async def test_the_log_of_a_plan_is_a_file_without_secrets(stage: Stage) -> None:
    """It is what the command line prints as JSON."""
    await stage.asked()
    await plan_of(stage)
    await stage.deliver(DeliveryKind.LOG, "run_1")
    await stage.deliver(DeliveryKind.LOG, "run_1", attempts=2)
    assert shared(stage.slack) == ["plan-run_1-completed.json"]
    (content,) = contents(stage.slack)
    found = json.loads(content)
    assert (found["session_id"], found["status"], found["tasks"][0]["summary"]) == ("run_1", "COMPLETED", "Found.")
    assert [(one["task"], one["round"], one["tool"], one["reason"]) for one in found["log"]] == [
        ("1", 1, "gmail_send", "I look for it.")
    ]
    assert SECRET.encode() not in content
    assert b"[redacted]" in content
    (message,) = [message for message in stage.slack.ours(SALES) if message.get("files")]
    assert (message["text"], message["files"][0]["title"]) == (views.LOG_COMMENT, views.LOG_TITLE)


@pytest.mark.parametrize(
    ("of_run", "private_card"), [(True, False), (False, True)], ids=["a private run", "a private card"]
)
async def test_a_log_with_private_things_goes_to_its_owner_alone(
    stage: Stage, of_run: bool, private_card: bool
) -> None:
    await stage.asked(private=of_run)
    await plan_of(stage, private_card=private_card)
    await stage.deliver(DeliveryKind.LOG, "run_1")
    assert shared(stage.slack) == []
    assert shared(stage.slack, await stage.slack.dm(MARA)) == ["plan-run_1-completed.json"]


async def test_a_plan_that_goes_on_by_now_has_no_log_yet(stage: Stage) -> None:
    await stage.asked()
    await plan_of(stage, state=RunState.EXECUTING)
    await stage.deliver(DeliveryKind.LOG, "run_1")
    assert shared(stage.slack) == []


async def test_each_end_of_a_plan_has_a_log(stage: Stage) -> None:
    """It stops at its deadline, goes on with another one, and stops at that before it is completed."""
    await stage.asked()
    first = stage.rows.base.clock.now()
    await plan_of(stage, state=RunState.PAUSED, stop_code=DEADLINE, deadline_at=first)
    await stage.deliver(DeliveryKind.LOG, "run_1")
    await stage.rows.now(deadline_at=first + timedelta(days=1))
    await stage.deliver(DeliveryKind.LOG, "run_1")
    await stage.rows.now(state=RunState.COMPLETED, stop_code="")
    await stage.deliver(DeliveryKind.LOG, "run_1")
    assert shared(stage.slack) == [
        f"plan-run_1-deadline_exceeded-{first:%Y%m%dT%H%M%SZ}.json",
        f"plan-run_1-deadline_exceeded-{first + timedelta(days=1):%Y%m%dT%H%M%SZ}.json",
        "plan-run_1-completed.json",
    ]


async def test_where_the_thread_is_gone_the_log_goes_to_direct_messages(stage: Stage) -> None:
    place = await stage.asked()
    await plan_of(stage)
    await stage.slack.act("delete", user=MARA, channel=SALES, ts=place.request_ts)
    await stage.deliver(DeliveryKind.LOG, "run_1")
    assert shared(stage.slack, await stage.slack.dm(MARA)) == ["plan-run_1-completed.json"]


async def test_a_workspace_that_granted_no_uploads_loses_it_for_good(stage: Stage) -> None:
    await stage.asked()
    await plan_of(stage)
    await stage.slack.settings(revoked_scopes=["files:write"])
    with pytest.raises(DeliveryFailed) as failed:
        await stage.deliver(DeliveryKind.LOG, "run_1")
    assert failed.value.retry_after is None
