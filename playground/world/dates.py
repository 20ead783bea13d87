"""The days of the seeded world, relative to the day of seeding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

HOME = ZoneInfo("Europe/London")


@dataclass(frozen=True, slots=True)
class Days:
    """Days around `now`, in London, where the company is."""

    now: datetime

    @property
    def today(self) -> date:
        return self.now.astimezone(HOME).date()

    def coming(self, weekday: str) -> date:
        """The next such day after today; `thu` and `fri` follow the coming Wednesday, for a scene that needs all."""
        wednesday = self.today + timedelta(days=(2 - self.today.weekday() - 1) % 7 + 1)
        return wednesday + timedelta(days=WEEKDAYS.index(weekday) - 2)

    def named(self, text: str) -> date:
        """`coming wed`, or a week before or after this one and a weekday: `-1 tue`, `0 thu`, `+1 mon`; or the nearest
        day of a date that each year has: `every 11-30`.
        """
        first, weekday = text.split()
        if first == "every":
            years = (self.today.year + more for more in (-1, 0, 1))
            return min(
                (date.fromisoformat(f"{year}-{weekday}") for year in years), key=lambda day: abs(day - self.today)
            )
        if first == "coming":
            return self.coming(weekday)
        monday = self.today - timedelta(days=self.today.weekday())
        return monday + timedelta(weeks=int(first), days=WEEKDAYS.index(weekday))

    def moment(self, text: str, zone: ZoneInfo) -> datetime:
        """`-3 14:05` is three days ago at five past two in `zone`, `ago 35` is 35 minutes ago."""
        ago = re.fullmatch(r"ago (\d+)", text)
        if ago:
            return (self.now - timedelta(minutes=int(ago[1]))).astimezone(zone)
        days, clock = text.split()
        day = self.now.astimezone(zone).date() + timedelta(days=int(days))
        hour, minute = clock.split(":")
        return datetime(day.year, day.month, day.day, int(hour), int(minute), tzinfo=zone)

    def filled(self, text: str) -> str:
        """The text with `{wed}`, `{thu}` and `{fri}` as dates like `Wednesday 25 November`."""
        for weekday in ("wed", "thu", "fri"):
            day = self.coming(weekday)
            text = text.replace("{" + weekday + "}", f"{day:%A} {day.day} {day:%B}")
        return text
