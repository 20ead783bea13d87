"""Plans: the scripted model proposes one, changes it as it is told, and works on a task in rounds. It says what comes
next, makes that one call, and judges what came of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import cast

from playground.gemini.answers import Answer, Call
from playground.gemini.schema import Json
from playground.gemini.script.doing import Calls, Doing, Next, Outcomes, need, one, play
from playground.gemini.script.phrases import todo
from playground.gemini.script.reading import MISSED, Outcome, Reading
from playground.gemini.script.wording import first_name, gist, plain, sentence

TOOL = "propose_plan"

_ASKED = re.compile(r"^\s*plan\s*:\s*(?P<what>.+)", re.I | re.S)
_TASK = re.compile(r"^\[TASK\] (?P<id>\d+): (?P<title>[^\n]*)\nGoal: (?P<goal>.+)", re.S)
_PHASE = re.compile(r"^\[(REASON|ACT|REFLECT|REPLAN)\]", re.M)
_FAILED = re.compile(r"^\[REPLAN\] Task (?P<id>\d+) “", re.M)
_ROW = re.compile(r'\{"id": ".*\}')
_VISIT = re.compile(r"\b(?:customer(?:['’]s)?\s+visit|visit)\b", re.I)
_DAY = re.compile(r"\b(mon|tues|wednes|thurs|fri)day", re.I)
_JOINTS = re.compile(r"\s*(?:;|\.\s+|,?\s+(?:and\s+)?then\s+|,\s+and\s+)\s*", re.I)
_LEAVE_OUT = re.compile(
    r"\b(?:without|drop|leave\s+out|skip|remove|no)\b.*?\b(?P<which>first|second|third|fourth|last|\d+)\b", re.I
)
_CHANGE = re.compile(r"^(?:change\s+)?task\s+(?P<which>\d+)\s*(?::|to)\s*(?P<goal>.+)", re.I | re.S)
_MAIL = re.compile(r"^(?:answer|reply|send|write|mail|tell)\b", re.I)
_ALSO = re.compile(r"^(?:please\s+)?(?:and\s+)?(?:also\s+)?", re.I)
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
    asked = _ASKED.match(reading.asked)
    if reading.proposed is not None and asked is None:
        tasks = _changed(cast("list[Json]", reading.proposed["tasks"]), reading.asked)
    elif _VISIT.search(reading.asked):
        tasks = yield from _of_visit(reading)
    else:
        tasks = _of_clauses(asked["what"] if asked else reading.asked)
    yield from one(TOOL, tasks=tasks)
    return "I proposed the plan."


def _of_clauses(text: str) -> list[Json]:
    """A task for each thing that the request names."""
    goals = [sentence(clause.strip()) for clause in _JOINTS.split(text.strip(" .")) if clause.strip()]
    return [_task(goal) for goal in goals]


def _task(goal: str, title: str = "") -> Json:
    return {"title": title or gist(goal, characters=60), "goal": goal}


def _of_visit(reading: Reading) -> Generator[Calls, Outcomes, list[Json]]:
    """What a customer's visit needs: an answer to them, the preparation on that day, and a note."""
    day = _DAY.search(reading.asked)
    when = f"{day[0].capitalize()}" if day else "Thursday"
    mails = yield from need("gmail_search", query="benches", limit=5)
    meetings = yield from need("calendar_search", query="delivery planning")
    customer = next((first_name(str(row.get("from", ""))) for row in mails.rows("threads")), "the customer")
    titles = [plain(str(row.get("title", ""))) for row in meetings.rows("events")]
    meeting = titles[0].partition(":")[0] if titles else ""
    moved = [_task(f"Move the {meeting.lower()} to {when} at 10:00.", f"Move the {meeting.lower()}")] if meeting else []
    return [
        _task(f"Answer {customer}'s mail about the benches that {when} works.", f"Answer {customer}"),
        *moved,
        _task(f"Remember that {customer} visits us on {when} at 10:00.", "Note the visit"),
    ]


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
    inner = replace(reading, asked=goal, raw=goal, tools_off=False)
    following = play(_one_by_one(understood(inner)), reading.steps)
    match phase:
        case "REASON":
            return Answer(text=_thought(following))
        case "ACT":
            return Answer(calls=following.calls or (_LOOK,))
        case _:
            return Answer(text=json.dumps(_judged(following, reading), ensure_ascii=False))


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
        return str(end.value)


def _thought(following: Next) -> str:
    if following.calls:
        return f"Next I {todo(following.calls[0])}."
    return "Nothing seems to be missing. I make sure of it."


def _judged(following: Next, reading: Reading) -> Json:
    last = reading.outcomes[-1] if reading.outcomes else None
    if following.calls:
        return {"is_task_complete": False, "summary": f"Still to do: {todo(following.calls[0])}."}
    is_in_the_way = following.text.startswith(MISSED) or (last is not None and last.error is not None)
    return {
        "is_task_complete": not is_in_the_way,
        "persistent_error": is_in_the_way,
        "summary": plain(following.text) or "Done.",
    }


def _instead(text: str) -> list[Json]:
    """What takes the place of a task that failed: a mail that could not leave is saved as a draft."""
    failed = _FAILED.search(text)
    rows = [cast("Json", json.loads(row[0])) for row in _ROW.finditer(text)]
    task = next((row for row in rows if failed and row["id"] == failed["id"]), None)
    if task is None or task.get("replaces") or not _MAIL.match(str(task["goal"])):
        return []
    added = _task(_as_draft(str(task["goal"]))) | {
        "kind": "add",
        "replaces": task["id"],
        "why": "the mail was not sent, so it is kept as a draft",
    }
    return [added]


def _as_draft(goal: str) -> str:
    return re.sub(r"^(?:answer|reply to)\b", "Draft an answer to", goal, count=1, flags=re.I)
