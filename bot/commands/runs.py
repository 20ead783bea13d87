"""`countersign runs`: what the bot did, run by run, read from rows. It changes nothing and contacts nobody."""

from __future__ import annotations

import asyncio
import os
import shutil
from dataclasses import asdict
from datetime import datetime
from typing import Any

import click

from bot.commands import transcript
from bot.commands.sheet import Sheet
from bot.commands.terminal import settled, to_its_end
from bot.domain.runs import RunState
from bot.redaction import Redactor
from bot.redaction import as_json as dumped
from bot.runtime.operations.run_report import Listed, Record, newest_runs, run_record
from bot.wiring.store import opened

_WIDTH = 110  # where there is no terminal
_LONGEST_PAUSE_SECONDS = 2.0
_MOST_LINES = 24
_STATES = [state.value for state in RunState]


@click.group()
def runs() -> None:
    """What the bot did, run by run, step by step.

    It is read from the database, also while the bot works. Secrets are removed. Everything else is shown, also what is
    private to people: anyone who can read the database can run this, and the log does not record it.
    """


@runs.command("list")
@click.option("--state", type=click.Choice(_STATES), multiple=True, help="Only runs in this state; may be repeated.")
@click.option("--user", help="Only runs of this Slack user id.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 10_000), help="How many, newest first.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_(state: tuple[str, ...], user: str | None, limit: int, as_json: bool) -> None:
    """List the newest runs, a line each."""

    async def work() -> None:
        async with opened(settled(), owner=False) as base:
            states = [RunState(name) for name in state]
            found, redact = await newest_runs(base.store, states=states, user=user, limit=limit), base.redactor()
        if as_json:
            for item in found:
                click.echo(dumped(_brief(item), redact))
        elif found:
            sheet = _sheet(redact)
            transcript.listed(sheet, found)
            _show(sheet)
        else:
            click.echo("There are no such runs.")

    to_its_end(work())


def _brief(item: Listed) -> dict[str, object]:
    run = item.run
    return {
        "id": run.id,
        "state": run.state.value,
        "team": run.team,
        "user": run.user,
        "name": item.owner.name,
        "created_at": run.created_at.isoformat(),
        "completed_at": run.completed_at.isoformat() if run.completed_at else None,
        "duration_ms": run.duration_ms,
        "active_ms": run.active_ms,
        "steps": run.steps_taken,
        "tokens": {"prompt": run.usage.prompt, "output": run.usage.output, "cached": run.usage.cached},
        "agent": run.agent,
        "title": item.agent,
        "parent": run.parent,
        "root": run.root,
        "asked_in": item.asked_in or None,
        "request": item.request,
        "summary": run.summary,
        "error": run.error,
    }


@runs.command(short_help="Show one run, step by step.")
@click.argument("run_id")
@click.option("--full", is_flag=True, help="Show long texts in full.")
@click.option("--json", "as_json", is_flag=True, help="Everything as one JSON object.")
def show(run_id: str, full: bool, as_json: bool) -> None:
    """Show one run step by step: timing, model, tokens, arguments, results, questions, votes, deliveries, log."""

    async def work() -> None:
        record, redact = await _record(run_id)
        if as_json:
            click.echo(dumped(_without_nonces(asdict(record)), redact))
            return
        sheet = _sheet(redact, most_lines=None if full else _MOST_LINES)
        transcript.shown(sheet, record)
        _show(sheet)

    to_its_end(work())


def _without_nonces(record: dict[str, Any]) -> dict[str, Any]:
    """Remove each question's nonce: with its id it makes a button, which only people who see the card may have."""
    for question in record["questions"]:
        del question["nonce"]
    return record


@runs.command()
@click.argument("run_id")
@click.option(
    "--speed",
    default=10.0,
    show_default=True,
    type=click.FloatRange(min=0),
    help="How much faster; 0 has no pauses.",
)
def replay(run_id: str, speed: float) -> None:
    """Play one run in the terminal as it happened, from its rows. Nothing is done again."""

    async def work() -> None:
        record, redact = await _record(run_id)
        now: datetime | None = None
        for happened in transcript.happenings(record):
            if now is not None and speed:
                pause = (happened.at - now).total_seconds() / speed
                await asyncio.sleep(min(max(pause, 0.0), _LONGEST_PAUSE_SECONDS))
            now = happened.at
            sheet = _sheet(redact, most_lines=_MOST_LINES)
            transcript.told(sheet, happened, since=record.run.created_at)
            _show(sheet)

    to_its_end(work())


async def _record(run_id: str) -> tuple[Record, Redactor]:
    async with opened(settled(), owner=False) as base:
        return await run_record(base.store, run_id), base.redactor()


def _sheet(redact: Redactor, *, most_lines: int | None = None) -> Sheet:
    width = shutil.get_terminal_size((_WIDTH, 24)).columns
    return Sheet(redact=redact, width=width, most_lines=most_lines)


def _show(sheet: Sheet) -> None:
    click.echo(sheet.text(), color=False if os.environ.get("NO_COLOR") else None)
