"""`countersign runs` on a real file: what it prints of a run with a card, letter by letter."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import Usage
from bot.domain.questions import Choice, QuestionChanges, QuestionState
from bot.domain.runs import HELD_SOURCE, RunState
from bot.store.engine.database import database_for
from bot.store.store import Store
from bot.wiring.store import opened
from policies.types import Decision, EffectClass, Label, Verdict
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM, HandClock
from tests.integration.shell import Shell

TOKEN = "xoxb-1234567890-abcdefghij"


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


@asynccontextmanager
async def _on_a_clock(shell: Shell) -> AsyncGenerator[tuple[Store, HandClock]]:
    """The store with a clock that stands, so that the log's moments are known."""
    clock = HandClock()
    async with opened(shell.settings(), owner=True) as base:
        database = database_for(base.settings.database_url)
        try:
            yield Store(database, keyring=base.keyring, clock=clock), clock
        finally:
            await database.dispose()


async def _a_run(shell: Shell) -> None:
    """One read, one mail that was asked about, approved and sent."""
    run = make.run(
        id="run_1", state=RunState.COMPLETED, model="gemini-3", transport="developer", private=True, steps_taken=3,
        usage=Usage(prompt=12_000, output=340, cached=9_000), cost_micros=4_200, active_ms=2_150, label=Label.EXTERNAL,
        summary="Sent: the reply to Helen.", created_at=NOW, started_at=at(0.2), completed_at=at(75),
        duration_ms=75_000,
    )  # fmt: skip
    allowed = Verdict(decision=Decision.ALLOW, rule="level.supervised", reason="Reads run unasked.")
    asked = replace(allowed, decision=Decision.ASK, reason="Every mail waits for your click.")
    search = make.action(
        id="act_1", step_id="step_1", seq=0, tool="gmail_search", effect=EffectClass.READ, verdict=allowed, attempt=1,
        caption="Search mail for “benches”", args='{"limit":5,"query":"benches"}', state=ActionState.COMPLETED,
        response={"output": {"threads": [{"subject": f"Your token {TOKEN}\x1b[31m"}]}, "trust": "external"},
        summary="1 thread", started_at=at(1), ended_at=at(1.35), created_at=at(1),
    )  # fmt: skip
    send = make.action(
        id="act_2", step_id="step_2", seq=0, verdict=asked, attempt=1, state=ActionState.COMPLETED, summary="Sent.",
        args='{"body":"Dear Helen,\\n\\nThursday works.","to":["helen@marsh.example"]}', link="https://mail.example/1",
        response={"output": {"sent": True}}, started_at=at(70), ended_at=at(71), created_at=at(2),
    )  # fmt: skip
    used = Usage(prompt=4_000, output=40, cached=3_000)
    async with _on_a_clock(shell) as (store, clock), store.write() as work:
        await work.users.seen(make.person())
        await work.threads.ensure(make.thread())
        said = make.message("Answer Helen’s mail about the benches", id="msg_1", created_at=NOW, ts="1.1", channel="D1")
        await work.messages.add(said)
        await work.runs.add(run)
        for number, began in ((1, 0.3), (2, 1.5)):
            ended = {"started_at": at(began), "ended_at": at(began + 0.6), "closed_at": at(began + 1)}
            await work.steps.add(make.step(id=f"step_{number}", seq=number, usage=used, **ended))
        await work.actions.add([search, send])
        question = make.question(id="q_1", action_id="act_2", step_id="step_2", created_at=at(2.2))
        await work.questions.add(question)
        await work.questions.vote(question, user=DANA, choice="approve", at=at(69))
        decided: QuestionChanges = {"decided_at": at(69), "decided_by": DANA, "decision": Choice.APPROVE}
        await work.questions.move(question, QuestionState.DECIDED, **decided)
        await work.outbox.add("thr_1", DeliveryKind.ANSWER, "run_1", team=TEAM, at=at(75))
        (row,) = await work.outbox.heads(now=at(76), limit=1)
        claimed = await work.outbox.claim(row)
        assert claimed
        await work.outbox.delivered(claimed, at=at(75.4))
        for seconds, code, details in (
            (0.1, "run.queued", {"source": "slack:T1:D1:1.1"}),
            (69, "action.approved", {"action": "act_2", "states": ["awaiting_confirmation", "approved"]}),
            (71, "action.completed", {"action": "act_2", "attempt": 1, "states": ["executing", "completed"]}),
        ):
            clock.at = at(seconds)
            await work.audit.record(
                AuditEvent(team=TEAM, code=AuditCode(code), actor=DANA, run_id="run_1", details=details)
            )


