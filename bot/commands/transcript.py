"""A run as text: step by step for `show`, moment by moment for `replay`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from bot.agents.flows import title_below
from bot.commands.sheet import Sheet, colored, moment, took
from bot.domain.actions import Action
from bot.domain.questions import Question
from bot.domain.runs import Run
from bot.domain.steps import Step
from bot.domain.threads import User
from bot.runtime.operations.run_report import Listed, LogLine, Record
from integrations.text import counted

_SAID_ELSEWHERE = frozenset(
    {"action", "tool", "args_sha256", "sha256", "question", "verdict", "rule", "attempt", "states"}
)


def person(user: User) -> str:
    """Name and id."""
    return f"{user.name} ({user.user})" if user.name else user.user


def listed(sheet: Sheet, runs: Sequence[Listed]) -> None:
    """A line for each run."""
    rows = [
        (
            item.run.id,
            item.run.state.value,
            f"{item.run.created_at:%Y-%m-%d %H:%M}",
            item.owner.name or item.owner.user,
            str(item.run.steps_taken),
            took(_length(item.run)),
            item.agent or "-",
            _what(item),
        )
        for item in runs
    ]
    sheet.table(("run", "state", "asked (UTC)", "by", "steps", "took", "agent", "request"), rows)


def _what(item: Listed) -> str:
    if item.run.parent:
        return f"for {item.run.parent}"
    return f"for {item.asked_in}: {item.request}" if item.asked_in else item.request


def _length(run: Run) -> timedelta | None:
    return timedelta(milliseconds=run.duration_ms) if run.duration_ms is not None else None


# Step by step -----------------------------------------------------------------------------------------------------


def shown(sheet: Sheet, record: Record) -> None:
    """Add everything about a run to the sheet."""
    _head(sheet, record)
    by_step: dict[str, list[Action]] = {}
    for action in record.actions:
        by_step.setdefault(action.step_id, []).append(action)
    for step in record.steps:
        _step(sheet, step, by_step.get(step.id, []), record)
    _end(sheet, record)
    _tree(sheet, record)
    _deliveries(sheet, record)
    _log(sheet, record)


def _head(sheet: Sheet, record: Record) -> None:
    run = record.run
    sheet.heading(f"{run.id}  {colored(run.state.value)}")
    sheet.paragraph(f"({run.state.caption})")
    sheet.entry("asked by", f"{person(record.owner)} in {_place(record)}")
    sheet.entry("asked", f"{moment(run.created_at)} UTC")
    if run.task:
        sheet.entry("agent", f"{record.titles[run.id]} ({run.agent}), definition {run.task.definition}")
        sheet.entry("works for", run.parent or "")
        sheet.entry("inputs", pretty(run.task.inputs))
    sheet.entry("asked in", record.asked_in)
    sheet.entry("phase", run.phase.value if run.phase else "")
    if run.completed_at or run.duration_ms is not None:
        sheet.entry("ended", f"{moment(run.completed_at)} UTC, after {took(_length(run))}")
    sheet.entry("working", took(timedelta(milliseconds=run.active_ms)))
    sheet.entry("model", f"{run.model} ({run.transport})" if run.model else "")
    sheet.entry("used", _used(run))
    sheet.entry("context", f"{'private to its owner' if run.private else 'not private'}, label {run.label.value}")
    for reason in filter(None, (run.stopping, run.hard_stop)):
        sheet.entry("stopped", reason)
    if run.stopped_by:
        sheet.entry("stopped by", run.stopped_by)
    for message in record.messages:
        sheet.entry("request" if message.id == run.message_id else "then said", message.text)


def _place(record: Record) -> str:
    thread = record.thread
    where = "a direct message" if thread.is_dm else f"channel {thread.channel}"
    return f"{where}, workspace {thread.team}, thread {thread.root_ts}"


def _used(run: Run) -> str:
    most = f" of {run.ceiling.steps}" if run.ceiling.steps is not None else ""
    cost = f", {_cost(run)}" if run.cost_micros else ""
    return f"{run.steps_taken}{most} steps, {_tokens(run.usage.prompt, run.usage.output, run.usage.cached)}{cost}"


def _tokens(prompt: int, output: int, cached: int) -> str:
    return f"{prompt:,} tokens in ({cached:,} cached), {output:,} out"


def _step(sheet: Sheet, step: Step, actions: Sequence[Action], record: Record) -> None:
    after = took(step.started_at - record.run.created_at)
    sheet.heading(f"Step {step.seq}  +{after}  model {took(step.ended_at - step.started_at)}")
    used = step.usage
    asked = f"{step.model}, {_tokens(used.prompt, used.output, used.cached)}, {step.finish}"
    sheet.paragraph(asked if step.model else "no model was asked")
    for action in actions:
        sheet.line()
        _action(sheet, action, record)


def _action(sheet: Sheet, action: Action, record: Record) -> None:
    doubt = ", in doubt" if action.doubt else ""
    sheet.line(f"  {action.seq + 1}. {sheet.clean(action.tool)}  {colored(action.state.value)}{doubt}")
    margin = 5
    sheet.entry("what", action.caption, indent=margin)
    sheet.entry("id", f"{action.id}, {action.effect.value}", indent=margin)
    sheet.entry("time", _attempts(action), indent=margin)
    if action.verdict:
        reason = f": {action.verdict.reason}" if action.verdict.reason else ""
        sheet.entry("verdict", f"{action.verdict.decision.value} by {action.verdict.rule}{reason}", indent=margin)
    sheet.entry("arguments", pretty(action.args), indent=margin)
    if action.edition > 1:
        sheet.entry("proposed", f"{pretty(action.args_proposed)}\n(edition {action.edition} now)", indent=margin)
    for question in record.questions:
        if question.action_id == action.id:
            _question(sheet, question, record, indent=margin)
    sheet.entry("outcome", action.summary, indent=margin)
    sheet.entry("link", action.link or "", indent=margin)
    if action.response is not None:
        sheet.entry("response", pretty(action.response), indent=margin)


def _attempts(action: Action) -> str:
    if action.started_at is None:
        return "never begun"
    span = action.ended_at - action.started_at if action.ended_at else None
    again = f", attempt {action.attempt}" if action.attempt > 1 else ""
    return f"{moment(action.started_at)} UTC, {took(span)}{again}"


def _question(sheet: Sheet, question: Question, record: Record, *, indent: int) -> None:
    """What was asked about an action, and who answered."""
    asked = f"{question.kind.value} asked {moment(question.created_at)} UTC, {question.state.value}"
    sheet.entry("question", asked, indent=indent)
    votes = [vote for vote in record.votes if vote.question_id == question.id]
    for vote in votes:
        after = took(vote.at - question.created_at)
        sheet.entry("", f"{vote.choice.value} by {vote.user} after {after}", indent=indent)
    if not votes and question.decided_at:
        who = f" by {question.decided_by}" if question.decided_by else ""
        word = question.decision.value if question.decision else question.state.value
        sheet.entry("", f"{word}{who} after {took(question.decided_at - question.created_at)}", indent=indent)
    if question.decided_at is None:
        sheet.entry("", f"expires {moment(question.expires_at)} UTC", indent=indent)
    sheet.entry("", question.reason, indent=indent)


def pretty(value: str | Mapping[str, object]) -> str:
    """JSON in lines; other text as it is."""
    try:
        read: object = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return str(value)
    if isinstance(read, dict) and not read:
        return "(none)"
    return json.dumps(read, ensure_ascii=False, indent=2)


def _end(sheet: Sheet, record: Record) -> None:
    run = record.run
    if run.summary or run.error or run.partial:
        sheet.heading("Answer" if run.summary else "Error")
        sheet.paragraph(run.summary or run.error)
        sheet.entry("partial", run.partial)


def _tree(sheet: Sheet, record: Record) -> None:
    """The request and the agents that work for it, a line each; what a run spent is spent for those above it, too."""
    if len(record.tree) == 1:
        return
    sheet.heading("Runs of this request")
    shown = [(f"{'  ' * depth}{_called(run, record.titles)}", run) for depth, run in _by_depth(record.tree)]
    width = max(len(name) for name, _ in shown)
    ids = max(len(run.id) for _, run in shown)
    for name, run in shown:
        sheet.line(f"  {sheet.clean(name):<{width}}  {run.id:<{ids}}  {colored(run.state.value)}, {_spent(run)}")


def _called(run: Run, titles: Mapping[str, str]) -> str:
    """Who works in it; a step of a flow stands below its flow, and is called by its own name."""
    return title_below(titles[run.id], titles.get(run.parent or "", "")) or _assistant(run)


def _assistant(run: Run) -> str:
    return "the plan" if run.is_plan else "the assistant"


def _by_depth(tree: Sequence[Run], above: str | None = None, depth: int = 0) -> Iterator[tuple[int, Run]]:
    for run in tree:
        if run.parent == above:
            yield depth, run
            yield from _by_depth(tree, run.id, depth + 1)


def _spent(run: Run) -> str:
    tokens, stopped = run.usage.prompt + run.usage.output, f", stopped: {run.stop_code}" if run.stop_code else ""
    parts = [counted(run.steps_taken, "step"), counted(tokens, "token"), *([_cost(run)] if run.cost_micros else [])]
    return f"{', '.join([*parts, took(_length(run))])}{stopped}"


def _cost(run: Run) -> str:
    hundredths = -(-run.cost_micros // 100)  # of a cent
    return f"at most US$ {hundredths / 10_000:.4f}"


def _deliveries(sheet: Sheet, record: Record) -> None:
    if not record.deliveries:
        return
    sheet.heading("Delivered")
    for row in record.deliveries:
        when = f"{moment(row.ended_at)} UTC, {took(row.ended_at - row.created_at)}" if row.ended_at else "not yet"
        about = f", {row.error}" if row.error else ""
        sheet.entry(row.kind.value, f"{row.state.value}  {when}, {counted(row.attempts, 'attempt')}{about}")


def _log(sheet: Sheet, record: Record) -> None:
    if not record.log:
        return
    sheet.heading("Log")
    numbers = _numbers(record)
    for line in record.log:
        since = f"+{(line.at - record.run.created_at).total_seconds():.3f}" if line.at else "unreadable"
        sheet.entry(since, f"{line.code:<22} {line.actor:<12} {_about(line, numbers)}")


def _numbers(record: Record) -> dict[str, str]:
    """A short name for each action, `step.place tool`."""
    steps = {step.id: step.seq for step in record.steps}
    return {action.id: f"{steps.get(action.step_id, '?')}.{action.seq + 1} {action.tool}" for action in record.actions}


def _about(line: LogLine, numbers: Mapping[str, str]) -> str:
    details = line.details
    said = [numbers.get(str(details.get("action")), "")] if "action" in details else []
    if details.get("rule"):
        said.append(f"{details.get('verdict')} by {details['rule']}")
    attempt = details.get("attempt")
    said += [f"attempt {attempt}"] if attempt else []
    said += [_brief(details["states"])] if "states" in details else []
    said += [f"{name} {_brief(value)}" for name, value in details.items() if name not in _SAID_ELSEWHERE]
    return ", ".join(filter(None, said))


def _brief(value: object) -> str:
    if isinstance(value, list):
        return " → ".join(map(str, cast("list[object]", value)))
    return str(value)


# As it happened -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What happened at a moment: a title, and labelled texts below it."""

    at: datetime
    title: str
    texts: Sequence[tuple[str, str]] = ()


