"""What google-genai raises, in the port's own errors."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from google.auth import exceptions as auth_errors
from google.genai import errors as genai_errors

from bot.llm.failures import UnreadableAnswer, from_api, translated
from bot.llm.model import ModelError, ModelMisconfigured, ModelRejected, ModelUnavailable, QuotaExhausted


def api_error(code: int, *, message: str = "m", details: list[dict[str, Any]] | None = None) -> genai_errors.APIError:
    body = {"error": {"code": code, "message": message, "status": "S", "details": details or []}}
    return genai_errors.APIError(code, body)


@pytest.mark.parametrize(
    ("code", "reason"), [(429, "rate"), (500, "overloaded"), (502, "overloaded"), (503, "overloaded"), (504, "timeout")]
)
def test_passing_troubles(code: int, reason: str) -> None:
    """Rate limits and troubles of the server are worth another attempt."""
    failure = from_api(api_error(code))
    assert isinstance(failure, ModelUnavailable)
    assert (failure.reason, failure.retry_after) == (reason, None)


@pytest.mark.parametrize("delay", ["3.5s", "1.2.3s", ".s", "soon", "", None, {}])
def test_advice_is_read(delay: object) -> None:
    """RetryInfo says after how many seconds to try again; what is no number of them is as good as nothing said."""
    failure = from_api(api_error(429, details=[{"@type": "x"}, {"retryDelay": delay}]))
    assert isinstance(failure, ModelUnavailable)
    assert failure.retry_after == (3.5 if delay == "3.5s" else None)


@pytest.mark.parametrize(
    ("violation", "daily"),
    [({"quotaId": "GenerateRequestsPerDayPerProject"}, True), ({"quotaId": "PerMinute", "quotaValue": "0"}, False)],
)
def test_a_used_up_quota_is_not_waited_for(violation: dict[str, str], daily: bool) -> None:
    """The quota of the day, or one of nothing at all, is told at once, whatever delay is advised."""
    details: list[dict[str, Any]] = [{"violations": [violation]}, {"retryDelay": "2s"}]
    failure = from_api(api_error(429, details=details))
    assert isinstance(failure, QuotaExhausted)
    assert failure.daily is daily


@pytest.mark.parametrize(
    "error",
    [
        api_error(401),
        api_error(403),
        api_error(404),
        api_error(400, message="API key not valid. Please pass a valid API key."),
        api_error(400, details=[{"reason": "API_KEY_INVALID"}]),
    ],
)
def test_configuration_is_named(error: genai_errors.APIError) -> None:
    """A refused key, a missing permission and an unknown model are faults of the configuration."""
    assert isinstance(from_api(error), ModelMisconfigured)


def test_details_of_an_odd_shape_do_no_harm() -> None:
    """An error body that is no object is read as far as it goes."""
    assert isinstance(from_api(genai_errors.APIError(503, {"error": "down", "details": 3})), ModelUnavailable)


@pytest.mark.parametrize(
    ("raised", "expected", "reason"),
    [
        (aiohttp.ServerDisconnectedError(), ModelUnavailable, "network"),
        (ConnectionResetError(), ModelUnavailable, "network"),
        (TimeoutError(), ModelUnavailable, "timeout"),
        (auth_errors.TransportError("t"), ModelUnavailable, "network"),
        (auth_errors.DefaultCredentialsError("d"), ModelMisconfigured, None),
        (api_error(400), ModelRejected, None),
    ],
)
def test_every_error_leaves_as_ours(raised: Exception, expected: type[ModelError], reason: str | None) -> None:
    """Nothing of the transport's own errors passes the adapter."""
    with pytest.raises(expected) as caught, translated():
        raise raised
    assert getattr(caught.value, "reason", None) == reason


@pytest.mark.parametrize("raised", [ValueError("v"), TypeError("t"), AttributeError("a"), RecursionError()])
def test_what_parsing_trips_over(raised: Exception) -> None:
    """What google-genai's parsing trips over is an unreadable answer."""
    with pytest.raises(UnreadableAnswer), translated():
        raise raised
