"""Requests about memory: remember something, or say what is known."""

from __future__ import annotations

import re

from playground.gemini.script.doing import Doing, Told, need, one
from playground.gemini.script.phrases import failed
from playground.gemini.script.wording import plain, sentence

_REMEMBER = re.compile(
    r"^(?:remember|note|memori[sz]e|keep in mind|don['’]t forget)\b(?!\s+(?:anything|something|what))"
    r"(?:\s+(?:that|this))?\s*:?\s*(?P<fact>.+)$",
    re.I | re.S,
)
_RECALL = re.compile(
    r"\b(?:what do you (?:know|remember)|do you (?:remember|know)|what did i (?:tell|say to) you|recall)\b"
    r"(?:\s+(?:anything|something))?(?:\s+(?:about|of|regarding))?\s*(?P<topic>[^?.!]*)",
    re.I,
)
_PRONOUN = re.compile(r"(?i)^(?:me|myself)$")


def understood(clause: str) -> Doing | None:
    """The task of a clause about memory, if it is one."""
    if match := _RECALL.search(clause):
        topic = match["topic"].strip()
        return recalling("" if _PRONOUN.match(topic) else topic)
    if match := _REMEMBER.search(clause):
        return remembering(match["fact"].strip())
    return None


def remembering(fact: str) -> Doing:
    saved = yield from one("save_memory", text=sentence(fact))
    return failed(saved) if saved.error else Told(f"I will remember: {sentence(fact)}")


def recalling(topic: str) -> Doing:
    """Say what is remembered."""
    found = yield from need("search_memory", query=topic)
    rows = found.rows("memories")
    about = f" about {topic}" if topic else ""
    if not rows:
        return f"I remember nothing{about} yet."
    return f"This is what I remember{about}:\n" + "\n".join(f"- {plain(str(row.get('text', '')))}" for row in rows)
