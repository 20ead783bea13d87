"""Google's own description of its APIs: the documents that google-api-python-client ships.

The emulator's routes, parameters, scopes and body shapes come from here, so it accepts no path and no field that the
real service does not have. The format is Google's "API Discovery Service: Discovery document reference".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

JsonObject = dict[str, Any]

DOCUMENTS = ("gmail.v1", "calendar.v3", "people.v1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a method: its place and its values."""

    name: str
    location: str
    kind: str
    format: str | None
    repeated: bool
    required: bool
    choices: tuple[str, ...]
    default: str | None
    pattern: str
    """The form of a parameter that may hold slashes."""

    @staticmethod
    def read(name: str, spec: Mapping[str, Any]) -> Parameter:
        return Parameter(
            name=name,
            location=spec["location"],
            kind=spec["type"],
            format=spec.get("format"),
            repeated=spec.get("repeated", False),
            required=spec.get("required", False),
            choices=tuple(spec.get("enum", ())),
            default=spec.get("default"),
            pattern=spec.get("pattern", "").strip("^$"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One method of an API. `path` is the whole template below the root, `request` and `response` name schemas."""

    id: str
    api: str
    verb: str
    path: str
    parameters: Mapping[str, Parameter]
    scopes: frozenset[str]
    request: str | None
    response: str | None

    def match(self, verb: str, raw_path: str) -> dict[str, str] | None:
        """The path's parameters if this method answers the request. `raw_path` is still percent-encoded."""
        found = re.fullmatch(self._pattern, raw_path) if verb == self.verb else None
        return None if found is None else {name: unquote(value) for name, value in found.groupdict().items()}

    @property
    def _pattern(self) -> str:
        pieces = re.split(r"\{(\+?\w+)\}", self.path)
        return "".join(self._piece(text) if index % 2 else re.escape(text) for index, text in enumerate(pieces))

    def _piece(self, name: str) -> str:
        """A parameter in a path; one with a plus may hold slashes (RFC 6570 §3.2.3)."""
        plain = name.removeprefix("+")
        return f"(?P<{plain}>{self.parameters[plain].pattern if name != plain else '[^/]+'})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """One document: its methods, most literal path first, and its schemas."""

    name: str
    methods: tuple[Method, ...]
    common: Mapping[str, Parameter]
    schemas: Mapping[str, JsonObject]

    def find(self, verb: str, raw_path: str) -> tuple[Method, dict[str, str]] | None:
        for method in self.methods:
            if (params := method.match(verb, raw_path)) is not None:
                return method, params
        return None


@cache
def load_api(document: str) -> Api:
    """The API of a shipped document, such as `gmail.v1`."""
    spec = read_document(document)
    methods = sorted(_methods(spec, spec), key=lambda method: method.path.count("{"))
    return Api(
        name=spec["name"],
        methods=tuple(methods),
        common={name: Parameter.read(name, value) for name, value in spec["parameters"].items()},
        schemas=spec["schemas"],
    )


def read_document(document: str) -> JsonObject:
    """A shipped document as JSON."""
    package = find_spec("googleapiclient")
    if package is None or not package.submodule_search_locations:
        raise RuntimeError("google-api-python-client is not installed")
    folder = Path(package.submodule_search_locations[0]) / "discovery_cache" / "documents"
    return json.loads((folder / f"{document}.json").read_text(encoding="utf-8"))


def _methods(spec: Mapping[str, Any], resource: Mapping[str, Any]) -> Iterator[Method]:
    for value in resource.get("methods", {}).values():
        parameters = {**spec["parameters"], **value.get("parameters", {})}
        yield Method(
            id=value["id"],
            api=spec["name"],
            verb=value["httpMethod"],
            path=f"/{spec['servicePath']}{value['path']}",
            parameters={name: Parameter.read(name, parameter) for name, parameter in parameters.items()},
            scopes=frozenset(value.get("scopes", ())),
            request=value.get("request", {}).get("$ref"),
            response=value.get("response", {}).get("$ref"),
        )
    for child in resource.get("resources", {}).values():
        yield from _methods(spec, child)
