"""A question as a card: open, with its buttons, or in its final form.

Trusted code makes it from the preview alone. The recipients come first and in full. Long content is folded behind a
button that shows everything. The buttons carry an opaque id and nothing of the arguments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.runtime.delivery.views import CardView
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element, Outgoing
from bot.slack.views.plain import one_line, plain
from integrations.base import DESTINATIONS_LIMIT, Field
from integrations.text import counted

LONG_LIMIT = 900  # characters of a long field that a card shows
LONG_LINES = 16  # and how many lines
CHANGE_LIMIT = 2_800  # characters of what changes, before and after together
ASIDE_LIMIT = 400  # characters of what stands in small print
ASIDE_SHORT = 80  # and of what stands in one line with others
MOST_ASIDE = 10  # things in small print, one element of Slack's context each at most
BRIEF_LIMIT = 400  # shorter fields stand in one block
SHORT_LIMIT = 6_000  # characters of any other field but those that say whom it reaches
FINAL_LIMIT = 600  # characters of a long field in the final form
MAX_FIELDS = 20
MAX_REMARKS = 10  # warnings, and again so many things that were not checked
REMARK_LIMIT = 500  # characters of one
MODAL_BLOCKS = 100
MODAL_BYTES = 200_000  # of JSON, where letters outside ASCII take six each; Slack refuses a view over 250 KB

_LABELS = {
    Choice.APPROVE: "Approve",
    Choice.REJECT: "Reject",
    Choice.HAPPENED: "It happened",
    Choice.DID_NOT: "It did not",
    Choice.TRY_AGAIN: "Try again",
}
_CUT_OFF = (
    "Interrupted in the middle. I wait a minute at most, until it cannot arrive late any more, then I check whether "
    "it happened. It is not done twice."
)
_TOO_MANY = (
    "A card cannot show everybody whom this reaches, so it cannot be approved. Edit it to reach fewer, or reject it."
)
_NEEDS_NO_NAME = frozenset({"Body"})
"""Fields that need no label: a mail's text stands below its head."""

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
    by = [kit.words(" by "), kit.person(view.decided_by)] if view.decided_by else []
    at = [kit.words(" · "), kit.moment(view.decided_at, view.zone)] if view.decided_at else []
    return [kit.words(verdict, bold=True), *by, *at]


def is_folded(view: CardView) -> bool:
    """Whether an open card leaves something out."""
    fields, remarks = view.preview.fields, (view.preview.warnings, view.preview.unchecked)
    crowded = len(fields) > MAX_FIELDS or any(len(texts) > MAX_REMARKS for texts in remarks)
    crowded = crowded or sum(map(_is_aside, fields)) > MOST_ASIDE
    return crowded or any(map(_is_cut, fields)) or any(len(text) > REMARK_LIMIT for texts in remarks for text in texts)


def _is_cut(field: Field) -> bool:
    if field.before is not None:
        return max(len(plain(field.before)), 0 if field.destination else len(plain(field.value))) > CHANGE_LIMIT // 2
    if _is_aside(field):
        return len(one_line(_aside(field), ASIDE_LIMIT + 1)) > ASIDE_LIMIT
    if field.destination:
        return len(field.value) > DESTINATIONS_LIMIT
    text = plain(field.value)
    return _end(text, LONG_LIMIT, LONG_LINES) < len(text) if field.long else len(text) > SHORT_LIMIT


def _open(view: CardView) -> Sequence[Block]:
    """The recipients and remarks about them, the text, the buttons, and why it is asked."""
    return [
        kit.header(view.preview.title),
        *_fields(view.preview.fields, LONG_LIMIT, remarks=_remarks(view)),
        kit.buttons(f"card:{view.question_id}", [*(_choice(view, choice) for choice in view.choices), *_beside(view)]),
        kit.context(*_small_print(view)),
    ]