@pytest.fixture
def told(shell: Shell) -> Shell:
    asyncio.run(_a_run(shell))
    return shell


def test_a_list_has_a_line_for_each_run(told: Shell) -> None:
    """Aligned, the newest first, the request cut at the end of the line."""
    assert told.run("runs", "list").stdout == snapshot("""\
run    state      asked (UTC)       by           steps  took        agent  request
run_1  completed  2026-11-21 09:30  Dana Okafor  3      1 min 15 s  -      Answer Helen’s mail about the benc…
""")


def test_a_list_is_narrowed_down(told: Shell) -> None:
    """By state and by person; nothing found is said."""
    assert "run_1" in told.run("runs", "list", "--state", "completed", "--user", DANA).stdout
    assert told.run("runs", "list", "--state", "failed").stdout == "There are no such runs.\n"
    assert told.run("runs", "list", "--user", "U9NOBODY").stdout == "There are no such runs.\n"


def test_a_list_for_machines(told: Shell) -> None:
    """One object a line, with the numbers as numbers."""
    (line,) = told.run("runs", "list", "--json").stdout.splitlines()
    found = json.loads(line)
    assert (found["id"], found["duration_ms"], found["tokens"]["cached"]) == ("run_1", 75_000, 9_000)


def test_what_waited_for_its_moment_is_no_second_request(told: Shell) -> None:
    """Its run says what it does and in which run that was asked for; so does the run shown alone."""

    async def hold() -> None:
        async with _on_a_clock(told) as (store, _), store.write() as work:
            await work.runs.add(make.run(id="run_2", source_key=f"{HELD_SOURCE}act_2", created_at=NOW))
            await work.steps.add(make.step(id="step_3", run_id="run_2", seq=1, model=""))
            await work.actions.add([make.action(id="act_3", run_id="run_2", step_id="step_3", seq=0)])

    asyncio.run(hold())
    newest, *_ = map(json.loads, told.run("runs", "list", "--json").stdout.splitlines())
    assert (newest["id"], newest["asked_in"], newest["request"]) == (
        "run_2", "run_1", "Send “Benches” to helen@marsh.example",
    )  # fmt: skip
    assert "run_1" in told.run("runs", "list").stdout.splitlines()[1]
    assert "asked in   run_1" in told.run("runs", "show", "run_2").stdout


def test_a_run_is_shown_step_by_step(told: Shell) -> None:
    """Everything that the rows say of it, in an order in which it can be read."""
    assert told.run("runs", "show", "run_1").stdout == snapshot("""\
run_1  completed
  (the answer is recorded)
  asked by   Dana Okafor (U1DANA) in a direct message, workspace T1, thread 1.1
  asked      2026-11-21 09:30:00 UTC
  ended      2026-11-21 09:31:15 UTC, after 1 min 15 s
  working    2.15 s
  model      gemini-3 (developer)
  used       3 of 8 steps, 12,000 tokens in (9,000 cached), 340 out, at most US$ 0.0042
  context    private to its owner, label external
  request    Answer Helen’s mail about the benches

Step 1  +0.30 s  model 0.60 s
  gemini, 4,000 tokens in (3,000 cached), 40 out, STOP

  1. gmail_search  completed
     what       Search mail for “benches”
     id         act_1, read
     time       2026-11-21 09:30:01 UTC, 0.35 s
     verdict    allow by level.supervised: Reads run unasked.
     arguments  {
                  "limit": 5,
                  "query": "benches"
                }
     outcome    1 thread
     response   {
                  "output": {
                    "threads": [
                      {
                        "subject": "Your token [redacted]\\u001b[31m"
                      }
                    ]
                  },
                  "trust": "external"
                }

Step 2  +1.50 s  model 0.60 s
  gemini, 4,000 tokens in (3,000 cached), 40 out, STOP

  1. gmail_send  completed
     what       Send “Benches” to helen@marsh.example
     id         act_2, external
     time       2026-11-21 09:31:10 UTC, 1.00 s
     verdict    ask by level.supervised: Every mail waits for your click.
     arguments  {
                  "body": "Dear Helen,\\n\\nThursday works.",
                  "to": [
                    "helen@marsh.example"
                  ]
                }
     question   approve asked 2026-11-21 09:30:02 UTC, decided
                approve by U1DANA after 1 min 07 s
     outcome    Sent.
     link       https://mail.example/1
     response   {
                  "output": {
                    "sent": true
                  }
                }

Answer
  Sent: the reply to Helen.

Delivered
  answer     delivered  2026-11-21 09:31:15 UTC, 0.40 s, 1 attempt

Log
  +0.100     run.queued             U1DANA       source slack:T1:D1:1.1
  +69.000    action.approved        U1DANA       2.1 gmail_send, awaiting_confirmation → approved
  +71.000    action.completed       U1DANA       2.1 gmail_send, attempt 1, executing → completed
""")


