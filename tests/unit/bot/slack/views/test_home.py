"""App Home in a person's words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from bot.domain.audit import AuditEntry
from bot.domain.connections import ACTIVE, REFUSED
from bot.domain.runs import RunState
from bot.domain.sessions import SESSION_LIFE, BrowserSession
from bot.runtime.delivery.lists import ConnectionLine, MemoryLine
from bot.slack.views import command, ids
from bot.slack.views.blocks import Block
from bot.slack.views.connect import connection_line
from bot.slack.views.home import home, run_line
from bot.slack.views.plain import one_line
from bot.slack.views.schedule import line
from integrations.google.scopes import (
    BUSY,
    CALENDARS,
    CONTACTS,
    EVENTS,
    EVENTS_READ,
    MAIL_COMPOSE,
    MAIL_MODIFY,
    MAIL_READ,
)
from integrations.ports import ScheduleInfo
from playground.slack.blocks import walk
from policies.deciders import Approver, Deciders
from policies.provenance import GuardMode
from policies.types import Decision, Rule, RuleAuthor, TrustLevel
from tests import builders as make
from tests.builders import NOW
from tests.unit.bot.slack import cases


@pytest.mark.parametrize(
    ("state", "summary", "said"),
    [
        (RunState.COMPLETED, "Sent: the mail to Dana.", "Write to Dana – Sent: the mail to Dana."),
        (RunState.COMPLETED, "", "Write to Dana – done"),
        (
            RunState.COMPLETED,
            "*Tomorrow:*\n\n- `Fair`, 9:00\n- Lunch\n",
            "Write to Dana – Tomorrow: Fair, 9:00 · Lunch",
        ),
        (RunState.COMPLETED, "Two mails:\n1. Oak\n2. Elm.\nMore?", "Write to Dana – Two mails: Oak · Elm. More?"),
        (RunState.AWAITING, "", "Write to Dana – waits for your decision"),
        (RunState.PAUSED, "Two of three are done.", "Write to Dana – paused: Two of three are done."),
        (RunState.FAILED, "No account.", "Write to Dana – I could not finish it: No account."),
    ],
)
def test_what_came_of_a_request(state: RunState, summary: str, said: str) -> None:
    """A request is listed with its answer, or with how it stands."""
    assert run_line(cases.run_line(state=state, summary=summary)) == said


def test_the_account_of_a_plan_says_itself_how_it_ended() -> None:
    said = "The plan is not carried out in full: “A” failed."
    assert run_line(cases.run_line(state=RunState.FAILED, summary=said, is_account=True)) == f"Write to Dana – {said}"


def test_a_request_that_its_owner_agreed_to_waits_for_others() -> None:
    said = run_line(cases.run_line(state=RunState.AWAITING, summary="", agreed=True))
    assert said == "Write to Dana – you agreed, and it waits for somebody else"


@pytest.mark.parametrize("state", list(RunState))
def test_every_state_has_words_for_people(state: RunState) -> None:
    """No state is told by the caption that the program uses for itself."""
    said = run_line(cases.run_line(state=state, summary=""))
    assert said
    assert state.caption not in said


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (TrustLevel.SUPERVISED, "all the same: `/agent trust delegated` changes that."),
        (TrustLevel.DELEGATED, "without asking you."),
        (TrustLevel.AUTONOMOUS, "mail goes unasked to whom you named, on the list or not."),
    ],
)
def test_an_allowed_address_says_what_it_changes(level: TrustLevel, said: str) -> None:
    """What being on the list means depends on the level, and the level that lets it count is named."""
    assert command.allowed("a@x.example", level).startswith("Saved. a@x.example is on your list. ")
    assert command.allowed("a@x.example", level).endswith(said)
    shown = "`/agent allow` shows and adds them." in command.level_chosen(level, GuardMode.ENFORCE)
    assert shown is (level is TrustLevel.DELEGATED)
    assert ("⚠" in command.level_chosen(level, GuardMode.ENFORCE)) is (level is TrustLevel.AUTONOMOUS)


@pytest.mark.parametrize(
    ("state", "waiting", "stops"),
    [(RunState.COMPLETED, 1, True), (RunState.PLANNING, 0, True), (RunState.COMPLETED, 0, False)],
)
def test_what_waits_can_be_stopped_however_old_it_is(state: RunState, waiting: int, stops: bool) -> None:
    """The button is there while something runs or waits, also when that request is no longer among the newest."""
    view = cases.home_view(runs=[cases.run_line(state=state)], questions=[cases.question_line()] * waiting)
    assert ("Stop what is under way" in str(home(view))) is stops


def test_what_is_not_listed_is_counted() -> None:
    """More open questions and more allowed addresses than there is room for are not silently left out."""
    view = cases.home_view(more_questions=16, allowed=[f"a{n}@x.example" for n in range(60)])
    assert "… and 16 more" in str(home(view))
    assert "… and 30 more" in str(home(view))
    assert "… and 16 more" in command.status(view).text
    assert "… and 40 more" in command.status(view).text
    assert "… and" not in str(home(cases.home_view())) + command.status(cases.home_view()).text


def test_a_request_stands_as_it_was_typed() -> None:
    """What Slack takes for marks is none in lists of requests: on App Home, after `/agent status` and after `stop`."""
    typed = "Send it *now*, _please_ ~or not~ `at once`"
    run = cases.run_line(request=typed)
    view = cases.home_view(runs=[run])
    on_home = cast("Sequence[Block]", home(view)["blocks"])
    for blocks in (on_home, command.status(view).blocks, command.stopped([run]).blocks):
        quoting = [json.dumps(block, ensure_ascii=False) for block in blocks if typed in str(block)]
        assert quoting
        assert not [block for block in quoting if "mrkdwn" in block]


def test_of_the_files_of_a_request_the_names_are_listed() -> None:
    """Their ids, which are for the model, crowd out nothing."""
    typed = "Summarize these\n[file attached: “blob.bin”, id F000459618524]\n[file attached: “a.txt”, id F1]"
    said = run_line(cases.run_line(request=typed, summary="Two."))
    assert said.startswith("Summarize these · [file attached: “blob.bin”] · [file attached: “a.txt”] – ")


def test_what_is_taken_away_is_named_where_slack_asks_back() -> None:
    memory = MemoryLine(memory_id="mem_1", text="Helen likes oak, and " + "much more " * 30)
    rule = Rule(
        id="r1",
        decision=Decision.ASK,
        tool="gmail_send",
        argument="to",
        value="@acme.example",
        by=RuleAuthor.ADMIN,
        deciders=Deciders(approvers=(Approver(user="U0JONAS"),)),
    )
    view = cases.home_view(memories=[memory], rules=[rule])
    asked = [
        found["confirm"]["text"]["text"]
        for found in walk(json.loads(json.dumps(home(view, is_admin=True))))
        if found.get("type") == "button" and "confirm" in found
    ]
    assert all(len(text) <= 300 for text in asked)
    assert any("“Helen likes oak, and" in text for text in asked)
    assert any("to @acme.example”: from then on it counts no more." in text for text in asked)


def test_the_newest_entries_of_the_log_stand_there_whole() -> None:
    """Those that an answer has no room for are left out, and none is cut: it could end inside somebody's name."""
    made = AuditEntry(id=1, team="T1", scope="s", number=1, code="x" * 300, at="", body="nonsense", mac="m", key_id="k")
    title, *lines = command.audit([made] * 20, make.person(is_admin=True)).splitlines()
    assert 15 < len(lines) < 20
    assert set(map(len, lines)) == {202}
    assert len("\n".join([title, *lines])) <= command.ANSWER_LIMIT
    assert len(command.audit([made] * 5, make.person()).splitlines()) == 6


