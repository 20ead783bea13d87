"""A plan as text: its tasks, how they go on, and every action of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.commands.sheet import Sheet, colored, on_one_line
from bot.domain.plans import TaskStatus
from bot.runtime.plans.record import LogEntry, Session
from bot.runtime.texts import about_times


def plan(sheet: Sheet, session: Session, zone: str) -> None:
    """The session and its tasks."""
    sheet.heading(f"{session.session_id}  {colored(session.status.value)}")
    sheet.entry("revision", _revision(session))
    sheet.entry("deadline", about_times.with_zone(session.deadline, zone) if session.deadline else "")
    sheet.entry("repository", session.made_from or session.repository)
    sheet.line()
    for task in session.tasks:
        by = f" (by {task.agent})" if task.agent else ""
        replaces = f", in the place of {task.replaces}" if task.replaces else ""
        sheet.line(f"  {task.id}. {sheet.clean(on_one_line(task.title + by))}  {colored(task.status.value)}{replaces}")
        sheet.entry("goal", task.goal, indent=5)
        sheet.entry("outcome", task.summary, indent=5)
    if session.summary and session.is_over:
        sheet.heading("How it ended")
        sheet.paragraph(session.summary)


def _revision(session: Session) -> str:
    if session.confirmed is None:
        return f"{session.revision}, not confirmed" if session.revision else "none yet"
    changed = f"{session.revision}, " if session.revision != session.confirmed else ""
    return f"{changed}{session.confirmed} was confirmed" if changed else f"{session.confirmed}, confirmed"


def log(sheet: Sheet, entries: Sequence[LogEntry]) -> None:
    """Every action, also what was denied or rejected."""
    if not entries:
        return
    sheet.heading("Actions")
    rows = [
        (
            _round(entry),
            _tool(entry),
            entry.state,
            entry.verdict,
            entry.approved_by or "–",
            entry.reason,
        )
        for entry in entries
    ]
    sheet.table(("round", "tool", "state", "verdict", "approved by", "reason"), rows)


def _round(entry: LogEntry) -> str:
    """With its task; while the plan was made there was none, and a task that was not begun had no round."""
    return f"{entry.task}.{entry.round}" if entry.round else entry.task or "planning"


def _tool(entry: LogEntry) -> str:
    return f"{entry.agent}: {entry.tool}" if entry.agent else entry.tool


@dataclass(slots=True, kw_only=True)
class Progress:
    """Says what changed since it was asked last, a line each."""

    redact: Callable[[str], str]
    _told: dict[str, TaskStatus] = field(default_factory=dict[str, TaskStatus])

    def lines(self, session: Session) -> Iterator[str]:
        """A line for each task that stands elsewhere."""
        for task in session.tasks:
            before = self._told.get(task.id, TaskStatus.PENDING)
            if task.status is not before:
                self._told[task.id] = task.status
                came = f": {task.summary}" if task.summary else ""
                yield on_one_line(self.redact(f"{task.id}. {task.title} is {task.status.value}{came}"))
