"""The ids that buttons and modals carry: what a view writes, a listener reads."""

from __future__ import annotations

import re

from bot.domain.briefings import ItemVerb
from bot.domain.questions import Choice
from bot.domain.schedules import ReminderChoice

SHOW_ALL = "show_all"
LIST = "home_list"
LIST_EARLIER = f"{LIST}_earlier"
LIST_LATER = f"{LIST}_later"
LIST_ACTIONS = (LIST, LIST_EARLIER, LIST_LATER)
"""Of buttons that show a whole list: on App Home, and in its window the two below a part of it. What they carry is
`<list>.<how many come before>`.
"""


WAITING = "waiting"
HELD_LIST = "held"
ALLOWED = "allowed"
EDIT = "card_edit"
EDIT_FORM = "card_edit_form"
CONFIRM = "card_confirm"
CONFIRM_FORM = "card_confirm_form"
REJECT_WHY = "card_reject_why"
REJECT_FORM = "card_reject_form"
REFINE = "plan_refine"
REFINE_FORM = "plan_refine_form"
PLAN_FORM = "plan_form"
DEADLINE_FORM = "plan_deadline_form"
MAKE_PLAN = "run_make_plan"
STOP_RUN = "run_stop"
TRUST_FORM = "trust_form"
RULE_ADD = "rule_add"
RULE_EDIT = "rule_edit"
RULE_REMOVE = "rule_remove"
RULE_FORM = "rule_form"
RULE_STAND_INS = "rule_stand_ins_form"
ASK_ABOUT = "agent_message_shortcut"
"""The message shortcut, as the manifest names it."""

ASK_FORM = "ask_form"
AGENT_CHOICE = "agent_choice"
AGENT_FORM = "agent_form"
VARIANT = "card_variant"
VARIANT_ACTION = re.compile(rf"{VARIANT}_\d{{1,2}}")
"""Action ids of the other ways to say yes on a card, by their place."""

UNDO = "undo"
FORGET = "memory_forget"
HELD_UNDO = "held_undo"
HELD_NOW = "held_now"
STOP_MINE = "stop_mine"
STOP_AGENT = "agent_stop"
OPEN_LINK = "open_link"
CONNECT = "account_connect"
DISCONNECT = "account_disconnect"
SIGN_OUT = "session_sign_out"
CONTINUE = "run_continue"
TRY_AGAIN = "run_try_again"
ASK_AGAIN = "question_ask_again"
TAKE_HELD_BACK = "held_back_take"

OPTION_MENU = "question_option"
OPTION_ACTION = re.compile(rf"{OPTION_MENU}(_\d{{1,3}})?")
"""Action ids of what answers a tool's question: a menu's, and those of buttons."""

CHOICE_ACTIONS = {f"question_{choice.value}": choice for choice in Choice}
"""Action id of a card's button to what it says."""

ALARM_ACTIONS = {f"alarm_{choice.value}": choice for choice in ReminderChoice}
"""Action id of a reminder's button to what it says."""

BRIEFING_ACTIONS = {f"briefing_{verb.value}": verb for verb in ItemVerb}
"""Action id of a button on a briefing's item to what it asks for."""

SCHEDULE_PAUSE = "schedule_pause"
SCHEDULE_RESUME = "schedule_resume"
SCHEDULE_REMOVE = "schedule_remove"
SCHEDULE_ACTIONS = {SCHEDULE_PAUSE: "pause", SCHEDULE_RESUME: "resume", SCHEDULE_REMOVE: "remove"}
"""Action id of a schedule's button to the command's word for the same."""


def choice_action(choice: Choice) -> str:
    """The action id of the button that says this."""
    return f"question_{choice.value}"


def list_value(name: str, first: int) -> str:
    """What a button carries that shows a list from this place on."""
    return f"{name}.{first}"


def list_of(value: str) -> tuple[str, int] | None:
    """The list, and the place where its window begins; None for what we never made."""
    name, _, first = value.partition(".")
    made = name in {WAITING, HELD_LIST, ALLOWED} and first.isascii() and first.isdecimal() and len(first) <= 6
    return (name, int(first)) if made else None


def variant_action(n: int) -> str:
    """The action id of the button of a card's n-th other way to say yes, counted from zero."""
    return f"{VARIANT}_{n}"


def variant_of(action_id: str) -> int:
    """Which of them it is."""
    return int(action_id.rpartition("_")[2])


def option_action(n: int) -> str:
    """The action id of the button of the n-th option, counted from zero."""
    return f"{OPTION_MENU}_{n}"


def option_value(value: str, n: int) -> str:
    """The value of the n-th option of a menu on the card whose buttons carry `value`."""
    return f"{value}.{n}"


def option_of(action_id: str, value: str) -> tuple[str, int | None]:
    """The value of the card's buttons, and which option was chosen; None for what we never made."""
    if action_id == OPTION_MENU:
        value, _, n = value.rpartition(".")
    else:
        n = action_id.rpartition("_")[2]
    return value, int(n) if n.isascii() and n.isdecimal() and len(n) <= 3 else None
