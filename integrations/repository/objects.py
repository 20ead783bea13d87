"""The objects of a repository, loose and packed: each is bounded before it is unpacked, and is what its id says.

dulwich parses them; the files are opened here, so that it never follows a path that a repository names.
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import BinaryIO, Self, TypeVar, cast

from dulwich.object_format import ObjectFormat
from dulwich.objects import ObjectID, ShaFile
from dulwich.pack import DELTA_TYPES, OldUnpackedObject, Pack, PackData, PackIndex, load_pack_index_file, take_msb_bytes

from integrations.repository.errors import Absent, TooLarge, Unreadable
from integrations.repository.folder import Folder

MOST_BYTES = 16_000_000
"""Of one object, unpacked."""
MOST_PACKS = 200
MOST_PACKED_BYTES = 1_000_000_000
"""Of the packs and their indexes that one look opens."""

DAMAGED = "its object is damaged"
TOO_LARGE = f"it is larger than {MOST_BYTES:,} bytes"
NOT_HERE = "it is not in this copy of the repository"
ELSEWHERE = (
    "it lies in another repository (objects/info/alternates), which is not followed; clone it without --shared and "
    "--reference"
)
PACKS_TOO_LARGE = (
    f"the packs of the repository have more than {MOST_PACKED_BYTES:,} bytes; a copy made with `git clone --depth 1` "
    "has fewer"
)

_Object = TypeVar("_Object", bound=ShaFile)
_Wanted = TypeVar("_Wanted")
_HEADER_BYTES = 64


class GitObjects:
    """Objects by their ids. Open until the block ends."""

    def __init__(self, git: Folder, form: ObjectFormat) -> None:
        self._git = git
        self._form = form
        self._files = ExitStack()
        self._packs: list[Pack] | None = None
        self._bytes_left = MOST_PACKED_BYTES

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def read(self, sha: ObjectID, kind: type[_Object], what: str, wanted: Callable[[_Object], _Wanted]) -> _Wanted:
        """What is wanted of the object, which is `what` to people. Raises `Unreadable`."""
        try:
            return wanted(self._checked(sha, kind))
        except Unreadable as error:
            why = str(error).rstrip(".")
        except Exception:  # whatever a damaged or hostile file does to the library
            why = DAMAGED
        raise Unreadable(f"{what} cannot be read: {why}.")  # out here: the library's error would keep the pack mapped

    def _checked(self, sha: ObjectID, kind: type[_Object]) -> _Object:
        found = self._found(sha)
        if found is None:
            raise Unreadable(ELSEWHERE if self._borrows() else NOT_HERE)
        if not isinstance(found, kind) or found.get_id(self._form) != sha:
            raise Unreadable(DAMAGED)
        return found

    def _borrows(self) -> bool:
        """Whether it names other repositories for objects that it lacks."""
        try:
            self._git.file("objects/info/alternates").close()
        except Absent:
            return False
        return True

    def _found(self, sha: ObjectID) -> ShaFile | None:
        loose = self._loose(sha)
        return self._packed(sha) if loose is None else loose

    def _loose(self, sha: ObjectID) -> ShaFile | None:
        name = sha.decode()
        try:
            data = self._git.read(f"objects/{name[:2]}/{name[2:]}", MOST_BYTES)
        except Absent:
            return None
        _refuse_large(_loose_size(data))
        return ShaFile.from_file(io.BytesIO(data), object_format=self._form, max_size=MOST_BYTES + _HEADER_BYTES)

    def _packed(self, sha: ObjectID) -> ShaFile | None:
        if self._packs is None:
            self._packs = [self._pack(name) for name in self._pack_names()]
        for pack in self._packs:
            try:
                pack.index.object_offset(sha)
            except KeyError:
                continue
            kind, data = pack.get_raw(sha)
            return ShaFile.from_raw_string(kind, data, object_format=self._form)
        return None

    def _pack_names(self) -> Sequence[str]:
        with ExitStack() as stack:
            try:
                folder = stack.enter_context(stack.enter_context(self._git.folder("objects")).folder("pack"))
            except Absent:
                return []
            names = {name.removesuffix(".pack") for name in folder.names() if name.endswith(".pack")}
            indexed = [name.removesuffix(".idx") for name in folder.names() if name.endswith(".idx")]
        packs = [name for name in indexed if name in names]
        if len(packs) > MOST_PACKS:
            raise TooLarge(PACKS_TOO_LARGE)
        return packs

    def _pack(self, name: str) -> Pack:
        def index() -> PackIndex:
            return load_pack_index_file(name, self._file(f"{name}.idx"), self._form)

        def data() -> PackData:
            return BoundedPackData(self._file(f"{name}.pack"), self._form)

        pack = Pack.from_lazy_objects(data, index)
        self._files.callback(pack.close)
        return pack

    def _file(self, name: str) -> BinaryIO:
        file = self._files.enter_context(self._git.file(f"objects/pack/{name}"))
        self._bytes_left -= os.fstat(file.fileno()).st_size
        if self._bytes_left < 0:
            raise TooLarge(PACKS_TOO_LARGE)
        return file


class BoundedPackData(PackData):
    """A pack of which no object is unpacked that says to be too large. The file is its owner's to close."""

    def __init__(self, file: BinaryIO, form: ObjectFormat) -> None:
        self._descriptor = file.fileno()
        super().__init__("pack", form, file=file)

    def get_object_at(self, offset: int) -> tuple[int, OldUnpackedObject]:
        """As its base; raises `TooLarge`."""
        head, _ = take_msb_bytes(_reader(os.pread(self._descriptor, _HEADER_BYTES, offset)))
        _refuse_large((head[0] & 0x0F) | _number(head[1:]) << 4)
        kind, found = super().get_object_at(offset)
        if kind in DELTA_TYPES:
            _refuse_large(_result_size(found))
        return kind, found


def _loose_size(data: bytes) -> int:
    """What a loose object says of its size ("blob 5242880", then NUL)."""
    head, _, _ = zlib.decompressobj().decompress(data, _HEADER_BYTES).partition(b"\0")
    return int(head.split(b" ")[1])


def _result_size(delta: OldUnpackedObject) -> int:
    """What a delta says of what it makes: its second number (gitformat-pack(5), "Deltified representation")."""
    _, chunks = cast("tuple[object, list[bytes]]", delta)
    read = _reader(b"".join(chunks)[:_HEADER_BYTES])
    take_msb_bytes(read)
    return _number(take_msb_bytes(read)[0])


def _number(digits: Sequence[int]) -> int:
    """Of seven bits each, the lowest first."""
    return sum((digit & 0x7F) << 7 * place for place, digit in enumerate(digits))


def _reader(data: bytes) -> Callable[[int], bytes]:
    return io.BytesIO(data).read


def _refuse_large(size: int) -> None:
    if size > MOST_BYTES:
        raise TooLarge(TOO_LARGE)
