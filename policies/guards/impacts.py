"""The values of an impact that are judged: the links that others would be led to, and all of which rules can speak."""

from __future__ import annotations

from collections.abc import Sequence

from policies.guards import words
from policies.guards.addresses import links
from policies.provenance import Impact
from policies.types import Role


def addresses_of(impact: Impact) -> Sequence[str]:
    """Every link and address that the people it reaches would be led to, each once. Those that it reaches are none, nor
    are those that its owner set up.
    """
    told = (address for text in impact.texts for address in links.found(text))
    found = dict.fromkeys([*told, *(address for text in impact.links for address in links.linked(text))])
    set_up = {address for text in impact.set_up for address in links.linked(text)} if found else ()
    reached = {words.address(address) for address in impact.destinations}
    return [address for address in found if address not in set_up and words.address(address) not in reached]


def heard_of(impact: Impact, places: Sequence[str] = ()) -> Sequence[tuple[Role, str]]:
    """Its destinations, the things by id and title, the address that it is sent from if that was chosen, the files by
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
