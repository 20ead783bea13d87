"""The second part of a series that is split: a new series from the named occurrence on.

Recurring events guide, "Modifying all following instances": Google has no such call, so it is two writes. Their
order, and what happens after a crash between them, is described in `following_change`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from integrations.calendar.events.change import Change
from integrations.calendar.events.conference import conference_for
from integrations.calendar.events.exceptions import left_out
from integrations.calendar.events.guests import everybody
from integrations.calendar.events.series_split import rest
from integrations.calendar.events.target import Reach, Target
from integrations.calendar.recurrence.exdates import as_exdates
from integrations.calendar.time_range import TimeRange

COPIED = (
    *("summary", "description", "location", "colorId", "transparency", "visibility", "reminders", "extendedProperties"),
    *("guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests", "anyoneCanAddSelf", "source", "status"),
    *("attachments", "eventType", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"),
)
FROM_GMAIL = "fromGmail"  # Events, `eventType`: only Gmail makes these, so the copy is a plain event
OWN_FIELDS = frozenset({"self", "organizer", "id"})


def continuation(
    target: Target, change: Change, zone: str, key: str, *, cancelled: Sequence[TimeRange] = ()
) -> dict[str, object]:
    """The body of events.insert for the new series: everything as it was, with the change.

    `cancelled` are cancelled times of the old series; the new one leaves them out.
    """
    whole: Mapping[str, object] = target.event.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
    body = {name: whole[name] for name in COPIED if name in whole}
    if body.get("eventType") == FROM_GMAIL:
        del body["eventType"]
    if target.event.has_foreign_conference():
        body["conferenceData"] = _copied_conference(cast("Mapping[str, object]", whole["conferenceData"]))
    elif gets_new_link(target):
        body["conferenceData"] = conference_for(key)
    if guests := everybody(target.event, add=change.added, remove=change.removed):
        body["attendees"] = [
            {name: value for name, value in guest.items() if name not in OWN_FIELDS} for guest in guests
        ]
    first = change.span or target.planned(zone)
    start, end = first.as_google()
    body["start"], body["end"] = _without_none(start), _without_none(end)
    rule = change.rule or rest(target, zone)
    body["recurrence"] = [rule.as_text(), *as_exdates(left_out(cancelled, target.planned(zone), first))]
    patch = change.as_patch(target.event, key)
    return body | {
        name: value for name, value in patch.items() if name not in {"start", "end", "recurrence", "attendees"}
    }


def gets_new_link(target: Target) -> bool:
    """Whether a split makes a new Meet link: two events should not share one (Events, `conferenceData`, warning)."""
    had_one = bool(target.event.meet_link()) or target.event.is_pending()
    return target.reach is Reach.FOLLOWING and had_one and not target.event.has_foreign_conference()


def _without_none(edge: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in edge.items() if value is not None}


def _copied_conference(conference: Mapping[str, object]) -> dict[str, object]:
    """A third party's conference for another event: the solution and its entry points, without the request."""
    return {name: value for name, value in conference.items() if name != "createRequest"}
