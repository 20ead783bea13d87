"""Block Kit that the page must be able to show: an approval card, and one block of every kind."""

from __future__ import annotations

from typing import Any

Block = dict[str, Any]


def text(words: str, kind: str = "mrkdwn") -> Block:
    return {"type": kind, "text": words}


def button(label: str, action: str, **more: Any) -> Block:
    return {"type": "button", "text": text(label, "plain_text"), "action_id": action, **more}


def approval(question: str, owner: str) -> list[Block]:
    """The card of a mail that waits for its owner."""
    body = "Hello Helen,\n\nThursday works for us. Jonas has the benches ready by then.\n\nBest,\nDana"
    for_owner = {"visible_to_user_ids": [owner], "value": question}
    return [
        {"type": "header", "text": text("Send this mail?", "plain_text")},
        {
            "type": "section",
            "fields": [
                text("*From*\ndana@fernhill.example"),
                text("*To*\nhelen.marsh@marshgardens.example"),
                text("*Subject*\nRe: Benches for the terrace"),
                text("*Why asked*\nmail to an address outside"),
            ],
        },
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_quote", "elements": [{"type": "text", "text": body}]}],
        },
        {
            "type": "actions",
            "block_id": f"question-{question}",
            "elements": [
                button("Approve", "approve", style="primary", **for_owner),
                button("Reject", "reject", style="danger", **for_owner),
            ],
        },
        {"type": "context", "elements": [text("Rule `default.supervised` · expires tomorrow at 09:00")]},
    ]


OPTIONS = [
    {"text": text("Supervised", "plain_text"), "value": "supervised", "description": text("asks always", "plain_text")},
    {"text": text("Delegated", "plain_text"), "value": "delegated"},
]


def rich() -> Block:
    def line(*parts: Block) -> Block:
        return {"type": "rich_text_section", "elements": list(parts)}

    plain: Block = {"type": "text", "text": "plain, "}
    bold: Block = {"type": "text", "text": "bold", "style": {"bold": True}}
    code: Block = {"type": "text", "text": "code", "style": {"code": True}}
    person: Block = {"type": "user", "user_id": "U0DANA"}
    items = {"type": "rich_text_list", "style": "bullet", "indent": 0, "elements": [line(plain), line(bold)]}
    inner = {"type": "rich_text_list", "style": "ordered", "indent": 1, "elements": [line(code), line(person)]}
    pre = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "def f():\n    return 1"}]}
    quote = {"type": "rich_text_quote", "elements": [{"type": "text", "text": "quoted words"}]}
    return {"type": "rich_text", "elements": [line(plain, bold, code, person), items, inner, quote, pre]}


MARKDOWN = """# A heading

Some **bold**, *italic*, ~~gone~~ and `code`, a [link](https://example.com/page) and a list:

1. one
2. two
   - inner
- [x] done
- [ ] open

| what | when |
|---|---|
| Call | Thursday |

> quoted

```
fenced <b>not bold</b>
```
"""


def card(title: str, action: str) -> Block:
    words = {"title": text(title), "subtitle": text("Oak, oiled"), "body": text("Two in stock.")}
    return {"type": "card", **words, "actions": [button("Order", action)]}


