"""Verifies the log with the keys: every entry, the chain, its heads, and what the other tables say was done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from types import MappingProxyType
from typing import Any, cast

from bot.domain.audit import (
    EVERY_TEAM,
    NO_MARK,
    AuditCode,
    Checkpoint,
    CheckpointKind,
    EntryRow,
    Head,
    beginnings,
    begins,
    carried_of,
    mark,
)
from bot.progress import Progress, unwatched
from bot.runtime.audit.bodies import body_of, in_lines
from bot.runtime.audit.chain import Chain, ChainPlace, digested, is_signed, is_true, linked, place_at, total_of
from bot.secrets import KEY_ID, KeyRing
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.text import counted

PAGE = 1_000
"""So many entries are read at once when all are. More are slower, as they leave the processor's cache."""

VERIFYING = "Verifying the log"
"""What a progress is told."""

_MOST_TOLD = 20  # problems that a report names
_CLAIMS = frozenset({AuditCode.ACTION_CLAIMED, AuditCode.ACTION_READ, AuditCode.ACTION_REPEATED})
ENDS = frozenset({AuditCode.RUN_COMPLETED, AuditCode.RUN_FAILED, AuditCode.RUN_CANCELLED})
_ERASED = AuditCode.PERSON_ERASED
INTENTS = _CLAIMS | {AuditCode.ACTION_FORGOTTEN}
_OUTCOMES = frozenset(
    {AuditCode.ACTION_COMPLETED, AuditCode.ACTION_RECONCILED, AuditCode.ACTION_SETTLED, AuditCode.ACTION_UNKNOWN}
)

NOT_PRUNED: Mapping[str, Checkpoint] = MappingProxyType({})
"""Of a log that is whole."""

Kept = tuple[str, str]
"""A workspace and a mark of its chain, as somebody kept it."""

_ABOUT_ATTEMPTS = INTENTS | _OUTCOMES

_MOMENT_CHARACTERS = len("2026-11-23T12:00:00.000000")

_columns = itemgetter("team", "scope", "number", "code", "at")
"""What the bytes of an entry say of its columns, in the order of these."""


@dataclass(slots=True)
class Report:
    """What `verify` found: the number of entries, how many are not sealed yet, and every problem in words."""

    entries: int = 0
    unsealed: int = 0
    problems: list[str] = field(default_factory=list[str])
    remarks: list[str] = field(default_factory=list[str])

    def text(self) -> str:
        """One paragraph for people, and what is no problem and worth a line."""
        return in_lines([*self._found(), *self.remarks])

    def _found(self) -> Iterator[str]:
        if self.problems:
            more = len(self.problems) - _MOST_TOLD
            yield f"The log does NOT verify ({counted(len(self.problems), 'problem')}):"
            yield from self.problems[:_MOST_TOLD]
            yield from [f"… and {more:,} more"] if more > 0 else []
            return
        tail = f" The newest {self.unsealed} are not sealed yet." if self.unsealed else ""
        yield f"The log verifies: {counted(self.entries, 'entry', 'entries')}, unbroken, unchanged and in order.{tail}"


