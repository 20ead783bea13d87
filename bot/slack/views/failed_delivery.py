"""What a person is told in direct messages when something can never be delivered."""

from __future__ import annotations

from bot.domain.deliveries import DeliveryKind
from bot.runtime.delivery.views import LossView
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing

_SAID = {
    DeliveryKind.CARD: (
        "I could not post a card of your request. Nothing on it is done without you: /agent status lists what waits, "
        "/agent stop ends it."
    ),
    DeliveryKind.ANSWER: "I could not post my answer where you asked. Ask me again here.",
    DeliveryKind.HELD: (
        "I could not show what I have scheduled for you. App Home lists it with its Cancel, and /agent stop ends it."
    ),
    DeliveryKind.RESUMED: "I could not take a button away that you pressed; pressing it again does nothing.",
    DeliveryKind.STUB: "I could not post in the place where you asked; what I have to say comes here.",
    DeliveryKind.NOTICE: "I could not post a line about something that I did for you. Ask me here what it was.",
    DeliveryKind.REMINDER: "I could not remind you of a card that waits for you. /agent status lists what waits.",
    DeliveryKind.OPENING: "I could not begin a scheduled request where it belongs; what comes of it is told here.",
    DeliveryKind.ALARM: "I could not remind you of something when you had asked me to. Ask me here what it was.",
    DeliveryKind.BRIEFING: "I could not post your briefing. Ask me here for another one.",
    DeliveryKind.CONNECTED: "I could not tell you that a Google account was connected. /agent status says which one.",
    DeliveryKind.REFUSAL: "I could not answer a message of yours where you wrote it. Write to me here instead.",
}


def failed_delivery(view: LossView) -> Outgoing:
    """The line, with the id to quote."""
    said = f"{_SAID[view.kind]} ({view.reference})"
    return Outgoing(text=said, blocks=[kit.rich(kit.line(kit.words(said)))])
