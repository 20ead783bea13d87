"""A plan as text: its tasks, how they go on, and every action of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.commands.sheet import Sheet, colored, on_one_line
from bot.domain.plans import TaskStatus
from bot.domain.questions import QuestionKind
from bot.runtime.plans.record import LogEntry, PlanSession, WaitsFor
from bot.runtime.texts import about_times


def plan(sheet: Sheet, session: PlanSession, zone: str) -> None:
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


def _revision(session: PlanSession) -> str:
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
class PlanChanges:
    """Says what changed since it was asked last, a line each. `person` is whose plan it is, as `--as` names them."""

    redact: Callable[[str], str]
    person: str
    _told: dict[str, TaskStatus] = field(default_factory=dict[str, TaskStatus])
    _waited_for: set[str] = field(default_factory=set[str])

    def lines(self, session: PlanSession) -> Iterator[str]:
        """A line for each task that stands elsewhere, and for each question that its owner is asked."""
        for task in session.tasks:
            before = self._told.get(task.id, TaskStatus.PENDING)
            if task.status is not before:
                self._told[task.id] = task.status
                came = f": {task.summary}" if task.summary else ""
                yield on_one_line(self.redact(f"{task.id}. {task.title} is {task.status.value}{came}"))
        for asked in session.waits_for:
            is_first = asked.kind is QuestionKind.PLAN and session.confirmed is None  # that is what is waited for
            if asked.id not in self._waited_for and asked.channel and not is_first:  # its card stands there
                self._waited_for.add(asked.id)
                yield on_one_line(self.redact(self._waits(session, asked)))

    def _waits(self, session: PlanSession, asked: WaitsFor) -> str:
        who = f"Task {asked.task}" if asked.task else "The plan"
        where = "in direct messages" if asked.channel.startswith("D") else f"in the channel {asked.channel}"
        what = _ASKED[asked.kind].format(about=asked.about)
        said = f"{who} waits for {self.person} to {what}. Its card stands {where}."
        if asked.kind is not QuestionKind.PLAN:
            return said
        number = asked.about.rpartition(" ")[2]
        return f"{said} Or: countersign plan confirm {session.session_id} --revision {number} --as {self.person}"


_ASKED: Mapping[QuestionKind, str] = {
    QuestionKind.APPROVE: "approve this: {about}",
    QuestionKind.ANSWER: "answer this: {about}",
    QuestionKind.CONNECT: "connect an account for this: {about}",
    QuestionKind.SETTLE: "say whether this happened: {about}",
    QuestionKind.PLAN: "confirm the rest of it, {about}",
}
"""What its owner is to do."""
