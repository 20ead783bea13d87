"""What is told of a request over HTTP, as plain text: what it waits for, and what a card in Slack shows of it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.questions import QuestionKind
from integrations.base import Field, Option, Preview

WAITS = "Waiting for you in Slack."
_CONTINUED = "\n  "
_WAITS = {
    QuestionKind.APPROVE: "Waiting for your decision in Slack: {title}",
    QuestionKind.PLAN: "Waiting for you to confirm the plan in Slack: {title}",
    QuestionKind.CONNECT: "Waiting for you in Slack: {title}",
    QuestionKind.SETTLE: "Waiting for you in Slack, because it is not known whether this happened: {title}",
    QuestionKind.ANSWER: "{preview}",
}


def waits(kind: QuestionKind, *, title: str, preview: str) -> str:
    """What a request waits for. A question in words is told whole, because the next prompt may answer it."""
    return _WAITS[kind].format(title=title, preview=preview)


def with_options(text: str, options: Sequence[Option]) -> str:
    """A question, and its answers by number."""
    return "\n".join([text, *(_indented(f"{n}. {_option(option)}") for n, option in enumerate(options, start=1))])


def _option(option: Option) -> str:
    return f"{option.label} ({option.detail})" if option.detail else option.label


def in_words(preview: Preview) -> str:
    """All that a card shows of what is to be done: fields, what changes, warnings, and what was not looked at."""
    lines = [preview.title, *(_field(field) for field in preview.fields)]
    lines += [f"Warning: {warning}" for warning in preview.warnings]
    lines += preview.unchecked
    return "\n".join(map(_indented, lines))


def _field(field: Field) -> str:
    changed = f" (before: {field.before})" if field.before else ""
    return f"{field.label}: {field.value or '–'}{changed}"


def _indented(line: str) -> str:
    """Its lines after the first are indented: else a text could bring fields, warnings and answers of its own."""
    return _CONTINUED.join(line.splitlines())