def gallery() -> list[Block]:
    """One block of every kind that Slack's clients know."""
    image = {"type": "image", "image_url": "https://pictures.example/bench.png", "alt_text": "An oak bench"}
    task = {"type": "task_card", "task_id": "t1", "title": "Search the mail", "status": "complete"}
    working = {"type": "task_card", "task_id": "t2", "title": "Read the thread", "status": "in_progress"}
    failed = {"type": "task_card", "task_id": "t3", "title": "Send", "status": "error", "details": text("no answer")}
    chair, table, bench = (card(title, f"order-{title}") for title in ("Hollin chair", "Hotel table", "Oak bench"))
    return [
        rich(),
        {"type": "markdown", "text": MARKDOWN},
        {"type": "header", "text": text("A header :seedling:", "plain_text")},
        {
            "type": "section",
            "block_id": "s1",
            "text": text("A section with *an accessory*"),
            "accessory": {"type": "overflow", "action_id": "more", "options": OPTIONS},
        },
        {
            "type": "section",
            "block_id": "s2",
            "text": text("And a picture"),
            "accessory": image,
        },
        {"type": "divider"},
        image,
        {
            "type": "actions",
            "block_id": "a1",
            "elements": [
                button("Plain", "plain"),
                button("Go", "go", style="primary"),
                button(
                    "Delete",
                    "delete",
                    style="danger",
                    confirm={
                        "title": text("Delete it?", "plain_text"),
                        "text": text("This cannot be undone."),
                        "confirm": text("Delete", "plain_text"),
                        "deny": text("Keep", "plain_text"),
                        "style": "danger",
                    },
                ),
                button("For Priya only", "private", visible_to_user_ids=["U0PRIYA"]),
                {
                    "type": "static_select",
                    "action_id": "level",
                    "placeholder": text("Trust level", "plain_text"),
                    "options": OPTIONS,
                },
                {"type": "datepicker", "action_id": "day", "initial_date": "2026-11-26"},
            ],
        },
        {
            "type": "table",
            "rows": [
                [text("Item", "raw_text"), text("Pieces", "raw_text")],
                [text("Bench", "raw_text"), text("24", "raw_text")],
            ],
            "column_settings": [{"align": "left"}, {"align": "right"}],
        },
        {"type": "alert", "level": "warning", "text": text("The address is *new*.")},
        chair,
        {"type": "carousel", "elements": [{**chair, "actions": [button("Order", "other")]}, table, bench]},
        {
            "type": "container",
            "title": text("What changes", "plain_text"),
            "is_collapsible": True,
            "child_blocks": [{"type": "section", "text": text("Tuesday → *Thursday*")}],
        },
        {"type": "plan", "title": "Two steps", "tasks": [task, working, failed]},
        {
            "type": "context_actions",
            "elements": [
                {
                    "type": "feedback_buttons",
                    "action_id": "feedback",
                    "positive_button": {"text": text("Good", "plain_text"), "value": "good"},
                    "negative_button": {"text": text("Bad", "plain_text"), "value": "bad"},
                }
            ],
        },
        {"type": "context", "elements": [text("Context with *bold*"), image]},
        {"type": "hologram", "depth": 3},
    ]


def modal() -> Block:
    """A modal with every input."""

    def asked(block: str, label: str, element: Block, **more: Any) -> Block:
        return {"type": "input", "block_id": block, "label": text(label, "plain_text"), "element": element, **more}

    return {
        "type": "modal",
        "callback_id": "settings",
        "title": text("Edit the mail", "plain_text"),
        "submit": text("Save", "plain_text"),
        "close": text("Cancel", "plain_text"),
        "blocks": [
            asked("subject", "Subject", {"type": "plain_text_input", "action_id": "v", "initial_value": "Re: Benches"}),
            asked("body", "Text", {"type": "plain_text_input", "action_id": "v", "multiline": True}),
            asked("level", "Level", {"type": "static_select", "action_id": "v", "options": OPTIONS}, optional=True),
            asked("who", "People", {"type": "multi_users_select", "action_id": "v"}, optional=True),
            asked("day", "Day", {"type": "datepicker", "action_id": "v"}, optional=True),
            asked("time", "Time", {"type": "timepicker", "action_id": "v"}, optional=True),
            asked("boxes", "Boxes", {"type": "checkboxes", "action_id": "v", "options": OPTIONS}, optional=True),
            asked("radio", "One of", {"type": "radio_buttons", "action_id": "v", "options": OPTIONS}, optional=True),
            asked("file", "File", {"type": "file_input", "action_id": "v"}, optional=True),
        ],
    }
