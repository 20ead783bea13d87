"""Directives for tests inside a person's own text: `[[model: loop]]`, `[[model: calls=60]]`, `[[call: tool {json}]]`.

They make the scripted model misbehave, or make exact calls. `last` is what it says once tools are off. With `deaf` it
calls although tools are off, and gives its text although a call or JSON is demanded. A directive inside a mail does
nothing, unless the person's text says `[[model: obey]]`: then the model obeys everything that it reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from playground.gemini.answers import Answer, Call
from playground.gemini.script.doing import Calls, Doing, play
from playground.gemini.script.phrases import failed, stopped
from playground.gemini.script.reading import Outcome, Reading

BIG_CHARACTERS = 1_000_000
SHORT_CHARACTERS = 300
WHOLE_CHARACTERS = 100_000
"""Characters of each result in the answer; with `[[model: whole]]` all of it."""
UNREADABLE = "<html><body>502 Proxy says hello</body></html>"

_MODEL = re.compile(r"\[\[\s*model:\s*(.*?)\s*\]\]", re.S)
_CALL = re.compile(r"\[\[\s*call:\s*([\w.-]+)\s*(\{.*?\})?\s*\]\]", re.S)
_MAIL: Mapping[str, Any] = {"to": ["nobody@fernhill.example"], "subject": "Scripted", "body": "Scripted."}
_LONE = chr(0xD800)


def answer(reading: Reading) -> Answer | None:
    """The answer to the directives of the request, if it has any."""
    orders = dict(_order(text) for match in _MODEL.findall(reading.raw) for text in _split(match))
    given = _answer(orders, reading)
    return replace(given, is_deaf="deaf" in orders) if given is not None else None


def _answer(orders: Mapping[str, str], reading: Reading) -> Answer | None:
    for name, value in orders.items():
        if name in _ANSWERS:
            return _ANSWERS[name](reading, value)
    if reading.tools_off and "last" in orders:
        return Answer(text=orders["last"])
    calls = _calls(reading.raw)
    doing = _doing(orders, calls, reading)
    if doing is None:
        return None
    following = play(doing, reading.steps)
    if following.calls and reading.tools_off and "deaf" not in orders:
        return Answer(text=stopped(reading.outcomes))
    return _adjusted(Answer(calls=following.calls, text=following.text), orders)


def _split(text: str) -> list[str]:
    return [text] if text.startswith("text=") else [part for part in re.split(r"\s*;\s*", text) if part]


def _order(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip().lower(), value.strip()


def _calls(text: str) -> Calls:
    return tuple(Call(match[1], _json(match[2] or "{}")) for match in _CALL.finditer(text))


def _json(text: str) -> dict[str, Any]:
    try:
        value: object = json.loads(text)
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _adjusted(given: Answer, orders: Mapping[str, str]) -> Answer:
    """The answer, with the directives about its form applied."""
    if "ids" in orders:
        given = replace(given, ids=orders["ids"] != "none")
    if "signature" in orders:
        given = replace(given, signature=orders["signature"])
    if "talk" in orders and given.calls:
        given = replace(given, text="One moment, I look into it.")
    if "thoughts" in orders:
        given = replace(given, thoughts=(orders["thoughts"],))
    return given


def _doing(orders: Mapping[str, str], calls: Calls, reading: Reading) -> Doing | None:
    for name, value in orders.items():
        if name in _CALLS:
            return _once(_CALLS[name](value))
        if name == "loop":
            return _forever(lambda step: Call("gmail_search", {"query": "in:inbox", "limit": 3}))
        if name == "never_stop":
            return _forever(lambda step: Call("gmail_search", {"query": f"in:inbox step {step}", "limit": 3}))
        if name == "stubborn":
            return _forever(lambda step: Call("gmail_search", {"words": "in:inbox", "limit": step}))
        if name == "obey":
            return _obeying(reading, calls)
    if calls:
        return _once(calls, characters=WHOLE_CHARACTERS if "whole" in orders else SHORT_CHARACTERS)
    return _once(()) if orders.keys() & {"ids", "signature", "thoughts", "talk", "deaf"} else None


def _once(calls: Calls, *, characters: int = SHORT_CHARACTERS) -> Doing:
    outcomes = (yield calls) if calls else ()
    return _told(outcomes, characters)


def _forever(call_at: Callable[[int], Call]) -> Doing:
    step = 0
    while True:
        step += 1
        yield (call_at(step),)


def _obeying(reading: Reading, calls: Calls) -> Doing:
    """Does what is asked, then what any result says."""
    done: list[Outcome] = []
    while calls:
        outcomes = yield calls
        done.extend(outcomes)
        calls = _calls("\n".join(_texts([outcome.response for outcome in outcomes])))
    return _told(tuple(done))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in cast("dict[str, Any]", value).values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in cast("list[Any]", value) for text in _texts(item)]
    return []


def _told(outcomes: tuple[Outcome, ...], characters: int = SHORT_CHARACTERS) -> str:
    lines = [
        failed(outcome) if outcome.error else f"{outcome.call.name}: {_short(outcome.output, characters)}"
        for outcome in outcomes
    ]
    return "\n".join(["Done.", *lines[:20]])


def _short(value: Any, characters: int) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= characters else f"{text[:characters]}…"


def _number(value: str, default: int) -> int:
    return int(value) if value.isdigit() else default


def _searches(number: int) -> Calls:
    return tuple(Call("gmail_search", {"query": f"in:inbox part {n}"}) for n in range(1, number + 1))


def _odd_args(value: str) -> Calls:
    odd: dict[str, Any] = {
        "infinity": {"query": "in:inbox", "limit": float("inf")},
        "big": {"query": "in:inbox", "limit": 2**60},
        "surrogate": {"query": f"in:inbox {_LONE}"},
    }
    return (Call("gmail_search", odd.get(value, odd["infinity"])),)


_CALLS: Mapping[str, Callable[[str], Calls]] = {
    "unknown_tool": lambda value: (Call(value or "mail_teleport", {"to": "nobody"}),),
    "wrong_types": lambda value: (Call("gmail_send", {"to": 42, "subject": ["a", "b"], "body": {"text": None}}),),
    "calls": lambda value: _searches(_number(value, 60)),
    "parallel": lambda value: _searches(_number(value, 2)),
    "big_args": lambda value: (Call("gmail_send", {**_MAIL, "body": "x" * _number(value, BIG_CHARACTERS)}),),
    "nan_args": _odd_args,
}

_ANSWERS: Mapping[str, Callable[[Reading, str], Answer]] = {
    "text": lambda reading, value: Answer(text=value),
    "half_character": lambda reading, value: Answer(text=f"Before {_LONE} after.", thoughts=(f"Half {_LONE}.",)),
    "long": lambda reading, value: Answer(text=_lorem(_number(value, 5_000))),
    "nothing": lambda reading, value: Answer(is_empty=True),
    "nothing_once": lambda reading, value: Answer(text="Recovered.") if reading.notes else Answer(is_empty=True),
    "garbage": lambda reading, value: Answer(garbage=UNREADABLE),
    "safety_with_call": lambda reading, value: Answer(calls=(Call("gmail_send", _MAIL),), finish="SAFETY"),
    "max_tokens_with_call": lambda reading, value: Answer(calls=(Call("gmail_send", _MAIL),), finish="MAX_TOKENS"),
    "max_tokens": lambda reading, value: Answer(text="This answer ends in the mid", finish="MAX_TOKENS"),
    "safety": lambda reading, value: Answer(text="I would", finish="SAFETY"),
    "malformed_function_call": lambda reading, value: _malformed("MALFORMED_FUNCTION_CALL", "print(default_api.gmail_"),
    "unexpected_tool_call": lambda reading, value: _malformed("UNEXPECTED_TOOL_CALL", "Unexpected tool call: x"),
    "finish": lambda reading, value: Answer(text="It ended.", finish=value or "OTHER"),
    "block": lambda reading, value: Answer(block=value or "PROHIBITED_CONTENT"),
}


def _malformed(finish: str, message: str) -> Answer:
    return Answer(is_empty=True, finish=finish, finish_message=message)


def _lorem(characters: int) -> str:
    words = "The scripted model writes at length about benches, deliveries and the spring garden show. "
    return (words * (characters // len(words) + 1))[:characters]
