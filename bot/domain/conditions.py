"""Conditions: what must hold before a transition, one named predicate each (docs/states.md §1–§3). Pure.

The tables say which transitions there are, `after` what a run does next, this module when a transition may be made. The
runtime asks here inside the transaction, after the row that guards the fact was locked. The explorer asks here too, and
takes conditions out one by one to see what breaks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.domain.actions import NOT_BEGUN, ActionState, Approval
from bot.domain.plans import MOST_ADDED
from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.runs import Run, RunState
from policies.types import Decision, EffectClass


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the conditions need to know of a run.

    `untaken` says that its requester wrote something that no model call has taken in yet; `step_open` that the step of
    the action in question is not closed (of a run by itself: that one of its steps is not); `held` that it was held
    back for one action, so that code stands in for the model; `child` that it does the work of another run's action.
    """

    state: RunState
    cancel_requested: bool = False
    hard_stop: bool = False
    stopping: bool = False
    request_deleted: bool = False
    untaken: bool = False
    step_open: bool = False
    held: bool = False
    child: bool = False

    @classmethod
    def of(cls, run: Run, *, untaken: bool = False, step_open: bool = False) -> Standing:
        """As the rows say it."""
        return cls(
            state=run.state,
            cancel_requested=run.cancel_requested,
            hard_stop=run.hard_stop is not None,
            stopping=run.stopping is not None,
            request_deleted=run.request_deleted,
            untaken=untaken,
            step_open=step_open,
            held=run.holds is not None,
            child=run.is_child,
        )


# Runs ---------------------------------------------------------------------------------------------------------


def thread_is_free(others: Iterable[RunState]) -> bool:
    """No other root run of the thread is planning or executing: then a queued one may begin."""
    return not any(state.holds_thread() for state in others)


def nothing_untaken(run: Standing) -> bool:
    """The model has seen all that its requester wrote."""
    return not run.untaken


def keeps_going(run: Standing) -> bool:
    """No soft stop: a text after one is the summary of a paused run, never its answer."""
    return not run.stopping


def may_complete(run: Standing) -> bool:
    """planning → completed."""
    return nothing_untaken(run) and keeps_going(run)


def is_unfinished(run: Standing) -> bool:
    """Something can still come of the run: it can be stopped, and its actions count for it."""
    return not run.state.is_final()


def follows_its_step(run: Standing, *, by_person: bool) -> bool:
    """`after` moves it: an ended run never, a paused one only with its owner: Continue, Ask again, a stop.

    Else what still comes in late, such as the outcome of a fenced attempt, is counted and the run rests.
    """
    return is_unfinished(run) and (run.state is not RunState.PAUSED or by_person or run.cancel_requested)


def is_paused(run: Standing) -> bool:
    """It stopped at a limit or by silence."""
    return run.state is RunState.PAUSED


def request_stands(run: Standing) -> bool:
    """What was asked was not deleted since."""
    return not run.request_deleted


def is_a_request(run: Standing) -> bool:
    """Its owner knows it as what they asked for; a child goes on with its request, or never."""
    return not run.child


def may_continue(run: Standing) -> bool:
    """paused → planning without an open step, else by `after`; clears the hard stop and the soft one."""
    return is_paused(run) and request_stands(run) and is_a_request(run)


# What was held back -------------------------------------------------------------------------------------------


def moment_has_come(not_before: datetime | None, now: datetime) -> bool:
    """queued → planning: a deferred run waits for its time."""
    return not_before is None or now >= not_before


def hears(run: Standing) -> bool:
    """What its requester says may be said to it; to a deferred run only while it asks."""
    return not run.held or run.state is RunState.AWAITING


def may_be_changed(run: Standing) -> bool:
    """A deferred action is done as it is, or not at all: nothing would wait for the time that an edit names."""
    return not run.held


def may_be_undone(run: Standing, action: ActionState) -> bool:
    """Undo of a deferred action: nothing of it was begun."""
    return is_unfinished(run) and action in NOT_BEGUN


