"""Whether words name something: addresses whole, names of people and things word by word.

Nothing here knows where the words come from; `policies.guards.tracing` gives only those of the owner.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase

_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"\\]+@[^\s@<>()\[\]{},;:\"'`|\\/?#]+")
_MENTION = re.compile(r"<([@#])([A-Z0-9]+)(?:\|[^<>]*)?>")
_BEGINS = "'`{|"
_ENDS = ".!?…"
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_FILLERS = frozenset(
    {
        *("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with", "about", "re"),
        *("my", "our", "your", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "und", "oder", "mit"),
        *("von", "vom", "zu", "zum", "zur", "im", "am", "für", "über", "mein", "meine", "unser", "unsere"),
        *("fw", "fwd", "aw", "wg"),
    }
)
"""Words of a title that people leave out."""

_EVERYDAY = frozenset(
    {
        *("mail", "mails", "email", "emails", "inbox", "message", "messages", "thread", "draft", "drafts", "file"),
        *("files", "calendar", "event", "events", "meeting", "meetings", "appointment", "appointments", "invitation"),
        *("invitations", "invite", "invites", "slack", "channel", "reminder", "reminders", "today", "tomorrow"),
        *("tonight", "yesterday", "now", "day", "week", "month", "year", "morning", "noon", "afternoon", "evening"),
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "next", "last", "new", "all"),
        *("me", "you", "it", "i", "we", "us", "this", "that", "these", "what", "when", "who", "is", "are", "be", "do"),
        *("any", "some", "no", "not", "yes", "ok", "okay", "hi", "hello", "hey", "thanks", "thank", "please", "can"),
        *("if", "as", "so", "there", "have", "has", "was", "will", "would", "one", "up", "out", "them", "they", "his"),
        *("her", "their", "him", "how", "where", "which", "why", "send", "write", "reply", "answer", "forward", "find"),
        *("show", "look", "read", "check", "tell", "ask", "say", "see", "get", "give", "make", "add", "put", "set"),
        *("move", "change", "cancel", "delete", "accept", "decline", "schedule", "plan", "book", "prepare", "summary"),
        *("summarise", "summarize", "search", "list", "open", "go", "let", "need", "want", "time", "date", "am", "pm"),
        *("nachricht", "nachrichten", "posteingang", "entwurf", "datei", "dateien", "kalender", "termin"),
        *("einladung", "einladungen", "besprechung", "besprechungen", "erinnerung", "erinnerungen", "heute", "morgen"),
        *("gestern", "jetzt", "tag", "woche", "monat", "jahr", "früh", "mittag", "nachmittag", "abend", "montag"),
        *("dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "nächste", "nächsten", "letzte"),
        *("letzten", "neu", "neue", "neuen", "allen", "mir", "mich", "ich", "du", "es", "er", "wir"),
        *("uns", "was", "wann", "wer", "wie", "wo", "ist", "sind", "hat", "habe", "haben", "nicht", "kein", "keine"),
        *("ja", "nein", "hallo", "danke", "bitte", "auf", "aus", "bei", "nach", "dass", "dies", "diese", "diesen"),
        *("schick", "schicke", "schreib", "schreibe", "antworte", "antwort", "leite", "such", "suche", "zeig", "zeige"),
        *("lies", "prüfe", "sag", "sage", "frag", "frage", "gib", "mach", "mache", "fass", "fasse", "zusammen"),
        *("verschiebe", "ändere", "lösche", "nimm", "plane", "uhr", "zeit"),
    }
)
"""Words of requests about anything: in a title that somebody else wrote they call nothing."""


def plain(text: str) -> str:
    """The text as words are compared: in one width and case, without characters that nobody sees."""
    return seen(text).casefold()


def seen(text: str) -> str:
    """The text in one width, without characters that nobody sees."""
    if text.isascii():
        return text
    return "".join(each for each in unicodedata.normalize("NFKC", text) if unicodedata.category(each) != "Cf")


def address(text: str) -> str:
    """An address as addresses are compared: the letters A to Z in one case, and nothing else.

    Whatever more is folded makes a stranger's address one that was named: ß becomes ss, the Kelvin sign a k, and where
    a character goes that nobody sees, only the mail server knows.
    """
    return text.translate(_SMALL)


def words_of(text: str) -> list[str]:
    """The words of a text: letters and digits."""
    return _WORD.findall(plain(text).replace("_", " "))


def addresses_in(text: str) -> frozenset[str]:
    """The mail addresses that stand in a text, each whole, in the width that people type. What may stand in one
    (RFC 5322 §3.2.3) begins none: “o'brien@acme.com” is not brien's.
    """
    plain_text = seen(text)
    found = _ADDRESS.findall(plain_text) if "@" in plain_text else ()
    return frozenset(address(match.lstrip(_BEGINS).rstrip(_ENDS)) for match in found)


def mentioned_in(text: str) -> frozenset[str]:
    """The ids of people and conversations that a text mentions, as Slack writes mentions."""
    return frozenset(match[2] for match in _MENTION.finditer(text))


def holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the wanted words stand in these, one after the other."""
    size = len(wanted)
    return 0 < size <= len(words) and any(
        words[at] == wanted[0] and list(words[at : at + size]) == list(wanted) for at in range(len(words) - size + 1)
    )


def calls(words: Sequence[str], title: Sequence[str]) -> bool:
    """Whether these words call a thing by the words of its title: all of them in their order, or in any order those
    that say something. A title that says nothing calls nothing.
    """
    telling = {word for word in title if word not in _FILLERS}
    return bool(telling) and (holds(words, title) or (len(telling) > 1 and telling.issubset(words)))


def tells(title: Sequence[str]) -> int:
    """How many words of a title nobody says but to call what has it: no words of any request, letters or numbers."""
    return len({word for word in title if len(word) > 1 and not word.isdecimal()} - _FILLERS - _EVERYDAY)


def is_common(word: str) -> bool:
    """Whether it is a word of requests about anything."""
    return word in _FILLERS or word in _EVERYDAY


def without_addresses(text: str) -> str:
    """The text without the mail addresses in it, in the width that people type."""
    plain_text = seen(text)
    return _ADDRESS.sub(" . ", plain_text) if "@" in plain_text else plain_text


def names_in(words: Sequence[str], *names: str) -> Iterator[str]:
    """The words of a person's names that stand in these words, each once."""
    wanted = dict.fromkeys(word for name in names for word in words_of(name) if len(word) > 1)
    said = set(words)
    return (word for word in wanted if word in said)


def quotes(text: str, quoted: str) -> bool:
    """Whether a text holds another one, whatever the space between its words."""
    return bool(quoted.strip()) and " ".join(plain(quoted).split()) in " ".join(plain(text).split())
