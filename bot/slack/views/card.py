"""A question as a card: open, with its buttons, or in its final form.

Trusted code makes it from the preview alone. The recipients come first and in full. Long content is folded behind a
button that shows everything. The buttons carry an opaque id and nothing of the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.actions import ActionState
from bot.domain.confirmations import fits
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.runtime.delivery.views import CardView
from bot.slack.views import agreement, confirmation, deferred, everything, fields, ids
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.plain import one_line

FINAL_LIMIT = 600  # characters of a long field in the final form
MAX_REMARKS = 10  # warnings, and again so many things that were not checked
REMARK_LIMIT = 500  # characters of one
REASON_LIMIT = 5_000  # of why it is asked: all guards' sentences, as `policies.guards.rules` bounds them

_LABELS = {
    Choice.APPROVE: "Approve",
    Choice.REJECT: "Reject",
    Choice.CONFIRM: "Confirm",
    Choice.HAPPENED: "It happened",
    Choice.DID_NOT: "It did not",
    Choice.TRY_AGAIN: "Try again",
}
_IN_DOUBT = (
    "The answer was lost, so I do not know yet whether this happened. I look within a "
    "minute whether it did. It is not done twice."
)
_WAS_IT_DONE = "Was this done?"
_NOT_KNOWN = "No answer came back, so I do not know whether this was done."
_ANSWERS = "“It happened” and “It did not” end it; “Try again” does it once more."
_LAPSED = "You approved this before, and it was not done: that approval does not count any more."
_TOO_MANY = (
    "A card cannot show everybody whom this reaches, so it cannot be approved. Edit it to reach fewer, or reject it."
)
_TOO_LONG = "It says more than a window can show, so it cannot be approved. Edit it to say less, or reject it."
_TOO_MUCH = "It touches more than a window can ask you to check, so it cannot be approved. Edit it, or reject it."
_STYLES = {Choice.APPROVE: "primary", Choice.REJECT: "danger"}


def card(view: CardView, newer: str = "") -> Outgoing:
    """The card as it stands now; `newer` is the address of the one that took its place."""
    shown = _open(view) if view.state is QuestionState.OPEN else _final(view, newer)
    return Outgoing(text=kit.fallback(_summary(view)), blocks=shown)


def ask_again(view: CardView) -> Sequence[Block]:
    """The button of a card that nobody answered, where its question can be asked again."""
    button = kit.button("Ask again", ids.ASK_AGAIN, view.value, only_for=view.place.user)
    return [kit.buttons(f"again:{view.question_id}", [button])] if view.ask_again else []


def decided(view: CardView, verdict: str) -> Sequence[Element]:
    """What was decided, by whom, and when."""
    at = [kit.words(" · "), kit.moment(view.decided_at, view.zone)] if view.decided_at else []
    return [kit.words(verdict, bold=True), *agreement.by(view), *at]


def is_folded(view: CardView) -> bool:
    """Whether an open card leaves something out."""
    remarks = (view.preview.warnings, view.preview.unchecked)
    crowded = any(len(texts) > MAX_REMARKS or any(len(text) > REMARK_LIMIT for text in texts) for texts in remarks)
    return crowded or len(one_line(everything.asked(view))) > REASON_LIMIT or fields.are_folded(view.preview.fields)


def _open(view: CardView) -> Sequence[Block]:
    """The recipients and remarks about them, the text, the buttons, and why it is asked. A person who had their turn
    sees that it waits for somebody else.
    """
    if view.shown_to and not agreement.is_in_turn(view):
        return [kit.header(view.preview.title), *agreement.waits(view)]
    return [
        kit.header(_title(view)),
        *agreement.lead(view),
        *_not_known(view),
        *fields.blocks(view.preview.fields, fields.LONG_LIMIT, remarks=_remarks(view)),
        *agreement.others(view),
        kit.buttons(f"card:{view.question_id}", _buttons(view)),
        kit.context(*everything.small_print(view)),
    ]


def _final(view: CardView, newer: str) -> Sequence[Block]:
    """Without buttons. The remarks stay, because they belong to what was decided."""
    shown = fields.blocks(view.preview.fields, FINAL_LIMIT, remarks=_remarks(view))
    rows = [row for row in (_verdict(view), agreement.why(view), _outcome(view)) if row]
    rows[-1] = [*rows[-1], *(kit.beside(newer, "Go to it") if _has_newer(view) else [])]
    return [
        kit.header(_title(view)),
        *([] if _has_newer(view) or _was_refused(view) or agreement.is_passed_on(view) else shown),
        kit.rich(*(kit.line(*row) for row in rows)),
        *(deferred.buttons(view.held) if view.held and not view.shown_to else []),
        *ask_again(view),
    ]


def _not_known(view: CardView) -> Sequence[Block]:
    """What its owner is asked where nobody else can tell what became of it, and where they can look."""
    if view.kind is not QuestionKind.SETTLE:
        return []
    where = f" Please look: {one_line(view.detail)}." if view.detail else " Please look whether it was."
    said = kit.line(kit.words(f"{_NOT_KNOWN}{where}"), *kit.beside(view.link, "Open"))
    return [kit.rich(said, kit.line(kit.words(_ANSWERS)))]


def _title(view: CardView) -> str:
    """The title; it asks nothing any more where the question was answered."""
    if view.kind is QuestionKind.SETTLE:
        return _WAS_IT_DONE
    answered = view.kind is QuestionKind.APPROVE and view.state is QuestionState.DECIDED
    return view.preview.title.rstrip("?") if answered else view.preview.title


def _choice(view: CardView, choice: Choice) -> Element:
    label = view.preview.approve_label if choice is Choice.APPROVE else _LABELS[choice]
    return kit.button(
        one_line(label) or _LABELS[choice],
        ids.choice_action(choice),
        view.value,
        style=_style(view, choice),
        only_for=view.shown_to or view.place.user,
    )


def _style(view: CardView, choice: Choice) -> str | None:
    """“No” is what is suggested where nobody named it, and nothing where yes says itself what it takes away."""
    if view.unnamed:
        return "primary"
    takes_away = choice is Choice.APPROVE and view.preview.approve_label not in {"", _LABELS[choice]}
    return None if takes_away else _STYLES.get(choice)


def _buttons(view: CardView) -> Sequence[Element]:
    """What can be said to it. Where a window is the way to yes, that stands first if it is only long: “no” is suggested
    where nobody named what it touches.
    """
    user, opens = view.shown_to or view.place.user, can_be_confirmed(view)
    no, label = [_choice(view, choice) for choice in view.choices], confirmation.title(view.unnamed)
    style = None if view.unnamed else _STYLES[Choice.APPROVE]
    yes = [kit.button(f"{label}…", ids.CONFIRM, view.value, style=style, only_for=user)] if opens else []
    beside = [kit.button(label, action, view.value, only_for=user) for label, action in _beside(view)]
    return [*no, *yes, *beside] if view.unnamed else [*yes, *no, *beside]


def _beside(view: CardView) -> Sequence[tuple[str, str]]:
    """What can be done besides deciding on it as it is; one button at most opens all of it."""
    alone = not view.unnamed and not view.deciders
    offered = view.preview.variants if alone and not _shut(view) else ()
    variants = [(variant.label, ids.variant_action(n)) for n, variant in enumerate(offered)]
    is_shown = view.is_long and can_be_confirmed(view)
    return [
        *([("Edit", ids.EDIT), *variants] if view.editable else []),
        *([("Reject with a reason…", ids.REJECT_WHY)] if view.shown_to else []),
        *([("Show everything", ids.SHOW_ALL)] if is_folded(view) and not is_shown else []),
    ]


def _remarks(view: CardView) -> Sequence[Block]:
    """What its owner should know before they decide on it; it is too late for that where it may have been done."""
    if view.kind is QuestionKind.SETTLE:
        return []
    shut = [kit.line(kit.words(why, bold=True)) for why in _shut(view)]
    asked = [_asked(reason)] if (reason := everything.asked(view)) else []
    warnings = [kit.line(kit.words(f"⚠ {text}", bold=True)) for text in _first(view.preview.warnings)]
    anew = [kit.said(told)] if (told := changed(view)) else []
    unchecked = [kit.line(kit.words(text)) for text in _first(view.preview.unchecked)]
    said = [*shut, *anew, *asked, *warnings, *unchecked]
    return [kit.rich(*said)] if said else []


def _shut(view: CardView) -> Sequence[str]:
    """Why it cannot be approved."""
    if not view.preview.shows_destinations():
        return [_TOO_MANY]
    if view.unnamed and not fits(view.unnamed):
        return [_TOO_MUCH]
    return [_TOO_LONG] if view.is_long and to_read(view) is None else []


def _asked(reason: str) -> Element:
    """A sentence of each guard; what does not fit is counted."""
    text, more = fields.folded(one_line(reason), REASON_LIMIT)
    said = [kit.words(piece, bold=True) for piece in kit.pieces(f"⚠ {text}")]
    return kit.line(*said, *([more] if more else []))


def can_be_confirmed(view: CardView) -> bool:
    """Whether a window is the way to yes, for the person in turn: nobody named what it touches, or it is long."""
    is_open = view.state is QuestionState.OPEN and view.kind is QuestionKind.APPROVE
    return is_open and bool(view.unnamed or view.is_long) and agreement.is_in_turn(view) and not _shut(view)


def to_read(view: CardView) -> Sequence[Block] | None:
    """What stands in that window of what it says: its title, and all of it where it is long, None where there is no
    room for that.
    """
    return everything.whole(view, beside=confirmation.asked(view.unnamed)) if view.is_long else everything.named(view)


def changed(view: CardView) -> str:
    """Why it is asked anew, and how a difference is shown; empty where it is asked for the first time. Who has to agree
    reads whose change it was.
    """
    if not view.edited and not view.lapsed:
        return ""
    return f"{_why_anew(view)} {fields.legend(view.preview.fields)}".strip()


def _why_anew(view: CardView) -> str:
    owner = f"<@{view.place.user}>" if view.shown_to else "You"
    if not view.lapsed:
        return f"{owner} changed this."
    counts = view.state is not QuestionState.OPEN or view.shown_to or view.reader  # an approval of what is asked here
    return "" if counts else _LAPSED


def _first(texts: Sequence[str]) -> Sequence[str]:
    shown = [one_line(text, REMARK_LIMIT) for text in texts[:MAX_REMARKS]]
    missing = len(texts) - MAX_REMARKS
    return [*shown, f"… and {missing} more"] if missing > 0 else shown


def _verdict(view: CardView) -> Sequence[Element]:
    """Who decided what, and when."""
    if view.state is QuestionState.EXPIRED:
        return [kit.words(_expired(view), bold=True)]
    if view.state is QuestionState.REPLACED:
        return [kit.words(_replaced(view), bold=True)]
    if view.state is QuestionState.WITHDRAWN:
        return [kit.words("Withdrawn: no answer is needed any more.", bold=True)]
    no = "Cancelled" if view.kind is QuestionKind.PLAN else "Rejected"
    verb = {Choice.APPROVE: "Approved", Choice.REJECT: no}.get(view.decision or Choice.APPROVE)
    said = f"Answered “{_LABELS[view.decision]}”" if view.decision and not verb else str(verb)
    return decided(view, said)


def _replaced(view: CardView) -> str:
    if view.shown_to:
        return "Changed since: this card does not count any more."
    return "Looked at again, and refused." if _was_refused(view) else "Changed: see the newer card."


def _was_refused(view: CardView) -> bool:
    """Whether too few were left who could agree, so that no newer card came."""
    return view.state is QuestionState.REPLACED and view.outcome is ActionState.DENIED and not view.asked_again


def _has_newer(view: CardView) -> bool:
    """Whether it says that there is a newer card. The fields of the action are those of that one."""
    replaced = view.state is QuestionState.REPLACED and not _was_refused(view)
    return replaced or _was_asked_again(view) or _was_voted_again(view)


def _was_voted_again(view: CardView) -> bool:
    """Whether it was asked once more what was approved here."""
    return view.kind is QuestionKind.APPROVE and view.decision is Choice.APPROVE and view.asked_again


def _expired(view: CardView) -> str:
    """Of an action that was asked about again the newer card tells what came of it."""
    if _was_asked_again(view):
        return "Expired, and asked again: see the newer card."
    return "Expired: nobody answered in time." + (" Nothing was done." if view.outcome is ActionState.EXPIRED else "")


def _was_asked_again(view: CardView) -> bool:
    kinds = {QuestionKind.APPROVE, QuestionKind.PLAN}
    asked = view.state is QuestionState.EXPIRED and view.kind in kinds
    in_another_database = view.copied_at is not None and view.newer is None
    return asked and view.outcome is not ActionState.EXPIRED and not in_another_database


def _outcome(view: CardView) -> Sequence[Element]:
    """What came of it, and whether an earlier attempt may have happened all the same."""
    if (view.state is QuestionState.REPLACED and not _was_refused(view)) or _was_asked_again(view):
        return []  # the newer card tells
    if _was_voted_again(view):
        return [kit.words(f"Not done, and asked again{'' if view.shown_to else ': see the newer card'}.")]
    if view.held:
        return deferred.outcome(view.held)
    said = _came_of(view)
    doubtful = view.doubt and view.outcome not in {ActionState.UNKNOWN, ActionState.EXECUTING}
    return [*said, kit.words(" An earlier attempt may have happened: please look.")] if doubtful else said


def _came_of(view: CardView) -> Sequence[Element]:
    detail = one_line(view.detail, 1_000)
    opened = kit.beside(view.link, "Open")
    match view.outcome:
        case ActionState.COMPLETED if view.scheduled:
            return [kit.words(f"{detail} The message below tells more.")]
        case ActionState.COMPLETED:
            return [kit.words(f"✓ Done. {detail}".strip()), *opened]
        case ActionState.FAILED | ActionState.DENIED:
            failed = "✗ The last attempt did nothing." if view.doubt else "✗ Not done."
            lead = "Nothing had to be done." if view.needless else failed
            return [kit.words(f"{lead} {detail}".strip())]
        case ActionState.REJECTED if view.decision is Choice.REJECT:
            more = " more" if view.plan and any(task.child for task in view.plan.tasks) else ""
            return [kit.words(f"Nothing{more} was done.")]  # the line above says who rejected it
        case ActionState.REJECTED:
            return [kit.words(f"Nothing was done. {detail}".strip())]
        case ActionState.UNKNOWN if view.copied_at:
            at = kit.moment(view.copied_at, view.zone)
            said = kit.words("? It may have been done after the copy was made")
            return [said, kit.words(" ("), at, kit.words(f"). {detail}".rstrip()), *opened]
        case ActionState.UNKNOWN:
            where = f" Please look: {detail.rstrip('.')}." if detail else ""
            return [kit.words(f"? It may have happened.{where}"), *opened]
        case ActionState.EXECUTING | ActionState.APPROVED | ActionState.PLANNED:
            return _under_way(view)
        case ActionState.CANCELLED if view.decision is Choice.APPROVE:
            return [kit.words(f"Stopped before it was done. {detail}".strip())]
        case _:
            return []


def _under_way(view: CardView) -> Sequence[Element]:
    """What is awaited."""
    if view.outcome is ActionState.EXECUTING and view.doubt:
        return [kit.words(_IN_DOUBT)]
    return kit.tried_again(view.again_at, view.zone) if view.again_at else [kit.words("Working on it…")]


def _summary(view: CardView) -> str:
    if view.state is QuestionState.OPEN:
        asks = "Your decision is needed." if agreement.is_in_turn(view) else "It waits for somebody else."
        return f"{one_line(_title(view), 300)} {asks}"
    done = " ".join(str(element.get("text", "")).strip() for element in [*_verdict(view)[:1], *_outcome(view)[:1]])
    return f"{one_line(_title(view), 300)} {done}"
