"""Replies: which words decide nothing, which reject, and which are words."""

from __future__ import annotations

import pytest

from bot.domain.replies import Reply, meaning

SAID = {
    Reply.STOP: ["stop", "Stop!", "STOP.", " stop, please "],
    Reply.YES: [
        "yes",
        "OK!",
        "Yes, please",
        "ok send it",
        "Do it.",
        "send it, thanks",
        ":+1:",
        "go ahead",
        "looks good",
    ],
    Reply.NO: [
        "no",
        "No thanks",
        "don’t",
        "don't send it, please",
        "nope!",
        "do not do it",
        "Cancel.",
    ],
    Reply.WORDS: [
        "",
        "no, make it Friday",
        "cancel Friday's tea",
        "yes but to Priya",
        "send it to Priya",
        "stop sending mails to Helen",
        "thanks",
        "nobody",
    ],
}


@pytest.mark.parametrize(("reply", "typed"), [(reply, typed) for reply, each in SAID.items() for typed in each])
def test_what_a_reply_means(reply: Reply, typed: str) -> None:
    """Only a whole message is a yes, a no or a stop, however it is written; the rest is words to go on with."""
    assert meaning(typed) is reply
