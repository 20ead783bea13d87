"""Audit entries: one line of the hash chain, and the signed heads of the chains (docs/states.md §5)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from bot.domain.states import State

EVERY_TEAM = "*"
"""The head that counts the sealed entries of all workspaces."""

MARK_CHARACTERS = 16
"""Of a hash, where an entry or a person notes a place of the chain. It is a MAC: nobody searches for a second one."""


class AuditCode(StrEnum):
    """What happened, as the log names it: a noun and what became of it. A code is never renamed: entries are kept."""

    MESSAGE_ANSWERS = "message.answers"
    MESSAGE_DECIDES_NOTHING = "message.decides_nothing"
    MESSAGE_DELETED_EARLY = "message.deleted_early"
    MESSAGE_DROPPED = "message.dropped"
    MESSAGE_REFUSED = "message.refused"
    MESSAGE_STEERS = "message.steers"
    MESSAGE_TAKEN_IN = "message.taken_in"
    MESSAGE_WITHDRAWN = "message.withdrawn"
    RUN_CANCELLED = "run.cancelled"
    RUN_COMPLETED = "run.completed"
    RUN_CONTINUED = "run.continued"
    RUN_DOOM_LOOP = "run.doom_loop"
    RUN_FAILED = "run.failed"
    RUN_HARD_STOP = "run.hard_stop"
    RUN_HELD = "run.held"
    RUN_LIMIT = "run.limit"
    RUN_MODEL_UNUSABLE = "run.model_unusable"
    RUN_MOVED = "run.moved"
    RUN_NOT_CONTINUED = "run.not_continued"
    RUN_NOT_SENT_NOW = "run.not_sent_now"
    RUN_NOT_TRIED_AGAIN = "run.not_tried_again"
    RUN_NOT_UNDONE = "run.not_undone"
    RUN_OUTDATED = "run.outdated"
    RUN_PAUSED = "run.paused"
    RUN_QUEUED = "run.queued"
    RUN_REFUSED = "run.refused"
    RUN_REQUEST_DELETED = "run.request_deleted"
    RUN_REQUEST_EDITED = "run.request_edited"
    RUN_REQUESTER_GONE = "run.requester_gone"
    RUN_SAFETY_STOP = "run.safety_stop"
    RUN_SENT_NOW = "run.sent_now"
    RUN_STARTED = "run.started"
    RUN_STOP_ASKED = "run.stop_asked"
    RUN_STOP_REFUSED = "run.stop_refused"
    RUN_STOPPED_BY_RESTORE = "run.stopped_by_restore"
    RUN_TRIED_AGAIN = "run.tried_again"
    RUN_UNDONE = "run.undone"
    RUN_UNKNOWN_TOOL = "run.unknown_tool"
    QUESTION_AGREED = "question.agreed"
    QUESTION_ASKED = "question.asked"
    QUESTION_DECIDED = "question.decided"
    QUESTION_EXPIRED = "question.expired"
    QUESTION_NOT_ASKED_AGAIN = "question.not_asked_again"
    QUESTION_PASSED_ON = "question.passed_on"
    QUESTION_READER_GONE = "question.reader_gone"
    QUESTION_REPLACED = "question.replaced"
    QUESTION_WITHDRAWN = "question.withdrawn"
    ACTION_ACCOUNT_CONNECTED = "action.account_connected"
    ACTION_AFTER_STOP = "action.after_stop"
    ACTION_ANSWERED = "action.answered"
    ACTION_APPROVED = "action.approved"
    ACTION_ASKED = "action.asked"
    ACTION_ASKED_AGAIN = "action.asked_again"
    ACTION_BASIS_CHANGED = "action.basis_changed"
    ACTION_CANCELLED = "action.cancelled"
    ACTION_CLAIMED = "action.claimed"
    ACTION_COMPLETED = "action.completed"
    ACTION_DELEGATED = "action.delegated"
    ACTION_DENIED = "action.denied"
    ACTION_EDITED = "action.edited"
    ACTION_EXPIRED = "action.expired"
    ACTION_FAILED = "action.failed"
    ACTION_IN_DOUBT = "action.in_doubt"
    ACTION_FORGOTTEN = "action.forgotten"
    ACTION_HANDED_OVER = "action.handed_over"
    ACTION_INVALID = "action.invalid"
    ACTION_JUDGED_AGAIN = "action.judged_again"
    ACTION_NEEDS_ACCOUNT = "action.needs_account"
    ACTION_NO_PLACE = "action.no_place"
    ACTION_NOT_DONE = "action.not_done"
    ACTION_OTHER_ACCOUNT = "action.other_account"
    ACTION_PREVIEW_FAILED = "action.preview_failed"
    ACTION_READ = "action.read"
    ACTION_RECONCILED = "action.reconciled"
    ACTION_REJECTED = "action.rejected"
    ACTION_REPEATED = "action.repeated"
    ACTION_SAME_AGAIN = "action.same_again"
    ACTION_SCHEDULED = "action.scheduled"
    ACTION_SETTLED = "action.settled"
    ACTION_SUPERSEDED = "action.superseded"
    ACTION_TASK_COMPLETED = "action.task_completed"
    ACTION_TOO_MANY = "action.too_many"
    ACTION_TRY_AGAIN = "action.try_again"
    ACTION_UNKNOWN = "action.unknown"
    ACTION_UNKNOWN_TOOL = "action.unknown_tool"
    PLAN_CONFIRMED = "plan.confirmed"
    PLAN_DROPPED = "plan.dropped"
    PLAN_TO_BE_CHANGED = "plan.to_be_changed"
    PLAN_CHANGED = "plan.changed"
    CLICK_LATE = "click.late"
    CLICK_NOT_A_MEMBER = "click.not_a_member"
    CLICK_NOT_CONFIRMED = "click.not_confirmed"
    CLICK_NOT_EDITABLE = "click.not_editable"
    CLICK_NOT_IN_TURN = "click.not_in_turn"
    CLICK_NOT_READ = "click.not_read"
    CLICK_OLD_EDITION = "click.old_edition"
    CLICK_TOO_FAST = "click.too_fast"
    CLICK_TOO_OLD = "click.too_old"
    CLICK_UNKNOWN = "click.unknown"
    CLICK_WRONG_CHOICE = "click.wrong_choice"
    CLICK_WRONG_PERSON = "click.wrong_person"
    CLICK_WRONG_PLACE = "click.wrong_place"
    CONNECT_BEGAN = "connect.began"
    CONNECT_DECLINED = "connect.declined"
    CONNECT_HELD = "connect.held"
    CONNECT_OFFERED = "connect.offered"
    CONNECT_REFUSED = "connect.refused"
    CONNECTION_ADOPTED = "connection.adopted"
    CONNECTION_CONNECTED = "connection.connected"
    CONNECTION_DISCONNECTED = "connection.disconnected"
    CONNECTION_NOT_REVOKED = "connection.not_revoked"
    CONNECTION_REFRESHED = "connection.refreshed"
    CONNECTION_REFUSED = "connection.refused"
    CONNECTION_REVOKED = "connection.revoked"
    SCHEDULE_ACTIVE = "schedule.active"
    SCHEDULE_ADDED = "schedule.added"
    SCHEDULE_ANSWERED = "schedule.answered"
    SCHEDULE_ENDED = "schedule.ended"
    SCHEDULE_FIRED = "schedule.fired"
    SCHEDULE_OWNER_GONE = "schedule.owner_gone"
    SCHEDULE_PAUSED = "schedule.paused"
    ALARM_ANSWERED = "alarm.answered"
    ALARM_NOT_PUT_OFF = "alarm.not_put_off"
    BRIEFING_MADE = "briefing.made"
    MEMORY_FORGOTTEN = "memory.forgotten"
    PERSON_ALLOWED = "person.allowed"
    PERSON_DISALLOWED = "person.disallowed"
    PERSON_ERASED = "person.erased"
    PERSON_SIGNED_IN = "person.signed_in"
    PERSON_SIGNED_OUT = "person.signed_out"
    PERSON_TRUST_LEVEL = "person.trust_level"
    PERSON_TRUST_LEVEL_REFUSED = "person.trust_level_refused"
    PERSON_TURNED_AWAY = "person.turned_away"
    WORKSPACE_GUARD = "workspace.guard"
    WORKSPACE_GUARD_REFUSED = "workspace.guard_refused"
    WORKSPACE_RULE_ADDED = "workspace.rule_added"
    WORKSPACE_RULE_EDITED = "workspace.rule_edited"
    WORKSPACE_RULE_REFUSED = "workspace.rule_refused"
    WORKSPACE_RULE_REMOVED = "workspace.rule_removed"
    DELIVERY_DEAD = "delivery.dead"
    LOG_PRUNED = "log.pruned"
    RETENTION_PRUNED = "retention.pruned"
    SECRET_WITHHELD = "secret.withheld"
    SECRETS_RESEALED = "secrets.resealed"
    DATABASE_RESTORED = "database.restored"

    @classmethod
    def of(cls, noun: str, state: State) -> AuditCode:
        """The code of a move into this state, such as `run.completed`. Raises `ValueError` where there is none."""
        return cls(f"{noun}.{state.value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """What is to be recorded: a stable code, who did it, and redacted details that RFC 8785 accepts.

    `owner` is whose it is. What is `personal` lies under the owner's key: without it the log says nothing of that.
    """

    team: str
    code: AuditCode
    actor: str
    run_id: str | None = None
    details: Mapping[str, object] = field(default_factory=dict[str, object])
    owner: str = ""
    personal: Mapping[str, object] = field(default_factory=dict[str, object])


_Text: TypeAlias = str | None
EntryRow: TypeAlias = tuple[int, str, str, int, str, str, str, str, str, int | None, _Text, _Text, _Text, _Text]
"""The columns of an `AuditEntry` in its order. `verify` reads every row, and makes no object of it."""


class AuditEntry(NamedTuple):
    """A stored entry. `body` is its canonical bytes as text, and `at` the column's moment as the database writes it.

    The sealer gives it its place in the chain: `seq`, `prev_hash`, and `hash`, which is a MAC under the key
    `seal_key_id`. `digest` is a plain SHA-256 over all bodies of the chain so far: what anyone can compute. It is None
    of entries that were sealed before there were checkpoints.
    """

    id: int
    team: str
    scope: str
    number: int
    code: str
    at: str
    body: str
    mac: str
    key_id: str
    seq: int | None = None
    prev_hash: str | None = None
    hash: str | None = None
    seal_key_id: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest place of a workspace's chain, signed; for `EVERY_TEAM` how many entries all chains have (`seq`),
    and how many checkpoints were signed of them (`hash`, empty where these were not counted).
    """

    team: str
    seq: int
    hash: str
    digest: str = ""
    key_id: str
    mac: str


