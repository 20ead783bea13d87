"""Editing: the same action, one edition further, is judged and asked again; an edit never approves by itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.confirmations import READ_ON_CARD
from bot.domain.questions import QUESTION_LIFE, Choice, Question
from bot.domain.runs import Run, RunState
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.delivery.views import CardView
from bot.runtime.questions.edit import Edit, Editing, EditOutcome
from bot.runtime.questions.edit_forms import EditForms, OfferedForm
from bot.runtime.texts import to_people
from integrations.base import Field, Preview, Variant
from integrations.errors import Ambiguous, ToolFailed
from policies.provenance import Impact
from policies.types import TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

SEND = [("gmail_send", {"text": "it"})]


async def waiting(
    here: Harness, *says: Any, level: TrustLevel = TrustLevel.SUPERVISED, variants: Sequence[Variant] = ()
) -> tuple[Run, Action, Question]:
    """A request whose card waits."""
    here.effect.previews = [replace(shown("it"), variants=variants), shown("that")]
    run = await here.asked(*says or (SEND, "Sent."), level=level)
    question = await here.card_of(run.id)
    return run, await here.action(run), question


def shown(text: str) -> Preview:
    fields = [Field(label="To", value="Helen"), Field(label="What", value=text)]
    return Preview(
        title="Do it?", fields=fields, account="a1", recipients=("helen@x.example",), impact=Impact(is_alone=True)
    )


def editing(here: Harness) -> Editing:
    return Editing(transactions=here.transactions, registry=here.runner.loop.registry)


async def edit(here: Harness, question: Question, args: Mapping[str, object], **more: Any) -> EditOutcome:
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": question.button_value(), "args": args}
    return await editing(here).edit(Edit(**given | more))


async def edit_form(here: Harness, question: Question, args: Mapping[str, object], **more: Any) -> EditOutcome:
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": question.button_value(), "args": args}
    return await EditForms(editing=editing(here)).submitted(Edit(**given | more))


async def card(here: Harness, question: Question) -> CardView:
    view = await here.queries.card(question.id)
    assert view is not None
    return view


async def test_an_edit_is_asked_again(here: Harness) -> None:
    """The edited action gets a new card with the difference; what the model proposed stays, and nothing is done yet."""
    run, before, question = await waiting(here)
    assert await edit(here, question, {"text": "that"}) == EditOutcome(accepted=True)
    await here.serve()
    action, newer = await here.action(run), await here.question(run.id)
    assert newer is not None
    assert (action.id, action.edition, action.state) == (before.id, 2, ActionState.AWAITING)
    assert (action.args_proposed, json.loads(action.args), action.caption) == (
        before.args_proposed, {"text": "that"}, "Do that",
    )  # fmt: skip
    assert (newer.edition, newer.hash != question.hash) == (2, True)
    view = await card(here, newer)
    assert view.edited
    assert [(field.label, field.before, field.value) for field in view.preview.fields] == [
        ("To", None, "Helen"), ("What", "it", "that"),
    ]  # fmt: skip
    assert not here.effect.calls
    assert len(here.model.requests) == 1


async def test_the_card_that_was_changed_still_asks_what_it_asked(here: Harness) -> None:
    """A mail becomes a draft: the older card never asked whether to save one."""
    here.effect.previews = [replace(shown("it"), title=title) for title in ("Send this mail?", "Save this as a draft?")]
    run = await here.asked(SEND, level=TrustLevel.SUPERVISED)
    question = await here.card_of(run.id)
    await edit(here, question, {"text": "that"})
    await here.serve()
    cards = [await card(here, one) for one in (question, await here.card_of(run.id))]
    assert [one.preview.title for one in cards] == ["Send this mail?", "Save this as a draft?"]


async def test_nobody_else_gets_the_form(here: Harness) -> None:
    """Edit and the variants of a card are for its owner: anybody else is told so, and it is in the log."""
    _, _, question = await waiting(here)
    press = ButtonClick(team=TEAM, user=MARA, value=question.button_value())
    forms = EditForms(editing=editing(here))
    for variant in (None, 0):
        assert await forms.form(press, variant) == OfferedForm(refusal=f"Only <@{DANA}> can change this.")
    assert here.codes().count("click.wrong_person") == 2


async def test_a_form_that_is_not_given_is_in_the_log(here: Harness) -> None:
    """A card that we never showed, and one that was decided: each is told why, and the log has it."""
    _, _, question = await waiting(here)
    forms = EditForms(editing=editing(here))
    guessed = ButtonClick(team=TEAM, user=DANA, value=f"{question.id}.guess")
    assert await forms.form(guessed) == OfferedForm(refusal=to_people.NOT_KNOWN)
    forged = Edit(team=TEAM, user=DANA, value="q_none.x", args={"text": "that"})
    assert not (await forms.submitted(forged)).accepted
    assert here.codes().count("click.unknown") == 2
    await here.click(question)
    decided = ButtonClick(team=TEAM, user=DANA, value=question.button_value())
    assert f"<@{DANA}> said “approve”" in (await forms.form(decided)).refusal
    assert here.codes()[-1] == "click.late"


async def test_what_was_edited_and_approved_is_done(here: Harness) -> None:
    """The approval of the new card counts for the new arguments, and the model is told what its owner changed."""
    run, _, question = await waiting(here)
    await edit(here, question, {"text": "that"})
    await here.serve()
    assert "newer card" in (await here.click(question)).text
    newer = await here.card_of(run.id)
    assert (await here.click(newer)).text == ""
    await here.serve()
    assert len(here.effect.calls) == 1
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert here.told()["edited_by_person"]["arguments"] == {"text": "that"}
    assert here.told()["output"] == {"found": 1}
    (fact,) = here.base.rows("SELECT body FROM audit WHERE code = 'action.edited'")
    assert json.loads(fact["body"])["actor"] == DANA


async def test_a_variant_is_done_without_a_second_card(here: Harness) -> None:
    """What the card offers beside its own call is edited and approved by one press, and done as it then is."""
    run, _, question = await waiting(here, variants=[Variant(label="That", args={"text": "that"})])
    assert (await edit_form(here, question, {}, variant=0)).accepted
    await here.serve()
    assert len(here.effect.calls) == 1
    action = await here.action(run)
    assert json.loads(action.args) == {"text": "that"}
    assert (action.state, action.edition) == (ActionState.COMPLETED, 2)
    assert here.told()["edited_by_person"]["arguments"] == {"text": "that"}
    assert "Already decided" in (await here.click(question)).text
    bodies = [row["body"] for row in here.base.rows("SELECT body FROM audit WHERE code = 'question.decided'")]
    assert ['"variant":"That"' in body for body in bodies] == [True]  # the log says which button it was


async def test_the_card_of_a_variant_says_what_was_approved(here: Harness) -> None:
    """“Save draft” on “Send this mail?” leaves a card about a draft."""
    titles = ("Send this mail?", "Save this as a draft?")
    variants = [Variant(label="Save draft", args={"text": "that"})]
    here.effect.previews = [replace(shown("it"), title=title, variants=variants) for title in titles]
    run = await here.asked(SEND, "Saved.", level=TrustLevel.SUPERVISED)
    question = await here.card_of(run.id)
    assert (await card(here, question)).preview.title == "Send this mail?"
    assert (await edit_form(here, question, {}, variant=0)).accepted
    await here.serve()
    assert (await card(here, question)).preview.title == "Save this as a draft?"


async def test_the_card_of_a_variant_that_is_asked_again_says_what_it_asked(here: Harness) -> None:
    """What was approved did not count, since the world is another one by now: the newer card asks about that."""
    sent = replace(shown("it"), title="Send this mail?", variants=[Variant(label="Later", args={"text": "that"})])
    here.effect.previews = [sent, replace(shown("that"), title="Send this mail later?", basis={"version": 2})]
    run = await here.asked(SEND, level=TrustLevel.SUPERVISED)
    question = await here.card_of(run.id)
    assert (await edit_form(here, question, {}, variant=0)).accepted
    await here.serve()
    cards = [await card(here, one) for one in (question, await here.card_of(run.id))]
    assert [one.preview.title for one in cards] == ["Send this mail?", "Send this mail later?"]


async def test_a_variant_of_a_long_card_comes_from_a_window_with_all_of_it(here: Harness) -> None:
    """It is a yes as well: one from anywhere else is refused and logged."""
    run, _, question = await waiting(here, variants=[Variant(label="That", args={"text": "that"})])
    long = replace(shown("x" * (READ_ON_CARD + 1)), variants=[Variant(label="That", args={"text": "that"})])
    async with here.base.store.write() as work:
        await work.actions.change((await here.action(run)).id, preview=asdict(replace(long, impact=None)))
    assert (await edit_form(here, question, {}, variant=0)).text == to_people.READ_FIRST
    assert here.codes()[-1] == "click.not_read"
    assert (await edit_form(here, question, {}, variant=0, read=True)).accepted


async def test_a_variant_of_a_changed_world_is_asked_about(here: Harness) -> None:
    """The vote counts for what the card showed: where that changed, a new card shows it."""
    run, _, question = await waiting(here, variants=[Variant(label="That", args={"text": "that"})])
    here.effect.previews = [replace(shown("that"), basis={"etag": "2"})]
    assert (await edit_form(here, question, {}, variant=0)).accepted
    await here.serve()
    assert not here.effect.calls
    newer = await here.card_of(run.id)
    assert newer.id != question.id


async def test_a_variant_that_is_not_offered(here: Harness) -> None:
    """Nothing is taken but what the card offers, and what it asks for must be filled in."""
    _, _, question = await waiting(here, variants=[Variant(label="Ask", asks="text")])
    assert (await edit_form(here, question, {}, variant=1)).text == to_people.NOT_KNOWN
    assert (await edit_form(here, question, {"text": ""}, variant=0)).errors == {"text": to_people.SAY_THIS_FIRST}
    assert (await edit_form(here, question, {"text": "that"}, variant=0)).accepted


async def test_a_variant_takes_nothing_beside_what_it_asks_for(here: Harness) -> None:
    """Somebody adds a field to the form of “Send later”: that would approve what no card showed, and is refused."""
    run, before, question = await waiting(here, variants=[Variant(label="That", args={"text": "that"})])
    assert (await edit_form(here, question, {"text": "something else"}, variant=0)).text == to_people.NOT_KNOWN
    assert await here.action(run) == before
    assert here.base.rows("SELECT code FROM audit WHERE code = 'click.wrong_choice'")
    assert (await edit_form(here, question, {}, variant=0)).accepted


async def test_an_edit_is_asked_at_every_level(here: Harness) -> None:
    """Also where policy would allow it unasked, what was edited is shown to a person once more."""
    run, _, question = await waiting(here)
    await here.trusts(TrustLevel.AUTONOMOUS)
    assert (await edit(here, question, {"text": "that"})).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert not here.effect.calls


async def test_an_edit_that_is_rejected(here: Harness) -> None:
    """After an edit a rejection tells the model both."""
    run, _, question = await waiting(here)
    await edit(here, question, {"text": "that"})
    await here.serve()
    newer = await here.card_of(run.id)
    await here.click(newer, Choice.REJECT)
    await here.serve()
    assert here.told()["error"]["code"] == "rejected_by_user"
    assert here.told()["edited_by_person"]["arguments"] == {"text": "that"}


async def test_what_was_there_before_an_edit_to_nothing(here: Harness) -> None:
    """A line that an edit removed is shown struck out, not left out."""
    _, _, question = await waiting(here)
    fields = [Field(label="What", value="that"), Field(label="New", value="x")]
    here.effect.previews = [Preview(title="Do it?", fields=fields, account="a1", impact=Impact(is_alone=True))]
    await edit(here, question, {"text": "that"})
    await here.serve()
    newer = await here.card_of(question.run_id)
    changed = {field.label: (field.before, field.value) for field in (await card(here, newer)).preview.fields}
    assert changed == {"What": ("it", "that"), "New": ("", "x"), "To": ("Helen", "")}


@pytest.mark.parametrize(
    ("args", "names"), [({"text": 3}, {"text"}), ({"txt": "that"}, {"txt"}), ({"text": None}, {"text"})]
)
async def test_invalid_arguments_come_back_by_field(here: Harness, args: Mapping[str, object], names: set[str]) -> None:
    """What the tool's own model refuses is said for each argument, and the card stays as it is."""
    run, before, question = await waiting(here)
    outcome = await edit(here, question, args)
    assert (outcome.accepted, outcome.errors.keys()) == (False, names)
    assert all(outcome.errors.values())
    assert await here.action(run) == before
    assert await here.question(run.id) == question


