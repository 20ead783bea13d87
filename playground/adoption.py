"""The Google accounts of the demo's people, as the agent's `adopt` command reads them, since nobody signs in here."""

from __future__ import annotations

import json

from playground.people import COLLEAGUES, DANA, JONAS, LUIS, MARA, PRIYA, TEAM_ID, Person

SCOPES = (
    "openid",
    "https://www.googleapis.com/auth/userinfo.email",
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.compose",
    "https://www.googleapis.com/auth/calendar.events",
    "https://www.googleapis.com/auth/calendar.freebusy",
    "https://www.googleapis.com/auth/calendar.calendarlist.readonly",
)
MORE_SCOPES = {
    DANA: (
        "https://www.googleapis.com/auth/gmail.modify",
        "https://www.googleapis.com/auth/contacts.readonly",
        "https://www.googleapis.com/auth/contacts.other.readonly",
    )
}
"""People who granted more: Dana can try labels, archiving and contacts at once, others the cards that ask for them."""

MEMORIES = {
    DANA: "Helen Marsh prefers deliveries in the morning, before the café opens. See note FRN-R-0001.",
    MARA: "Bruno Keller's oak always comes a week late; plan for it. See note FRN-R-0002.",
    JONAS: "The big saw is serviced every first Monday of the month. See note FRN-R-0003.",
    PRIYA: "Invoices above 5,000 need two signatures. See note FRN-R-0004.",
    LUIS: "The logo's green is #0b6e57. See note FRN-R-0005.",
}


def accounts(google: str) -> str:
    """One line of JSON for each person but the guest, and one for what the agent remembers of each."""
    lines = [_account(person, google) for person in COLLEAGUES]
    lines += [_memory(person, text) for person, text in MEMORIES.items()]
    return "".join(json.dumps(line) + "\n" for line in lines)


def _memory(person: Person, text: str) -> dict[str, object]:
    return {"team": TEAM_ID, "user": person.user_id, "memory": text, "key": f"seed-{person.handle}"}


def _account(person: Person, google: str) -> dict[str, object]:
    return {
        "team": TEAM_ID,
        "user": person.user_id,
        "provider": "google",
        "account": person.google_sub,
        "email": person.email,
        "access_token": f"ya29.playground-{person.handle}",
        "refresh_token": f"1//playground-{person.handle}",
        "token_url": f"{google}/token",
        "scopes": [*SCOPES, *MORE_SCOPES.get(person, ())],
    }
