"""Reads a request: who asks what, when, with which tools, and what happened so far.

Everything comes from the request itself. Nothing is kept between requests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from playground.gemini import generation, rules, schema
from playground.gemini.answers import Call
from playground.gemini.schema import Json
from playground.gemini.script import attached_files
from playground.gemini.script.attached_files import AttachedFile
from playground.gemini.script.dates import Moment, now_of
from playground.gemini.script.wording import clean

MISSED = "I do not understand "
"""How it begins what it says of a request that it does not know."""

ENDING_TOOL = "complete_task"
"""The tool by which an agent hands its result over."""

BEYOND_LIMIT = "limit_reached"
"""The code of a call for which its request had no more room."""

CONTINUED = "[The person pressed “Continue”"
_BRIEFLY = "end without words"
OBJECT_KINDS = ("mail_thread", "mail", "event", "channel", "memory", "draft")

_NOTE = re.compile(
    r"\s*(?:\[(?!\[|ATTACHED|TASK|file attached|message attached)[^\]\n]*\]|Your (?:last )?answer was |The limit of |"
    r"You made no call|You have not proposed|That was not the JSON|Do not call a tool now)",
    re.I,
)
_NAME = re.compile(r"^[\s*-]*name\s*[:=]\s*(.+)$", re.I | re.M)
_OBJECT = re.compile(
    rf"^\W*(?:\d+[.)]\s*)?(?:kind\s*[:=]\s*)?({'|'.join(OBJECT_KINDS)})\b[\s:=|,(]*(?:id\s*[:=]\s*)?[\"'`]?([\w@.\-]{{3,}})[\"'`]?(.*)$",
    re.M,
)
_TITLE = re.compile(r"title\s*[:=]\s*(?:[\"“]([^\"”]*)[\"”]|([^,|;]+))|[\"“]([^\"”]+)[\"”]")
_ATTACHED = re.compile(r"^\[ATTACHED CONTEXT\][^\n]*\n(.*?)(?=\n\n|\n\[[A-Z /]+\]|\Z)", re.S | re.M)
_ABOUT = re.compile(r"^\[ABOUT THE USER\](.*?)(?=\n\n|\n\[[A-Z /]+\]|\Z)", re.S | re.M)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call of this turn and what came back."""

    call: Call
    response: Json

    @property
    def error(self) -> Json | None:
        """`{code, message, …}` when the call did not succeed."""
        error = self.response.get("error")
        if error is None:
            return None
        return cast("Json", error) if isinstance(error, dict) else {"code": "error", "message": str(error)}

    @property
    def code(self) -> str:
        return str((self.error or {}).get("code", ""))

    @property
    def output(self) -> Any:
        return self.response.get("output", self.response.get("result", {}))

    def get(self, name: str) -> Any:
        """A field of the output, where that is an object."""
        return cast("Json", self.output).get(name) if isinstance(self.output, dict) else None

    def rows(self, name: str) -> list[Json]:
        """A list of objects in the output."""
        rows = self.get(name)
        return (
            [cast("Json", row) for row in cast("list[object]", rows) if isinstance(row, dict)]
            if isinstance(rows, list)
            else []
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """An object that the context names."""

    kind: str
    id: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What was asked before, and the answer to it."""

    asked: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A request as read from its form."""

    asked: str
    raw: str
    instruction: str
    now: Moment
    sender: str
    tools: frozenset[str]
    tools_off: bool
    steps: tuple[tuple[Outcome, ...], ...]
    objects: tuple[Seen, ...]
    attached: str
    notes: tuple[str, ...]
    files: tuple[AttachedFile, ...] = ()
    """Those of the newest content that has any: a follow-up is about what was shown before."""
    has_files: bool = False
    """Whether they came with the request itself."""
    briefly: bool = False
    """Whether it is to end without words about what the person is shown anyway."""
    superseded: tuple[Call, ...] = ()
    """The calls that waited for a decision when the person wrote this request."""
    before: Before | None = None
    output_schema: Json | None = None
    """The schema of the answer, if that has to be JSON."""
    demanded: tuple[Json, ...] = ()
    """The declarations of which one has to be called."""
    declared: tuple[Json, ...] = ()
    """Those of all tools."""
    last: str = ""
    """The newest content, as far as it is text."""
    again: tuple[Call, ...] = ()
    """The calls that a limit had no room for, where the person just pressed “Continue”."""
    proposed: Json | None = None
    """The plan that was proposed before this request, as the arguments of its call, or as the person edited them."""
    earlier: tuple[str, ...] = ()
    """What the person said before it in the same breath: a request that is tried again has all that was said to it."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(outcome for step in self.steps for outcome in step)

    def is_own(self, who: str) -> bool:
        """Whether this is the person's own address or sender, as far as their name shows it."""
        name = self.sender.lower()
        return bool(name) and (name in who.lower() or who.partition("@")[0].lower() in {name, *name.split()[:1]})


def read(request: Json, *, now: datetime) -> Reading:
    """Reads a checked request; `now` is used when the instruction does not tell the time."""
    contents: list[Json] = request["contents"]
    begin = _request_index(contents)
    *earlier, raw = _texts(contents[begin]) or [""]
    instruction = _text(request.get("systemInstruction", {}))
    declared = tuple(schema.declarations(request))
    tools = frozenset(str(declaration["name"]) for declaration in declared)
    everything = "\n".join([instruction, *(_text(content) for content in contents[: begin + 1])])
    name = _NAME.search((_ABOUT.search(instruction) or [instruction])[0])
    attached = _ATTACHED.search(everything)
    steps, again = _continued(contents[begin + 1 :])
    return Reading(
        again=again,
        asked=clean(attached_files.LINE.sub("", _ATTACHED.sub("", raw))),
        raw=raw,
        instruction=instruction,
        now=now_of(instruction, now),
        sender=name[1].strip().rstrip(".,") if name else "",
        tools=tools,
        tools_off=not tools or schema.mode(request) == "NONE",
        steps=steps,
        objects=tuple(_objects(everything)),
        attached=attached[1].strip() if attached else "",
        briefly=_BRIEFLY in instruction,
        notes=tuple(_text(content) for content in contents[begin + 1 :] if _is_note(content)),
        files=_files(contents[: begin + 1]),
        has_files=any(attached_files.files_in(contents[begin])),
        superseded=_superseded(contents[: begin + 1]),
        before=_before(contents[:begin]),
        output_schema=generation.output_schema(request),
        demanded=tuple(schema.demanded(request)),
        declared=declared,
        last=_text(contents[-1]),
        proposed=_proposed(contents[:begin]),
        earlier=tuple(map(clean, earlier)),
    )


def _files(contents: Sequence[Json]) -> tuple[AttachedFile, ...]:
    found = (tuple(attached_files.files_in(content)) for content in reversed(contents))
    return next(filter(None, found), ())


def _superseded(contents: Sequence[Json]) -> tuple[Call, ...]:
    """The newest calls that the person's reply superseded, unless something was done since."""
    for step in reversed(list(_steps(contents))):
        if calls := tuple(outcome.call for outcome in step if outcome.code == "superseded_by_reply"):
            return calls
    return ()


def _proposed(contents: Sequence[Json]) -> Json | None:
    outcomes = [outcome for step in _steps(contents) for outcome in step if outcome.call.name == "propose_plan"]
    if not outcomes:
        return None
    edited = cast("Json", outcomes[-1].response.get("edited_by_person", {}))
    return {**outcomes[-1].call.args, **cast("Json", edited.get("arguments", {}))}


def _before(contents: Sequence[Json]) -> Before | None:
    """The last exchange before the request."""
    if len(contents) < 2 or contents[-1].get("role") != "model":
        return None
    return Before(asked=clean(_last_text(contents[-2])), answer=_text(contents[-1]))


def _request_index(contents: Sequence[Json]) -> int:
    """The newest text of a person. The program's words about the model's own answer are no request."""
    said = [
        index
        for index, content in enumerate(contents)
        if content.get("role", "user") == "user" and _text(content).strip()
    ]
    requests = [index for index in said if not _is_note(contents[index])]
    return (requests or said or [0])[-1]


def _is_note(content: Json) -> bool:
    return content.get("role", "user") == "user" and bool(_NOTE.match(_text(content)))


def _text(content: Json) -> str:
    return "\n".join(
        str(part["text"]) for part in content.get("parts", []) if "text" in part and not part.get("thought")
    )


def _texts(content: Json) -> list[str]:
    """Several texts in one content are several messages, of which the last one is the request."""
    return [str(part["text"]) for part in content.get("parts", []) if "text" in part]


def _last_text(content: Json) -> str:
    return (_texts(content) or [""])[-1]


def _steps(contents: Sequence[Json]) -> Iterator[tuple[Outcome, ...]]:
    asked: list[Json] = []
    for content in contents:
        if content.get("role") == "model":
            asked = rules.calls(content)
        elif answers := rules.responses(content):
            yield tuple(
                Outcome(Call(call["name"], call.get("args", {})), answer["response"])
                for call, answer in zip(asked, answers, strict=True)
            )


def _continued(contents: Sequence[Json]) -> tuple[tuple[tuple[Outcome, ...], ...], tuple[Call, ...]]:
    """The steps, those that were made again after “Continue” in the place of what a limit had no room for; and what is
    to be made again now.
    """
    steps: list[tuple[Outcome, ...]] = []
    left: tuple[Call, ...] = ()
    since = 0
    for place, content in enumerate(contents):
        if not _text(content).startswith(CONTINUED):
            continue
        steps, left = _joined(steps, tuple(_steps(contents[since:place])), left)
        since, left = place, tuple(one.call for one in steps[-1] if one.code == BEYOND_LIMIT) if steps else ()
    steps, left = _joined(steps, tuple(_steps(contents[since:])), left)
    return tuple(steps), left


def _joined(
    steps: Sequence[tuple[Outcome, ...]], more: Sequence[tuple[Outcome, ...]], left: tuple[Call, ...]
) -> tuple[list[tuple[Outcome, ...]], tuple[Call, ...]]:
    """The steps and those that followed; what was `left` out stands where it had been, once it was made again."""
    if not left or not more:
        return [*steps, *more], left
    made = iter(more[0])
    last = tuple(next(made, one) if one.call in left else one for one in steps[-1])
    return [*steps[:-1], last, *more[1:]], ()


def _objects(text: str) -> Iterator[Seen]:
    found: dict[tuple[str, str], Seen] = {}
    for seen in [*_json_objects(text), *_line_objects(text)]:
        found.setdefault((seen.kind, seen.id), seen)
    yield from found.values()


def _line_objects(text: str) -> Iterator[Seen]:
    for match in _OBJECT.finditer(text):
        title = _TITLE.search(match[3])
        told = next((group for group in title.groups() if group), "") if title else match[3].strip(" :-—|,()")
        yield Seen(match[1], match[2], told.strip())


def _json_objects(text: str) -> Iterator[Seen]:
    for match in re.finditer(r"\{[^{}]*\"kind\"[^{}]*\}", text):
        try:
            value: object = json.loads(match[0])
        except ValueError:
            continue
        if isinstance(value, dict):
            fields = cast("Json", value)
            if fields.get("kind") in OBJECT_KINDS and fields.get("id"):
                yield Seen(str(fields["kind"]), str(fields["id"]), str(fields.get("title", "")))
