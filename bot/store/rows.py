"""Rows to domain values and back. Names are the same on both sides, so only nested values need code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from bot.domain.actions import Action, Approval, Undo
from bot.domain.audit import Checkpoint, CheckpointKind
from bot.domain.deliveries import Place, certainly_before
from bot.domain.limits import Limits, Usage
from bot.domain.questions import PAYLOADS, Question, QuestionPayload, ReaderTurn
from bot.domain.runs import AttachedContext, Run
from bot.domain.steps import Step
from bot.domain.threads import Surface
from bot.store.engine.session import Row
from bot.store.tables.columns import storable
from policies.deciders import Deciders
from policies.types import Decision, Rule, Unnamed, Verdict

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")


def as_read(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of fields as they will be read: moments in UTC, and texts as they can be stored."""
    return {name: _read(value) if isinstance(value, _READ_ANEW) else value for name, value in values.items()}


_READ_ANEW = (str, datetime)


def _read(value: str | datetime) -> str | datetime:
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else value
    return storable(value) if type(value) is str else value


def stored(value: V) -> V:
    """The value as it will be read once it is stored."""
    before = _values(value)
    changed = {name: after for name, after in as_read(before).items() if after is not before[name]}
    return replace(value, **changed) if changed else value


def plain(**values: object) -> dict[str, Any]:
    """Column values of changed fields: nested values become JSON or several columns."""
    columns: dict[str, Any] = {}
    for name, value in values.items():
        if (convert := _PLAIN.get(type(value))) is None:
            columns[name] = value
        else:
            columns |= convert(name, value)
    return columns


def _tokens(_name: str, value: Usage) -> Row:
    return {"prompt_tokens": value.prompt, "output_tokens": value.output, "cached_tokens": value.cached}


def _of_verdict(name: str, value: Verdict) -> Row:
    told: Row = {"decision": value.decision.value, "rule": value.rule, "reason": value.reason}
    unnamed = {"unnamed": [asdict(one) for one in value.unnamed]} if value.unnamed else {}
    more = {"would_ask": value.would_ask, "deciders": [one.as_json() for one in value.deciders]}
    return {name: told | unnamed | {key: said for key, said in more.items() if said}}


def _of_approval(name: str, value: Approval) -> Row:
    agreed = {"agreed": list(value.agreed)} if value.agreed else {}
    told = {"hash": value.hash, "by": value.by, "at": value.at.isoformat(), "expires_at": value.expires_at.isoformat()}
    return {name: told | agreed}


def _of_payload(name: str, value: QuestionPayload) -> Row:
    return {name: value.as_json()}


_PLAIN: Mapping[type, Callable[[str, Any], Row]] = {
    Usage: _tokens,
    Verdict: _of_verdict,
    Approval: _of_approval,
    Limits: lambda name, value: {name: asdict(value)},
    Undo: lambda name, value: {name: str(value)},
    **dict.fromkeys(PAYLOADS.values(), _of_payload),
}
"""How values that are no column's are written; by their type, because this is asked for each field of each row."""


def columns_of(value: Any) -> dict[str, Any]:
    """Every field of a domain value as column values."""
    return plain(**_values(value))


def _values(value: DataclassInstance) -> dict[str, Any]:
    return {name: getattr(value, name) for name in _names(type(value))}


@cache
def _names(kind: type[DataclassInstance]) -> Sequence[str]:
    """Of the fields; `fields` looks at each of them again."""
    return [field.name for field in fields(kind)]


def _usage(row: Row) -> Usage:
    return Usage(prompt=row["prompt_tokens"], output=row["output_tokens"], cached=row["cached_tokens"])


def without(row: Row, *names: str) -> dict[str, Any]:
    """The row but for these columns."""
    return {name: value for name, value in row.items() if name not in names}


_TOKENS = ("prompt_tokens", "output_tokens", "cached_tokens")


def run(**row: Any) -> Run:
    """A run from its row."""
    return Run(
        **without(row, *_TOKENS, "attached", "limits", "ceiling", "hinted"),
        usage=_usage(row),
        limits=Limits(**row["limits"]),
        ceiling=Limits(**row["ceiling"]),
        hinted=tuple(row["hinted"]),
        attached=tuple(AttachedContext(**item) for item in row["attached"]),
    )


def run_columns(value: Run) -> dict[str, Any]:
    """A run as column values."""
    return columns_of(value) | {"attached": [asdict(item) for item in value.attached]}


