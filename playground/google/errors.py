"""Errors in the two shapes that Google's APIs use.

Gmail and Calendar have `error.errors[].reason` (the older shape); Gmail and People have `error.status`, and what the
API front end itself refuses has `error.details[].reason` of type google.rpc.ErrorInfo. See "Resolve errors" of the
Gmail and Calendar guides.
"""

from __future__ import annotations

from typing import Any

from playground.google.discovery import JsonObject

_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    412: "FAILED_PRECONDITION",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}

_REASON = {
    400: "badRequest",
    401: "authError",
    403: "rateLimitExceeded",
    404: "notFound",
    409: "duplicate",
    410: "deleted",
    412: "conditionNotMet",
    429: "rateLimitExceeded",
    500: "backendError",
    503: "backendError",
}

_MESSAGE = {
    "authError": "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or "
    "other valid authentication credential.",
    "rateLimitExceeded": "Rate Limit Exceeded",
    "userRateLimitExceeded": "User Rate Limit Exceeded",
    "quotaExceeded": "Quota exceeded",
    "domainPolicy": "The domain administrators have disabled this app.",
    "backendError": "Backend Error",
    "notFound": "Not Found",
}


class ApiError(Exception):
    """What a Google API answers instead of a result. `info` is the reason of google.rpc.ErrorInfo."""

    def __init__(
        self,
        status: int,
        reason: str = "",
        message: str = "",
        *,
        location: str = "",
        info: str = "",
        metadata: dict[str, str] | None = None,
        domain: str = "global",
    ) -> None:
        self.status = status
        self.reason = reason or _REASON.get(status, "unknown")
        self.message = message or _MESSAGE.get(self.reason, "Request failed")
        self.location = location
        self.info = info
        self.metadata = metadata or {}
        self.domain = domain
        super().__init__(f"{status} {self.reason}: {self.message}")

    def body(self, api: str) -> JsonObject:
        item: JsonObject = {"message": self.message, "domain": self.domain, "reason": self.reason}
        if self.location:
            item |= {"locationType": "parameter", "location": self.location}
        error: JsonObject = {"code": self.status, "message": self.message}
        if api != "people":
            error["errors"] = [item]
        if api != "calendar" or self.info:
            failed = self.reason == "failedPrecondition"
            error["status"] = "FAILED_PRECONDITION" if failed else _STATUS.get(self.status, "UNKNOWN")
        if self.info:
            error["details"] = [self._info()]
        return {"error": error}

    def headers(self) -> dict[str, str]:
        if self.status != 401:
            return {}
        return {"www-authenticate": 'Bearer realm="https://accounts.google.com/", error="invalid_token"'}

    def _info(self) -> dict[str, Any]:
        return {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": self.info,
            "domain": "googleapis.com",
            "metadata": self.metadata,
        }


def not_found(api: str = "gmail") -> ApiError:
    return ApiError(404, "notFound", "Requested entity was not found." if api == "gmail" else "Not Found")


def invalid(message: str, *, reason: str = "invalidArgument", location: str = "") -> ApiError:
    return ApiError(400, reason, message, location=location)
