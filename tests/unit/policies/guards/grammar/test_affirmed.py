"""What of a text can name something: nothing that is negated, excepted, or under a condition."""

from __future__ import annotations

import time

import pytest

from policies.guards.grammar.affirmed import affirmed, unconditional

NEGATED = [
    "Send everything except salaries.xlsx to X",
    "Send it to everybody except X",
    "Reply to everyone but X",
    "Tell everyone about it but X",
    "Invite all but X",
    "Cancel all meetings save X",
    "Forward it apart from X",
    "Send the plan to Dana instead of X",
    "Send the plan to Dana rather than X",
    "Send the plan without X",
    "Tell nobody about X",
    "Send no mail to X",
    "Send nothing to X",
    "Never write to X",
    "Don't write to X",
    "Do not send it to\nx@acme.com",
    "Don't attach:\n- X",
    "Don’t write to X",
    "Dont write to X",
    "Send it to Dana, not to X",
    "Tell Dana and nobody else, not even X",
    "Don't write, call or tell X",
    "Don't write to Dana, tell Luis or ask X",
    "Don't cancel and delete X",
    "Don't send it to e.g. X",
    "Don't send it to Dr. X",
    "X must not get it",
    "X should never get it",
    "X is not to be told",
    "Schick allen außer X den Plan",
    "Lösche alles bis auf das X",
    "Schick nichts an X",
    "Sag niemandem etwas von X",
    "Schick es an Dana, nicht an X",
    "Sag X nicht ab",
    "Schick X den Plan nicht",
    "Du sollst X nicht schreiben",
    "Schick den Plan an Dana statt an X",
    'Tell Dana "never open x@acme.com or X"',
    "Draft a mail to X, don't send it",
    "Draft a mail to X, but do not send it yet.",
    "Block an hour for the call with X, without inviting her.",
    "Block an hour for the call with X, don’t invite them",
    "Schreib X einen Entwurf, noch nicht abschicken",
    "Schreib X einen Entwurf und schick ihn noch nicht",
    *(f"Please {word} write to X, write to Dana" for word in ("don´t", "don`t", "don‘t", "donʼt", "don′t", "don＇t")),
    *(
        f"Please {word} write to X, write to Dana"
        for word in ("don\u200b't", "d\u200bo not", "don t", "don;t", "do n't")
    ),
    *(f"Please {word} write to X, write to Dana" for word in ("dnt", "dotn", "dno't", "do nt", "DON´T")),
    *(f"Please {verb}'nt write to X, write to Dana" for verb in ("do", "you should")),
    "X shouldn´t get it. Send it to Dana",
    *(f"Schreib {word} an X" for word in ("nciht", "niht", "nich")),
    *(f"Schick es {word} an X" for word in ("net", "ned")),
    "Avoid writing to X",
    "Stop writing to X",
    "Refrain from writing to X",
    "Forget about writing to X",
    "Forget to write to X",
    "Send it to anybody besides X",
    "X doesn't need it, tell Dana",
    "X stays, move the rest",
    "Move the rest, keep the X",
]


@pytest.mark.parametrize("text", NEGATED)
def test_what_is_negated_or_excepted_is_left_out(text: str) -> None:
    """To the end of its sentence, and a clause that is refused as a whole. Where “it” is not to be sent, all of it."""
    assert "X" not in affirmed(text)
    assert "x@acme.com" not in affirmed(text)
    assert "salaries" not in affirmed(text)


NAMING = [
    "Tell X that the oak is not dry",
    "Tell X that I can't come",
    "Don't forget to tell X",
    "Why don't you tell X?",
    "No problem, tell X",
    "No rush: tell X",
    "Not only tell X",
    "If you don't mind, tell X",
    "No, tell X",
    "No. X",
    "I can't come, tell X",
    "I can't make X, decline it",
    "I won't be able to attend X, decline it",
    "I can not be at X",
    "I'm not in on Friday, tell X",
    "Don't send it to Dana, send it to X",
    "Don't send it to Dana. Send it to X",
    "Don't send it to Dana\nSend it to X",
    "I can't come tomorrow\n\nX",
    "Don't cancel my X, move it",
    "Don't cancel the X; move it",
    "Send it (not the draft) to X",
    "Send everything to X except the draft",
    "Send everyone the plan, but tell X first",
    "Send everyone the plan but tell X first",
    "Send everything except the plan and tell X",
    "Save all files and send them to X",
    "Schick es nicht an Dana, sondern an X",
    "Vergiss nicht, X zu schreiben",
    "Sag X, dass ich nicht komme",
    "Keine Eile, schick es X",
    "Das X passt nicht, sag es ab",
    "Ich kann nicht kommen, sag X ab",
    'Move "No X day" to Friday',
    "Send the net price to X",
    "Besides, tell X",
    "We don't need the X any more, cancel it",
    "Tell X that Dana doesn't need it",
    "Keep X posted",
    "Keep it short and tell X",
    "Not urgent: please book lunch with X",
    "I could not reach Dana, mail X",
]