def happenings(record: Record) -> Sequence[Happened]:
    """What happened in a run, in order."""
    who = person(record.owner)
    requests = [Happened(at=each.created_at, title=who, texts=[("says", each.text)]) for each in record.messages]
    arrivals = [
        Happened(at=row.ended_at, title=f"the {row.kind.value} is {row.state.value}")
        for row in record.deliveries
        if row.ended_at is not None
    ]
    return sorted([*requests, *_turns(record), *_entries(record), *arrivals], key=lambda item: item.at)


def _turns(record: Record) -> Iterator[Happened]:
    for step in record.steps:
        calls = [action for action in record.actions if action.step_id == step.id]
        span = took(step.ended_at - step.started_at)
        yield Happened(at=step.started_at, title="the model is asked")
        yield Happened(
            at=step.ended_at,
            title=f"the model answers after {span}: {step.finish}",
            texts=[(f"calls {call.seq + 1}", f"{call.caption}\n{pretty(call.args_proposed)}") for call in calls],
        )


def _entries(record: Record) -> Iterator[Happened]:
    numbers = _numbers(record)
    actions = {action.id: action for action in record.actions}
    for line in record.log:
        if line.at is not None:
            texts = [("", _about(line, numbers))]
            action = actions.get(str(line.details.get("action")))
            if action and action.ended_at and _is_end(line, action):
                texts.append(("result", action.summary or pretty(action.response or {})))
            yield Happened(at=line.at, title=f"{line.code} by {line.actor}", texts=texts)
    run = record.run
    if run.completed_at and (run.summary or run.error):
        yield Happened(
            at=run.completed_at, title=f"the run is {run.state.value}", texts=[("", run.summary or run.error)]
        )


def _is_end(line: LogLine, action: Action) -> bool:
    states = line.details.get("states")
    return isinstance(states, list) and states[-1:] == [action.state.value]


def told(sheet: Sheet, happened: Happened, *, since: datetime) -> None:
    """One moment on the sheet."""
    offset = (happened.at - since).total_seconds()
    sheet.line(f"{offset:>+10.3f} s  {sheet.clean(happened.title)}")
    for label, text in happened.texts:
        sheet.entry(label, text, indent=14)
