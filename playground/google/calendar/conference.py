"""Meet links: requested with an event, pending at first, there at the next look.

"Create events: Add video and phone conferences" and the ConferenceData resource of the Calendar reference.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import cast

from playground.google.discovery import JsonObject
from playground.google.errors import invalid

ICON = "https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png"


@dataclass(slots=True, kw_only=True)
class Conference:
    """One conference of an event. `outcome` is the state of the request at the next look.

    One that was copied from another event has a code and no request.
    """

    request_id: str = ""
    copied: str = ""
    outcome: str = "success"
    status: str = "pending"

    @property
    def code(self) -> str:
        if self.copied:
            return self.copied
        letters = "".join(chr(97 + byte % 26) for byte in hashlib.sha256(self.request_id.encode()).digest())
        return f"{letters[:3]}-{letters[3:7]}-{letters[7:10]}"

    def shown(self) -> JsonObject:
        """`conferenceData` and, once there is one, `hangoutLink`."""
        request = {
            "requestId": self.request_id,
            "conferenceSolutionKey": {"type": "hangoutsMeet"},
            "status": {"statusCode": self.status},
        }
        if self.status != "success":
            return {"conferenceData": {"createRequest": request}}
        uri = f"https://meet.google.com/{self.code}"
        data: JsonObject = {
            **({} if self.copied else {"createRequest": request}),
            "conferenceId": self.code,
            "conferenceSolution": {"key": {"type": "hangoutsMeet"}, "name": "Google Meet", "iconUri": ICON},
            "entryPoints": [{"entryPointType": "video", "uri": uri, "label": uri.removeprefix("https://")}],
        }
        return {"conferenceData": data, "hangoutLink": uri}

    def settle(self) -> None:
        """Settles the request, since time has passed."""
        if self.status == "pending":
            self.status = self.outcome


def asked_for(body: JsonObject, old: Conference | None, *, version: int, outcome: str) -> Conference | None:
    """The event's conference after a write. Version 0 means that the client knows nothing of conferences."""
    if version < 1 or "conferenceData" not in body:
        return old
    data = cast("JsonObject | None", body["conferenceData"])
    if data is None:
        return None
    request: JsonObject = data.get("createRequest") or {}
    kind = request.get("conferenceSolutionKey", {}).get("type", "hangoutsMeet")
    if not request:
        return _copied(data) or old
    if not request.get("requestId") or kind != "hangoutsMeet":
        raise invalid("Invalid conference type value.", reason="invalid")
    if old and old.request_id == request["requestId"]:
        return old
    return Conference(request_id=request["requestId"], outcome=outcome)


def _copied(data: JsonObject) -> Conference | None:
    """The same conference for another event: "copy conference data between events" of the guide."""
    code = data.get("conferenceId", "")
    if not data.get("conferenceSolution") or not code:
        return None
    if not re.fullmatch(r"[a-z]{3}-[a-z]{4}-[a-z]{3}", code):
        raise invalid("Invalid conference data.", reason="invalid")
    return Conference(copied=code, status="success")