async def test_an_edit_that_changes_nothing(here: Harness) -> None:
    """Unchanged arguments are refused kindly: the card and its votes stay."""
    run, before, question = await waiting(here)
    assert (await edit(here, question, {"text": "it"})).text == to_people.UNCHANGED
    assert await here.action(run) == before
    assert (await here.click(question)).text == ""


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"user": MARA}, "click.wrong_person"),
        ({"team": "T2"}, "click.wrong_person"),
        ({"value": "q_none.x"}, "click.unknown"),
    ],
)
async def test_an_edit_is_checked_like_a_click(here: Harness, more: dict[str, Any], code: str) -> None:
    """Only the owner, and only with the card's own value; what is refused is in the log."""
    run, before, question = await waiting(here)
    outcome = await edit(here, question, {"text": "that"}, **more)
    assert (outcome.accepted, bool(outcome.text)) == (False, True)
    assert code in here.codes()
    assert await here.action(run) == before


async def fill_in(here: Harness, question: Question, text: str, **more: Any) -> EditOutcome:
    """The form of a card, posted."""
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": question.button_value(), "args": {"text": text}}
    forms = EditForms(editing=editing(here), requesters=here.runner.evaluator.requesters)
    return await forms.submitted(Edit(**given | more))


@pytest.mark.parametrize("more", [{"user": MARA}, {"team": "T2"}, {"user": DANA, "value": "{id}.guessed"}])
async def test_nothing_is_looked_up_for_somebody_else(here: Harness, more: dict[str, Any]) -> None:
    """A form that somebody else posts, or with a value of their own making, is refused and logged without any look."""
    _, _, question = await waiting(here)
    given = {name: value.format(id=question.id) for name, value in more.items()}
    here.effect.previews = [ToolFailed("told", "What only its owner may hear.")]
    outcome = await fill_in(here, question, "that", **given)
    assert (outcome.accepted, outcome.errors) == (False, {})
    assert "may hear" not in outcome.text
    assert len(here.effect.previews) == 1
    assert any(code.startswith("click.") for code in here.codes())


