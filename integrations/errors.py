"""Errors of the integrations. A tool raises `ModelRetry` or `ToolFailed`, and nothing else on purpose."""

from __future__ import annotations

from enum import StrEnum

NOTHING_TO_CHANGE = "nothing_to_change"
"""The code where what was asked for is so already: nothing has to be done, and nothing went wrong."""


class IntegrationError(Exception):
    """An integration could not do its work."""


class ToolError(IntegrationError):
    """A tool's refusal in the form that the model reads: `{code, retryable, message, try}`.

    `message` says what happened in words a person understands; `hint` becomes `try`, the next step. `private` says that
    the message may tell what only the owner may see, which is the rule; False is for what the caller's own arguments
    or our own words say alone.
    """

    retryable = False
    private = True

    def __init__(self, code: str, message: str, *, hint: str = "", private: bool | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        if private is not None:
            self.private = private

    def as_error(self) -> dict[str, object]:
        """The JSON that goes back to the model."""
        error: dict[str, object] = {"code": self.code, "retryable": self.retryable, "message": self.message}
        return error | ({"try": self.hint} if self.hint else {})


class ModelRetry(ToolError):
    """Other arguments could work."""

    retryable = True


class ToolFailed(ToolError):
    """It failed, and other arguments would not help. Certainly nothing was done."""


class Missing(ModelRetry):
    """404 or 410: there is no such thing, or no longer."""


class Duplicate(ToolFailed):
    """409: the id is taken."""


class Stale(ToolFailed):
    """412: the object is not the one that was looked at."""


class TooLate(ToolFailed):
    """Its deadline passed before this was sent, so this was certainly not done. What the same attempt sent before
    stands: the runtime looks what that is, and makes another attempt.
    """

    private = False


class Busy(ToolFailed):
    """The provider asks to wait, so this was certainly not done: the runtime makes another attempt after `seconds`.

    `left` says what lies there meanwhile.
    """

    private = False

    def __init__(self, code: str, message: str, *, seconds: float) -> None:
        super().__init__(code, message)
        self.seconds = seconds
        self.left = ""


class Lack(StrEnum):
    """Why an account cannot be used."""

    ACCOUNT = "not_connected"  # none was ever connected
    SCOPE = "missing_scope"  # there is one, which was not allowed this
    CREDENTIALS = "needs_reconnect"  # there is one, which the provider refuses


class NotConnected(ToolFailed):
    """No working account is connected: none at all, refused credentials (401), or a missing scope.

    `why` is the code too; `provider` names whose account it is, `missing` the scopes that connecting must add;
    `refused` says that the provider said so, whatever is known here of what was granted.
    """

    private = False

    def __init__(
        self,
        why: Lack,
        message: str,
        *,
        provider: str = "google",
        missing: frozenset[str] = frozenset(),
        refused: bool = False,
    ) -> None:
        super().__init__(why.value, message)
        self.why = why
        self.provider = provider
        self.missing = missing
        self.refused = refused


class GrantGone(IntegrationError):
    """The provider does not know this grant any more: somebody must connect again."""


class ClientRefused(IntegrationError):
    """The provider does not accept this installation itself: an administrator has to mend its configuration."""


class Ambiguous(IntegrationError):
    """The connection broke after the request may have been accepted: the outside may have changed.

    Never raised for reads. The runtime reconciles, or asks the owner; it never retries blindly.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"It is not known whether {what} happened.")


class BasisChanged(IntegrationError):
    """The object changed since the preview (HTTP 412): what was approved is not what would happen now."""

    def __init__(self, *, what: str) -> None:
        super().__init__(f"{what} changed meanwhile.")
        self.what = what