def _final(view: CardView, newer: str) -> Sequence[Block]:
    """Without buttons. The remarks stay, because they belong to what was decided."""
    fields = _fields(view.preview.fields, FINAL_LIMIT, remarks=_remarks(view))
    return [
        kit.header(_title(view)),
        *([] if view.state is QuestionState.REPLACED else fields),
        kit.rich(
            kit.line(*_verdict(view), *_leading(view, newer)),
            *([kit.line(*_outcome(view))] if _outcome(view) else []),
        ),
        *ask_again(view),
    ]


def _title(view: CardView) -> str:
    """The title; it asks nothing any more where the question was answered."""
    answered = view.kind is QuestionKind.APPROVE and view.state is QuestionState.DECIDED
    return view.preview.title.rstrip("?") if answered else view.preview.title


def _choice(view: CardView, choice: Choice) -> Element:
    label = view.preview.approve_label if choice is Choice.APPROVE else _LABELS[choice]
    return kit.button(
        one_line(label) or _LABELS[choice],
        ids.choice_action(choice),
        view.value,
        style=_STYLES.get(choice),
        only_for=view.place.user,
    )


def _beside(view: CardView) -> Sequence[Element]:
    """What can be done besides deciding on it as it is."""
    offered = view.preview.variants if view.preview.shows_destinations() else ()
    variants = [(variant.label, ids.variant_action(n)) for n, variant in enumerate(offered)]
    buttons = [
        *([("Edit", ids.EDIT), *variants] if view.editable else []),
        *([("Show everything", ids.SHOW_ALL)] if is_folded(view) else []),
    ]
    return [kit.button(label, action, view.value, only_for=view.place.user) for label, action in buttons]


def _fields(fields: Sequence[Field], long_limit: int, *, remarks: Sequence[Block] = ()) -> Sequence[Block]:
    """Short ones first, in one block where they are brief; then the remarks, the texts, and the small print."""
    aside = [field for field in fields if _is_aside(field)]
    main = [field for field in fields if not _is_aside(field)]
    shown = [field for place, field in enumerate(main) if place < MAX_FIELDS or field.destination]
    missing = len(main) - len(shown)
    return [
        *_heads([field for field in shown if not field.long]),
        *remarks,
        *(kit.rich(*_field(field, long_limit)) for field in shown if field.long),
        *([kit.context(kit.small(f"… {counted(missing, 'more field')}"))] if missing > 0 else []),
        *_small(aside),
    ]


def _heads(fields: Sequence[Field]) -> Sequence[Block]:
    blocks: list[Block] = []
    brief: list[Element] = []
    for field in fields:
        if field.before is None and len(field.value) <= BRIEF_LIMIT and "\n" not in field.value:
            brief += _field(field, SHORT_LIMIT)
            continue
        blocks += [kit.rich(*brief)] if brief else []
        blocks.append(kit.rich(*_field(field, SHORT_LIMIT)))
        brief = []
    return [*blocks, kit.rich(*brief)] if brief else blocks


def _is_aside(field: Field) -> bool:
    return field.aside and field.before is None and not field.destination


def _aside(field: Field) -> str:
    return f"{one_line(field.label, 60)}: {field.value}"


def _small(fields: Sequence[Field]) -> Sequence[Block]:
    """Short ones in one line together."""
    texts = [one_line(_aside(field), ASIDE_LIMIT) for field in fields[:MOST_ASIDE]]
    short = " · ".join(text for text in texts if len(text) <= ASIDE_SHORT)
    lines = [*([short] if short else []), *(text for text in texts if len(text) > ASIDE_SHORT)]
    return [kit.context(*map(kit.small, lines))] if lines else []


def _field(field: Field, limit: int) -> Sequence[Element]:
    label = kit.words(f"{one_line(field.label, 60)}: ", bold=True)
    if field.before is not None:
        return [kit.line(label, *_change(field))]
    if field.destination:
        return [kit.line(label, *destination(field.value))]
    text, more = _folded(plain(field.value), limit, LONG_LINES if field.long else 0)
    if field.long:
        named = [] if field.label in _NEEDS_NO_NAME else [kit.line(label)]
        return [*named, kit.quote(text), *([kit.line(more)] if more else [])]
    return [kit.line(label, *(kit.words(piece) for piece in kit.pieces(text)), *([more] if more else []))]


