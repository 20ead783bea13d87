"""A request's parameters, typed and defaulted as the discovery document says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from playground.google.discovery import Method, Parameter
from playground.google.errors import ApiError

PRESENTATION = frozenset({"alt", "prettyPrint", "quotaUser", "key", "userIp", "$.xgafv", "callback"})


def typed(method: Method, path: dict[str, str], query: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Every given parameter as its type, the others with their defaults; 400 for a wrong value."""
    given: dict[str, list[str]] = {name: [value] for name, value in path.items()}
    for name, value in query:
        if name not in method.parameters:
            message = f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter.'
            raise ApiError(400, "invalid", message, location=name)
        given.setdefault(name, []).append(value)
    params: dict[str, Any] = {}
    for name, parameter in method.parameters.items():
        values = given.get(name) or ([parameter.default] if parameter.default is not None else [])
        if values and name not in PRESENTATION:
            typed_values = [_typed(parameter, value) for value in values]
            params[name] = typed_values if parameter.repeated else typed_values[-1]
        elif not values and parameter.required:
            raise ApiError(400, "required", f"Required parameter: {name}", location=name)
    return params


def _typed(parameter: Parameter, value: str) -> Any:
    if parameter.choices and value not in parameter.choices:
        raise _invalid(parameter, value)
    match parameter.kind, parameter.format:
        case "boolean", _:
            if value.lower() not in {"true", "false"}:
                raise _invalid(parameter, value)
            return value.lower() == "true"
        case "integer", _:
            if not value.lstrip("-").isdigit():
                raise _invalid(parameter, value)
            return int(value)
        case "string", "date-time":
            return _moment(parameter, value)
        case _:
            return value


def _moment(parameter: Parameter, value: str) -> datetime:
    """RFC 3339 with a mandatory offset, as the Calendar reference asks for."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        raise ApiError(400, "badRequest", "Bad Request", location=parameter.name) from error
    if moment.tzinfo is None:
        raise ApiError(400, "badRequest", "Bad Request", location=parameter.name)
    return moment


def _invalid(parameter: Parameter, value: str) -> ApiError:
    return ApiError(400, "invalidParameter", f"Invalid value '{value}' for {parameter.name}", location=parameter.name)
