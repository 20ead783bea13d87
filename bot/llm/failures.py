"""Reads what google-genai and its transport raise, and says it in the port's own errors.

Statuses and details are those of ai.google.dev/gemini-api/docs/troubleshooting and google.rpc's error details.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import aiohttp
from google.auth import exceptions as auth_errors
from google.genai import errors as genai_errors

from bot.llm.model import ModelError, ModelMisconfigured, ModelRejected, ModelUnavailable, QuotaExhausted

NETWORK_ERRORS = (aiohttp.ClientError, ConnectionError, TimeoutError, OSError)
"""What the transport raises. google-genai lets aiohttp's errors through as they are."""

_DELAY = re.compile(r"([0-9]+(?:\.[0-9]+)?)s", re.ASCII)
_CUSTOMER_SIDE = ("API_KEY_INVALID", "API_KEY_EXPIRED", "API key", "FAILED_PRECONDITION")


class UnreadableAnswer(ValueError):
    """The answer is not what the API documents."""


@contextmanager
def translated() -> Generator[None]:
    """Around one read from google-genai: what it raises leaves as a `ModelError` or an `UnreadableAnswer`.

    google-genai does not wrap what its parsing trips over: that arrives as one of four builtin errors.
    """
    try:
        yield
    except genai_errors.APIError as error:
        raise from_api(error) from error
    except auth_errors.GoogleAuthError as error:
        raise from_auth(error) from error
    except NETWORK_ERRORS as error:
        raise from_network(error) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableAnswer(type(error).__name__) from error


def from_network(error: Exception) -> ModelUnavailable:
    """The connection could not be made, or broke."""
    reason = "timeout" if isinstance(error, TimeoutError) else "network"
    return ModelUnavailable(reason, detail=type(error).__name__)


def from_auth(error: auth_errors.GoogleAuthError) -> ModelError:
    """Vertex AI's credentials could not be had."""
    if getattr(error, "retryable", False) or isinstance(error, auth_errors.TransportError):
        return ModelUnavailable("network", detail=type(error).__name__)
    return ModelMisconfigured(f"no working Google Cloud credentials ({type(error).__name__})")


def from_api(error: genai_errors.APIError) -> ModelError:
    """The API answered with an error, as a response or as an event inside the stream."""
    code = int(error.code or 0)
    message = f"{code} {error.status or ''}: {error.message or ''}".strip()
    if code == 429:
        return _from_rate_limit(error, message)
    if code in {408, 504}:
        return ModelUnavailable("timeout", detail=message)
    if code >= 500 or code == 0:
        return ModelUnavailable("overloaded", retry_after=_retry_after(error), detail=message)
    if code in {401, 403, 404} or (code == 400 and _is_customer_side(error)):
        return ModelMisconfigured(message, knows_model=code != 404)
    return ModelRejected(message)


def _from_rate_limit(error: genai_errors.APIError, message: str) -> ModelError:
    violations = [violation for detail in _details(error) for violation in _objects(detail.get("violations"))]
    quotas = [str(violation.get("quotaId", "")) for violation in violations]
    if any("PerDay" in quota for quota in quotas):
        return QuotaExhausted(daily=True, detail=message)
    if any(str(violation.get("quotaValue", "")) == "0" for violation in violations):
        return QuotaExhausted(daily=False, detail=message)
    return ModelUnavailable("rate", retry_after=_retry_after(error), detail=message)


def _retry_after(error: genai_errors.APIError) -> float | None:
    for detail in _details(error):
        match = _DELAY.fullmatch(str(detail.get("retryDelay", "")))
        if match:
            return float(match[1])
    return None


def _is_customer_side(error: genai_errors.APIError) -> bool:
    reasons = [str(detail.get("reason", "")) for detail in _details(error)]
    told = " ".join([str(error.status or ""), str(error.message or ""), *reasons])
    return any(sign in told for sign in _CUSTOMER_SIDE)


def _details(error: genai_errors.APIError) -> Iterator[Mapping[str, object]]:
    body = cast("object", error.details)  # google-genai leaves it untyped
    if isinstance(body, Mapping):
        body = cast("Mapping[str, object]", body)
        inner = body.get("error", body)
        if isinstance(inner, Mapping):
            yield from _objects(cast("Mapping[str, object]", inner).get("details"))


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, list):
        yield from (
            cast("Mapping[str, object]", item) for item in cast("list[object]", value) if isinstance(item, Mapping)
        )
