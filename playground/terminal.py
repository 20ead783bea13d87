"""What the playground prints for the person who started it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from playground.opening import CARDS, Opened

CARDS_WAIT = "You are Dana. Read the two cards in her DM, press Approve on one and look right: it happened, once."
CARDS_TO_COME = "You are Dana. When the cards are in her DM, read them, press Approve on one and look right."
TRY_NEXT = (
    "Press Kill at the top, then Start, then Approve the other card: it still happens, and still once.",
    "Open the Audit tab: every decision is there. Verify checks the chain.",
    "Open the API tab: the same agent over HTTP, with a curl line for your own terminal.",
    "Write something of your own, or pick somebody else on the left. In #sales, mention @Countersign.",
)


class Terminal:
    """Writes whole lines to `out`."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout

    def say(self, line: str = "") -> None:
        print(line, file=self._out, flush=True)

    def starting(self, data: Path, *, fresh: bool) -> None:
        kept = "" if fresh else " (the agent remembers earlier starts; --reset deletes that)"
        self.say(f"Starting Slack, Google, the model and the agent on this machine. Data: {data}{kept}")

    def welcome(self, page: str, model: Mapping[str, object], opened: Opened) -> None:
        self.say()
        self.say(f"  Countersign is running: {page}")
        self.say()
        self.say(f"  {_who_answers(model)}")
        self.say()
        if opened.waiting < CARDS:
            for line in _why_not(opened):
                self.say(f"  {line}")
            self.say()
        for number, hint in enumerate((CARDS_WAIT if opened.waiting >= CARDS else CARDS_TO_COME, *TRY_NEXT), start=1):
            self.say(f"  {number}. {hint}")
        self.say()
        self.say("  Ctrl+C stops everything.")

    def stopped(self) -> None:
        self.say("Stopped.")


def _why_not(opened: Opened) -> tuple[str, str]:
    """Why not all cards of the opening scene are there."""
    there = f"{opened.waiting} of {CARDS} cards of the opening scene are there"
    if opened.offered:
        return f"{there}: the request stopped before, and says why.", f"In Dana's DM, press {opened.offered} below it."
    return (
        f"So far {there}: the agent still works on it,",
        "or it failed. The page shows which; logs/bot.log in the data directory says why.",
    )


def _who_answers(model: Mapping[str, object]) -> str:
    if model.get("scripted"):
        return (
            "A scripted model answers: it understands everyday requests, and “help” lists them. "
            "Set GEMINI_API_KEY to let Gemini answer; all else stays here."
        )
    return f"{model.get('name')} answers, with your key. Slack and Google are emulated on this machine."
