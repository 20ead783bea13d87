"""The verbs with which people ask for something, in English and German, as `policies.guards.wishes` reads them.

A verb stands as it is said to somebody: “move”, “verschiebe”. “call … off” has other words between its parts. What
begins with “…” is an infinitive that German has at the end: “den Termin … verschieben”.
"""

from __future__ import annotations

from collections.abc import Sequence

from policies.types import EffectClass

CHANGE = (
    *("move", "reschedule", "schedule", "postpone", "delay", "shift", "push", "pull", "bring", "change", "update"),
    *("edit", "adjust", "modify", "amend", "correct", "fix", "rename", "retitle", "extend", "shorten", "lengthen"),
    *("put", "set", "add", "append", "insert", "include", "attach", "invite", "uninvite", "replace", "swap", "switch"),
    *("turn", "share", "assign", "repeat", "merge", "split", "reduce", "increase", "remove", "take … off", "plan"),
    *("make … longer", "make … shorter", "make … earlier", "make … later", "make … weekly", "bump", "defer"),
    *("mach … später", "mach … früher", "mach … länger", "mach … kürzer"),
    *("mache … später", "mache … früher", "mache … länger", "mache … kürzer"),
    *("verschiebe", "verschieb", "schiebe", "schieb", "verlege", "verleg", "ändere", "änder", "aktualisiere"),
    *("aktualisier", "bearbeite", "korrigiere", "korrigier", "ergänze", "ergänz", "verlängere", "verkürze", "kürze"),
    *("setze", "setz", "lege", "leg", "ersetze", "tausche", "teile", "benenne … um", "benenn … um", "plane … um"),
    *("ziehe … vor", "zieh … vor", "trage … ein", "trag … ein", "trage … nach", "trag … nach", "füge … hinzu"),
    *("füg … hinzu", "lade … ein", "lad … ein", "nimm … auf", "hänge … an", "häng … an", "passe … an", "pass … an"),
    *("… verschieben", "… verlegen", "… ändern", "… abändern", "… aktualisieren", "… bearbeiten", "… korrigieren"),
    *("… ergänzen", "… verlängern", "… verkürzen", "… kürzen", "… umbenennen", "… umplanen", "… vorziehen"),
    *("… vorverlegen", "… eintragen", "… nachtragen", "… hinzufügen", "… einladen", "… aufnehmen", "… anhängen"),
    *("… anpassen", "… ersetzen", "… tauschen", "… teilen", "… setzen", "… legen", "… schieben"),
    *("… umzubenennen", "… umzuplanen", "… vorzuziehen", "… vorzuverlegen", "… einzutragen", "… nachzutragen"),
    *("… hinzuzufügen", "… einzuladen", "… aufzunehmen", "… anzuhängen", "… anzupassen"),
)
"""For what is there to be another way."""

ANSWER = (
    *("accept", "decline", "refuse", "reject", "confirm", "answer", "reply", "respond", "rsvp", "attend", "join"),
    *("say yes", "say no", "turn … down", "turn down", "nimm … an", "lehne … ab", "lehn … ab", "sage … zu", "sag … zu"),
    *("sage … ab", "sag … ab", "bestätige", "bestätig", "antworte", "beantworte", "… annehmen", "… ablehnen"),
    *("… zusagen", "… absagen", "… bestätigen", "… antworten", "… beantworten", "… anzunehmen", "… abzulehnen"),
    *("… zuzusagen", "… abzusagen"),
)
"""For an invitation to be answered, in one way or another."""

ACCEPT = (
    *("accept", "say yes", "rsvp yes", "attend", "join", "confirm the", "confirm my", "confirm our", "confirm your"),
    *("reply yes", "answer yes", "respond yes", "answer … yes", "reply … yes", "respond … yes", "rsvp … yes"),
    *("nimm … an", "sage … zu", "sag … zu", "bestätige", "bestätig", "… annehmen", "… zusagen", "… bestätigen"),
    *("… anzunehmen", "… zuzusagen"),
)
"""For an invitation to be accepted."""

DECLINE = (
    *("decline", "refuse", "reject", "say no", "rsvp no", "turn … down", "turn down", "reply no", "answer no"),
    *("respond no", "answer … no", "reply … no", "respond … no", "rsvp … no", "lehne … ab", "lehn … ab"),
    *("sage … ab", "sag … ab", "… ablehnen", "… absagen", "… abzulehnen", "… abzusagen"),
)
"""For it to be declined."""

LEAVE_OPEN = (
    *("tentatively accept", "accept … tentatively", "answer maybe", "say maybe", "reply maybe", "answer … maybe"),
    *("reply … maybe", "respond … maybe", "rsvp … maybe", "mark … tentative", "mark … tentatively"),
    *("set … tentative", "sag … vielleicht", "sage … vielleicht", "antworte … vielleicht"),
    *("nimm … vorläufig an", "… vorläufig annehmen"),
)
"""For it to be left open."""

SEND = (
    *("send", "mail", "email", "message", "reply", "respond", "answer", "forward", "tell", "inform", "notify"),
    *("invite", "remind", "ask", "ping", "contact", "thank", "post", "share", "write to", "write back", "write them"),
    *("write her", "write him", "write everyone", "write everybody", "write all", "let … know", "get back to"),
    *("follow up", "schicke", "schick", "sende", "antworte", "beantworte", "leite … weiter", "leit … weiter"),
    *("informiere", "informier", "benachrichtige", "frage", "frag", "erinnere", "erinner", "sage", "sag", "maile"),
    *("gib … bescheid", "danke", "schreib an", "schreibe an", "schreib … zurück", "schreibe … zurück"),
    *("schreib allen", "schreibe allen", "schreib ihnen", "schreibe ihnen", "… schicken", "… senden", "… antworten"),
    *("… beantworten", "… weiterleiten", "… informieren", "… benachrichtigen", "… fragen", "… erinnern"),
    *("… mitteilen", "… anschreiben", "… zurückschreiben", "… weiterzuleiten", "… mitzuteilen"),
)
"""For a message to somebody."""