def test_a_run_is_played_as_it_happened(told: Shell) -> None:
    """Moment by moment, each with its offset, from rows alone."""
    assert told.run("runs", "replay", "run_1", "--speed", "0").stdout == snapshot("""\
    +0.000 s  Dana Okafor (U1DANA)
              says       Answer Helen’s mail about the benches
    +0.100 s  run.queued by U1DANA
                         source slack:T1:D1:1.1
    +0.300 s  the model is asked
    +0.900 s  the model answers after 0.60 s: STOP
              calls 1    Search mail for “benches”
                         (none)
    +1.500 s  the model is asked
    +2.100 s  the model answers after 0.60 s: STOP
              calls 1    Send “Benches” to helen@marsh.example
                         (none)
   +69.000 s  action.approved by U1DANA
                         2.1 gmail_send, awaiting_confirmation → approved
   +71.000 s  action.completed by U1DANA
                         2.1 gmail_send, attempt 1, executing → completed
              result     Sent.
   +75.000 s  the run is completed
                         Sent: the reply to Helen.
   +75.400 s  the answer is delivered
""")


@pytest.mark.parametrize("arguments", [("show",), ("show", "--full"), ("show", "--json"), ("replay", "--speed", "0")])
def test_secrets_and_control_characters_stay_out(told: Shell, arguments: tuple[str, ...]) -> None:
    """A token in a mail is redacted, and no terminal obeys what a stranger wrote, whatever the form."""
    command, *options = arguments
    done = told.run("runs", command, "run_1", *options)
    assert done.exit_code == 0
    assert TOKEN not in done.stdout
    assert "\x1b" not in done.stdout
    if "--json" in options:
        record = json.loads(done.stdout)
        assert "[redacted]" in record["actions"][0]["response"]["output"]["threads"][0]["subject"]


def test_keys_of_the_key_file_stay_out(told: Shell) -> None:
    """They are secrets that no setting has, whatever the form."""
    key = Path(f"{told.path}.key").read_text(encoding="ascii").strip().rstrip("=")
    told.tamper(f"UPDATE runs SET summary = 'I found {key}.'; UPDATE messages SET text = 'I found {key}.'")
    for command in ("list", "list --json", "show run_1", "show run_1 --json", "replay run_1 --speed 0"):
        shown = told.run("runs", *command.split()).stdout
        assert "I found [redacted]." in shown
        assert key[:20] not in shown


def test_a_record_for_machines_has_no_token_as_a_name_and_nothing_that_answers_a_card(told: Shell) -> None:
    """Names in what was found are redacted like the rest; a nonce, half of a button’s value, is left out."""
    response = json.dumps({"output": {TOKEN: {"inside": TOKEN}}})
    told.tamper(f"UPDATE actions SET response = '{response}' WHERE id = 'act_1'")
    record = json.loads(told.run("runs", "show", "run_1", "--json").stdout)
    assert record["actions"][0]["response"] == {"output": {"[redacted]": {"inside": "[redacted]"}}}
    assert (record["questions"][0]["id"], "nonce" in record["questions"][0]) == ("q_1", False)


