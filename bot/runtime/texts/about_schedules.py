"""When a schedule fires, in words: “every weekday at 08:00”, “once, Monday 23 November at 16:00”."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from bot.domain.schedules import Schedule, ScheduleState
from integrations.ports import ScheduleInfo

_REQUEST = "Scheduled request"

_DAYS = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
_KNOWN = (
    ({"mon-fri", "mon,tue,wed,thu,fri"}, "weekday"),
    ({"sat,sun", "sat-sun"}, "Saturday and Sunday"),
    ({"*", "mon-sun", ",".join(_DAYS)}, "day"),
)


def planned(schedule: Schedule) -> ScheduleInfo:
    """A schedule as people and tools see it."""
    return ScheduleInfo(
        id=schedule.id,
        number=schedule.number,
        what=schedule.kind.value,
        title=schedule.title or schedule.text,
        when=in_words(schedule.spec),
        zone=schedule.zone,
        next_at=schedule.next_fire,
        is_paused=schedule.state is ScheduleState.PAUSED,
        unless_answered=bool(schedule.unless_answered),
        label=schedule.label,
    )


def in_words(spec: Mapping[str, object]) -> str:
    """The spec of a schedule; any other form is “on a custom schedule”."""
    if "at" in spec:
        at = datetime.fromisoformat(str(spec["at"]))
        return f"once, {at:%A} {at.day} {at:%B at %H:%M}"
    hour, minute = spec.get("hour"), spec.get("minute", 0)
    if not (isinstance(hour, int) and isinstance(minute, int)):
        return "on a custom schedule"
    match {name: value for name, value in spec.items() if name not in {"hour", "minute"}}:
        case rest if not rest:
            days = "day"
        case {"day": int(day), **rest} if not rest:
            days = f"month on the {_nth(day)}"
        case {"day_of_week": str(names), **rest} if not rest:
            days = _days(names)
        case _:
            return "on a custom schedule"
    return f"every {days} at {hour:02d}:{minute:02d}"


def _days(names: str) -> str:
    known = next((words for written, words in _KNOWN if names in written), None)
    if known:
        return known
    listed = [_DAYS.get(name, name) for name in names.split(",")]
    return " and ".join([", ".join(listed[:-1]), listed[-1]]) if len(listed) > 1 else listed[0]


def _nth(day: int) -> str:
    ending = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def request(title: str) -> str:
    """How a request begins that a schedule makes."""
    return f"{_REQUEST}: {title}" if title else _REQUEST
