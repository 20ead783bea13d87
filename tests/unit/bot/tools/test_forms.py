"""Forms: a tool's arguments as fields, and back; what is not for people, or too long, is left as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from bot.tools.forms import TEXT_LIMIT, FieldInput, Form, FormField, form_of, read
from integrations.base import AnyTool, Content, ObjectId, Preview, Shape, ToolArgs
from integrations.calendar.arguments import AnswerArgs, CancelArgs, CreateArgs, UpdateArgs
from integrations.gmail.tools.labels import LabelArgs
from integrations.gmail.tools.reply import ReplyArgs
from integrations.gmail.tools.send import SendArgs
from policies.types import Role
from tests.unit.bot.runtime.scripted import Effect


class Everything(ToolArgs):
    """One of each."""

    id: ObjectId
    to: Annotated[list[str], Role.DESTINATION]
    subject: Content
    body: Annotated[Content, Shape.LONG_TEXT]
    start: Annotated[str | None, Role.NONE, Shape.LOCAL_TIME] = None
    notify: Annotated[Literal["all", "none"] | None, Role.NONE] = None
    quick: Annotated[bool, Role.NONE] = False
    count: Annotated[int, Role.NONE, Field(ge=0)] = 3
    minutes: Annotated[list[int] | None, Role.NONE] = None


ARGS: dict[str, object] = {
    "id": "m1",
    "to": ["a@x.example", "b@x.example"],
    "subject": "Tea",
    "body": "Hello",
    "start": "2026-11-24T14:00:00",
    "notify": "all",
    "quick": True,
    "count": 3,
}


def tool(args: type[ToolArgs] = Everything) -> AnyTool:
    made = Effect()
    made.args = args
    return made


def by_name(form: Form) -> dict[str, FormField]:
    return {field.name: field for field in form.fields}


def test_what_the_fields_look_like() -> None:
    """Each argument has the field that its type and its marker ask for; ids, and what no field shows, have none."""
    fields = by_name(form_of(tool(), ARGS))
    assert {name: (field.input, field.value) for name, field in fields.items()} == {
        "to": (FieldInput.LIST, "a@x.example\nb@x.example"),
        "subject": (FieldInput.LINE, "Tea"),
        "body": (FieldInput.TEXT, "Hello"),
        "start": (FieldInput.MOMENT, "2026-11-24T14:00"),
        "notify": (FieldInput.CHOICE, "all"),
        "quick": (FieldInput.FLAG, True),
        "count": (FieldInput.NUMBER, "3"),
    }
    assert {name for name, field in fields.items() if field.optional} == {"start", "notify", "quick", "count"}
    assert fields["notify"].choices == {"all": "all", "none": "none"}


def test_times_that_no_picker_shows() -> None:
    """A day has a picker of days; what has an offset, or is no time at all, stays words."""
    for value, wanted in (
        ("2026-11-24", FieldInput.DAY),
        ("2026-11-24T14:00+01:00", FieldInput.LINE),
        ("soon", FieldInput.LINE),
    ):
        assert by_name(form_of(tool(), ARGS | {"start": value}))["start"].input is wanted
    assert by_name(form_of(tool(), ARGS | {"start": None}))["start"].input is FieldInput.MOMENT


def test_only_what_was_changed_comes_back() -> None:
    """Untouched fields change nothing; changed ones come back as the tool takes them, and emptied ones as nothing."""
    shown = {field.name: field.value for field in form_of(tool(), ARGS).fields}
    assert read(tool(), ARGS, shown) == {}
    changes = {"to": "c@x.example, \n\n d@x.example", "start": "", "notify": "", "quick": False, "count": "5"}
    assert read(tool(), ARGS, shown | changes) == {
        "to": ["c@x.example", "d@x.example"], "start": None, "notify": None, "quick": False, "count": 5,
    }  # fmt: skip
    assert read(tool(), ARGS, {"count": "many", "id": "m2"}) == {"count": "many"}


def test_what_is_too_long_is_left_out_and_said() -> None:
    """A form cuts nothing: a longer text is not shown, and cannot be changed by it."""
    long = ARGS | {"body": "x" * 4_210}
    form = form_of(tool(), long)
    assert "body" not in by_name(form)
    assert "4,210" in form.left_out[0]
    assert read(tool(), long, {"body": "short"}) == {}
    for size, is_shown in ((TEXT_LIMIT, True), (TEXT_LIMIT + 1, False)):
        assert ("body" in by_name(form_of(tool(), ARGS | {"body": "x" * size}))) is is_shown


def test_line_ends_of_a_surface_are_no_change() -> None:
    """A text of several lines that nobody touched is the same, however its lines end when it comes back."""
    lines = ARGS | {"body": "Hello\n\nDana"}
    assert read(tool(), lines, {"body": "Hello\r\n\r\nDana\r\n"}) == {}
    assert read(tool(), lines, {"body": "Hello\r\nDana"}) == {"body": "Hello\nDana"}


class NotForPeople(ToolArgs):
    """What nobody can write into a field."""

    id: ObjectId
    file: Annotated[str, Role.ATTACHMENT]
    shell: Annotated[str, Role.COMMAND]
    note: Content


def test_ids_files_and_commands_are_not_for_people() -> None:
    """They have no field, and what a forged form says of them is left out."""
    args = {"id": "m1", "file": "f1", "shell": "ls", "note": "Tea"}
    assert list(by_name(form_of(tool(NotForPeople), args))) == ["note"]
    assert read(tool(NotForPeople), args, dict.fromkeys(args, "other")) == {"note": "other"}


def test_the_real_tools() -> None:
    """Mails and events have their texts in several lines and their times as pickers."""
    mail = by_name(form_of(tool(SendArgs), {"to": ["a@x.example"], "subject": "s", "body": "b"}))
    assert (mail["to"].input, mail["subject"].input, mail["body"].input) == (
        FieldInput.LIST,
        FieldInput.LINE,
        FieldInput.TEXT,
    )
    assert mail["send_at"].input is FieldInput.MOMENT
    assert "thread_id" not in by_name(form_of(tool(ReplyArgs), {"thread_id": "t", "body": "b"}))
    event = by_name(form_of(tool(CreateArgs), {"title": "T", "start": "2026-11-24", "end": "2026-11-25"}))
    assert (event["start"].input, event["description"].input, event["meet"].input) == (
        FieldInput.DAY, FieldInput.TEXT, FieldInput.FLAG,
    )  # fmt: skip
    assert (
        by_name(form_of(tool(UpdateArgs), {"event_id": "e", "start": "2026-11-24T10:00"}))["start"].input
        is FieldInput.MOMENT
    )


# What the form shows of the world ---------------------------------------------------------------------------------

SEEN = Preview(
    title="Change this event?",
    fields=[],
    about="“Tea”, Tue 24 Nov 2026",
    present={
        "title": "Tea",
        "location": "Shed",
        "scope": "this",
        "zone": "Europe/Berlin",
        "start": "2026-11-24T09:00",
        "end": "2026-11-24T10:00",
    },
)
EVENT: dict[str, object] = {"event_id": "e", "title": None, "location": None, "zone": None, "start": None, "end": None}


def shown_of(args: dict[str, object] = EVENT, seen: Preview = SEEN) -> dict[str, str | bool]:
    return {field.name: field.value for field in form_of(tool(UpdateArgs), args, seen).fields}


def test_what_an_argument_leaves_out_is_shown_as_it_is_now() -> None:
    """The fields of an event hold what the event has; what the call says wins; untouched nothing changes."""
    form = form_of(tool(UpdateArgs), EVENT | {"title": "Coffee"}, SEEN)
    fields = by_name(form)
    assert form.about == "“Tea”, Tue 24 Nov 2026"
    assert [fields[name].value for name in ("title", "location", "zone", "start", "scope")] == [
        "Coffee", "Shed", "Europe/Berlin", "2026-11-24T09:00", "this",
    ]  # fmt: skip
    assert read(tool(UpdateArgs), EVENT, shown_of(), SEEN) == {}


def test_what_makes_no_difference_is_not_asked() -> None:
    """How much of a series is meant is no field of an event that does not repeat."""
    assert "scope" not in shown_of(seen=replace(SEEN, pointless=("scope",)))


def test_an_emptied_text_is_emptied() -> None:
    """Who clears the place wants none; a cleared time stays as it is."""
    given = shown_of() | {"location": "", "end": ""}
    assert read(tool(UpdateArgs), EVENT, given, SEEN) == {
        "location": "", "end": None, "start": "2026-11-24T09:00", "zone": "Europe/Berlin",
    }  # fmt: skip


def test_times_and_their_zone_go_together() -> None:
    """Another zone, or another start, means the times as the form shows them."""
    given = shown_of() | {"zone": "America/New_York"}
    assert read(tool(UpdateArgs), EVENT, given, SEEN) == {
        "zone": "America/New_York", "start": "2026-11-24T09:00", "end": "2026-11-24T10:00",
    }  # fmt: skip
    assert read(tool(UpdateArgs), EVENT, shown_of() | {"title": "Coffee"}, SEEN) == {"title": "Coffee"}


def test_choices_and_flags_speak_to_people() -> None:
    """No field of the tools' forms shows a raw value: each choice has a name, each flag says what it does."""
    for args in (SendArgs, ReplyArgs, CreateArgs, UpdateArgs, CancelArgs, AnswerArgs, LabelArgs):
        for field in form_of(tool(args), {}).fields:
            assert all(name != choice for choice, name in field.choices.items()), (args, field)
            assert field.input is not FieldInput.FLAG or field.yes != "Yes", (args, field)


def test_a_flag_that_was_not_given_stays_so() -> None:
    """Unchecking “archive” does not mean “back into the inbox”."""
    assert read(tool(LabelArgs), {"thread_id": "t", "archive": True}, {"archive": False}) == {"archive": None}