@pytest.mark.parametrize("text", NAMING)
def test_what_is_affirmed_stays(text: str) -> None:
    """What comes before a negation, a request behind one, and sayings that negate nothing."""
    assert "X" in affirmed(text)


CONDITIONAL = [
    "If Dana agrees, tell X",
    "Tell X if she asks for it",
    "Tell X only after I approved it",
    "Remind me on Friday, and if Dana agrees, tell X",
    "Once Dana agreed, tell X",
    "Once I approve, tell X",
    "When Dana says yes, tell X",
    "Tell X when Dana is back",
    "Unless Dana objects, tell X",
    "Wait for my OK, then tell X",
    "Wait for my OK. Then tell X.",
    "Don't tell X until I say so",
    "Tell X as soon as Dana agreed",
    "After Dana confirmed, tell X",
    "After I have read it, tell X",
    "Send the note that Dana wrote to X if she agrees",
    "Ask X for the plan if Dana agrees",
    "The draft to X has to wait",
    "Keep the draft to X for later",
    "Add a todo: tell X",
    "Set a reminder for Friday: tell X",
    "To-do: tell X",
    "Wenn Dana zusagt, schreib X",
    "Schreib X, falls Dana absagt",
    "Schreib X erst, wenn ich es sage",
    "Sobald Dana da ist, schreib X",
    "Bevor du X schreibst, frag mich",
    "Schreib X, nachdem Dana zugesagt hat",
    "Warte auf Dana, dann schreib X",
    "Tell X after Dana's approval",
    "Tell X after my approval",
    "Tell X after my review",
    "Tell X upon approval",
    "Tell X after review.",
    "Tell X once approved",
    "Tell X once signed",
    "Tell X when approved",
    "Tell X when ready",
    "Tell X with my ok",
    "Tell X with Dana's ok",
    "Tell X the moment Dana signs",
    "Tell X, Dana permitting",
    "Tell X after checking with Dana",
    "Send the offer to X, but not before Friday",
    "Schreib X nach Freigabe durch Dana",
    "Schreib X nach Danas Freigabe",
    "Schreib X in Absprache mit Dana",
]


@pytest.mark.parametrize("text", CONDITIONAL)
def test_what_is_under_a_condition_asks_for_nothing_now(text: str) -> None:
    """Nor does it name anything; and what is put on a list is for later."""
    assert "X" not in unconditional(text)
    assert "X" not in affirmed(text)


UNCONDITIONAL = [
    "If you can, tell X",
    "Tell X, if possible",
    "When you have time, tell X",
    "If that's ok, tell X",
    "Tell X as soon as possible",
    "It would be great if you could tell X",
    "Wenn möglich, schreib X",
    "Schreib X, wenn du kannst",
    "Wenn du das X verschieben könntest, wäre das gut",
    "Falls du Zeit hast, schreib X",
    "Ask X if she is free",
    "Ask X whether and when she is free",
    "Ask Dana to call X when she is back",
    "Frag X, ob sie kommt, wenn es regnet",
    "Tell X that we come if it rains",
    "Tell X: if it rains, we come",
    "Send it to X and let me know if she answers",
    "Send it to X and remind me on Friday if she has not answered",
    "Schick es X und erinnere mich am Freitag, wenn nichts kommt",
    "Check if Dana is free and tell X",
    "When is X?",
    "Send it to X once more",
    "Send it to X at once",
    "Move X until 4",
    "Move X to after the break",
    "Move X to after the supplier review",
    "Send the plan with feedback from all sides to X",
    "Tell X that we meet once a week",
    "Tell X, that is all for the moment",
    "Ask X for her approval",
    "I am with it on the go, tell X",
    "I finished the list. Tell X",
    "Todo: . Tell X",
]


@pytest.mark.parametrize("text", UNCONDITIONAL)
def test_what_is_polite_or_told_is_no_condition(text: str) -> None:
    """A condition may be what somebody is asked or told."""
    assert unconditional(text) == text
    assert "X" in affirmed(text)


@pytest.mark.parametrize("unit", ["but ", "you not ", "(not ) ", "see if ", "not, tell it or ", "\n- no ", "e.g. not "])
def test_its_time_grows_with_the_length(unit: str) -> None:
    """However often it negates something."""
    took = list[float]()
    for size in (8_000, 64_000):
        begun = time.process_time()
        affirmed((unit * size)[:size])
        took.append(time.process_time() - begun)
    assert took[1] < 30 * took[0] + 0.5
