"""Where a text names people: what leads to a name, and what follows one."""

from __future__ import annotations

import pytest

from policies.guards.people import named_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Write to Dana Okafor", ["dana", "okafor"]),
        ("Write to Anna-Maria", ["anna", "maria"]),
        ("write to dana okafor", ["dana"]),
        ("Send it to Dana, Helen and Tom", ["dana", "helen", "tom"]),
        ("Send it to Dana, please, and pay Bruno", ["dana"]),
        ("to Helen and invoice Bruno", ["helen"]),
        ("lunch with me and Dana", ["dana"]),
        ("Tell me", []),
        ("cc: Dana", ["dana"]),
        ("@dana look", ["dana"]),
        ("Tell <@U1DANA>", ["u1dana"]),
        ("Mail dana@acme.com", []),
        ("Answer Dana’s mail", ["dana"]),
        ("answer dana's mail", ["dana"]),
        ("the Board's plan", []),
        ("today's mails", []),
        ("Send Dana the report", ["dana"]),
        ("Send Dana", []),
        ("Write Dana", ["dana"]),
        ("send invoice 23", []),
        ("Send an Atlas to helen@x.example", []),
        ("Bitte den Atlas an helen@x.example schicken", []),
        ("Bitte an Dana", ["dana"]),
        ("an Dana", []),
        ("bitte zusammenfassen", []),
        ("remind me to pay rent", []),
        ("move it from two to three", []),
        ("Check the mails from support with attachments", []),
        ("from Marble", ["marble"]),
        ("from marble", []),
        ("Send it to dana@x.example and to Helen", ["helen"]),
        ("Book a trip\nto marble", []),
        ("Answer Dana Okafor’s mail", ["dana", "okafor"]),
        ("Schreib an Herrn Weiss", ["weiss"]),
        ("Schick Dana die Rechnung", ["dana"]),
        ("Write to Sarah, it is about Baker Street", ["sarah"]),
        ("Send", []),
        ("", []),
    ],
)
def test_a_name_stands_where_one_names_a_person(text: str, names: list[str]) -> None:
    """In lists, with a surname, as an owner, or after who tells, asks and sends."""
    assert list(named_in(text)) == names