def test_two_questions_alike_can_be_told_apart() -> None:
    """The status says since when each waits, on its person's clock."""
    view = cases.home_view()
    first = view.questions[0]
    later = replace(first, asked_at=first.asked_at + timedelta(minutes=5))
    said = command.status(replace(view, questions=[first, later])).text.splitlines()
    assert len({line for line in said if one_line(first.title, 150) in line}) == 2


def test_sessions_are_listed_with_a_button_each() -> None:
    """The newest five, and how many more there are; nothing for whoever has none."""
    one = BrowserSession(
        id="ses_1", team="T", user="U", token_hash="t", state_hash="s", browser="Firefox on *Linux*",
        created_at=NOW, expires_at=NOW + SESSION_LIFE,
    )  # fmt: skip
    assert "Signed in elsewhere" not in str(home(cases.home_view()))
    shown = home(cases.home_view(), {}, [replace(one, id=f"ses_{n}") for n in range(7)])
    values = re.findall(rf"'action_id': '{ids.SIGN_OUT}', .*?'value': '(\w+)'", str(shown))
    assert values == [f"ses_{n}" for n in range(5)]
    assert "… and 2 more" in str(shown)
    assert "token_hash" not in str(shown)


def test_the_list_of_allowed_recipients_says_how_to_change_it() -> None:
    """Where the addresses are listed stands how one is taken off again."""
    assert "/agent disallow" in str(home(cases.home_view()))
    assert "/agent disallow" not in str(home(cases.home_view(allowed=[])))
    assert "dana@fernhill.example" in command.status(cases.home_view()).text


