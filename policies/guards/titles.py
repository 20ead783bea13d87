"""Whether a text names a thing by its title, most of all by one that somebody else wrote.

The author of a title can choose words that any request holds. So two things have to be there, and neither rests on a
list being complete. The title has two words that tell something: none of those that requests about anything hold, in
the languages that `everyday.txt` has. And these stand where a text names one thing, as in “the supplier review”, “the
mail about benches” or “„Supplier review“”: what does not stand so names nothing, in whichever language.

A title that its owner chose needs less, as nobody chose it for a request. But it may be a word that any request holds,
too, and what it names is more than the thing where others take part in it: these are meant only where the thing is
named as one, by a word that tells something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from policies.guards import words
from policies.guards.grammar.clauses import TIMES
from policies.guards.readings import TIME, Reading, Title, title_of

_LONGEST = 60  # words of a title in a text; without a bound, a text of one word over and over takes quadratic time
_THE = frozenset({"the", "my", "our", "your"})
"""What one thing follows in English. An indefinite article begins a new one, and “this” and “that” may stand alone."""

_DER = frozenset(
    {
        *("der", "die", "das", "den", "dem", "des", "im", "am", "zum", "zur", "vom", "beim", "mein", "meine", "meinen"),
        *("meinem", "meiner", "unser", "unsere", "unseren", "unserem", "unserer"),
    }
)
"""The same in German, where some of these begin a clause as well: a noun has to end what follows."""

_KINDS = frozenset(
    {
        *("mail", "email", "thread", "message", "conversation", "meeting", "event", "appointment", "invitation"),
        *("invite", "call", "reminder", "file", "document", "doc", "nachricht", "termin", "besprechung", "einladung"),
        *("unterhaltung", "datei", "dokument", "erinnerung"),
    }
)
_ABOUT = frozenset({"about", "on", "re", "regarding", "concerning", "called", "titled", "named", "über", "zu", "wegen"})
_CALENDARS = frozenset({"calendar", "kalender"})
_GROUPS = frozenset({"team", "family", "office", "company", "projekt", "familie"})
"""Words of any request that calendars are called by."""

_ON_IT = frozenset({"invite", "invites", "invitation", "invitations", "event", "events", "entry", "entries", "link"})
"""After “calendar” they make something else of it."""

_BEFORE_TIMES = frozenset({"on", "at", "in", "am", "um", "auf", "for"})
_TIMELY = frozenset(
    {"weekly", "monthly", "daily", "yearly", "annual", "first", "second", "third", "last", "next", "new"}
)
"""They tell one of several, and not what it is."""

_JOINING = frozenset({"and", "or", "und", "oder"})
_OUT_OF, _MINE = frozenset({"from", "aus"}), frozenset({"my", "the", "meinem", "dem"})
_BEHIND = TIMES | frozenset(
    {
        *("but", "because", "since", "as", "if", "too", "please", "thanks", "now", "then", "again", "ab", "aber"),
        *("bitte", "weil", "wenn", "danke", "jetzt"),
    }
)
"""What may stand behind the name of a thing without being a part of it."""

_MANY = frozenset(
    {
        *("ones", "one", "mails", "emails", "messages", "threads", "conversations", "drafts", "files", "documents"),
        *("docs", "events", "meetings", "appointments", "invitations", "reminders", "things", "stuff", "items"),
        *("tasks", "people", "nachrichten", "termine", "besprechungen", "einladungen", "unterhaltungen", "dateien"),
        *("dokumente", "points", "questions", "numbers", "figures", "details", "sentence", "sentences", "words"),
        *("part", "parts"),
    }
)
"""After a description these make it one of many things."""


def names_file(text: Reading, name: Title, stem: Title) -> bool:
    """Whether a text has the whole name of a file, or names one thing by its `stem`, the name without its ending."""
    return _is_typed(text, name) or _is_typed(text, stem) or names(text, stem, least=1)


def stem_of(name: str) -> str:
    """The name of a file without its ending."""
    return name.rpartition(".")[0] or name


def names(text: Reading, title: Title, *, least: int = 2, kind: str = "") -> bool:
    """Whether the words of the title that tell something, `least` of them, stand together where the text names one
    thing. `kind` is what its tool calls such a thing: “my rent payment” is the payment “Rent”.
    """
    if len(title.telling) < least:
        return False
    if _is_quoted(text, title):
        return True
    return _is_one_thing(text, title.telling, title, kind)


def calls_own(text: Reading, title: Title) -> bool:
    """Whether a text calls a thing by a title that its owner chose. Where all of it are words of any request, these
    stand there as they are, and a single one where the text names one thing.
    """
    if title.telling:
        return title.is_called_in(text)
    wanted = {word for word in title.calling if not word.isdecimal()}
    if len(wanted) > 1:
        return text.holds(title.words)
    return bool(wanted) and (_is_quoted(text, title) or _is_one_thing(text, frozenset(wanted), title))


def calls_whole(text: Reading, title: Title) -> bool:
    """Whether a text calls a thing of its owner's by all of its title but what kind of thing it is: “the dentist” is
    “Dentist appointment”; “the dentist call” is not, nor is “the dentist” “Dentist, Monday”. Words for groups alone
    are no name of an event, nor is what people send: “the Acme invoice” is not “Acme invoice call”. A sign in a word is
    a part of its name: “the Q4” is not “Q4+ appointment”.
    """
    found, telling, left = _Tokens(text), title.telling, title.calling - title.telling
    return (
        telling <= text.told
        and not any(title.signs)
        and not all(map(words.is_nobody, telling))
        and not any(map(words.is_sent, telling))
        and left <= _KINDS
        and any(
            found.is_one_thing(begin, end, title) and found.ends(end, title)
            for begin, end in found.phrases(telling, title)
        )
    )


def calls_in_part(text: Reading, title: Title, taken: Collection[str]) -> bool:
    """Whether a text calls an event of its owner's by a part of its title that says what it is and which: “the loungers
    talk” is “Sun loungers: price talk”. `taken` are the words in the titles of all others. “The loungers” may be goods.
    """
    found, says_what = _Tokens(text), title.calling - title.telling - TIMES - _TIMELY
    return not any(title.signs) and any(
        found.is_one_thing(begin, end, title) and found.ends(end, title) and found.around(end, title) & says_what
        for word in (title.telling & text.told).difference(taken)
        if not words.is_nobody(word)
        for begin, end in found.phrases(frozenset({word}), title)
    )


def names_in_part(text: Reading, title: Title, parts: Collection[str], *, kind: str = "") -> bool:
    """Whether one of these words of a title of its owner's is enough to name one thing in this text."""
    return any(_is_one_thing(text, frozenset({word}), title, kind) for word in parts)


