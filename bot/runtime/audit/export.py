"""What leaves the log: its entries as lines of JSON, its checkpoints, and the newest place of each chain."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime

from bot.domain.audit import EVERY_TEAM, AuditEntry, Checkpoint, CheckpointKind, mark
from bot.runtime.audit.bodies import body_of, details_of, in_text
from bot.runtime.audit.chain import is_signed
from bot.runtime.audit.formats import EVERYTHING, Filter, Personal
from bot.runtime.audit.verify import PAGE, Kept
from bot.runtime.texts.about_entries import sentence
from bot.secrets import KeyRing
from bot.store.store import Store

_line = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""As `pydantic_core.to_json` writes it, which the proof of an export reads fastest."""


async def entries(
    store: Store, *, after: int = 0, wanted: Filter = EVERYTHING
) -> AsyncIterator[tuple[AuditEntry, bool]]:
    """Every entry after this id and whether it is wanted, in id order. Each page is as it is when it is read, so a slow
    reader holds up nothing.
    """
    while True:
        async with store.read(long=True) as work:
            page = await work.audit.page(after=after, limit=PAGE)
            page = list(map(in_text, page))
            owners = await work.records.owners({entry.scope for entry in page}) if wanted.person else {}
        if not page:
            return
        for entry in page:
            yield entry, wanted.wants(entry, owners.get(entry.scope, ""))
        after = page[-1].id


async def signed_places(store: Store, keyring: KeyRing) -> Sequence[Kept]:
    """The newest signed place of each chain, to be kept out of reach of anyone who has the database."""
    async with store.read(long=True) as work:
        found = [head for head in await work.audit.heads() if head.team != EVERY_TEAM]
    return [(head.team, mark(head.seq, head.hash)) for head in found if is_signed(keyring, head)]


def as_json(entry: AuditEntry, personal: Personal = None) -> str:
    """One line of the export: the `stored` bytes, and what they say; what cannot be read of an entry is null. What is
    `personal` is in it only where it was opened.
    """
    return _line(_fields(entry, personal))


def as_json_in_words(entry: AuditEntry, personal: Personal = None) -> str:
    """The same line with what the entry says, as a sentence for people (`said`). Such an export is not verified."""
    body = body_of(entry.body)
    said = sentence(entry.code, str(body.get("actor") or ""), details_of(body))
    return _line({**_fields(entry, personal), "said": said})


def _fields(entry: AuditEntry, personal: Personal) -> Mapping[str, object]:
    body = body_of(entry.body)
    opened = {"personal": dict(personal)} if personal is not None else {}
    return {
        "id": entry.id,
        "at": body.get("at"),
        "team": entry.team,
        "code": entry.code,
        "actor": body.get("actor"),
        "run_id": None if entry.scope.startswith("workspace:") else entry.scope,
        "number": entry.number,
        "body": body.get("details"),
        "mac": entry.mac,
        "sealed": entry.seq is not None,
        "seq": entry.seq,
        "prev_hash": entry.prev_hash,
        "hash": entry.hash,
        "digest": entry.digest,
        "stored": entry.body,
        **opened,
    }


async def pruned(store: Store) -> Sequence[Checkpoint]:
    """Where logs begin that were pruned, by workspace."""
    async with store.read(long=True) as work:
        return await work.audit.pruned()


async def pruned_since(store: Store, began: Sequence[Checkpoint]) -> Sequence[Checkpoint]:
    """Where logs begin that were pruned after these were read. An export ends with that: what went while it was made
    would be missing.
    """
    return [one for one in await pruned(store) if one not in began]


async def checkpoints(store: Store) -> Sequence[Checkpoint]:
    """Every checkpoint, oldest first in each workspace."""
    async with store.read(long=True) as work:
        return await work.audit.checkpoints()


def checkpoint_as_json(checkpoint: Checkpoint) -> str:
    """One line, for the export and for wherever checkpoints are kept."""
    return json.dumps(
        {
            "checkpoint": {
                "team": checkpoint.team,
                "kind": checkpoint.kind.value,
                "seq": checkpoint.seq,
                "hash": checkpoint.hash,
                "digest": checkpoint.digest,
                "at": checkpoint.at.isoformat(timespec="microseconds"),
                "key": checkpoint.key,
                "signature": checkpoint.signature,
                **({"carried": checkpoint.carried} if checkpoint.carried else {}),
            }
        },
        default=repr,  # of bytes, which SQLite stores in any column: what reads them says that it was changed
    )


def checkpoint_of(data: Mapping[str, object]) -> Checkpoint:
    """The checkpoint in what `checkpoint_as_json` made. Raises `ValueError` for anything else."""
    match data:
        case {
            "team": str(team),
            "kind": str(kind),
            "seq": int(seq),
            "hash": str(hash_),
            "digest": str(digest),
            "at": str(at),
            "key": str(key),
            "signature": str(signature),
            **others,
        } if others.keys() <= {"carried"}:
            return Checkpoint(
                team=team,
                kind=CheckpointKind(kind),
                seq=seq,
                hash=hash_,
                digest=digest,
                at=datetime.fromisoformat(at),
                key=key,
                signature=signature,
                carried=str(others.get("carried", "")),
            )
        case _:
            raise ValueError("no checkpoint")
