"""The window in which a person says what to do with a message that they chose (“Ask the agent about this”)."""

from __future__ import annotations

from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element
from bot.slack.views.plain import cut, one_line, plain

REQUEST = "request"  # the block where the person writes
REQUEST_LIMIT = 3_000  # characters that Slack lets them write
METADATA_LIMIT = 3_000  # characters of a view's private_metadata
SHOWN_LIMIT = 600  # characters of the message that the window shows

NOTHING_TO_READ = (
    "This message has no text and no file that I could take along. Write to me in a direct message what you need."
)
TOO_LONG = (
    "This message is too long to take along from here. Forward it to me in a direct message, and write what I should "
    "do with it: then I read the first 8,000 characters."
)
EMPTY = "Tell me in a sentence what I should do with the message."
NO_DIRECT = "I could not open our direct messages. Press Ask again; if that does not help, write to me there first."
NOT_OPENED = (
    "The window did not open in time, so nothing was asked. Choose “Ask the agent about this” again in the message’s "
    "menu."
)

_TITLE = "Ask about a message"


def form(*, author: str, channel: str, text: str, kept: str) -> Block:
    """The window; `kept` comes back with what is filled in. `channel` is where the message stands."""
    shown = cut(plain(text).strip(), SHOWN_LIMIT)
    by = kit.line(kit.words(one_line(author, 120), bold=True), kit.words(" in "), kit.conversation(channel))
    blocks = [
        _request(),
        kit.rich(by, *([kit.quote(shown)] if shown else [])),
        kit.context(kit.small("All of the message goes along. My answer comes in our direct messages.")),
    ]
    return kit.window(_TITLE, blocks, submit="Ask", callback=ids.ASK_FORM, kept=kept)


def refused(text: str) -> Block:
    """In the window's place, why nothing can be asked here."""
    return kit.modal(_TITLE, [kit.section(text)])


def _request() -> Block:
    text: Element = {
        "type": "plain_text_input",
        "multiline": True,
        "max_length": REQUEST_LIMIT,
        "focus_on_load": True,
        "placeholder": kit.plain_text("For example: summarise it, or remind me of it tomorrow at 9"),
    }
    return kit.field(REQUEST, "What should I do with it?", text, action=REQUEST)