def names_those_in(sentence: Reading, title: Title, *, is_chosen: bool, kind: str = "") -> bool:
    """Whether a sentence means those who take part in a thing by its title. One word that tells something is enough
    if its owner chose the title (`is_chosen`). Words for what people send mean nobody: “Send the invoice”.
    """
    if all(map(words.is_sent, title.telling)):
        return False
    return names(sentence, title, least=1 if is_chosen else 2, kind=kind)


def names_calendar(text: Reading, name: Title) -> bool:
    """Whether a text names a calendar, whose name somebody else chose: between quotation marks, or as “the Deliveries
    calendar”.
    """
    if not name.telling and not _GROUPS.intersection(name.words):
        return False
    is_quoted = _is_quoted(text, name) and not _CALENDARS.isdisjoint(text.said)
    return is_quoted or _Tokens(text).has_calendar(name.words)


def _is_one_thing(text: Reading, wanted: frozenset[str], title: Title, kind: str = "") -> bool:
    if not wanted <= text.told:
        return False
    found, kinds = _Tokens(text), title_of(kind).said
    return any(found.is_one_thing(begin, end, title, kinds) for begin, end in found.phrases(wanted, title))


def _is_typed(text: Reading, name: Title) -> bool:
    """Whether the name of a file stands in a text as it is, with an ending of letters."""
    ending = name.text.rpartition(".")[2]
    is_ending = ending != name.text and 2 <= len(ending) <= 5 and ending.isalnum() and not ending.isdecimal()
    return is_ending and text.holds(name.words) and words.flat(name.text) in text.flat


def _is_quoted(text: Reading, title: Title) -> bool:
    """Whether the whole title stands in quotation marks, and nothing else does there."""
    return title.unmarked in text.quoted


