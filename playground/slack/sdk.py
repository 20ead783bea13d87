"""The typed façade of slack_sdk's block models, whose annotations are bare dicts."""

from __future__ import annotations

import copy
from typing import Any, cast

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View

from playground.slack.records import Json


class Unaccepted(Exception):
    """The models, or a documented limit, refuse the payload; the text says why."""


def check_block(block: Json) -> None:
    """Raises `Unaccepted` when no model knows the block, or its model refuses it."""
    model = _made(lambda: cast("Any", Block).parse(copy.deepcopy(block)))
    if model is None:
        raise Unaccepted(f"unsupported type: {block.get('type')}")
    _made(model.to_dict)


def check_view(view: Json) -> None:
    """Raises `Unaccepted` when the model of a view refuses it; unknown keys are let through, as Slack does."""
    _made(lambda: cast("Any", View(**copy.deepcopy(view))).to_dict())


def _made(make: Any) -> Any:
    try:
        return make()
    except SlackObjectFormationError as error:
        raise Unaccepted(str(error)) from error
    except (TypeError, AttributeError, KeyError, ValueError) as error:
        raise Unaccepted(f"malformed: {error}") from error
