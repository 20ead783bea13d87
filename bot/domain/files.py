"""Files that came with a message: which are read, and why the others are not."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.states import State

MAX_FILES = 5  # of one message that are read, and that one call of the model holds
MAX_FILE_BYTES = 10_000_000  # of those together


class FileState(State):
    """Whether a file was read. The captions of the others say why they were not."""

    WAITING = ("waiting", "it was not fetched yet")
    READ = ("read", "it was read")
    TOO_MANY = ("too_many", f"I read {MAX_FILES} files of a message at most")
    TOO_LARGE = ("too_large", f"I read {MAX_FILE_BYTES // 1_000_000} MB of files at most")
    EMPTY = ("empty", "it is empty")
    UNKNOWN_TYPE = ("unknown_type", "it is no PDF, PNG, JPEG or WebP, and no text in UTF-8")
    NOT_FETCHED = ("not_fetched", "I could not get it from Slack")
    REFUSED = ("refused", "the model does not accept it")


UNREAD = frozenset(FileState) - {FileState.WAITING, FileState.READ}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFile:
    """A file of a message, without its bytes. `seq` is its place there, `slack_id` what Slack calls it.

    Of one that was read, `mime_type` is what its first bytes say, `size` how many are stored, and `run_id` the run that
    fetched it, with which it is forgotten. `is_own` says that the person put it there themselves and did not forward
    it.
    """

    id: str
    message_id: str
    seq: int
    slack_id: str
    name: str
    state: FileState = FileState.WAITING
    mime_type: str = ""
    size: int = 0
    run_id: str | None = None
    is_own: bool = False
