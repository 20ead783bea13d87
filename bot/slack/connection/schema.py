"""Slack's JSON. What it sends us are pydantic models: wrong types and missing fields are refused before anything acts.

Of what the Web API answers, single values are read, and any of them may be missing or wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self, TypeVar, cast

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.request.payload_utils import (
    to_action,
    to_command,
    to_event,
    to_message,
    to_options,
    to_shortcut,
    to_step,
    to_view,
)

from bot.errors import BotError

Payload = Mapping[str, object]

UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What Bolt raises on a body that is no request of Slack's."""

_NEEDED = {"event_callback": "event", "block_actions": "actions", "view_submission": "view", "view_closed": "view"}
"""What a request of a kind must hold; Bolt looks into it unasked."""

_READERS = (to_options, to_shortcut, to_action, to_view, to_command, to_event, to_message, to_step)
"""What Bolt reads of every request, for whatever a listener may ask for."""

Item = TypeVar("Item")


class Malformed(BotError):
    """Slack sent something that has another shape than its documentation says."""

    def __init__(self, kind: str, error: ValidationError) -> None:
        wrong = sorted({".".join(map(str, each["loc"])) for each in error.errors(include_input=False)})
        super().__init__(f"This is no {kind}.")
        self.kind = kind
        self.fields = wrong[:10]
        """Where it is wrong; never what stands there."""


class SlackModel(BaseModel):
    """An object of Slack's. Fields that are not named here are ignored, and types are not converted."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


def items(value: object) -> object:
    """The items of a JSON list, in a tuple; null counts as an empty list. Anything else is for pydantic to refuse."""
    return () if value is None else tuple(cast("list[object]", value)) if isinstance(value, list) else value


def _objects(value: object) -> object:
    found = items(value)
    if not isinstance(found, tuple):
        return found
    return tuple(cast("Payload", item) for item in cast("tuple[object, ...]", found) if isinstance(item, dict))


Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
"""A string; null counts as an empty one."""

Flag = Annotated[bool, BeforeValidator(lambda value: False if value is None else value)]
"""A flag; null counts as false."""

Texts = Annotated[tuple[str, ...], BeforeValidator(items)]
"""A list of strings; null counts as an empty one."""

Objects = Annotated[tuple[Item, ...], BeforeValidator(_objects)]
"""A list of objects; null counts as an empty one, and items that are no objects are left out."""


def at(*path: str | int, **more: Any) -> Any:
    """A field at this path of the JSON; required unless it is given a default."""
    return Field(validation_alias=AliasPath(*cast("tuple[str]", path)), **more)


def text_at(*path: str | int) -> Any:
    """A text at this path; empty when there is none."""
    return at(*path, default="")


class SlackRequest(SlackModel):
    """Anything that Slack sends us: its workspace, and the app that it is for."""

    installed_team: Text = text_at("authorizations", 0, "team_id")
    team_id: Text = text_at("team_id")
    own_team: Text = text_at("team", "id")
    user_team: Text = text_at("user", "team_id")
    app: Text = text_at("api_app_id")

    @property
    def team(self) -> str:
        """The workspace that got it: for an event the one that we are installed in."""
        return self.installed_team or self.team_id or self.own_team or self.user_team

    @classmethod
    def parse(cls, body: Payload) -> Self:
        """The frozen value of a request's body; raises `Malformed`."""
        try:
            return cls.model_validate(body)
        except ValidationError as error:
            raise Malformed(cls.__name__, error) from None


class _Event(SlackModel):
    type: str


class _Action(SlackModel):
    action_id: str


class _View(SlackModel):
    type: str
    callback_id: Text = ""


class _Routed(SlackRequest):
    """What Bolt reads of a request to find its listener."""

    type: Text = ""
    command: Text = ""
    callback_id: Text = ""
    event: _Event | None = None
    actions: Annotated[list[_Action], Field(min_length=1)] | None = None
    view: _View | None = None

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if (needed := _NEEDED.get(self.type)) and getattr(self, needed) is None:
            raise ValueError(f"{needed} is missing")
        return self


def is_readable(body: object) -> bool:
    """Whether Bolt can read this body without raising."""
    try:
        _Routed.model_validate(body)
        given = cast("dict[str, Any]", body)
        AsyncBoltRequest(mode="socket_mode", body=given)
        for read in _READERS:
            read(given)
    except UNREADABLE:
        return False
    return True


def text_in(payload: Payload, *path: str) -> str:
    """The string at this path; empty when there is none."""
    value = _at(payload, path)
    return value if isinstance(value, str) else ""


def items_in(payload: Payload, *path: str) -> Sequence[Payload]:
    """The objects of the list at this path; what is no object is left out."""
    value = _at(payload, path)
    if not isinstance(value, list):
        return ()
    return [cast("Payload", item) for item in cast("list[object]", value) if isinstance(item, dict)]


def as_mapping(value: object) -> Payload:
    """The value itself when it is an object, else an empty one."""
    return cast("Payload", value) if isinstance(value, dict) else {}


def _at(payload: Payload, path: Sequence[str]) -> object:
    value: object = payload
    for key in path:
        value = as_mapping(value).get(key)
    return value
