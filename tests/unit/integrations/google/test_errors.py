"""Google's refusals by status and reason."""

from __future__ import annotations

import json

import pytest

from integrations.errors import Busy, Duplicate, Missing, ModelRetry, NotConnected, Stale, ToolFailed
from integrations.google.calls import ApiCall, GoogleRefusal
from integrations.google.errors import is_passing, is_rate, read_refusal, refused

CALL = ApiCall(api="gmail", resource="users.threads", method="get", noun="thread", hint="gmail_search")


class Response(dict[str, str]):
    status = 0
    reason = "whatever"


class Refused(Exception):
    """What googleapiclient raises, as far as it is read; its text holds what must not get out."""

    def __init__(self, status: int, content: bytes, **headers: str) -> None:
        super().__init__("https://gmail.googleapis.com/?q=secret")
        self.resp = Response(headers)
        self.content = content
        self.status_code = status


def old_style(reason: str) -> bytes:
    return json.dumps({"error": {"code": 0, "message": "said", "errors": [{"reason": reason}]}}).encode()


def new_style(reason: str) -> bytes:
    detail = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}
    return json.dumps({"error": {"message": "said", "status": "X", "details": [detail]}}).encode()


CASES = [
    (400, "invalidArgument", ModelRetry, "invalid_argument"),
    (400, "timeRangeEmpty", ModelRetry, "invalid_argument"),
    (401, "authError", NotConnected, "needs_reconnect"),
    (403, "insufficientPermissions", NotConnected, "missing_scope"),
    (403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", NotConnected, "missing_scope"),
    (403, "accessNotConfigured", ToolFailed, "api_disabled"),
    (403, "SERVICE_DISABLED", ToolFailed, "api_disabled"),
    (403, "rateLimitExceeded", Busy, "rate_limited"),
    (403, "userRateLimitExceeded", Busy, "rate_limited"),
    (403, "dailyLimitExceeded", ToolFailed, "daily_limit"),
    (403, "quotaExceeded", ToolFailed, "quota_exceeded"),
    (403, "forbiddenForNonOrganizer", ToolFailed, "not_organizer"),
    (403, "domainPolicy", ToolFailed, "blocked_by_admin"),
    (403, "forbidden", ToolFailed, "forbidden"),
    (404, "notFound", Missing, "thread_not_found"),
    (409, "duplicate", Duplicate, "already_exists"),
    (410, "deleted", Missing, "thread_not_found"),
    (412, "conditionNotMet", Stale, "changed_meanwhile"),
    (429, "rateLimitExceeded", Busy, "rate_limited"),
    (500, "backendError", ToolFailed, "google_unavailable"),
]


@pytest.mark.parametrize("shape", [old_style, new_style])
@pytest.mark.parametrize(("status", "reason", "kind", "code"), CASES)
def test_each_reason_has_its_own_error(
    status: int, reason: str, kind: type[Exception], code: str, shape: type[object]
) -> None:
    """Both of Google's error shapes become the error that says what to do, and never the request's URL."""
    body = old_style(reason) if shape is old_style else new_style(reason)
    error = refused(read_refusal(Refused(status, body)), CALL, connect_help="Ask Mara.")
    assert (type(error), error.code) == (kind, code)
    assert "secret" not in error.message


def test_an_error_page_that_is_no_json_is_read_by_its_status() -> None:
    """A proxy's HTML error is mapped by its status alone."""
    refusal = read_refusal(Refused(502, b"<html>Bad gateway</html>"))
    assert refusal == GoogleRefusal(status=502)
    assert is_passing(refusal)


@pytest.mark.parametrize(
    ("answered", "told"),
    [
        (Refused(429, old_style("rateLimitExceeded"), **{"retry-after": "7"}), "7 seconds"),
        (Refused(403, new_style("SERVICE_DISABLED")), "apis/library/gmail.googleapis.com"),
    ],
)
def test_what_helps_is_told(answered: Refused, told: str) -> None:
    """The seconds that Google asks to wait, or the address where an administrator enables the API."""
    assert told in refused(read_refusal(answered), CALL, connect_help="").message


def test_a_disabled_api_is_told_with_googles_own_link() -> None:
    """The page that Google's error names, with the project in it; no other address of an answer is handed on."""
    page = "https://console.developers.google.com/apis/api/gmail.googleapis.com/overview?project=1234"
    text = f"Gmail API has not been used in project 1234 before. Enable it by visiting {page} then retry."
    body = json.dumps({"error": {"code": 403, "message": text, "errors": [{"reason": "accessNotConfigured"}]}})
    error = refused(read_refusal(Refused(403, body.encode())), CALL, connect_help="")
    assert error.message.endswith(f"An administrator can do it: {page}")
    elsewhere = body.replace("console.developers.google.com", "evil.example")
    error = refused(read_refusal(Refused(403, elsewhere.encode())), CALL, connect_help="")
    assert error.message.endswith("https://console.cloud.google.com/apis/library/gmail.googleapis.com")


def test_a_limit_with_a_moment_says_when_it_is_over() -> None:
    """Gmail names it in its sentence alone: it is said in the person's zone, and nobody waits seconds for it."""
    said = "User-rate limit exceeded.  Retry after 2026-11-23T10:00:01.000Z (Mail sending)"
    body = json.dumps({"error": {"message": said, "errors": [{"reason": "rateLimitExceeded"}]}}).encode()
    refusal = read_refusal(Refused(429, body))
    error = refused(refusal, CALL, connect_help="", zone="Europe/Stockholm")
    assert error.code == "rate_limited"
    assert error.message == (
        "Google's limit for this account is reached. "
        "Google takes no more of this before Monday 23 November at 11:01 (Europe/Stockholm)."
    )
    assert (is_rate(refusal), is_passing(refusal)) == (True, False)


@pytest.mark.parametrize(
    ("reason", "said"), [("dailyLimitExceeded", "at midnight in California"), ("quotaExceeded", "may take hours")]
)
def test_a_limit_of_a_day_is_not_waited_for(reason: str, said: str) -> None:
    """Limits for the whole application or of usage are told as what they are, and not as a matter of a minute."""
    refusal = read_refusal(Refused(403, old_style(reason)))
    message = refused(refusal, CALL, connect_help="").message
    assert said in message
    assert "minute" not in message
    assert (is_rate(refusal), is_passing(refusal)) == (True, False)
