"""The shipped agents that read, `meeting_brief` and `week_review`, as the scripted model does their work; and what it
does with the work of an agent that it does not know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.agents.definition import ENDING_TOOL, Definition
from bot.agents.library import SHIPPED
from bot.agents.outputs import output_schema
from bot.agents.placeholders import fill
from bot.agents.reader import read_file
from bot.runtime.texts import about_agents
from bot.tools.handover import Handover
from tests.unit.playground.gemini.conversation import PLANNING, Conversation, Json

BRIEF = read_file(SHIPPED / "meeting_brief.yaml").definition
REVIEW = read_file(SHIPPED / "week_review.yaml").definition
STATUSES = {"helen": "accepted", "owen": "needsAction", "dana": "accepted"}
MEETING: Json = PLANNING | {
    "guests": [{"email": f"{name}@marsh.example", "status": status} for name, status in STATUSES.items()],
    "when": "Wed 25 Nov 2026, 14:00–15:30 Europe/London (1 h 30 min)",
    "description": '<untrusted source="event">The route, and the gatehouse</untrusted>',
}
DECLINED: Json = MEETING | {"event_id": "e-off", "title": "Fire drill", "my_status": "declined"}
ALONE: Json = MEETING | {"event_id": "e-alone", "title": "Dentist", "guests": []}
OVER: Json = MEETING | {"event_id": "e-over", "title": "Breakfast", "end": "2026-11-21T09:00+00:00"}
ASKING: Json = {
    "n": 1,
    "from": "Helen Marsh <helen@marsh.example>",
    "date": "Fri 2026-11-20 10:15",
    "body": "Dear Dana,\n\nCould it be\nThursday? We open on Friday.\n> Shall we say Monday?",
    "attachments": [{"id": "1", "name": "gate.pdf"}],
}
THREAD: Json = {"subject": "Delivery of the benches", "messages": [ASKING]}
ANSWERED: Json = THREAD | {"messages": [ASKING, {"n": 2, "from": "Dana Okafor <d@fern.example>", "body": "Yes."}]}
SOURCE = "mail “Delivery of the benches”, Fri 20 Nov 2026"
NO_MAIL: Json = {"gmail_search": {"threads": []}}


def asked(definition: Definition, *, results: Json | None = None, **inputs: Any) -> Conversation:
    """The agent's work, before it begins."""
    ending = Handover(output=definition.output).declaration
    found: Json = {"calendar_search": {"events": [OVER, DECLINED, MEETING, ALONE]}, "gmail_thread_read": THREAD}
    return Conversation(
        text=fill(definition.prompt.query, inputs).strip(),
        tools=(*definition.tools, ENDING_TOOL),
        declared={ENDING_TOOL: {"name": ENDING_TOOL, "parametersJsonSchema": dict(ending.schema)}},
        results=found | (results or {}),
    )


def handed_over(definition: Definition, **inputs: Any) -> Any:
    """What it hands over, by the schema."""
    conversation = asked(definition, **inputs)
    conversation.run()
    ((name, arguments),) = conversation.steps[-1]
    assert name == ENDING_TOOL
    output = arguments[definition.output.name]
    assert output_schema.errors(Handover(output=definition.output).schema, output) == []
    return output


def test_a_brief_says_what_the_tools_returned() -> None:
    """The meeting, its guests without the person, what they wrote with its source, what they ask, and their files."""
    assert handed_over(BRIEF, meeting="delivery planning") == {
        "about": "“Delivery planning: Marsh Gardens”, Wed 25 Nov 2026, 14:00–15:30 Europe/London (1 h 30 min), "
        "Yard office. The route, and the gatehouse.",
        "people": [
            "Helen Marsh (helen@marsh.example) comes; wrote about “Delivery of the benches”.",
            "Owen (owen@marsh.example) has not answered the invitation.",
        ],
        "lately": [
            f"Helen Marsh: Could it be Thursday? We open on Friday. > Shall we say Monday? ({SOURCE})",
            "Helen prefers oak (your note of Sun 1 Nov 2026)",
        ],
        "open": [
            f"Helen Marsh asks: “Could it be Thursday?” ({SOURCE})",
            "Whether Owen will come (the invitation).",
        ],
        "have_ready": ["“gate.pdf” (attached to the mail “Delivery of the benches”)"],
    }


def test_what_was_answered_is_not_open() -> None:
    assert handed_over(BRIEF, meeting="delivery planning", results={"gmail_thread_read": ANSWERED})["open"] == [
        "Whether Owen will come (the invitation)."
    ]


@pytest.mark.parametrize(
    ("focus", "told"), [("the price", "I found nothing about “the price”."), ("Thursday", "gatehouse.")]
)
def test_a_focus_of_which_nothing_is_known_is_named(focus: str, told: str) -> None:
    assert handed_over(BRIEF, meeting="delivery planning", focus=focus)["about"].endswith(told)


