"""Administrators' rules about who has to agree: what they say, and the two windows for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from bot.domain.rules import (
    APPROVERS,
    MOST_APPROVERS,
    MOST_DAYS,
    NEEDED,
    RECIPIENT,
    TOOL,
    TURN,
    USUAL_DAYS,
    NewRule,
    last_day,
    last_day_field,
    stand_in_field,
)
from bot.runtime.texts import about_times
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element
from bot.slack.views.plain import cut, escaped_but_people, one_line, paged
from bot.tools.names import tool_name
from policies.deciders import TURN_MINUTES, Approver, Deciders
from policies.rules import ANY
from policies.types import Rule

TURNS = (15, 30, 60, 120, TURN_MINUTES, 480, 1_440)
"""Minutes that a turn can last."""

MAX_ON_HOME = 5
RECIPIENT_LIMIT = 300
MAX_ASKED = 100  # characters of a recipient where Slack asks back
_TITLE = "Who has to agree"

EVERYTHING = "Everything that goes to anybody"
NOT_OPENED = "The window did not open in time, so nothing was changed. Type the command again."
NONE = "No rule of this workspace names people who have to agree."
ADMINS_CHANGE = "Administrators of this workspace change these rules."
_NEW = "`/agent rules add` opens a window for a new one"
HOW = (
    f"{_NEW}; `/agent rules edit` with the id of one of these opens it, and `/agent rules remove` with its id takes it "
    "away."
)
JUDGED_AGAIN = (
    "What waits for a yes already, or for its time, is looked at again before it is done. Where others have to agree "
    "then, they are asked."
)
ABOUT: Mapping[str, str] = {
    "gmail_send": "A new mail from the person’s own account",
    "gmail_reply": "An answer to a mail, to its sender or to everybody in it",
    "gmail_draft_create": "A draft in the person’s own Gmail; nothing is sent",
    "gmail_draft_update": "A draft that is there already; nothing is sent",
    "gmail_draft_send": "A draft, as it stands in Gmail",
    "gmail_labels": "It is archived, marked as read or labelled; nothing is deleted",
    "calendar_event_create": "A new event, with the guests who are invited to it",
    "calendar_event_update": "Its time, its place, its guests or its text",
    "calendar_event_cancel": "An event that the person organizes",
    "calendar_event_answer": "Yes, no or maybe to an invitation that the person got",
}
"""What stands below a tool's name in the menu. What a tool says of itself is written for the model."""

_ALL = "⚠ Nobody agrees to their own request. As all of them have to agree, what one of them asks for is refused."
_ONE = "⚠ Nobody agrees to their own request, so what <@{}> asks for is refused."


# What they say ----------------------------------------------------------------------------------------------------


def listed(rules: Sequence[Rule], *, is_admin: bool, page: int = 1) -> str:
    """The answer to `/agent rules`: one page of them; where there are none, only how to add one."""
    lines = [f"• {said(rule)} `{rule.id}`" for rule in rules]
    title = [f"*{_TITLE}:*", *paged(lines, page, "/agent rules")] if lines else [NONE]
    how = HOW if rules else f"{_NEW}."
    return escaped_but_people("\n".join([*title, how if is_admin else ADMINS_CHANGE]))


def which(rules: Sequence[Rule], *, is_admin: bool) -> str:
    """The answer to a change without an id."""
    return f"Say which one, by its id. Nothing was changed.\n{listed(rules, is_admin=is_admin)}"


def said(rule: Rule) -> str:
    """One rule in a sentence, not escaped, with people as `<@U0DANA>`."""
    decided = f"{_who(rule.deciders)}{_within(rule.deciders)}" if rule.deciders else rule.decision
    return f"{_about(rule, RECIPIENT_LIMIT)}: {decided}."


def _about(rule: Rule, limit: int) -> str:
    """What it is about; of a recipient so many characters."""
    what = "Everything that goes" if rule.tool == ANY else tool_name(rule.tool) or f"`{rule.tool}`"
    whom = one_line(rule.value, limit) if rule.value else "anybody"
    return f"{what} to {whom}" if rule.argument else what


