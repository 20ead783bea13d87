"""A reply with an address that was asked for: the request before it goes on, with the address in place of the name."""

from __future__ import annotations

import re
from dataclasses import replace

from playground.gemini.script.reading import Reading
from playground.gemini.script.wording import ADDRESS

ASKS = re.compile(r"I (?:found no address for|know no other) (?P<name>.+?)(?: in your mail)?\. Give me the address")
_GIVEN = re.compile(
    rf"^\W*(?:(?:it|that|here)(?:['’]s| is)|(?:his|her|their|the)\s+(?:e-?mail\s+)?address\s+is|use|try|take)?\s*"
    rf"(?P<address>{ADDRESS.pattern})[\s.!]*$",
    re.I,
)


def completed(reading: Reading) -> Reading:
    """The reading of the earlier request, completed, if the words are only the address that was asked for."""
    given, before = _GIVEN.match(reading.asked), reading.before
    asked_for = ASKS.search(before.answer) if before else None
    if given is None or before is None or asked_for is None:
        return reading
    name = re.compile(rf"\b{re.escape(asked_for['name'])}\b", re.I)
    return replace(reading, asked=name.sub(lambda _: given["address"], before.asked, count=1))
