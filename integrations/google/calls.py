"""One call of a Google API as a value, and what came back for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic.alias_generators import to_camel

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiCall:
    """A method of a Google API with its parameters, named as the discovery documents name them.

    `resource` is the dotted path ("users.settings.sendAs"). `noun` and `hint` are for people and models: what is
    missing at a 404 ("thread"), and the next step then. `upload` is a whole mail (RFC 5322) that travels beside the
    body, in the same request ("Upload attachments" of the Gmail API guide): for what is too big for JSON.
    """

    api: str
    resource: str
    method: str
    params: Mapping[str, object] = field(default_factory=dict[str, object])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    upload: bytes | None = None
    noun: str = "object"
    hint: str = ""

    def at_page(self, token: str | None) -> ApiCall:
        """The same list from the page that the token names; from the first one without a token."""
        return replace(self, params={**self.params, "pageToken": token}) if token else self


@dataclass(frozen=True, slots=True)
class Answer:
    """A 2xx answer, parsed from JSON."""

    data: object


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleRefusal:
    """An answer that is not 2xx. `message` is Google's own sentence, never the request's URL; `link` is the page of
    Google's console that it names as the cure; `retry_at` the moment from which on it may be tried again.
    """

    status: int
    reasons: tuple[str, ...] = ()
    message: str = ""
    retry_after: float | None = None
    retry_at: datetime | None = None
    link: str = ""


Outcome = Answer | GoogleRefusal


class Resource(BaseModel):
    """Base of what Google's JSON becomes: camelCase outside, snake_case inside, unknown keys ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True, hide_input_in_errors=True
    )


def _or_bare(item: object, handler: ValidatorFunctionWrapHandler) -> object:
    try:
        return handler(item)
    except ValidationError:
        name = cast("Mapping[str, object]", item).get("id") if isinstance(item, Mapping) else ""
        return handler({"id": name if isinstance(name, str) else "", "unreadable": True})


Listed = Sequence[Annotated[R, WrapValidator(_or_bare)]]
"""Items of a list. One of an unexpected shape is left with its id alone, and is marked where its type has `unreadable`:
it does not cost the others.
"""


class ListPage(Resource):
    """One page of a list; `next_page_token` is None on the last one."""

    next_page_token: str | None = None