class _Tokens:
    """The words and signs of a text, as they are written and as they are compared."""

    def __init__(self, text: Reading) -> None:
        self._written, self._told, self._words = text.written, text.tokens, text.tokens.words

    def phrases(self, telling: frozenset[str], title: Title) -> Iterator[tuple[int, int]]:
        """Where all these words stand with nothing between them but what people leave out and more of the title."""
        for begin in self._begins(telling, title):
            missing = set(telling)
            for end in range(begin, min(begin + _LONGEST, len(self._words))):
                missing.discard(self._words[end])
                if not missing:
                    yield begin, end
                    break
                if not self._may_be_inside(end, title):
                    break

    def _begins(self, telling: frozenset[str], title: Title) -> Iterator[int]:
        """Where such a phrase may begin: at one of the words, near the rarest of them. All are there."""
        after = 0
        for place in self._told.places[self._told.rarest(telling)]:
            begin, first = place, max(after, place - _LONGEST)
            while begin > first and self._may_be_inside(begin - 1, title):
                begin -= 1
            yield from (at for at in range(begin, place + 1) if self._words[at] in telling)
            after = place + 1

    def _may_be_inside(self, at: int, title: Title) -> bool:
        return self._words[at] in title.own or words.is_filler(self._words[at])

    def is_one_thing(self, begin: int, end: int, title: Title, kinds: Collection[str] = ()) -> bool:
        """Whether a text names one thing by these words, and by no more than these and what kind of thing it is."""
        own, first = title.said - _THE - _DER, max(0, begin - _LONGEST)
        while begin > first and self._at(begin - 1) in own:
            begin -= 1
        end = self._end(end, title)
        return self._is_led(begin, end) and (self._at(end + 1) in kinds or not self._goes_on(end + 1))

    def ends(self, end: int, title: Title) -> bool:
        """Whether nothing follows there that could make it another thing."""
        at = self._end(end, title) + 1
        after, then = self._at(at), self._at(at + 1)
        if after in _OUT_OF:
            return then in _MINE and self._at(at + 2) in _CALENDARS
        if after in _BEFORE_TIMES:
            return then in TIMES or TIME.fullmatch(then) is not None
        if after in _JOINING:
            return then not in _THE | _DER
        return after in _BEHIND or (not after[:1].isalnum() and after not in [*words.SIGNS])

    def _end(self, end: int, title: Title) -> int:
        """Where more words of the title end that stand behind this one."""
        own, last = title.said - _THE - _DER - _MANY, end + _LONGEST
        while end < last and self._at(end + 1) in own:
            end += 1
        return end

    def around(self, at: int, title: Title) -> frozenset[str]:
        """The words of the title that stand together there."""
        own, begin = title.said - _THE - _DER, at
        while begin > max(0, at - _LONGEST) and self._at(begin - 1) in own:
            begin -= 1
        return frozenset(self._words[begin : self._end(at, title) + 1])

    def has_calendar(self, name: Sequence[str]) -> bool:
        """Whether one calendar is called so: “my team calendar”, “im Kalender Team”, “Teamkalender”."""
        wanted = [word for word in name if word not in _CALENDARS]
        for at, word in enumerate(self._words):
            said = wanted if word in _CALENDARS else []
            if not said and word != f"{''.join(wanted)}kalender":
                continue
            before = [each for each in self._words[max(0, at - _LONGEST) : at] if each != "-"]
            begin = len(before) - len(said)
            is_led = begin > 0 and before[begin - 1] in _THE | _DER
            if is_led and before[begin:] == said and self._at(at + 1) not in _ON_IT:
                return True
        return False

    def _is_led(self, begin: int, end: int) -> bool:
        before = self._at(begin - 1)
        if before == "s" and self._at(begin - 2) in {"'", "’"}:
            return self._at(begin - 3) in TIMES
        if before in _ABOUT and self._at(begin - 2) in _KINDS:
            return self._at(begin - 3) in _THE | _DER
        return before in _THE or (before in _DER and self._at(begin - 2) != "," and self._is_german(begin, end))

    def _is_german(self, begin: int, end: int) -> bool:
        """Whether it ends with a noun, and is none of a first name and a surname."""
        capital = [word[0].isupper() for word in self._written[begin : end + 1]]
        return capital[-1] and not (len(capital) > 1 and all(capital))

    def _goes_on(self, at: int) -> bool:
        word = self._at(at)
        if word in {"'", "’"} and self._at(at + 1) == "s":
            return True
        return word in _MANY or (word[:1].isalnum() and not words.is_everyday(word))

    def _at(self, at: int) -> str:
        return self._words[at] if 0 <= at < len(self._words) else ""
