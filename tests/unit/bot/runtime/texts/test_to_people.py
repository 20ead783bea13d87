"""What people are told: what was done and what was not, at a limit too, and never an exception's text."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.actions import UNDONE, ActionState
from bot.domain.limits import DEFAULT_LIMITS, Budget, DailyBudgets, Limit, Limits, Rate
from bot.domain.threads import Surface
from bot.llm.model import ModelError
from bot.runtime.delivery.answer import action_line
from bot.runtime.delivery.views import NoticeView
from bot.runtime.limits import rate_limit
from bot.runtime.limits.rate_limit import TooFast
from bot.runtime.texts import about_limits, about_times, to_model, to_people
from bot.slack.views.notices import notice
from bot.slack.views.plain import markdown_line
from integrations.errors import Lack
from policies.types import Decision, EffectClass, Verdict
from tests import builders as make
from tests.builders import NOW
from tests.unit.bot.slack import cases


@pytest.mark.parametrize("state", ActionState)
def test_doubt_is_always_said(state: ActionState) -> None:
    """Whatever became of an action, an attempt that may have happened is mentioned."""
    told = to_people.outcome(make.action(state=state, attempt=2, doubt=True))
    assert "may have happened" in told or "not known whether this happened" in told
    assert "attempt 2" not in to_people.outcome(make.action(state=state, attempt=2))
    assert "attempt 2 may have happened" in str(to_model.cancelled(make.action(attempt=2, doubt=True))).lower()


def test_only_what_was_done_is_called_done() -> None:
    """No state but completed is told as done."""
    done = {state for state in ActionState if to_people.outcome(make.action(state=state)) == "done"}
    assert done == {ActionState.COMPLETED}


def test_only_what_was_denied_is_beyond_a_limit() -> None:
    """A limit of the request or of the day had no place for it; what is asked about because of a limit has an end of
    its own.
    """
    for rule in (Limit.CARDS.rule, Budget.USER_EFFECTS.rule):
        verdict = Verdict(decision=Decision.DENY, rule=rule, reason="")
        refused = make.action(state=ActionState.DENIED, verdict=verdict)
        assert to_people.outcome(refused) == "not done, it is beyond the limit"
        assert action_line(refused).beyond_limit
    asked = Verdict(decision=Decision.ASK, rule=Limit.RECIPIENTS.rule, reason="")
    rejected = make.action(state=ActionState.REJECTED, verdict=asked)
    assert to_people.outcome(rejected) == "not done, you rejected it"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (to_model.rejected(""), "not done, you rejected it"),
        (to_model.superseded(), "not done, you replied in words"),
        (to_model.rejected_by_other("Too late."), "not done, somebody who had to agree said no"),
        (to_model.other_account(), "not done, another account is connected"),
        (to_model.not_connected_now(), "not done, you did not want to connect an account for it or to allow more"),
    ],
)
def test_only_who_said_no_is_told_that_they_did(told: dict[str, Any], said: str) -> None:
    assert to_people.outcome(make.action(state=ActionState.REJECTED, response=told)) == said


def test_what_a_deadline_kept_from_being_done_is_not_told_as_a_no_of_policy() -> None:
    for told, said in (
        (to_model.error("after_deadline", "Too late."), "not done, the deadline was over"),
        (to_model.denied("No."), "not done, policy does not allow it"),
    ):
        assert to_people.outcome(make.action(state=ActionState.DENIED, response=told)) == said


def test_a_limit_of_less_than_a_cent_has_its_digits() -> None:
    """It would be US$ 0.00 otherwise."""
    amounts = {4_000: "0.004", 125: "0.000125", 10_000: "0.01", 500_000: "0.50", 0: "0.00"}
    assert {micros: about_limits.money(micros) for micros in amounts} == {
        micros: f"US$\N{NO-BREAK SPACE}{said}" for micros, said in amounts.items()
    }


def test_the_ledger_tells_of_changes_first() -> None:
    """A line for each side effect; when there was none, the last things looked at, and how many were before."""
    sent = make.action(caption="Send", state=ActionState.COMPLETED)
    looked = [make.action(caption=f"Look {n}", effect=EffectClass.READ, state=ActionState.COMPLETED) for n in range(9)]
    assert to_people.ledger([*looked, sent]) == ["• Send: done"]
    last = [f"• Look {n}: done" for n in range(4, 9)]
    assert to_people.ledger(looked) == ["• 4 other lookups before", *last]
    assert to_people.ledger(looked[4:]) == last
    assert to_people.joined("Stopped.", ["• Send: done"]) == "Stopped.\n• Send: done"
    assert to_people.joined("Stopped.", []) == "Stopped. Nothing was changed."


def test_what_was_done_is_told_as_its_card_tells_it() -> None:
    """A mail is “Sent …” everywhere, and a reminder has its time, with or without a mail beside it."""
    sent = make.action(caption="Send “A” to B", summary="Sent “A” to B", state=ActionState.COMPLETED)
    own = EffectClass.OWN
    kept = make.action(caption="Reminder “a”", summary="set\nfor 9", effect=own, state=ActionState.COMPLETED)
    assert to_people.ledger([kept, sent]) == ["• Reminder “a”: set for 9", "• Sent “A” to B"]
    assert to_people.ledger([kept]) == ["• Reminder “a”: set for 9"]
    assert to_people.in_captions([kept, sent]) == ["Reminder “a”: done", "Send “A” to B: done"]
    in_doubt = replace(sent, doubt=True, attempt=1)
    assert to_people.ledger([in_doubt]) == ["• Send “A” to B: done (attempt 1 may have happened)"]


def test_stars_that_a_person_typed_are_no_marks_in_an_answer() -> None:
    """The answer of a stop is Markdown, which shows them; the error of a failure is none, and has them as they are."""
    action = make.action(caption="Send “*now* it_is ready” to _Dana_", state=ActionState.CANCELLED)
    said = to_people.stopped([action])
    assert r"“\*now\* it_is ready” to \_Dana\_" in said
    assert "“*now* it_is ready” to _Dana_" in markdown_line(said, 300)
    assert "“*now* it_is ready” to _Dana_" in to_people.run_failed(make.run(), [action])


def test_a_task_that_came_to_its_end_is_told_to_whoever_tries_again() -> None:
    """Also where it changed nothing, or another one did: it must not be done twice. One that failed is not."""
    ended = make.action(caption="1. Look", effect=EffectClass.READ, state=ActionState.COMPLETED, child="run_2")
    failed = replace(ended, id="act_2", caption="2. Ask", state=ActionState.FAILED, child="run_3")
    sent = make.action(id="act_3", caption="Send", run_id="run_3", state=ActionState.COMPLETED)
    assert to_people.in_captions([ended, failed, sent]) == ["1. Look: done", "Send: done"]
    assert to_people.ledger([ended, failed, sent]) == ["• Send: done"]


def test_what_is_kept_here_is_told_as_its_own_line_tells_it() -> None:
    """With its name in front, once; what was undone says that alone."""
    kept = make.action(caption="Reminder “a”", summary="set for 9", effect=EffectClass.OWN, state=ActionState.COMPLETED)
    for action in (kept, replace(kept, undo=UNDONE, summary="Reminder “a”: undone, so it will not come any more.")):
        shown = notice(NoticeView(place=cases.place(), action=action_line(action)))
        assert to_people.ledger([action]) == [f"• {shown.text}"]


def test_what_was_undone_is_not_called_done() -> None:
    """Its line says so, and the model hears it."""
    undone = make.action(caption="Remember “a”", effect=EffectClass.OWN, state=ActionState.COMPLETED, undo=UNDONE)
    assert to_people.in_captions([undone]) == ["Remember “a”: undone"]
    assert to_people.ledger([replace(undone, summary="Forgotten.")]) == ["• Forgotten."]


def test_unknown_tools_are_named_briefly() -> None:
    """At most three names, each cut: what the model invents is not repeated at length."""
    told = to_people.unknown_tool(["x" * 500, "b", "c", "d"])
    assert "“b”, “c”" in told
    assert "“d”" not in told
    assert len(told) < 400


def test_a_defect_is_told_with_an_id_to_quote() -> None:
    """Never an exception's text; the run's id."""
    run = make.run()
    assert run.id in to_people.run_failed(run, [])


def test_a_model_that_refuses_is_told_without_its_own_words() -> None:
    """Whatever the error says, people read that the request was refused and what to do."""
    told = to_people.model_failed(ModelError("400 INVALID_ARGUMENT"), Surface.SLACK)
    assert told.startswith("The language model refused this request, so I stopped. Please try it again")
    assert "400" not in told


def test_an_account_may_have_been_connected_before() -> None:
    """Right after disconnecting nobody is told that nothing was connected yet."""
    _, _, why = to_people.CONNECT_CARDS[Lack.ACCOUNT]
    assert "yet" not in why


# Moments and stretches of time -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(days=3, hours=12), "4 days"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(hours=12), "12 hours"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(seconds=-5), "less than a minute"),
    ],
)
def test_what_is_left_is_said_in_the_largest_unit_that_fits(span: timedelta, said: str) -> None:
    """Rounded, and never negative."""
    assert about_times.left(span) == said


def test_a_day_has_no_zero_before_it() -> None:
    at = datetime(2026, 12, 1, 1, 46, tzinfo=UTC)
    assert about_times.without_zone(at, "UTC") == "Tue 1 Dec 2026, 01:46"
    assert about_times.short(at, "UTC") == "Tue 1 Dec 2026, 01:46 UTC"
    assert about_times.with_zone(at, "UTC") == "Tue 1 Dec 2026, 01:46 (UTC)"


def test_a_moment_is_said_in_somebodys_own_zone() -> None:
    """And in UTC when the zone is not known."""
    assert about_times.moment(NOW, "Europe/Berlin") == "Saturday 21 November at 10:30"
    assert about_times.moment(NOW, "Gone/City") == "Saturday 21 November at 09:30"


# What is said at a limit -------------------------------------------------------------------------------------------


PAGE = (Path(__file__).parents[5] / "docs" / "limits.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("limit", [limit for limit in Limit if limit is not Limit.COST])
def test_the_page_quotes_what_people_read(limit: Limit) -> None:
    """Each limit has its own first words, and docs/limits.md has them as they are."""
    assert f"| {about_limits.reached(limit, make.run(limits=DEFAULT_LIMITS))} |" in PAGE


def test_the_page_quotes_a_refusal_and_a_budget() -> None:
    """The two ends that name a moment are quoted up to it."""
    budgets = DailyBudgets(user_cost=5_000_000)
    told = about_limits.exhausted(Budget.USER_COST, budgets, NOW, "Europe/London")
    quoted = told.partition(" Sunday")[0].replace(about_limits.NO_BREAK, " ")
    assert f"| {quoted} … |" in PAGE
    figures = rate_limit.figures(Rate(per_minute=20, burst=20), TooFast(again_at=NOW, told=False))
    assert f"| {rate_limit.words_of(figures, 'UTC').partition(' 09:30')[0]} … |" in PAGE
    kept = re.sub(r"\d\d:\d\d:\d\d( \(UTC\))?", "…", rate_limit.words_of((*figures, figures[1] + 60), "UTC"))
    assert f"| {kept} |" in PAGE


@pytest.mark.parametrize(
    ("limit", "most", "words"),
    [
        (Limit.STEPS, 1, "1 step"),
        (Limit.ACTIVE, 600_000, "10 minutes"),
        (Limit.ACTIVE, 60_000, "1 minute"),
        (Limit.ACTIVE, 1_500, "1.5 seconds"),
        (Limit.TOKENS, 200_000, "200,000 tokens of the language model"),
        (Limit.COST, 500_000, "US$\N{NO-BREAK SPACE}0.50"),
        (Limit.EFFECTS, 1, "1 change"),
        (Limit.RECIPIENTS, 1, "one address"),
        (Limit.RECIPIENTS, 10, "at most 10 different addresses"),
        (Limit.CARDS, 3, "at most 3 approvals"),
    ],
)
def test_amounts_read_like_amounts(limit: Limit, most: int, words: str) -> None:
    """One is singular, money has cents, minutes are minutes where they are whole."""
    assert about_limits.amount(limit, most) == words


def test_money_of_one_request_has_its_words() -> None:
    """The limit of money names the sum."""
    run = make.run(limits=Limits(cost_micros=500_000))
    assert about_limits.reached(Limit.COST, run).startswith(
        "I used up US$\N{NO-BREAK SPACE}0.50, which is the limit for one request"
    )


@pytest.mark.parametrize(
    ("code", "told"), [("nothing_to_change", "nothing had to be done"), ("not_found", "not done, it failed")]
)
def test_what_was_so_already_did_not_fail(code: str, told: str) -> None:
    """Its change was made by somebody else before."""
    failed = make.action(state=ActionState.FAILED, response={"error": {"code": code, "message": "It is so."}})
    assert to_people.outcome(failed) == told
