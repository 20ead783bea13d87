"""Agents as `/agent agents` lists them, and the windows in which a person has one work."""

from __future__ import annotations

from collections.abc import Sequence

from bot.agents.catalog import AgentInfo
from bot.agents.definition import Definition, Input, InputType
from bot.agents.inputs import title_of
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element
from bot.slack.views.notices import SHOWN_ALONE
from bot.slack.views.plain import cut, escaped, one_line, paged, plain
from integrations.text import counted

DESCRIPTION_LIMIT = 250  # characters, in the list
LACKS_LIMIT = 200
TOOLS_LIMIT = 150
LABEL_LIMIT = 100
TEXT_LIMIT = 3_000
MOST_OPTIONS = 100  # options that a menu takes
TITLE_LIMIT = 24
CHOICE = "agent"  # the block of the menu

NOTHING = "There are no agents here. Your administrator adds them."
NOTHING_USABLE = "No agent can be used here. `/agent agents` says what each of them lacks."
HOW = "To give one work: `/agent run` and its name, or `/agent run` alone to choose one."
NOT_OPENED = "The window did not open in time, so nothing began. Type `/agent run` again."
HERE = f"This opens a thread in this channel, with what you fill in. {SHOWN_ALONE}"
DIRECT = "It works in a thread of its own, in our direct messages."
ASKED = "Before anything changes outside, you are asked as always."
NOT_THERE_NOW = (
    "I cannot post in that channel now, so nothing began. Try again, or copy this and type /agent run in our direct "
    "messages."
)
SEE_LIST = "`/agent agents` lists them."

_LISTS = {InputType.STRINGS, InputType.NUMBERS}
_YES_NO = {"true": "Yes", "false": "No"}


def listed(agents: Sequence[AgentInfo], *, page: int = 1) -> str:
    """The answer to `/agent agents`: one page, in mrkdwn, those that can be used first."""
    if not agents:
        return NOTHING
    ordered = sorted(agents, key=lambda one: (not one.is_available, one.definition.title.casefold()))
    return "\n".join(["*Agents:*", *paged(map(_entry, ordered), page, "/agent agents"), HOW])


def _entry(one: AgentInfo) -> str:
    definition = one.definition
    title = escaped(one_line(definition.title, LABEL_LIMIT))
    said = escaped(one_line(definition.purpose, DESCRIPTION_LIMIT))
    return f"• *{title}* (`{definition.name}`): {said}\n{escaped(_small_print(one))}"


def _small_print(one: AgentInfo) -> str:
    if not one.is_available:
        return one_line(f"Cannot be used here: it lacks {', '.join(one.lacks)}.", LACKS_LIMIT)
    tools = f"Tools: {one_line(', '.join(one.tools), TOOLS_LIMIT) or 'none'}."
    return " ".join([tools, *_limits(one.definition)])


def _limits(definition: Definition) -> Sequence[str]:
    limits = definition.limits
    if limits is None:
        return []
    steps = [counted(limits.turns, "step")] if limits.turns is not None else []
    minutes = [f"{limits.minutes:g} {'minute' if limits.minutes == 1 else 'minutes'}"] if limits.minutes else []
    return [f"At most {' and '.join([*steps, *minutes])}."] if steps or minutes else []


def refused(message: str) -> str:
    """Why an agent does not work, and the next step; the message is fit for people."""
    return f"{escaped(one_line(message, 1_000))} Nothing began. {SEE_LIST}"


# Windows ----------------------------------------------------------------------------------------------------------


def choice(agents: Sequence[AgentInfo], *, kept: str) -> Block:
    """The window in which an agent is chosen; `kept` comes back with the choice."""
    options = [_option(one.definition) for one in agents[:MOST_OPTIONS]]
    left = len(agents) - MOST_OPTIONS
    more = [kit.context(kit.small(f"{left} more: type /agent run and the name."))] if left > 0 else []
    which = kit.field(CHOICE, "Which agent?", kit.menu(options))
    return kit.window("Run an agent", [which, *more], submit="Next", callback=ids.AGENT_CHOICE, kept=kept)


def _option(definition: Definition) -> Element:
    return kit.option(definition.title, definition.name, one_line(definition.purpose, kit.OPTION_LIMIT))


def form(definition: Definition, *, kept: str, in_channel: bool) -> Block:
    """The window for an agent's inputs; `kept` comes back with what is filled in."""
    blocks = [
        kit.section(cut(plain(definition.purpose), kit.PIECE_LIMIT)),
        *(_field(name, one) for name, one in definition.inputs.items()),
        kit.context(kit.small(f"{HERE if in_channel else DIRECT} {ASKED}")),
    ]
    title = cut(definition.title, TITLE_LIMIT)
    return kit.window(title, blocks, submit="Run", callback=ids.AGENT_FORM, kept=kept)


def not_run(text: str) -> Block:
    """In the form's place, why nothing began, in mrkdwn."""
    return kit.modal("Not run", [kit.marked(cut(text, kit.PIECE_LIMIT))])


def _field(name: str, one: Input) -> Block:
    hint = " ".join([one.description.strip(), *(["One per line."] if one.type in _LISTS else [])])
    label = cut(title_of(name), LABEL_LIMIT)
    return kit.field(name, label, _element(one.type), optional=not one.required, hint=plain(hint))


def _element(kind: InputType) -> Element:
    if kind is InputType.BOOLEAN:
        return kit.menu(kit.option(label, value) for value, label in _YES_NO.items())
    several = kind is InputType.STRING or kind in _LISTS
    return {"type": "plain_text_input", "multiline": several, "max_length": TEXT_LIMIT}
