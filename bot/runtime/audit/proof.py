"""Checks an export of the log with nothing but a public key: for whoever gets one and has no secret (docs/audit.md).

An export has checkpoints first, then entries. Each entry is followed from the one before it by sequence, hash and
digest, and wherever a checkpoint was signed the hash and the digest must be the signed ones. A hash takes a secret to
be made, so between checkpoints it is held against its copies alone, and a report says so. A log that was pruned is
followed from where it begins, which is signed, too. Lines may come in any order: a checkpoint that stands behind its
entry is held against what was followed there, for which the digest of each place is kept (32 bytes).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple, cast

from pydantic_core import from_json, to_json

from bot.domain.audit import NO_MARK, Checkpoint, CheckpointKind, begins, carried_of, mark
from bot.runtime.audit.bodies import body_of, in_lines
from bot.runtime.audit.chain import Chain, digested, is_true, place_at
from bot.runtime.audit.export import checkpoint_of
from integrations.text import counted

_line_says = itemgetter("at", "team", "code", "actor", "number", "body")
_bytes_say = itemgetter("at", "team", "code", "actor", "number", "details")
"""What a line says besides the stored bytes, and what they call it."""

_FIELDS = frozenset(
    {
        *("id", "at", "team", "code", "actor", "run_id", "number", "body", "mac", "sealed", "seq"),
        *("prev_hash", "hash", "digest", "stored", "personal"),
    }
)
"""All that a line of an export can have. A reader could take anything else for something that was proven."""

_HASH = re.compile("[0-9a-f]+")

_BACK = timedelta(minutes=5)
"""Several machines write a chain, and what was written last is not always sealed last: less is not worth a word."""

_MOST_TOLD = 5
_DIGEST_BYTES = sha256().digest_size


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFault:
    """The first thing that is wrong in a workspace's chain, and the sequence where it shows."""

    team: str
    seq: int
    what: str


@dataclass(slots=True, kw_only=True)
class ProofReport:
    """What the export shows: how many entries it has, how many of them no checkpoint proves, and what is wrong.

    `unsealed` are lines besides that have no place in a chain, and `opened` is how many show what is personal.
    """

    entries: int = 0
    teams: int = 0
    unproven: int = 0
    unsealed: int = 0
    opened: int = 0
    faults: Sequence[ChainFault] = ()
    unreadable: Sequence[str] = ()
    remarks: Sequence[str] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong, and something is proven."""
        return not self.faults and not self.unreadable and self.entries > self.unproven

    def text(self) -> str:
        """A paragraph for people."""
        return in_lines([*self._lines(), *self.remarks])

    def _lines(self) -> Iterator[str]:
        if self.faults or self.unreadable:
            yield "The export does NOT verify:"
            yield from (f"{fault.team}, sequence {fault.seq}: {fault.what}" for fault in self.faults)
            yield from (f"{where}: it is no entry and no checkpoint" for where in self.unreadable)
            return
        if not self.is_whole:
            yield "The export proves nothing: it has no entry that a checkpoint covers."
            return
        proven = counted(self.entries - self.unproven, "entry", "entries")
        teams = counted(self.teams, "workspace")
        yield f"The export verifies: {proven} of {teams}, as they were when they were signed."
        if self.unproven:
            yield f"No checkpoint covers {self.unproven:,} more: they fit, and nothing signed says that they are all."
        if self.unsealed:
            more = counted(self.unsealed, "more line")
            yield f"Nothing proves {more} without a place in the chain: who made the export can have written anything."
        yield "No digest is made of a line's id, MAC and hash: nothing proves these, but the hash at a checkpoint."
        if self.opened:
            yield f"What is personal was opened in {counted(self.opened, 'line')}: nothing proves what stands there."


class _Line(NamedTuple):
    """An entry as a line of the export has it."""

    seq: int
    data: Mapping[str, Any]
    stored: bytes
    said: Mapping[str, Any]


@dataclass(slots=True)
class _Team:
    """One workspace's chain as far as it was followed."""

    team: str
    chain: Chain = field(default_factory=Chain)
    base: int = 0
    """Behind what digests begin: nothing, or what was sealed before there were any."""
    beginning: Checkpoint | None = None
    checkpoints: dict[int, Checkpoint] = field(default_factory=dict[int, Checkpoint])
    waiting: dict[int, _Line] = field(default_factory=dict[int, _Line])
    numbers: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    digests: bytearray = field(default_factory=bytearray)
    """Of each place behind the base of the chain; zeros where there is none, or a wrong one."""
    followed: int = 0
    """How many entries were followed behind where digests begin, and how many of them a checkpoint covers: `proven`.
    The newest such checkpoint is at `signed`.
    """
    proven: int = 0
    signed: int = 0
    newest: str = ""
    fault: ChainFault | None = None

    def blame(self, seq: int, what: str) -> None:
        """Keep the first fault."""
        if self.fault is None or seq < self.fault.seq:
            self.fault = ChainFault(team=self.team, seq=seq, what=what)

    def digest_at(self, seq: int) -> str:
        """The digest of a place that was followed; zeros where there was none, or a wrong one."""
        begin = (seq - self.chain.base.seq - 1) * _DIGEST_BYTES
        return self.digests[begin : begin + _DIGEST_BYTES].hex()


