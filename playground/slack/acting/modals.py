"""People submit and close modals."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, cast

from playground.slack.acting.person import APP, TEAM, as_user, outcome
from playground.slack.envelopes import Ack, Delivery, Kind
from playground.slack.errors import Refused
from playground.slack.modals import SELECTED, STACK, accepted, opened, replaced, shown

if TYPE_CHECKING:
    from playground.slack.acting.person import Act
    from playground.slack.records import Json

REQUIRED = "Please complete this required field."


async def submit(act: Act) -> Json:
    """Sends a `view_submission`; the app's answer changes the stack of modals."""
    stack, view = _top(act)
    _fill(act, view)
    if missing := _missing(view):
        return {"ok": False, "error": "missing_value", "errors": missing}
    payload = _payload(act, view, "view_submission")
    payload |= {"trigger_id": act.workspace.trigger(act.user().id, view_id=view["id"]), "response_urls": []}
    name = "interactive/view_submission"
    delivery = Delivery(kind=Kind.INTERACTIVE, name=name, payload=payload, accepts_response=True)
    ack = await act.workspace.deliveries.ask(delivery)
    answer = outcome(ack)
    if ack.acked:
        answer |= _answered(act, stack, view, ack)
    act.workspace.admin.changes.publish("view", user=act.user().id)
    return answer


async def close(act: Act) -> Json:
    """Closes the top modal, or with `clear` all of them; the app gets `view_closed` for those that asked for it."""
    stack, view = _top(act)
    clear = act.call.flag("clear") or view["clear_on_close"]
    leaving = list(reversed(stack)) if clear else [view]
    del stack[0 if clear else -1 :]
    act.workspace.admin.changes.publish("view", user=act.user().id)
    acks: list[Ack] = []
    for closed in leaving:
        if closed["notify_on_close"]:
            payload = _payload(act, closed, "view_closed") | {"is_cleared": clear}
            delivery = Delivery(kind=Kind.INTERACTIVE, name="interactive/view_closed", payload=payload)
            acks.append(await act.workspace.deliveries.ask(delivery))
    return outcome(acks[-1]) if acks else {"acked": True}


def _top(act: Act) -> tuple[list[Json], Json]:
    stack = act.workspace.world.views.get(act.user().id, [])
    if not stack or stack[-1]["id"] != act.call.need("view_id"):
        raise Refused("not_found", reason="not the modal on top")
    return stack, stack[-1]


def _fill(act: Act, view: Json) -> None:
    given: Any = act.call.json("values") or {}
    for block_id, values in cast("dict[str, Json]", given).items():
        for action_id, value in values.items():
            held = view["state"]["values"].get(block_id, {}).get(action_id)
            if held is None:
                raise Refused("invalid_value", reason=f"no input {block_id}.{action_id}")
            view["state"]["values"][block_id][action_id] = {**held, **value}


def _missing(view: Json) -> dict[str, str]:
    """Required inputs without a value: Slack's client does not send such a form."""
    missing: dict[str, str] = {}
    for block in view["blocks"]:
        if block["type"] != "input" or block.get("optional"):
            continue
        value = view["state"]["values"][block["block_id"]][block["element"]["action_id"]]
        kind = block["element"]["type"]
        key = "files" if kind == "file_input" else SELECTED.get(kind, ("value", ""))[0]
        if kind != "rich_text_input" and value.get(key) in (None, "", []):
            missing[block["block_id"]] = REQUIRED
    return missing


def _payload(act: Act, view: Json, kind: str) -> Json:
    return {"type": kind, "team": TEAM, "user": as_user(act.user()), **APP, "view": copy.deepcopy(shown(view))}


def _answered(act: Act, stack: list[Json], view: Json, ack: Ack) -> Json:
    """Does what the acknowledgement says; reports a payload that Slack would refuse."""
    payload = cast("Json", ack.payload) if isinstance(ack.payload, dict) else {}
    world = act.workspace.world
    try:
        match payload.get("response_action"):
            case "errors":
                return _errors(view, payload)
            case "clear":
                stack.clear()
            case "update":
                replaced(world, view, accepted(payload.get("view")))
            case "push":
                if len(stack) >= STACK:
                    raise Refused("push_limit_reached")
                pushed = accepted(payload.get("view"))
                stack.append(opened(world, pushed, user=act.user().id, root=stack[0], previous=view))
            case _ if view in stack:  # else it was closed before the app answered
                stack.remove(view)
            case _:
                pass
    except Refused as refused:
        return {"error": refused.error, "reason": refused.reason}
    return {}


def _errors(view: Json, payload: Json) -> Json:
    errors: Json = payload.get("errors") or {}
    inputs = {block["block_id"] for block in view["blocks"] if block["type"] == "input"}
    if not errors or not errors.keys() <= inputs:
        return {"error": "invalid_errors", "reason": "errors must name input blocks of the view"}
    return {"errors": errors}
