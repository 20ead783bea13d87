"""What `countersign doctor` tells of a database: what it is, whether its log is sound, what waits in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import RunState
from bot.wiring.store import opened
from policies.deciders import Approver, Deciders
from policies.types import Decision, Rule, RuleAuthor
from tests import builders as make
from tests.builders import MARA, NOW, TEAM
from tests.integration.shell import Shell, written


def told(shell: Shell) -> list[str]:
    """The doctor's lines about the database; Slack is not configured here."""
    lines = shell.run("doctor").stdout.splitlines()
    return [line for line in lines if line.split()[1].rstrip(":") in {"Database", "Log", "Work", "Deliveries"}]


@pytest.fixture
def used(shell: Shell) -> Shell:
    """A database with a sealed log."""
    asyncio.run(written(shell, "run.queued", "run.completed"))
    return shell


async def _busy(shell: Shell) -> None:
    """A live run and a paused one, an open question, a delivery that waits for long, and one that was given up."""
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.runs.add(make.run(state=RunState.AWAITING))
        await work.runs.add(make.run(state=RunState.PAUSED))
        await work.questions.add(make.question())
        for lane in ("a", "b"):
            await work.outbox.add(lane, DeliveryKind.CARD, "q_1", team=TEAM, at=NOW)
        (row, _) = await work.outbox.heads(now=NOW, limit=2)
        claimed = await work.outbox.claim(row)
        assert claimed
        await work.outbox.bury(claimed, at=NOW, error="channel_not_found")


def test_a_sound_database(used: Shell) -> None:
    """Kind, place and schema, the head of the log, and what works."""
    database, log, work = told(used)
    assert database.startswith(f"✓ Database: SQLite, {used.path}, schema ")
    assert database.endswith("(the newest)")
    (head,) = used.run("audit", "heads").stdout.splitlines()
    assert log == f"✓ Log: 2 entries of {TEAM}, head {head.partition(':')[2]}, its signature is valid"
    assert work == "✓ Work: 0 runs under way, 0 questions open"


async def _ruled(shell: Shell) -> None:
    """Administrators' rules: one for a tool that does not exist, and one for an agent, whose approver nobody knows."""
    deciders = Deciders(approvers=(Approver(user="U0ERIN"),))
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        for tool in ("gmail_sent", "week_review"):
            given: dict[str, Any] = {"decision": Decision.ASK, "by": RuleAuthor.ADMIN, "deciders": deciders}
            await work.rules.add(TEAM, MARA, Rule(id=f"rule_{tool}", tool=tool, **given), at=NOW)


def test_rules_that_do_not_work_are_told(used: Shell) -> None:
    """What an administrator relies on: each rule with what is wrong and the next step."""
    asyncio.run(_ruled(used))
    lines = [line for line in used.run("doctor").stdout.splitlines() if "The rule " in line]
    assert [line.partition(" of ")[0] for line in lines] == [
        "✗ The rule rule_gmail_sent",
        "✗ The rule rule_week_review",
    ]
    assert "there is no such tool" in lines[0]
    assert "wants 1 to agree, and 0 of those whom it names can: U0ERIN (never seen here)" in lines[1]


def test_who_has_no_tokens_yet_is_led_to_setup(used: Shell) -> None:
    """The last line names the command that asks for what is missing; with a bot token it does not."""
    last = used.run("doctor").stdout.splitlines()[-1]
    assert last.endswith("`countersign setup` asks for tokens and keys one after the other.")
    mended = used.run("doctor", SLACK_BOT_TOKEN="xoxb-1", SLACK_API_URL="http://127.0.0.1:1/").stdout.splitlines()[-1]
    assert mended.endswith("then run `countersign doctor` again.")


def test_what_waits_and_what_was_given_up(used: Shell) -> None:
    """Numbers, since when, and what happens next; it keeps no bot from starting."""
    asyncio.run(_busy(used))
    *_, work, waiting, dead = told(used)
    assert work == "✓ Work: 1 run under way, 1 question open"
    assert waiting.startswith("! Deliveries: 1 message to Slack not delivered, the oldest for ")
    assert dead.startswith("! Deliveries: 1 message to Slack given up")
    assert "given up" not in used.run("doctor").stderr


def test_a_log_that_is_not_sealed(used: Shell) -> None:
    """Its age, and that effects wait."""
    asyncio.run(written(used, "run.queued", sealed=False))
    used.tamper("DROP TRIGGER audit_insert_only; UPDATE audit SET at = '2020-01-01 00:00:00.000000' WHERE seq IS NULL")
    (line,) = [line for line in told(used) if "not sealed" in line]
    assert line.startswith("! Log: 1 entry not sealed")


def test_a_head_that_was_changed(used: Shell) -> None:
    """The command that looks at everything is named."""
    used.tamper("UPDATE audit_heads SET seq = 9")
    assert "! Log: a signed head was changed, or its key is missing: run `countersign audit verify`" in told(used)


@pytest.mark.parametrize(
    ("schema", "cure"),
    [("0000", "run `countersign migrate`"), ("9999", "newer countersign: install that one again")],
)
def test_another_schema(used: Shell, schema: str, cure: str) -> None:
    """An older one names the command that brings the newest, a newer one the program that is needed."""
    used.tamper(f"UPDATE alembic_version SET version_num = '{schema}'")
    assert told(used)[0].endswith(cure)


def test_a_copy_does_not_start(used: Shell, tmp_path: Path) -> None:
    """It is among the problems, with its cure."""
    file = tmp_path / "copy.db"
    assert used.run("backup", str(file)).exit_code == 0
    assert used.run("restore", str(file)).exit_code == 0
    lines = used.run("doctor").stdout.splitlines()
    assert [line for line in lines if line.startswith("✗ DATABASE_URL names a copy") and "--original-is-gone" in line]


def test_the_http_api_is_off_until_somebody_can_sign_in(used: Shell) -> None:
    """The doctor has a line about it in any case."""
    lines = used.run("doctor", HTTP_HOST="0.0.0.0").stdout.splitlines()
    assert [line for line in lines if "HTTP API" in line] == [
        "✓ HTTP API: off, because there is no way of signing in; to have one: docs/http-api.md"
    ]
