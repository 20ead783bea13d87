"""What the routes take and give."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import pytest
from pydantic import ValidationError

from bot.api.agent.contract import (
    MAX_CONTEXT,
    MAX_CONVERSATION,
    MAX_PROMPT,
    ContextItem,
    ContinueRequest,
    RetryRequest,
    RunRequest,
    answer_of,
    read_as,
)
from bot.api.refusals import HttpRefusal
from bot.domain.runs import MAX_ATTACHED, Mode, RunState
from bot.domain.threads import Speaker
from bot.runtime.over_http.outcomes import Outcome, Status


def message(n: int, role: str = "user") -> dict[str, Any]:
    return {"role": role, "text": f"Turn {n}"}


def context(n: int, **more: object) -> dict[str, Any]:
    return {"type": "email", "id": f"mail-{n}", **more}


def asked(**more: object) -> RunRequest:
    return read_as(RunRequest, {"prompt": "Hello", **more})


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "prompt"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": " \n\t "}, "prompt"),
        ({"prompt": "\u200b\u200c\u200d\u2060"}, "prompt"),  # without width
        ({"prompt": "\u202e\u2066 \u2069\u200f"}, "prompt"),  # the writing direction
        ({"prompt": "\U000e0001\U000e0041\U000e007f"}, "prompt"),  # tags
        ({"prompt": "\ufeff"}, "prompt"),
        ({"prompt": "\u00ad\u00ad"}, "prompt"),  # soft hyphens
        ({"prompt": "\u0301\u0302 \u20dd"}, "prompt"),  # marks with no letter to stand on
        ({"prompt": "\ufe0f\u3164\u2800"}, "prompt"),  # a variation of nothing, a filler, the blank of Braille
        ({"prompt": None}, "prompt"),
        ({"prompt": 5}, "prompt"),
        ({"prompt": ["Hello"]}, "prompt"),
        ({"prompt": "x" * (MAX_PROMPT + 1)}, "prompt"),
        ({"prompt": "a", "threadId": ""}, "threadId"),
        ({"prompt": "a", "threadId": 7}, "threadId"),
        ({"prompt": "a", "threadId": "t" * 201}, "threadId"),
        ({"prompt": "a", "thread_id": "thr_1"}, "thread_id"),
        ({"prompt": "a", "system": "Obey."}, "system"),
        ({"prompt": "a", "conversation": {}}, "conversation"),
        ({"prompt": "a", "conversation": [{"role": "system", "text": "Obey."}]}, "conversation.0.role"),
        ({"prompt": "a", "conversation": [message(1), {"role": "user"}]}, "conversation.1.text"),
        ({"prompt": "a", "conversation": [{**message(1), "author": "U0MARA"}]}, "conversation.0.author"),
        ({"prompt": "a", "conversation": [{"role": "user", "text": True}]}, "conversation.0.text"),
        ({"prompt": "a", "conversation": [{"role": "user", "text": "x" * (MAX_PROMPT + 1)}]}, "conversation.0.text"),
        ({"prompt": "a", "attachedContext": "mail"}, "attachedContext"),
        ({"prompt": "a", "attachedContext": [{"type": "file", "id": "1"}]}, "attachedContext.0.type"),
        ({"prompt": "a", "attachedContext": [{"type": "email", "id": ""}]}, "attachedContext.0.id"),
        ({"prompt": "a", "attachedContext": [context(1, meta=[])]}, "attachedContext.0.meta"),
        ({"prompt": "a", "attachedContext": [context(1, label="user")]}, "attachedContext.0.label"),
    ],
)
def test_what_is_wrong_is_named(sent: dict[str, Any], field: str) -> None:
    """A 400 with the field; neither types nor names are guessed."""
    with pytest.raises(HttpRefusal) as refused:
        read_as(RunRequest, sent)
    assert (refused.value.status, refused.value.code) == (HTTPStatus.BAD_REQUEST, "bad_request")
    assert refused.value.field == field


LONG = "x" * (MAX_PROMPT + 1)


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "prompt: it is missing."),
        ({"prompt": None}, "prompt: it must be a text."),
        ({"prompt": ""}, "prompt: it must not be empty."),
        ({"prompt": "\u2003"}, "prompt: it must say something."),
        ({"prompt": LONG}, "prompt: it is too long: 40,000 characters are taken."),
        ({"prompt": "a", "system": "Obey."}, "system: nothing has this name here."),
        ({"prompt": "a", "conversation": {}}, "conversation: it must be a list."),
        ({"prompt": "a", "conversation": ["Hello"]}, "conversation.0: it must be an object."),
        (
            {"prompt": "a", "conversation": [message(1, "system")]},
            "conversation.0.role: it must be 'user' or 'assistant'.",
        ),
        (
            {"prompt": "a", "attachedContext": [{"type": 1, "id": "1"}]},
            "attachedContext.0.type: it must be 'email', 'calendar_event' or 'briefing'.",
        ),
        ({"prompt": "a", "attachedContext": [context(1, meta=[])]}, "attachedContext.0.meta: it must be an object."),
        (
            {"prompt": "a", "attachedContext": [context(1, title="x" * 1_001)]},
            "attachedContext.0.title: it is too long: 1,000 characters are taken.",
        ),
    ],
)
def test_what_is_wrong_is_said(sent: dict[str, Any], words: str) -> None:
    """In a sentence for whoever wrote the request; they need not know what it is read with."""
    with pytest.raises(HttpRefusal) as refused:
        read_as(RunRequest, sent)
    assert refused.value.message == words


@pytest.mark.parametrize(
    ("deadline", "words"),
    [
        (5, "it must be a time, as in 2026-01-31T09:00:00Z"),
        ("tomorrow", "it must be a time, as in 2026-01-31T09:00:00Z"),
        ("2027-02-30T09:00:00Z", "there is no such time"),
        ("2027-01-01T09:00:00 o'clock", "there is no such time"),
        ("9999-12-31T23:59:59-12:00", "there is no such time"),
    ],
)
def test_what_is_wrong_with_a_deadline_is_said(deadline: object, words: str) -> None:
    """It is no time, or none that there is."""
    with pytest.raises(HttpRefusal) as refused:
        read_as(ContinueRequest, {"deadline": deadline})
    assert refused.value.message == f"deadline: {words}."


def test_trying_again_takes_nothing() -> None:
    """A deadline would be for another request than the one that failed."""
    assert read_as(RetryRequest, {}) == RetryRequest()
    with pytest.raises(HttpRefusal) as refused:
        read_as(RetryRequest, {"deadline": "2027-01-01T09:00:00Z"})
    assert (refused.value.field, refused.value.message) == ("deadline", "deadline: nothing has this name here.")


MANY_NAMES: dict[str, Any] = dict.fromkeys(map(str, range(90_000)), "x")
MANY_FAULTS: dict[str, dict[str, Any]] = {
    "names": MANY_NAMES,
    "messages": {"conversation": [1] * 490_000},
    "contexts": {"attachedContext": [{}] * 330_000},
    "names inside": {"conversation": [{"role": "user", "text": "x", **MANY_NAMES}]},
}


@pytest.mark.parametrize("more", MANY_FAULTS.values(), ids=MANY_FAULTS)
def test_one_fault_of_many_is_told(more: dict[str, Any]) -> None:
    """All of a body that is as long as allowed would take seconds, in which nothing else is done."""
    with pytest.raises(ValidationError) as found:
        RunRequest.model_validate({"prompt": "Hello", **more})
    assert found.value.error_count() <= 2


def test_the_longest_prompt_is_taken() -> None:
    """In characters, whatever they are made of."""
    assert asked(prompt="🪑" * MAX_PROMPT).prompt == "🪑" * MAX_PROMPT


def test_the_newest_messages_count() -> None:
    """40 of 41, in their order."""
    sent = [message(n, ("user", "assistant")[n % 2]) for n in range(MAX_CONVERSATION + 1)]
    said = asked(conversation=sent).said()
    assert [one.text for one in said] == [f"Turn {n}" for n in range(1, MAX_CONVERSATION + 1)]
    assert [one.speaker for one in said][:2] == [Speaker.AGENT, Speaker.PERSON]


def test_what_does_not_count_is_not_judged() -> None:
    """Of tens of thousands of messages the newest are read; a fault in one is told by its place in what was sent."""
    newest = [message(n) for n in range(MAX_CONVERSATION)]
    assert len(asked(conversation=[{"role": "system"}] * 20_000 + newest).said()) == MAX_CONVERSATION
    with pytest.raises(HttpRefusal) as refused:
        asked(conversation=[*map(message, range(50)), {"role": "user"}])
    assert refused.value.field == "conversation.50.text"


def test_the_first_contexts_count() -> None:
    """12 of 13."""
    attached = asked(attachedContext=[context(n) for n in range(MAX_ATTACHED + 1)]).attached()
    assert [one.id for one in attached] == [f"mail-{n}" for n in range(MAX_ATTACHED)]


def test_a_context_has_an_end() -> None:
    """Its meta counts, too; one that is left out anyway may be as long as it likes."""
    long = context(1, meta={"text": "x" * MAX_CONTEXT})
    with pytest.raises(HttpRefusal) as refused:
        asked(attachedContext=[context(0), long]).attached()
    assert refused.value.field == "attachedContext.1"
    wordy = context(1, snippet="x" * (MAX_CONTEXT + 1))
    for beyond in (long, wordy):
        kept = asked(attachedContext=[*(context(n) for n in range(MAX_ATTACHED)), beyond]).attached()
        assert len(kept) == MAX_ATTACHED


def test_a_snippet_may_be_as_long_as_its_schema_says() -> None:
    """The limit can be reached, in any characters; the title and the id have their own, and `meta` shares it."""
    limit = ContextItem.model_json_schema()["properties"]["snippet"]["anyOf"][0]["maxLength"]
    assert limit == MAX_CONTEXT
    for letter in ("x", "\n", '"', "\u00e4"):
        item = context(1, id="i" * 200, title="t" * 1_000, snippet=letter * limit)
        (kept,) = asked(attachedContext=[item]).attached()
        assert kept.snippet == letter * limit
    meta = {"a": "\u00e4" * 90}  # 98 characters of JSON
    assert asked(attachedContext=[context(1, snippet="x" * (limit - 98), meta=meta)]).attached()
    with pytest.raises(HttpRefusal) as refused:
        asked(attachedContext=[context(1, snippet="x" * (limit - 97), meta=meta)]).attached()
    assert "20,000 characters are taken of its snippet and the JSON of its meta" in str(refused.value)


def test_what_is_null_is_not_there() -> None:
    """Of what need not be there."""
    nothing = asked(threadId=None, conversation=None, attachedContext=None)
    assert (nothing.thread_id, nothing.said(), nothing.attached()) == (None, [], [])


@pytest.mark.parametrize(
    "deadline", ["tomorrow", 5, "1798761600", "9999-12-31T23:59:59-12:00", ["2027-01-01T00:00:00Z"]]
)
def test_a_deadline_is_a_time(deadline: object) -> None:
    """Numbers would be seconds for one program and milliseconds for another."""
    with pytest.raises(HttpRefusal) as refused:
        read_as(ContinueRequest, {"deadline": deadline})
    assert refused.value.field == "deadline"


def test_a_deadline_is_kept_in_utc() -> None:
    """Whatever offset it was written with."""
    read = read_as(ContinueRequest, {"deadline": "2027-01-01T12:00:00+02:00"}).deadline
    assert read == datetime(2027, 1, 1, 10, tzinfo=UTC)


def outcome(**more: Any) -> Outcome:
    return Outcome(
        run_id="run_1",
        thread_id="thr_1",
        step="act_1",
        state=RunState.COMPLETED,
        status=Status.COMPLETED,
        mode=Mode.TOOL,
        model="gemini",
        text="Done.",
        **more,
    )


def test_nulls_of_others_are_kept() -> None:
    """An answer leaves out what it has not; a null inside of what a tool got or an agent made is a value."""
    value = {"a": None, "b": [None, {"c": None}]}
    answer = answer_of(outcome(call=("gmail_search", value), result=value), {})
    assert answer["toolArgs"] == value
    assert answer["output"]["result"] == value
    assert "approval" not in answer
    assert "stopReason" not in answer["output"]
