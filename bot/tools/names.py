"""What people call each tool, on cards, in windows and in the audit log. The model and the rows know its name alone."""

from __future__ import annotations

from collections.abc import Mapping

TOOLS: Mapping[str, tuple[str, str]] = {
    "gmail_search": ("search the mail", "searched the mail"),
    "gmail_thread_read": ("read a mail", "read a mail"),
    "gmail_attachment_read": ("read an attachment", "read an attachment"),
    "gmail_draft_create": ("save a draft", "saved a draft"),
    "gmail_draft_update": ("change a draft", "changed a draft"),
    "gmail_draft_send": ("send a draft", "sent a draft"),
    "gmail_send": ("send a mail", "sent a mail"),
    "gmail_reply": ("send a reply", "sent a reply"),
    "gmail_labels": ("sort a mail", "sorted a mail"),
    "find_person": ("look up an address", "looked up an address"),
    "calendar_search": ("look into the calendar", "looked into the calendar"),
    "calendar_find_time": ("find a free time", "found a free time"),
    "calendar_event_create": ("create an event", "created an event"),
    "calendar_event_update": ("change an event", "changed an event"),
    "calendar_event_answer": ("answer an invitation", "answered an invitation"),
    "calendar_event_cancel": ("cancel an event", "cancelled an event"),
    "save_memory": ("remember something", "remembered something"),
    "search_memory": ("look into its memory", "looked into its memory"),
    "slack_channels": ("list channels", "listed channels"),
    "slack_read": ("read a channel", "read a channel"),
    "reminder_set": ("set a reminder", "set a reminder"),
    "reminders": ("list what is planned", "listed what is planned"),
    "reminder_remove": ("remove a reminder", "removed a reminder"),
    "briefing_schedule": ("plan a daily briefing", "planned a daily briefing"),
    "briefing_send": ("send a briefing", "sent a briefing"),
    "propose_plan": ("propose a plan", "proposed a plan"),
    "plan_task": ("carry out a task of the plan", "carried out a task of the plan"),
    "complete_task": ("hand over its result", "handed over its result"),
}
"""Each tool as “to do” and as “did”. An agent that is given work is called by its name."""


def deed(tool: str) -> str:
    """What it does, as “send a mail”; empty for one without a name in words."""
    todo, _ = TOOLS.get(tool, ("", ""))
    return todo


def tool_name(tool: str) -> str:
    """What people call it, as “Send a mail”; empty for one without a name in words, which has its id alone."""
    todo = deed(tool)
    return f"{todo[:1].upper()}{todo[1:]}"
