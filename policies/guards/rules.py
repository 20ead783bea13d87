"""The guards: each looks at the provenance of what a call would do, and asks where nobody named it.

They only make a verdict stricter (`policies.engine.tightened`). The numbers R1 to R7 are those of docs/security.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from policies import rules
from policies.characters import is_invisible, without_quotation_marks
from policies.evidence import Evidence
from policies.provenance import DRAFT, WORST_INSIDE, Provenance, Traced
from policies.types import GUARD, Decision, EffectClass, ProposedAction, Role, Unnamed, Verdict

SOME = 3
NAME = 60  # letters of a name that others chose: the author of a mail chooses its subject
ADDRESS = 254  # of an address: a mail address has no more (RFC 5321)
LISTED = 300  # of a list
_MARKED = 9  # how much longer an invisible character is where it is named


def is_allowed(value: str, role: Role, action: ProposedAction, evidence: Evidence) -> bool:
    """Whether a rule of the owner or of an administrator allows this value here."""
    named = rules.named(value, role, action)
    heard = [rule for rule in evidence.rules if rules.counts(rule, evidence.level) and rules.speaks_of(rule, action)]
    return any(rule.argument is not None and rules.covers(rule, named) for rule in heard)


def known(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R10. What a call would do is known, or it is asked about."""
    if not action.effect.is_side_effect() or evidence.provenance is not None:
        return None
    return _asked("unknown", "It could not be told what this would do outside.")