class Proof:
    """Reads an export line by line: `read` each, then `end`. `public_keys` are those whose checkpoints count."""

    def __init__(self, public_keys: Collection[str]) -> None:
        self._public_keys = frozenset(public_keys)
        self._teams: dict[str, _Team] = {}
        self._entries = self._unsealed = self._opened = 0
        self._unreadable: list[str] = []
        self._remarks: list[str] = []

    def read(self, text: str, where: str) -> None:
        """Take the next line, which is called `where`; an empty one is none."""
        if not text or text.isspace():
            return
        try:
            data = _read(text)
            if "checkpoint" in data and len(data) == 1:
                self._take(checkpoint_of(data["checkpoint"]))
                return
            if not _FIELDS.issuperset(data):
                raise ValueError("no entry of an export")
            self._opened += "personal" in data
            if data["seq"] is None:
                self._unsealed += 1
            else:
                line = _line(data)
                self._follow(self._of(line.said["team"]), line)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            self._unreadable.append(where)

    def end(self) -> ProofReport:
        """After the last line."""
        for team in self._teams.values():
            self._end(team)
        teams = [team for team in self._teams.values() if team.chain.seq]
        begun = [begins(team.beginning) for team in teams if team.beginning]
        return ProofReport(
            entries=self._entries,
            teams=len(teams),
            unproven=self._entries - sum(team.proven for team in teams),
            unsealed=self._unsealed,
            opened=self._opened,
            faults=[team.fault for _, team in sorted(self._teams.items()) if team.fault],
            unreadable=self._unreadable[:_MOST_TOLD],
            remarks=[*begun, *self._remarks[:_MOST_TOLD]],
        )

    def _of(self, team: str) -> _Team:
        if team not in self._teams:
            self._teams[team] = _Team(team)
        return self._teams[team]

    def _take(self, checkpoint: Checkpoint) -> None:
        team, seq = self._of(checkpoint.team), checkpoint.seq
        if wrong := self._untrue(checkpoint):
            team.blame(seq, wrong)
        if checkpoint.kind is CheckpointKind.PRUNED:  # a wrong one is the fault, and not what is missing before it
            self._begin(team, checkpoint)
        elif wrong:
            return
        elif checkpoint.kind is CheckpointKind.BEGUN:
            team.base = max(team.base, seq)
            team.checkpoints.setdefault(seq, checkpoint)
        else:
            known = team.checkpoints.get(seq)
            if known is not None and (known.hash, known.digest) != (checkpoint.hash, checkpoint.digest):
                team.blame(seq, "two checkpoints were signed here, and they differ")
            team.checkpoints[seq] = checkpoint
            if team.chain.base.seq < seq <= team.chain.seq:
                self._hold(team, checkpoint)

    def _hold(self, team: _Team, checkpoint: Checkpoint) -> None:
        """Compare a checkpoint with the entry that was followed there before it came."""
        seq = checkpoint.seq
        if not team.chain.has(mark(seq, checkpoint.hash)) or team.digest_at(seq) != checkpoint.digest:
            team.blame(seq, _not_signed(team, checkpoint))
        elif seq > team.signed:
            team.signed, team.proven = seq, seq - max(team.base, team.chain.base.seq)

    def _untrue(self, checkpoint: Checkpoint) -> str:
        """What is wrong with its signature; nothing where all is well."""
        if not is_true(checkpoint):
            return "the checkpoint here was changed"
        if checkpoint.key not in self._public_keys:
            return f"the checkpoint here is signed with another key ({checkpoint.key})"
        return ""

    def _begin(self, team: _Team, checkpoint: Checkpoint) -> None:
        """The log was pruned up to here, maybe while it was exported: then entries of before it came already."""
        if checkpoint.seq > team.chain.seq:
            team.chain, team.beginning = Chain.begun_after(place_at(checkpoint)), checkpoint
            team.followed, team.digests = team.proven, bytearray()
            team.numbers.update({scope: one.number for scope, one in carried_of(checkpoint).items()})
            for seq in [seq for seq in team.waiting if seq <= checkpoint.seq]:
                del team.waiting[seq]
            self._go_on(team)
        elif not team.chain.has(mark(checkpoint.seq, checkpoint.hash)):
            team.blame(checkpoint.seq, "the log was pruned up to here, and this is not what was signed")

    def _follow(self, team: _Team, line: _Line) -> None:
        """Follow the chain as far as its lines are there."""
        self._entries += 1
        if line.seq == team.chain.seq + 1:  # lines come so where nobody mixed them
            self._add(team, line)
            if team.waiting:
                self._go_on(team)
            return
        if line.seq <= team.chain.base.seq:
            team.blame(line.seq, f"the log was pruned up to {team.chain.base.seq}")
            return
        if line.seq <= team.chain.seq or line.seq in team.waiting:
            team.blame(line.seq, "two entries have this place")
            return
        team.waiting[line.seq] = line

    def _go_on(self, team: _Team) -> None:
        while (ready := team.waiting.pop(team.chain.seq + 1, None)) is not None:
            self._add(team, ready)

    def _add(self, team: _Team, line: _Line) -> None:
        """The next line of the chain."""
        digest = bytes(_DIGEST_BYTES)
        if team.fault is None or line.seq < team.fault.seq:
            if what := self._wrong(team, line):
                team.blame(line.seq, what)
            elif team.chain.digest:
                digest = bytes.fromhex(team.chain.digest)
        team.digests += digest
        team.chain.add(line.seq, line.data["hash"], fits=True)
        self._look_at_clock(team, str(line.said["at"]))

    def _wrong(self, team: _Team, line: _Line) -> str:
        """The first thing that is wrong with it; nothing where all is well."""
        seq, data, said, chain = line.seq, line.data, line.said, team.chain
        scope, number = str(said["scope"]), said["number"]
        digest, chain.digest = chain.digest, str(data["digest"] or "")
        before, team.numbers[scope] = team.numbers[scope], number
        if not _is_same(_line_says(data), _bytes_say(said)) or data["run_id"] != _run_of(scope):
            return "what the line says is not what was stored"
        if data["prev_hash"] != chain.hash:
            return "it does not follow the entry before it"
        if seq > team.base and chain.digest != digested(digest, seq, line.stored):
            return "its bytes are not those that its digest is of"
        if number != before + 1:
            return f"number {number} of {scope} follows {before}: an entry before it is missing"
        after = said.get("after", NO_MARK)
        if after != chain.after:  # most entries name the same place as the one before
            chain.after = str(after)
            if not chain.has(chain.after):
                return f"it was written after {after}, a place that the chain does not have"
        team.followed += seq > team.base
        signed = team.checkpoints.get(seq)
        if signed is None:
            return ""
        if (signed.hash, signed.digest) != (data["hash"], chain.digest):
            return _not_signed(team, signed)
        team.signed, team.proven = seq, team.followed
        return ""

    def _look_at_clock(self, team: _Team, at: str) -> None:
        """A moment before that of the entry before it: it was signed like that, and is worth a word."""
        if at >= team.newest:
            team.newest = at
        elif datetime.fromisoformat(team.newest) - datetime.fromisoformat(at) > _BACK:
            here = f"{team.team}, sequence {team.chain.seq}"
            self._remarks.append(f"{here}: the clock went back, from {team.newest[:16]} to {at[:16]} UTC")
            team.newest = at

    def _end(self, team: _Team) -> None:
        seq, beginning = team.chain.seq, team.beginning
        if beginning and place_at(team.checkpoints.get(beginning.seq, beginning)) != place_at(beginning):
            team.blame(beginning.seq, "two checkpoints were signed here, and they differ")
        if team.waiting:
            team.blame(seq + 1, "it is missing")
        if beyond := [at for at in team.checkpoints if at > seq]:
            signed = team.checkpoints[max(beyond)]
            when = f"{signed.at:%Y-%m-%d %H:%M} UTC"
            team.blame(seq + 1, f"it is missing, and all up to {signed.seq}: a checkpoint was signed there at {when}")


