"""The OpenAPI document of the agent's routes (OpenAPI 3.1), made of the models that the routes read and answer with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from http import HTTPStatus
from typing import Any

from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.api.agent.contract import ContinueRequest, ErrorAnswer, RetryRequest, RunAnswer, RunRequest, TriggerAnswer
from bot.api.agent.lines import FIRST, MEDIA_TYPE
from bot.api.agent.runs import FOLDER, LONGEST_KEY
from bot.api.agent.triggers import LONGEST, MOST_STEPS
from bot.api.agent.triggers import PATH as TRIGGER
from bot.api.refusals import HEADERS

PATH = "/api/openapi.json"

_JSON = "application/json"
_ALWAYS = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.MISDIRECTED_REQUEST,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}
_HEADERS: Mapping[HTTPStatus, Mapping[str, Any]] = {
    HTTPStatus.METHOD_NOT_ALLOWED: {
        "Allow": {"description": "The methods that there are.", "schema": {"type": "string"}}
    },
    HTTPStatus.TOO_MANY_REQUESTS: _RETRY_AFTER,
    HTTPStatus.SERVICE_UNAVAILABLE: _RETRY_AFTER,
}
_OF_BODIES = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)


def openapi_routes(*, title: str, version: str, cookies: Mapping[str, str]) -> Sequence[Route]:
    """Where the document is read."""
    made = cache(partial(document, title, version, cookies))

    async def openapi(request: Request) -> Response:
        return JSONResponse(made(), headers=HEADERS)

    return [Route(PATH, openapi, methods=["GET"])]


def document(title: str, version: str, cookies: Mapping[str, str]) -> Mapping[str, Any]:
    """The document; `cookies` are those by which somebody is signed in here, by the names of the ways."""
    models = [
        *((model, "validation") for model in (RunRequest, ContinueRequest, RetryRequest)),
        *((model, "serialization") for model in (RunAnswer, ErrorAnswer, TriggerAnswer)),
    ]
    _, schemas = models_json_schema(models, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    run = f"{FOLDER}/{{runId}}"
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version},
        "paths": {
            FOLDER: {"post": _waiting("Ask, and wait for what comes of it", "run", RunRequest)},
            f"{FOLDER}/stream": {"post": _asking("Ask, and follow what comes of it", "stream", RunRequest, _stream())},
            run: {"get": _looking("What came of a request so far", "look", {**_answer(), **_still()})},
            f"{run}/stream": {"get": _looking("Follow a request that was asked before", "join", _stream(), _AFTER)},
            f"{run}/continue": {"post": _waiting("Go on with a paused request", "continue", ContinueRequest, _RUN)},
            f"{run}/retry": {"post": _waiting("Try a failed request again", "retry", RetryRequest, _RUN)},
            TRIGGER: {"post": _trigger()},
        },
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {way: {"type": "apiKey", "in": "cookie", "name": name} for way, name in cookies.items()},
        },
        "security": [{way: []} for way in cookies],
    }


_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same key of the same person, with the same path, query and body within 24 hours, is the same "
    "request.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}
_RUN = {"name": "runId", "in": "path", "required": True, "schema": {"type": "string"}}
_AFTER = {
    "name": "after",
    "in": "query",
    "description": f"The number of the last line that you have: that of the first one, as {FIRST} says it, and so on.",
    "schema": {"type": "integer", "minimum": 0},
}


def _waiting(summary: str, name: str, body: type, *parameters: Any) -> dict[str, Any]:
    """What answers when the request rests, or never: so it is no 202."""
    return _asking(summary, name, body, {**_answer(), **_refused(HTTPStatus.GATEWAY_TIMEOUT)}, *parameters)


def _asking(summary: str, name: str, body: type, answers: Mapping[str, Any], *parameters: Any) -> dict[str, Any]:
    content = {_JSON: {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
    return {
        "summary": summary,
        "operationId": name,
        "parameters": [_KEY, *parameters],
        "requestBody": {"required": True, "content": content},
        "responses": {**answers, **_refused(*_ALWAYS, *_OF_BODIES)},
    }


def _looking(summary: str, name: str, answers: Mapping[str, Any], *parameters: Any) -> dict[str, Any]:
    return {
        "summary": summary,
        "operationId": name,
        "parameters": [_RUN, *parameters],
        "responses": {**answers, **_refused(*_ALWAYS, HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)},
    }


def _trigger() -> dict[str, Any]:
    numbers = {"timeout": (int(LONGEST.total_seconds()), "Seconds of work"), "maxSteps": (MOST_STEPS, "Steps")}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in ("project", "agent")
    ] + [
        {
            "name": name,
            "in": "query",
            "description": f"{about}, in the place of the definition's.",
            "schema": {"type": "integer", "minimum": 1, "maximum": most},
        }
        for name, (most, about) in numbers.items()
    ]
    told = {"description": "The record of its run.", **_content(TriggerAnswer)}
    return {
        "summary": "Have an agent work",
        "operationId": "trigger",
        "parameters": [_KEY, *parameters],
        "requestBody": {
            "required": True,
            "content": {_JSON: {"schema": {"oneOf": [{"type": "object"}, {"type": "string"}]}}},
        },
        "responses": {
            "200": told,
            "202": {**told, "description": "The same while it still works."},
            **_refused(*_ALWAYS, *_OF_BODIES, HTTPStatus.CONFLICT),
        },
    }


def _answer() -> dict[str, Any]:
    return {"200": {"description": "The request came to its end, or waits for people.", **_content(RunAnswer)}}


def _still() -> dict[str, Any]:
    return {"202": {"description": "It still works, so it has no status yet.", **_content(RunAnswer)}}


def _stream() -> dict[str, Any]:
    about = "One JSON object a line; the last is of type result, or of type error. Empty lines do not count."
    headers = {FIRST: {"description": "The number of the first line.", "schema": {"type": "integer"}}}
    return {"200": {"description": about, "headers": headers, "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}}


def _content(model: type) -> dict[str, Any]:
    return {"content": {_JSON: {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}}


def _refused(*statuses: HTTPStatus) -> dict[str, Any]:
    return {str(status.value): _refusal(status) for status in sorted(statuses)}


def _refusal(status: HTTPStatus) -> dict[str, Any]:
    headers = {"headers": _HEADERS[status]} if status in _HEADERS else {}
    return {"description": status.phrase, **headers, **_content(ErrorAnswer)}
