"""Google's API front end: from an HTTP request to a method's handler and back.

It finds the method in the discovery documents, knows the person by the token, enforces scopes, types the parameters,
refuses bodies that the schema does not allow, applies `fields`, and checks its own answers against the document too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from playground.faults import Fault, Faults
from playground.google.call import Call, Handler
from playground.google.discovery import DOCUMENTS, Api, JsonObject, Method, load_api
from playground.google.errors import ApiError
from playground.google.incoming import Incoming
from playground.google.masks import masked, read_mask
from playground.google.parameters import typed
from playground.google.schema import known, problems
from playground.google.uploads import uploaded

if TYPE_CHECKING:
    from playground.google.grants import Access, Grants
    from playground.google.world import World
    from playground.people import Person

ERROR = "error"
EXPIRED_TOKEN = "expired_token"
SLOW_BODY = "slow_body"

FAULT_KINDS = frozenset({ERROR, EXPIRED_TOKEN, SLOW_BODY})
"""`error` answers `status` with the reason `error` in Google's shape, inside batches too; `expired_token` answers 401
as for a token that ran out; `slow_body` lets the answer trickle for `seconds`. The path that a fault matches is
followed by the method's id, so `gmail.users.drafts.send` is a pattern as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer. `seconds` is how long the body takes."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    seconds: float = 0.0
    note: str = ""


class Defect(Exception):
    """The emulator answered something that the discovery document does not allow."""


class FrontDoor:
    """All APIs behind one root. `handlers` are keyed by method id."""

    def __init__(self, *, handlers: Mapping[str, Handler], faults: Faults) -> None:
        self._apis: dict[str, Api] = {api.name: api for api in map(load_api, DOCUMENTS)}
        self._handlers = handlers
        self._faults = faults
        self.disabled: set[str] = set()

    def answer(self, incoming: Incoming, world: World) -> Answer:
        """The answer; it never raises, since an error is an answer too."""
        incoming = uploaded(_overridden(incoming))
        root = incoming.path.lstrip("/").partition("/")[0]
        api = self._apis.get("people" if root == "v1" else root)
        found = api.find(incoming.verb, incoming.path) if api else None
        if api is None or found is None:
            return Answer(status=404, body=b"Not Found", headers={"content-type": "text/html; charset=UTF-8"})
        method, path_params = found
        fault = self._faults.take(f"{incoming.path} {method.id}", kinds=FAULT_KINDS, method=incoming.verb)
        try:
            person, answer = self._answer(api, method, path_params, incoming, world, fault)
        except ApiError as error:
            return _json(error.status, error.body(api.name), error.headers(), note=f"{method.id}: {error.reason}")
        seconds = fault.seconds if fault and fault.kind == SLOW_BODY else 0.0
        note = f"{method.id} · {person}"
        if answer is None:
            return Answer(status=204, note=note)
        headers = {"etag": answer["etag"]} if "etag" in answer else {}
        return _json(200, answer, headers, seconds=seconds, note=note)

    def _answer(
        self,
        api: Api,
        method: Method,
        path_params: dict[str, str],
        incoming: Incoming,
        world: World,
        fault: Fault | None,
    ) -> tuple[str, JsonObject | None]:
        access = _granted(incoming, world.sign_in.grants)
        self._refuse(method, access, world, fault)
        person = _person(access)
        world.quota.spend(method, person, world.clock.seconds())
        params = typed(method, path_params, incoming.query)
        mask = read_mask(params.get("fields", ""), api.schemas, method.response)
        call = Call(
            method=method,
            person=person,
            scopes=access.scopes,
            params=params,
            body=_body(api, method, incoming),
            if_match=incoming.headers.get("if-match"),
        )
        result = self._handlers[method.id](call)
        _check(api, method, result)
        return person.handle, None if result is None else masked(result, mask)

    def _refuse(self, method: Method, access: Access, world: World, fault: Fault | None) -> None:
        if fault and fault.kind == EXPIRED_TOKEN:
            raise ApiError(401, "authError", info="ACCESS_TOKEN_EXPIRED")
        if method.api in self.disabled:
            raise _not_enabled(method.api)
        if method.api in world.sign_in.switches.domain_policy:
            raise ApiError(403, "domainPolicy")
        if not access.scopes & method.scopes:
            raise ApiError(
                403,
                "insufficientPermissions",
                "Request had insufficient authentication scopes.",
                info="ACCESS_TOKEN_SCOPE_INSUFFICIENT",
                metadata={"service": f"{method.api}.googleapis.com", "method": method.id},
            )
        if fault and fault.kind == ERROR:
            raise ApiError(fault.status, fault.error)
        if method.id not in self._handlers:
            raise ApiError(501, "notImplemented", f"The playground does not emulate {method.id}.")