DISPATCH = (
    *("send", "mail", "email", "forward", "post", "share", "submit", "dispatch", "release", "fire off", "send off"),
    *("get … out", "schick", "schicke", "sende", "versende", "verschick", "verschicke", "maile", "leite … weiter"),
    *("… schicken", "… senden", "… abschicken", "… verschicken", "… versenden", "… absenden", "… rausschicken"),
)
"""For a draft to leave."""

MAKE = (
    *("create", "schedule", "book", "plan", "organise", "organize", "arrange", "set up", "set … up", "add", "invite"),
    *("reserve", "order", "buy", "pay", "refund", "transfer"),
    *("make … event", "make … meeting", "make … appointment", "make … reservation"),
    *("make … booking", "erstelle", "erstell", "plane", "plan", "buche", "buch", "reserviere", "organisiere"),
    *("vereinbare", "bestelle", "bestell", "lege … an", "leg … an", "lade … ein", "lad … ein", "… erstellen"),
    *("… anlegen", "… buchen", "… reservieren", "… organisieren", "… planen", "… vereinbaren", "… ausmachen"),
    *("… bestellen", "… einstellen", "… einladen", "… anzulegen", "… einzuladen"),
)
"""For something new."""

DESTROY = (
    *("cancel", "delete", "remove", "scrap", "call off", "call … off", "get rid of"),
    *("storniere", "stornier", "lösche", "lösch", "streiche", "streich", "entferne", "entfern"),
    *("sage … ab", "sag … ab", "… absagen", "… canceln", "… stornieren", "… löschen", "… streichen", "… entfernen"),
    *("… abzusagen",),
)
"""For something to be there no more."""

PARTICIPLES = {
    "verschoben": "verschieben",
    "verlegt": "verlegen",
    "vorverlegt": "vorverlegen",
    "vorgezogen": "vorziehen",
    "umgeplant": "umplanen",
    "geändert": "ändern",
    "angepasst": "anpassen",
    "verlängert": "verlängern",
    "verkürzt": "verkürzen",
    "gekürzt": "kürzen",
    "umbenannt": "umbenennen",
    "abgesagt": "absagen",
    "storniert": "stornieren",
    "gelöscht": "löschen",
    "gestrichen": "streichen",
}
"""What an infinitive that stands last is before “werden” in German."""

ANY = tuple(dict.fromkeys((*CHANGE, *ANSWER, *SEND, *MAKE)))
"""For anything but that."""

AWAY = (
    *("remove", "uninvite", "disinvite", "drop", "kick", "exclude", "strike", "take … off", "take off", "take … out"),
    *("throw … out", "cross … off", "replace", "swap", "delete", "entferne", "entfern", "lade … aus", "lad … aus"),
    *("streiche", "streich", "nimm … raus", "nimm … heraus", "nimm … runter", "wirf … raus", "ersetze", "tausche"),
    *("… entfernen", "… ausladen", "… streichen", "… rausnehmen", "… herausnehmen", "… rauswerfen", "… ersetzen"),
)
"""For somebody to take part no more."""

_NO_REACH = frozenset({"remove", "uninvite", "take … off"})
REACH = (
    *(verb for verb in dict.fromkeys((*SEND, *MAKE, *CHANGE)) if verb not in _NO_REACH),
    *("write", "draft", "compose", "introduce", "connect", "cc", "bcc", "copy", "give", "hand", "pass", "meet"),
    *("offer", "confirm", "warn", "assure", "congratulate", "apologise", "apologize", "wish", "explain", "suggest"),
    *("propose", "chase", "say hello", "say hi", "say yes", "say no", "say that", "say thanks", "say thank you"),
    *("reach out", "loop in"),
    *("loop … in", "keep … posted", "keep … loop", "get … loop", "put … touch", "find … time", "find … slot"),
    *("find … date", "block … hour", "block … minutes", "block … time", "prepare … mail", "prepare … email"),
    *("prepare … message", "prepare … reply", "prepare … answer", "prepare … draft", "make … mail", "make … call"),
    *("schreib", "schreibe", "verfasse", "entwirf", "formuliere", "grüß", "grüße", "warne", "kontaktiere", "gib"),
    *("bestätige", "mach … termin", "mache … termin", "finde … termin", "such … termin", "suche … termin"),
    *("schlag … vor", "stell … vor", "stelle … vor", "lass … wissen", "nimm … kopie", "setz … kopie", "setze … kopie"),
    *("… schreiben", "… sagen", "… geben", "… verfassen", "… entwerfen", "… formulieren", "… kontaktieren"),
    *("… vorschlagen", "… anbieten", "… bestätigen", "… zusagen", "… absagen", "… vorstellen", "… weitergeben"),
)
"""For anything that reaches somebody, a draft to them as well."""


def verbs_of(effect: EffectClass, named: Sequence[str]) -> Sequence[str]:
    """The verbs that ask for what a tool of this class does: those that it names, or else any; for what destroys
    something none.
    """
    return named or (() if effect is EffectClass.DESTRUCTIVE else ANY)
