"""What can go wrong between us and Slack."""

from __future__ import annotations

from bot.errors import BotError, Misconfigured


class SlackError(BotError):
    """Slack did not do what was asked of it."""


class SlackRefused(SlackError):
    """Slack answered `ok: false`; `code` is its error."""

    def __init__(self, method: str, code: str) -> None:
        super().__init__(f"Slack refused {method}: {code}")
        self.method = method
        self.code = code

    @property
    def may_heal(self) -> bool:
        """Whether the same call can work later."""
        return self.code in _PASSING

    @property
    def locks_out(self) -> bool:
        """Whether Slack takes nothing from us at all, until an administrator mends it: this call is not to blame."""
        return self.code in _LOCKED_OUT

    @property
    def is_gone(self) -> bool:
        """Whether the message that was to be changed cannot be changed any more, so that another one is needed."""
        return self.code in _GONE


class SlackBusy(SlackError):
    """Slack answered 429: nothing was done; it may be tried again after `seconds`."""

    def __init__(self, method: str, seconds: float) -> None:
        super().__init__(f"Slack is rate limiting {method}.")
        self.seconds = seconds


class SlackUnclear(SlackError):
    """The connection broke, timed out or ended in a 5xx: Slack may have done it."""

    def __init__(self, method: str) -> None:
        super().__init__(f"It is not known whether Slack did {method}.")


def away(error: SlackError) -> str:
    """Why Slack could not be asked, and what to look at; for operators."""
    if not isinstance(error, SlackUnclear):
        return str(error)
    cause = error.__cause__
    why = f" ({str(cause)[:200] or type(cause).__name__})" if cause else ""
    return f"Slack could not be reached{why}. Check the network, a proxy, and SLACK_API_URL."


class WrongToken(SlackError, Misconfigured):
    """Slack does not accept a token."""

    def __init__(self, variable: str, code: str) -> None:
        super().__init__(f"Slack does not accept {variable} ({code}). Copy it again from your app's settings.")


class OtherApp(SlackError, Misconfigured):
    """The two tokens are of two apps: what people send to one of them would be answered by the other."""

    def __init__(self, app: str, bots: str) -> None:
        super().__init__(
            f"SLACK_APP_TOKEN is of the app {app} and SLACK_BOT_TOKEN of the app {bots}. "
            "Copy both from the settings of one app."
        )


_PASSING = frozenset(
    {
        "fatal_error",
        "internal_error",
        "ratelimited",
        "rate_limited",
        "request_timeout",
        "service_unavailable",
        "streaming_state_conflict",
        "team_added_to_org",
    }
)
_LOCKED_OUT = frozenset({"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"})
_GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed", "thread_not_found"})
