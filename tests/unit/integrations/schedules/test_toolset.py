"""The tools of schedules over a plan in memory: what they keep, say and refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest

from integrations.base import Call, Requester, Result, Tool, ToolArgs
from integrations.errors import ModelRetry
from integrations.ports import ScheduleInfo
from integrations.schedules.toolset import schedule_tools
from policies.types import EffectClass, Label
from tests.unit.integrations.calls import NOON, call, data

DANA = Requester(team="T1", user="U0DANA", zone="Europe/London")


@dataclass(frozen=True, slots=True)
class Noon:
    """It is noon."""

    def now(self) -> datetime:
        return NOON


@dataclass(slots=True)
class InMemory:
    """`Schedules` in a list; a time comes tomorrow."""

    kept: dict[str, ScheduleInfo] = field(default_factory=dict[str, ScheduleInfo])
    asked: list[tuple[str, Mapping[str, object], str | None]] = field(
        default_factory=list[tuple[str, Mapping[str, object], str | None]]
    )

    async def remind(
        self,
        requester: Requester,
        text: str,
        spec: Mapping[str, object],
        *,
        key: str,
        label: Label,
        unless_answered: str | None = None,
    ) -> ScheduleInfo:
        self.asked.append((text, spec, unless_answered))
        return self._keep(key, requester, "reminder", text, spec, label)

    async def brief(self, requester: Requester, spec: Mapping[str, object], *, key: str) -> ScheduleInfo:
        self.asked.append(("", spec, None))
        return self._keep(key, requester, "briefing", "Daily briefing", spec)

    async def of(self, requester: Requester) -> Sequence[ScheduleInfo]:
        return list(self.kept.values())

    async def remove(self, requester: Requester, schedule_id: str) -> bool:
        return self.kept.pop(schedule_id, None) is not None

    def _keep(
        self, key: str, who: Requester, what: str, title: str, spec: Mapping[str, object], label: Label = Label.OWNER
    ) -> ScheduleInfo:
        when = "once" if "at" in spec else "every weekday at 08:00"
        made = ScheduleInfo(
            id=f"sch_{key}", number=len(self.kept) + 1, what=what, title=title, when=when, zone=who.zone,
            next_at=NOON + timedelta(days=1), label=label,
        )  # fmt: skip
        return self.kept.setdefault(made.id, made)


@dataclass(slots=True)
class Tools:
    """The tools by name."""

    plan: InMemory

    def __getitem__(self, name: str) -> Tool[ToolArgs]:
        return next(tool for tool in schedule_tools(self.plan, Noon()) if tool.name == name)

    async def run(self, name: str, given: Call | None = None, **args: object) -> Result:
        tool = self[name]
        return await tool.execute(tool.args.model_validate(args), given or call(DANA))


@pytest.fixture
def tools() -> Tools:
    return Tools(InMemory())


async def test_a_reminder_names_its_time_and_can_be_undone(tools: Tools) -> None:
    """With weekday, date and zone; Undo names the schedule."""
    result = await tools.run("reminder_set", text="call  Dana", at="2026-11-25T12:00")
    assert tools.plan.asked == [("call Dana", {"at": "2026-11-25T12:00"}, None)]
    assert data(result)["next"] == "Wednesday 25 November 2026, 12:00"
    assert result.summary == "set for Wednesday 25 November 2026, 12:00 (Europe/London)"
    assert result.undo == "schedule:sch_k1"


async def test_a_reminder_that_repeats_or_waits(tools: Tools) -> None:
    """The rule in fields, the thread as it is; both at once is refused."""
    await tools.run("reminder_set", text="orders", at="08:00", weekdays=["mon", "tue"])
    waiting = await tools.run(
        "reminder_set", call(DANA, key="k2"), text="ask", at="2026-11-27T09:00", unless_answered="t1"
    )
    assert tools.plan.asked[0][1] == {"day_of_week": "mon,tue", "hour": 8, "minute": 0}
    assert tools.plan.asked[1][2] == "t1"
    assert "unless somebody answers" in waiting.summary
    with pytest.raises(ModelRetry, match="comes once"):
        await tools.run("reminder_set", text="ask", at="08:00", weekdays=["mon"], unless_answered="t1")


@pytest.mark.parametrize("at", ["2026-11-24T11:00", "yesterday"])
async def test_what_cannot_be_set_is_refused(tools: Tools, at: str) -> None:
    """And nothing is kept."""
    with pytest.raises(ModelRetry):
        await tools.run("reminder_set", text="call", at=at)
    assert not tools.plan.kept


async def test_a_reminder_of_nothing_is_refused(tools: Tools) -> None:
    """Spaces are no words."""
    with pytest.raises(ModelRetry, match="empty"):
        await tools.run("reminder_set", text="   ", at="2026-11-25T12:00")


async def test_a_briefing_comes_on_weekdays_unless_it_is_said_otherwise(tools: Tools) -> None:
    """Monday to Friday at the time that was said."""
    result = await tools.run("briefing_schedule", at="8:00")
    assert tools.plan.asked[0][1] == {"day_of_week": "mon,tue,wed,thu,fri", "hour": 8, "minute": 0}
    assert result.undo == "schedule:sch_k1"


async def test_what_is_planned_is_listed(tools: Tools) -> None:
    """With its id, its next time, and whether it is paused."""
    assert data(await tools.run("reminders")) == {"reminders": []}
    await tools.run("reminder_set", text="call", at="2026-11-25T12:00")
    tools.plan.kept = {name: replace(one, is_paused=True, next_at=None) for name, one in tools.plan.kept.items()}
    [row] = data(await tools.run("reminders"))["reminders"]
    assert (row["id"], row["title"], row["paused"]) == ("sch_k1", "call", True)
    assert "next" not in row


@pytest.mark.parametrize("label", [Label.MEMBER, Label.EXTERNAL])
async def test_words_from_outside_stay_marked(tools: Tools, label: Label) -> None:
    """A reminder that was made after reading somebody's words is as trustworthy as that, and fenced in the list."""
    await tools.run("reminder_set", call(DANA, key="k1"), text="call", at="2026-11-25T12:00")
    mine = await tools.run("reminders")
    assert mine.label is Label.OWNER
    await tools.run("reminder_set", call(DANA, key="k2", label=label), text="pay [x]", at="2026-11-25T12:00")
    mixed = await tools.run("reminders")
    assert mixed.label is label
    assert [row["title"].startswith("<untrusted") for row in data(mixed)["reminders"]] == [False, True]


