"""Errors that keep the playground from starting, or end it. Each message says what to do."""

from __future__ import annotations


class PlaygroundFailed(Exception):
    """The playground cannot go on."""


class ChildDied(PlaygroundFailed):
    """A process of the playground ended by itself."""

    def __init__(self, name: str, status: int, tail: tuple[str, ...]) -> None:
        self.name = name
        self.status = status
        self.tail = tail
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        said = "\n".join(f"  {line}" for line in tail) or "  (it said nothing)"
        super().__init__(f"The process {name!r} {how}. Its last lines:\n{said}")


class NotReady(PlaygroundFailed):
    """A process did not report that it listens."""

    def __init__(self, name: str, seconds: float, tail: tuple[str, ...]) -> None:
        said = "\n".join(f"  {line}" for line in tail) or "  (it said nothing)"
        super().__init__(f"The process {name!r} was not ready after {seconds:.0f} s. Its last lines:\n{said}")


class DataInUse(PlaygroundFailed):
    """Another playground runs on the same data."""

    def __init__(self, directory: object, owner: str) -> None:
        who = f" (process {owner})" if owner else ""
        super().__init__(
            f"Another playground{who} is running on {directory}. "
            "Use that one, stop it with Ctrl+C, or start this one with --data DIR."
        )


class BotAtWork(PlaygroundFailed):
    """A bot uses the database that was to be deleted."""

    def __init__(self, database: object, owner: str) -> None:
        who = f" (process {owner})" if owner else ""
        super().__init__(
            f"A bot{who} has {database} open, so it was not deleted. Stop that one, or start this one with --data DIR."
        )


class NotOurs(PlaygroundFailed):
    """The directory holds data that is not a playground's."""

    def __init__(self, directory: object, why: str) -> None:
        super().__init__(
            f"{directory} cannot be the playground's data directory: {why}. Choose another with --data DIR."
        )


class NoFolder(PlaygroundFailed):
    """A variable names a folder that is not there."""

    def __init__(self, name: str, folder: object) -> None:
        super().__init__(f"{name} names {folder}, which is no folder: make it, or leave {name} empty.")


class PortTaken(PlaygroundFailed):
    """The page cannot listen where it was told to."""

    def __init__(self, port: int, why: str) -> None:
        super().__init__(f"The page cannot listen on port {port} ({why}). Choose another with --port, or leave it out.")


class EmulatorRefused(PlaygroundFailed):
    """An emulator did not do what was asked of it."""

    def __init__(self, what: str, answer: object) -> None:
        super().__init__(f"{what} was refused: {answer}")