# Claims -------------------------------------------------------------------------------------------------------


def is_executing(run: Standing) -> bool:
    """Its step is open and it does not wait for people alone."""
    return run.state is RunState.EXECUTING


def no_stop_asked(run: Standing) -> bool:
    """Nobody asked for its end."""
    return not run.cancel_requested


def no_hard_stop(run: Standing) -> bool:
    """No limit ended it."""
    return not run.hard_stop


def may_act(run: Standing) -> bool:
    """What the run itself says to a claim: it wants the action."""
    return is_executing(run) and no_stop_asked(run) and no_hard_stop(run)


def lets_through(decision: Decision) -> bool:
    """Policy, asked again at the claim, does not refuse."""
    return decision is not Decision.DENY


def is_allowed(decision: Decision, edition: int) -> bool:
    """Policy allows it without asking, and it was not edited: an edit is always shown to a person once more."""
    return decision is Decision.ALLOW and never_edited(edition)


def never_edited(edition: int) -> bool:
    """These are the arguments that the model proposed."""
    return edition == 1


def same_hash(voted: str, bound: str) -> bool:
    """The vote was on exactly this: arguments, basis, policy version and account."""
    return voted == bound


def within_life(expires_at: datetime, now: datetime) -> bool:
    """The approval still stands."""
    return now < expires_at


def covers(approval: Approval | None, bound: str, now: datetime) -> bool:
    """There is a vote on exactly this, and it still stands."""
    return approval is not None and same_hash(approval.hash, bound) and within_life(approval.expires_at, now)


def may_begin(decision: Decision, *, edition: int, covered: bool) -> bool:
    """Policy's share of a claim: not denied, and allowed or covered by a vote that stands."""
    return lets_through(decision) and (covered or is_allowed(decision, edition))


# Questions ----------------------------------------------------------------------------------------------------


def may_ask(run: Standing) -> bool:
    """planned → awaiting_confirmation; while a reply is untaken it is rejected instead: the reply comes first."""
    return nothing_untaken(run)


def is_open(question: QuestionState) -> bool:
    """Nobody decided it, and it was neither replaced, withdrawn nor left to expire."""
    return question is QuestionState.OPEN


def is_current(asked: int, edition: int) -> bool:
    """It asks about the present edition of the action."""
    return asked == edition


def in_time(expires_at: datetime, now: datetime) -> bool:
    """It has not expired, whether or not somebody wrote that down yet."""
    return now < expires_at


def may_decide(question: QuestionState, *, asked: int, edition: int) -> bool:
    """A click on this question counts. `in_time` is asked apart: what comes late is written down as expired."""
    return is_open(question) and is_current(asked, edition)


def may_edit(kind: QuestionKind, question: QuestionState, *, asked: int, edition: int, doubt: bool) -> bool:
    """awaiting_confirmation → planned by an edit: only what is asked to be approved, before it was.

    Never while an earlier attempt is in doubt: it may have been done as it was, and its key would hide the change.
    """
    return is_asked_to_approve(kind) and is_certain(doubt) and may_decide(question, asked=asked, edition=edition)


def is_asked_to_approve(kind: QuestionKind) -> bool:
    """Only what is shown to be approved, or confirmed, can be changed."""
    return kind in {QuestionKind.APPROVE, QuestionKind.PLAN}


def is_superseded(kind: QuestionKind) -> bool:
    """A reply that answers nothing rejects it; `answer` is answered by it, `connect` and `settle` stay open."""
    return kind is QuestionKind.APPROVE


def is_refined_by_reply(kind: QuestionKind) -> bool:
    """What its owner says in words is to change it: then it is proposed anew. “Yes” confirms nothing, “no” drops it."""
    return kind is QuestionKind.PLAN


def stays_confirmed(added: int) -> bool:
    """So few tasks were added or changed since its owner confirmed the plan that it is still the same; else they are
    asked about the rest.
    """
    return added <= MOST_ADDED


