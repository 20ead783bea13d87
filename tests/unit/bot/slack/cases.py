"""Values that the tests of the Slack surface are made from."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.actions import ActionState, Undo
from bot.domain.deliveries import Place
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.domain.runs import RunState
from bot.domain.schedules import Schedule, ScheduleKind
from bot.domain.threads import User, Workspace
from bot.runtime.delivery.lists import ConnectionLine, HomeView, QuestionLine, RunLine
from bot.runtime.delivery.views import ActionLine, AnswerView, CardView, NoticeView
from integrations.base import Field, Preview
from playground import people
from policies.provenance import GuardMode
from policies.types import TrustLevel

NOW = datetime(2026, 11, 24, 14, 0, tzinfo=UTC)
TEAM, BOT = people.TEAM_ID, people.BOT_USER_ID
MARA, DANA, THEO = "U0MARA", "U0DANA", "U0THEO"
SALES = "C0SALES"
WORKSPACE = Workspace(team=TEAM, name=people.TEAM_NAME, bot_user=BOT, bot_id=people.BOT_ID)

HOSTILE = (
    "<!channel> <@U0DANA> <https://evil.example|Payroll> [Payroll](https://evil.example) ![x][ref] \u202egpj.exe "
    "zero\u200bwidth & <b>bold</b> :tada: *bold* _it_ `code`\n[ref]: https://evil.example"
)
LONG = "Lorem ipsum dolor sit amet.\n" * 1_500  # 42,000 characters
SAMPLES = ("", " ", "short", HOSTILE, LONG, "x" * 40_000, "\u200b" * 50, "]" * 300, "🎉" * 2_000, "a\n" * 2_000)


def place(**changes: Any) -> Place:
    made = Place(
        run_id="run_1",
        team=TEAM,
        user=MARA,
        channel=SALES,
        root_ts="1700000000.000100",
        request_ts="1700000000.000100",
        is_dm=False,
        private=False,
        state=RunState.PLANNING,
        thread_id="thr_1",
        epoch=1,
        has_begun=True,
    )
    return replace(made, **changes)


def preview(**changes: Any) -> Preview:
    made = Preview(
        title="Send this mail?",
        fields=[
            Field(label="To", value="dana@fernhill.example"),
            Field(label="Subject", value="The oak benches"),
            Field(label="Body", value="Hello Dana,\n\nten benches, please.\n", long=True),
        ],
    )
    return replace(made, **changes)


def card_view(**changes: Any) -> CardView:
    made = CardView(
        place=place(),
        question_id="qst_1",
        kind=QuestionKind.APPROVE,
        state=QuestionState.OPEN,
        value="qst_1.nonce",
        tool="gmail_send",
        preview=preview(),
        card_private=True,
        rule="level.supervised",
        reason="you asked to be asked",
        expires_at=NOW + timedelta(days=1),
        zone="Europe/Stockholm",
        decided_by=None,
        decided_at=None,
        decision=None,
        doubt=False,
        outcome=ActionState.AWAITING,
        detail="",
        link=None,
        choices=(Choice.APPROVE, Choice.REJECT),
    )
    return replace(made, **changes)


def action_line(**changes: Any) -> ActionLine:
    made = ActionLine(
        action_id="act_1",
        caption="Send mail to dana@fernhill.example",
        changes=True,
        state=ActionState.COMPLETED,
        detail="sent",
        doubt=False,
        undo=None,
        link="https://mail.google.com/mail/#sent/1",
    )
    return replace(made, **changes)


def answer_view(**changes: Any) -> AnswerView:
    return replace(AnswerView(place=place(), text="Done, Mara.", error="", actions=()), **changes)


def notice_view(**changes: Any) -> NoticeView:
    line = action_line(caption="Remember “Dana likes oak”", undo=Undo("memory", "mem_1"), link=None)
    return replace(NoticeView(place=place(), action=line), **changes)


def run_line(**changes: Any) -> RunLine:
    made = RunLine(
        run_id="run_1", request="Write to Dana", state=RunState.AWAITING, summary="a mail waits", created_at=NOW
    )
    return replace(made, **changes)


def question_line(**changes: Any) -> QuestionLine:
    made = QuestionLine(
        question_id="qst_1",
        title="Send this mail?",
        asked_at=NOW,
        expires_at=NOW + timedelta(days=1),
        card=("D1", "1.0"),
        value="qst_1.nonce",
    )
    return replace(made, **changes)


def home_view(**changes: Any) -> HomeView:
    made = HomeView(
        user=User(team=TEAM, user=MARA, name="Mara", zone="Europe/Stockholm"),
        level=TrustLevel.SUPERVISED,
        cap=TrustLevel.AUTONOMOUS,
        side_effects_enabled=True,
        guard=GuardMode.ENFORCE,
        connections=[ConnectionLine(provider="google", email="mara@fernhill.example", status="working")],
        questions=[question_line()],
        runs=[run_line()],
        allowed=["dana@fernhill.example"],
    )
    return replace(made, **changes)


def reminder(due: datetime, **changes: Any) -> Schedule:
    made = Schedule(
        id="sch_1",
        team=TEAM,
        user=MARA,
        channel=SALES,
        kind=ScheduleKind.REMINDER,
        title="Call Helen",
        spec={},
        zone="Europe/London",
        payload={"text": "call <Helen> & co"},
        next_fire=None,
        last_fired=due,
        created_at=due,
    )
    return replace(made, **changes)