def _person(access: Access) -> Person:
    """The person who owns the data; a service account in its own name has neither a mailbox nor a calendar."""
    if access.person is None:
        raise ApiError(400, "failedPrecondition", "Precondition check failed.")
    return access.person


def _granted(incoming: Incoming, grants: Grants) -> Access:
    scheme, _, token = incoming.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise ApiError(401, "required", "Login Required.", location="Authorization", info="CREDENTIALS_MISSING")
    return grants.by_access_token(token.strip())


def _overridden(incoming: Incoming) -> Incoming:
    """A long GET arrives as a POST whose form body is its query (x-http-method-override)."""
    verb = incoming.headers.get("x-http-method-override")
    if incoming.verb != "POST" or not verb:
        return incoming
    query, body = incoming.query, incoming.body
    if "application/x-www-form-urlencoded" in incoming.headers.get("content-type", ""):
        query, body = (*query, *parse_qsl(body.decode(), keep_blank_values=True)), b""
    return Incoming(verb=verb.upper(), path=incoming.path, query=query, headers=incoming.headers, body=body)


def _body(api: Api, method: Method, incoming: Incoming) -> JsonObject:
    """The request's JSON object. Gmail refuses unknown fields, Calendar ignores them; both refuse wrong types."""
    if not method.request or not incoming.body:
        return {}
    try:
        body: Any = json.loads(incoming.body)
    except ValueError as error:
        raise ApiError(400, "parseError", "Parse Error") from error
    if method.api == "calendar" and isinstance(body, dict):
        body = known(api.schemas, method.request, cast("JsonObject", body))
    if wrong := list(problems(api.schemas, method.request, body)):
        raise ApiError(400, "invalid", f"Invalid JSON payload received. {wrong[0]}")
    return body


def _check(api: Api, method: Method, result: JsonObject | None) -> None:
    if (result is None) != (method.response is None):
        raise Defect(f"{method.id} answered {'nothing' if result is None else 'something'}")
    if result is not None and method.response and (wrong := list(problems(api.schemas, method.response, result))):
        raise Defect(f"{method.id} answered against its schema: {wrong[:3]}")


def _not_enabled(api: str) -> ApiError:
    service = "calendar-json.googleapis.com" if api == "calendar" else f"{api}.googleapis.com"
    return ApiError(
        403,
        "accessNotConfigured",
        f"{service} has not been used in project 100000000000 before or it is disabled. Enable it by visiting "
        f"https://console.developers.google.com/apis/api/{service}/overview?project=100000000000 then retry.",
        info="SERVICE_DISABLED",
        metadata={"service": service, "consumer": "projects/100000000000"},
        domain="usageLimits",
    )


def _json(status: int, body: JsonObject, headers: Mapping[str, str], *, seconds: float = 0.0, note: str = "") -> Answer:
    text = json.dumps(body, ensure_ascii=False).encode(errors="replace")
    kind = {"content-type": "application/json; charset=UTF-8"}
    return Answer(status=status, body=text, headers={**kind, **headers}, seconds=seconds, note=note)
