"""Requests that need no tool: greetings, help, attached context, unknown ones; and follow-ups on objects."""

from __future__ import annotations

import json
import re
from typing import cast

from playground.gemini.script import agenda, mail, patterns
from playground.gemini.script.doing import Doing, saying
from playground.gemini.script.reading import ENDING_TOOL, MISSED, Reading, Seen
from playground.gemini.script.wording import gist, plain, quoted

HONEST = "I am the playground's scripted model: a program that knows some everyday requests by their key words."
CAN_DO = """I can do these, and anything close to them:
- “Send Helen a mail saying that the benches are ready”, “Tell Helen by mail that …”, “Draft a mail to …”
- “Answer Helen's mail about the benches that Thursday works”, “Reply to all on Helen's mail that …”
- “Send Helen a mail tomorrow at 8 saying that …”, “Send Helen a mail from sales@fernhill.example saying that …”
- “What is Helen's address?”, “Read the attachment of Aoife's mail”, “Forward the attachment of Aoife's mail to Priya”
- “Archive the newsletter”, “Mark Helen's mail as unread”, “Label Grace's mail as Customers”
- “Change my draft to Helen: say that …”, “Send my draft to Helen”
- “What did Helen write?”, “Anything unread?”, “Search my mail for …”
- “What's on tomorrow?”, “Am I free on Friday?”, “Which calendars do I have?”
- “Schedule a call with Jonas tomorrow at 3pm”
- “Move the delivery planning to Thursday 10:00”, “Move my 3 o'clock to Friday”, also both at once with “and”
- “Find a time with Priya and Luis next week”, “Is Jonas free on Thursday at 3pm?”, “Schedule a weekly meeting with …”
- “Accept the invitation to …”, “Decline … saying …”, “Cancel my next meeting”
- “Add a Meet link to …”, “Move the whole … series to …”
- “Remind me at 4 to call Helen”, “Remind me if nobody has answered by Friday”, “Brief me every weekday at 8”
- “Remember that …”, “What do you know about …?”
- “Which channels are there?”, “What was said in #sales?”
- “Have the mail clerk answer Helen's mail about the benches that Thursday works”
- “Prepare me for the delivery planning”, “Review my week”
- “Polish my reply to Helen's mail about the benches: thursday suits us”
- “Summarise this”, “What is in the file?”, with something attached"""

SLACK_MESSAGE = "slack_message"
_HELP = re.compile(r"\b(?:help|what can you do|who are you|what are you|how do you work|commands)\b", re.I)
_THANKS = re.compile(r"^(?:thanks|thank you|thx|great|perfect|nice|cool|ok|okay|cheers)\b[\s\w!.,]{0,30}$", re.I)
_YES_OR_NO = re.compile(r"^(?:yes|yep|no|nope|ok|okay)(?:,? (?:please|thanks|thank you))?[.!]*$", re.I)
_NUMBER = re.compile(r"^#?\d{1,2}[.)]?$")
ONLY_BUTTONS = "A yes or a no that is typed decides nothing: press a button of the card that waits."
ONLY_IN_ITS_THREAD = "A number alone answers a question only in the thread of the card that asks it: write it there."
_ORDER = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "fifth": 4,
    "5th": 4,
    "last": -1,
}


def understood(clause: str, reading: Reading) -> Doing | None:
    """The task of small talk, or of a clause about an object in the context."""
    if patterns.GREETING.match(clause):
        name = reading.sender.split(" ")[0]
        return saying(f"Hello{f' {name}' if name else ''}! {HONEST} Ask me for “help” to see what I understand.")
    if _YES_OR_NO.match(clause) and reading.before is None:
        return saying(ONLY_BUTTONS)
    if _NUMBER.match(clause) and reading.before is None:
        return saying(ONLY_IN_ITS_THREAD)
    if _THANKS.match(clause):
        return saying("You are welcome.")
    if reading.attached and patterns.CONTEXT.search(clause):
        return saying(_attached(reading.attached))
    return following_up(clause, reading)


def helped(clause: str) -> Doing | None:
    """The list of what it can do."""
    return saying(f"{HONEST}\n\n{CAN_DO}") if _HELP.search(clause) else None


def following_up(clause: str, reading: Reading) -> Doing | None:
    """`reply to the second one`, `read the first`, `move the last one to Friday`."""
    match = patterns.ORDINAL.search(clause)
    if match is None:
        return None
    if re.search(r"\b(?:reply|answer|respond|write back)\b", clause, re.I) and (
        seen := _seen(match, reading, "mail_thread")
    ):
        said = patterns.SAID.search(clause)
        return mail.replying(reading, seen.id, said["body"] if said else "")
    if re.search(r"\b(?:read|open|show|summari[sz]e|what)\b", clause, re.I) and (
        seen := _seen(match, reading, "mail_thread")
    ):
        return mail.summarising(seen.id)
    if re.search(r"\b(?:move|reschedule|shift|postpone)\b", clause, re.I) and (seen := _seen(match, reading, "event")):
        return agenda.moving_event({"event_id": seen.id, "title": seen.title}, clause[match.end() :], reading)
    return None


def not_understood(reading: Reading) -> Doing:
    """The honest rest, on one line. What an agent is asked no person wrote, so it is not quoted to them."""
    if ENDING_TOOL in reading.tools:
        return saying(f"{MISSED}this agent's task, so I did nothing. I am a scripted model and know few of them.")
    asked = quoted(reading.asked if gist(reading.asked) else "an empty message")
    return saying(f"{MISSED}{asked}, so I did nothing. I am a scripted model: “help” lists the requests that I know.")


def missed(question: str) -> Doing:
    """One of several questions that is not understood."""
    return saying(f"{MISSED}{quoted(question)}.")


def _seen(match: re.Match[str], reading: Reading, kind: str) -> Seen | None:
    seen = [one for one in reading.objects if one.kind == kind]
    place = int(match["digit"]) - 1 if match["digit"] else _ORDER[match["word"].lower()]
    return seen[place] if seen and -1 <= place < len(seen) else None


def _attached(text: str) -> str:
    lines = [_attachment(line.strip(" -*")) for line in text.splitlines() if line.strip()]
    return "This is what is attached:\n" + "\n".join(f"- {gist(line, characters=240)}" for line in lines[:12])


def _attachment(line: str) -> str:
    """One attached thing: a JSON object with title and snippet, or a line of text."""
    try:
        value: object = json.loads(line)
    except ValueError:
        return line
    if not isinstance(value, dict):
        return line
    fields = cast("dict[str, object]", value)
    title, snippet = fields.get("title") or fields.get("id") or "", plain(str(fields.get("snippet") or ""))
    if fields.get("type") == SLACK_MESSAGE:
        return f"**{title}**: {snippet}"
    return f"**{title}** ({fields.get('type', 'context')}): {snippet}"
