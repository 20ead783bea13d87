"""Errors in the form of google.rpc.Status, as both of Gemini's APIs answer them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    408: "DEADLINE_EXCEEDED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}

QUOTA_METRIC = "generativelanguage.googleapis.com/generate_content_paid_tier_requests"


class ApiError(Exception):
    """The request is answered with an error."""

    def __init__(self, code: int, message: str, *, status: str = "", details: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.body: dict[str, Any] = {
            "error": {"code": code, "message": message, "status": status or STATUS_NAMES.get(code, "UNKNOWN")}
        }
        if details:
            self.body["error"]["details"] = list(details)


def invalid(message: str) -> ApiError:
    """400 INVALID_ARGUMENT."""
    return ApiError(400, message)


def bad_key() -> ApiError:
    """The answer to a wrong key: 400, not 401."""
    reason = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "API_KEY_INVALID",
        "domain": "googleapis.com",
        "metadata": {"service": "generativelanguage.googleapis.com"},
    }
    return ApiError(400, "API key not valid. Please pass a valid API key.", details=[reason])


def unregistered() -> ApiError:
    """No key at all."""
    return ApiError(
        403,
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or "
        "other form of API consumer identity to call this API.",
    )


def unauthenticated() -> ApiError:
    """Vertex AI without a bearer token."""
    return ApiError(
        401,
        "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other "
        "valid authentication credential.",
    )


def unknown_model(model: str, version: str) -> ApiError:
    return ApiError(
        404,
        f"models/{model} is not found for API version {version}, or is not supported for generateContent. Call "
        "ListModels to see the list of available models and their supported methods.",
    )


def rate_limited(seconds: float) -> ApiError:
    """Too many requests in this minute, with the delay after which to try again."""
    return _exhausted("GenerateRequestsPerMinutePerProjectPerModel", f"Please retry in {seconds:g}s.", seconds)


def daily_quota() -> ApiError:
    """The quota of the day is used up. Google advises a short delay all the same."""
    return _exhausted("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "Please retry in 38.2s.", 38.2)


def _exhausted(quota_id: str, advice: str, seconds: float) -> ApiError:
    violation = {"quotaMetric": QUOTA_METRIC, "quotaId": quota_id, "quotaValue": "250"}
    details: list[dict[str, Any]] = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{seconds:g}s"},
    ]
    message = f"You exceeded your current quota, please check your plan and billing details. {advice}"
    return ApiError(429, message, details=details)


def overloaded() -> ApiError:
    return ApiError(503, "The model is overloaded. Please try again later.")
