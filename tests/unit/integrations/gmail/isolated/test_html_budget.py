"""What all the HTML of one look at mails may cost."""

from __future__ import annotations

import pytest

from integrations.gmail.isolated.html_budget import LOOK_CPU_SECONDS, MOST_GIVEN_UP, HtmlBudget
from integrations.gmail.isolated.html_reader import HtmlUnreadable
from integrations.gmail.mime.bodies import UNREADABLE, body_text
from integrations.gmail.wire import GmailMessage, Part
from tests.mail_parts import HOSTILE, PricedReader, leaf, multi


def sixty(kind: str, *parts: Part) -> GmailMessage:
    """A mail of sixty times the same parts."""
    return multi("mixed", *(Part(mime_type=f"multipart/{kind}", parts=list(parts)) for _ in range(60)))


async def test_many_hostile_parts_cost_what_two_of_them_cost() -> None:
    """Behind them nothing more is given to the reader, and that is said as of one."""
    reader = PricedReader()
    message = sixty("mixed", leaf(HOSTILE, "text/html"))
    assert await body_text(message, HtmlBudget(reader)) == UNREADABLE
    assert len(reader.read) == MOST_GIVEN_UP


async def test_the_plain_form_stands_for_what_was_given_up() -> None:
    """However short it is, and however many there are."""
    reader = PricedReader()
    message = sixty("alternative", leaf("Please view this in a browser."), leaf(HOSTILE, "text/html"))
    assert await body_text(message, HtmlBudget(reader)) == "Please view this in a browser."
    assert len(reader.read) == MOST_GIVEN_UP


async def test_pages_that_are_slow_together_are_not_all_read() -> None:
    """Each of them is within its own budget."""
    reader = PricedReader(seconds=0.09)
    budget = HtmlBudget(reader)
    while len(reader.read) * 0.09 < LOOK_CPU_SECONDS:
        await budget.text("<p>x")
    with pytest.raises(HtmlUnreadable):
        await budget.text("<p>one more")
    assert "<p>one more" not in reader.read


async def test_another_look_has_a_budget_of_its_own() -> None:
    """What one mail cost, no other one is charged for."""
    reader = PricedReader()
    await body_text(sixty("mixed", leaf(HOSTILE, "text/html")), HtmlBudget(reader))
    assert await body_text(multi("mixed", leaf("<p>Hi", "text/html")), HtmlBudget(reader)) == "<p>Hi"