class Verifier:
    """Checks every entry: its bytes, its MAC, its place in the chain, gapless numbers, an intent for every outcome;
    and, when all were read, that nothing is missing at the end, nor of what the other tables say was done. A log that
    was pruned is checked from its `beginnings` on, by workspace.
    """

    def __init__(self, keyring: KeyRing, beginnings: Mapping[str, Checkpoint] = NOT_PRUNED) -> None:
        self._keyring = keyring
        self._chains: dict[str, Chain] = defaultdict(Chain)
        self._numbers: dict[str, int] = defaultdict(int)
        self._intents: set[tuple[object, object]] = set()
        self._ended: set[tuple[str, str]] = set()
        self._private: set[tuple[str, str, str]] = set()  # people, and the key that their entries need since an erasure
        self.report = Report(remarks=[begins(beginnings[team]) for team in sorted(beginnings, key=str)])
        self._pruned = sum(one.seq for one in beginnings.values())
        for team, beginning in beginnings.items():
            self._chains[team] = Chain.begun_after(place_at(beginning))
            for scope, carried in carried_of(beginning).items():
                self._numbers[scope] = carried.number
                self._intents.update(carried.attempts)
                self._ended.add((scope, carried.ended))

    @property
    def passed(self) -> int:
        """How many entries are behind it: those that were checked, and those that were pruned."""
        return self._pruned + self.report.entries

    def end_of(self, team: str) -> ChainPlace:
        """Where the workspace's chain stands, as far as it was read."""
        chain = self._chains[team]
        return ChainPlace(chain.seq, chain.hash, chain.digest)

    def check(self, entry: EntryRow) -> None:
        """Take the next entry: a chain in its order, and what is not sealed yet at the end."""
        self.report.entries += 1
        try:
            problems = self._problems(entry)
        except (AttributeError, KeyError, TypeError, ValueError):  # a column holds what the program never writes there
            problems = ["it is unreadable"]
        if problems:
            id_, _, _, _, code, *_ = entry
            self.report.problems += [f"entry {id_} ({code}): {problem}" for problem in problems]

    def check_attempts(self, attempted: Iterable[tuple[str, int]]) -> None:
        """After the last entry: of each of these actions, with its newest attempt, the log has the claim."""
        self.report.problems += [
            f"action {action}: it was attempted, and attempt {attempt} was never claimed in the log"
            for action, attempt in attempted
            if (action, attempt) not in self._intents
        ]

    def check_ends(self, ended: Iterable[tuple[str, str]]) -> None:
        """After the last entry: of each of these runs, with its final state, the log has the end."""
        self.report.problems += [
            f"run {run_id}: it is {state}, and the log has no end of it"
            for run_id, state in ended
            if (run_id, f"run.{state}") not in self._ended
        ]

    def check_keys(self, kept: Mapping[tuple[str, str], str]) -> None:
        """After the last entry: everybody with something personal in the log has the key that opens it, or was erased,
        which it says. `kept` has the id of each person's key; "" for one that does not open.
        """
        keys: dict[tuple[str, str], set[str]] = defaultdict(set)
        for team, user, key in sorted(self._private, key=str):
            keys[team, user].add(key)
        for (team, user), needed in keys.items():
            if told := _wrong_with_key(kept.get((team, user)), needed):
                self.report.problems.append(f"workspace {team}: the key of {user} {told}")

    def end(
        self, heads: Iterable[Head], *, kept: Iterable[Kept] = (), checkpoints: Iterable[Checkpoint] = ()
    ) -> Report:
        """After the last entry: the signed heads, the checkpoints, and what somebody kept elsewhere."""
        by_team, signed = {head.team: head for head in heads}, list(checkpoints)
        total = by_team.pop(EVERY_TEAM, None)
        self.report.problems += self._missed(by_team, total)
        self.report.problems += filter(None, map(self._about, signed))
        self.report.problems += self._gone(total, signed)
        for team, noted in kept:
            chain = self._chains[team]
            if not chain.has(noted):
                told = f"workspace {team}: its chain does not have the place {noted} any more, which was kept elsewhere"
                self.report.problems.append(told)
            elif int(noted.partition(":")[0]) < chain.base.seq:
                self.report.remarks.append(f"The place {team}:{noted} was pruned, and cannot be held against the log.")
        return self.report

    def _problems(self, entry: EntryRow) -> list[str]:
        _, team, scope, number, code, at, text, mac, key_id, seq, prev_hash, hash_, seal_key_id, digest = entry
        problems: list[str] = []
        body: dict[str, Any] = body_of(text)
        stored = text.encode()  # which costs next to nothing once the parser has read it
        if not self._keyring.check_mac(stored, key_id, mac):
            problems.append("its bytes or its MAC were changed, or its key is missing")
        if not _says(body, (team, scope, number, code, _as_told(at))):
            problems.append("its columns differ from its bytes")
        self._note(team, scope, code, body)
        before = self._numbers[scope]
        if number != before + 1:
            problems.append(f"number {number} follows {before}: an entry is missing or double")
        self._numbers[scope] = number
        chain = self._chains[team]
        after = body.get("after", NO_MARK)
        if after != chain.after:  # most entries name the same place as the one before
            chain.after = str(after)
            if not chain.has(chain.after):
                problems.append(f"it was written after {after}, a place that the chain does not have")
        if seq is None:
            self.report.unsealed += 1
        else:
            fits = (seq, prev_hash) == (chain.seq + 1, chain.hash) and self._keyring.check_mac(
                linked(stored, mac, seq, chain.hash), seal_key_id or "", hash_ or ""
            )
            chain.add(seq, hash_ or "", fits=fits)
            if not fits:
                problems.append("the chain is broken here")
            if not _has_digest(chain, seq, stored, digest):
                problems.append("its digest was changed")
        problems += self._intended(code, body.get("details"))
        return problems

    def _note(self, team: str, scope: str, code: str, body: Mapping[str, Any]) -> None:
        """What other tables are held against in the end."""
        if "personal" in body:
            self._private.add((team, body["owner"], body["personal"][KEY_ID]))
        if code in ENDS:
            self._ended.add((scope, code))
        elif code == _ERASED:
            person = (team, body["details"]["person"])
            self._private = {needed for needed in self._private if needed[:2] != person}

    def _intended(self, code: str, details: object) -> Sequence[str]:
        """Every attempt is claimed first, and once; nothing comes of an attempt that was not."""
        told = cast("dict[str, object]", details) if isinstance(details, dict) else {}
        number = told.get("attempt")
        if not number and code not in _ABOUT_ATTEMPTS:
            return ()
        attempt = (told.get("action"), number)
        known = attempt in self._intents
        if code in _CLAIMS:
            self._intents.add(attempt)
            if not number:
                return ["it claims no attempt"]
            return ["this attempt was claimed before"] if known else []
        if code == AuditCode.ACTION_FORGOTTEN:  # claimed, if at all, in a log that was lost with its database
            self._intents.add(attempt)
            return []
        if (number or code in _OUTCOMES) and not known:
            return ["it tells of an attempt without a recorded intent"]
        return []

    def _missed(self, heads: Mapping[str, Head], counted: Head | None) -> Iterator[str]:
        """What the signed heads know of and the entries do not show."""
        there = {team: chain for team, chain in self._chains.items() if chain.sealed or chain.base.seq}
        for team in sorted(heads.keys() | there.keys(), key=str):
            yield from self._ends(team, heads.get(team))
        sealed = sum(chain.base.seq + chain.sealed for chain in there.values())
        if counted is None and (heads or there):
            yield "the signed count of all sealed entries is missing"
        elif counted is not None and not is_signed(self._keyring, counted):
            yield "the signed count of all sealed entries was changed, or its key is missing"
        elif counted is not None and counted.seq != sealed:
            yield f"{counted.seq:,} entries were sealed, and {sealed:,} of them are there"

    def _about(self, checkpoint: Checkpoint) -> str:
        """What is wrong with a checkpoint; nothing where all is well."""
        where = f"workspace {checkpoint.team}: the checkpoint at {checkpoint.seq}"
        if checkpoint.key not in self._keyring.public_keys or not is_true(checkpoint):
            return f"{where} was changed, or its key is missing"
        if not self._chains[checkpoint.team].has(mark(checkpoint.seq, checkpoint.hash)):
            return f"{where} does not fit its chain"
        return ""

    def _gone(self, total: Head | None, checkpoints: Iterable[Checkpoint]) -> Iterator[str]:
        """Checkpoints that were signed and are not there. Of the kind `pruned` only the newest stays, and without it
        the log does not begin where it ends.
        """
        there = [one.team for one in checkpoints if one.kind is not CheckpointKind.PRUNED]
        made = (total_of(total).checkpoints if total and is_signed(self._keyring, total) else None) or 0
        if len(there) < made:
            without = sorted(str(team) for team, chain in self._chains.items() if chain.digest and team not in there)
            told = f", none of {', '.join(without[:_MOST_TOLD])}" if without else ""
            yield f"{counted(made, 'checkpoint was', 'checkpoints were')} signed, and {len(there):,} are there{told}"

    def _ends(self, team: str, head: Head | None) -> Iterator[str]:
        chain = self._chains[team]
        if head is None:
            yield f"workspace {team}: the signed head of its chain is missing"
        elif not is_signed(self._keyring, head):
            yield f"workspace {team}: the signed head of its chain was changed, or its key is missing"
        elif (head.seq, head.hash, head.digest) != (chain.seq, chain.hash, chain.digest):
            yield f"workspace {team}: its chain ends at {chain.seq}, and its signed head is at {head.seq}"


