"""agents.sessions.* and assistant.threads.*: the agent's sessions, statuses and titles."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from playground.slack.call import Call, Method
from playground.slack.errors import Refused, invalid_arguments
from playground.slack.records import Json, Session

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace

STATUSES = frozenset({"active", "processing", "suspended", "closed"})
STOP_EVENT = "agent_session_stopped"
TITLE_CHARACTERS = 200
LOADING_MESSAGES = 10
PROMPTS = 4


def set_status(workspace: Workspace, call: Call) -> Json:
    channel = workspace.world.channel(call.need("channel_id"))
    thread_ts = call.ts("thread_ts")
    if not thread_ts:
        raise invalid_arguments("thread_ts is required for thread-based sessions")
    if workspace.world.find(channel.id, thread_ts) is None:
        raise Refused("thread_not_found")
    title = _title(call) if call.text("title") else ""
    initiator = call.text("initiator_user_id")
    if initiator and initiator not in channel.members:
        raise Refused("user_not_in_channel")
    session = set_session(workspace, channel.id, thread_ts, call.need("status"), title=title, initiator=initiator)
    answer: Json = {"status": session.status, "agent_status": session.status, "title": session.title}
    if workspace.settings.events and STOP_EVENT not in workspace.settings.events:
        answer["warning"] = f"missing_{STOP_EVENT}_event_subscription"
    return answer


def rename(workspace: Workspace, call: Call) -> Json:
    channel = workspace.world.channel(call.need("channel_id"))
    session = workspace.world.sessions.get((channel.id, call.ts("thread_ts")))
    if session is None:
        raise Refused("session_not_found")
    session.title = _title(call)
    workspace.admin.changes.publish("session", session=asdict(session))
    return {"title": session.title}


def set_session(
    workspace: Workspace, channel: str, thread_ts: str, status: str, *, title: str = "", initiator: str = ""
) -> Session:
    """Creates the session or changes its status. The title counts at creation only, as the reference says."""
    if status not in STATUSES:
        raise invalid_arguments(f"status must be one of {', '.join(sorted(STATUSES))}")
    session = workspace.world.sessions.get((channel, thread_ts))
    if session is None:
        session = Session(channel_id=channel, thread_ts=thread_ts, status=status, title=title, initiator=initiator)
        workspace.world.sessions[channel, thread_ts] = session
    session.status = status
    workspace.admin.changes.publish("session", session=asdict(session))
    return session


def set_thread_status(workspace: Workspace, call: Call) -> Json:
    channel = workspace.world.channel(call.need("channel_id"))
    thread_ts = call.need("thread_ts")
    loading: Any = call.json("loading_messages") or []
    if len(loading) > LOADING_MESSAGES:
        raise invalid_arguments(f"no more than {LOADING_MESSAGES} loading_messages")
    workspace.world.statuses.pop((channel.id, thread_ts), None)
    status: Json = {
        "channel_id": channel.id,
        "thread_ts": thread_ts,
        "status": call.text("status"),
        "loading_messages": loading,
        "expires": workspace.now() + workspace.settings.status_seconds,
    }
    if status["status"]:
        workspace.world.statuses[channel.id, thread_ts] = status
    workspace.admin.changes.publish("status", status=status)
    return {}


def set_suggested_prompts(workspace: Workspace, call: Call) -> Json:
    channel = workspace.world.channel(call.need("channel_id"))
    prompts: Any = call.json("prompts")
    if not isinstance(prompts, list) or not 0 < len(cast("list[Any]", prompts)) <= PROMPTS:
        raise invalid_arguments(f"prompts must hold 1 to {PROMPTS} items")
    for prompt in cast("list[Any]", prompts):
        if not isinstance(prompt, dict) or not cast("Json", prompt).keys() >= {"title", "message"}:
            raise invalid_arguments("a prompt has a title and a message")
    shown: Json = {"thread_ts": call.text("thread_ts"), "title": call.text("title"), "prompts": prompts}
    workspace.world.prompts[channel.id] = shown
    workspace.admin.changes.publish("prompts", channel=channel.id, **shown)
    return {}


def set_title(workspace: Workspace, call: Call) -> Json:
    """The legacy name of a session's title."""
    channel = workspace.world.channel(call.need("channel_id"))
    session = workspace.world.sessions.get((channel.id, call.need("thread_ts")))
    if session:
        session.title = _title(call)
    return {}


def _title(call: Call) -> str:
    title = call.need("title")
    if len(title) > TITLE_CHARACTERS:
        raise invalid_arguments(f"title must be 1 to {TITLE_CHARACTERS} characters")
    return title


METHODS: dict[str, Method] = {
    "agents.sessions.setStatus": set_status,
    "agents.sessions.rename": rename,
    "assistant.threads.setStatus": set_thread_status,
    "assistant.threads.setSuggestedPrompts": set_suggested_prompts,
    "assistant.threads.setTitle": set_title,
}