async def test_removing_says_what_is_gone(tools: Tools) -> None:
    """One that is not there is refused; a second attempt of the same call is as good as the first."""
    await tools.run("reminder_set", text="call", at="2026-11-25T12:00")
    gone = await tools.run("reminder_remove", reminder_id="sch_k1")
    assert gone.summary == "“call”, once"
    again = await tools.run("reminder_remove", call(DANA, attempt=2), reminder_id="sch_k1")
    assert data(again) == {"removed": True}
    with pytest.raises(ModelRetry, match="no such reminder"):
        await tools.run("reminder_remove", reminder_id="sch_k1")


def test_they_change_our_own_store_only(tools: Tools) -> None:
    """No card is asked for any of them."""
    for name in ("reminder_set", "reminder_remove", "briefing_schedule"):
        assert tools[name].effect is EffectClass.OWN
    assert tools["reminders"].effect is EffectClass.READ


def test_captions_hold_what_was_asked(tools: Tools) -> None:
    """On one short line."""
    for name, args in {
        "reminder_set": {"text": "a\n" * 90, "at": "x"},
        "reminders": {},
        "reminder_remove": {"reminder_id": "x"},
        "briefing_schedule": {"at": "08:00"},
    }.items():
        tool = tools[name]
        caption = tool.caption(tool.args.model_validate(args))
        assert "\n" not in caption
        assert len(caption) < 130
