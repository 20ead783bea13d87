"""What is left out of the matrix is alike what is played."""

from __future__ import annotations

from tests.verification.chaos.choice import Choice, ends, outlined, telling, worlds

MAIL = [
    "commit:run.queued:before#1",
    "commit:run.queued:after#1",
    "slack:ack:after#1",
    "model:after#1",
    "commit:action.asked:after#1",
    "commit:outbox:after#1",
    "slack:chat.postMessage:after#1",
    "commit:outbox:after#2",
    "google:gmail.users.drafts.send:after#1",
    "commit:outbox:after#3",
]


def test_a_point_before_something_and_a_read_change_nothing() -> None:
    """Only what lasts is told apart."""
    assert telling(MAIL) == [point for point in MAIL if ":after#" in point and "model" not in point]


def test_scenes_that_begin_alike_are_killed_there_once() -> None:
    """Where the second scene goes another way it is played from there on, whatever was called so before."""
    choice = Choice()
    assert choice.of("mail", MAIL).points == telling(MAIL)
    other = [*MAIL[:8], "commit:question.expired:after#1", "commit:outbox:after#3"]
    chosen = choice.of("expiry", other)
    assert chosen.points == ["commit:question.expired:after#1"]
    assert (chosen.passed, chosen.idle, chosen.alike, chosen.left) == (10, 2, 6, 1)


def test_the_world_is_what_happened_until_then() -> None:
    """A delivery after another step of the run is another world, the second one after the same step too."""
    assert len(set(worlds(telling(MAIL)))) == len(telling(MAIL))


def test_every_point() -> None:
    """Asked for everything, nothing is left out."""
    choice = Choice(every=True)
    assert [choice.of(scene, MAIL).points for scene in ("mail", "renewed")] == [MAIL, MAIL]


def test_almost_a_mail_is_killed_at_its_beginning_and_where_it_is_another() -> None:
    """What is called as in an approved mail is left out after the first."""
    choice = Choice()
    choice.of("mail", MAIL)
    renewed = [*MAIL, "google:token:after#1"]
    assert choice.of("renewed", renewed).points == [telling(MAIL)[0], "google:token:after#1"]


def test_another_tool_that_tells_google_the_same_is_killed_right_after_it() -> None:
    """In place of its beginning: whether it looks what came of its attempt is its own."""
    choice = Choice()
    choice.of("mail", MAIL)
    assert choice.of("draft_sent", MAIL).points == ["google:gmail.users.drafts.send:after#1"]


def test_the_ends() -> None:
    """The first and the last time of each name, in order."""
    assert ends(["a#1", "a#2", "b#1", "a#3"]) == ["a#1", "b#1", "a#3"]


def test_the_outline() -> None:
    """Of what goes on beside the run's own way the first time only."""
    assert outlined(["job:a#1", "b#1", "b#2", "job:a#2", "b#3"]) == ["job:a#1", "b#1", "b#3"]


def test_a_sparing_choice() -> None:
    """The outline of the whole scene; of another one its beginning, what has a new name, and the run's next step."""
    choice = Choice(sparing=True)
    assert choice.of("mail", MAIL).points == outlined(telling(MAIL))
    other = [*MAIL[:8], "commit:question.expired:after#1", "commit:outbox:after#3", MAIL[8], "commit:outbox:after#4"]
    assert choice.of("expiry", other).points == [MAIL[1], other[8], other[10]]