def _not_signed(team: _Team, signed: Checkpoint) -> str:
    """That an entry is another one, and where the change lies, once somebody made the digests anew."""
    begin = max((at for at in (team.signed, team.chain.base.seq) if at < signed.seq), default=0) + 1
    when = f"{signed.at:%Y-%m-%d %H:%M} UTC"
    return f"it is not what was signed here at {when}; something from {begin} on was changed"


def _read(text: str) -> Mapping[str, Any]:
    """The line's fields. Raises `ValueError` for a field that stands there twice, of which every reader takes another.

    What is written again as it stands has none twice. That is looked at first, because it takes a fifth of the time.
    """
    data: Mapping[str, Any] = from_json(text, cache_strings="keys")
    if to_json(data) != text.strip().encode():
        json.loads(text, object_pairs_hook=_once)
    return data


def _once(pairs: Sequence[tuple[str, object]]) -> Mapping[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field stands there twice")
    return fields


def _line(data: Mapping[str, Any]) -> _Line:
    """Raises `KeyError`, `TypeError` or `ValueError` for what is no entry."""
    stored, seq = data["stored"], data["seq"]
    said: Mapping[str, Any] = body_of(stored)
    if not isinstance(said["team"], str) or not isinstance(data["hash"], str):
        raise ValueError("no entry")
    if type(seq) is not int or type(said["number"]) is not int:
        raise ValueError("no place")
    if data["sealed"] is not True or type(data["id"]) is not int or _HASH.fullmatch(data["mac"]) is None:
        raise ValueError("no sealed entry")
    if _HASH.fullmatch(data["hash"]) is None:
        raise ValueError("no hash")
    return _Line(seq, data, stored.encode(), said)


def _is_same(told: object, stored: object) -> bool:
    """Whether both say the same: to Python `true` is 1, and so is 1.0. Their JSON comes first, as that is fast."""
    return told == stored and (to_json(told) == to_json(stored) or _are_of_one_kind(told, stored))


def _are_of_one_kind(told: object, stored: object) -> bool:
    """Of what is equal, whether every value within is of the same kind."""
    if type(told) is not type(stored):
        return False
    if isinstance(told, dict):
        fields, others = cast("dict[str, object]", told), cast("dict[str, object]", stored)
        return all(_are_of_one_kind(value, others[name]) for name, value in fields.items())
    each = isinstance(told, list | tuple)
    return not each or all(map(_are_of_one_kind, cast("Sequence[object]", told), cast("Sequence[object]", stored)))


def _run_of(scope: str) -> str | None:
    return None if scope.startswith("workspace:") else scope
