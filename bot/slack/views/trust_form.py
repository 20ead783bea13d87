"""The trust level on App Home, and the window in which a person confirms one that they are warned of."""

from __future__ import annotations

from collections.abc import Sequence

from bot.runtime.delivery.lists import HomeView
from bot.runtime.texts import about_guards
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block
from policies import trust
from policies.provenance import GuardMode
from policies.types import TrustLevel


def on_home(view: HomeView) -> Sequence[Block]:
    """What a person's level means, up to which one may be chosen, and what becomes of what guards say."""
    off = "" if view.side_effects_enabled else "An administrator switched side effects off: nothing is sent or changed."
    said = [trust.LEVELS[view.level].meaning(view.guard), trust.limit(view.cap), off]
    return [
        kit.header(f"Trust level: {view.level}"),
        kit.section(" ".join(filter(None, said))),
        kit.context(kit.small(f"To change it, type /agent trust followed by {trust.choices(cap=view.cap)}.")),
        kit.context(kit.small(f"Guard: {view.guard}. {about_guards.CAPTIONS[view.guard]}")),
    ]


def form(wanted: TrustLevel, guard: GuardMode) -> Block:
    """What the level means while the guard is set so, and a button that sets it."""
    level, back = trust.LEVELS[wanted], "To go back at any time: `/agent trust supervised`."
    said = [f"*{wanted}*: {level.meaning(guard)}", level.warns(guard), back]
    blocks = [kit.marked(text) for text in said]
    return kit.window("Trust level", blocks, submit=f"Set {wanted}", callback=ids.TRUST_FORM, kept=wanted.value)


def answered(text: str) -> Block:
    """In the form's place, what came of it, as `/agent` says it."""
    return kit.modal("Trust level", [kit.marked(text)])