def destinations(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R2, R6. Everybody it reaches was named. Inside the workspace that is needed only after text from outside it."""
    found = evidence.provenance
    if found is None:
        return None
    unnamed = _of(Role.DESTINATION, action, evidence)
    if found.is_verbatim or WORST_INSIDE.worst(evidence.label) is WORST_INSIDE:
        unnamed = [value for value in unnamed if not value.is_inside]
    return _unnamed("destination", "You did not name {}", unnamed)


def things(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R3. What others would notice a change of was named. What is the owner's alone, and can be changed back, need
    not be (R1); a draft that is written over cannot.
    """
    unnamed = _of(Role.OBJECT, action, evidence)
    if action.effect is EffectClass.PRIVATE_WRITE:
        unnamed = [value for value in unnamed if value.value.startswith(f"{DRAFT}:")]
    return _unnamed("object", "You did not name {}", unnamed)


def destruction(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R7. What is destroyed was called by its whole name, and to destroy it was asked for."""
    found = evidence.provenance
    if found is None or action.effect is not EffectClass.DESTRUCTIVE:
        return None
    vague = [value for value in found.values if value.role is Role.OBJECT and not (value.is_named and value.is_exact)]
    if verdict := _unnamed("destructive", "You did not call {} by the whole name", vague):
        return verdict
    return None if found.is_asked_for else _asked("destructive", "You did not ask for this in words of your own.")


def changes(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R7. What others see is changed only if that was asked for, and those who take part in a thing are written to only
    then: to name the thing is not enough.
    """
    found = evidence.provenance
    if found is None or found.is_asked_for or action.effect is EffectClass.DESTRUCTIVE:
        return None
    things = [value for value in found.values if value.role is Role.OBJECT and value.is_named]
    seen = [value for value in things if not (value.is_made or value.is_alone)]
    if action.effect is not EffectClass.PRIVATE_WRITE and seen:
        return _unnamed("wish", "You named {}, and did not ask for it to be changed", seen)
    people = [value for value in found.values if value.role is Role.DESTINATION and value.is_only_taking_part]
    if all(is_allowed(value.value, Role.DESTINATION, action, evidence) for value in people):
        return None
    return _asked("wish", "You named what they take part in, and did not ask for anything to be sent to them.")


def links(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R4. Every link that others will read was named. The owner's own things may hold any (R1)."""
    found = evidence.provenance
    others_read = {EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE}
    if found is None or not (_leaves(found) or action.effect in others_read):
        return None
    return _unnamed("link", "You did not name the address {}", _of(Role.URL, action, evidence))


def attachments(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R4. Every file that leaves was named, or is there already."""
    if evidence.provenance is None or not _leaves(evidence.provenance):
        return None
    return _unnamed("attachment", "You did not name the file {}", _of(Role.ATTACHMENT, action, evidence))


def fetches(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R5. A look at an address tells its owner something; only exact addresses that were named are looked at."""
    if action.effect.is_side_effect() or not action.addresses_asked:
        return None
    found = evidence.provenance
    if found is None:
        return _asked("url", "It could not be told who named the address.")
    return _unnamed("url", "You did not name the address {}", _of(Role.URL, action, evidence))


def occurrences(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    """R7. More than one occurrence of a thing is changed, answered or destroyed only if that was asked for, and so is
    another rhythm or another end.
    """
    found = evidence.provenance
    if found is None:
        return None
    destroys = action.effect is EffectClass.DESTRUCTIVE
    named = [value for value in found.values if value.is_named]
    beyond = [value for value in named if value.is_beyond and (destroys or not value.is_alone)]
    rule = "destructive" if destroys else "wish"
    if verdict := _unnamed(rule, "You did not ask for more than one occurrence of {}", beyond):
        return verdict
    other = [value for value in named if value.has_new_rhythm and not value.is_alone]
    return _unnamed(rule, "You did not ask for {} to repeat otherwise", other)


GUARDS = (known, destinations, things, destruction, changes, occurrences, links, attachments, fetches)


def _of(role: Role, action: ProposedAction, evidence: Evidence) -> list[Traced]:
    """The values of this role that nobody named and no rule allows."""
    found = evidence.provenance.unnamed(role) if evidence.provenance else []
    return [value for value in found if not is_allowed(value.value, role, action, evidence)]


def _leaves(found: Provenance) -> bool:
    return any(value.role is Role.DESTINATION for value in found.values)


def _unnamed(rule: str, said: str, values: Sequence[Traced]) -> Verdict | None:
    if not values:
        return None
    sentence = said.format(_listed([f"“{_called(value)}”" for value in values]))
    named = [Unnamed(rule=f"{GUARD}{rule}", value=value.value, shown=value.shown) for value in values]
    return _asked(rule, " ".join([f"{sentence}.", *_found_in(values)]), *named)


def _found_in(values: Sequence[Traced]) -> list[str]:
    """Where the first one stood: in which thing, by whom, and which look brought it. The only one is not named anew."""
    for value in values:
        for seen in value.seen_in:
            look = f"“{_cut(seen.caption)}” found"
            is_theirs = value.role is Role.DESTINATION and len(values) == 1 and seen.author == value.shown
            by = f" by {'this address' if is_theirs else _author(seen.author)}" if seen.author else ""
            thing = f"“{_cut(seen.title)}”" if seen.title else "a text"
            where = f"{thing}{by}, which {look}" if seen.title or by else f"what {look}"
            return [f"{'It' if len(values) == 1 else f'“{_cut(value.shown)}”'} stands in {where}."]
    return []


def _author(address: str) -> str:
    """An address may have blanks between its own quotation marks, and a sentence there."""
    shown = _cut(address)
    return f"“{shown}”" if " " in shown else shown


def _listed(names: Sequence[str]) -> str:
    """As many whole names as a card has room for beside what other guards say, and how many are missing."""
    said = names[0]
    for place, name in enumerate(names[1:], start=1):
        if place == SOME or len(said) + len(name) > LISTED:
            return f"{said} and {len(names) - place} more"
        said = f"{said}, {name}"
    return said


def _called(value: Traced) -> str:
    is_address = value.role in {Role.DESTINATION, Role.URL}
    return _cut(value.shown, ADDRESS if is_address else NAME)


def _cut(name: str, most: int = NAME) -> str:
    """At most so many letters as a card shows them, none of which ends what it stands in."""
    name, room = without_quotation_marks(name), most
    for place, char in enumerate(name):
        room -= 1 + _MARKED if is_invisible(char) else 1
        if room < 0:
            return f"{name[: place - 1].rstrip()}…"
    return name


def _asked(rule: str, reason: str, *values: Unnamed) -> Verdict:
    """Of a guard that asks about no values in particular it is the call itself that is confirmed."""
    rule = f"{GUARD}{rule}"
    return Verdict(decision=Decision.ASK, rule=rule, reason=reason, unnamed=values or (Unnamed(rule=rule),))
