"""A calendar, a mailbox and people, as requests are about them; and what comes of a call that a request leads to.

The model that makes the call may be deceived: what is judged is whether the owner's words ask for this call, whichever
it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from policies.engine import decide
from policies.guards.known import Acquaintance, KnownWorld, Said
from policies.guards.tracing import trace
from policies.guards.verbs import ANSWER, CHANGE, DESTROY, MAKE, SEND
from policies.provenance import Impact, Reference, Source, Touched
from policies.types import Decision, EffectClass, ProposedAction, TrustLevel
from tests.unit.policies.cases import DANA, evidence

LUIS, HELEN, EVE = "luis@acme.com", "helen@marsh.example", "eve@evil.example"
PEOPLE = (
    Acquaintance(address=DANA, names=("Dana", "Okafor"), is_listed=True),
    Acquaintance(address=LUIS, names=("Luis", "Weiss"), is_listed=True),
    Acquaintance(address=HELEN, names=("Helen", "Hill")),
)
"""Two colleagues, and a customer whom the owner wrote to."""

BOARD = Touched(kind="event", id="board", title="Board meeting", people=[DANA], is_own=True)
DENTIST = Touched(kind="event", id="dentist", title="Dentist appointment", people=[LUIS], is_own=True)
LOUNGERS = Touched(kind="event", id="loungers", title="Sun loungers: price talk", people=[HELEN], is_own=True)
SYNC = Touched(kind="event", id="sync", title="Team sync", people=[DANA, LUIS], is_own=True, is_many=True)
REVIEW = Touched(kind="event", id="review", title="Supplier review", people=[DANA], author=DANA)
OAK = Touched(kind="mail_thread", id="oak", title="Oak prices", people=[HELEN], author=HELEN)
BENCHES = Touched(kind="mail_thread", id="benches", title="Benches", people=[HELEN], is_titled=True)
THINGS = (BOARD, DENTIST, LOUNGERS, SYNC, REVIEW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a tool would do: its class, its verbs, its impact."""

    effect: EffectClass
    verbs: Sequence[str]
    impact: Impact


def move(event: Touched) -> Call:
    return Call(effect=EffectClass.EXTERNAL, verbs=CHANGE, impact=Impact(objects=[replace(event, is_many=False)]))


def add(event: Touched, guest: str) -> Call:
    return Call(
        effect=EffectClass.EXTERNAL,
        verbs=CHANGE,
        impact=Impact(objects=[replace(event, is_many=False)], destinations=[guest]),
    )


def cancel(event: Touched) -> Call:
    return Call(effect=EffectClass.DESTRUCTIVE, verbs=DESTROY, impact=Impact(objects=[event]))


def purge(event: Touched) -> Call:
    """With verbs that no tool of ours has."""
    verbs = ("purge", "shut … down", "shut down", "get shot of", "… räumen")
    return Call(effect=EffectClass.DESTRUCTIVE, verbs=verbs, impact=Impact(objects=[event]))


def answer(event: Touched) -> Call:
    return Call(effect=EffectClass.EXTERNAL, verbs=ANSWER, impact=Impact(objects=[event]))


def send(*to: str) -> Call:
    return Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=Impact(destinations=to))


def invite(*guests: str) -> Call:
    return Call(effect=EffectClass.EXTERNAL, verbs=MAKE, impact=Impact(destinations=guests))


def reply(thread: Touched) -> Call:
    return Call(
        effect=EffectClass.EXTERNAL,
        verbs=SEND,
        impact=Impact(destinations=thread.people, among=thread, met=frozenset(thread.people)),
    )


def asked(call: Call, *typed: str, things: Sequence[Touched] = THINGS, people: Sequence[Acquaintance] = PEOPLE) -> str:
    """The rule under which a card asks about a call after these messages, autonomous; empty where it is done."""
    known = KnownWorld(
        said=[
            Said(reference=Reference(source=Source.MESSAGE, id=f"msg_{n}"), text=text)
            for n, text in reversed([*enumerate(typed)])
        ],
        acquaintances=people,
        things=things,
    )
    found = trace(call.impact, known, effect=call.effect, verbs=call.verbs)
    action = ProposedAction(tool="a_tool", effect=call.effect, arguments=())
    verdict = decide(action, evidence(TrustLevel.AUTONOMOUS, tools=["a_tool"], provenance=found))
    assert verdict.decision is not Decision.DENY, verdict.reason
    return verdict.rule.removeprefix("guard.") if verdict.decision is Decision.ASK else ""
