"""A tool's question to its owner as a card, with a button for each answer.

A numbered list shows each option's full name. The buttons carry the beginning of the name, and an opaque id.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.questions import Choice, QuestionState
from bot.runtime.delivery.views import CardView
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.card import ask_again, decided
from bot.slack.views.plain import cut, one_line, plain
from integrations.base import Option

BUTTONS = 5  # more options than these are a menu

_TITLE = "I have a question"
_HOW = "Press one, or reply in this card's thread: with its number, or in your own words."


def tool_question(view: CardView) -> Outgoing:
    """The card as it stands now."""
    shown = _open(view) if view.state is QuestionState.OPEN else _final(view)
    return Outgoing(text=kit.fallback(_summary(view)), blocks=shown)


def _open(view: CardView) -> Sequence[Block]:
    return [
        *_asked(view),
        *_listed(view.options),
        kit.context(
            kit.small(_HOW),
            kit.moment_token("Expires", view.expires_at, view.zone),
            kit.card_code(view.question_id),
        ),
        kit.buttons(f"card:{view.question_id}", [*_choices(view), _none(view)]),
    ]


def _asked(view: CardView) -> Sequence[Block]:
    text = plain(view.preview.title).strip()
    if len(one_line(text, kit.HEADER_LIMIT + 1)) <= kit.HEADER_LIMIT and "\n" not in text:
        return [kit.header(text)]
    return [kit.header(_TITLE), *(kit.section(piece) for piece in kit.pieces(text))]


def _listed(options: Sequence[Option]) -> Sequence[Block]:
    lines: list[Element] = []
    for n, option in enumerate(options, start=1):
        detail = one_line(option.detail)
        end = kit.words("\n" if n < len(options) else "")
        more = [kit.words(f"  {detail}")] if detail else []
        lines += [kit.words(f"{n}. "), kit.words(one_line(option.label), bold=True), *more, end]
    return [kit.paragraph(*lines[:-1])] if lines else []


def _choices(view: CardView) -> Sequence[Element]:
    if len(view.options) > BUTTONS:
        return [_menu(view)]
    labels = [one_line(option.label) or str(n) for n, option in enumerate(view.options, start=1)]
    if len(set(labels)) < len(labels):  # one person with two addresses, or two of one name
        details = [one_line(option.detail.partition(" · ")[0]) for option in view.options]  # the address
        labels = [f"{label}, {detail}" for label, detail in zip(labels, details, strict=True)]
    if len({cut(label, kit.BUTTON_LIMIT) for label in labels}) < len(labels):
        labels = [f"{n}. {label}" for n, label in enumerate(labels, start=1)]
    return [
        kit.button(label, ids.option_action(n), view.value, only_for=view.place.user) for n, label in enumerate(labels)
    ]


def _menu(view: CardView) -> Element:
    """Slack hides no menu from others; who chose is checked on the server."""
    return {
        "type": "static_select",
        "action_id": ids.OPTION_MENU,
        "placeholder": kit.plain_text("Choose one"),
        "options": [
            kit.option(f"{n + 1}. {one_line(option.label)}", ids.option_value(view.value, n))
            for n, option in enumerate(view.options)
        ],
    }


def _none(view: CardView) -> Element:
    return kit.button("None of these", ids.choice_action(Choice.NONE), view.value, only_for=view.place.user)


def _final(view: CardView) -> Sequence[Block]:
    word = _word(view)
    said = decided(view, word) if view.state is QuestionState.DECIDED else [kit.words(word, bold=True)]
    return [*_asked(view), kit.paragraph(*said), *ask_again(view)]


def _word(view: CardView) -> str:
    match view.state:
        case QuestionState.DECIDED if view.decision is Choice.NONE:
            return "Answered: none of these"
        case QuestionState.DECIDED:
            return f"Answered “{one_line(view.said, 500)}”"
        case QuestionState.EXPIRED:
            return "Expired: nobody answered in time."
        case _:
            return "Withdrawn: no answer is needed any more."


def _summary(view: CardView) -> str:
    asked = one_line(view.preview.title, 300)
    return asked if view.state is QuestionState.OPEN else f"{asked} {_word(view)}"