def sealed_entries(heads: Iterable[Head]) -> int:
    """How many entries were sealed, as the head of all chains says."""
    return next((head.seq for head in heads if head.team == EVERY_TEAM and type(head.seq) is int), 0)


async def verified(
    store: Store,
    keyring: KeyRing,
    *,
    kept: Sequence[Kept] = (),
    page: int = PAGE,
    progress: Progress = unwatched,
) -> Report:
    """The whole log, checked in one snapshot: the bot goes on writing and sealing, and this sees one moment."""
    async with store.read(long=True) as work:
        heads, checkpoints = await work.audit.heads(), await work.audit.checkpoints()
        verifier = Verifier(keyring, beginnings(checkpoints))
        async for found in _pages(work, page):
            for entry in found:
                verifier.check(entry)
            progress(VERIFYING, verifier.passed, sealed_entries(heads))
        after = ""
        # An id that is no text in SQLite comes after all others, and no entry is about it: to tell of it is enough.
        while attempted := await work.records.attempted(after=after, limit=page) if type(after) is str else ():
            verifier.check_attempts(attempted)
            after = attempted[-1][0]
        after = ""
        while ended := await work.records.ended(after=after, limit=page) if type(after) is str else ():
            verifier.check_ends(ended)
            after = ended[-1][0]
        verifier.check_keys(await work.person_keys.ids())
        return verifier.end(heads, kept=kept, checkpoints=checkpoints)


