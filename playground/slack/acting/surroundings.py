"""Other acts: open the agent's home, stop it, rename a session, look at another channel, leave."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from playground import people
from playground.slack.errors import Refused, invalid_arguments
from playground.slack.methods.users import described
from playground.slack.modals import shown
from playground.slack.records import StreamState

if TYPE_CHECKING:
    from playground.slack.acting.person import Act
    from playground.slack.records import Json

TABS = frozenset({"home", "messages"})
FLAGS = frozenset({"deleted", "is_admin", "is_restricted", "is_ultra_restricted", "is_stranger"})


async def dm(act: Act) -> Json:
    return {"channel": act.workspace.world.dm(act.call.need("user")).id}


async def open_home(act: Act) -> Json:
    """Opens the app's tab in Slack; the event of the home tab has the published view, too."""
    user, tab = act.user(), act.call.text("tab", "home")
    if tab not in TABS:
        raise invalid_arguments(f"tab must be one of {', '.join(sorted(TABS))}")
    channel = act.workspace.world.dm(user.id)
    home = act.workspace.world.homes.get(user.id)
    event: Json = {
        "type": "app_home_opened",
        "user": user.id,
        "channel": channel.id,
        "tab": tab,
        "event_ts": act.workspace.world.ts(),
    }
    if home and tab == "home":
        event["view"] = shown(home)
    act.workspace.tell(event)
    return {"channel": channel.id, "home": shown(home) if home else None}


async def stop_session(act: Act) -> Json:
    """Presses Stop: Slack ends the streams, and the app must do the rest; the status does not change by itself."""
    channel, thread_ts = act.channel(), act.call.need("thread_ts")
    session = act.workspace.world.sessions.get((channel.id, thread_ts))
    if (session is None or session.status != "processing") and not act.call.flag("force"):
        raise Refused("not_processing", reason="the Stop button is shown while the session is processing")
    stopped = [
        stream.ts
        for stream in act.workspace.world.streams.values()
        if stream.state is StreamState.STREAMING
        and stream.channel == channel.id
        and act.workspace.world.message(channel.id, stream.ts).get("thread_ts", stream.ts) == thread_ts
    ]
    for ts in stopped:
        act.workspace.end_stream(channel.id, ts, StreamState.STOPPED_BY_USER)
    event: Json = {
        "type": "agent_session_stopped",
        "channel": channel.id,
        "thread_ts": thread_ts,
        "user": act.user().id,
        "streaming_message_ts": stopped,
        "event_ts": act.workspace.world.ts(),
    }
    act.workspace.tell(event, channel)
    return {"streaming_message_ts": stopped}


async def rename_session(act: Act) -> Json:
    channel, thread_ts = act.channel(), act.call.need("thread_ts")
    session = act.workspace.world.sessions.get((channel.id, thread_ts))
    if session is None:
        raise Refused("session_not_found")
    previous, session.title = session.title, act.call.need("title")
    act.workspace.admin.changes.publish("session", session=asdict(session))
    event: Json = {
        "type": "agent_session_title_changed",
        "channel": channel.id,
        "thread_ts": thread_ts,
        "user": act.user().id,
        "team_id": people.TEAM_ID,
        "title": session.title,
        "previous_title": previous,
        "event_ts": act.workspace.world.ts(),
    }
    act.workspace.tell(event, channel)
    return {}


async def look(act: Act) -> Json:
    """Looks at another channel while the agent is visible; the event names the person in `authorizations` only."""
    user = act.user()
    viewed = act.call.text("channel")
    entity = {"type": "slack#/types/channel_id", "value": viewed, "team_id": people.TEAM_ID}
    context: Json = {"entities": [entity]} if viewed else {}
    act.workspace.tell({"type": "app_context_changed", "context": context}, user=user.id)
    return {}


async def change_user(act: Act) -> Json:
    """Deactivates a person, or makes them a guest, as an administrator."""
    user = act.user()
    for name in FLAGS & act.call.args.keys():
        setattr(user, name, act.call.flag(name))
    if act.call.text("team_id"):
        user.team_id = act.call.text("team_id")
    act.workspace.admin.changes.publish("user", user=user.id)
    now = described(user, act.workspace.admin.clock.now())
    act.workspace.tell({"type": "user_change", "user": now, "event_ts": act.workspace.world.ts()})
    return {"user": now}


async def uninstall(act: Act) -> Json:
    """Removes the app: its token does not work any more."""
    tokens = {"oauth": [], "bot": [people.BOT_USER_ID]}
    act.workspace.revoked = True
    act.workspace.tell({"type": "tokens_revoked", "tokens": tokens, "event_ts": act.workspace.world.ts()})
    act.workspace.tell({"type": "app_uninstalled", "event_ts": act.workspace.world.ts()})
    return {}