def _who(deciders: Deciders) -> str:
    named = [_approver(one) for one in deciders.approvers]
    people = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else "".join(named)
    some = "" if deciders.needs_all else f"{deciders.needed} of "
    return f"{some}{people} {'has' if deciders.needed == 1 else 'have'} to agree"


def _approver(one: Approver) -> str:
    return f"<@{one.user}>" + (f" (else <@{one.stand_in}> {_until(one)})" if one.stand_in else "")


def _until(one: Approver) -> str:
    if one.until is None:
        return "without an end"
    day = last_day(one.until)
    return f"until {day:%A} {day.day} {day:%B %Y}"


def _within(deciders: Deciders) -> str:
    """How long a turn lasts, for those whose turn ends: it does where others are left."""
    followed = [not deciders.needs_all or bool(one.stand_in) for one in deciders.approvers]
    if not any(followed):
        return ""
    lasts = about_times.left(timedelta(minutes=deciders.turn_minutes))
    rest = "" if all(followed) else " where a stand-in can follow"
    return f"; each is waited for {lasts}{rest}"


def saved(rule: Rule) -> str:
    """That it counts from now on as it is."""
    return f"Saved. {said(rule)} {JUDGED_AGAIN}"


def not_edited(now: Rule | None, wanted: Rule) -> str:
    """That an edit came too late, what the rule says by now, and what was chosen, so that it is not lost."""
    chosen = f"You had chosen: {said(wanted)}"
    if now is None:
        gone = "Not saved: somebody took this rule away since you opened the window."
        return f"{gone} {chosen} `/agent rules add` opens a window for a new one."
    other = "Not saved: somebody edited this rule since you opened the window."
    return f"{other} It says now: {said(now)} {chosen} `/agent rules edit {now.id}` opens it as it is now."


def removed(rule: Rule) -> str:
    """That it counts no more."""
    return f"Taken away: {said(rule)} {JUDGED_AGAIN}"


def on_home(rules: Sequence[Rule], *, is_admin: bool) -> Sequence[Block]:
    """What App Home shows of them; nothing where there are none, but for administrators."""
    if not rules and not is_admin:
        return []
    shown = [block for rule in rules[:MAX_ON_HOME] for block in _on_home(rule, is_admin=is_admin)]
    more = [kit.context(kit.small(f"… and {len(rules) - MAX_ON_HOME} more: type /agent rules."))]
    add = kit.buttons("home:rules", [kit.button("Add a rule…", ids.RULE_ADD, "new")])
    return [
        kit.header(_TITLE),
        *(shown or [kit.section(NONE)]),
        *(more if len(rules) > MAX_ON_HOME else []),
        *([add] if is_admin else []),
    ]


def _on_home(rule: Rule, *, is_admin: bool) -> Sequence[Block]:
    block = kit.marked(escaped_but_people(said(rule)))
    if not is_admin:
        return [block]
    about = f"“{_about(rule, MAX_ASKED)}”: from then on it counts no more."
    asks = kit.confirm("Take this rule away?", about, yes="Take it away", no="Keep it")
    remove = kit.button("Take away", ids.RULE_REMOVE, rule.id) | {"confirm": asks}
    return [block, kit.buttons(f"home:rule:{rule.id}", [kit.button("Edit…", ids.RULE_EDIT, rule.id), remove])]


# The windows ------------------------------------------------------------------------------------------------------


