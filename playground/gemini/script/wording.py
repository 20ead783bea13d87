"""Small pieces of English: taking people's phrases apart, and writing mails from them."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
NAME = r"[A-Z][\w’'-]*(?:\s+[A-Z][\w-]*)?"
SUBJECT_WORDS = 8
_MARK = re.compile(r"\*|(?<!\w)[_~]|[_~](?!\w)")
_ESCAPED = r"\\\g<0>"

_WRAPPER = re.compile(r"</?untrusted[^>]*>")
MENTION = r"<@[UW][A-Z0-9]+>"
_AGENT = re.compile(r"^\s*(?:<@[A-Z0-9]+(?:\|[^>]*)?>|@?countersign\b)[,:]?", re.IGNORECASE)
_AT = re.compile(r"(?<![\w<.])@(?=[A-Z])")
_SLACK_LINK = re.compile(r"<(?:mailto:|https?://)[^|>]*\|([^>]*)>|<mailto:([^>]*)>")
_LEADING = re.compile(
    r"^(?:please|kindly|hi|hello|hey|ok|okay|can you|could you|would you|will you|then|also|and|now|just|"
    r"i(?:'d| would) like you to|i want you to)\b[\s,:]*",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"^\s*(?P<greeting>(?:hi|hello|hey|dear|good (?:morning|afternoon))\b[^,\n.!?]{0,40})[,.!\n]\s*", re.IGNORECASE
)
_PARTS = re.compile(
    r"(?:(?<=[.!?,])[ ]+|\s*\n\s*)(?P<farewell>(?:best|kind|warm)(?: regards| wishes)?|regards|cheers|sincerely)"
    r"[,.!]*(?:\s+[A-Z][\w’'-]*){0,2}[\s.]*$",
    re.IGNORECASE,
)
_THIRD_PERSON = re.compile(r"^(?:she|he)(?:'s| is)?\b", re.IGNORECASE)


def clean(text: str) -> str:
    """A request without the agent's name, Slack's marks of links and names, and extra space."""
    text = _SLACK_LINK.sub(lambda match: match[1] or match[2], text)
    return re.sub(r"[ \t]+", " ", _AT.sub("", _AGENT.sub("", text))).strip()


def imperative(clause: str) -> str:
    """The clause without courtesies before its verb."""
    while True:
        shorter = _LEADING.sub("", clause.strip(), count=1)
        if shorter == clause.strip():
            return shorter
        clause = shorter


def addressed(text: str) -> str:
    """Words about a person turned into words to them: `he can come` as `you can come`."""
    return _THIRD_PERSON.sub(lambda match: "you are" if " " in match[0] or "'" in match[0] else "you", text)


def sentence(text: str) -> str:
    """Reported speech as a sentence to the person."""
    text = addressed(text.strip().strip("\"“”'").strip().removeprefix("that "))
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…" else f"{text}."


def subject_for(body: str) -> str:
    """A subject from the first words of the body."""
    first = re.split(r"(?<=[.!?])\s|\n", body.strip(), maxsplit=1)[0]
    words = first.rstrip(".!? ").split()
    return " ".join(words[:SUBJECT_WORDS]) + ("…" if len(words) > SUBJECT_WORDS else "")


def letter(*, to: str, body: str) -> str:
    """A whole mail text without the name, which the mail tools add; a body that greets or parts itself does so once."""
    greeting, text, farewell = framed(body)
    usual = f"Hi {to}," if to else "Hello,"
    said = sentence(text) if greeting or farewell else body
    return f"{greeting or usual}\n\n{said}\n\n{farewell or 'Best regards,'}"


def framed(body: str) -> tuple[str, str, str]:
    """The greeting of a mail text, what it says, and its farewell; without the name below that."""
    greets, parts = _GREETS.match(body), _PARTS.search(body)
    text = body[greets.end() if greets else 0 : parts.start() if parts else None]
    return f"{greets['greeting']}," if greets else "", text, f"{parts['farewell'].capitalize()}," if parts else ""


def plain(text: str) -> str:
    """A third party's text without its marks."""
    return _WRAPPER.sub("", text).strip()


def to_them(text: str) -> str:
    """What a tool says of the user, said to them."""
    return text.replace("the user's", "your")


def gist(text: str, *, characters: int = 220) -> str:
    """The beginning of a text on one line, without greeting, with at most so many characters."""
    line = " ".join(_without_greeting(text))
    return line if len(line) <= characters else line[: characters - 1].rsplit(" ", 1)[0] + "…"


def _without_greeting(text: str) -> list[str]:
    """Its lines with something on them."""
    lines = [line.strip() for line in plain(text).splitlines() if line.strip()]
    greets = len(lines) > 1 and re.match(r"(?i)(hi|hello|hey|dear|good (morning|afternoon))\b", lines[0])
    return lines[1:] if greets else lines


def quoted(words: str) -> str:
    """What a person typed, on one line in quotation marks."""
    return f"“{literal(gist(words, characters=80))}”"


def literal(words: str) -> str:
    """What a person typed, in an answer: that is Markdown, and their signs are no marks in it."""
    return _MARK.sub(_ESCAPED, words)


def questions_in(text: str) -> list[str]:
    """The questions in somebody else's text, without what they quote."""
    own = " ".join(line for line in _without_greeting(text) if not line.startswith(">"))
    return [part for part in re.split(r"(?<=[.!?…])\s+", own) if part.endswith("?")]


def person(sender: str) -> str:
    """The name in `Helen Marsh <helen@marsh.example>` or `"Marsh, Helen" <…>`, else what stands before the @."""
    last, _, first = sender.split("<")[0].strip().strip('"').partition(",")
    name = f"{first.strip()} {last}" if first.strip() else last
    return name if name and "@" not in name else sender.strip("<> ").split("@")[0].replace(".", " ").title()


def first_name(sender: str) -> str:
    return person(sender).split(" ")[0]


def address(sender: str) -> str:
    """The address in it, or an empty string."""
    match = ADDRESS.search(sender)
    return match[0] if match else ""


def listed(items: list[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def counted(number: int, noun: str) -> str:
    """`No mails`, `One mail`, `3 mails`."""
    if number == 1:
        return f"One {noun}"
    return f"{number or 'No'} {noun}s"