def place(
    *,
    thread_id: str,
    channel: str,
    root_ts: str,
    is_dm: bool,
    surface: Surface,
    asked_in: str,
    asked_at: str,
    asked_below: str,
    asked: datetime,
    **of_run: Any,
) -> Place:
    """Where a run lives, from its row, its request's and its thread's.

    While a thread's first message is yet to be posted, as that of a scheduled request, its id stands in for it. What
    was asked over HTTP has no timestamp of Slack's, but nothing that is shown of it is older; what was said in Slack to
    such a conversation is answered there.
    """
    moved = asked_in != channel
    over_http = surface is Surface.HTTP and not moved
    return Place(
        **of_run,
        thread_id=thread_id,
        channel=asked_in,
        root_ts=asked_below if moved else "" if root_ts == thread_id else root_ts,
        request_ts=certainly_before(asked) if over_http else asked_at,
        is_dm=moved or is_dm,
        surface=Surface.HTTP if over_http else Surface.SLACK,
    )


def step(**row: Any) -> Step:
    """A step from its row."""
    return Step(**without(row, *_TOKENS), usage=_usage(row))


def _verdict(value: Row | None) -> Verdict | None:
    if value is None:
        return None
    unnamed = tuple(Unnamed(**one) for one in value.get("unnamed", ()))
    return Verdict(
        **without(value, "decision", "unnamed", "deciders"),
        decision=Decision(value["decision"]),
        unnamed=unnamed,
        deciders=_all_deciders(value.get("deciders")),
    )


def _all_deciders(value: Sequence[Row] | None) -> tuple[Deciders, ...]:
    return tuple(Deciders.from_json(one) for one in value or ())


def _approval(value: Row | None) -> Approval | None:
    if value is None:
        return None
    return Approval(
        hash=value["hash"],
        by=value["by"],
        at=datetime.fromisoformat(value["at"]),
        expires_at=datetime.fromisoformat(value["expires_at"]),
        agreed=tuple(value.get("agreed", ())),
    )


def action(**row: Any) -> Action:
    """An action from its row."""
    return Action(
        **without(row, "verdict", "approval", "undo"),
        verdict=_verdict(row["verdict"]),
        approval=_approval(row["approval"]),
        undo=Undo.parse(row["undo"]) if row["undo"] else None,
    )


_NO_MOMENT = datetime.min.replace(tzinfo=UTC)
_CHECKPOINT_KINDS: Mapping[object, CheckpointKind] = {kind.value: kind for kind in CheckpointKind}


def checkpoint(*, kind: object, at: object, seq: Any, **texts: object) -> Checkpoint:
    """A checkpoint from its row, of which kind and moment are the stored text. What the program never writes there is
    no error: the signature fits nothing of it, and the reader says which checkpoint that is.
    """
    told: dict[str, Any] = {name: str(value) for name, value in texts.items()}
    return Checkpoint(**told, seq=seq, kind=_CHECKPOINT_KINDS.get(kind, CheckpointKind.UNREADABLE), at=moment_of(at))


def moment_of(text: object) -> datetime:
    """The moment in this text of a column, in UTC; the earliest of all for what is none."""
    try:
        return datetime.fromisoformat(str(text)).replace(tzinfo=UTC)
    except ValueError:
        return _NO_MOMENT


def question(**row: Any) -> Question:
    """A question from its row."""
    return Question(
        **without(row, "n", "payload", "deciders", "turns"),
        payload=PAYLOADS[row["kind"]].from_json(row["payload"]),
        deciders=_all_deciders(row["deciders"]),
        turns=tuple(_turn(one) for one in row["turns"] or ()),
    )


def _turn(value: Row) -> ReaderTurn:
    moments = {name: datetime.fromisoformat(value[name]) for name in ("began_at", "ends_at")}
    return ReaderTurn(user=value["user"], **moments)


def turns_as_json(turns: Sequence[ReaderTurn]) -> list[Row] | None:
    """The turns of a question as its column has them."""
    moments = [(one.user, one.began_at.isoformat(), one.ends_at.isoformat()) for one in turns]
    return [dict(zip(("user", "began_at", "ends_at"), one, strict=True)) for one in moments] or None


def question_columns(value: Question) -> dict[str, Any]:
    """A question as column values."""
    named = [one.as_json() for one in value.deciders] or None
    return columns_of(value) | {"deciders": named, "turns": turns_as_json(value.turns)}


def rule(**row: Any) -> Rule:
    """A rule from its row."""
    return Rule(**without(row, "deciders"), deciders=Deciders.from_json(row["deciders"]) if row["deciders"] else None)


def rule_columns(value: Rule) -> dict[str, Any]:
    """A rule as column values; its reason is not kept."""
    return without(columns_of(value), "reason") | {"deciders": value.deciders.as_json() if value.deciders else None}