async def test_its_owner_hears_what_is_wrong(here: Harness) -> None:
    """What the tool says against what was filled in stands at its field, and nothing was changed."""
    run, before, question = await waiting(here)
    here.effect.previews = [ToolFailed("told", "That is not possible.")]
    outcome = await fill_in(here, question, "that")
    assert (outcome.accepted, outcome.errors) == (False, {"text": "That is not possible."})
    assert await here.action(run) == before


async def test_too_late_to_edit(here: Harness) -> None:
    """After the approval, after a replacement and after the expiry an edit is refused, and says what became of it."""
    run, _, question = await waiting(here)
    await edit(here, question, {"text": "that"})
    await here.serve()
    assert "newer card" in (await edit(here, question, {"text": "other"})).text
    newer = await here.card_of(run.id)
    await here.click(newer)
    assert "Already decided" in (await edit(here, newer, {"text": "other"})).text
    await here.serve()
    _, _, other = await waiting(here)
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    assert (await edit(here, other, {"text": "that"})).text == to_people.EXPIRED
    assert (await here.action(await here.run(other.run_id))).state is ActionState.EXPIRED


async def test_a_doubtful_effect_is_not_edited(here: Harness) -> None:
    """What may have happened is settled, not changed."""
    action = await here.standing(here.effect, ActionState.EXECUTING, attempt=1, deadline_at=here.base.clock.now())
    await here.serve()
    question = await here.card_of(action.run_id)
    assert (await edit(here, question, {"text": "that"})).text == to_people.NOT_EDITABLE


