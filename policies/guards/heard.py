"""What rules that deny or ask hear of a call besides its arguments, which may name it by an id alone."""

from __future__ import annotations

from collections.abc import Sequence

from policies.guards.tracing import addresses_of
from policies.provenance import Impact
from policies.types import Role


def heard_of(impact: Impact, places: Sequence[str] = ()) -> Sequence[tuple[Role, str]]:
    """Whom it reaches, the things by id and title, the address that it is sent from if that was chosen, the files by
    name, and the links that others would read; `places` are the ids and names of where something of it stands, such as
    a calendar. Each once, with its role.
    """
    things = [*impact.objects, *([impact.among] if impact.among else [])]
    found = [
        *((Role.DESTINATION, value) for value in (*impact.destinations, *places)),
        *((Role.OBJECT, name) for thing in things for name in (thing.id, thing.title)),
        (Role.OBJECT, impact.sender),
        *((Role.ATTACHMENT, attached.name) for attached in impact.attachments),
        *((Role.URL, address) for address in addresses_of(impact)),
    ]
    return [one for one in dict.fromkeys(found) if one[1]]
