"""A series cut in two: the old one ends before an occurrence, a new one goes on from there.

Recurring events guide, "Modifying all following instances": Google has no such call, so it is two writes. Which one
comes first, and how a break between them is mended, stands in `update.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from integrations.calendar.changes import Change
from integrations.calendar.deviations import left_out
from integrations.calendar.exdates import as_exdates
from integrations.calendar.guests import everybody
from integrations.calendar.halves import rest
from integrations.calendar.meet import conference_for
from integrations.calendar.spans import Span
from integrations.calendar.targets import Reach, Target

COPIED = (
    *("summary", "description", "location", "colorId", "transparency", "visibility", "reminders", "extendedProperties"),
    *("guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests", "anyoneCanAddSelf", "source", "status"),
    *("attachments", "eventType", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"),
)
CANNOT_BE_MADE = "fromGmail"  # Events, `eventType`: what Gmail read from a mail goes on as a plain event
ONLY_HIS = frozenset({"self", "organizer", "id"})


def continuation(
    target: Target, change: Change, zone: str, key: str, *, cancelled: Sequence[Span] = ()
) -> dict[str, object]:
    """The body of events.insert for the series that goes on: everything as it was, and the change.

    `cancelled` are times of the old one that were called off: the new one leaves them out.
    """
    whole: Mapping[str, object] = target.event.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
    body = {name: whole[name] for name in COPIED if name in whole}
    if body.get("eventType") == CANNOT_BE_MADE:
        del body["eventType"]
    if target.event.has_foreign_conference():
        body["conferenceData"] = _taken_along(cast("Mapping[str, object]", whole["conferenceData"]))
    elif gets_new_link(target):
        body["conferenceData"] = conference_for(key)
    if guests := everybody(target.event, add=change.added, remove=change.removed):
        body["attendees"] = [{name: value for name, value in guest.items() if name not in ONLY_HIS} for guest in guests]
    first = change.span or target.planned(zone)
    start, end = first.as_google()
    body["start"], body["end"] = _without_nothing(start), _without_nothing(end)
    rule = change.rule or rest(target, zone)
    body["recurrence"] = [rule.as_text(), *as_exdates(left_out(cancelled, target.planned(zone), first))]
    patch = change.as_patch(target.event, key)
    return body | {
        name: value for name, value in patch.items() if name not in {"start", "end", "recurrence", "attendees"}
    }


def gets_new_link(target: Target) -> bool:
    """Whether a cut makes a new Meet link: no two events should share one (Events, `conferenceData`, warning)."""
    had_one = bool(target.event.meet_link()) or target.event.is_pending()
    return target.reach is Reach.FOLLOWING and had_one and not target.event.has_foreign_conference()


def _without_nothing(edge: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in edge.items() if value is not None}


def _taken_along(conference: Mapping[str, object]) -> dict[str, object]:
    """A third party's conference as another event gets it: solution and ways in, without the request for it."""
    return {name: value for name, value in conference.items() if name != "createRequest"}
