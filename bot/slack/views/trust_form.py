"""The window in which a person confirms a trust level that they are warned of."""

from __future__ import annotations

from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block
from policies import trust
from policies.types import TrustLevel


def form(wanted: TrustLevel) -> Block:
    """What the level means, and a button that sets it."""
    level = trust.LEVELS[wanted]
    said = [f"*{wanted}*: {level.caption}", level.warning, "To go back at any time: `/agent trust supervised`."]
    return kit.modal(
        "Trust level",
        [kit.marked(text) for text in said],
        close="Cancel",
        submit=kit.plain_text(f"Set {wanted}"),
        callback_id=ids.TRUST_FORM,
        private_metadata=wanted.value,
    )


def answered(text: str) -> Block:
    """In the form's place, what came of it, as `/agent` says it."""
    return kit.modal("Trust level", [kit.marked(text)])
