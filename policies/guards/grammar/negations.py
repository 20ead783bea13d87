"""Words that negate or except something, and sayings that negate nothing that is asked for, in English and German."""

from __future__ import annotations

NOT = frozenset(
    {
        *("not", "never", "no", "none", "nobody", "nothing", "neither", "nor", "nowhere", "cannot", "dont", "cant"),
        *("wont", "couldnt"),
        *("cant", "wont", "couldnt", "mustnt", "shouldnt", "doesnt", "didnt", "isnt", "arent", "wasnt"),
        *("wouldnt", "hasnt"),
        *("hardly", "nicht", "nich", "nie", "niemals", "niemand", "niemanden", "niemandem", "nichts", "weder"),
        *("keinesfalls", "keineswegs", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nirgends"),
        *("noone", "havent"),
        *("mitnichten", "nimmer", "hasnt", "havent"),
    }
)
TYPOS = {
    **dict.fromkeys(("dnt", "dotn", "dno't", "dnot"), "don't"),
    **dict.fromkeys(("nciht", "niht", "nihct", "nicth", "ncht", "nict"), "nicht"),
    "nt": "not",
}
"""What stands for a word that negates."""

DIALECT = frozenset({"net", "ned", "nit"})
"""They negate in German alone."""

GERMAN = frozenset(
    {
        *("ich", "du", "das", "den", "der", "dem", "und", "bitte", "es", "mir", "ist", "auf", "mit", "für", "frau"),
        *("herr", "herrn", "schick", "sag", "wir", "sie", "mein", "meine", "zum", "zur"),
    }
)
"""Some of them stand in nearly all that is German, and none of them in English."""

EXCEPT = frozenset(
    {
        *("except", "excepting", "excluding", "excl", "without", "minus", "sans", "barring", "außer"),
        *("ausser", "ausgenommen", "statt", "anstatt", "anstelle", "ohne", "exklusive", "bar"),
        *("besides", "avoid", "avoiding", "refrain", "vermeide", "vermeiden", "unterlass", "unterlasse"),
    }
)
EXCEPT_BY_TWO = frozenset(
    {
        *(
            ("apart", "from"),
            ("aside", "from"),
            ("other", "than"),
            ("rather", "than"),
            ("instead", "of"),
            ("no", "one"),
        ),
        *(
            ("all", "but"),
            ("leave", "out"),
            ("leaving", "out"),
            ("bis", "auf"),
            ("abgesehen", "von"),
            ("mit", "ausnahme"),
        ),
        *(("everything", "but"), ("everyone", "but"), ("everybody", "but"), ("anyone", "but"), ("anything", "but")),
        *(("forget", "about"), ("forget", "to"), ("refuse", "to")),
        *(("any", "but"), ("anybody", "but"), ("in", "place"), ("anywhere", "but"), ("everywhere", "but")),
    }
)
ALL = frozenset(
    {
        *("all", "every", "everything", "everyone", "everybody", "each", "any", "anything", "anyone", "anybody"),
        *("whole", "anywhere", "everywhere"),
    }
)
BUT = frozenset({"but", "save", "bar"})
"""After a word for all they make an exception, unless a request follows."""

SAYINGS = (
    *(("don't", "forget"), ("dont", "forget"), ("not", "forget"), ("never", "forget"), ("don't", "hesitate")),
    *(("not", "hesitate"), ("don't", "worry"), ("dont", "worry"), ("don't", "mind"), ("why", "don't"), ("why", "not")),
    *(("why", "dont"), ("no", "problem"), ("no", "rush"), ("no", "worries"), ("no", "hurry"), ("not", "urgent")),
    *(("nothing", "urgent"), ("not", "only"), ("no", "later", "than"), ("not", "later", "than"), ("no", "matter")),
    *(("no", "doubt"), ("or", "not"), ("if", "not"), ("not", "sure"), ("not", "bad"), ("nothing", "fancy")),
    *(("can't", "wait"), ("cannot", "wait"), ("can't", "you"), ("couldn't", "you"), ("won't", "you")),
    *(("wouldn't", "you"), ("don't", "you"), ("not", "mistaken"), ("no", "longer", "than"), ("no", "more", "than")),
    *(("not", "more", "than"), ("no", "less", "than"), ("without", "fail"), ("without", "delay"), ("no", "idea")),
    *(("vergiss", "nicht"), ("vergiss", "bitte", "nicht"), ("nicht", "vergessen"), ("warum", "nicht")),
    *(("kein", "problem"), ("keine", "eile"), ("kein", "stress"), ("nicht", "nur"), ("oder", "nicht")),
    *(
        ("nicht", "eilig"),
        ("nicht", "später", "als"),
        ("keine", "ahnung"),
        ("bis", "auf", "weiteres"),
        ("ohne", "eile"),
    ),
    *(("nicht", "dringend"), ("nicht", "wahr"), ("no", "pressure"), ("nicht", "mehr", "als"), ("not", "to", "mention")),
)
"""They negate nothing of what is asked for."""

SAYINGS_BY_WORD = {each[0]: [other for other in SAYINGS if other[0] == each[0]] for each in SAYINGS}
UNABLE = frozenset({"can't", "cannot", "cant", "won't", "wont", "couldn't", "couldnt"})
ABLE = frozenset({"can", "could", "will"})
ATTEND = frozenset({"make", "attend", "join", "come", "participate"})
KOMMEN = frozenset({"kommen", "teilnehmen", "dabei", "schaffen", "mitmachen"})
BE_THERE = frozenset({"at", "in", "there", "on"})
"""Who cannot come to something speaks of it: “I can't make the review, decline it”."""
