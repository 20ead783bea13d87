"""One person's schedules, as tools ask for them. Implements `integrations.ports.Schedules`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain import ids
from bot.domain.schedules import BadSchedule, ScheduleKind
from bot.runtime.schedules.service import NewSchedule, ScheduleService
from bot.runtime.texts.about_schedules import in_words, planned
from integrations.base import Requester
from integrations.errors import ModelRetry
from integrations.ports import ScheduleInfo
from policies.types import Label

BRIEFING_TITLE = "Daily briefing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleToolService:
    """Keeps and lists. What it keeps speaks in the person's direct messages, wherever it was asked for."""

    schedules: ScheduleService

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
        """Keep a reminder; the same key twice is one. Raises `ToolError`: a thread is looked at before it is kept."""
        sources = self.schedules.sources
        if unless_answered and sources:
            await sources.mails.others_wrote(requester, unless_answered, since=sources.clock.now())
        values = {"kind": ScheduleKind.REMINDER, "text": text, "unless_answered": unless_answered, "label": label}
        return await self._kept(requester, spec, key, title=text, **values)

    async def brief(self, requester: Requester, spec: Mapping[str, object], *, key: str) -> ScheduleInfo:
        """Keep a briefing; one at the same times is refused, so that an Undo never takes another one away."""
        new = ids.named("sch", key)
        for known in await self.schedules.of(requester.team, requester.user):
            if known.kind is ScheduleKind.BRIEFING and known.id != new and dict(known.spec) == dict(spec):
                message = f"This briefing is planned already: {in_words(known.spec)}."
                raise ModelRetry("planned_already", message, hint="Say so; change nothing.", private=False)
        return await self._kept(
            requester, spec, key, title=BRIEFING_TITLE, kind=ScheduleKind.BRIEFING, text=BRIEFING_TITLE
        )

    async def of(self, requester: Requester) -> Sequence[ScheduleInfo]:
        """What has not ended, by number."""
        known = await self.schedules.of(requester.team, requester.user)
        return sorted((planned(schedule) for schedule in known), key=lambda one: one.number)

    async def remove(self, requester: Requester, schedule_id: str) -> bool:
        """End it; False when they have no such one."""
        return await self.schedules.remove(requester.team, requester.user, schedule_id)

    async def _kept(self, requester: Requester, spec: Mapping[str, object], key: str, **values: Any) -> ScheduleInfo:
        wanted = NewSchedule(
            team=requester.team,
            user=requester.user,
            channel="",
            is_dm=True,
            spec=spec,
            zone=requester.zone,
            id=ids.named("sch", key),
            **values,
        )
        try:
            return planned(await self.schedules.add(wanted))
        except BadSchedule as error:
            raise ModelRetry("cannot_be_scheduled", str(error), private=False) from error
