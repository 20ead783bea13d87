"""Google's refusals as errors that a model and a person understand."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from integrations.errors import Lack, ModelRetry, NotConnected, TooLate, ToolError, ToolFailed
from integrations.google.calls import ApiCall, Refusal

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


class Missing(ModelRetry):
    """404 or 410: there is no such thing, or no longer."""


class Duplicate(ToolFailed):
    """409: the id is taken."""


class Stale(ToolFailed):
    """412: the object is not the one that was looked at."""


def is_rate(refusal: Refusal) -> bool:
    """Whether Google asks to wait; such a request was certainly not carried out."""
    return refusal.status == 429 or (refusal.status == 403 and not RATE_REASONS.isdisjoint(refusal.reasons))


def is_passing(refusal: Refusal) -> bool:
    """Whether the same request may succeed a little later."""
    return (is_rate(refusal) and not _is_long(refusal)) or refusal.status >= 500 or refusal.status == 408


def _is_long(refusal: Refusal) -> bool:
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
    refusal: Refusal, call: ApiCall, *, connect_help: str, scopes: frozenset[str] = frozenset(), zone: str = "UTC"
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


def _slow_down(refusal: Refusal, zone: str) -> ToolFailed:
    if refusal.retry_at is not None:
        code, when = "rate_limited", f"Google takes no more of this before {_spoken(refusal.retry_at, zone)}."
    elif "dailyLimitExceeded" in refusal.reasons:
        code, when = "daily_limit", "It is fresh again at midnight in California; an administrator can ask for more."
    elif "quotaExceeded" in refusal.reasons:
        code, when = "quota_exceeded", "That may take hours; trying again before does not help."
    else:
        code = "rate_limited"
        when = f"Try again in {refusal.retry_after:.0f} seconds." if refusal.retry_after else "Try again in a minute."
    whose = "of a day for this application" if code == "daily_limit" else "for this account"
    return ToolFailed(code, f"Google's limit {whose} is reached. {when}", private=False)


def _spoken(moment: datetime, zone: str) -> str:
    """A moment in the person's zone, to the minute after it."""
    full = moment.replace(second=0, microsecond=0)
    there = (full if full == moment else full + timedelta(minutes=1)).astimezone(ZoneInfo(zone))
    return f"{there:%A} {there.day} {there:%B at %H:%M} ({zone})"


def _forbidden(refusal: Refusal, call: ApiCall, *, scopes: frozenset[str]) -> ToolFailed:
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
