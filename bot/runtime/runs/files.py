"""The files that came with what was said, as the model gets them: fetched and stored once, put in for each call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import structlog

from bot.domain.files import MAX_FILE_BYTES, MAX_FILES, UNREAD, FileState, MessageFile
from bot.domain.runs import Run
from bot.llm.model import Blob
from bot.runtime.core.lease import Lease
from bot.runtime.runs.file_types import recognized
from bot.runtime.texts import to_model
from bot.store.store import Store
from integrations.base import Requester
from integrations.errors import ToolError
from integrations.fences import fence
from integrations.ports import FileTooLarge, SlackFiles

log = structlog.get_logger()

Told = Mapping[str, Sequence[str | Blob]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """Reads the files that a run's contents name."""

    store: Store
    slack: SlackFiles

    async def told(self, run: Run, file_ids: Sequence[str], lease: Lease) -> Told:
        """What the model is told of each. The newest go along, as many as one call may hold."""
        if not file_ids:
            return {}
        await self._fetch(run, _newest(file_ids, await self._known(file_ids)), lease)
        async with self.store.read() as work:
            known = await work.files.known(file_ids)
            contents = await work.files.contents(_fitting(_newest(file_ids, known)))
        return {file_id: _told(known.get(file_id), contents.get(file_id)) for file_id in file_ids}

    async def _known(self, file_ids: Sequence[str]) -> Mapping[str, MessageFile]:
        async with self.store.read() as work:
            return await work.files.known(file_ids)

    async def refused(self, run: Run, told: Told, lease: Lease) -> None:
        """The model accepted a call without these files, and not with them: they count as not read from now on."""
        sent = [file_id for file_id, pieces in told.items() if any(isinstance(piece, Blob) for piece in pieces)]
        log.warning("files.refused", run=run.id, files=sent)
        async with lease.write() as tx:
            await tx.work.files.refused(sent)

    async def _fetch(self, run: Run, files: Sequence[MessageFile], lease: Lease) -> None:
        """Those that nobody fetched yet, one after the other; of one message as many bytes as it may have."""
        used: Counter[str] = Counter()
        for file in files:
            used[file.message_id] += file.size
        for file in files:
            if file.state is FileState.WAITING:
                left = MAX_FILE_BYTES - used[file.message_id]
                used[file.message_id] += await self._keep(run, file, left, lease)

    async def _keep(self, run: Run, file: MessageFile, left: int, lease: Lease) -> int:
        """Fetch one and store it, or why it was not read; its size."""
        state, blob = await self._content(run, file, left)
        kept = replace(file, state=state, run_id=run.id)
        if blob is not None:
            kept = replace(kept, mime_type=blob.mime_type, size=len(blob.data))
        async with lease.write() as tx:
            await tx.work.files.fetched(kept, blob and blob.data)
        return kept.size

    async def _content(self, run: Run, file: MessageFile, left: int) -> tuple[FileState, Blob | None]:
        who = Requester(team=run.team, user=run.user)
        try:
            data = await self.slack.content(who, file.slack_id, limit=left)
        except FileTooLarge:
            return FileState.TOO_LARGE, None
        except ToolError as error:
            log.warning("file.not_fetched", run=run.id, file=file.slack_id, error=error.code)
            return FileState.NOT_FETCHED, None
        blob = recognized(data)
        if blob is None:
            return FileState.UNKNOWN_TYPE, None
        return (FileState.READ, blob) if blob.data else (FileState.EMPTY, None)


def holds_files(told: Told) -> bool:
    """Whether bytes of a file are sent."""
    return any(isinstance(piece, Blob) for pieces in told.values() for piece in pieces)


def without_files(told: Told) -> Told:
    """The same with a word in the place of each file."""
    return {
        file_id: [piece if isinstance(piece, str) else to_model.FILE_REFUSED for piece in pieces]
        for file_id, pieces in told.items()
    }


def _newest(file_ids: Sequence[str], known: Mapping[str, MessageFile]) -> Sequence[MessageFile]:
    """The newest that are read or may be, as many as go along."""
    files = [known[file_id] for file_id in file_ids if file_id in known]
    return [file for file in files if file.state not in UNREAD][-MAX_FILES:]


def _fitting(files: Sequence[MessageFile]) -> Sequence[str]:
    """The newest of those that were read, as long as one call holds them."""
    read = [file for file in reversed(files) if file.state is FileState.READ]
    ends = accumulate(file.size for file in read)
    return [file.id for file, end in zip(read, ends, strict=True) if end <= MAX_FILE_BYTES]


def _told(file: MessageFile | None, content: bytes | None) -> Sequence[str | Blob]:
    if file is None:
        return [to_model.FILE_FORGOTTEN]
    if file.state in UNREAD:
        return [to_model.file_unread(file)]
    if content is None:
        return [to_model.file_left_out(file)]
    begin, end = fence(f"file {file.name}")
    return [begin, Blob(file.mime_type, content), end]
