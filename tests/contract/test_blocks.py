"""Every view's output, for many inputs, is what Slack accepts, and nothing from outside is parsed in it."""

from __future__ import annotations

import copy
import itertools
import json
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, cast

import pytest

from bot.domain.actions import UNDONE, ActionState, Tally, Undo
from bot.domain.confirmations import MOST_TICKED, fits
from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import Choice, QuestionState
from bot.domain.rules import MOST_APPROVERS, NewRule
from bot.domain.runs import FollowUp, RunState
from bot.runtime.delivery.card import as_read_by
from bot.runtime.delivery.lists import MemoryLine
from bot.runtime.delivery.views import (
    AgentLine,
    AgentsView,
    CardView,
    CheckpointView,
    LossView,
    ReaderLine,
    ResumedView,
)
from bot.slack.views import answer, card, command, confirmation, everything, notices, rules
from bot.slack.views.agents_at_work import agents
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.form import FormCard
from bot.slack.views.home import home
from integrations.base import Field
from playground.slack.blocks import checked, walk
from policies.deciders import Approver, Deciders
from policies.provenance import GuardMode
from policies.types import Decision, Rule, RuleAuthor, TrustLevel, Unnamed
from tests.unit.bot.slack.cases import (
    HOSTILE,
    MARA,
    NOW,
    SAMPLES,
    action_line,
    answer_view,
    card_view,
    home_view,
    notice_view,
    place,
    preview,
    question_line,
    run_line,
)

TEXT_LIMIT = 4_000  # chat.update's text
MARKDOWN_LIMIT = 12_000
RICH_TEXT_LIMIT = 3_000  # none is documented; the one of a section
VIEW_BYTES = 250_000
TRAPS = ("<!channel>", "<@U0DANA>", "<https://evil", "<b>")
MARKDOWN_TRAPS = (*TRAPS, "](https://evil", "![x][ref]", "]: https://evil")

Samples = pytest.mark.parametrize(
    "text", SAMPLES, ids=[f"{number}:{text[:8]!a}" for number, text in enumerate(SAMPLES)]
)


def accepted(message: Outgoing) -> None:
    """The message passes slack_sdk's models and the documented limits."""
    assert 0 < len(message.text) <= TEXT_LIMIT
    assert 0 < len(message.blocks) <= 50
    blocks = as_json(message.blocks)
    checked(copy.deepcopy(blocks))
    assert sum(len(block["text"]) for block in blocks if block["type"] == "markdown") <= MARKDOWN_LIMIT
    inert(blocks, message.text)


def accepted_view(view: Block, *, blocks: int) -> None:
    shown = as_json(cast("Sequence[Block]", view["blocks"]))
    assert 0 < len(shown) <= blocks
    assert len(json.dumps(view)) < VIEW_BYTES
    checked(copy.deepcopy(shown), in_view=True)
    inert(shown, "")


