"""A run's final answer, or its honest substitute, and the lines about what it did."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.actions import ActionState
from bot.domain.runs import FollowUp, RunState
from bot.runtime.delivery.views import ActionLine, AnswerView, ResumedView
from bot.runtime.texts.inert_markdown import beginning, in_markdown, inert, literal
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.plain import one_line, plain

MESSAGE_LIMIT = 11_000  # characters of Markdown in one message; Slack takes 12,000 over all markdown blocks together
MAX_MESSAGES = 8
MAX_LINES = 12

_MARKS = {
    ActionState.COMPLETED: "✓",
    ActionState.FAILED: "✗",
    ActionState.DENIED: "✗",
    ActionState.REJECTED: "–",
    ActionState.EXPIRED: "–",
    ActionState.CANCELLED: "–",
    ActionState.UNKNOWN: "?",
}


def answer(view: AnswerView) -> Sequence[Outgoing]:
    """The messages of the answer in order; the last one carries the lines about the actions. None for a completed
    request without words, all of whose actions are told elsewhere.
    """
    parts = _parts(view.text.strip())
    kept, dropped = parts[:MAX_MESSAGES], sum(map(len, parts[MAX_MESSAGES:]))
    is_done = view.place.state is RunState.COMPLETED
    blocks: list[list[Block]] = [[kit.markdown(part)] for part in kept] or [[]]
    telling = _telling(view.actions, view.text, in_full=not kept and not is_done)
    blocks[-1] += [
        *_dropped(dropped),
        *_error(_without(telling[:MAX_LINES], view.error), view.text),
        *_actions(telling),
    ]
    if not blocks[-1] and is_done:
        return []
    if not blocks[-1]:
        blocks[-1].append(kit.paragraph(kit.words("I have nothing to say to this.")))
    blocks[-1] += _offered(view)
    texts = [kit.fallback(literal(part)) for part in kept] or [kit.fallback(view.error or "Done.")]
    return [Outgoing(text=text, blocks=shown) for text, shown in zip(texts, blocks, strict=True)]


def resumed(view: ResumedView) -> Outgoing:
    """The last message of what was said at a pause, once its owner went on: its button is gone."""
    *_, last = answer(AnswerView(place=view.place, text=view.text, error="", actions=())) or [kit.sentence("…")]
    return Outgoing(text=last.text, blocks=[*last.blocks, kit.context(kit.small("Continued below."))])


def _parts(text: str, limit: int = MESSAGE_LIMIT) -> Sequence[str]:
    """The text in parts that are inert each by itself: code that a part cuts is none in the next message."""
    made: list[str] = []
    for piece in kit.pieces(text, limit):
        part = inert(piece)
        made += [part] if len(part) <= MESSAGE_LIMIT else _parts(piece, len(piece) // 2)
    return [part for part in made if part.strip()]


def _offered(view: AnswerView) -> Sequence[Block]:
    """The buttons that only the answer's owner may use now."""
    match view.offer:
        case FollowUp.CONTINUE:
            label = {0: "Continue", 1: "Ask again"}.get(view.asks_again, "Ask all again")
            action, style = ids.CONTINUE, "primary"
        case FollowUp.TRY_AGAIN:
            label, action, style = "Try again", ids.TRY_AGAIN, None
        case FollowUp.TRIED_AGAIN:
            return [kit.context(kit.small("Tried again below."))]
        case None:
            return []
    run_id, owner = view.place.run_id, view.place.user
    plan = [kit.button("Make a plan", ids.MAKE_PLAN, run_id, only_for=owner)] if view.plannable else []
    return [kit.buttons(f"run:{run_id}", [kit.button(label, action, run_id, style=style, only_for=owner), *plan])]


def streamed(shown: str) -> Outgoing:
    """What was streamed so far, as an ordinary message; `shown` is inert already."""
    text = beginning(shown, MESSAGE_LIMIT).strip()
    if not text:
        return kit.sentence("…")
    return Outgoing(text=kit.fallback(literal(text)), blocks=[kit.markdown(text)])