@pytest.mark.parametrize("meeting", ["my next meeting", "on Wednesday at 14:00"])
def test_a_meeting_is_found_by_its_time_and_as_the_next_one_too(meeting: str) -> None:
    """One that is over or declined is not meant, and one without guests only where there is no other."""
    events = {"calendar_search": {"events": [OVER, DECLINED, ALONE, MEETING]}}
    assert handed_over(BRIEF, meeting=meeting, results=events)["about"].startswith("“Delivery planning")


def test_no_meeting_is_said_and_nothing_made_up() -> None:
    assert handed_over(BRIEF, meeting="the moon", results={"calendar_search": {"events": []}}) == {
        "about": "I found no meeting “the moon” in your calendar, from today on.",
        **{name: [] for name in ("people", "lately", "open", "have_ready")},
    }


def test_a_review_says_what_the_tools_returned() -> None:
    """Meetings with somebody, mails that ask something, and all that comes; not what was declined."""
    planned = "Wed 25 Nov 2026, 14:00–15:30: “Delivery planning: Marsh Gardens” with Helen and Owen"
    review = handed_over(REVIEW, results={"calendar_search": {"events": [DECLINED, ALONE, MEETING]}})
    assert review == {
        "summary": "One meeting was planned in the week of Mon 16 Nov 2026. "
        "One mail of that week waits for your answer. 2 events are on your calendar for the next week.",
        "meetings": [planned],
        "waiting": ["“Delivery of the benches” from Helen Marsh, Fri 20 Nov 10:15"],
        "next_week": ["Wed 25 Nov 2026, 14:00–15:30: “Dentist”", planned],
    }


@pytest.mark.parametrize(
    ("named", "first", "next_one"), [("2026-11-02", "02", "09"), ("Last week", "09", "16"), ("this week", "16", "23")]
)
def test_a_review_looks_at_the_week_that_was_named(named: str, first: str, next_one: str) -> None:
    conversation = asked(REVIEW, first_day=named)
    conversation.run()
    assert [args.get("query") or args["start"] for _, args in conversation.steps[0]] == [
        *(f"2026-11-{first}", f"2026-11-{next_one}"),
        f"in:inbox after:2026/11/{first} before:2026/11/{next_one}",
    ]


def test_a_review_of_no_week_says_so_in_its_result() -> None:
    """What the agent was asked reaches nobody, as it does where no result is handed over."""
    review = handed_over(REVIEW, first_day="when we met")
    assert review["summary"].startswith("I looked at no week")
    assert (review["meetings"], review["waiting"], review["next_week"]) == ([], [], [])


def test_a_review_counts_the_projects_that_were_named() -> None:
    assert handed_over(REVIEW, projects=["moon"]) == {
        "summary": "No meetings were planned in the week of Mon 16 Nov 2026. "
        "No mails of that week wait for your answer. No events are on your calendar for the next week.",
        **{name: [] for name in ("meetings", "waiting", "next_week")},
    }


@pytest.mark.parametrize("results", [{"gmail_thread_read": ANSWERED}, NO_MAIL])
def test_only_mail_that_asks_and_was_not_answered_waits(results: Json) -> None:
    assert handed_over(REVIEW, results=results)["waiting"] == []


@pytest.mark.parametrize("definition", [BRIEF, REVIEW])
def test_a_calendar_that_cannot_be_read_is_no_result(definition: Definition) -> None:
    """It answers in words, so that the run fails with them."""
    conversation = replace(
        asked(definition, meeting="x"), contents=[], errors={"calendar_search": {"code": "not_connected"}}
    )
    assert conversation.run().startswith("I could not look into your calendar")
    assert ENDING_TOOL not in str(conversation.steps)


SEVERAL: Json = {"type": "object", "properties": {"subject": {"type": "string"}, "said": {"type": "string"}}}


@pytest.mark.parametrize("schema", [SEVERAL, {"type": "object", "properties": {"said": {"type": "string"}}}])
@pytest.mark.parametrize("mode", ["ANY", "NONE"])
def test_work_that_is_not_understood_has_no_result(mode: str, schema: Json) -> None:
    """Also where a result is demanded: the text says so, and stands in no field."""
    unknown = replace(BRIEF, output=replace(BRIEF.output, schema=schema))
    conversation = replace(asked(unknown), text="Weigh the moon.", contents=[], mode=mode, schema=schema)
    for reminder in ("", about_agents.MUST_HAND_OVER.format(tool=ENDING_TOOL)):
        if reminder:
            conversation.say(reminder)
        given = conversation.answer()
        assert given.calls == ()
        assert given.text.startswith("I do not understand this agent's task")
        assert "moon" not in given.text, "what an agent is asked no person wrote"


def test_a_text_is_no_result_that_has_several_parts() -> None:
    """What it found out in words does not become each of the parts."""
    unknown = replace(REVIEW, output=replace(REVIEW.output, schema=SEVERAL))
    conversation = replace(asked(unknown), text="anything unread?", contents=[])
    conversation.run()
    conversation.mode = "ANY"
    assert conversation.answer().calls == ()
