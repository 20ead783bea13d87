"""The hash chain of the log: links and heads (docs/states.md §5). It is sealed in `sealer`, and verified in `verify`.

`hash = HMAC(key, prev_hash || seq || body || mac)` over the stored bytes, one chain per workspace, in id order. With
the database but without the key nothing can be linked anew. Three things hold the entries together besides:

- each names the newest place of the chain when it was written, so that no chain without what came before fits it;
- a signed head per workspace names the newest place, so that a tail that is cut off is missed;
- a signed count of all sealed entries, so that a workspace that is gone with its head is missed. With it stands how
  many checkpoints were signed, so that those that are gone are missed.

Beside it runs a plain digest, which needs no key: `digest = SHA-256(previous digest || seq || body)`. Checkpoints sign
it for others, who hold the public key alone (`proof`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from bot.domain.audit import (
    EVERY_TEAM,
    MARK_CHARACTERS,
    NO_MARK,
    AuditEntry,
    Checkpoint,
    CheckpointKind,
    Head,
    mark,
)
from bot.secrets import KeyRing, is_signed_by

_MOST_MISSING = 1_000_000  # places in one gap of a chain


class ChainPlace(NamedTuple):
    """A sequence, its hash, and the digest there; that is empty where digests only begin."""

    seq: int
    hash: str
    digest: str = ""


START = ChainPlace(0, "")
"""Before the first entry."""


class Total(NamedTuple):
    """How many entries all chains have, and how many checkpoints were signed of them, but for those of the kind
    `pruned`; None in a database of before these were counted.
    """

    entries: int
    checkpoints: int | None

    def with_more(self, *, entries: int = 0, checkpoints: int = 0) -> Total:
        """So many more of each; what was not counted is not counted from here on either."""
        known = None if self.checkpoints is None else self.checkpoints + checkpoints
        return Total(self.entries + entries, known)


def link(entry: AuditEntry, keyring: KeyRing, *, after: ChainPlace) -> AuditEntry:
    """The entry as the next of its chain."""
    seq, body = after.seq + 1, entry.body.encode()
    key_id, hash_ = keyring.mac(linked(body, entry.mac, seq, after.hash))
    digest = digested(after.digest, seq, body)
    return entry._replace(seq=seq, prev_hash=after.hash, hash=hash_, seal_key_id=key_id, digest=digest)


def place_of(entry: AuditEntry) -> ChainPlace:
    """Where a sealed entry stands."""
    return ChainPlace(entry.seq or 0, entry.hash or "", entry.digest or "")


def head_at(keyring: KeyRing, team: str, place: ChainPlace) -> Head:
    """The signed head of a chain that ends at this place."""
    key_id, mac = keyring.mac(_headed(team, place))
    return Head(team=team, seq=place.seq, hash=place.hash, digest=place.digest, key_id=key_id, mac=mac)


def end_of(head: Head) -> ChainPlace:
    """Where the chain of this head ends."""
    return ChainPlace(head.seq, head.hash, head.digest)


def total_at(keyring: KeyRing, total: Total) -> Head:
    """The head of all chains: entries are counted in the place of a sequence, checkpoints in that of a hash."""
    checkpoints = "" if total.checkpoints is None else str(total.checkpoints)
    return head_at(keyring, EVERY_TEAM, ChainPlace(total.entries, checkpoints))


def total_of(head: Head) -> Total:
    """What the head of all chains says."""
    return Total(head.seq, int(head.hash) if head.hash.isdecimal() else None)


def is_signed(keyring: KeyRing, head: Head) -> bool:
    """Whether a key of ours signed this head."""
    return keyring.check_mac(_headed(head.team, end_of(head)), head.key_id, head.mac)


def unknown_keys(keyring: KeyRing, heads: Iterable[Head]) -> Sequence[str]:
    """The keys of these heads that we do not have: without them it cannot be said whether a head was changed."""
    return sorted({head.key_id for head in heads}.difference(keyring.ids), key=str)


def linked(body: bytes, mac: str, seq: int, prev_hash: str) -> bytes:
    """What the hash of an entry is made of."""
    return b"".join((f"link\n{prev_hash}\n{seq}\n".encode(), body, f"\n{mac}".encode()))


def digested(digest: str, seq: int, body: bytes) -> str:
    """The digest up to this entry, in hex; `digest` is the one before it, empty at the beginning."""
    return sha256(f"{digest}\n{seq}\n".encode() + body).hexdigest()


def _headed(team: str, place: ChainPlace) -> bytes:
    """A head of before there were digests says nothing of one."""
    digest = f"\n{place.digest}" if place.digest else ""
    return f"head\n{team}\n{place.seq}\n{place.hash}{digest}".encode()


# Reading ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Chain:
    """One workspace's chain as far as it was read; `marks` has the beginning of each place's hash, as a number. It
    begins after the place `base`, from which on it has not been pruned.
    """

    seq: int = 0
    hash: str = ""
    digest: str = ""
    base: ChainPlace = START
    sealed: int = 0
    after: str = NO_MARK
    marks: array[int] = field(default_factory=lambda: array("Q"))

    @classmethod
    def begun_after(cls, base: ChainPlace) -> Chain:
        """One that was pruned up to here."""
        return cls(base.seq, base.hash, base.digest, base)

    def add(self, seq: int, hash_: str, *, fits: bool) -> None:
        """The next place; what does not fit leaves a gap, as far as one is thinkable."""
        if not fits:
            self.marks.extend([0] * max(0, min(seq - 1 - self.base.seq - len(self.marks), _MOST_MISSING)))
        self.marks.append(int(hash_[:MARK_CHARACTERS], 16) if fits else 0)
        self.seq, self.hash, self.sealed = seq, hash_, self.sealed + 1

    def has(self, noted: str) -> bool:
        """Whether this place, as somebody noted it, is in the chain; what was pruned cannot be looked at any more."""
        seq, _, hash_ = noted.partition(":")
        if noted == NO_MARK:
            return True
        if not (seq.isdecimal() and 0 < int(seq) <= self.base.seq + len(self.marks)):
            return False
        if int(seq) <= self.base.seq:
            return int(seq) < self.base.seq or noted == mark(self.base.seq, self.base.hash)
        return hash_ == f"{self.marks[int(seq) - self.base.seq - 1]:0{MARK_CHARACTERS}x}"


# Checkpoints -------------------------------------------------------------------------------------------------------


def checkpoint_at(
    keyring: KeyRing, team: str, place: ChainPlace, kind: CheckpointKind, at: datetime, carried: str = ""
) -> Checkpoint:
    """A signed checkpoint of this place."""
    key, signature = keyring.sign(_stated(team, kind, place, at, carried))
    return Checkpoint(
        team=team,
        kind=kind,
        seq=place.seq,
        hash=place.hash,
        digest=place.digest,
        at=at,
        key=key,
        signature=signature,
        carried=carried,
    )


def is_true(checkpoint: Checkpoint) -> bool:
    """Whether the holder of its key signed what it says. Whose key that is, is another question."""
    said = _stated(checkpoint.team, checkpoint.kind, place_at(checkpoint), checkpoint.at, checkpoint.carried)
    is_whole = checkpoint.kind is CheckpointKind.PRUNED or not checkpoint.carried
    return is_whole and is_signed_by(checkpoint.key, said, checkpoint.signature)


def place_at(checkpoint: Checkpoint) -> ChainPlace:
    """The place that it is of."""
    return ChainPlace(checkpoint.seq, checkpoint.hash, checkpoint.digest)


def _stated(team: str, kind: CheckpointKind, place: ChainPlace, at: datetime, carried: str) -> bytes:
    when = at.isoformat(timespec="microseconds")
    over = f"\n{carried}" if kind is CheckpointKind.PRUNED else ""
    return f"checkpoint\n{kind}\n{team}\n{place.seq}\n{place.hash}\n{place.digest}\n{when}{over}".encode()