async def _pages(work: UnitOfWork, size: int) -> AsyncIterator[Sequence[EntryRow]]:
    """Every entry, in the order of the chains; an id says nothing of when its entry was committed."""
    place = ("", 0)
    # What is no text in SQLite comes after every workspace: that it was read is enough to tell of it.
    while page := await work.audit.chained(after=place, limit=size) if type(place[0]) is str else ():
        yield page
        _, team, *_, seq, _, _, _, _ = page[-1]
        place = (team, seq or 0)
    if stray := await work.audit.of_no_workspace(limit=size):
        yield stray
    after = 0
    while page := await work.audit.unsealed(limit=size, after=after):
        yield page
        after = page[-1][0]


def _wrong_with_key(kept: str | None, needed: Collection[str]) -> str:
    """What keeps a person's entries closed, which lie under the keys with these ids; "" where all of them open."""
    unread = "cannot be read"
    if kept is None:
        return f"is gone, and no entry says that they were erased: what is personal in their entries {unread}"
    if not kept:
        why = "it was changed, or the key that seals it is missing"
        return f"does not open, as {why}: what is personal in their entries {unread}"
    others = "does not open all their entries, and no entry says that they were erased since the others"
    return "" if needed == {kept} else f"{others}: what is personal in these {unread}"


def _has_digest(chain: Chain, seq: int, stored: bytes, digest: str | None) -> bool:
    """Whether it has the digest of its place, from which the next goes on. Before the first there is none."""
    expected = digested(chain.digest, seq, stored) if digest or chain.digest else None
    chain.digest = digest or ""
    return digest == expected


def _says(body: dict[str, object], columns: tuple[object, ...]) -> bool:
    """Whether the bytes say what the columns say."""
    try:
        return _columns(body) == columns
    except KeyError:
        return False


def _as_told(at: str) -> str:
    """The column's naive moment as the bytes write it; PostgreSQL leaves zeros at the end away."""
    text = at.replace(" ", "T")
    if len(text) < _MOMENT_CHARACTERS:
        whole, _, fraction = text.partition(".")
        text = f"{whole}.{fraction:0<6}"
    return f"{text}+00:00"