def destination(value: str) -> Sequence[Element]:
    """Whom it reaches, each on a line of their own below the label, cut nowhere where it can be approved."""
    text, more = _folded(value, DESTINATIONS_LIMIT)
    lines = plain(f"\n{text}" if "\n" in text else text)
    return [*map(kit.words, kit.pieces(lines)), *([more] if more else [])]


def _change(field: Field) -> Sequence[Element]:
    """The value before, struck out, and the value after; where one of them is empty, that it is new or taken out."""
    before, more_before = _folded(plain(field.before or ""), CHANGE_LIMIT // 2)
    if field.destination and before and field.value:
        after, joint = destination(field.value), [] if "\n" in field.value else [kit.words("  →  ")]
        return [kit.words(before, strike=True), *([more_before] if more_before else []), *joint, *after]
    after, more_after = _folded(plain(field.value), CHANGE_LIMIT // 2)
    if not before or not after:
        more = more_before or more_after
        said = " (new)" if after else " (taken out)"
        return [kit.words(before or after, strike=bool(before)), *([more] if more else []), kit.words(said)]
    return [
        kit.words(before, strike=True),
        *([more_before] if more_before else []),
        kit.words("  →  "),
        kit.words(after),
        *([more_after] if more_after else []),
    ]


def _folded(text: str, limit: int, lines: int = 0) -> tuple[str, Element | None]:
    """The part of a text that is shown, and how much is left out, so that no cut goes unnoticed."""
    end = _end(text, limit, lines)
    if end == len(text):
        return text, None
    return text[:end], kit.words(f" … {counted(len(text) - end, 'more character')}", bold=True)


def _end(text: str, limit: int, lines: int = 0) -> int:
    """Where a text is cut: at a word or a line, where there is one; `lines` are the most lines that it may have."""
    end = len(next(iter(kit.pieces(text[: limit + 1], limit)), ""))
    kept = text[:end].split("\n")
    return end if not lines or len(kept) <= lines else len("\n".join(kept[:lines]))


def _remarks(view: CardView) -> Sequence[Block]:
    shut = [] if view.preview.shows_destinations() else [kit.line(kit.words(_TOO_MANY, bold=True))]
    warnings = [kit.line(kit.words(f"⚠ {text}", bold=True)) for text in _first(view.preview.warnings)]
    edited = [kit.line(kit.words("You changed this: what is struck out was there before."))] if view.edited else []
    unchecked = [kit.line(kit.words(text)) for text in _first(view.preview.unchecked)]
    said = [*shut, *edited, *warnings, *unchecked]
    return [kit.rich(*said)] if said else []


def _first(texts: Sequence[str]) -> Sequence[str]:
    shown = [one_line(text, REMARK_LIMIT) for text in texts[:MAX_REMARKS]]
    missing = len(texts) - MAX_REMARKS
    return [*shown, f"… and {missing} more"] if missing > 0 else shown


def _small_print(view: CardView) -> Sequence[Element]:
    """Why it is asked, until when, and by which rule."""
    why = kit.why("Why you are asked", view.reason, view.rule)
    return [*why[:1], kit.moment_token("Expires", view.expires_at, view.zone), *why[1:]]


def _verdict(view: CardView) -> Sequence[Element]:
    """Who decided what, and when."""
    if view.state is QuestionState.EXPIRED:
        return [kit.words(_expired(view), bold=True)]
    if view.state is QuestionState.REPLACED:
        return [kit.words("Changed: see the newer card.", bold=True)]
    if view.state is QuestionState.WITHDRAWN:
        return [kit.words("Withdrawn: no answer is needed any more.", bold=True)]
    verb = {Choice.APPROVE: "Approved", Choice.REJECT: "Rejected"}.get(view.decision or Choice.APPROVE)
    said = f"Answered “{_LABELS[view.decision]}”" if view.decision and not verb else str(verb)
    return decided(view, said)


def _leading(view: CardView, newer: str) -> Sequence[Element]:
    """The link to the newer card, for one that says that there is one."""
    replaced = view.state is QuestionState.REPLACED or _was_asked_again(view)
    return kit.beside(newer, "Go to it") if replaced else []


def _expired(view: CardView) -> str:
    """Of an action that was asked about again the newer card tells what came of it."""
    if _was_asked_again(view):
        return "Expired, and asked again: see the newer card."
    return "Expired: nobody answered in time." + (" Nothing was done." if view.outcome is ActionState.EXPIRED else "")


def _was_asked_again(view: CardView) -> bool:
    asked = view.state is QuestionState.EXPIRED and view.kind is QuestionKind.APPROVE
    in_another_database = view.copied_at is not None and view.newer is None
    return asked and view.outcome is not ActionState.EXPIRED and not in_another_database


def _outcome(view: CardView) -> Sequence[Element]:
    """What came of it, and whether an earlier attempt may have happened all the same."""
    if view.state is QuestionState.REPLACED or _was_asked_again(view):
        return []  # the newer card tells
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
            return [kit.words(f"✗ Not done. {detail}".strip())]
        case ActionState.REJECTED if view.decision is Choice.REJECT:
            return [kit.words("Nothing was done.")]  # the line above says who rejected it
        case ActionState.REJECTED:
            return [kit.words(f"Nothing was done. {detail}".strip())]
        case ActionState.UNKNOWN if view.copied_at:
            at = kit.moment(view.copied_at, view.zone)
            said = kit.words("? It may have been done after the copy was made")
            return [said, kit.words(" ("), at, kit.words(f"). {detail}".rstrip()), *opened]
        case ActionState.UNKNOWN:
            return [kit.words(f"? It may have happened. {detail}".strip()), *opened]
        case ActionState.EXECUTING | ActionState.APPROVED | ActionState.PLANNED:
            return _under_way(view)
        case ActionState.CANCELLED if view.decision is Choice.APPROVE:
            return [kit.words(f"Stopped before it was done. {detail}".strip())]
        case _:
            return []


def _under_way(view: CardView) -> Sequence[Element]:
    """What is awaited."""
    if view.outcome is ActionState.EXECUTING and view.doubt:
        return [kit.words(_CUT_OFF)]
    return kit.tried_again(view.again_at, view.zone) if view.again_at else [kit.words("Working on it…")]


def _summary(view: CardView) -> str:
    if view.state is QuestionState.OPEN:
        return f"{one_line(view.preview.title, 300)} Your decision is needed."
    done = " ".join(str(element.get("text", "")).strip() for element in [*_verdict(view)[:1], *_outcome(view)[:1]])
    return f"{one_line(view.preview.title, 300)} {done}"


def full_preview(view: CardView) -> Block:
    """Everything that a card folds away, as a modal.

    Slack's view holds 100 blocks and 250 KB; what would not fit is counted at the end.
    """
    return kit.modal("Everything", [kit.header(view.preview.title), *_within_limits(view)])


def _within_limits(view: CardView) -> Sequence[Block]:
    shown: list[Block] = []
    room, left_out = MODAL_BYTES, 0
    for text in _texts(view):
        room -= len(json.dumps(text))
        if room < 0 or len(shown) >= MODAL_BLOCKS - 2:
            left_out += len(text)
        else:
            shown.append(kit.section(text))
    return [*shown, kit.context(kit.small(f"… {left_out:,} more characters"))] if left_out else shown


def _texts(view: CardView) -> Iterable[str]:
    for field in view.preview.fields:
        yield from kit.pieces(_in_full(field)) or [" "]
    for text in (*view.preview.warnings, *view.preview.unchecked):
        yield from kit.pieces(plain(text))


def _in_full(field: Field) -> str:
    label = one_line(field.label, 60)
    if field.before is not None:
        return f"{label}, before:\n{plain(field.before)}\n{label}, after:\n{plain(field.value)}"
    return f"{label}:{chr(10) if field.long else ' '}{plain(field.value)}"
