"""Plans: the scripted model proposes one, changes it as it is told, and works on a task in rounds. It says what comes
next, makes that one call, and judges what came of it.

A goal may have directives for tests, which change the plan once the task is done: `[[plan: add …]]`,
`[[plan: change 2 to …]]`, `[[plan: drop 3]]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import cast

from playground.gemini.answers import Answer, Call
from playground.gemini.schema import Json
from playground.gemini.script import agenda, mail
from playground.gemini.script.briefing import guests_of
from playground.gemini.script.dates import local
from playground.gemini.script.doing import Calls, Doing, Next, Outcomes, need, one, play
from playground.gemini.script.phrases import NOTHING_TO_DO, todo
from playground.gemini.script.reading import MISSED, Outcome, Reading
from playground.gemini.script.wording import address, first_name, gist, plain, sentence

TOOL = "propose_plan"
TITLE_LIMIT = 110

_ASKED = re.compile(r"^\s*plan\s*:\s*(?P<what>.+)", re.I | re.S)
_TASK = re.compile(
    r"^(?:A model [^\n]*\n\n<untrusted[^>]*>)?\[TASK\] (?P<id>\d+): (?P<title>[^\n]*)\n"
    r"Goal: (?P<goal>.+?)(?:</untrusted>)?$",
    re.S,
)
"""One that the person has not confirmed stands behind a fence."""
_TRIED = "[TRIED BEFORE]"
_DONE = re.compile(r"^- \d+\. (?P<title>.+): done$", re.M)
_PHASE = re.compile(r"^\[(REASON|ACT|REFLECT|REPLAN)\]", re.M)
_FAILED = re.compile(r"^\[REPLAN\] Task (?P<id>\d+) failed", re.M)
_ROW = re.compile(r'\{"id": ".*\}')
_VISIT = re.compile(r"\b(?:customer(?:['’]s)?\s+visit|visit)\b", re.I)
_DAY = re.compile(r"\b(mon|tues|wednes|thurs|fri)day", re.I)
_VERB = (
    r"(?=(?:answer|reply|tell|send|write|e?-?mail|draft|forward|find|look|check|remind|remember|note|move|book|invite|"
    r"cancel|archive|label|summari[sz]e)\b)"
)
_AIM = re.compile(rf"^[^:;.,]{{3,80}}:\s+{_VERB}", re.I)
"""What all of it is for, before the first of several things."""
_JOINTS = re.compile(rf"\s*(?:;|\.\s+|,?\s+(?:and\s+)?then\s+|,\s+and\s+|,\s+{_VERB})\s*", re.I)
_LEAVE_OUT = re.compile(
    r"\b(?:without|drop|leave\s+out|skip|remove|no)\b.*?\b(?P<which>first|second|third|fourth|last|\d+)\b", re.I
)
_CHANGE = re.compile(r"^(?:change\s+)?task\s+(?P<which>\d+)\s*(?::|to)\s*(?P<goal>.+)", re.I | re.S)
_ANSWER = re.compile(r"^(?:answer|reply\s+to)\b", re.I)
_MAIL = re.compile(
    r"^(?:tell|send|write(?:\s+to)?|e?-?mail)\s+(?P<who>.+?)(?:\s+by\s+mail|\s+a\s+mail)?\s+(?:saying\s+)?(?P<rest>that\b.+)",
    re.I | re.S,
)
_ORDER = re.compile(
    r"\s*\[\[\s*plan:\s*(?P<kind>add|change|drop)\s+(?:(?P<id>\d+)\s*(?:to\s+)?)?(?P<what>.*?)\s*\]\]", re.S
)
_TAKEN = "That time is taken"
"""How a task ends whose event cannot be moved there."""
_UNTIL = re.compile(rf"^{_TAKEN} until (?P<clock>\d\d:\d\d)\b")
_AT = re.compile(r"\bat \d\d:\d\d")
_ALSO = re.compile(r"^(?:please\s+)?(?:and\s+)?(?:also\s+)?", re.I)
_PLANNING: Json = {"query": "delivery planning"}
_TO_THE_MINUTE = len("2026-11-26T10:00")
_LOOK = Call("search_memory", {"query": "plan"})
"""A call that makes sure of something and does no harm."""
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}

Understood = Callable[[Reading], Doing]


def answer(reading: Reading, understood: Understood) -> Answer | None:
    """What it says where a plan is asked for, or worked on."""
    phase = _PHASE.search(reading.last)
    if task := _TASK.match(reading.raw.strip()):
        return _in_rounds(reading, task["goal"].strip(), phase[1] if phase else "", understood)
    if phase and phase[1] == "REPLAN":
        return Answer(text=json.dumps({"modifications": _instead(reading.last)}, ensure_ascii=False))
    if TOOL not in reading.tools or reading.tools_off:
        return None
    following = play(_proposing(reading), reading.steps)
    return Answer(calls=following.calls, text=following.text)


# A proposal ---------------------------------------------------------------------------------------------------


def _proposing(reading: Reading) -> Doing:
    is_tried_again = _TRIED in reading.instruction
    request, *changes = [*(reading.earlier if is_tried_again else ()), reading.asked]
    asked = _ASKED.match(request)
    if reading.proposed is not None and asked is None:
        tasks = _changed(cast("list[Json]", reading.proposed["tasks"]), request)
    elif _VISIT.search(request):
        tasks = yield from _of_visit(replace(reading, asked=request))
    else:
        tasks = _of_clauses(asked["what"] if asked else request)
    for words in changes:
        tasks = _changed(tasks, words)
    yield from one(TOOL, tasks=_not_done(tasks, reading.instruction))
    return "I proposed the plan."


def _of_clauses(text: str) -> list[Json]:
    """A task for each thing that the request names."""
    things = _JOINTS.split(_AIM.sub("", text.strip(" .")))
    goals = [sentence(clause.strip()) for clause in things if clause.strip()]
    return [_task(goal) for goal in goals]


def _not_done(tasks: list[Json], instruction: str) -> list[Json]:
    """Those that an earlier attempt at the request did not bring to their end; all of them where it did each."""
    done = {found["title"].casefold() for found in _DONE.finditer(instruction.partition(_TRIED)[2])}
    return [task for task in tasks if str(task["title"]).casefold() not in done] or tasks


def _task(goal: str, title: str = "") -> Json:
    return {"title": title or _titled(_ORDER.sub("", goal).rstrip(".")), "goal": goal}


def _titled(goal: str) -> str:
    """The goal in a few words: of a mail, to whom it goes."""
    mail_to = _MAIL.match(goal)
    return gist(f"Write to {first_name(mail_to['who'])}" if mail_to else goal, characters=TITLE_LIMIT)


def _of_visit(reading: Reading) -> Generator[Calls, Outcomes, list[Json]]:
    """What a customer's visit needs: an answer to them, the preparation on that day, and a note. What was done already
    is no task; then a colleague is told.
    """
    day = _DAY.search(reading.asked)
    when = f"{day[0].capitalize()}" if day else "Thursday"
    mails, meetings = yield (Call("gmail_search", {"query": "benches", "limit": 5}), Call("calendar_search", _PLANNING))
    customer, waits = yield from _customer(mails.rows("threads"), reading)
    named = (row for row in meetings.rows("events") if _PLANNING["query"] in str(row.get("title", "")).lower())
    meeting = next(named, None)
    moves = meeting is not None and not _is_at(meeting, f"{when} 10:00", reading)
    what = plain(str(meeting["title"])).partition(":")[0].lower() if meeting else ""
    guests = [first_name(str(one.get("email"))) for one in guests_of(meeting, reading)] if meeting else []
    guest = next((one for one in guests if one != customer), "")
    tells = bool(guest) and not (waits and moves)
    return [
        *([_task(f"Answer {customer}'s mail about the benches that {when} works.", f"Answer {customer}")] * waits),
        *([_task(f"Move the {what} to {when} at 10:00.", f"Move the {what}")] * moves),
        *([_task(f"Tell {guest} by mail that {customer} comes on {when} at 10:00.", f"Tell {guest}")] * tells),
        _task(f"Remember that {customer} visits us on {when} at 10:00.", "Note the visit"),
    ]


def _customer(threads: Sequence[Json], reading: Reading) -> Generator[Calls, Outcomes, tuple[str, bool]]:
    """Whose mails they are, and whether they wait for an answer, in the first thread with mails from outside."""
    for thread in threads:
        read, _ = yield from mail.read_thread(str(thread["thread_id"]), reading)
        messages = read.rows("messages")
        sent = [str(row.get("from", "")) for row in messages if not row.get("draft_id")]
        house = _house(messages, reading)
        if senders := [one for one in sent if not reading.is_own(one) and _domain(one) not in house]:
            return first_name(senders[-1]), senders[-1] == sent[-1]
    return "the customer", False


def _house(messages: Sequence[Json], reading: Reading) -> set[str]:
    """The domain of the person's own address, as far as the mails show it: whoever has it is no customer."""
    named = [str(row.get("from", "")) for row in messages]
    named += [str(to) for row in messages for to in cast("list[object]", row.get("to") or [])]
    return {_domain(one) for one in named if reading.is_own(one)} - {""}