async def test_an_edit_and_an_approval_at_once(here: Harness) -> None:
    """Whichever comes first counts; the other is told, and only what was approved is done."""
    run, _, question = await waiting(here)
    outcome, clicked = await asyncio.gather(edit(here, question, {"text": "that"}), here.click(question))
    assert outcome.accepted != clicked.accepted
    await here.serve()
    assert len(here.effect.calls) == (0 if outcome.accepted else 1)
    assert (await here.action(run)).edition == (2 if outcome.accepted else 1)


async def test_an_edited_action_may_fail_to_be_shown(here: Harness) -> None:
    """When what the edit would do cannot be looked up, it is not done, and that is said."""
    run, _, question = await waiting(here)
    here.effect.previews[:] = [Ambiguous("the provider")]
    await edit(here, question, {"text": "that"})
    await here.serve()
    assert (await here.action(run)).state is ActionState.FAILED
    assert here.told()["edited_by_person"]["arguments"] == {"text": "that"}


@pytest.mark.parametrize("said", ["edit", "reason"])
async def test_what_is_said_on_a_private_card_stays_with_its_owner(here: Harness, said: str) -> None:
    """A request in a channel with a card in the owner's messages goes on there, once they said something on it."""
    here.effect.previews = [replace(shown("it"), private=True), replace(shown("that"), private=True)]
    await here.trusts(TrustLevel.SUPERVISED)
    here.model.says = [SEND, "Sent."]
    run = await here.request(in_channel=True)
    await here.serve()
    question = await here.card_of(run.id)
    assert not (await here.run(run.id)).private
    if said == "edit":
        assert (await edit(here, question, {"text": "the salary is 90k"})).accepted
    else:
        assert (await here.click(question, Choice.REJECT, reason="the salary is 90k")).accepted
    assert (await here.run(run.id)).private
