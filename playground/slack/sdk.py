"""The typed façade of slack_sdk's block models, whose annotations are bare dicts."""

from __future__ import annotations

import copy
import json
from functools import lru_cache
from typing import Any, cast

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View

from playground.slack.records import Json


class Unaccepted(Exception):
    """The models, or a documented limit, refuse the payload; the text says why."""


def check_block(block: Json) -> None:
    """Raises `Unaccepted` when no model knows the block, or its model refuses it."""
    if (refusal := _refusal(json.dumps(block))) is not None:
        raise Unaccepted(refusal)


@lru_cache(maxsize=1024)
def _refusal(written: str) -> str | None:
    """Why the block is refused, if it is. A message is written again and again with the same blocks."""
    block: Json = json.loads(written)
    kind = block.get("type")
    try:
        model = _made(lambda: cast("Any", Block).parse(block))
        if model is None:
            return f"unsupported type: {kind}"
        _made(model.to_dict)
    except Unaccepted as error:
        return str(error)
    return None


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