def as_json(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    return json.loads(json.dumps(list(blocks)))


def parsed_texts(blocks: list[dict[str, Any]], kind: str) -> Iterator[str]:
    """What Slack parses: mrkdwn objects, Markdown blocks."""
    yield from (item["text"] for item in walk(blocks) if item.get("type") == kind)


def inert(blocks: list[dict[str, Any]], text: str) -> None:
    """No trap of the hostile sample is left anywhere where Slack parses text; every link says its host."""
    for shown in itertools.chain([text], parsed_texts(blocks, "mrkdwn")):
        assert not [trap for trap in TRAPS if trap in shown]
    for shown in parsed_texts(blocks, "markdown"):
        assert not [trap for trap in MARKDOWN_TRAPS if trap in shown]
    for item in walk(blocks):
        if item.get("type") == "text":
            assert 0 < len(item["text"]) <= RICH_TEXT_LIMIT
        if item.get("type") == "link":
            assert item["url"].startswith(("https://", "http://"))
            assert item["url"].split("/")[2] in item["text"]
        assert item.get("type") != "image"
        for before, after in itertools.pairwise(item.get("elements", [])):
            if after.get("type") == "date" and "date_short_pretty" in after["format"]:
                assert not before["text"].endswith(" on "), "Slack may show “today” or “tomorrow” after it"


@Samples
def test_agents_at_work(text: str) -> None:
    """Agents with any names, thoughts, actions and errors are accepted, and only the owner sees their buttons."""
    states = list(RunState)
    lines = [
        AgentLine(
            run_id=f"run_{n}",
            path=(text,) * (1 + n % 3),
            state=states[n % len(states)],
            tally=Tally(n, n),
            tokens=10**9,
            cost_micros=10**9,
            doing=text,
            error=text,
        )
        for n in range(60)
    ]
    for where in (place(), place(is_dm=True)):
        made = agents(AgentsView(place=where, agents=lines), {line.run_id: text for line in lines})
        accepted(made)
        buttons = [item for item in walk(as_json(made.blocks)) if item.get("type") == "button"]
        assert buttons
        assert all(item["visible_to_user_ids"] == ["U0MARA"] for item in buttons)


@Samples
def test_open_cards(text: str) -> None:
    """A card of any content is accepted, folded where it is long, and only its owner sees its buttons."""
    fields = [Field(label=text, value=text), Field(label="When", value=text, before=text)]
    shown = preview(
        title=text,
        fields=[*fields, Field(label="Body", value=text, long=True)],
        warnings=[text] * 3,
        unchecked=[text],
        approve_label=text,
    )
    view = card_view(preview=shown, rule=text, reason=text, zone=text)
    made = card.card(view)
    accepted(made)
    accepted_view(everything.window(view), blocks=100)
    buttons = [item for item in walk(as_json(made.blocks)) if item.get("type") == "button"]
    assert all(item["visible_to_user_ids"] == ["U0MARA"] and item["value"] == "qst_1.nonce" for item in buttons)
    is_long = len(text) > 1_000 or text.count("\n") >= 16
    assert any(item["action_id"] == "show_all" for item in buttons) is is_long


@Samples
def test_windows_in_which_a_card_is_checked(text: str) -> None:
    """What nobody named may be anything: its window is accepted if there is one, and its card says why if not."""
    unnamed = [
        Unnamed(rule=f"guard.{rule}", value=f"{n}{text}", shown=text)
        for n, rule in enumerate(("destination", "object", "link", "attachment", "url", "destructive", "later"))
    ] + [Unnamed(rule="guard.unknown"), Unnamed(rule="guard.destructive")]
    view = card_view(unnamed=unnamed, reason=text, choices=[Choice.REJECT])
    made = card.card(view)
    accepted(made)
    pressed = [item["action_id"] for item in walk(as_json(made.blocks)) if item.get("type") == "button"]
    assert ("card_confirm" in pressed) is fits(unnamed)
    place = FormCard(value="q.n", channel="D1", ts="1.0")
    if fits(unnamed):
        accepted_view(confirmation.form(unnamed, place), blocks=100)
    else:
        assert "cannot be approved" in str(made.blocks)
    for many in ([], unnamed):
        long = replace(view, unnamed=many, is_long=True, preview=replace(view.preview, warnings=[text] * 3))
        if card.can_be_confirmed(long):
            accepted_view(confirmation.form(many, place, card.to_read(long) or ()), blocks=100)


@pytest.mark.parametrize("text", ["漢字 ", "🎉", "\u200b", '"\\', "word ", "line\n"])
@pytest.mark.parametrize("asked", [0, MOST_TICKED], ids=["alone", "beside boxes"])
def test_the_longest_window_is_accepted(text: str, asked: int) -> None:
    """As much as fits, also beside as many boxes as a window can have; one text more, and nobody can approve it."""
    unnamed = [Unnamed(rule="guard.link", value=f"{n}", shown=f"{n}") for n in range(asked)]

    def long(times: int) -> CardView:
        said = preview(fields=[Field(label="Body", value=text * times, long=True)])
        return card_view(is_long=True, unnamed=unnamed, preview=said)

    most = bisect_left(range(60_000), True, key=lambda times: card.to_read(long(times)) is None) - 1
    assert most > 5_000 / len(text)
    shown = card.to_read(long(most))
    assert shown is not None
    accepted_view(confirmation.form(unnamed, FormCard(value="q.n", channel="D1", ts="1.0"), shown), blocks=100)


@pytest.mark.parametrize(
    "text",
    ["漢字" * 40_000, "🎉" * 60_000, "\u200b" * 60_000, '"\\' * 90_000],
    ids=["ideographs", "emoji", "invisible", "escaped"],
)
def test_everything_fits_whatever_it_is_written_in(text: str) -> None:
    """A view is counted in JSON: letters that take more bytes there leave less room, and what is left out is told."""
    view = everything.window(card_view(preview=preview(fields=[Field(label="Body", value=text, long=True)])))
    accepted_view(view, blocks=100)
    above_small_print = as_json(cast("Sequence[Block]", view["blocks"]))[-2]
    assert "more characters" in json.dumps(above_small_print)


def test_whom_it_reaches_comes_first_and_the_rest_is_small_print() -> None:
    """People and subject, what is to be known of them, the text, small print, and then at once the buttons."""
    fields = [
        Field(label="To", value="dana@fernhill.example"),
        Field(label="Subject", value="Tea"),
        Field(label="Body", value="Hello", long=True),
        Field(label="From", value="Mara", aside=True),
        Field(label="Signature", value="no", aside=True),
        Field(label="In reply to", value="a long mail " * 10, aside=True),
    ]
    made = as_json(card.card(card_view(preview=preview(fields=fields, warnings=["Outside"]))).blocks)
    assert [block["type"] for block in made] == [
        "header", "rich_text", "rich_text", "rich_text", "context", "actions", "context",
    ]  # fmt: skip
    heads, warned, said, small = map(json.dumps, made[1:5])
    assert "To: " in heads
    assert "Tea" in heads
    assert "Outside" in warned
    assert "Hello" in said
    assert "From: Mara \\u00b7 Signature: no" in small
    assert "In reply to: a long mail" in small
    changed = [replace(field, before="yes") if field.label == "Signature" else field for field in fields]
    assert "Signature" in json.dumps(as_json(card.card(card_view(preview=preview(fields=changed))).blocks)[1:3])


def test_a_long_text_is_cut_at_a_word_and_says_so() -> None:
    """Nobody approves what is not there without being told how much of it there is."""
    texts = ["word " * 220, "line\n" * 20]
    for text, more in zip(texts, (106, 26), strict=True):
        made = json.dumps(
            card.card(card_view(preview=preview(fields=[Field(label="B", value=text, long=True)]))).blocks
        )
        assert f"{more} characters left out here" in made
        assert "Show everything" in made


@pytest.mark.parametrize("text", ["", HOSTILE, "x" * 5_000], ids=["empty", "hostile", "long"])
@pytest.mark.parametrize("outcome", ActionState)
@pytest.mark.parametrize("decision", [None, Choice.APPROVE, Choice.REJECT, Choice.TRY_AGAIN])
def test_final_cards(text: str, outcome: ActionState, decision: Choice | None) -> None:
    """Every final form is accepted and has no button any more."""
    for state in set(QuestionState) - {QuestionState.OPEN}:
        view = card_view(
            state=state,
            decision=decision,
            decided_by="U0MARA" if decision else None,
            decided_at=NOW if decision else None,
            outcome=outcome,
            detail=text,
            link="https://mail.google.com/x" if len(text) > 5 else f"javascript:{text}",
        )
        made = card.card(view)
        accepted(made)
        assert not [item for item in walk(as_json(made.blocks)) if item.get("type") == "button"]
        accepted(card.card(replace(view, ask_again=True)))


@pytest.mark.parametrize("shown_to", ["", "U0DANA", "U0THEO"])
@pytest.mark.parametrize("state", QuestionState)
def test_cards_to_which_others_have_to_agree(shown_to: str, state: QuestionState) -> None:
    """Every form of each reader's card is accepted; only whoever's turn it is can say yes, and no content stands on the
    card of somebody whose turn is over.
    """
    seats = (Approver(user="U0DANA", stand_in="U0IDA"), Approver(user="U0THEO"), Approver(user="U0LIV"))
    line = ReaderLine(user="U0DANA", said=Choice.APPROVE, turn_ends_at=NOW)
    view = card_view(
        state=state,
        deciders=[Deciders(approvers=seats, needed=2), Deciders(approvers=seats[:1])],
        readers=[line, replace(line, user="U0THEO", said=None)],
        reader="U0THEO",
        said=HOSTILE,
        decision=Choice.REJECT,
        decided_by="U0DANA",
    )
    view = as_read_by(view, shown_to) if shown_to else replace(view, choices=[Choice.REJECT])
    made = card.card(view)
    accepted(made)
    text = json.dumps(as_json(made.blocks))
    is_open = state is QuestionState.OPEN
    assert ("question_approve" in text) is (is_open and shown_to == "U0THEO")
    if is_open and shown_to == "U0DANA":
        assert "dana@fernhill.example" not in text
    accepted(card.card(replace(view, readers=[], reader="", shown_to="", choices=[Choice.APPROVE, Choice.REJECT])))


@pytest.mark.parametrize("decision", [Choice.APPROVE, Choice.REJECT])
def test_a_decided_card_keeps_what_was_known_and_asks_nothing(decision: Choice) -> None:
    """The warnings that it was decided on stay on the record; its title is no question any more."""
    shown = preview(warnings=["Outside Fernhill"], unchecked=["Whether it arrived"])
    made = card.card(card_view(preview=shown, state=QuestionState.DECIDED, decision=decision, decided_by="U0MARA"))
    accepted(made)
    said = json.dumps(as_json(made.blocks), ensure_ascii=False)
    assert "⚠ Outside Fernhill" in said
    assert "Whether it arrived" in said
    assert '"Send this mail"' in said
    assert "Send this mail?" not in said
    replaced = card.card(card_view(preview=shown, state=QuestionState.REPLACED))
    assert "Outside" not in json.dumps(as_json(replaced.blocks))


def test_many_fields_and_recipients() -> None:
    """Two hundred recipients stand on the card in full; fifty fields are counted."""
    recipients = "\n".join(f"person{number}@example.com" for number in range(200))
    made = card.card(card_view(preview=preview(fields=[Field(label="To", value=recipients, destination=True)])))
    accepted(made)
    assert "person199@example.com" in json.dumps(made.blocks)
    many = [Field(label=f"Field {number}", value="x") for number in range(50)]
    accepted(card.card(card_view(preview=preview(fields=many))))
    accepted_view(everything.window(card_view(preview=preview(fields=many * 5))), blocks=100)


def test_what_is_cut_of_a_warning_can_be_shown() -> None:
    """A warning that is too long, or one too many, is never cut without a button that shows everything."""
    for warnings in (["x" * 501], ["x"] * 11):
        made = card.card(card_view(preview=preview(warnings=warnings)))
        accepted(made)
        assert "Show everything" in json.dumps(made.blocks)
    assert "Show everything" not in json.dumps(card.card(card_view(preview=preview(warnings=["x"] * 10))).blocks)


def test_settle_cards() -> None:
    """A doubtful effect asks with three choices."""
    choices = (Choice.HAPPENED, Choice.DID_NOT, Choice.TRY_AGAIN)
    made = card.card(card_view(choices=choices, outcome=ActionState.UNKNOWN))
    accepted(made)
    labels = [item["text"]["text"] for item in walk(as_json(made.blocks)) if item.get("type") == "button"]
    assert labels == ["It happened", "It did not", "Try again"]


def test_a_card_in_doubt() -> None:
    """While it is not known whether it happened, the card says what is waited for, and not that it works on it."""
    decided = card_view(state=QuestionState.DECIDED, decision=Choice.APPROVE, outcome=ActionState.EXECUTING, doubt=True)
    made = card.card(decided)
    accepted(made)
    assert "The answer was lost, so I do not know yet whether this happened." in json.dumps(made.blocks)
    assert "Interrupted" not in json.dumps(made.blocks)  # it is not known whether anything was
    assert "Working on it" not in json.dumps(made.blocks)


@Samples
def test_answers(text: str) -> None:
    """An answer of any content and length is accepted, in several messages where one does not hold it."""
    for error, lines in itertools.product(("", text), ((), [action_line(caption=text, detail=text)] * 30)):
        for offer in (None, *FollowUp):
            made = answer.answer(answer_view(text=text, error=error, actions=lines, offer=offer))
            assert made
            for message in made:
                accepted(message)
    accepted(answer.resumed(ResumedView(place=place(), channel="C0SALES", ts="1.1", text=text)))
    accepted(answer.streamed(text[:11_000] if "<" not in text else ""))


def test_a_long_answer_loses_nothing() -> None:
    """Forty thousand characters arrive whole."""
    text = " ".join(f"word{number}" for number in range(5_000))
    made = answer.answer(answer_view(text=text))
    shown = "".join(cast("str", block["text"]) for message in made for block in message.blocks)
    assert shown == text
    assert len(made) == 4


@Samples
@pytest.mark.parametrize("undo", [None, Undo("memory", "mem_1"), UNDONE])
def test_notices(text: str, undo: Undo | None) -> None:
    """The line about a memory is accepted whatever was remembered."""
    line = action_line(caption=text, detail=text, undo=undo)
    accepted(notices.notice(notice_view(action=line)))
    accepted(notices.refusal(text))


def ruled(**values: Any) -> Rule:
    """An administrator's rule, as full as one can be."""
    until = datetime(2026, 12, 15, tzinfo=UTC)
    seats = tuple(Approver(user=f"U0N{n}", stand_in=f"U0S{n}", until=until) for n in range(MOST_APPROVERS))
    deciders = Deciders(approvers=seats, needed=2)
    named: dict[str, Any] = {"tool": "*", "argument": "role:destination", "deciders": deciders}
    return Rule(id="rule_1", decision=Decision.ASK, by=RuleAuthor.ADMIN, **named | values)


@Samples
def test_windows_of_a_rule(text: str) -> None:
    """Both are accepted, whatever tools there are and whatever the approvers are called."""
    rule = ruled()
    assert rule.deciders is not None
    new = NewRule(tool="*", approvers=[one.user for one in rule.deciders.approvers])
    accepted_view(rules.form([*rules.ABOUT, *(f"tool_{n}" for n in range(80))]), blocks=100)
    names, today = dict.fromkeys(new.approvers, text), date(2026, 11, 30)
    for before in (None, rule):
        accepted_view(rules.stand_ins(new, rule, names, today=today, kept="{}", edited=before), blocks=100)
    accepted_view(rules.answered(command.said(rules.saved(rule))), blocks=100)


@Samples
def test_home(text: str) -> None:
    """App Home is accepted for anybody, however much there is to show."""
    many = home_view(
        questions=[question_line(title=text)] * 60,
        runs=[run_line(request=text, summary=text)] * 60,
        connections=[replace(home_view().connections[0], email=text, provider=text, status=text)] * 3,
        allowed=[text] * 200,
        side_effects_enabled=False,
        cap=TrustLevel.DELEGATED,
        memories=[MemoryLine(memory_id="mem_1", text=text)] * 8,
        more_memories=True,
        rules=[replace(ruled(value=None), id=f"rule_{number}") for number in range(60)],
    )
    accepted_view(home(many, is_admin=True), blocks=100)
    accepted_view(home(home_view(questions=[], runs=[], connections=[], allowed=[])), blocks=100)


@pytest.mark.parametrize("state", RunState)
def test_stubs(state: RunState) -> None:
    """The lines of a channel's thread are accepted and name nothing but the person."""
    places = [place(state=state, private=private) for private in (True, False)]
    assert [notices.needs_stub(each) for each in places] == [True, state.is_live()]
    for each in places:
        accepted(notices.private_stub(each))
    accepted(notices.root(place(), "https://fernhill.slack.com/archives/C0SALES/p1"))
    accepted(notices.root(place(), ""))


def test_checkpoints() -> None:
    """A line of the audit log's, as it is."""
    line = '{"checkpoint": {"signature": "<!channel>"}}'
    accepted(notices.checkpoint(CheckpointView(channel="C1", team="T1", seq=1_000, line=line, since="1.0")))


@pytest.mark.parametrize("kind", [kind for kind in DeliveryKind if kind.has_owner])
def test_losses(kind: DeliveryKind) -> None:
    """The word about each kind of loss is accepted and quotes the id."""
    view = LossView(team="T1", user=MARA, kind=kind, reference="run_1", request_ts="1.0")
    shown = notices.lost(view)
    accepted(shown)
    assert "run_1" in shown.text


@Samples
def test_commands(text: str) -> None:
    """No answer of /agent is too long, empty, or parses what came from people."""
    view = home_view(questions=[question_line(title=text)] * 30, runs=[run_line(request=text, summary=text)] * 30)
    in_blocks = [command.status(view), command.stopped([run_line(request=text)] * 30), command.stopped([])]
    for shown in in_blocks:
        accepted(shown)
    answers = [
        *(shown.text for shown in in_blocks),
        command.HELP,
        command.unknown(text),
        *(command.level_chosen(TrustLevel.AUTONOMOUS, mode) for mode in GuardMode),
        command.allowed(text, TrustLevel.SUPERVISED),
        command.allowed(f"@{text}", TrustLevel.SUPERVISED),
        command.refused(text),
        command.said(text).replace("<@U0DANA>", ""),  # people's names are meant to be read there
        command.failed("abc"),
    ]
    for shown in answers:
        assert len(shown) <= TEXT_LIMIT
        assert not [trap for trap in TRAPS if trap in shown.replace(command.HELP, "")]
    assert HOSTILE not in "".join(answers)
