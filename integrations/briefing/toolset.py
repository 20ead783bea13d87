"""What the model sees of the briefing: have it sent now. Code makes it; the model reads none of the mails for it."""

from __future__ import annotations

from integrations.base import Call, Result, Tool, ToolArgs, Tools
from integrations.ports import Briefings
from policies.types import EffectClass, Label


class SendArgs(ToolArgs):
    """Arguments of `briefing_send`."""


class BriefingSend(Tool[SendArgs]):
    """Sends the briefing of this moment; the same call twice is one."""

    name = "briefing_send"
    effect = EffectClass.OWN
    description = (
        "Send today's briefing now, as a message of its own. Say that it stands there, and what could "
        "not be looked at. For certain days or mails use the other tools."
    )
    timeout_seconds = 60.0
    args = SendArgs

    def __init__(self, briefings: Briefings) -> None:
        self._briefings = briefings

    def caption(self, args: SendArgs) -> str:
        """Says what is made."""
        return "Today's briefing"

    async def execute(self, args: SendArgs, call: Call) -> Result:
        """Look, and send; counts only come back, nobody's words."""
        held = await self._briefings.send(call.requester, key=call.key)
        return Result(
            data={"sent": "to their direct messages", "holds": list(held)},
            summary="sent, in a message of its own",
            label=Label.CONFIG,
        )


def briefing_tools(briefings: Briefings) -> Tools:
    """`briefing_send`."""
    return [BriefingSend(briefings)]
