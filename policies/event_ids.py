"""The ids of events of Google Calendar: those of events that the agent makes, and what those of one series share."""

from __future__ import annotations

import hashlib
import re
from base64 import b32hexencode

_BYTES = 20
_OURS = re.compile(r"cs[0-9a-v]{32}(?![0-9a-v])")
_OCCURRENCE = re.compile(r"(_R\d{8}(T\d{6}Z?)?)?(_\d{8}(T\d{6}Z?)?)?(?=@|$)")


def event_id_for(key: str) -> str:
    """The id of the event that an action creates: the same in every attempt (Events.insert: base32hex, a–v and 0–9)."""
    return "cs" + b32hexencode(hashlib.sha256(key.encode()).digest()[:_BYTES]).decode("ascii").lower()


def is_id_of_ours(event_id: str) -> bool:
    """Whether `event_id_for` made this id, or that of its series, on whichever calendar."""
    return _OURS.match(event_id) is not None


def series_of(event_id: str) -> str:
    """What the occurrences of one recurring event share, also before and after a change of all that follow (Google
    Calendar API, Events: “<id>_<start>”, “<id>_R<start>”). Ids of invitations from other programs begin with “_”.
    """
    return _OCCURRENCE.sub("", event_id, count=1)