def is_answered_by_reply(kind: QuestionKind) -> bool:
    """What its owner says in words is an answer to it."""
    return kind is QuestionKind.ANSWER


def same_account(before: str | None, connected: str | None) -> bool:
    """An action asked about one account is not done with another one; the first connection is no other one."""
    return before is None or before == connected


def is_in_turn(user: str, waits_for: str) -> bool:
    """The person in turn is who decides."""
    return user == waits_for


def takes_back(user: str, owner: str, *, says_no: bool) -> bool:
    """Its owner may say no as long as others are asked."""
    return user == owner and says_no


def may_vote(user: str, *, owner: str, waits_for: str, says_no: bool) -> bool:
    """What this person says to a question counts."""
    return is_in_turn(user, waits_for) or takes_back(user, owner, says_no=says_no)


def turn_is_over(over_at: datetime | None, now: datetime) -> bool:
    """The person in turn said nothing in their time; None where nobody comes next."""
    return over_at is not None and now >= over_at


def decides_alone(others: Collection[object]) -> bool:
    """No others have to agree: only then a press may be an edit and a vote in one."""
    return not others


def can_move_again(run: Standing) -> bool:
    """It is paused, or its step still moves."""
    return run.state in {RunState.PAUSED, RunState.AWAITING, RunState.EXECUTING}


def step_is_open(run: Standing) -> bool:
    """The model has not been told yet what came of the step."""
    return run.step_open


def was_left(action: ActionState, *, question_open: bool) -> bool:
    """Nobody answered: it is expired, or unknown without a question about it."""
    return action is ActionState.EXPIRED or (action is ActionState.UNKNOWN and not question_open)


def may_ask_again(run: Standing, action: ActionState, *, question_open: bool) -> bool:
    """expired → planned, or a fresh `settle` question of an unknown one. Continue does this to all that was left."""
    stands = can_move_again(run) and step_is_open(run) and request_stands(run)
    return stands and no_stop_asked(run) and no_hard_stop(run) and was_left(action, question_open=question_open)


# Attempts -----------------------------------------------------------------------------------------------------


def may_send(deadline_at: datetime, now: datetime) -> bool:
    """An attempt puts nothing on the wire after its deadline.

    The sender keeps this and knows no rows (`integrations.base.Call.until`); it stands here for the explorer.
    """
    return now < deadline_at


def may_inquire(deadline_at: datetime | None, now: datetime) -> bool:
    """An effect is not repeated, reconciled or asked about before its deadline: it may still be under way.

    Kept by waiting until then (`bot.runtime.actions.reconcile`); it stands here for the explorer.
    """
    return deadline_at is None or now >= deadline_at


def is_repeatable(effect: EffectClass) -> bool:
    """Another attempt does no harm whatever became of this one: reads, and our own keyed writes."""
    return effect in {EffectClass.READ, EffectClass.OWN}


def may_repeat(run: Standing, decision: Decision, *, edition: int, covered: bool, attempt: int, most: int) -> bool:
    """executing → executing, under every condition of a claim; else a read failed, and an effect is unknown."""
    return may_act(run) and may_begin(decision, edition=edition, covered=covered) and attempts_left(attempt, most)


def attempts_left(attempt: int, most: int) -> bool:
    """It may begin once more."""
    return attempt < most


def is_certain(doubt: bool) -> bool:
    """No earlier attempt may have happened: then a refusal because the world changed, or of the credentials, is one."""
    return not doubt


def nothing_on_its_way(final: bool) -> bool:
    """Nothing of an attempt was sent that the provider could still act on: then “not done so far” is “not done”."""
    return final


def same_attempt(told: int, attempt: int) -> bool:
    """The outcome is of the action's present attempt."""
    return told == attempt


def may_take_late(action: ActionState, *, told: int, attempt: int) -> bool:
    """unknown → completed by the late word "done" of an attempt whose worker was fenced out meanwhile."""
    return action is ActionState.UNKNOWN and same_attempt(told, attempt)
