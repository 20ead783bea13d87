"""Replies: which words decide nothing, which reject, and which are words."""

from __future__ import annotations

import pytest

from bot.domain.replies import Reply, meaning


@pytest.mark.parametrize("typed", ["stop", "Stop!", "STOP.", " stop, please "])
def test_stop(typed: str) -> None:
    """Stop is stop, however it is written."""
    assert meaning(typed) is Reply.STOP


@pytest.mark.parametrize(
    "typed", ["yes", "OK!", "Yes, please", "ok send it", "Do it.", "send it, thanks", ":+1:", "go ahead", "looks good"]
)
def test_words_that_decide_nothing(typed: str) -> None:
    """A yes in words decides nothing: it only means that the buttons should be pressed."""
    assert meaning(typed) is Reply.YES


@pytest.mark.parametrize("typed", ["no", "No thanks", "don’t", "don't send it, please", "nope!", "do not do it"])
def test_no(typed: str) -> None:
    """A no rejects, with any apostrophe."""
    assert meaning(typed) is Reply.NO


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "no, make it Friday",
        "yes but to Priya",
        "send it to Priya",
        "stop sending mails to Helen",
        "thanks",
        "nobody",
    ],
)
def test_everything_else_is_words(typed: str) -> None:
    """Only a whole message is a yes, a no or a stop; anything more is something to go on with."""
    assert meaning(typed) is Reply.WORDS
