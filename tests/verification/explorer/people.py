"""What people do about one action: clicks, doubled and late ones too, edits, connecting, and saying nothing."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain import conditions as when
from bot.domain.actions import ActionState as S
from bot.domain.conditions import Standing
from bot.domain.questions import QUESTION_MOVES, QuestionKind, QuestionState
from bot.domain.states import check_move
from policies.types import Decision
from tests.verification.explorer import agreement
from tests.verification.explorer.moves import By, Event, asked, closed, moved
from tests.verification.explorer.values import LATER, MOST_ATTEMPTS, MOST_EDITIONS, THEN, Act, Ask, Violation


def events(run: Standing, act: Act) -> Iterator[Event]:
    """What people can do about this action."""
    if act.ask is not None:
        yield from _about(run, act, act.ask)
        yield Event("nobody answered", expired(act), by=By.TIME, cost=1)
    if act.child is None and when.may_ask_again(run, act.state, question_open=act.ask is not None):
        again = again_asked(act)
        yield Event("ask again", again, by=By.PERSON, cost=1, revives=True)


def _about(run: Standing, act: Act, ask: Ask) -> Iterator[Event]:
    check_in_time()
    if when.may_decide(QuestionState.OPEN, asked=ask.edition, edition=act.edition):
        yield from _clicks(act, ask)
        if when.is_answered_by_reply(ask.kind):
            yield _person("answered in words", moved(closed(act, QuestionState.DECIDED), S.COMPLETED))
    facts = {"asked": ask.edition, "edition": act.edition}
    may_edit = when.may_be_changed(run) and when.may_edit(ask.kind, QuestionState.OPEN, **facts, doubt=act.doubt)
    if act.edition < MOST_EDITIONS and may_edit:
        yield _person("edited", edited(act), cost=1)
        for later in (False, True)[: _variants(act, ask)]:
            yield _person("edited with an approval", approved_otherwise(act, ask, later=later), cost=1)
    if act.state is S.AWAITING and act.verdict is Decision.DENY and act.circle is None:
        yield Event("denied meanwhile", moved(closed(act, QuestionState.WITHDRAWN), S.DENIED))


def _variants(act: Act, ask: Ask) -> int:
    """How many ways a card offers besides: none where others have to agree."""
    if not when.decides_alone(ask.round.deciders):
        return 0
    return 2 if act.kind.can_reconcile else 1


def check_in_time() -> None:
    """A click on what has expired is written down as that, so it is no other event than "nobody answered"."""
    if when.in_time(THEN, LATER):
        raise Violation("a question was decided after it had expired")


def _person(name: str, act: Act, cost: int = 0) -> Event:
    return Event(name, act, by=By.PERSON, cost=cost)


def _clicks(act: Act, ask: Ask) -> Iterator[Event]:
    check_move("question", QUESTION_MOVES, QuestionState.OPEN, QuestionState.DECIDED)
    decided = closed(act, QuestionState.DECIDED)
    match ask.kind:
        case QuestionKind.APPROVE if act.circle is not None:
            yield from agreement.votes(act, ask, act.circle)
        case QuestionKind.APPROVE:
            yield _person("approved", approved(decided, ask))
            yield _person("rejected", moved(decided, S.REJECTED))
        case QuestionKind.ANSWER:
            yield _person("answered", moved(decided, S.COMPLETED))
        case QuestionKind.CONNECT:
            yield from _connected(act, decided)
        case QuestionKind.SETTLE:
            yield from _settled(decided, ask)
        case _:
            raise Violation(f"nobody knows what {ask.kind.value} asks")


def approved(act: Act, ask: Ask) -> Act:
    """A vote on the hash that the question names."""
    return moved(act, S.APPROVED, vote=ask.hash, vote_over=False, really_voted=act.really_voted | {ask.hash})


def _connected(act: Act, decided: Act) -> Iterator[Event]:
    for account, cost in (("first", 0), ("another", 1))[: 2 if act.account else 1]:
        if when.same_account(act.account, account):
            linked = moved(decided, S.PLANNED, linked=True, account=account)
            yield _person(f"connected {account}", linked, cost)
        else:
            yield _person("connected another account", moved(decided, S.REJECTED), cost)


def _settled(decided: Act, ask: Ask) -> Iterator[Event]:
    """The owner looks, and tells what they see; or takes the doubt, and has it tried once more."""
    if decided.really_did:
        yield _person("it happened", moved(decided, S.COMPLETED, doubt=False))
    else:
        yield _person("it did not happen", moved(decided, S.FAILED, doubt=False, way=None))
    if decided.attempt < MOST_ATTEMPTS:
        again = approved(decided, ask)
        yield _person("try again", again._replace(tries=again.tries + 1), cost=1)


def edited(act: Act) -> Act:
    """Other arguments: the question is replaced, the votes are dropped."""
    replaced = closed(act, QuestionState.REPLACED)
    return moved(replaced, S.PLANNED, edition=act.edition + 1, vote=None, vote_over=False)


def approved_otherwise(act: Act, ask: Ask, *, later: bool) -> Act:
    """What the card offers besides: other arguments, maybe for later, and a vote on what it becomes with them.

    Whoever was asked something else has approved nothing, whatever is written down.
    """
    decided = moved(closed(act, QuestionState.DECIDED), S.PLANNED, edition=act.edition + 1, later=later)
    meant = {decided.alone} if ask.kind is QuestionKind.APPROVE else set[str]()
    return decided._replace(vote=decided.alone, vote_over=False, really_voted=act.really_voted | meant)


def superseded(act: Act) -> Act:
    """A reply that answers nothing: what was to be approved is rejected with it, and a plan is to be changed."""
    if act.ask is None:
        return act
    if when.is_refined_by_reply(act.ask.kind):
        return moved(closed(act, QuestionState.REPLACED), S.REJECTED)
    if not when.is_superseded(act.ask.kind):
        return act
    return moved(closed(act, QuestionState.WITHDRAWN), S.REJECTED)


def is_answered_by_reply(act: Act) -> bool:
    """A reply answers an open `answer` question, as a click on it would, and supersedes nothing."""
    return act.ask is not None and when.is_answered_by_reply(act.ask.kind)


def expired(act: Act) -> Act:
    """Its question expires: its action with it, an unknown one stays unknown."""
    quiet = closed(act, QuestionState.EXPIRED)
    return moved(quiet, S.EXPIRED) if act.state is S.AWAITING else quiet


def again_if_left(act: Act) -> Act:
    """Continue asks again whatever nobody answered; what an agent asked is asked again in its own run."""
    left = act.child is None and when.was_left(act.state, question_open=act.ask is not None)
    return again_asked(act) if left else act


def again_asked(act: Act) -> Act:
    """What was left is asked again."""
    if act.state is S.EXPIRED:
        return moved(act, S.PLANNED)
    return asked(act, QuestionKind.SETTLE)
