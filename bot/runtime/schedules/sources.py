"""Looking outside before something is said: what the day holds, and whether somebody answered meanwhile.

A look that fails is mentioned in the message, which is sent all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import structlog

from bot.domain.briefings import MAILS_SHOWN, MEETINGS_SHOWN, Briefing, Item, ItemKind
from bot.runtime.texts import about_times
from integrations.base import Requester
from integrations.errors import IntegrationError, NotConnected
from integrations.ports import Agenda, Clock, Day, Meeting, WaitingMail, WaitingMailList, WaitingMails
from policies.characters import quoted

log = structlog.get_logger()

LOOK_SECONDS = 25.0
NAMED = 3  # guests of a meeting

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefingSources:
    """Looks with the person's own accounts."""

    clock: Clock
    agenda: Agenda
    mails: WaitingMails
    seconds: float = LOOK_SECONDS

    async def briefing(self, requester: Requester, *, must_be_connected: bool = False) -> Briefing:
        """Today, in the person's zone. Raises `NotConnected` when nothing is, and only if that is wanted."""
        day, mails = await asyncio.gather(
            self._tried(self.agenda.today(requester), requester), self._tried(self.mails.waiting(requester), requester)
        )
        if must_be_connected and isinstance(day, NotConnected) and isinstance(mails, NotConnected):
            raise day
        return _briefing(requester.zone, self.clock.now(), day, mails)

    def blind(self, zone: str) -> Briefing:
        """What is told when looking itself broke."""
        remark = "Something went wrong on my side, so I could not look. Ask me again for a briefing."
        return Briefing(day=about_times.day(self.clock.now(), zone), meetings=None, mails=None, remarks=[remark])

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool | None:
        """Whether anybody but the person wrote in the mail thread since; None when it cannot be told."""
        found = await self._tried(self.mails.others_wrote(requester, thread_id, since=since), requester)
        return found if isinstance(found, bool) else None

    async def _tried(self, look: Awaitable[_Found], requester: Requester) -> _Found | IntegrationError | TimeoutError:
        try:
            async with asyncio.timeout(self.seconds):
                return await look
        except (IntegrationError, TimeoutError) as error:
            log.info("briefing.not_looked_up", user=requester.user, error=type(error).__name__)
            return error


def _briefing(
    zone: str,
    now: datetime,
    day: Day | IntegrationError | TimeoutError,
    mails: WaitingMailList | IntegrationError | TimeoutError,
) -> Briefing:
    met = None if isinstance(day, Exception) else [_meeting(meeting) for meeting in day.meetings]
    waiting = None if isinstance(mails, Exception) else [_mail(mail, zone) for mail in mails.mails]
    return Briefing(
        day=about_times.day(now, zone),
        meetings=None if met is None else met[:MEETINGS_SHOWN],
        mails=None if waiting is None else waiting[:MAILS_SHOWN],
        more_meetings=max(0, len(met or ()) - MEETINGS_SHOWN),
        more_mails=max(0, len(waiting or ()) - MAILS_SHOWN),
        remarks=[*_remarks(day, mails), *_partly("your calendar", day), *_partly("your mail", mails)],
    )


def _partly(what: str, found: Day | WaitingMailList | Exception) -> Sequence[str]:
    """What was left out of something that was looked at."""
    if isinstance(found, Exception) or not found.unseen:
        return []
    return [f"I could not look at all of {what}: {found.unseen}"]


def _remarks(meetings: object, mails: object) -> Sequence[str]:
    """What could not be looked at; once, where one reason keeps from both."""
    said = {"your calendar": _why(meetings), "your mail": _why(mails)}
    failed = {what: why for what, why in said.items() if why}
    if len(failed) == 2 and len(set(failed.values())) == 1:
        return [f"I could not look at your calendar, nor at your mail: {next(iter(failed.values()))}"]
    return [f"I could not look at {what}: {why}" for what, why in failed.items()]


def _why(found: object) -> str:
    match found:
        case NotConnected():
            return "it is not connected. Type /agent connect google."
        case IntegrationError():
            return getattr(found, "message", "") or "Google did not answer as it should."
        case TimeoutError():
            return "Google took too long to answer. Ask me again for a briefing."
        case _:
            return ""


def _meeting(meeting: Meeting) -> Item:
    people = list(meeting.people)
    more = f" and {len(people) - NAMED} more" if len(people) > NAMED else ""
    return Item(
        kind=ItemKind.MEETING,
        id=meeting.id,
        title=meeting.title,
        when=meeting.when,
        people=", ".join(people[:NAMED]) + more,
        where=meeting.where,
        link=meeting.link,
        notes=[f"Overlaps with {quoted(title)}" for title in meeting.conflicts],
    )


def _mail(mail: WaitingMail, zone: str) -> Item:
    return Item(
        kind=ItemKind.MAIL,
        id=mail.thread_id,
        title=mail.subject,
        when=about_times.moment(mail.sent_at, zone),
        people=f"{mail.sender} <{mail.address}>" if mail.address and mail.sender != mail.address else mail.sender,
        snippet=mail.snippet,
        link=mail.link,
    )
