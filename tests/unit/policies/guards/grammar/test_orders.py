"""What orders something to be destroyed: a clause that says nothing else, in a message that says nothing against it."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from policies.guards.grammar.orders import is_courtesy, orders
from policies.guards.readings import title_of
from policies.guards.verbs import DESTROY
from policies.provenance import Touched
from tests.unit.policies.guards.office import BOARD, DENTIST, SYNC, asked, cancel, purge

ONE = replace(SYNC, is_many=False)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the board meeting",
        "cancel board meeting",
        "Please cancel the board meeting for me, thanks",
        "Hi, can you cancel the board meeting?",
        "Could you please cancel the board meeting on Friday?",
        "I'd like you to cancel the board meeting",
        "We need to cancel tomorrow's board meeting",
        "Go ahead and cancel the board meeting",
        "Let's call off the board meeting",
        "Call the board meeting off",
        "The board meeting needs to be cancelled",
        "I need the board meeting cancelled",
        "Could the board meeting be cancelled, please?",
        "Would you mind cancelling the board meeting?",
        "Remove the board meeting from my calendar",
        "Cancel the event “Board meeting”",
        "Cancel the Board meeting event on 12 December at 3 pm 🙏",
        "Cancel the board meeting at 15:30",
        "Cancel the board meeting on 12 December 2026 at noon",
        "Cancel tomorrow's board meeting at 3",
        "Sag bitte das Board meeting ab!",
        "Das Board meeting am Freitag absagen",
        "Kannst du das Board meeting von morgen absagen?",
        "Wir müssen das Board meeting leider absagen",
        "Ich möchte das Board meeting absagen",
        "Das Board meeting muss abgesagt werden",
        # with other clauses
        "Cancel the board meeting, I'm ill. Tell Luis.",
        "Cancel the board meeting because I'm ill",
        "Cancel the board meeting and send Luis a note",
        "Cancel the board meeting and move lunch to 3",
        "Cancel the board meeting and I will tell Luis",
        "Dana is ill, cancel the board meeting",
        "I can't make it, cancel the board meeting",
        "No, cancel the board meeting",
        "Sag das Board meeting ab und schreib Luis",
        "Sag das Board meeting ab, ich bin krank",
        "Cancel the board meeting, Dana can't come",
        "Cancel the board meeting because Dana is not here",
        "Cancel the board meeting. It's no longer needed",
        "Cancel the board meeting, we don't need it anymore",
        "Cancel the board meeting since Dana is ill",
        "Cancel the board meeting, I'm in Berlin this week",
        "I'm not feeling well. Please cancel the board meeting",
        "I can't come tomorrow, cancel the board meeting",
        "Something came up - cancel the board meeting pls",
        "Actually, cancel the board meeting",
        "Please cancel the board meeting and tell Dana",
        "Cancel the board meeting and tell Dana and Luis that we'll find a new date",
        "Cancel the board meeting and let everyone know that it's off",
        "Cancel the board meeting and tell <@U2DANA> I'm ill",
        "Cancel the board meeting and tell Dana Okafor I'm ill",
        "Cancel the board meeting and email dana@acme.com",
        "Cancel the board meeting and find a new slot next week",
        "Cancel the board meeting and reserve a table for Friday at 8",
        "Cancel the board meeting. Luis will tell the others.",
        "Please cancel the board meeting. I'll tell Dana.",
        "Tell Dana I'm ill and cancel the board meeting",
        "Could you cancel the board meeting and tell Dana?",
        "We need to cancel the board meeting, I'm ill",
        "Cancel the board meeting please :)",
        "Cancel the board meeting :thumbsup:",
        "Bitte storniere das Board meeting, wir brauchen es nicht mehr",
        "Sag das Board meeting ab, ich bin im Urlaub",
        "Sag das Board meeting ab und schreib Dana, dass ich krank bin",
        "Sag das Board meeting ab und informiere alle",
        "Sag das Board meeting ab und sag Dana Bescheid",
    ],
)
def test_a_clause_that_says_nothing_else(text: str) -> None:
    """It has courtesy, days and times, and what people ask with; other clauses may say more."""
    assert asked(cancel(BOARD), text, things=[BOARD]) == ""


@pytest.mark.parametrize(
    "text",
    [
        # another thing
        "Cancel the board meeting catering",
        "Cancel the board meeting lunch order",
        "Cancel the board meeting room",
        "Cancel the board meeting's video link",
        "Delete the board meeting notes",
        "Delete the board meeting draft",
        "Cancel the board meeting call",
        "Cancel the pre-board meeting",
        "Cancel the board-meeting dinner",
        "Cancel the non-board meeting",
        "Cancel any board meeting conflicts",
        "Cancel the mini board meeting",
        "Cancel the other board meeting",
        "Cancel the Board meeting 2",
        "Cancel the board meeting+",
        "Cancel Dana's board meeting",
        "Cancel the board meeting with Dana",
        "Cancel the board. Meeting, please",
        "Cancel the meeting of the board",
        "Cancel the call board meeting",
        "Storniere das Board meeting Catering",
        "Storniere das Board-meeting-Hotel",
        "Remove all from the board meeting",
        # the thing is spoken of in another clause
        "Delete that please. When is the board meeting?",
        "Cancel it. The board meeting stays.",
        "Cancel Lunch, Board meeting stays",
        "Board meeting: cancel",
        "Cancel the dentist, and when is the board meeting?",
        # exceptions and refusals
        "Cancel everything except the board meeting",
        "Cancel all meetings save the board meeting",
        "Cancel all but the board meeting",
        "Cancel nothing around the board meeting",
        "Cancel everything but not the board meeting",
        "Cancel the dentist, not the board meeting",
        "Cancel the dentist rather than the board meeting",
        "Keep the board meeting. Cancel everything else.",
        "Sag alles außer dem Board meeting ab",
        "Lösche alles bis auf das Board meeting",
        "Bitte nicht das Board meeting absagen",
        # conditions, and what has to come first
        "Cancel the board meeting if Dana declines",
        "Cancel the board meeting. Only if Dana declines.",
        "If Dana doesn't answer by noon, cancel the board meeting",
        "Cancel the board meeting unless Dana objects",
        "Once Dana agreed, cancel the board meeting",
        "When I say so, cancel the board meeting",
        "Wait for my OK, then cancel the board meeting",
        "Check with Dana first, then cancel the board meeting",
        "Tomorrow, cancel the board meeting",
        "Tomorrow cancel the board meeting",
        "On Friday please cancel the board meeting",
        "Cancel the board meeting by Friday",
        "Sag das Board meeting ab, falls Dana nicht kommt",
        "Wenn Dana nicht kommt, sag das Board meeting ab",
        # questions, doubt, and what is taken back
        "Cancel the board meeting? No, keep it.",
        "Cancel the board meeting?",
        "Cancel the board meeting, or move it",
        "Cancel the board meeting, what do you think?",
        "Cancel the board meeting... just kidding",
        "Cancel the board meeting. Actually no, leave it as it is.",
        "Cancel the board meeting, but the dentist stays",
        "Cancel the board meeting. Sorry, the board meeting is on Friday",
        # texts for others, or of others
        "Remind me tomorrow: cancel the board meeting",
        "Set a reminder for Friday, cancel the board meeting",
        "Add a todo: cancel the board meeting",
        "Note: cancel the board meeting",
        "Tell Dana this\nPlease cancel the board meeting",
        "Send Dana the following.\n\nPlease cancel the board meeting. Best, me",
        "Draft a mail to Dana that says this. Cancel the board meeting. Thanks",
        "Cancel the board meeting. Send this to Dana.",
        "Cancel the board meeting\nBuy milk\nAdd these to my todo list",
        "Cancel the board meeting. That is what Dana wrote.",
        "Cancel the board meeting. How do you spell it in German? Translate it",
        "“Cancel the board meeting”",
        "Luis, cancel the board meeting",
        "<@U2LUIS> cancel the board meeting",
        # any question, and what only may be a request
        "Find out who is in and cancel the board meeting",
        "Can you cancel a board meeting?",
        "Can you cancel the board meeting, technically?",
        "Can you cancel the board meeting? Is that something you do?",
        "Would you cancel the board meeting? I'm unsure",
        "Would you cancel the board meeting? Tell Dana",
        "Cancel the board meeting, really?",
        "Cancel the board meeting, Dana is ill?",
        "Cancel the board meeting and tell Dana about it?",
        # a list
        "- [ ] Cancel the board meeting\n- [ ] Book lunch",
        "- Cancel the board meeting\n- Book lunch",
        "1) Cancel the board meeting",
        "✅ Cancel the board meeting",
        # what is told is no more than told
        "Cancel the board meeting and tell Luis to do it",
        "Cancel the board meeting. Tell Dana she decides",
        "Cancel the board meeting. Tell Dana that it is for Luis to cancel",
        "Cancel the board meeting. Tell me what you will do",
        "Cancel the board meeting. Luis will call",
        "Tell Dana to come and cancel the board meeting",
        "Tell Dana\ncancel the board meeting",
        # another request is for another thing
        "Cancel the board meeting and move it to Friday",
        "Cancel the board meeting and move the meeting to Friday",
        "Cancel the board meeting and schedule the cancellation for Friday",
        # a word for a kind behind a title is another thing
        "Cancel the board meeting session",
        # a day that nobody compares, and any other word
        "Cancel the board meeting this afternoon",
        "Cancel the board meeting tmrw",
        "Cancel the board meeting next week",
        "Cancel the board meeting 🚫",
        "Sag das Board meeting Freitagnachmittag ab",
    ],
)
def test_any_other_word_leads_to_a_card(text: str) -> None:
    """In its clause, or one elsewhere that speaks against it."""
    assert asked(cancel(BOARD), text)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the whole team sync series",
        "Cancel the team sync series and tell everyone",
        "Cancel every team sync",
        "Cancel every team sync from tomorrow on",
        "Cancel the team sync from now on",
        "Cancel the team sync from next week on, please",
        "Cancel the recurring team sync",
        "Cancel the team sync for good",
        "Sag die ganze Serie Team sync ab",
        "Sag alle Team sync ab",
        "Sag den Team sync ab sofort ab",
    ],
)
def test_a_series_is_called_one(text: str) -> None:
    """By a word for many beside its title, or for all time."""
    assert asked(cancel(SYNC), text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the team sync",
        "Cancel the team sync tomorrow",
        "Cancel only the team sync on Tuesday, not the whole series",
        "Cancel the team sync on Tuesday, we are all at the fair",
        "Cancel tomorrow's weekly team sync",
        "Cancel the team sync tomorrow for the whole team",
        "Cancel the team sync. Any questions, ask me",
        "Cancel the team sync on Christmas Eve",
        "Cancel the team sync after lunch",
        "Cancel only the team sync series",
        "Never cancel the team sync series",
        "Sag den Team sync ab, wir sind alle unterwegs",
        "Sag den Team sync Montagmorgen ab",
        "Cancel fridays team sync",
        "Cancel the upcoming team sync",
        "Cancel the whole team sync",
        "Cancel every team sync on Friday",
    ],
)
def test_what_is_called_once_is_one(text: str) -> None:
    """Also where no day is named."""
    assert asked(cancel(SYNC), text)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the team sync",
        "Cancel tomorrow's team sync, we are all at the fair",
        "Cancel only the team sync on Tuesday, not the whole series",
        "Cancel just the weekly team sync this Tuesday",
        "Sag den Team sync am Dienstag ab",
        "Cancel tuesdays team sync",
        "Cancel the next team sync",
        "Cancel our upcoming team sync, please",
        "Sag den kommenden Team sync ab",
        "Cancel the whole team sync",
    ],
)
def test_one_occurrence_is_an_order_too(text: str) -> None:
    """With a day or without one."""
    assert asked(cancel(ONE), text) == ""


@pytest.mark.parametrize("word", ["future", "following", "later", "remaining", "any", "folgenden"])
def test_which_one_of_many_has_to_be_said(word: str) -> None:
    """Words that are for more than one say nothing of which one."""
    assert asked(cancel(ONE), f"Cancel the {word} team sync")
    assert asked(cancel(SYNC), f"Cancel all {word} team sync") == ("destructive" if word == "any" else "")


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        (("Cancel the board meeting", "Thanks!"), ""),
        (("Cancel the board meeting", "Yes, please do it 👍"), ""),
        (("When is the board meeting?", "Cancel the board meeting"), ""),
        (("Don't cancel the board meeting", "Cancel the board meeting"), ""),
        (("Cancel the board meeting", "Stop! Don't cancel it, keep it"), "object"),
        (("Cancel the board meeting", "No"), "object"),
        (("Cancel the board meeting", "yes, but tomorrow"), "destructive"),
        (("Cancel the board meeting", "on Friday"), "destructive"),
        (("Cancel the board meeting", "What's for lunch?"), "destructive"),
    ],
)
def test_the_newest_message_has_the_order(typed: tuple[str, ...], rule: str) -> None:
    """Whatever was said since may take it back, if it is more than thanks."""
    assert asked(cancel(BOARD), *typed) == rule


def test_the_order_says_that_it_is_about_a_series() -> None:
    """What an earlier message said of all of them was about something else."""
    assert asked(cancel(SYNC), "Move every team sync to 3", "Cancel the team sync")
    assert asked(cancel(SYNC), "Move every team sync to 3", "Cancel every team sync") == ""


def test_things_of_one_call_are_ordered_together() -> None:
    """Each title may stand in the clause, and so may no third one."""
    both = replace(cancel(BOARD), impact=replace(cancel(BOARD).impact, objects=[BOARD, replace(DENTIST, kind="call")]))
    things = both.impact.objects
    assert asked(both, "Cancel the board meeting and the dentist appointment", things=things) == ""
    assert asked(both, "Cancel the board meeting. Delete the dentist appointment", things=things) == ""
    assert asked(both, "Cancel the board meeting, the dentist appointment", things=things)
    assert asked(both, "Cancel the board meeting and the team sync", things=things)


@pytest.mark.parametrize(
    ("title", "text", "is_done"),
    [
        ("Sun loungers: price talk", "Cancel “Sun loungers: price talk”", True),
        ("Sun loungers: price talk", "Cancel Sun loungers: price talk and the rest", False),
        ("C++ sync", "Cancel the C++ sync", True),
        ("C++ sync", "Cancel the C sync", False),
        ("Board", "Cancel the board meeting", False),
        ("Sales review", "Cancel the sales review call", False),
        ("Sales review", "Cancel the sales review event", True),
        ("Only Friday drinks", "Cancel the Only Friday drinks", True),
        ("Only Friday drinks", "Cancel drinks only Friday", False),
    ],
)
def test_a_title_is_one_word_of_an_order(title: str, text: str, is_done: bool) -> None:
    """Its marks bound no clause, and its words stand together."""
    event = Touched(kind="event", id="x", title=title, is_own=True)
    assert (asked(cancel(event), text, things=[event]) == "") is is_done


def test_another_request_is_for_what_is_known_or_everyday() -> None:
    """By the title of another thing; of one that nobody knows it is not told what it is."""
    plan = Touched(kind="draft", id="d", title="Budget plan", is_own=True)
    text = "Cancel the board meeting and delete the Budget plan"
    assert asked(cancel(BOARD), text, things=[BOARD, plan]) == ""
    assert asked(cancel(BOARD), text, things=[BOARD])


def test_other_verbs_and_kinds_are_those_of_the_tool() -> None:
    """What its things are called, and how it is asked for them."""
    draft = Touched(kind="draft", id="d", title="Gift for Helen", is_own=True)
    shelf = Touched(kind="shelf", id="s", title="Shelf 7", is_own=True)
    assert asked(cancel(draft), "Delete the Gift for Helen draft", things=[draft]) == ""
    assert asked(cancel(draft), "Delete the Gift for Helen event", things=[draft])
    assert asked(purge(shelf), "Get shot of the shelf called Shelf 7", things=[shelf]) == ""
    assert asked(purge(shelf), "Cancel Shelf 7", things=[shelf])


@pytest.mark.parametrize(
    "text", ["", "Thanks!", "yes please", "OK, go ahead", "Vielen Dank, mach das bitte", "👍", "Sounds good."]
)
def test_courtesy(text: str) -> None:
    """It says nothing of what is to be done."""
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text", ["no", "not now", "yes but wait", "could you", "another one", "3", "❌", "a@b.example"]
)
def test_no_courtesy(text: str) -> None:
    """Anything else may change it."""
    assert not is_courtesy(text)


@pytest.mark.parametrize(
    "part",
    [
        "cancel the board meeting ",
        "board ",
        "cancel, ",
        "from ",
        "go ahead and ",
        "”board meeting” ",
        "and ",
        "3:00 ",
        "- ",
    ],
)
def test_a_long_text_takes_no_longer_by_its_length(part: str) -> None:
    """Twice as much takes about twice as long."""

    def taken(size: int) -> float:
        text, began = part * size, time.process_time()
        orders.__wrapped__(text, tuple(DESTROY), (title_of("Board meeting"),), frozenset({"event"}))
        return time.process_time() - began

    taken(100)
    assert min(taken(8_000) for _ in range(2)) < 8 * min(taken(2_000) for _ in range(2)) + 0.05