def _domain(sender: str) -> str:
    return address(sender).partition("@")[2].lower()


def _is_at(event: Json, when: str, reading: Reading) -> bool:
    """Whether it begins then already."""
    start, _ = agenda.moved(event, when, reading)
    return str(event.get("start", ""))[:_TO_THE_MINUTE] == local(start)


def _changed(tasks: list[Json], words: str) -> list[Json]:
    """The tasks of before, as the person wants them."""
    if (found := _LEAVE_OUT.search(words)) and (place := _place(found["which"])) < len(tasks):
        kept = list(tasks)
        del kept[place]
        return kept or tasks
    if (found := _CHANGE.match(words.strip())) and (place := _place(found["which"])) < len(tasks):
        return [_task(sentence(found["goal"])) if at == place else task for at, task in enumerate(tasks)]
    return [*tasks, _task(sentence(_ALSO.sub("", words.strip())))]


def _place(which: str) -> int:
    return int(which) - 1 if which.isdecimal() else _PLACES[which.lower()]


# Rounds -------------------------------------------------------------------------------------------------------


def _in_rounds(reading: Reading, goal: str, phase: str, understood: Understood) -> Answer:
    orders, goal = list(_ORDER.finditer(goal)), _ORDER.sub("", goal)
    inner = replace(reading, asked=goal, raw=goal, tools_off=False)
    following = play(_one_by_one(_looking_first(understood(inner), inner)), reading.steps)
    match phase:
        case "REASON":
            return Answer(text=_thought(following))
        case "ACT":
            return Answer(calls=following.calls or (_LOOK,))
        case _:
            judged = _judged(following, reading)
            if orders and judged["is_task_complete"]:
                judged["modifications"] = [_ordered(order) for order in orders]
            return Answer(text=json.dumps(judged, ensure_ascii=False))


