"""What of all that was seen in a thread is looked at for a call."""

from __future__ import annotations

from bot.domain.threads import SeenObject
from bot.runtime.policy.tracer import seen_before
from policies.guards.known import Said
from policies.provenance import Impact, Reference, Source, Touched

NOTHING = Impact()


def row(object_id: str, title: str, kind: str = "event", *people: str, is_own: bool = False) -> SeenObject:
    return SeenObject(
        run_id="run_1", owner="U1", kind=kind, object_id=object_id, title=title, people=people, is_own=is_own
    )


def said(*texts: str) -> list[Said]:
    return [Said(reference=Reference(source=Source.MESSAGE, id=str(at)), text=text) for at, text in enumerate(texts)]


def test_what_the_words_may_call_is_a_thing() -> None:
    """With all that the row has of it. What they do not call is only seen, and so is what is called by nothing."""
    review, lunch, blank = (
        row("a", "Supplier review", "event", "dana@acme.com", is_own=True),
        row("b", "Lunch"),
        row("c", "The"),
    )
    things, seen = seen_before([review, lunch, blank], said("Move the supplier", "review"), NOTHING)
    assert things == [Touched(kind="event", id="a", title="Supplier review", people=("dana@acme.com",), is_own=True)]
    assert seen == [review, lunch, blank]


def test_a_thing_is_as_it_was_seen_last() -> None:
    """What it was called before calls it no more. Things of two kinds with one id are two."""
    before, last, other = row("a", "Lunch"), row("a", "Dinner"), row("a", "Lunch", "mail_thread")
    things, seen = seen_before([before, other, last], said("the lunch"), NOTHING)
    assert things == [Touched(kind="mail_thread", id="a", title="Lunch")]
    assert seen == [last, other]


def test_what_the_call_is_about_is_a_thing_whatever_was_said() -> None:
    """In its place among the others. What the call says of it counts, and what is beside it is looked at as well."""
    touched = Touched(kind="event", id="b", title="Dinner", is_own=True)
    new, beside = Touched(kind="event", id="n", title="New"), Touched(kind="event", id="c", title="Walk")
    rows = [row("a", "Lunch"), row("b", "Lunch"), row("c", "Swim"), row("d", "Talk"), row("e", "Lunch")]
    things, seen = seen_before(rows, said("the lunch"), Impact(objects=[touched, new], beside=[beside]))
    assert [(one.id, one.title) for one in things] == [
        *(("a", "Lunch"), ("b", "Dinner"), ("c", "Swim"), ("e", "Lunch")),
        ("n", "New"),
    ]
    assert things[1] is touched
    assert seen == rows


def test_nothing_was_seen() -> None:
    """Then what the call is about is all there is."""
    touched = Touched(kind="event", id="b", title="Dinner")
    assert seen_before([], said(), Impact(objects=[touched])) == ([touched], [])
