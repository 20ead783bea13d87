"""What those do who have to agree to an action: votes in turn, turns that end, people who leave, rules that change."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain import conditions as when
from bot.domain.actions import ActionState as S
from bot.domain.questions import QuestionState
from policies.deciders import have_agreed, next_reader
from tests.verification.explorer import circles, guards
from tests.verification.explorer.circles import ERIN, GWEN, MARA, NOBODY, OWNER, PEOPLE, RULES, TWO_OF_THREE, Circle
from tests.verification.explorer.moves import By, Event, closed, moved
from tests.verification.explorer.values import LATER, NOW, THEN, Act, Ask, Violation

_LEAVE = (MARA, ERIN, GWEN)


def asked_to_agree(act: Act, rules: int = TWO_OF_THREE) -> Act:
    """The same action under these rules."""
    return _under(act, Circle(rules))


def _under(act: Act, circle: Circle) -> Act:
    return act._replace(circle=circle, verdict=circle.judged.decision)


# The card -------------------------------------------------------------------------------------------------------------


def votes(act: Act, ask: Ask, circle: Circle) -> Iterator[Event]:
    """Anybody says yes or no to what asks to be approved."""
    for user in PEOPLE:
        if not guards.is_member(circle.away, user):
            continue
        facts = {"owner": OWNER, "waits_for": ask.round.waits_for}
        if when.may_vote(user, **facts, says_no=False) and guards.votes_once(ask.round.agreed, user):
            yield Event(f"yes of {user}", agreed(act, ask, circle, user), by=By.PERSON)
        if when.may_vote(user, **facts, says_no=True):
            _must_be_asked(act, ask, user, says_no=True)
            yield Event(f"no of {user}", moved(closed(act, QuestionState.DECIDED), S.REJECTED), by=By.PERSON)
    if ask.round.timed:
        _check_turn_lasts()
    if ask.round.reader and not guards.is_member(circle.away, ask.round.reader):
        yield Event("who left is not waited for", _passed_on(act, ask, circle, gone=True), by=By.TIME)
    elif ask.round.reader and when.turn_is_over(THEN if ask.round.timed else None, LATER):
        yield Event("the turn ends", _passed_on(act, ask, circle), by=By.TIME)


def agreed(act: Act, ask: Ask, circle: Circle, user: str) -> Act:
    """A yes to the hash that the card names: with the last one it is approved."""
    _must_be_asked(act, ask, user, says_no=False)
    act = act._replace(circle=circle._replace(said=circle.said | {(user, ask.hash)}))
    now = ask.round._replace(agreed=ask.round.agreed | {user})
    if OWNER in now.agreed and have_agreed(now.deciders, now.agreed, now.over):
        return moved(closed(act, QuestionState.DECIDED), S.APPROVED, vote=ask.hash, vote_over=False, agreed=now.agreed)
    return _passed_on(act, ask._replace(round=now), circle)


def _passed_on(act: Act, ask: Ask, circle: Circle, *, gone: bool = False) -> Act:
    """It is shown to the next one who may decide; with too few of them it is judged again, unless its reader is there
    and only said nothing.
    """
    now, over = ask.round, set(ask.round.over)
    while (reader := next_reader(now.deciders, now.agreed, over)) is not None:
        if guards.is_member(circle.away, reader):
            break
        over.add(reader)
    if reader is not None:
        timed = next_reader(now.deciders, now.agreed, {*over, reader}) is not None
        shown = now._replace(shown=(*now.shown, reader), reader=reader, timed=timed)
        return _checked(act._replace(ask=ask._replace(round=shown)))
    if now.waits_for not in now.agreed and not gone:  # those who came next left meanwhile: this one is waited for
        return act._replace(ask=ask._replace(round=now._replace(timed=False)))
    return moved(closed(act, QuestionState.REPLACED), S.PLANNED)


# What must hold -------------------------------------------------------------------------------------------------------


def _check_turn_lasts() -> None:
    if when.turn_is_over(THEN, NOW):
        raise Violation("a turn ended before its time")


def _must_be_asked(act: Act, ask: Ask, user: str, *, says_no: bool) -> None:
    """Whoever decides is asked at the moment; its owner may say no until the last one did."""
    now = ask.round
    if act.circle is not None and user != OWNER and user in act.circle.away:
        raise Violation("somebody decided who may not")
    if user in now.agreed and not says_no:
        raise Violation("somebody said yes twice")
    if user == OWNER and (says_no or not now.shown):
        return
    if user not in now.shown:
        raise Violation("somebody decided who was not asked")
    if user != now.shown[-1] or user == OWNER:
        raise Violation("somebody decided whose turn it was not")


def _checked(act: Act) -> Act:
    """A card as it was just shown to the next one."""
    assert act.ask is not None
    assert act.circle is not None
    now = act.ask.round
    if OWNER not in now.agreed:
        raise Violation("a card was shown to somebody before its owner agreed")
    reader = now.shown[-1]
    if reader in act.circle.away:
        raise Violation("a card was shown to somebody who may not decide")
    if reader in now.shown[:-1]:
        raise Violation("a card was shown to the same person twice")
    if not circles.may_be_asked(now.rules, reader):
        raise Violation("somebody was asked to agree who may not")
    if not circles.is_wanted(now.rules, reader, now.agreed):
        raise Violation("a card was shown to more people than have to agree")
    return act


# The world ------------------------------------------------------------------------------------------------------------


def of_the_world(act: Act, circle: Circle) -> Iterator[Event]:
    """People leave and come back, and rules change to the next ones, or are taken away: nothing of this is its row."""
    for user in _LEAVE:
        came = user in circle.away
        away = circle.away - {user} if came else circle.away | {user}
        yield _quiet(f"{user} {'comes back' if came else 'leaves'}", _under(act, circle._replace(away=away)))
    for rules in {NOBODY, (circle.rules + 1) % len(RULES)}:
        if rules != circle.rules:
            yield _quiet("the rules change", _under(act, circle._replace(rules=rules)))


def _quiet(name: str, act: Act) -> Event:
    return Event(name, act, by=By.WORLD, cost=1, commit=False)
