"""views.*: modals and the home tab."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING

from playground.slack.call import Call, Method
from playground.slack.errors import Refused, invalid_arguments
from playground.slack.modals import STACK, accepted, opened, replaced, shown
from playground.slack.records import Json, Trigger

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace


def open_view(workspace: Workspace, call: Call) -> Json:
    view = accepted(call.args.get("view"))
    _check_name(workspace, view)
    trigger = exchanged(workspace, call)
    kept = opened(workspace.world, view, user=trigger.user)
    workspace.world.views[trigger.user] = [kept]
    return _answer(workspace, trigger.user, kept)


def push(workspace: Workspace, call: Call) -> Json:
    view = accepted(call.args.get("view"))
    _check_name(workspace, view)
    trigger = exchanged(workspace, call)
    stack = workspace.world.views.get(trigger.user, [])
    if not stack:
        raise Refused("not_found")
    if len(stack) >= STACK:
        raise Refused("push_limit_reached")
    kept = opened(workspace.world, view, user=trigger.user, root=stack[0], previous=stack[-1])
    stack.append(kept)
    return _answer(workspace, trigger.user, kept)


def update(workspace: Workspace, call: Call) -> Json:
    view = accepted(call.args.get("view"))
    kept = _named(workspace, call)
    if call.text("hash") and call.text("hash") != kept["hash"]:
        raise Refused("hash_conflict")
    _check_name(workspace, view, of=kept)
    return _answer(workspace, kept["user_id"], replaced(workspace.world, kept, view))


def publish(workspace: Workspace, call: Call) -> Json:
    user = workspace.world.user(call.need("user_id"))
    view = accepted(call.args.get("view"), home=True)
    before = workspace.world.homes.get(user.id)
    if before and call.text("hash") and call.text("hash") != before["hash"]:
        raise Refused("hash_conflict")
    _check_name(workspace, view, of=before)
    kept = replaced(workspace.world, before, view) if before else opened(workspace.world, view, user=user.id)
    workspace.world.homes[user.id] = kept
    workspace.admin.changes.publish("home", user=user.id)
    return {"view": copy.deepcopy(shown(kept))}


def exchanged(workspace: Workspace, call: Call) -> Trigger:
    """Takes the trigger, which is valid for three seconds and once."""
    trigger = workspace.world.triggers.get(call.need("trigger_id"))
    if trigger is None:
        raise Refused("invalid_trigger_id")
    if trigger.used:
        raise Refused("exchanged_trigger_id")
    if workspace.now() > trigger.expires:
        raise Refused("expired_trigger_id")
    trigger.used = True
    return trigger


def _named(workspace: Workspace, call: Call) -> Json:
    if view_id := call.text("view_id"):
        return workspace.world.view(view_id)[1]
    if external_id := call.text("external_id"):
        named = (view for view in _known(workspace) if view["external_id"] == external_id)
        if (view := next(named, None)) is None:
            raise Refused("not_found")
        return view
    raise invalid_arguments("view_id or external_id is required")


def _check_name(workspace: Workspace, view: Json, *, of: Json | None = None) -> None:
    """`external_id` is unique for all views on a team (docs.slack.dev/reference/views/modal-views)."""
    name = view.get("external_id")
    if name and any(known["external_id"] == name for known in _known(workspace) if known is not of):
        raise Refused("duplicate_external_id")


def _known(workspace: Workspace) -> Iterator[Json]:
    """Every view of the team that somebody has: windows, also below others, and homes."""
    for stack in workspace.world.views.values():
        yield from stack
    yield from workspace.world.homes.values()


def _answer(workspace: Workspace, user: str, view: Json) -> Json:
    workspace.admin.changes.publish("view", user=user)
    return {"view": copy.deepcopy(shown(view))}


METHODS: dict[str, Method] = {
    "views.open": open_view,
    "views.push": push,
    "views.update": update,
    "views.publish": publish,
}
