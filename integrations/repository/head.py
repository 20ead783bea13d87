"""Which branch and commit are checked out (gitrepository-layout(5): HEAD, refs, packed-refs)."""

from __future__ import annotations

import io
from dataclasses import dataclass

from dulwich.errors import PackedRefsException
from dulwich.object_format import ObjectFormat
from dulwich.objects import ObjectID, valid_hexsha
from dulwich.refs import Ref, check_ref_format, read_packed_refs_with_peeled

from integrations.repository.errors import Absent, TooLarge, Unreadable
from integrations.repository.folder import Folder

BROKEN = "What is checked out cannot be told: HEAD, or the branch that it names, is damaged."

_REF_BYTES = 4_000
_PACKED_BYTES = 16_000_000
_MOST_STEPS = 5
"""Of names that stand for other names."""
_SYMBOLIC = b"ref:"
_BRANCHES = "refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedOut:
    """A branch, None for a commit without one; a commit, None where the branch has none yet."""

    branch: str | None
    commit: ObjectID | None


def checked_out(git: Folder, form: ObjectFormat) -> CheckedOut:
    """What HEAD says. Raises `Unreadable`."""
    name, said = None, _said(git, b"HEAD") or b""
    for _ in range(_MOST_STEPS):
        if not said.startswith(_SYMBOLIC):
            return CheckedOut(branch=_shown(name) if name else None, commit=_commit(said, form))
        name = _safe(said.removeprefix(_SYMBOLIC).strip())
        said = _said(git, name) or _packed(git, name)
        if said is None:
            return CheckedOut(branch=_shown(name), commit=None)
    raise Unreadable(BROKEN)


def _said(git: Folder, name: bytes) -> bytes | None:
    """What the file of a reference says; None where it has none."""
    try:
        return git.read(name.decode(errors="surrogateescape"), _REF_BYTES).strip()
    except Absent:
        return None
    except TooLarge:
        raise Unreadable(BROKEN) from None


def _packed(git: Folder, name: bytes) -> bytes | None:
    try:
        packed = read_packed_refs_with_peeled(io.BytesIO(git.read("packed-refs", _PACKED_BYTES)))
        return next((commit for commit, ref, _ in packed if ref == name), None)
    except Absent:
        return None
    except (PackedRefsException, TooLarge, ValueError):
        raise Unreadable(BROKEN) from None


def _safe(name: bytes) -> bytes:
    """The name of a reference that leads nowhere else."""
    if not (name.startswith(b"refs/") and check_ref_format(Ref(name))):
        raise Unreadable(BROKEN)
    return name


def _commit(said: bytes, form: ObjectFormat) -> ObjectID:
    if len(said) != form.hex_length or not valid_hexsha(said):
        raise Unreadable(BROKEN)
    return ObjectID(said)


def _shown(name: bytes) -> str:
    return name.decode(errors="replace").removeprefix(_BRANCHES)
