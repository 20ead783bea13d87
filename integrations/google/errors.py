"""Google's refusals: read from its answers, and as errors that a model and a person understand.

They are read by status and reason; by text only what stands nowhere else (pages, moments).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol, cast
from zoneinfo import ZoneInfo

from integrations.errors import (
    Busy,
    Duplicate,
    Lack,
    Missing,
    ModelRetry,
    NotConnected,
    Stale,
    TooLate,
    ToolError,
    ToolFailed,
)
from integrations.google.calls import Answer, ApiCall, GoogleRefusal, Outcome

RATE_REASONS = frozenset(
    {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded", "RATE_LIMIT_EXCEEDED"}
)
LONG_REASONS = frozenset({"quotaExceeded", "dailyLimitExceeded"})
"""Limits that a pause of seconds does not lift."""

SCOPE_REASONS = frozenset({"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientScopes"})
DISABLED_REASONS = frozenset({"accessNotConfigured", "SERVICE_DISABLED"})
CONSOLES = {
    "gmail": "gmail.googleapis.com",
    "calendar": "calendar-json.googleapis.com",
    "people": "people.googleapis.com",
}
MESSAGE_LENGTH = 200
BUSY_SECONDS = 60.0
"""After a limit of requests: Google counts them by the minute."""

_RETRY_AT = re.compile(r"Retry after (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)")
_CONSOLE = re.compile(r"https://console\.(?:developers|cloud)\.google\.com/[\w./?=&%-]{1,300}")


def is_rate(outcome: Outcome) -> bool:
    """Whether Google asks to wait; such a request was certainly not carried out."""
    if isinstance(outcome, Answer):
        return False
    return outcome.status == 429 or (outcome.status == 403 and not RATE_REASONS.isdisjoint(outcome.reasons))


def is_passing(outcome: Outcome) -> bool:
    """Whether it failed, and the same request may succeed a little later."""
    if isinstance(outcome, Answer):
        return False
    return (is_rate(outcome) and not _is_long(outcome)) or outcome.status >= 500 or outcome.status == 408


def _is_long(refusal: GoogleRefusal) -> bool:
    return refusal.retry_at is not None or not LONG_REASONS.isdisjoint(refusal.reasons)


def unreachable() -> ToolFailed:
    """No connection, or no answer to a read."""
    return ToolFailed(
        "google_unreachable",
        "Google could not be reached. Nothing was changed.",
        hint="Try again later.",
        private=False,
    )


def too_late() -> TooLate:
    """The call's deadline passed before this was sent."""
    return TooLate("too_late", "There was no time left to do this.")


def garbled() -> ToolFailed:
    """A 2xx answer to a read that is not what the documentation promises."""
    return ToolFailed("google_garbled", "Google's answer could not be understood. Nothing was changed.", private=False)


def refused(
    refusal: GoogleRefusal, call: ApiCall, *, connect_help: str, scopes: frozenset[str] = frozenset(), zone: str = "UTC"
) -> ToolError:
    """The error for a refusal (Gmail and Calendar API guides, "Resolve errors").

    `scopes` are what the call needs; `zone` is the person's.
    """
    if is_rate(refusal):
        return _slow_down(refusal, zone)
    if refusal.status == 401:
        return NotConnected(Lack.CREDENTIALS, connect_help, missing=scopes)
    if refusal.status == 403:
        return _forbidden(refusal, call, scopes=scopes)
    if refusal.status in (404, 410):
        message = f"There is no such {call.noun}, or it is gone."
        return Missing(f"{call.noun.replace(' ', '_')}_not_found", message, hint=call.hint)
    if refusal.status == 409:
        return Duplicate("already_exists", f"A {call.noun} with this id exists already.")
    if refusal.status == 412:
        return Stale("changed_meanwhile", f"The {call.noun} was changed by somebody else meanwhile.")
    if refusal.status >= 500:
        return ToolFailed(
            "google_unavailable",
            "Google has a problem at the moment. Nothing was changed; try again in a few minutes.",
            private=False,
        )
    detail = f" Google says: {refusal.message}" if refusal.message else ""
    return ModelRetry("invalid_argument", f"Google did not accept the request.{detail}", hint=call.hint)


