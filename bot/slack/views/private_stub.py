"""The line about a private run in a channel's thread, and the first message of it in the DM, both without content."""

from __future__ import annotations

from bot.domain.runs import RunState
from bot.runtime.delivery.views import Place
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing

_SAID = {
    RunState.COMPLETED: "I answered in a direct message, because it is about private things.",
    RunState.FAILED: "I could not do this; the reason is in a direct message.",
    RunState.CANCELLED: "Stopped. What was done until then is in a direct message.",
    RunState.PAUSED: "I paused; what was done until then is in a direct message.",
}
_WORKING = "This is about private things, so I go on in a direct message."
_ASKED = "I asked you about this in a direct message."


def private_stub(place: Place) -> Outgoing | None:
    """The line in the channel's thread while something of the run stands elsewhere; None when nothing needs it.

    A run that may speak in the channel has one while it works, because its card shows private things.
    """
    if place.elsewhere:
        return _line(place, _SAID.get(place.state, _WORKING))
    return None if place.is_dm or not place.state.is_live() else _line(place, _ASKED)


def _line(place: Place, said: str) -> Outgoing:
    return Outgoing(text=said, blocks=[kit.rich(kit.line(kit.person(place.user), kit.words(f" {said}")))])


def root(place: Place, permalink: str) -> Outgoing:
    """The first message in the owner's DM: which request this is about. The address comes from Slack itself."""
    opened = [kit.words(" "), *kit.link(permalink, "Open it")] if permalink else []
    line = kit.line(kit.words("About your request in "), kit.room(place.channel), kit.words("."), *opened)
    return Outgoing(text="About your request in a channel.", blocks=[kit.rich(line)])