def test_a_long_result_is_cut_unless_all_is_wanted(told: Shell) -> None:
    """How much is left out is said, with the way to see it."""
    subjects = json.dumps({"output": [f"mail {n}" for n in range(100)]})
    told.tamper(f"UPDATE actions SET response = '{subjects}' WHERE id = 'act_1'")
    assert "more lines (--full shows all)" in told.run("runs", "show", "run_1").stdout
    assert "mail 99" not in told.run("runs", "show", "run_1").stdout
    assert "mail 99" in told.run("runs", "show", "run_1", "--full").stdout


def test_an_unknown_run_is_told(told: Shell) -> None:
    """Status 1 and the command that lists what there is."""
    done = told.run("runs", "show", "run_2")
    assert (done.exit_code, "countersign runs list" in done.stderr) == (1, True)


async def test_runs_are_read_while_the_bot_works(shell: Shell) -> None:
    """The owner of the file is not disturbed."""
    await _a_run(shell)
    async with opened(shell.settings(), owner=True):
        done = await asyncio.to_thread(shell.run, "runs", "list")
    assert "run_1" in done.stdout


async def _another(shell: Shell) -> None:
    """A run that waits: a card that nobody answered, one that expired, and a delivery that was given up."""
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.threads.ensure(make.thread(id="thr_2", channel="C1", is_dm=False))
        await work.runs.add(
            make.run(id="run_2", thread_id="thr_2", state=RunState.AWAITING, error="It broke.", stopped_by=MARA)
        )
        await work.steps.add(make.step(id="step_3", run_id="run_2", open=1))
        waiting = make.action(id="act_3", run_id="run_2", step_id="step_3", seq=0, edition=2, attempt=0)
        await work.actions.add([waiting])
        await work.questions.add(make.question(id="q_2", run_id="run_2", action_id="act_3"))
        expired = make.question(id="q_3", run_id="run_2", action_id="act_3")
        await work.questions.add(expired)
        await work.questions.move(expired, QuestionState.EXPIRED, decided_at=expired.created_at + timedelta(hours=24))
        for lane, subject in (("a", "q_2"), ("b", "run_2")):
            await work.outbox.add(lane, DeliveryKind.CARD, subject, team=TEAM, at=NOW)
        (row, _) = await work.outbox.heads(now=NOW, limit=2)
        claimed = await work.outbox.claim(row)
        assert claimed
        await work.outbox.bury(claimed, at=NOW, error="channel_not_found")
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id="run_2"))


def test_what_waits_is_told_as_waiting(told: Shell) -> None:
    """An open question says until when, an expired one that nobody answered, a dead delivery why."""
    asyncio.run(_another(told))
    shown = told.run("runs", "show", "run_2").stdout
    for words in (
        "in channel C1",
        "stopped by U2MARA",
        "never begun",
        "(edition 2 now)",
        "expires 2026-11-22",
        "expired after 24 h 00 min",
        "Error\n  It broke.",
        "dead  2026-11-21",
        "channel_not_found",
        "pending  not yet, 0 attempts",
    ):
        assert words in shown, shown
    replayed = told.run("runs", "replay", "run_2", "--speed", "0").stdout
    assert "the card is dead" in replayed


def test_an_entry_that_somebody_made_unreadable_is_told(told: Shell) -> None:
    """It does not hide the others."""
    told.tamper("DROP TRIGGER audit_insert_only; UPDATE audit SET body = '?' WHERE number = 2")
    shown = told.run("runs", "show", "run_1").stdout
    assert "unreadable action.approved" in shown
    assert "action.completed" in shown
    assert told.run("runs", "replay", "run_1", "--speed", "0").exit_code == 0


def test_a_replay_takes_its_time(told: Shell) -> None:
    """As fast as it is told to be; a pause of days is cut."""
    assert told.run("runs", "replay", "run_1", "--speed", "10000").exit_code == 0
