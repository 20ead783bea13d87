"""Several deciders on a card: who the owner's yes leads to, how far that is, and the window for a no with a reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from bot.domain.questions import Choice, QuestionState
from bot.runtime.delivery.views import CardView
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element
from bot.slack.views.form import FIELD, FormCard
from bot.slack.views.plain import one_line
from policies.deciders import Approver, Deciders

WHY = "why"  # the block of the reason
REASON_LIMIT = 1_000


def lead(view: CardView) -> Sequence[Block]:
    """On the card of somebody who has to agree: whose request it is."""
    if not view.shown_to:
        return []
    is_needed = any(view.shown_to in one.people and one.needs_all for one in view.deciders)
    asks = "You have to agree, too" if is_needed else "Others have to agree, too, and now you are asked"
    approvers = [one for deciders in view.deciders for one in deciders.approvers]
    absent = [[kit.person(one.user)] for one in approvers if one.stand_in == view.shown_to]
    instead = [kit.words(" You stand in for "), *_listed(absent, "and"), kit.words(".")] if absent else []
    said = kit.words(f" asks for this and agreed to it. {asks}.")
    return [kit.paragraph(kit.person(view.place.user), said, *instead)]


def is_passed_on(view: CardView) -> bool:
    """Whether the turn of the person who sees this card ended without a word of theirs."""
    return bool(view.shown_to) and view.reader != view.shown_to and _said(view) is None


def _said(view: CardView) -> Choice | None:
    return next((one.said for one in view.readers if one.user == view.shown_to), None)


def others(view: CardView) -> Sequence[Block]:
    """On its owner's card: who has to agree after them, named before they say yes; then how far that is."""
    if view.shown_to or not view.deciders:
        return []
    if not view.readers:
        return [kit.rich(*(kit.line(kit.words("After you, "), *_of(each)) for each in view.deciders))]
    return [kit.paragraph(kit.words("You agreed. "), *_so_far(view), *_asked_now(view))]


def waits(view: CardView) -> Sequence[Block]:
    """In the place of the buttons, for somebody who was shown it and whose turn it is not any more."""
    yours = "You agreed. " if _said(view) is Choice.APPROVE else "Your turn is over. "
    return [kit.paragraph(kit.words(yours), *_asked_now(view))]


def is_in_turn(view: CardView) -> bool:
    """Whether it waits for the person who sees this card."""
    return (view.reader or view.place.user) == (view.shown_to or view.place.user)


def by(view: CardView) -> Sequence[Element]:
    """Who decided: of an approval everybody whose yes it took, in the order in which they said it."""
    users = [view.decided_by] if view.decided_by else []
    if view.state is QuestionState.DECIDED and view.deciders and view.decision is Choice.APPROVE:
        users = [view.place.user, *(one.user for one in view.readers if one.said is Choice.APPROVE)]
    return [kit.words(" by "), *_listed([[kit.person(user)] for user in users], "and")] if users else []


def why(view: CardView) -> Sequence[Element]:
    """On a card that somebody else than its owner rejected: the reason that they gave."""
    is_others = view.state is QuestionState.DECIDED and view.deciders and view.decided_by != view.place.user
    given = is_others and view.decision is Choice.REJECT and view.said
    return [kit.words(f"“{one_line(view.said, REASON_LIMIT)}”")] if given else []


def _so_far(view: CardView) -> Sequence[Element]:
    agreed = [[kit.person(one.user)] for one in view.readers if one.said is Choice.APPROVE]
    return [*_listed(agreed, "and"), kit.words(" agreed, too. ")] if agreed else []


def _asked_now(view: CardView) -> Sequence[Element]:
    return [kit.words("Now it waits for "), kit.person(view.reader), kit.words(".")] if view.reader else []


def _of(deciders: Deciders) -> Sequence[Element]:
    """So many of these."""
    named = [_approver(one) for one in deciders.approvers]
    if len(named) == 1:
        return [*named[0], kit.words(" has to agree, too, and sees this card.")]
    if deciders.needed == 1:
        enough = " has to agree, too: one yes is enough. The next is asked only where the one before says nothing."
        return [kit.words("one of "), *_listed(named, "and"), kit.words(enough)]
    some = [kit.words(f"{deciders.needed} of ")] if deciders.needed < len(named) else []
    return [*some, *_listed(named, "and"), kit.words(" have to agree, too. They see this card one after the other.")]


def _approver(one: Approver) -> Sequence[Element]:
    instead = [kit.words(" (else "), kit.person(one.stand_in), kit.words(")")] if one.stand_in else []
    return [kit.person(one.user), *instead]


def _listed(named: Sequence[Sequence[Element]], word: str) -> Sequence[Element]:
    """`a, b and c`."""
    listed: list[Element] = []
    for n, one in enumerate(named):
        between = "" if n == 0 else f" {word} " if n == len(named) - 1 else ", "
        listed += [*([kit.words(between)] if between else []), *one]
    return listed


def reject_form(card: FormCard) -> Block:
    """The window in which somebody who has to agree says why not; `card` comes back with it."""
    text: Element = {"type": "plain_text_input", "multiline": True, "max_length": REASON_LIMIT}
    why = kit.field(WHY, "Why not?", text, action=FIELD)
    tells = "The person who asked for it reads this, and so does the model that works for them."
    question_id, _, _ = card.value.partition(".")
    blocks = [why, kit.context(kit.small(tells), kit.card_code(question_id))]
    return kit.window("Reject", blocks, submit="Reject", callback=ids.REJECT_FORM, kept=json.dumps(asdict(card)))


def not_rejected(text: str) -> Block:
    """In the window's place, why nothing was rejected, as `command.said` has it."""
    return kit.modal("Not rejected", [kit.marked(text)])
