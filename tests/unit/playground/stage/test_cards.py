from __future__ import annotations

from playground.stage.cards import Button, posted

HEADER = {"type": "header", "text": {"type": "plain_text", "text": "Send a reply"}}
RICH = {
    "type": "rich_text",
    "elements": [
        {
            "type": "rich_text_section",
            "elements": [
                {"type": "text", "text": "for "},
                {"type": "user", "user_id": "U0DANA"},
                {"type": "text", "text": " "},
                {"type": "emoji", "name": "tada"},
                {"type": "link", "url": "https://a.example"},
            ],
        }
    ],
}
FIELDS = {"type": "section", "fields": [{"type": "mrkdwn", "text": "*To*"}, {"type": "mrkdwn", "text": "helen@x"}]}
ACTIONS = {
    "type": "actions",
    "block_id": "b1",
    "elements": [
        {"type": "button", "text": {"type": "plain_text", "text": "Approve"}, "action_id": "yes", "value": "q.n"},
        {"type": "button", "text": {"type": "plain_text", "text": "Reject"}, "action_id": "no", "value": "q.n"},
    ],
}
CARD = {
    "ts": "2.0",
    "thread_ts": "1.0",
    "user": "U0CSIGN",
    "text": "fallback",
    "blocks": [HEADER, RICH, FIELDS, ACTIONS],
}


def test_a_card_is_read_as_people_read_it() -> None:
    """A message's blocks become a line each, rich text runs on, and button labels are no text."""
    assert posted(CARD, "D1").lines == ("Send a reply", "for @Dana Okafor :tada:https://a.example", "*To*  helen@x")


def test_a_date_is_read_as_its_words() -> None:
    """Slack's dates, as tokens and in rich text, are shown by their fallback text; small print has a line for each."""
    rule = {"type": "mrkdwn", "text": "Rule r"}
    token = {"type": "mrkdwn", "text": "Expires <!date^1^{time}|Sun 15:34 GMT>"}
    small = {"type": "context", "elements": [token, rule]}
    date = {"type": "date", "timestamp": 1, "format": "{time}", "fallback": "Sun 15:30 GMT"}
    line = {"type": "rich_text_section", "elements": [{"type": "text", "text": "Approved · "}, date]}
    rich = {"type": "rich_text", "elements": [line]}
    lines = ("Expires Sun 15:34 GMT\nRule r", "Approved · Sun 15:30 GMT")
    assert posted({"ts": "1.0", "blocks": [small, rich]}, "D1").lines == lines


def test_buttons_are_found_by_their_label() -> None:
    """A button is known by its label whatever the case, with what its click names."""
    card = posted(CARD, "D1")
    assert card.button("approve") == Button(label="Approve", action_id="yes", block_id="b1", value="q.n")
    assert card.button("Edit") is None


def test_parts_match_whatever_the_marks_and_spaces() -> None:
    """A card holds texts when it says all of them, whatever the case, the emphasis and the line breaks."""
    card = posted(CARD, "D1")
    assert card.holds(("send A REPLY", "to helen@x"))
    assert not card.holds(("Send a reply", "luis@x"))


def test_a_message_without_blocks_says_its_text() -> None:
    """A plain message is its text; without a thread it is its own root."""
    plain = posted({"ts": "3.0", "user": "U0DANA", "text": "hello\nthere"}, "D1")
    assert (plain.lines, plain.thread, plain.buttons) == (("hello", "there"), "3.0", ())
