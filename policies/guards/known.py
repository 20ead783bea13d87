"""What is known about the world of a call when its impact is traced. Pure: `bot.runtime.policy` gathers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from policies.provenance import Reference, Sighting, Touched

Sightings = Callable[[str], Sequence[Sighting]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words that count, and what they are."""

    reference: Reference
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """Somebody whom the owner wrote to, or who stands in their directory. Everybody else who goes by one of these names
    is known as well, or the name would not stand here. `is_named` is false for one who only keeps others from being
    meant, such as one whom the agent wrote to unasked. `is_listed` says that a directory has them: everybody else chose
    their name themselves, also where a mail of the owner's has it, since mail programs take it over.
    """

    address: str
    names: Sequence[str] = ()
    is_named: bool = True
    is_listed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known about the world of a call when its impact is traced.

    `said` are the owner's words, `members` those of other full members, which can name links only. `acquaintances` are
    all who go by a name in the owner's words. `things` are those seen in this thread, the impact's own included.
    `made` are the ids of things that the agent made for this request, by the action that made each, `shared` those of
    files that the owner put into this thread, with the message.
    """

    said: Sequence[Said] = ()
    members: Sequence[Said] = ()
    acquaintances: Sequence[Acquaintance] = ()
    things: Sequence[Touched] = ()
    made: Mapping[str, str] = field(default_factory=dict[str, str])
    shared: Mapping[str, str] = field(default_factory=dict[str, str])
    sightings: Sightings = lambda _: ()