def _one_by_one(doing: Doing) -> Doing:
    """The same with one call in a step."""
    try:
        calls = next(doing)
        while True:
            done: list[Outcome] = []
            for call in calls:
                outcomes = yield (call,)
                done.append(outcomes[0])
            calls = doing.send(tuple(done))
    except StopIteration as end:
        return end.value


def _looking_first(doing: Doing, reading: Reading) -> Doing:
    """The same; before an event is moved it looks whether that time is free."""
    try:
        calls = next(doing)
        while True:
            for call in calls:
                if call.name == "calendar_event_update" and {"start", "end"} <= call.args.keys():
                    event_id, start, end = (str(call.args[name]) for name in ("event_id", "start", "end"))
                    there = yield from need("calendar_search", start=start, end=end)
                    if other := agenda.in_the_way(there.rows("events"), event_id, start, end, reading):
                        until = agenda.clock_of(other.get("end"), reading)
                        return f"{_TAKEN} until {until}, by “{plain(str(other.get('title', '')))}”."
            outcomes = yield calls
            calls = doing.send(outcomes)
    except StopIteration as stop:
        return stop.value


def _thought(following: Next) -> str:
    if following.calls:
        return f"Next I {todo(following.calls[0])}."
    return "Nothing seems to be missing. I make sure of it."


def _judged(following: Next, reading: Reading) -> Json:
    last = reading.outcomes[-1] if reading.outcomes else None
    if following.calls:
        return {"is_task_complete": False, "summary": f"Still to do: {todo(following.calls[0])}."}
    is_in_the_way = following.is_unfinished or following.text.startswith((MISSED, _TAKEN)) or _has_failed(last)
    return {
        "is_task_complete": not is_in_the_way,
        "persistent_error": is_in_the_way,
        "summary": plain(following.text) or "Done.",
    }


def _has_failed(outcome: Outcome | None) -> bool:
    """Whether it is in the way; a change that was made before is not."""
    return outcome is not None and outcome.error is not None and outcome.code != NOTHING_TO_DO


def _ordered(order: re.Match[str]) -> Json:
    """A change of the plan that a directive demands."""
    why = {"why": "a directive says so"}
    match order["kind"]:
        case "drop":
            return {"kind": "obsolete", "id": order["id"], **why}
        case "change":
            return {"kind": "change", "id": order["id"], **_task(sentence(order["what"])), **why}
        case _:
            return {"kind": "add", **_task(sentence(order["what"])), **why}


def _instead(text: str) -> list[Json]:
    """What takes the place of a task that failed, which is tried once: a mail that could not leave is saved as a draft,
    and what was to be at a time that is taken comes after that.
    """
    failed = _FAILED.search(text)
    rows = [cast("Json", json.loads(row[0])) for row in _ROW.finditer(text)]
    task = next((row for row in rows if failed and row["id"] == failed["id"]), None)
    if task is None or task.get("replaces"):
        return []
    goal = str(task["goal"])
    if draft := _as_draft(goal):
        added = _task(draft, "Keep it as a draft")
        return [added | _in_place_of(task, "the mail was not sent, so it is kept as a draft")]
    if (taken := _UNTIL.match(str(task.get("result", "")))) and _AT.search(goal):
        added = _task(_AT.sub(f"at {taken['clock']}", goal, count=1), str(task["title"]))
        return [added | _in_place_of(task, f"the time is taken until {taken['clock']}")]
    return []


def _in_place_of(task: Json, why: str) -> Json:
    return {"kind": "add", "replaces": task["id"], "why": why}


def _as_draft(goal: str) -> str:
    """The same mail as a draft; empty where the goal is no mail."""
    if _ANSWER.match(goal):
        return _ANSWER.sub("Draft an answer to", goal, count=1)
    mail_to = _MAIL.match(goal)
    return f"Draft a mail to {mail_to['who']} saying {mail_to['rest']}" if mail_to else ""