def form(tools: Sequence[str], rule: Rule | None = None, *, kept: str = "{}") -> Block:
    """The first window: what the rule is about, and who has to agree. `tools` are those that it can be about;
    `rule` is one to edit, which fills it. `kept` comes back with it.
    """
    old = rule.deciders if rule else None
    people: Element = {"type": "multi_users_select", "max_selected_items": MOST_APPROVERS}
    address: Element = {"type": "plain_text_input", "max_length": RECIPIENT_LIMIT}
    people |= {"initial_users": [one.user for one in old.approvers]} if old else {}
    address |= {"initial_value": rule.value} if rule and rule.value else {}
    numbers = [kit.option(str(n), str(n)) for n in range(1, MOST_APPROVERS + 1)]
    minutes = old.turn_minutes if old else TURN_MINUTES
    turns = [kit.option(about_times.left(timedelta(minutes=n)), str(n)) for n in sorted({*TURNS, minutes})]
    choices = [kit.option(EVERYTHING, ANY, "New mails, answers, drafts, invitations"), *map(_tool, tools)]
    blocks = [
        kit.field(TOOL, "What is it about?", _menu(choices, rule.tool if rule else ANY), optional=False),
        kit.field(RECIPIENT, "Only where it goes to", address, optional=True, hint=_RECIPIENT_HINT),
        kit.field(APPROVERS, "Who has to agree, besides whoever asks?", people, optional=False, hint=_APPROVERS_HINT),
        kit.field(NEEDED, "How many of them?", _menu(numbers, str(old.needed if old else 1)), optional=False),
        kit.field(TURN, "How long is each waited for?", _menu(turns, str(minutes)), optional=False, hint=_TURN_HINT),
    ]
    return kit.window(_TITLE, blocks, submit="Next", callback=ids.RULE_FORM, kept=kept)


def _menu(options: Sequence[Element], value: str) -> Element:
    """A menu in which this is chosen; nothing is where it is no choice any more."""
    return kit.menu(options, next((one for one in options if one["value"] == value), None))


_RECIPIENT_HINT = "An address, or a domain such as @example.com. Left empty, it counts whoever it goes to."
_APPROVERS_HINT = (
    "Full members, no guests. They are asked in this order until enough of them agreed, and see the request."
)
_TURN_HINT = "After that the next one is asked, if enough others are left."


def _tool(name: str) -> Element:
    return kit.option(tool_name(name) or name, name, ABOUT.get(name, ""))


def stand_ins(
    new: NewRule, rule: Rule, names: Mapping[str, str], *, today: date, kept: str, edited: Rule | None = None
) -> Block:
    """The second window: what the rule says so far, and for each approver who stands in until when, as in the one that
    is `edited`. A day that is over stays, so that nobody goes on without being chosen. `kept` comes back with it.
    """
    assert rule.deciders is not None, "it names deciders"
    standing = {one.user: one for one in edited.deciders.approvers} if edited and edited.deciders else {}
    blocks = [
        kit.marked(escaped_but_people(said(rule))),
        *(
            [kit.marked(_ALL if len(new.approvers) > 1 else _ONE.format(*new.approvers))]
            if rule.deciders.needs_all
            else []
        ),
        *(block for user in new.approvers for block in _stand_in(user, names, standing.get(user), today)),
        kit.context(kit.small(_STAND_IN_HINT)),
    ]
    submit = "Save the rule" if edited else "Add the rule"
    return kit.window(_TITLE, blocks, submit=submit, callback=ids.RULE_STAND_INS, kept=kept)


_STAND_IN_HINT = (
    "A stand-in is asked once the approver's turn is over, or at once where they left. They count until the end of the "
    f"last day, where you are: {MOST_DAYS} days from today at most."
)


def _stand_in(user: str, names: Mapping[str, str], before: Approver | None, today: date) -> Sequence[Block]:
    called = one_line(names.get(user) or user, 80)
    people: Element = {"type": "users_select"}
    people |= {"initial_user": before.stand_in} if before and before.stand_in else {}
    until = last_day(before.until) if before and before.until else today + timedelta(days=USUAL_DAYS)
    day: Element = {"type": "datepicker", "initial_date": until.isoformat()}
    who, last = f"Who stands in for {called}?", f"The last day on which they stand in for {called}"
    return [
        kit.field(stand_in_field(user), cut(who, 150), people, optional=True),
        kit.field(last_day_field(user), cut(last, 150), day, optional=True),
    ]


def answered(text: str) -> Block:
    """In the window's place, what came of it, in mrkdwn."""
    return kit.modal(_TITLE, [kit.marked(text)])
