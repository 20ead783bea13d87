"""Which entries and mails the page takes for what a message caused."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from playground.page.cards import Cards
from tests.integration.playground.page.javascript import computed

DM, TS = "D0DANA", "1790000000.000100"
HELD: dict[str, Any] = {
    "ts": TS,
    "blocks": [
        {
            "type": "actions",
            "block_id": "held:run_waiting",
            "elements": [{"type": "button", "action_id": "held_undo", "value": "run_waiting"}],
        }
    ],
}
FOUND = """({ related, cardOf }, mail) => [
    [...related().values()].map((card) => [[...card.audit], [...card.mails]]), cardOf({ mail })?.ts ?? null
]"""


def entry(id: int, second: int, code: str, run: str, **body: str) -> dict[str, Any]:
    return {"id": id, "at": f"2026-11-30T19:00:{second:02}Z", "code": code, "run_id": run, "body": body}


LOG = [
    entry(1, 0, "run.queued", "run_request", source="slack:D0DANA"),
    entry(2, 1, "action.completed", "run_request", action="act_search", tool="gmail_search"),
    entry(3, 2, "action.scheduled", "run_request", action="act_asked", tool="gmail_send", held_run="run_waiting"),
    entry(4, 2, "run.held", "run_waiting", asked_by="act_asked"),
    entry(5, 3, "run.completed", "run_request"),
    entry(6, 32, "action.claimed", "run_waiting", action="act_sent", tool="gmail_send"),
    entry(7, 34, "action.completed", "run_waiting", action="act_sent", tool="gmail_send"),
    entry(8, 34, "run.completed", "run_waiting"),
]
SENT = {"key": "dana:sent:m1", "id": "m1", "owner": "dana", "folder": "sent", "message_id": "<1>", "arrived": 0}


def state(message: dict[str, Any], *, arrived: str) -> dict[str, Any]:
    return {
        "cards": Cards().look({DM: {TS: message}}),
        "slack": {"channels": {DM: {"id": DM, "user": "U0DANA"}}, "messages": {DM: {TS: message}}},
        "supervisor": {"audit": {"entries": {str(one["id"]): one for one in LOG}}},
        "google": {
            "people": {"dana": {"user_id": "U0DANA"}},
            "mails": {SENT["key"]: SENT | {"arrived": 1_000 * datetime.fromisoformat(arrived).timestamp()}},
            "events": {},
        },
    }


def test_what_nobody_was_asked_about_has_its_entries_and_its_mail() -> None:
    """A message with Undo leads to the entries of what waited, and to its mail; that leads back to the message. What
    else its request did is not its doing.
    """
    found, back = computed("relations.js", FOUND, SENT["key"], state=state(HELD, arrived="2026-11-30T19:00:33Z"))
    assert found == [[["3", "4", "6", "7", "8"], [SENT["key"]]]]
    assert back == TS


def test_a_mail_of_another_moment_is_another_ones() -> None:
    """What was sent when nothing was under way belongs to no message."""
    _, back = computed("relations.js", FOUND, SENT["key"], state=state(HELD, arrived="2026-11-30T19:00:20Z"))
    assert back is None


def test_a_whole_request_is_no_cards_doing() -> None:
    """A button for the request under its answer, as Continue, makes that no link to all that the request did."""
    block = HELD["blocks"][0] | {"block_id": "run:run_request"}
    asked = [{"type": "button", "action_id": "run_continue", "value": "run_request"}]
    answer = {"ts": TS, "blocks": [block | {"elements": asked}]}
    found, _ = computed("relations.js", FOUND, SENT["key"], state=state(answer, arrived="2026-11-30T19:00:33Z"))
    assert found == [[[], []]]