def _slow_down(refusal: GoogleRefusal, zone: str) -> ToolFailed:
    if refusal.retry_at is not None:
        code, when = "rate_limited", f"Google takes no more of this before {_spoken(refusal.retry_at, zone)}."
    elif "dailyLimitExceeded" in refusal.reasons:
        code, when = "daily_limit", "It is fresh again at midnight in California; an administrator can ask for more."
    elif "quotaExceeded" in refusal.reasons:
        code, when = "quota_exceeded", "That may take hours; trying again before does not help."
    else:
        seconds = refusal.retry_after or BUSY_SECONDS
        when = f"Try again in {seconds:.0f} seconds." if refusal.retry_after else "Try again in a minute."
        return Busy("rate_limited", f"Google's limit for this account is reached. {when}", seconds=seconds)
    whose = "of a day for this application" if code == "daily_limit" else "for this account"
    return ToolFailed(code, f"Google's limit {whose} is reached. {when}", private=False)


def _spoken(moment: datetime, zone: str) -> str:
    """A moment in the person's zone, to the minute after it."""
    full = moment.replace(second=0, microsecond=0)
    there = (full if full == moment else full + timedelta(minutes=1)).astimezone(ZoneInfo(zone))
    return f"{there:%A} {there.day} {there:%B at %H:%M} ({zone})"


def _forbidden(refusal: GoogleRefusal, call: ApiCall, *, scopes: frozenset[str]) -> ToolFailed:
    reasons = set(refusal.reasons)
    if not SCOPE_REASONS.isdisjoint(reasons):
        message = "The connected Google account does not allow this, so nothing was changed."
        return NotConnected(Lack.SCOPE, message, missing=scopes, refused=True)
    if not DISABLED_REASONS.isdisjoint(reasons):
        link = refusal.link or f"https://console.cloud.google.com/apis/library/{CONSOLES.get(call.api, '')}"
        message = f"The {call.api.title()} API is not enabled in the Google project. An administrator can do it: {link}"
        return ToolFailed("api_disabled", message, private=False)
    if "forbiddenForNonOrganizer" in reasons:
        return ToolFailed("not_organizer", "Only the organizer of this event can change it. Ask the organizer instead.")
    if "domainPolicy" in reasons:
        return ToolFailed(
            "blocked_by_admin", "The Google Workspace administrator has blocked this application.", private=False
        )
    return ToolFailed("forbidden", f"This Google account is not allowed to do that with this {call.noun}.")


class _HttpError(Protocol):
    """googleapiclient's HttpError. Its `str` holds the whole URL with the search text, so nobody may use it."""

    resp: Mapping[str, str]
    content: bytes
    status_code: int


def read_refusal(error: Exception) -> GoogleRefusal:
    """What an HttpError says, from both shapes of reasons: `errors[].reason` and `details[].reason`."""
    refused = cast("_HttpError", cast("object", error))
    body = _error_of(refused.content)
    return GoogleRefusal(
        status=int(refused.status_code),
        reasons=tuple(_reasons(body)),
        message=str(body.get("message", ""))[:MESSAGE_LENGTH],
        retry_after=_seconds(refused.resp.get("retry-after")),
        retry_at=_moment(body),
        link=_console_link(refused.content),
    )


def _console_link(content: bytes) -> str:
    """The page of Google's console that an answer names, wherever in it: message, help links or metadata."""
    found = _CONSOLE.search(content.decode(errors="replace"))
    return found[0].rstrip(".") if found else ""


def _moment(error: Mapping[str, object]) -> datetime | None:
    """Gmail says in its sentence until when an account may not send: "Retry after 2026-11-23T10:00:00.000Z"."""
    found = _RETRY_AT.search(str(error.get("message", "")))
    try:
        return datetime.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def _error_of(content: bytes) -> Mapping[str, object]:
    try:
        document = cast("object", json.loads(content))
    except ValueError:
        return {}
    if isinstance(document, list) and document:
        document = cast("list[object]", document)[0]
    error = cast("Mapping[str, object]", document).get("error") if isinstance(document, Mapping) else None
    return cast("Mapping[str, object]", error) if isinstance(error, Mapping) else {}


def _reasons(error: Mapping[str, object]) -> Iterator[str]:
    for key in ("errors", "details"):
        entries = error.get(key)
        for entry in cast("Sequence[object]", entries) if isinstance(entries, list) else ():
            reason = cast("Mapping[str, object]", entry).get("reason") if isinstance(entry, Mapping) else None
            if isinstance(reason, str):
                yield reason
    status = error.get("status")
    if isinstance(status, str):
        yield status


def _seconds(header: str | None) -> float | None:
    """Retry-After in its form of seconds; a date is treated as absent."""
    return float(header) if header and header.strip().isdigit() else None