def _dropped(count: int) -> Sequence[Block]:
    return [kit.context(kit.small(f"… {count:,} more characters were left out."))] if count else []


def _error(error: str, text: str) -> Sequence[Block]:
    if error.strip() in text:
        return []
    return [kit.paragraph(kit.words(piece)) for piece in kit.pieces(plain(error).strip()[:6_000])]


def _without(telling: Sequence[ActionLine], error: str) -> str:
    """What is said of a failure, less its lines about actions that a line below tells, with its mark and its link."""
    said = error.splitlines()
    for line in telling:
        told = (f"• {' '.join(line.detail.split())}", f"• {line.caption}: ")
        twice = [each for each in said if each == told[0] or each.startswith(told[1])]
        if twice:
            said.remove(twice[0])
    return "\n".join(said)


def _telling(lines: Sequence[ActionLine], text: str, *, in_full: bool) -> Sequence[ActionLine]:
    """The actions that get a line below this text; `in_full` also those whose card tells it."""
    said = " ".join(text.split())
    return [line for line in lines if _is_told(line, said, in_full=in_full)]


def _actions(telling: Sequence[ActionLine]) -> Sequence[Block]:
    if not telling:
        return []
    shown = [kit.line(*_action(line)) for line in telling[:MAX_LINES]]
    more = len(telling) - MAX_LINES
    return [kit.rich(*shown, *([kit.line(kit.words(f"… and {more} more"))] if more > 0 else []))]


def _is_told(line: ActionLine, said: str, *, in_full: bool) -> bool:
    """Whether what was said could leave something out: a change with a way to open it, a failure, a doubt. What was
    scheduled is shown elsewhere, and where the answer announced it, the answer ends with what came of it.
    """
    if line.scheduled:
        return bool(said) and not line.waits and in_markdown(f"• {' '.join(line.caption.split())}: ") not in said
    if line.doubt or (line.on_card and not in_full):
        return line.doubt
    return line.changes if line.state is ActionState.COMPLETED else not _gives_reason(said, line)


def _gives_reason(said: str, line: ActionLine) -> bool:
    """Whether it has the very reason why it was not done: then nothing of it was left out. Of what nobody answered, and
    of what was stopped, it is the line that names it, below the word that nobody did, or that it was stopped.
    """
    if line.state in {ActionState.EXPIRED, ActionState.CANCELLED}:
        return in_markdown(f"• {' '.join(line.caption.split())}: not done") in said
    reason = " ".join(line.detail.split()).rstrip(".")
    return line.state in {ActionState.FAILED, ActionState.DENIED} and bool(reason) and reason in said


def _action(line: ActionLine) -> Sequence[Element]:
    """One action: a mark, what it is, what came of it, and a word of doubt where there is one."""
    caption, detail = one_line(line.caption, 200), one_line(line.detail, 300)
    doubt = " An attempt may have happened: please look." if line.doubt else ""
    if line.scheduled:
        return [kit.words(f"→ {caption}: {detail}{doubt}\n")]
    if line.by_agent:
        named = f"{caption}: {detail}" if detail else caption
    elif line.state is ActionState.COMPLETED:
        named = detail or caption
    else:
        untold = line.state in {ActionState.REJECTED, ActionState.CANCELLED}  # the detail says why
        stands = "not done" if untold else line.state.caption
        stands = "nothing had to be done" if line.needless else stands
        stands = "not done, it is beyond the limit" if line.beyond_limit else stands
        named = f"{caption}: {stands}{'. ' + detail if detail else ''}"
    said = f"{'–' if line.needless else _MARKS.get(line.state, '·')} {named}{doubt}"
    return [kit.words(said), *kit.beside(line.link, "Open"), kit.words("\n")]
