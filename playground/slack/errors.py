"""The errors of Web API methods."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """The method answers `{"ok": false, "error": name}`; `detail` goes beside it, `reason` only into the log."""

    def __init__(self, error: str, *, reason: str = "", status: int = 200, **detail: Any) -> None:
        super().__init__(error)
        self.error = error
        self.reason = reason
        self.status = status
        self.detail = detail

    def body(self) -> dict[str, Any]:
        return {"ok": False, "error": self.error, **self.detail}


def invalid_blocks(reason: str) -> Refused:
    """The error as Slack reports it, with what is wrong in `response_metadata.messages`."""
    return Refused(
        "invalid_blocks", reason=reason, errors=[reason], response_metadata={"messages": [f"[ERROR] {reason}"]}
    )


def invalid_arguments(reason: str) -> Refused:
    return Refused("invalid_arguments", reason=reason, response_metadata={"messages": [f"[ERROR] {reason}"]})
