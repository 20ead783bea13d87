"""The repository of the audit log: entries are stored as canonical bytes with a MAC, and the sealer chains them
(docs/states.md §5).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Integer,
    Text,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    update,
)

from bot import canonical_json
from bot.domain.audit import (
    EVERY_TEAM,
    NO_MARK,
    AuditCode,
    AuditEntry,
    AuditEvent,
    Checkpoint,
    CheckpointKind,
    EntryRow,
    Head,
    Signed,
    mark,
)
from bot.domain.seals import personal_bound_to
from bot.secrets import KeyRing
from bot.store.engine.session import DatabaseSession, Repository, being, given, upsert
from bot.store.engine.statements import Prepared, numbered, portions, table_of
from bot.store.repositories.person_keys import Person, PersonKeys
from bot.store.rows import checkpoint, moment_of
from bot.store.tables.audit_log import audit, audit_checkpoints, audit_heads
from bot.store.tables.runs import runs
from integrations.ports import Clock

_HEAD = audit_heads.c.team == bindparam("team")
_BEFORE = Prepared(
    select(
        select(func.coalesce(func.max(audit.c.number), 0)).where(audit.c.scope == bindparam("scope")).scalar_subquery(),
        select(audit_heads.c.seq).where(_HEAD).scalar_subquery(),
        select(audit_heads.c.hash).where(_HEAD).scalar_subquery(),
    )
)
_NUMBERS, _MARKS = "newest numbers of the log", "newest marks of the log"
"""Under these what `_BEFORE` finds is known: only this module adds entries and signs heads."""
_PLACE = ("seq", "prev_hash", "hash", "seal_key_id", "digest")
"""The columns that the sealer fills."""

_MOMENT = cast(audit.c.at, Text).label("at")
ENTRY = [_MOMENT if name == "at" else audit.c[name] for name in AuditEntry._fields]
"""The columns of an entry, in its order; the moment as text, as nonsense in a column is for `verify` to find."""

_UNSEALED = Prepared(
    select(*ENTRY)
    .where(audit.c.seq.is_(None), audit.c.id > bindparam("after"))
    .order_by(audit.c.id)
    .limit(bindparam("limit", type_=Integer))
)
_OF_ENTRY, _OF_HEAD = len(ENTRY), len(audit_heads.c)
_OLDEST_UNSEALED = Prepared(select(cast(func.min(audit.c.at), Text)).where(audit.c.seq.is_(None)))
_NEWEST_AT = Prepared(select(_MOMENT).order_by(audit.c.id.desc()).limit(1))
_PRUNED = being(audit_checkpoints.c.kind, CheckpointKind.PRUNED)
_OF_TEAM = audit_checkpoints.c.team == bindparam("team")
_own, _total, _sealed = audit_heads.alias("own"), audit_heads.alias("total"), audit.alias("sealed")
_NEWEST = select(func.coalesce(func.max(_sealed.c.seq), 0)).where(_sealed.c.team == audit.c.team)
_NEWEST_PRUNED = select(func.coalesce(func.max(audit_checkpoints.c.seq), 0)).where(
    audit_checkpoints.c.team == audit.c.team, _PRUNED
)
_WAITING = Prepared(
    select(*ENTRY, _NEWEST.scalar_subquery(), _NEWEST_PRUNED.scalar_subquery(), *_own.c, *_total.c)
    .select_from(
        audit.outerjoin(_own, _own.c.team == audit.c.team).outerjoin(
            _total, _total.c.team == literal_column(f"'{EVERY_TEAM}'")
        )
    )
    .where(audit.c.seq.is_(None))
    .order_by(audit.c.id)
    .limit(bindparam("limit", type_=Integer))
)
_TOLD = Prepared(select(audit.c.body).where(given(audit.c.scope, audit.c.code)))
_HEADS = Prepared(select(audit_heads).order_by(audit_heads.c.team))
_AS_TEXT = ("kind", "at")
_STATED = [
    cast(audit_checkpoints.c[one.name], Text).label(one.name) if one.name in _AS_TEXT else audit_checkpoints.c[one.name]
    for one in fields(Checkpoint)
]
"""The columns of a checkpoint; those that take a few values alone as text, as nonsense in them is for `verify`."""
_CHECKPOINTS = Prepared(select(*_STATED).order_by(audit_checkpoints.c.team, audit_checkpoints.c.seq))
_SEALED_AT = Prepared(
    select(*_STATED).where(
        given(audit_checkpoints.c.team, audit_checkpoints.c.seq),
        being(audit_checkpoints.c.kind, CheckpointKind.SEALED),
    )
)
_LAST_CHECKPOINTS = Prepared(
    select(
        audit_checkpoints.c.team,
        func.max(audit_checkpoints.c.seq),
        cast(func.max(audit_checkpoints.c.at), Text),
        func.count(),
    )
    .where(~_PRUNED)
    .group_by(audit_checkpoints.c.team)
)
_UNKEPT = Prepared(
    select(*_STATED)
    .where(audit_checkpoints.c.kept_at.is_(None))
    .order_by(audit_checkpoints.c.team, audit_checkpoints.c.seq)
)
_PRUNED_TO = Prepared(select(*_STATED).where(_PRUNED).order_by(audit_checkpoints.c.team, audit_checkpoints.c.seq))
_earlier = audit_checkpoints.alias()
_CUTS = Prepared(
    select(*_STATED)
    .where(
        being(audit_checkpoints.c.kind, CheckpointKind.SEALED),
        audit_checkpoints.c.at <= bindparam("before"),
        ~exists().where(
            _earlier.c.team == audit_checkpoints.c.team,
            being(_earlier.c.kind, CheckpointKind.PRUNED),
            _earlier.c.seq >= audit_checkpoints.c.seq,
        ),
    )
    .order_by(audit_checkpoints.c.team, audit_checkpoints.c.seq)
)
_UP_TO = and_(given(audit.c.team), audit.c.seq <= bindparam("through"))
_OTHERS = Prepared(select(audit.c.id).where(_UP_TO, audit.c.code != bindparam("code")).limit(1))
_LATER = Prepared(
    select(audit.c.scope)
    .where(audit.c.scope.in_(bindparam("scopes")), or_(audit.c.seq.is_(None), audit.c.seq > bindparam("through")))
    .distinct()
)
_RUNS = Prepared(select(runs.c.id).where(runs.c.id.in_(bindparam("scopes"))))
_PRUNE = Prepared(delete(audit).where(_UP_TO))
_FORGET_CUTS = Prepared(
    delete(audit_checkpoints).where(_OF_TEAM, _PRUNED, audit_checkpoints.c.seq < bindparam("through"))
)
_LIMIT = bindparam("limit", type_=Integer)
_PAGE = Prepared(select(*ENTRY).where(audit.c.id > bindparam("after")).order_by(audit.c.id).limit(_LIMIT))
_CHAINED = Prepared(
    select(*ENTRY)
    .where(
        audit.c.seq.is_not(None),
        tuple_(audit.c.team, audit.c.seq)
        > tuple_(bindparam("after_team", type_=audit.c.team.type), bindparam("after_seq", type_=audit.c.seq.type)),
    )
    .order_by(audit.c.team, audit.c.seq)
    .limit(_LIMIT)
)
_OF_NO_WORKSPACE = Prepared(
    select(*ENTRY).where(audit.c.seq.is_not(None), audit.c.team.is_(None)).order_by(audit.c.id).limit(_LIMIT)
)


@cache
def _seal(count: int) -> Prepared:
    """Give so many entries their places; those that have one are left alone."""
    places = table_of([audit.c[name] for name in ("id", *_PLACE)], count)
    unsealed = and_(audit.c.id == places.c.id, audit.c.seq.is_(None))
    return Prepared(update(audit).where(unsealed).values({name: places.c[name] for name in _PLACE}))


@cache
def _sign(count: int) -> Prepared:
    signed = [one.name for one in audit_heads.c if not one.primary_key]
    return upsert(audit_heads, lambda new: {name: new[name] for name in signed}, count=count)


class UnchainedEntries(NamedTuple):
    """Entries that have no place in a chain yet, in id order, and what they are to follow.

    `heads` are the signed heads of their workspaces and that of `EVERY_TEAM`, as far as they are there; `newest` is the
    highest sequence among each workspace's sealed entries, those that were pruned among them, 0 where there is none.
    """

    entries: Sequence[AuditEntry]
    heads: Mapping[str, Head]
    newest: Mapping[str, int]


class Audit(Repository):
    """The audit log."""

    added = False
    """Whether this transaction added an entry."""

    def __init__(self, session: DatabaseSession, *, keyring: KeyRing, clock: Clock, person_keys: PersonKeys) -> None:
        super().__init__(session)
        self._person_keys = person_keys
        self._keyring = keyring
        self._clock = clock

    async def record(self, *events: AuditEvent) -> None:
        """Write entries in order. Each names the newest place of its workspace's chain."""
        self.added = True
        scopes: dict[tuple[str, str], list[AuditEvent]] = defaultdict(list)
        for event in events:
            scopes[event.team, event.run_id or f"workspace:{event.team}"].append(event)
        await self._db.lock_names(scope for _, scope in scopes)  # the last lock of all, see session.py
        people = sorted({(event.team, event.owner) for event in events if event.personal})
        keys = {person: await self._person_keys.of(person) for person in people}
        for (team, scope), recorded in scopes.items():
            newest, after = await self._before(team, scope)
            rows = [self._row(event, scope, n, after, keys) for n, event in enumerate(recorded, start=newest + 1)]
            await self._db.insert(audit, rows)
            self._db.learn(_NUMBERS, scope, newest + len(rows))

    async def _before(self, team: str, scope: str) -> tuple[int, str]:
        """The newest number of the scope, and the mark of the newest place of the workspace's chain."""
        number, after = self._db.recall(_NUMBERS, scope), self._db.recall(_MARKS, team)
        if number is None or after is None:
            ((number, seq, hash_),) = (await self._db.execute(_BEFORE, {"scope": scope, "team": team})).rows
            after = NO_MARK if seq is None else mark(seq, hash_)
            self._db.learn(_MARKS, team, after)
        return number, after

    def _row(
        self, event: AuditEvent, scope: str, number: int, after: str, keys: Mapping[Person, KeyRing]
    ) -> dict[str, Any]:
        """One entry: its canonical bytes, made once, and their MAC. Both cover what is personal as it is sealed."""
        at, code = self._clock.now(), event.code.value
        whose = {"owner": event.owner} if event.owner else {}
        if event.personal:
            bound = personal_bound_to(event.team, event.owner, scope, number)
            plain = json.dumps(dict(event.personal))
            whose["personal"] = keys[event.team, event.owner].seal(plain, bound_to=bound)
        body = canonical_json.dumps(
            {
                "v": 3,
                "at": at.isoformat(timespec="microseconds"),
                "team": event.team,
                "scope": scope,
                "number": number,
                "after": after,
                "code": code,
                "actor": event.actor,
                **whose,
                "details": dict(event.details),
            }
        )
        key_id, mac = self._keyring.mac(body)
        columns: dict[str, Any] = {"team": event.team, "scope": scope, "number": number, "code": code, "at": at}
        return columns | {"body": body.decode(), "mac": mac, "key_id": key_id}

    async def told(self, scope: str, code: AuditCode) -> Sequence[str]:
        """The stored bytes of a run's entries of this code."""
        return await self._db.values(_TOLD, {"scope": scope, "code": code.value})

    async def lock_chains(self) -> None:
        """Keep every other sealer out until the transaction ends, because it reads and writes all heads."""
        await self._db.lock_names(["chains of the log"])

    async def unsealed(self, *, limit: int, after: int = 0) -> Sequence[AuditEntry]:
        """Entries after this id that have no place in a chain yet, in id order."""
        return await self._entries(_UNSEALED, after=after, limit=limit)

    async def _entries(self, statement: Prepared, **asked: object) -> Sequence[AuditEntry]:
        return list(map(AuditEntry._make, (await self._db.execute(statement, asked)).rows))

    async def waiting(self, *, limit: int) -> UnchainedEntries:
        """What is to be sealed next."""
        rows = (await self._db.execute(_WAITING, {"limit": limit})).rows
        entries = [AuditEntry._make(row[:_OF_ENTRY]) for row in rows]
        teams = {entry.team: row[_OF_ENTRY:] for entry, row in zip(entries, rows, strict=True)}
        # What is no number was written by somebody else: it is no place from which a chain goes on.
        newest = {team: max(n if type(n) is int else 0 for n in found[:2]) for team, found in teams.items()}
        signed = [found[2:][at : at + _OF_HEAD] for found in teams.values() for at in (0, _OF_HEAD)]
        heads = [Head(**dict(zip(audit_heads.c.keys(), each, strict=True))) for each in signed if each[0] is not None]
        return UnchainedEntries(entries, {head.team: head for head in heads}, newest)

    async def heads(self) -> Sequence[Head]:
        """The signed heads of all chains, as stored: the reader checks the signatures."""
        return await self._db.all(Head, _HEADS)

    async def seal(self, entries: Sequence[AuditEntry]) -> None:
        """Give entries their places; sealed entries stay as they are."""
        places = [{name: getattr(entry, name) for name in ("id", *_PLACE)} for entry in entries]
        for some in portions(places):
            await self._db.execute(_seal(len(some)), numbered(some))

    async def sign(self, *heads: Head) -> None:
        """Store these as the heads of their chains."""
        for some in portions([asdict(head) for head in heads]):
            await self._db.execute(_sign(len(some)), numbered(some))
        for head in heads:
            self._db.learn(_MARKS, head.team, mark(head.seq, head.hash))

    def now(self) -> datetime:
        """The moment that an entry written now would name."""
        return self._clock.now()

    async def checkpoints(self) -> Sequence[Checkpoint]:
        """Every checkpoint, by workspace and in the order of the chain."""
        return await self._db.all(checkpoint, _CHECKPOINTS)

    async def last_checkpoints(self) -> dict[str, Signed]:
        """Where each workspace's newest checkpoint stands, when it was signed, and how many there are. Where somebody
        wrote no number there, another one is needed.
        """
        rows = (await self._db.execute(_LAST_CHECKPOINTS)).rows
        return {team: Signed(seq if type(seq) is int else 0, moment_of(at), n) for team, seq, at, n in rows}

    async def sealed_at(self, team: str, seq: int) -> Checkpoint | None:
        """The checkpoint that was signed at this place."""
        return await self._db.first(checkpoint, _SEALED_AT, {"team": team, "seq": seq})

    async def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Store it; it is kept nowhere else yet."""
        await self._db.put(audit_checkpoints, asdict(checkpoint))

    async def unkept(self) -> Sequence[Checkpoint]:
        """Those that are not kept outside of the database."""
        return await self._db.all(checkpoint, _UNKEPT)

    async def keep(self, made: Sequence[Checkpoint], *, at: datetime) -> None:
        """These are kept outside of the database now."""
        for one in made:
            key = {"team": one.team, "seq": one.seq, "kind": one.kind}
            await self._db.change(audit_checkpoints, key, {"kept_at": at})

    async def pruned(self) -> Sequence[Checkpoint]:
        """The places that chains were pruned to."""
        return await self._db.all(checkpoint, _PRUNED_TO)

    async def cuts(self, *, before: datetime) -> Sequence[Checkpoint]:
        """The checkpoints signed up to this moment beyond which their chains were not pruned yet, in order."""
        return await self._db.all(checkpoint, _CUTS, {"before": before})

    async def has_more_than(self, code: AuditCode, checkpoint: Checkpoint) -> bool:
        """Whether any entry up to this checkpoint has another code than this."""
        asked = {"team": checkpoint.team, "through": checkpoint.seq, "code": code.value}
        return bool((await self._db.execute(_OTHERS, asked)).rows)

    async def going_on(self, scopes: Iterable[str], after: Checkpoint) -> set[str]:
        """Those of the scopes that have an entry after this place, or whose run is still there."""
        among = {"scopes": sorted(scopes)}
        return {
            *await self._db.values(_LATER, among | {"through": after.seq}),
            *await self._db.values(_RUNS, among),
        }

    async def prune(self, to: Checkpoint, gone: Iterable[str]) -> int:
        """Delete the workspace's entries up to this place, which is stored as where its log was pruned to; how many.
        Of the scopes that are `gone` nothing is left.
        """
        await self._db.put(audit_checkpoints, asdict(to))
        key = {"team": to.team, "through": to.seq}
        await self._db.execute(_FORGET_CUTS, key)
        for scope in gone:
            self._db.learn(_NUMBERS, scope, None)
        return (await self._db.execute(_PRUNE, key)).changed

    async def page(self, *, after: int, limit: int) -> Sequence[AuditEntry]:
        """Entries after this id, in id order. On PostgreSQL an entry with a lower id may be committed later."""
        return await self._entries(_PAGE, after=after, limit=limit)

    async def chained(self, *, after: tuple[str, int], limit: int) -> Sequence[EntryRow]:
        """Sealed entries after this place (workspace, sequence), by workspace and in the order of the chain."""
        asked = {"after_team": after[0], "after_seq": after[1], "limit": limit}
        rows: Any = (await self._db.execute(_CHAINED, asked)).rows
        return rows

    async def of_no_workspace(self, *, limit: int) -> Sequence[EntryRow]:
        """Sealed entries whose workspace somebody took away: they come after no place."""
        rows: Any = (await self._db.execute(_OF_NO_WORKSPACE, {"limit": limit})).rows
        return rows

    async def newest_at(self) -> datetime | None:
        """When the newest entry was written; None in an empty log."""
        found = await self._db.value(_NEWEST_AT)
        return None if found is None else moment_of(found)

    async def oldest_unsealed(self) -> datetime | None:
        """When the oldest entry was written that has no place in a chain; the earliest moment where nobody can tell."""
        found = await self._db.value(_OLDEST_UNSEALED)
        return None if found is None else moment_of(found)
