"""German, whose verb stands last: behind words that ask, or for a command."""

from __future__ import annotations

import pytest

from policies.guards.wishes import asks

MOVE = ["… verschieben"]


@pytest.mark.parametrize(
    "text",
    [
        "kannst du den Termin verschieben",
        "könntest du den Termin auf Freitag verschieben",
        "würdest du den Termin verschieben",
        "willst du den Termin verschieben",
        "magst du den Termin verschieben",
        "wirst du den Termin verschieben",
        "können Sie den Termin verschieben",
        "könnten Sie den Termin verschieben",
        "würden Sie den Termin verschieben",
        "könnt ihr den Termin verschieben",
        "könntet ihr den Termin verschieben",
        "du kannst den Termin verschieben",
        "du solltest den Termin verschieben",
        "du musst den Termin verschieben",
        "schön wäre es, wenn du den Termin verschieben könntest",
        "lass uns den Termin verschieben",
        "bitte den Termin verschieben",
        "können wir den Termin verschieben",
        "könnten wir den Termin verschieben",
        "ich möchte den Termin verschieben",
        "ich will den Termin verschieben",
        "ich muss den Termin verschieben",
        "wir müssen den Termin verschieben",
        "wir möchten den Termin verschieben",
        "wir wollen den Termin verschieben",
        "wir sollten den Termin verschieben",
        "leider muss ich den Termin verschieben",
        "morgen möchte ich den Termin verschieben",
        "deshalb müssen wir den Termin verschieben",
        "vergiss nicht, den Termin zu verschieben",
        "vergiss bitte nicht, den Termin zu verschieben",
        "denk daran, den Termin zu verschieben",
        "denk bitte dran, den Termin zu verschieben",
        "sei so gut, den Termin zu verschieben",
        "seien Sie so nett, den Termin zu verschieben",
        "ich bitte dich, den Termin zu verschieben",
        "wäre es möglich, den Termin zu verschieben",
        "ist es möglich, den Termin zu verschieben",
        "den Termin verschieben",
        "den Termin mit Dana auf Freitag verschieben",
        "den Termin mit Dana um 15 Uhr verschieben",
        "Den Termin bitte verschieben",
        "verschieben bitte",
        "den Termin verschieben, bitte",
        "wenn du den Termin verschieben kannst",
        "wenn du den Termin verschieben würdest",
        "ich bin krank, Dana hat frei, kannst du den Termin verschieben",
        "den Termin verschieben bitte?",
        "Hallo, den Termin verschieben",
    ],
)
def test_what_asks(text: str) -> None:
    """Somebody is asked, something is needed, or the infinitive is a command."""
    assert asks(text, MOVE)


@pytest.mark.parametrize(
    "text",
    [
        "kannst du den Termin nicht verschieben",
        "ich bitte darum, den Termin zu verschieben",
        "den Termin zu verschieben",
        "muss ich den Termin verschieben?",
        "müssen wir den Termin verschieben?",
        "ich möchte den Termin verschieben?",
        "wenn du den Termin verschieben willst",
        "kannst du mir sagen, warum die den Termin verschieben",
        "kannst du die Leute nennen, die den Termin verschieben",
        "Dana sagt, du kannst den Termin verschieben",
        "Dana schreibt: bitte den Termin verschieben",
        "soll ich den Termin verschieben?",
        "Leute den termin verschieben",
        "können Leute den Termin verschieben",
        "den Termin verschieben?",
        "sie wollen den Termin verschieben",
        "keinen Termin verschieben",
        "nie den Termin verschieben",
        "das Verschieben",
        "Dana will den Termin verschieben",
        "den schnellen Termin verschieben",
        "lässt Dana den Termin verschieben",
        "wir wollten den Termin verschieben",
        "bitte sag Dana, dass wir den Termin verschieben",
        "kannst du mir mit Verschieben helfen",
        "kannst du beim verschieben helfen",
        "warum kannst du den Termin verschieben",
        "wenn du weißt, ob du den Termin verschieben kannst",
        "wenn du den Termin verschieben willst kannst du Dana fragen",
        "Dana wird den Termin verschieben bitte",
        "Leute wünschen, den Termin verschieben bitte",
        "Lässt Dana den Termin verschieben",
        "Soll Dana den Termin verschieben",
    ],
)
def test_what_does_not(text: str) -> None:
    """What is refused, asked about, told of others, or said with a verb beside it."""
    assert not asks(text, MOVE)


@pytest.mark.parametrize("text", ["können wir den Termin verschieben", "könnten wir den Termin verschieben"])
def test_what_may_only_be_talked_about(text: str) -> None:
    """Where there is no way back, to ask whether we can is no wish."""
    assert asks(text, MOVE)
    assert not asks(text, MOVE, destroys=True)
