"""The emulated API: from a path, headers and a body to an answer, or to the error that Google would send."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from playground.gemini import catalogue, errors, rules, schema
from playground.gemini.answers import Answer
from playground.gemini.catalogue import KnownModel
from playground.gemini.schema import DEVELOPER, VERTEX, Json
from playground.gemini.script import model as scripted
from playground.gemini.signatures import Signer
from playground.gemini.stream import Exchange

INVALID_KEY_PREFIX = "invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """One call of the API: transport, version, model and headers."""

    transport: str
    version: str
    model: str
    headers: Mapping[str, str]
    query: Mapping[str, str]


class Service:
    """Checks a request and lets the scripted model answer. It keeps no state."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now

    def generate(self, called: Called, body: bytes) -> Exchange:
        """The answer to generateContent; raises `ApiError`."""
        model = self.admitted(called)
        signer = Signer(called.transport, model.version)
        request = schema.normalised(_parsed(body), called.transport)
        rules.check(request, model=model, signer=signer)
        return Exchange(request=request, answer=self._answer(request), model=model, signer=signer)

    def admitted(self, called: Called) -> KnownModel:
        """The model, if the caller may use it; raises `ApiError`."""
        if called.transport == VERTEX:
            _require_token(called)
        else:
            require_key(called)
        return catalogue.find(called.model, called.version)

    def _answer(self, request: Json) -> Answer:
        return scripted.answer(request, now=self._now())


def transport_of(path: str) -> str:
    """`vertex` for paths with a project, else `developer`."""
    return VERTEX if "/projects/" in path else DEVELOPER


def require_key(called: Called) -> None:
    """Raises unless the header or the query has a key that does not begin with `invalid`."""
    key = called.headers.get("x-goog-api-key") or called.query.get("key", "")
    if not key:
        raise errors.unregistered()
    if key.startswith(INVALID_KEY_PREFIX):
        raise errors.bad_key()


def _require_token(called: Called) -> None:
    scheme, _, token = called.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token or token.startswith(INVALID_KEY_PREFIX):
        raise errors.unauthenticated()


def _parsed(body: bytes) -> object:
    try:
        text = body.decode()
        return cast("object", json.loads(text, parse_constant=_no_constant))
    except ValueError as error:
        raise errors.invalid(f"Invalid JSON payload received. {error}") from error


def _no_constant(name: str) -> object:
    raise ValueError(f"Unexpected token. {name}")
