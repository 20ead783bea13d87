"""The words of an order, in English and German: those of the first part may stand in one, the forms of the last part
beside it, and nothing else may. What is missing here leads to a card.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

# What may stand in an order -------------------------------------------------------------------------------------------

COURTESY = frozenset(
    {
        *("please", "pls", "plz", "kindly", "thanks", "thank", "thx", "cheers", "hi", "hey", "hello", "ok", "okay"),
        *("yes", "yeah", "yep", "sure", "great", "fine", "perfect", "alright", "also", "too", "now", "then", "so"),
        *("again", "immediately", "asap", "quickly", "directly", "finally", "completely", "entirely", "altogether"),
        *("simply", "urgently", "unfortunately", "really", "sorry", "bot", "agent", "assistant", "countersign"),
        *("bitte", "danke", "hallo", "moin", "ja", "gern", "gerne", "mal", "doch", "jetzt", "auch", "dann", "sofort"),
        *("einfach", "kurz", "leider", "also", "schnell", "umgehend", "komplett", "ganz", "klar", "super", "prima"),
    }
)
"""They say nothing of what is to be done."""

DETERMINERS = frozenset(
    {
        *("the", "my", "our", "this", "that", "these", "those"),
        *("der", "die", "das", "den", "dem", "des", "diese", "diesen", "dieser", "dieses", "diesem"),
        *("mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "unseren", "unserem", "unserer"),
    }
)
ONLY = frozenset({"only", "just", "single", "one", "nur", "einmal", "einzelne", "einzelnen"})
"""An order may have them; with one of them it is about no more than one."""

QUANTIFIERS = frozenset(
    {"all", "every", "each", "alle", "allen", "aller", "jede", "jeden", "jeder", "jedes", "sämtliche", "sämtlichen"}
)
WHOLE = frozenset({"whole", "entire", "complete", "full", "ganze", "ganzen", "gesamte", "gesamten", "komplette"})
RECURRING = frozenset({"recurring", "recurrent", "repeating"})
"""Beside a title they say that all of it is meant."""

REGULAR = frozenset(
    {
        *("regular", "weekly", "biweekly", "fortnightly", "daily", "monthly", "yearly", "annual"),
        *("wöchentliche", "wöchentlichen", "tägliche", "täglichen", "monatliche", "monatlichen", "jährliche"),
        *("jährlichen", "regelmäßige", "regelmäßigen"),
    }
)
"""They say which thing is meant, and not how much of it."""

NEXT = frozenset({"next", "upcoming", "coming", "nächste", "nächsten", "kommende", "kommenden"})
"""Right before a title: that one which comes next."""

LATER = frozenset(
    {
        *("future", "following", "remaining", "later", "künftige", "künftigen", "zukünftige", "zukünftigen"),
        *("folgende", "folgenden", "weiteren", "restlichen", "übrigen"),
    }
)
"""Without a word for all of them they do not say which."""

SERIES = frozenset(
    {"series", "recurrence", "occurrences", "instances", "serie", "reihe", "terminserie", "vorkommen", "wiederholungen"}
)
LASTING = frozenset(
    {
        *("permanently", "forever", "indefinitely", "onwards", "onward", "dauerhaft", "künftig", "zukünftig"),
        *("regelmäßig", "immer", "always"),
    }
)

WEEKDAYS = frozenset(
    {
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"),
        *("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag"),
    }
)
DAYS_WITH_S = frozenset(
    {
        *("mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"),
        *("montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags"),
    }
)
"""Every one of them behind “on”, and else perhaps one day whose apostrophe is missing."""

NEAR = frozenset(
    {"today", "tonight", "tomorrow", "heute", "heutige", "heutigen", "morgen", "morgige", "morgigen", "übermorgen"}
)
MONTHS = frozenset(
    {
        *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
        *("november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
        *("januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember"),
    }
)
PARTS_OF_DAYS = frozenset(
    {
        *("morning", "noon", "midday", "afternoon", "evening", "night", "früh", "morgen", "vormittag", "mittag"),
        *("nachmittag", "abend", "vormittags", "mittags", "nachmittags", "abends"),
    }
)
"""Only behind a day that is known: which day “this afternoon” is, nobody compares."""
BEFORE_DAYS = frozenset(
    {
        *("on", "of", "for", "from", "this", "next", "coming", "the", "am", "vom", "von", "ab", "für", "den", "der"),
        *("dem", "die"),
        *("diesen", "nächsten", "kommenden"),
    }
)
ON = frozenset({"on", "onwards", "onward", "an"})
"""“From tomorrow on”, “ab morgen an”."""
BEFORE_TIMES = frozenset({"at", "um"})
OF_TIMES = frozenset({"am", "pm", "uhr", "h"})
CLOCKS = frozenset({"noon", "midday", "midnight", "mittag", "mitternacht"})

_REQUESTS = (
    *(f"{may} {who}" for may in ("can", "could") for who in ("you", "u")),
    *("feel free to", "make sure to", "can t you", "don t forget to", "do not forget to", "remember to"),
    *("go ahead and", "go ahead", "help me", "help me to", "be so kind and", "get", "do"),
    *(f"i {want} you to" for want in ("need", "want", "d like", "would like")),
    *(f"it would be {good} if you could" for good in ("great", "nice", "good", "lovely", "kind")),
    *("if you don t mind", "if possible", "i was hoping you could"),
    *("kannst du", "könntest du", "können sie", "könnten sie", "könnt ihr", "könntet ihr"),
    *("vergiss nicht", "denk daran", "denk dran", "sei so gut und", "sei so nett und"),
    *("for me", "for us", "für mich", "für uns", "mir", "uns", "as well", "right away", "right now", "at once"),
    *("as soon as possible", "so bald wie möglich", "so schnell wie möglich", "auf der stelle"),
    *(f"{where} {whose} calendar" for where in ("in", "on", "from", "off") for whose in ("my", "the", "our")),
    *(f"{where} {whose} kalender" for where in ("in", "aus") for whose in ("meinem", "dem", "unserem")),
    *("im kalender", "aus meinem kalender", "series of", "all of", "rest of", "occurrences of", "instances of"),
    *("every occurrence", "every instance", "each occurrence", "all occurrences", "this and", "dieser und"),
    *("from now on", "from then on", "going forward", "for good", "until further notice", "from next week on"),
    *("from this week on", "from next month on", "ab sofort", "ab jetzt", "ab dann", "ab nächster woche"),
    *("ab kommender woche", "ab nächstem monat", "bis auf weiteres", "für immer", "von jetzt an"),
)
"""What people ask with, and what may stand beside it, each as a whole."""

_NEEDS = (
    *(
        f"{who}{want} to"
        for who in ("", "i ", "we ")
        for want in ("need", "want", "have", "d like", "would like", "wish")
    ),
    *(f"{who} {want}" for who in ("i", "we") for want in ("need", "want", "must", "d like", "would like", "should")),
    *("i ve got to", "we ve got to", "let s", "lets", "let us", "needs to be", "need to be", "has to be", "have to be"),
    *("must be", "should be", "to be", "ought to be", "needs", "could", "can", "be", "is it possible to"),
    *("you can", "you should", "you may", "would you", "would u", "will you", "will u", "won t you"),
    *("would you mind", "do you mind"),
    *("würdest du", "willst du", "magst du", "wirst du", "würden sie", "du kannst", "du solltest", "du sollst"),
    *("du musst", "ich möchte", "ich will", "ich würde", "ich muss", "wir müssen", "wir möchten", "wir wollen"),
    *("wir sollten", "muss ich", "möchte ich", "würde ich", "müssen wir", "möchten wir", "wollen wir", "lass uns"),
    *("lasst uns", "wäre es möglich", "ist es möglich", "ich hätte", "muss", "müssen", "werden", "zu"),
)
"""What states a need, or asks for more than a yes. They order something where nothing else is said."""

_CONSENT = (
    *("thank you", "thanks a lot", "many thanks", "thanks in advance", "good morning", "good afternoon", "go ahead"),
    *("good evening", "vielen dank", "danke dir", "guten morgen", "guten tag", "do it", "do that"),
    *("go for it", "right"),
    *("sounds good", "mach das", "mach es", "tu das", "passt", "so ist es", "genau", "exactly", "correct", "stimmt"),
)
"""What people say to an order that was given."""

_BESIDE = (
    *("no worries", "no problem", "talk soon", "see you soon", "no rush", "no hurry", "no need to ask"),
    *("kein problem", "keine eile", "keine sorge", "for me", "for us", "für mich", "für uns", "as well"),
    *("right away", "right now", "at once", "as soon as possible", "if possible", "if you can", "if you don t mind"),
    *("so bald wie möglich", "so schnell wie möglich", "wenn möglich", "can you", "could you", "kannst du"),
    *("könntest du", "not the whole series", "not the series", "not all of them", "not the others"),
    *("nicht die ganze serie", "nicht die serie", "nicht alle", "nicht die anderen"),
    *("let me know when it is done", "let me know when it s done", "sag mir bescheid", "from my calendar"),
)
"""What may be said beside an order."""


Phrases = Mapping[str, Sequence[Sequence[str]]]
"""By their first words, the longest first, without words of courtesy."""


def _by_first(phrases: Sequence[str]) -> Phrases:
    found = dict[str, list[list[str]]]()
    for phrase in sorted(phrases, key=len, reverse=True):
        said = [word for word in phrase.split() if word not in COURTESY]
        found.setdefault(said[0], []).append(said)
    return found


PHRASES = _by_first((*_REQUESTS, *_NEEDS))
NEEDS = frozenset(tuple(each) for found in _by_first(_NEEDS).values() for each in found)
HARMLESS = _by_first((*_CONSENT, *_BESIDE))
CONSENT = _by_first(_CONSENT)

KINDS: Mapping[str, frozenset[str]] = {
    "event": frozenset(
        {"event", "events", "entry", "entries", "occurrence", "instance", "termin", "termine", "eintrag", "ereignis"}
    ),
    "draft": frozenset({"draft", "drafts", "entwurf", "entwürfe"}),
    "mail_thread": frozenset({"mail", "email", "thread", "conversation", "nachricht", "unterhaltung"}),
}
"""What people call any thing of a kind; another kind is called by its own words. What says more, such as “call” behind
a title, is of another thing.
"""

CALLED = frozenset({"called", "named", "titled", "namens"})

# What bounds a clause -------------------------------------------------------------------------------------------------

AND = frozenset({"and", "und", "then", "dann", "&"})
REASONS = frozenset({"because", "weil", "denn", "since"})
SUBJECTS = frozenset(
    {
        *("i", "we", "you", "he", "she", "they", "it", "ich", "wir", "er", "sie", "es", "could", "can"),
        *("would", "will"),
        *("let", "when", "what", "who", "where", "how", "kannst", "könntest", "wann", "was", "wer", "wo", "wie"),
    }
)
"""After “and” they begin a clause."""

OBJECTS = frozenset(
    {
        *("the", "a", "an", "my", "our", "your", "this", "that", "these", "those", "it", "its", "them", "him", "her"),
        *("his", "their", "everyone", "everybody", "all", "both", "to", "back", "there", "by", "with", "us"),
        *("me", "out"),
        *("up", "off", "down", "for", "about", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "mir", "uns"),
        *("ihm", "ihr", "ihnen", "allen", "bitte", "es", "ihn", "sie", "mein", "meine", "meinen", "on", "some", "no"),
    }
)
"""What a verb is done to begins with them."""

MORE_VERBS = (
    *("find", "check", "look", "see", "show", "list", "read", "let", "give", "make", "get", "use", "start", "open"),
    *("search", "summarise", "summarize", "keep", "leave", "go", "do", "try", "prepare", "help", "note", "save"),
    *("finde", "prüfe", "prüf", "schau", "zeig", "zeige", "lies", "gib", "mach", "mache", "such", "suche", "stell"),
)

ONLY_VERBS = frozenset(
    {
        *("tell", "send", "inform", "notify", "delete", "remove", "reschedule", "postpone", "create", "write", "give"),
        *("find", "bring", "add", "put", "ask", "let", "remind", "cancel", "move", "sag", "sage"),
        *("schreib", "schreibe"),
        *("schick", "schicke", "sende", "verschieb", "verschiebe", "informiere", "lösche", "erstelle", "gib"),
    }
)
"""No name of a thing goes on with them."""

# What may stand beside an order ---------------------------------------------------------------------------------------

NEGATIONS = frozenset(
    {
        *("no", "not", "t", "cannot", "never", "none", "nothing", "without", "nein", "nicht", "nie", "kein", "keine"),
        *("keinen", "ohne", "except", "excluding", "besides", "but", "außer", "sondern", "aber", "if", "unless"),
        *("until", "falls", "wenn", "bis", "or", "oder", "instead", "statt"),
    }
)
"""No part of a title calls a thing by them."""

POLITE = frozenset({"can", "could", "kannst", "könntest", "können", "könnten"})
"""They begin a question that asks somebody to do something, and perhaps one thing more."""

OPENING = frozenset({("no",), ("nein",), ("actually",), ("eigentlich",), ("well",)})
"""Before an order they are an answer."""

PERSON, WHEN, ANOTHER = "\ue004", "\ue005", "\ue006"
"""What stands for a name, for a day or a time, and for the title of another thing."""

_WHO = (
    rf"(?:{PERSON}|\ue002|everyone|everybody|them|him|her|all|alle|allen|ihm|ihr|ihnen|meinem chef|meiner chefin"
    r"|(?:the|my|our) (?:whole )?(?:team|others|guests|group|attendees|participants|people|boss|manager|assistant"
    r"|colleagues?|wife|husband|client|customer|rest)|(?:das|dem) team"
    r"|(?:die|den) (?:anderen|gästen?|teilnehmern?))(?![^ ])"
)
_WHOM = rf"{_WHO}(?: (?:and|und) {_WHO})*"
_I = rf"(?:i|we|he|she|they|ich|wir|er|sie|{_WHO})"
_AM = r"(?:am|m|is|s|are|re|was|will be|ll be|have been|ve been|bin|ist|sind|war|fühle mich|feel)"
_PLACE = (
    r"(?:fair|trade fair|airport|hospital|doctor|doctors|doctor s|dentist|dentist s|conference|client|customer|workshop"
    r"|offsite|school|vet|office|funeral|wedding|beach)"
)
_STATE = (
    r"(?:(?:still|very|really|all|both|too|alle|noch|sehr|leider) )*"
    r"(?:ill|sick|unwell|away|out|out of (?:town|office|the office)|travell?ing|busy|late|running late|stuck|abroad"
    r"|offline|unavailable|(?:double |over)?booked|in (?:hospital|bed|a meeting|another meeting)|at home|on my way"
    r"|not (?:well|available|here|there|in|free|around|feeling well)|under the weather"
    r"|on (?:a )?(?:holiday|vacation|leave|sick leave|parental leave|trip|business trip|plane|train|the road)"
    rf"|at (?:the|a) {_PLACE}|(?:in|bei) {PERSON}|with {_WHOM}|krank|unterwegs|verreist|weg|verhindert|beschäftigt"
    r"|nicht (?:da|verfügbar|frei)|im (?:urlaub|krankenhaus|zug|homeoffice|büro)|beim (?:arzt|zahnarzt)"
    r"|auf (?:reisen|dienstreise|der messe|einer konferenz|einer messe|einem workshop))"
)
_TIMES = rf"(?: (?:{WHEN}|today|this (?:week|morning|afternoon|evening)|next (?:week|month)|all (?:day|week)))*"
_CANNOT = r"(?:can t|cant|cannot|can not|won t|wont|will not|could(?:n t| not)|am not able to|m not able to)"
_COME = r"(?:make it|make that|attend|come|join|be there|be in|go|participate)"
_MORE = r"(?: (?:anymore|any more|any longer|after all|mehr))?"
_REASON = (
    rf"(?:{_I} {_AM} {_STATE}{_TIMES}|(?:ich|wir|er|sie|{PERSON}) {_STATE}{_TIMES} (?:bin|ist|sind|war)"
    rf"|{_I} {_CANNOT} {_COME}{_TIMES}{_MORE}"
    rf"|{_I} (?:kann|können|schaffe|schaffen|schafft)(?: es| das)?{_TIMES} nicht{_TIMES}"
    rf"(?: (?:kommen|teilnehmen|dabei sein|schaffen))?{_MORE}"
    rf"|(?:i|we|they) don t need (?:it|that){_MORE}|wir brauchen (?:es|ihn|sie|das) nicht{_MORE}"
    rf"|(?:(?:it|that) (?:is|s) )?(?:no longer|not) (?:needed|necessary|relevant){_MORE}|nicht mehr nötig"
    r"|something(?: else)?(?: has)? (?:came|come) up|mir ist (?:etwas|was) dazwischen ?gekommen"
    r"|es ist (?:etwas|was) dazwischen ?gekommen"
    r"|(?:i|we) (?:have|ve|ve got|got) (?:a|an|another) (?:conflict|clash|cold|fever|flu|migraine|headache|emergency"
    rf"|appointment|doctor s appointment|meeting|call){_TIMES}|ich habe (?:fieber|migräne|einen konflikt){_TIMES}"
    rf"|(?:nobody|no one) (?:is|s) (?:there|here|around|free|available|in){_TIMES}"
    r"|(?:it is|it s) (?:a )?(?:bank |public )?holiday|es ist feiertag)"
)
_ABOUT = frozenset(
    {
        *("that", "i", "we", "it", "he", "she", "they", "you", "m", "am", "is", "are", "re", "s", "will", "ll", "be"),
        *("ill", "sick", "sorry", "late", "away", "off", "cancelled", "canceled", "meeting", "why", "about", "because"),
        *("the", "a", "an", "my", "our", "new", "another", "date", "time", "slot", "day", "find", "look", "for", "to"),
        *("call", "write", "meet", "talk", "see", "later", "soon", "back", "again", "in", "touch", "on", "at", "with"),
        *(
            "apologies",
            "apologise",
            "apologize",
            "regards",
            "best",
            "and",
            "very",
            "so",
            "next",
            "week",
            "month",
            "not",
        ),
        *(
            "dass",
            "ich",
            "wir",
            "er",
            "sie",
            "es",
            "bin",
            "ist",
            "sind",
            "krank",
            "ausfällt",
            "abgesagt",
            "leid",
            "tut",
        ),
        *("mir", "der", "die", "das", "termin", "bescheid", "wurde", "wird", "neuen", "finden", "suchen", "melde"),
        *("mich", "warum", "happening", "taking", "place", WHEN, PERSON),
    }
)
"""Of what somebody is told. None of them hands on what the order wants, or lets somebody decide it."""

_NOTE = r"(?:note|message|mail|email|e mail|line|word|notice|apology|text|nachricht|mail|notiz|zeile)"
_TELL = (
    rf"(?:(?:tell|inform|notify|message|email|mail|text|ping|write|write to|apologi[sz]e to) (?P<a>{_WHOM})"
    rf"|let (?P<b>{_WHOM}) know|(?:send|drop|write) {_WHOM} (?:a|an|my|the) (?:short |quick |brief )?{_NOTE}"
    rf"|send (?:a|an) (?:short |quick |brief )?{_NOTE} to {_WHOM}|send {_WHOM} (?:my )?(?:apologies|regards)"
    rf"|(?:sag|sage|gib) {_WHOM} bescheid|(?:sag|sage|informiere|benachrichtige|schreib|schreibe)(?: an)? {_WHOM}"
    rf"|(?:schick|schicke) {_WHOM} eine (?:kurze )?{_NOTE})"
)
_WILL = (
    rf"(?:(?:i|we) (?:will|ll) (?:write|call|explain|(?:tell|inform|write to|call|email|text|talk to|speak to) {_WHOM})"
    rf"|{_WHO} (?:will|ll) (?:tell|inform) {_WHOM})"
)
_NEW = (
    r"(?:find|look for|suggest|propose|book|schedule|arrange|plan|set up|create)(?: (?:me|us))?"
    r" (?:a|an|another)(?: new| different| better| other)? (?:one|slot|date|time|day|meeting|appointment|call)"
    rf"(?: (?:with|for) {_WHOM})?{_TIMES}"
)
_THING = (
    rf"(?:{ANOTHER}|lunch|dinner|breakfast|coffee|drinks|hotel|flight|train|room|table|taxi|car|tickets?|dentist|doctor"
    r"|hairdresser|mittagessen|abendessen|frühstück|flug|zug|zimmer|tisch|raum|zahnarzt|friseur)"
)
_DO = (
    r"(?:move|reschedule|push|postpone|shift|book|cancel|delete|remove|reserve|order|extend|shorten|schedule|plan|send"
    r"|verschieb|verschiebe|buche|buch|reserviere|bestelle|bestell|lösche|sag|sage|storniere)"
)
_REST = (
    rf"(?: (?:{WHEN}|to|for|with|by|from|at|on|auf|um|für|mit|ab|an|hour|half|{PERSON}|\d\S*|am|pm|uhr|back|forward))*"
)
_ANOTHER_REQUEST = (
    rf"{_DO}(?: (?:the|my|our|a|an|der|die|das|den|dem|mein|meine|meinen|einen|ein|eine|{WHEN} s))* {_THING}{_REST}"
)

REASON = re.compile(rf"(?:as |da |und |and |that |dass )?{_REASON}")
TELL, TOLD = re.compile(_TELL), _ABOUT
REQUEST = re.compile(rf"{_WILL}(?: later| soon)?{_TIMES}|{_NEW}|{_ANOTHER_REQUEST}")
VOCABULARY = frozenset(re.findall(r"[a-zäöüß]+", " ".join((_REASON, _TELL, _NEW, _ANOTHER_REQUEST))))
"""They stand for themselves, also with a capital letter."""

SMILES = re.compile(r"(?<![\w:])(?:[:;]-?[)D(]|:(?:thumbsup|\+1|pray|smile|slightly_smiling_face|ok_hand|tada|wave):)")
MENTION = re.compile(r"<@[A-Z0-9]+(?:\|[^<>]*)?>")
LIST = re.compile(r"^[ \t]*(?:[-*•·☐☑✅❌–—+]|\[.?\]|\(?\d+[.)]|\(?[A-Za-z]\))[ \t]", re.MULTILINE)
"""A line of a list: what stands there is a point of it."""
