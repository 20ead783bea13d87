"""A tool's own question to the owner, and what the answer makes of its action.

What each option leads to is worked out when it is asked and stands in the question's payload, so an answer means what
was shown, whatever becomes of the tool meanwhile (docs/states.md §3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.questions import (
    AnswerOption,
    AnswerPayload,
    Choice,
    Question,
    QuestionChanges,
    QuestionKind,
    QuestionState,
)
from bot.domain.replies import named
from bot.runtime.actions.results import record_result
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.privacy import post_stub
from bot.runtime.lifecycle.questions import ask_question, close_question, new_question
from bot.runtime.texts import to_model
from bot.tools.arguments import stored
from integrations.base import AnyTool, Option, Preview, Result, ToolQuestion
from policies.types import Label

MAX_OPTIONS = 25
TEXT_LIMIT = 2_000  # characters of a question
LABEL_LIMIT = 300
WORDS_KEPT = 2_000  # characters of an answer in words


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What somebody answered: an option by its place, or words of their own; neither is “none of these”."""

    by: str
    option: int | None = None
    words: str = ""

    @property
    def choice(self) -> Choice:
        """What the question's decision says."""
        return Choice.NONE if self.option is None and not self.words else Choice.ANSWER


async def ask(
    tx: Transaction, action: Action, tool: AnyTool, inquiry: ToolQuestion, judged: Mapping[str, Any]
) -> Question:
    """planned → awaiting_confirmation, with the question."""
    if inquiry.private:
        await post_stub(tx, await tx.work.runs.find(action.run_id))
    preview = Preview(title=inquiry.text[:TEXT_LIMIT], fields=[], private=inquiry.private)
    asked = await move_action(
        tx,
        action,
        ActionState.AWAITING,
        code=AuditCode.ACTION_ASKED,
        about={"question": QuestionKind.ANSWER.value},
        preview=asdict(preview),
        basis={},
        **judged,
    )
    question = new_question(asked, _payload(action, tool, inquiry), action.args_hash, tx, life=tool.question_life)
    await ask_question(tx, question)
    return question


def _payload(action: Action, tool: AnyTool, inquiry: ToolQuestion) -> AnswerPayload:
    args = stored(tool, action.args)
    options = [
        AnswerOption(
            value=option.value,
            label=option.label[:LABEL_LIMIT],
            detail=option.detail[:LABEL_LIMIT],
            result=tool.answered(args, option),
        )
        for option in inquiry.options[:MAX_OPTIONS]
    ]
    return AnswerPayload(text=inquiry.text[:TEXT_LIMIT], private=inquiry.private, options=options)


def options_of(question: Question) -> Sequence[Option]:
    """What there is to choose from, in the order in which it is shown."""
    shown = question.payload.options if isinstance(question.payload, AnswerPayload) else ()
    return [Option(value=option.value, label=option.label, detail=option.detail) for option in shown]


def typed_answer(question: Question, typed: str, text: str, by: str) -> ToolAnswer:
    """What a typed reply answers: the one option that it names, else itself."""
    option = named(options_of(question), typed)
    return ToolAnswer(by=by, option=option, words="" if option is not None else text[:WORDS_KEPT])


async def settle(tx: Transaction, question: Question, answer: ToolAnswer) -> None:
    """awaiting_confirmation → completed by an answer; the caller locked the step, and ends with `after`."""
    options = options_of(question)
    said = answer.words if answer.option is None else _in_words(options[answer.option])
    decided: QuestionChanges = {"decided_by": answer.by, "decision": answer.choice, "reason": said}
    await close_question(tx, question, QuestionState.DECIDED, actor=answer.by, **decided)
    action = await tx.work.actions.find(question.action_id)
    await record_result(tx, action, _result(question, answer), code=AuditCode.ACTION_ANSWERED, actor=answer.by)


def _in_words(option: Option) -> str:
    """An option as its card names it: of two people of one name it says which."""
    return f"{option.label} ({option.detail})" if option.detail else option.label


def _result(question: Question, answer: ToolAnswer) -> Result:
    payload = question.payload_as(AnswerPayload)
    if answer.option is not None:
        return payload.options[answer.option].result
    shown = [{"label": option.label, "detail": option.detail} for option in options_of(question)]
    if answer.words:
        data = {"answer_in_words": answer.words, "options_shown": shown, "note": to_model.ANSWERED_IN_WORDS}
        return Result(data=data, summary="Answered in words.", label=Label.EXTERNAL, private=payload.private)
    data = {"answer": None, "options_shown": shown, "note": to_model.NONE_OF_THESE}
    return Result(data=data, summary="None of these.", label=Label.EXTERNAL, private=payload.private)
