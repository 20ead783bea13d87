"""The windows of plans: what one is to be made for, what is to be different about one, and until when it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element
from bot.slack.views.notices import SHOWN_ALONE
from bot.slack.views.plain import one_line

TEXT_LIMIT = 3_000  # characters that Slack lets people write
LINE_LIMIT = 500
WHAT, DEADLINE, REPOSITORY = "what", "deadline", "repository"
WORDS = "words"

NOT_OPENED = "The window did not open in time, so nothing began. Type `/agent plan` again."
NOT_THERE_NOW = (
    "I cannot post in that channel now, so nothing began. Try again, or copy this and type /agent plan in our direct "
    "messages."
)
EMPTY = "Say what the plan is to be made for."
NO_WORDS = "Say what is to be different."
OVER = "This moment is over. Choose a later one, or none."
NO_DEADLINE = "Choose a moment that is to come."
NO_REPOSITORIES = "There are no repositories here any more. Leave this empty."
UNCONFIRMED = "Nothing is done before you confirm it."
BEGUN_HERE = f"I make a plan in a thread of this channel. {SHOWN_ALONE} {UNCONFIRMED}"
BEGUN_DIRECT = f"I make a plan in our direct messages. {UNCONFIRMED}"
HERE = f"This opens a thread in this channel, with what you write. {SHOWN_ALONE} {UNCONFIRMED}"
DIRECT = f"You see the plan in a thread of its own, in our direct messages. {UNCONFIRMED}"

_ZONE = "By the clock of your own time zone. At this moment nothing more is begun, also while a card waits for you."
_REPOSITORY = "The name of its folder, such as {names}. I read what it is about, and change nothing in it."
NAMES_SHOWN, NAME_LIMIT = 5, 60
_TEXT: Element = {"type": "plain_text_input", "multiline": True, "max_length": TEXT_LIMIT, "focus_on_load": True}


def request(*, kept: str, in_channel: bool, repositories: Sequence[str]) -> Block:
    """The window for a new plan; `kept` comes back with what is filled in. `repositories` are the names of some."""
    line: Element = {"type": "plain_text_input", "max_length": LINE_LIMIT}
    hint = _REPOSITORY.format(names=_named(repositories))
    blocks = [
        kit.field(WHAT, "What is to be reached?", _TEXT, optional=False),
        kit.field(DEADLINE, "To be done by", {"type": "datetimepicker"}, optional=True, hint=_ZONE),
        *([kit.field(REPOSITORY, "Repository", line, optional=True, hint=hint)] if repositories else []),
        kit.context(kit.small(HERE if in_channel else DIRECT)),
    ]
    return kit.window("Make a plan", blocks, submit="Make a plan", callback=ids.PLAN_FORM, kept=kept)


def no_such_repository(names: Sequence[str]) -> str:
    """What stands at its field where no folder has that name."""
    return f"There is no such repository. Write {_named(names)}, or leave this empty."


def _named(repositories: Sequence[str]) -> str:
    return " or ".join(f"“{one_line(name, NAME_LIMIT)}”" for name in repositories[:NAMES_SHOWN])


def refinement(*, kept: str) -> Block:
    """The window for what is to be different; `kept` comes back with it."""
    blocks = [
        kit.field(WORDS, "What is to be different?", _TEXT, optional=False),
        kit.context(kit.small("Nothing is done by this: I show you the new plan, with what is different.")),
    ]
    return kit.window("Refine this plan", blocks, submit="Refine", callback=ids.REFINE_FORM, kept=kept)


def deadline(suggested: datetime, *, kept: str) -> Block:
    """The window for a new deadline, with one that is suggested; `kept` comes back with it."""
    picker: Element = {"type": "datetimepicker", "initial_date_time": int(suggested.timestamp())}
    blocks = [
        kit.section("The deadline of this plan is over. Name a new one, and I go on with what is left."),
        kit.field(DEADLINE, "To be done by", picker, optional=False, hint=_ZONE),
    ]
    return kit.window("Continue the plan", blocks, submit="Continue", callback=ids.DEADLINE_FORM, kept=kept)


def not_done(text: str, words: str = "") -> Block:
    """In the window's place, why nothing came of it, in mrkdwn; what the person wrote stays there to be copied."""
    kept = [kit.rich(kit.line(kit.words("You wrote:")), kit.quote(words[:TEXT_LIMIT]))] if words else []
    return kit.modal("Not done", [kit.marked(text), *kept])
