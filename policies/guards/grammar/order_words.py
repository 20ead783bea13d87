"""The words of an order, in English and German. Those of the first part may stand in one, and nothing else may: what is
missing there leads to a card. Those of the second part speak against an order where they stand beside it.
"""

from __future__ import annotations

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
        *("the", "my", "our", "this", "that", "these", "those", "a", "an"),
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

_PHRASES = (
    *(f"{may} {who}" for may in ("can", "could", "would", "will") for who in ("you", "u")),
    *("would you mind", "do you mind", "you can", "you should", "you may", "feel free to", "make sure to"),
    *("can t you", "won t you", "don t forget to", "do not forget to", "remember to", "go ahead and", "go ahead"),
    *(f"{who} {want} to" for who in ("i", "we") for want in ("need", "want", "have", "d like", "would like", "wish")),
    *(f"i {want} you to" for want in ("need", "want", "d like", "would like")),
    *(f"{who} {want}" for who in ("i", "we") for want in ("need", "want", "must", "d like", "would like", "should")),
    *("i ve got to", "we ve got to", "let s", "lets", "let us", "help me", "help me to", "be so kind and", "get", "do"),
    *("needs to be", "need to be", "has to be", "have to be", "must be", "should be", "to be", "ought to be"),
    *(f"it would be {good} if you could" for good in ("great", "nice", "good", "lovely", "kind")),
    *("is it possible to", "if you don t mind", "if possible", "needs", "could", "can", "be", "i was hoping you could"),
    *("kannst du", "könntest du", "würdest du", "willst du", "magst du", "wirst du", "können sie", "könnten sie"),
    *("würden sie", "könnt ihr", "könntet ihr", "du kannst", "du solltest", "du sollst", "du musst"),
    *("ich möchte", "ich will", "ich würde", "ich muss", "wir müssen", "wir möchten", "wir wollen", "wir sollten"),
    *("muss ich", "möchte ich", "würde ich", "müssen wir", "möchten wir", "wollen wir", "lass uns", "lasst uns"),
    *("vergiss nicht", "denk daran", "denk dran", "sei so gut und", "sei so nett und", "wäre es möglich"),
    *("ist es möglich", "ich hätte", "muss", "müssen", "werden", "zu"),
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

_CONSENT = (
    *("thank you", "thanks a lot", "many thanks", "thanks in advance", "good morning", "good afternoon", "go ahead"),
    *("good evening", "vielen dank", "danke dir", "guten morgen", "guten tag", "do it", "do that"),
    *("go for it", "right"),
    *("sounds good", "mach das", "mach es", "tu das", "passt", "so ist es", "genau", "exactly", "correct", "stimmt"),
)
"""What people say to an order that was given."""

_BESIDE = (
    *("no worries", "no problem", "talk soon", "see you soon", "no rush", "no hurry", "no need to ask"),
    *("kein problem", "keine eile", "keine sorge"),
    *("not the whole series", "not the series", "not all of them", "not the others", "nicht die ganze serie"),
    *("nicht die serie", "nicht alle", "nicht die anderen", "ich kann nicht", "ich kann nicht kommen"),
    *(
        f"{who} {can} {do}"
        for who in ("i", "we")
        for can in ("can t", "cannot", "won t", "can not", "will not")
        for do in ("make it", "attend", "be there", "come", "go", "join")
    ),
)
"""What may be said beside an order although it has a word that speaks against one."""


Phrases = Mapping[str, Sequence[Sequence[str]]]
"""By their first words, the longest first, without words of courtesy."""


def _by_first(phrases: Sequence[str]) -> Phrases:
    found = dict[str, list[list[str]]]()
    for phrase in sorted(phrases, key=len, reverse=True):
        said = [word for word in phrase.split() if word not in COURTESY]
        found.setdefault(said[0], []).append(said)
    return found


PHRASES = _by_first(_PHRASES)
HARMLESS = _by_first((*_PHRASES, *_CONSENT, *_BESIDE))
CONSENT = _by_first(_CONSENT)

KINDS: Mapping[str, frozenset[str]] = {
    "event": frozenset(
        {
            *("event", "events", "entry", "entries", "appointment", "appointments", "meeting", "meetings", "call"),
            *("calls", "session", "sessions", "occurrence", "instance", "termin", "termine", "eintrag", "ereignis"),
            *("besprechung", "treffen"),
        }
    ),
    "draft": frozenset({"draft", "drafts", "entwurf", "entwürfe"}),
    "mail_thread": frozenset({"mail", "email", "thread", "conversation", "nachricht", "unterhaltung"}),
}
"""What people call a thing, by its kind; another kind is called by its own words."""

ANY_EVENT = frozenset({"event", "events", "entry", "entries", "occurrence", "instance", "termin", "eintrag"})
"""Behind a title that says already what kind of event it is, another such word is that of another event."""

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

# What speaks against an order -----------------------------------------------------------------------------------------

AGAINST = frozenset(
    {
        *(f"{word}t" for word in ("don", "can", "won", "doesn", "didn", "isn", "aren", "shouldn")),  # as people type
        # negation
        *("no", "not", "t", "cannot", "never", "none", "nothing"),
        *("nobody", "nowhere", "neither", "nor", "without", "hardly", "nope", "nah", "negative"),
        *("nein", "nicht", "nie", "niemals", "nichts", "niemand", "niemanden", "kein", "keine", "keinen", "keiner"),
        *("keines", "keinesfalls", "keineswegs", "weder", "ohne", "nö", "ne", "nee"),
        # condition
        *("if", "unless", "once", "when", "whenever", "until", "till", "before", "after", "soon", "provided"),
        *("providing", "assuming", "suppose", "supposing", "case", "depending", "depends", "otherwise", "whether"),
        *("falls", "wenn", "sobald", "bevor", "nachdem", "sofern", "solange", "bis", "vorausgesetzt", "ansonsten"),
        *("sonst", "fall", "ob"),
        # exception and contrast
        *("except", "excepting", "excluding", "exclude", "besides", "apart", "save", "than", "instead", "rather"),
        *("exception", "exceptions", "but", "only", "solely", "merely", "however", "though", "although", "yet"),
        *("actually", "or", "either", "else", "außer", "ausgenommen", "ausser", "anstatt", "statt", "stattdessen"),
        *("sondern", "aber", "nur", "jedoch", "trotzdem", "obwohl", "oder", "entweder", "bloß", "lieber"),
        # waiting, and what somebody has to say first
        *("wait", "hold", "pause", "stop", "halt", "hang", "delay", "first", "beforehand", "confirm", "confirms"),
        *("confirmed", "confirmation", "approve", "approves", "approved", "approval", "permission", "consent"),
        *("agree", "agrees", "agreed", "objects", "warte", "moment", "erst", "zuerst", "vorher"),
        *("zustimmt", "zustimmung", "bestätigt", "erlaubnis", "freigabe", "später", "pausiere"),
        # keeping
        *("keep", "keeps", "keeping", "kept", "stay", "stays", "remain", "remains", "retain", "preserve", "bleibt"),
        *("bleiben", "bleib", "behalte", "behalt", "behalten", "lasse", "stattfinden", "statt"),
        # doubt, and what takes something back
        *("maybe", "perhaps", "think", "thoughts", "opinion", "idea", "better", "recommend", "advise", "wonder"),
        *("wondering", "hypothetically", "kidding", "joke", "joking", "scratch", "forget", "ignore", "disregard"),
        *("undo", "revert", "mistake", "oops", "mean", "meant", "nevermind", "mind", "wrong", "vielleicht"),
        *("evtl", "eventuell", "meinst", "denkst", "findest", "besser", "vergiss", "quatsch", "scherz"),
        *("spaß", "irrtum", "pas", "jamais", "sauf", "nunca", "pero", "excepto", "salvo", "niet", "maar", "meinte"),
        *("zurück", "rückgängig"),
    }
)
"""Anywhere in a message they keep its orders from being carried out unasked."""

TELLING = frozenset(
    {
        *("tell", "tells", "told", "say", "says", "said", "saying", "write", "writes", "wrote", "written", "mail"),
        *("mails", "email", "emails", "message", "messages", "text", "texts", "draft", "drafts", "reply", "replies"),
        *("answer", "answers", "answered", "respond", "send", "sends", "sent", "post", "posts", "forward", "remind"),
        *("reminder", "reminders", "ask", "asks", "asked", "note", "notes", "list", "lists", "todo", "todos", "memory"),
        *("add", "append", "put", "insert", "include", "save", "record", "paste", "type", "comment", "announce"),
        *("translate", "translation", "proofread", "rephrase", "reword", "rewrite", "paraphrase", "quote", "quotes"),
        *("spell", "interpret", "explain", "example", "sentence", "phrase", "title", "headline", "reads", "correct"),
        *("wants", "wanted", "suggests", "suggested", "requested", "requests", "following", "let", "inform", "notify"),
        *("schreib", "schreibe", "schreibt", "schrieb", "geschrieben", "sag", "sage", "sagt", "sagte", "gesagt"),
        *("antworte", "antwortet", "maile", "frag", "frage", "fragt", "fragte", "schick", "schicke", "sende"),
        *("erinnere", "erinner", "erinnerung", "notiere", "notier", "notiz", "liste", "übersetze", "übersetz"),
        *("übersetzen", "korrigiere", "formuliere", "zitat", "zitiere", "erkläre", "beispiel", "satz", "titel"),
        *("lautet", "meint", "meinte", "folgendes", "teile", "richte", "leite", "poste"),
    }
)
"""What stands after them may be a text for others, by others, or only spoken of."""

SPOKEN = frozenset(
    {
        *("says", "said", "writes", "wrote", "written", "wants", "wanted", "suggests", "suggested", "quote", "unquote"),
        *("translate", "proofread", "rephrase", "reword", "rewrite", "paraphrase", "spell", "sagt"),
        *("sagte", "schreibt"),
        *("schrieb", "meint", "übersetze", "korrigiere", "formuliere", "todo", "todos", "notes", "reminder"),
        *("notizen", "example", "beispiel"),
    }
)
"""After an order they tell whose words it is, or what is to be done to its text."""

PASSING = frozenset(
    {
        *("send", "mail", "email", "forward", "post", "text", "message", "write", "put", "add", "save", "note"),
        *("copy", "paste", "schick", "schicke", "sende", "leite", "poste", "notiere", "kopiere", "say", "print"),
    }
)
THIS = frozenset({"this", "that", "these", "those", "it", "above", "das", "dies", "dieses", "es", "so"})
"""“Send this to Dana”: the order before may be what is sent."""
