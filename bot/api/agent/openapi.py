"""The OpenAPI document of the agent's routes (OpenAPI 3.1), made of the models that the routes read and answer with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cache, partial
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.api.agent.contract import ContinueRequest, ErrorAnswer, RetryRequest, RunAnswer, RunRequest, TriggerAnswer
from bot.api.agent.lines import FIRST, LINES, MEDIA_TYPE
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


_ABOUT = """The agent that people have in Slack, asked by a page or a script: same rules, same cards, same records.

A cookie says who asks. Each POST needs the header `Origin`, as a browser sends it. What needs approval waits for its
owner's click in Slack; nobody can approve here."""

_RUNS = "It is answered when the request ends, or when only people can take it further, or with 504 after 300 seconds."
_DESCRIPTIONS: Mapping[str, str] = {
    "run": f"A prompt begins a request, or is said to one that works in its thread. {_RUNS}",
    "stream": "The same, told line by line while it works. Whoever leaves cancels nothing.",
    "look": "The same answer for a request that was made before; while it works, 202 without a status.",
    "join": "The lines of a request that was made before, behind those that you have.",
    "continue": f"What the button Continue does in Slack, for a request that reached a limit. {_RUNS}",
    "retry": f"A new run of the same prompt in the same thread. The body is an empty object. {_RUNS}",
    "trigger": "The project is the id of the Slack workspace. The body is the agent's inputs; where it takes a single "
    "text, that text will do. After 300 seconds it is answered with 202, and the run goes on.",
}


def openapi_routes(
    *, title: str, version: str, cookies: Mapping[str, str], own: str, origins: Set[str]
) -> Sequence[Route]:
    """Where the document is read; `own` is our address, `origins` are all whose pages may write here."""
    made = cache(partial(document, title, version, cookies, own=own, origins=origins))

    async def openapi(request: Request) -> Response:
        return JSONResponse(made(), headers=HEADERS)

    return [Route(PATH, openapi, methods=["GET"])]


class _Untitled(GenerateJsonSchema):
    """A field has no title: it would be its name, without its capitals."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Never."""
        return False


def document(
    title: str, version: str, cookies: Mapping[str, str], *, own: str = "", origins: Set[str] = frozenset()
) -> Mapping[str, Any]:
    """The document; `cookies` are those by which somebody is signed in here, by the names of the ways."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        *((model, "validation") for model in (RunRequest, ContinueRequest, RetryRequest)),
        *((model, "serialization") for model in (RunAnswer, ErrorAnswer, TriggerAnswer, *LINES.values())),
    ]
    _, schemas = models_json_schema(models, ref_template="#/components/schemas/{model}", schema_generator=_Untitled)
    run = f"{FOLDER}/{{runId}}"
    made: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": _ABOUT},
        "servers": [{"url": own or "/"}],
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
            "schemas": {**schemas["$defs"], "StreamLine": _line()},
            "securitySchemes": {way: {"type": "apiKey", "in": "cookie", "name": name} for way, name in cookies.items()},
        },
        "security": [{way: []} for way in cookies],
    }
    for operation in (path["post"] for path in made["paths"].values() if "post" in path):
        operation["parameters"].append(_origin(origins))
    return made


def _origin(origins: Set[str]) -> Mapping[str, Any]:
    """A browser sends it by itself; a program that is made from the document is told to."""
    allowed = {"enum": sorted(origins)} if origins else {}
    return {
        "name": "Origin",
        "in": "header",
        "required": True,
        "description": "Where the page stands that asks. Browsers send it; a script sends one of these.",
        "schema": {"type": "string", **allowed},
    }


def _line() -> Mapping[str, Any]:
    refs = {kind: f"#/components/schemas/{model.__name__}" for kind, model in LINES.items()}
    return {
        "description": "One line of a stream.",
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "type", "mapping": refs},
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
        "description": _DESCRIPTIONS[name],
        "operationId": name,
        "parameters": [_KEY, *parameters],
        "requestBody": {"required": True, "content": content},
        "responses": {**answers, **_refused(*_ALWAYS, *_OF_BODIES)},
    }


def _looking(summary: str, name: str, answers: Mapping[str, Any], *parameters: Any) -> dict[str, Any]:
    return {
        "summary": summary,
        "description": _DESCRIPTIONS[name],
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
        "description": _DESCRIPTIONS["trigger"],
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
    about = (
        "One JSON object a line, each a StreamLine; the last is of type result, or of type error. Empty lines do not "
        "count."
    )
    headers = {FIRST: {"description": "The number of the first line.", "schema": {"type": "integer"}}}
    content = {MEDIA_TYPE: {"schema": {"type": "string"}, "x-itemSchema": {"$ref": "#/components/schemas/StreamLine"}}}
    return {"200": {"description": about, "headers": headers, "content": content}}


def _content(model: type) -> dict[str, Any]:
    return {"content": {_JSON: {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}}


def _refused(*statuses: HTTPStatus) -> dict[str, Any]:
    return {str(status.value): _refusal(status) for status in sorted(statuses)}


def _refusal(status: HTTPStatus) -> dict[str, Any]:
    headers = {"headers": _HEADERS[status]} if status in _HEADERS else {}
    return {"description": status.phrase, **headers, **_content(ErrorAnswer)}