class CheckpointKind(StrEnum):
    """What a checkpoint says of the entries up to its place."""

    SEALED = "sealed"  # the digest over their bodies
    BEGUN = "begun"  # they were sealed before there were digests, which begin after them
    PRUNED = "pruned"  # they were deleted when their time was over: the log begins after them
    UNREADABLE = "unreadable"  # its row has another word, so no signature fits it; none is ever stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A place of a workspace's chain with the digest there, signed with Ed25519 under a key that is derived from ours.

    `key` is the public key: with it anyone checks the signature. Where the log was pruned, `carried` is what is still
    needed of what went, as `carried_as_text` writes it; it is signed, too.
    """

    team: str
    kind: CheckpointKind
    seq: int
    hash: str
    digest: str
    at: datetime
    key: str
    signature: str
    carried: str = ""


class Signed(NamedTuple):
    """A workspace's checkpoints but those of the kind `pruned`: the newest one's place and moment, and how many."""

    seq: int
    at: datetime
    number: int


@dataclass(frozen=True, slots=True)
class Carried:
    """What is still needed of a scope whose entries were pruned: how many there were, the end of the run that it is,
    and the attempts (action, number) that were claimed.
    """

    number: int = 0
    ended: str = ""
    attempts: tuple[tuple[str, int], ...] = ()


def carried_as_text(carried: Mapping[str, Carried]) -> str:
    """As it is stored and signed, by scope."""
    lists = {scope: [one.number, one.ended, *map(list, one.attempts)] for scope, one in carried.items()}
    return json.dumps(lists, sort_keys=True, separators=(",", ":"))


def carried_of(checkpoint: Checkpoint) -> dict[str, Carried]:
    """What was carried over, by scope; nothing where the text was damaged, as its signature shows."""
    found: dict[str, Carried] = {}
    try:
        for scope, (number, ended, *attempts) in json.loads(checkpoint.carried or "{}").items():
            pairs = tuple((str(action), int(attempt)) for action, attempt in attempts)
            found[scope] = Carried(int(number), str(ended), pairs)
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError):
        return {}
    return found


def beginnings(checkpoints: Iterable[Checkpoint]) -> dict[str, Checkpoint]:
    """By workspace, after which place its log begins: the newest that it was pruned to. None of a whole log."""
    found: dict[str, Checkpoint] = {}
    for one in checkpoints:
        is_place = type(one.seq) is int  # SQLite stores anything
        if is_place and one.kind is CheckpointKind.PRUNED and (one.team not in found or found[one.team].seq < one.seq):
            found[one.team] = one
    return found


def begins(checkpoint: Checkpoint) -> str:
    """Where a pruned log begins, in words."""
    return (
        f"The log of {checkpoint.team} begins at {checkpoint.seq + 1:,}: what was before was pruned on "
        f"{checkpoint.at:%Y-%m-%d}."
    )


NO_MARK = "0:"
"""The mark before anything was sealed."""


def mark(seq: int, hash_: str) -> str:
    """A place of a chain as entries and people note it: `41:1f3a5b7c9d0e2f46`."""
    return f"{seq}:{hash_[:MARK_CHARACTERS]}"
