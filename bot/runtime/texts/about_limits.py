"""What is said of limits: to the model, so that it knows which one it was, and to people, who read what to do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.domain.limits import Budget, DailyBudgets, Limit, next_day
from bot.domain.runs import Run
from bot.runtime.texts import to_people
from bot.runtime.texts.about_times import moment, to_the_second

CIRCLE = (
    "[Note: you repeat the same few calls, and their results stay the same. Another round brings nothing new: try "
    "another approach, or answer with what you know.]"
)
DEADLINE_OVER = "The deadline is over, so I began nothing more."
NO_BREAK = "\N{NO-BREAK SPACE}"
_CENT = 10_000
ASKS_FOR_ANOTHER = "“Continue” asks for a new one."
_USED_UP = "is used up, so I stopped here."
_MODEL_NEAR = "[Note: most of {what} is used. Come to an end with as few further steps as you can.]"


def reached(limit: Limit, run: Run) -> str:
    """To people: which limit of one request, or of one plan, it was."""
    most, whole = amount(limit, run.limits.of(limit) or 0), "this plan" if run.is_plan else "one request"
    match limit:
        case Limit.STEPS:
            return to_people.STEP_LIMIT
        case Limit.ACTIVE:
            return f"I worked on this for {most}, which is the limit for {whole}, and stopped here."
        case Limit.TOKENS | Limit.COST:
            return f"I used up {most}, which is the limit for {whole}, and stopped here."
        case Limit.EFFECTS:
            return f"I reached the limit of {most} for {whole} and stopped here. Nothing beyond it was done."
        case Limit.RECIPIENTS:
            lead = f"{whole.capitalize()} may reach {most}, so I stopped here."
            return f"{lead} Nothing that would have reached more was done."
        case Limit.CARDS:
            return f"{whole.capitalize()} may ask you for {most}, so I stopped here. Nothing beyond that was done."


def amount(limit: Limit, most: int) -> str:
    """So much of it, in words."""
    match limit:
        case Limit.STEPS:
            return _many(most, "step")
        case Limit.ACTIVE:
            return _many(most // 60_000, "minute") if most % 60_000 == 0 else _many(most / 1000, "second")
        case Limit.TOKENS:
            return _tokens(most)
        case Limit.COST:
            return money(most)
        case Limit.EFFECTS:
            return _many(most, "change")
        case Limit.RECIPIENTS:
            return "one address" if most == 1 else f"at most {most} different addresses"
        case Limit.CARDS:
            return f"at most {_many(most, 'approval')}"


def exhausted(budget: Budget, budgets: DailyBudgets, now: datetime, zone: str) -> str:
    """To people: the budget of the day is used up, and when it is fresh again. One of changes or recipients may have
    some left, but not enough for what was to be done.
    """
    state = "has no room for more, so I stopped here. Nothing beyond it was done." if budget.is_of_places else _USED_UP
    return f"{_whose(budget)} budget for today ({_of_day(budget, budgets)}) {state} {_fresh(now, zone)}"


def no_room(budget: Budget, budgets: DailyBudgets, now: datetime, zone: str) -> str:
    """To the model: why this call was not executed, where it is the day that has no place for it."""
    which = f"{_whose(budget).lower()} budget for today ({_of_day(budget, budgets)})"
    return f"This was not executed and nobody was asked: {which} has no room for it. {_fresh(now, zone)}"


def near(names: Sequence[str], run: Run, budgets: DailyBudgets, now: datetime, zone: str) -> str:
    """To people, under the answer: what is used up soon."""
    return "\n".join(f"_{_near(name, run, budgets, now, zone)}_" for name in names)


def _near(name: str, run: Run, budgets: DailyBudgets, now: datetime, zone: str) -> str:
    if name in set(Limit):
        limit = Limit(name)
        return f"This request has used more than 80 % of its limit ({amount(limit, run.limits.of(limit) or 0)})."
    budget = Budget(name)
    return (
        f"More than 80 % of {_whose(budget).lower()} budget for today ({_of_day(budget, budgets)}) is used. "
        f"{_fresh(now, zone)}"
    )


def nearly(names: Sequence[str]) -> str:
    """To the model: what is used up soon."""
    return _MODEL_NEAR.format(what=" and ".join(_MODEL_NAMES[name] for name in names))


_MODEL_NAMES = {
    Limit.TOKENS.value: "the tokens of this request",
    Limit.COST.value: "the money for this request",
    Budget.USER_TOKENS.value: "the person’s tokens for today",
    Budget.USER_COST.value: "the person’s money for today",
    Budget.USER_EFFECTS.value: "what the person may have changed today",
    Budget.USER_RECIPIENTS.value: "whom the person may have written to today",
    Budget.WORKSPACE_TOKENS.value: "the workspace’s tokens for today",
    Budget.WORKSPACE_COST.value: "the workspace’s money for today",
    Budget.WORKSPACE_EFFECTS.value: "what the workspace may have changed today",
    Budget.WORKSPACE_RECIPIENTS.value: "whom the workspace may have written to today",
}


def soft_stop(reason: str, *, ending_tool: str | None = None) -> str:
    """To the model: tools are off, one word more; that of an agent is its result, as its `ending_tool` takes it."""
    wanted = _RESULT.format(tool=ending_tool) if ending_tool else _SUMMARY
    return (
        f"The limit of this request is reached; the person will read: “{reason}” Tools are off. {wanted} Do not claim "
        "anything that no tool result above shows."
    )


_SUMMARY = "Summarise in a few sentences what was done, what was not done, and what the person can do next."
_RESULT = (
    "Answer with your result as far as it goes: with what you would hand over by {tool}, and nothing else. Where there "
    "is room for words, say what is missing. If you have nothing of that form, summarise in a few sentences what was "
    "done and what was not."
)


def no_place(limit: Limit, run: Run) -> str:
    """To the model: why this call was not executed."""
    most = amount(limit, run.ceiling.of(limit) or 0)
    return f"This was not executed and nobody was asked: this request is limited to {most}."


def too_many(request: Run) -> str:
    """Why a person is asked about what reaches more than one request may by itself."""
    most = amount(Limit.RECIPIENTS, request.limits.recipients or 0)
    return f"One request may reach {most} unasked, and this alone reaches more."


def waits(per_minute: int, begins_at: datetime, zone: str) -> str:
    """To people: a message that begins a little later."""
    return (
        f"I take at most {per_minute} requests a minute from one person. This one begins at "
        f"{to_the_second(begins_at, zone)} ({zone}); “stop” takes it back."
    )


def too_fast(per_minute: int, again_at: datetime, offered_at: datetime | None = None, *, zone: str) -> str:
    """To people: a message that started nothing, and changed nothing of what is under way; where it is kept, with the
    moment at which a button offers to send it.
    """
    lead = f"I take at most {per_minute} requests a minute from one person, so I did not take this one."
    if offered_at is None:
        again = f"{to_the_second(again_at, zone)} ({zone})"
        return f"{lead} Please send it again after {again}; I do not take anything new before that."
    offer = f"At {to_the_second(offered_at, zone)} ({zone}) I offer it to you again in our direct messages."
    return f"{lead} I do not take anything new before {to_the_second(again_at, zone)}. {offer}"


def dropped(count: int) -> str:
    """To people: what a “stop” did to what was not taken."""
    return f"{_UNTAKEN_ONE if count == 1 else _UNTAKEN_MANY.format(count=count)} not offered to you again."


_UNTAKEN_ONE = "Stopped: the message that came too fast is"
_UNTAKEN_MANY = "Stopped: the {count} messages that came too fast are"
OFFER_OVER = (
    "Nothing is left of this to take: it was taken already, stopped, deleted, or offered more than a day ago. Send me "
    "again what you still need."
)


def press_again(per_minute: int, again_at: datetime, zone: str) -> str:
    """To people: the same of a window that stays open."""
    return (
        f"I take at most {per_minute} requests a minute from one person. Press the button again after "
        f"{to_the_second(again_at, zone)} ({zone})."
    )


def interrupted(partial: str) -> str:
    """To people, under the words about a stop: the answer as far as it was written."""
    return "\n".join(["", "", "What I had written by then:", *(f"> {line}" for line in partial.splitlines())])


def _fresh(now: datetime, zone: str) -> str:
    return f"A new one starts on {moment(next_day(now), zone)} ({zone})."


def _whose(budget: Budget) -> str:
    return "This workspace’s" if budget.is_of_workspace else "Your"


def _of_day(budget: Budget, budgets: DailyBudgets) -> str:
    most = budgets.most(budget) or 0
    if budget.limit is Limit.RECIPIENTS:
        return "one address" if most == 1 else f"{most} different addresses"
    return amount(budget.limit, most)


def _many(count: float, what: str) -> str:
    return f"{count:g} {what}" if count == 1 else f"{count:g} {what}s"


def _tokens(count: int) -> str:
    return f"{count:,} tokens of the language model"


def money(micros: int) -> str:
    """An amount that no line end parts from its currency; less than a cent has all its digits."""
    digits = f"{micros / 1_000_000:.6f}".rstrip("0") if 0 < micros < _CENT else f"{micros / 1_000_000:.2f}"
    return f"US${NO_BREAK}{digits}"


def spent(micros: int) -> str:
    """What was spent at most, in whole cents."""
    return f"at most {money(-(-micros // _CENT) * _CENT)}"
