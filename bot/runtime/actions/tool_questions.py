"""Asking the owner what only he can say: a tool's own question, and what his answer makes of its action.

What each option leads to is worked out when it is asked and stands in the question's payload, so an answer means what
was shown, whatever becomes of the tool meanwhile (docs/states.md §3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from bot.domain.actions import Action, ActionState
from bot.domain.questions import Choice, Question, QuestionKind, QuestionState
from bot.domain.replies import named
from bot.runtime.actions.results import record_result
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.questions import ask_question, close_question, new_question
from bot.runtime.lifecycle.runs import post_stub
from bot.runtime.texts import to_model
from bot.tools.registry import AnyTool
from integrations.base import ObjectRef, Option, Preview, Result, ToolQuestion
from policies.types import Label

MAX_OPTIONS = 25
TEXT_LIMIT = 2_000  # characters of a question
LABEL_LIMIT = 300
WORDS_KEPT = 2_000  # characters of an answer in words


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What somebody answered: an option by its place, or words of his own; neither is “none of these”."""

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
        tx, action, ActionState.AWAITING, code="action.asked", preview=asdict(preview), basis={}, **judged
    )
    question = new_question(
        asked, QuestionKind.ANSWER, action.args_hash, tx, life=tool.question_life, **_payload(action, tool, inquiry)
    )
    await ask_question(tx, question)
    return question


def _payload(action: Action, tool: AnyTool, inquiry: ToolQuestion) -> dict[str, object]:
    args = tool.args.model_validate_json(action.args)
    options = [
        {
            "value": option.value,
            "label": option.label[:LABEL_LIMIT],
            "detail": option.detail[:LABEL_LIMIT],
            "result": asdict(tool.answered(args, option)),
        }
        for option in inquiry.options[:MAX_OPTIONS]
    ]
    return {"text": inquiry.text[:TEXT_LIMIT], "private": inquiry.private, "options": options}


def options_of(question: Question) -> Sequence[Option]:
    """What there is to choose from, in the order in which it is shown."""
    return [
        Option(value=str(item["value"]), label=str(item["label"]), detail=str(item["detail"]))
        for item in _stored(question)
    ]


def _stored(question: Question) -> Sequence[Mapping[str, Any]]:
    return cast("Sequence[Mapping[str, Any]]", question.payload.get("options", ()))


def typed_answer(question: Question, typed: str, text: str, by: str) -> Answer:
    """What a typed reply answers: the one option that it names, else itself."""
    option = named(options_of(question), typed)
    return Answer(by=by, option=option, words="" if option is not None else text[:WORDS_KEPT])


async def settle(tx: Transaction, question: Question, answer: Answer) -> None:
    """awaiting_confirmation → completed by an answer; the caller locked the step, and ends with `after`."""
    options = options_of(question)
    said = answer.words if answer.option is None else options[answer.option].label
    decided = {"decided_by": answer.by, "decision": answer.choice, "reason": said}
    await close_question(tx, question, QuestionState.DECIDED, actor=answer.by, **decided)
    action = await tx.work.actions.find(question.action_id)
    await record_result(tx, action, _result(question, answer), code="action.answered", actor=answer.by)


def _result(question: Question, answer: Answer) -> Result:
    private = bool(question.payload.get("private", True))
    if answer.option is not None:
        return _kept(_stored(question)[answer.option]["result"])
    shown = [{"label": option.label, "detail": option.detail} for option in options_of(question)]
    if answer.words:
        data = {"answer_in_words": answer.words, "options_shown": shown, "note": to_model.ANSWERED_IN_WORDS}
        return Result(data=data, summary="Answered in words.", label=Label.EXTERNAL, private=private)
    data = {"answer": None, "options_shown": shown, "note": to_model.NONE_OF_THESE}
    return Result(data=data, summary="None of these.", label=Label.EXTERNAL, private=private)


def _kept(stored: Mapping[str, Any]) -> Result:
    objects: Any = [ObjectRef(**item) for item in stored["objects"]]
    given: dict[str, Any] = {**stored, "label": Label(stored["label"]), "objects": objects}
    return Result(**given)