@pytest.mark.parametrize(
    ("status", "scopes", "said"),
    [
        (
            ACTIVE,
            {MAIL_READ, MAIL_COMPOSE, EVENTS, CALENDARS, BUSY},
            "connected for mail (read, send), calendar (see, change)",
        ),
        (ACTIVE, {MAIL_READ, EVENTS_READ}, "connected for mail (read), calendar (see)"),
        (ACTIVE, {MAIL_READ, MAIL_MODIFY, CONTACTS}, "connected for mail (read, send, archive and label), contacts"),
        (ACTIVE, set[str](), "connected"),
        (REFUSED, {MAIL_READ}, "does not work any more; it has to be connected again"),
    ],
)
def test_an_account_says_what_it_is_connected_for(status: str, scopes: set[str], said: str) -> None:
    """By part of the account, in a few words; for nothing while it has to be connected again."""
    line = ConnectionLine(provider="google", email="m@x.example", status=status, scopes=frozenset(scopes))
    assert connection_line(line) == f"Google: m@x.example – {said}"


def test_what_is_more_than_it_seems_is_said() -> None:
    """A domain is everybody there; an address in another script is shown as mail takes it."""
    assert "everybody" not in command.allowed("dana@acme.com", TrustLevel.DELEGATED)
    assert "That is everybody there." in command.allowed("@acme.com", TrustLevel.DELEGATED)
    assert "takes it as dana@xn--cme-5cd.com" in command.allowed("dana@\u0430cme.com", TrustLevel.DELEGATED)


@pytest.mark.parametrize(
    ("when", "title", "what", "said"),
    [
        ("once", "call Helen", "reminder", "call Helen (reminder) – Mon"),
        ("every day", "Daily briefing", "briefing", "Daily briefing – every day, next Mon"),
    ],
)
def test_what_is_planned_is_said_once(when: str, title: str, what: str, said: str) -> None:
    """Only what repeats has a next time, and a title that says what it is is not followed by that."""
    at = datetime(2026, 11, 23, 16, tzinfo=UTC)
    one = ScheduleInfo(number=1, id="sch_1", what=what, title=title, when=when, next_at=at, zone="Europe/London")
    assert line(one) == f"{said} 23 Nov 2026, 16:00 (Europe/London)"


@pytest.mark.parametrize("when", ["once, Monday 23 November at 16:00", "every day at 08:00"])
def test_what_is_paused_is_listed_with_its_time(when: str) -> None:
    one = ScheduleInfo(
        number=1, id="sch_1", what="reminder", title="tea", when=when, next_at=None, is_paused=True, zone="UTC"
    )
    assert line(one) == f"tea (reminder) – {when}, paused"


def test_a_plan_is_asked_for_too() -> None:
    """Where plans are all that somebody asked for, it is not said that they asked for nothing."""
    plan = cases.home_view(runs=[], plans=[cases.run_line(plan="waits for you to confirm it")])
    assert "Nothing but the plans above." in str(home(plan))
    assert "You have not asked for anything yet." in str(home(cases.home_view(runs=[])))
