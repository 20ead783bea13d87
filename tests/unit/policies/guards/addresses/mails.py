"""Mails as an assistant writes them for its owner, in English and German, with no address in them.

They hold what looks a little like one: abbreviations, times, dates, sums, versions, names of files and products.
`PROGRAMS` have what a mail program would make a link of, though nobody meant one.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

ENGLISH = (
    "Thanks for the quick reply, that helps a lot.",
    "Could we move our call to 10.30 a.m. on Thursday?",
    "I am free at 3 p.m., or any time after 4:30 pm.",
    "Please find the report attached (Q3_report_final.pdf).",
    "The offer comes to $1,250.00 incl. VAT, valid until 11/30/2026.",
    "As discussed, we will go with option B, i.e. the smaller room.",
    "Let me know if anything is missing, e.g. the floor plan.",
    "Version 2.1 of the contract replaces v2.0.3 from last week.",
    "Dr. Helen Marsh and Prof. Ito will join us from St. Gallen.",
    "The meeting is in Room 4.12, on the 4th floor.",
    "Our U.S. office opens at 9 a.m. local time, the U.K. one at 8.",
    "Apt. No. 5, 12 Fernhill Rd., is where the parcel should go.",
    "I spoke with Acme Inc. and with Marsh & Sons Ltd. about it.",
    "We agreed on net 30 days, approx. one month after delivery.",
    "To be honest... I expected a bit more. In the end it was fine.",
    "Is that OK for you? If so, I will book it.",
    "It rained all day. So we stayed in. Me too, by the way.",
    "She asked: can you send the slides (PPT or PDF) by Friday?",
    "The ratio is 3:1, and the score was 2.5 out of 5.",
    "P.S. Say hi to Tom. It was good to see him.",
    "Please call me on +44 20 7946 0958 or at extension 12.",
    "Fig. 2 and Tab. 3 show the difference; see p. 14 ff.",
    "Our Node.js service moves to Vue.js on Monday.",
    "The invoice no. is 2026-0412, our reference AB/12.3.",
    "We need approx. 5.5 kg, max. 20 x 30 cm.",
    "It works w/o changes, and/or with a small fix.",
    "I'll be out of office from Mon. to Wed., back on Dec. 3.",
    "Re: the budget - it is +12.5% vs. last year.",
    "Attached: minutes.docx, budget.xlsx and photo.jpeg.",
    "I read chapter 3.2.1 and have no comments.",
    "The train leaves at 18.05 from platform 7.",
    "We use C++ and C#, Python 3.11.7 and PostgreSQL 16.2.",
    "Nice work, all! You are the best. One more thing: cake.",
    "@Tom could you check this? #urgent",
    "The file is called data_2026.csv and has 1.2 million rows.",
    "Lunch at 12.15, then the tour; dress code: casual.",
    "My e-mail was down - please resend. It is up again now.",
    "The so-called 'dot plan' is done, on to the next one.",
    "Either way works. As you like. At the latest on Friday.",
    "The new office has a great view... us all included.",
    "Keep the receipts (hotel, taxi, etc.) for me.",
    "Temperature was -2.5 degrees C at 7 a.m.!",
    "Let's say 2-3 weeks; by then it's done.",
    "We paid EUR 3.400,50 instead of 3.500.",
    "From: London. To: Berlin. In between: a stop in Paris.",
    "What about Ms. Lee? No, she is away. Do ask Mr. Cho.",
    "The A/B test ran for 14 days; n = 1.024.",
    "It is a first draft - be kind. My best work comes later.",
    "You/we can decide tomorrow, no rush at all.",
    "Many thanks and best wishes,\nDana",
)
GERMAN = (
    "vielen Dank für die schnelle Antwort.",
    "können wir den Termin auf 10.30 Uhr verschieben?",
    "Anbei der Bericht (Bericht_Q3_final.pdf) und das Protokoll.docx.",
    "Das Angebot beträgt 1.250,00 € inkl. MwSt., gültig bis 30.11.2026.",
    "Wie besprochen nehmen wir Variante B, d.h. den kleineren Raum.",
    "Falls etwas fehlt, z.B. der Grundriss, melden Sie sich bitte.",
    "z. B. am Montag oder am Dienstag, je nachdem.",
    "Hr. Dr. Ing. Weber u.a. sind i.d.R. ab 9 Uhr da.",
    "Das gilt gem. § 5 Abs. 2 Nr. 3 BGB, s.o.",
    "Version 2.1 ersetzt die v2.0.3 von letzter Woche.",
    "Fernhill GmbH & Co. KG, Hauptstr. 12, 10115 Berlin.",
    "Bitte bis spätestens 3.12. zurückmelden.",
    "Am 24.12. ist geschlossen, vom 27.12. bis 30.12. geöffnet.",
    "Es war schön. In Berlin auch. So soll es sein.",
    "Ist das in Ordnung? Es wäre gut.",
    "Die Tel.-Nr. ist 030 1234567, Durchwahl 12.",
    "Der Raum 4.12 liegt im 4. OG links.",
    "Ca. 5,5 kg, max. 20 x 30 cm, zzgl. Versand.",
    "Das Protokoll vom 12.11. hängt an.",
    "Er kommt evtl. am Mittwoch, bzw. am Donnerstag.",
    "Usw. usf. - den Rest kennen Sie ja.",
    "Mit freundlichen Grüßen\ni.A. Dana Weber",
    "S. 14 ff. zeigt den Unterschied, vgl. Abb. 2.",
    "Die Rechnung Nr. 2026-0412 ist bezahlt.",
    "Wir brauchen noch Angaben zu Größe, Farbe etc. am besten heute.",
    "Der Zug fährt um 18.05 Uhr ab Gleis 7.",
    "Punkt eins ist erledigt, der Punkt in der Mitte noch nicht.",
    "Also: Treffen um 12.15 Uhr, danach Essen.",
    "Das kostet 3.400,50 EUR statt 3.500 EUR.",
    "Kommst du mit? Im Zweifel ja. Es lohnt sich.",
    "Frau Prof. Dr. med. Stein ist bis 15.1. in Urlaub.",
    "Die Datei heißt daten_2026.csv und hat 1,2 Mio. Zeilen.",
    "Bis Mo., den 7.12., reicht mir völlig.",
    "u.A.w.g. bis Ende der Woche",
    "Wir nutzen Node.js und Python 3.11.7 im Team.",
    "Hallo Tom,anbei wie gewünscht.Danke!",
    "Der Entwurf ist fertig.Bitte prüfen.",
    "Es geht um Kap. 3.2.1 und Anl. 4.",
    "Stand: 28.11.2026, 14:05 Uhr (MEZ)",
    "P.S.: Grüße an alle!",
)
PROGRAMS = (
    "We moved the service to ASP.NET last year.",
    "The fix is in main.py, line 12.",
    "I attached README.md for you.",
    "The photos are in photos.zip.",
)
"""What a mail program makes a link of, though the words mean none."""

NO_SPACE = ("Das passt mir gut.So machen wir das.", "Wir sehen uns.Am Montag dann.", "Done.In short: it works.")
"""The end of a sentence without its space: any program that finds links finds one here."""

_GREETINGS = ("Hi Tom,", "Dear Ms. Lee,", "Hello all,", "Hallo Frau Weber,", "Lieber Tom,", "Guten Tag Hr. Dr. Stein,")
_ENDINGS = ("Best,\nDana", "Kind regards\nDana Weber, M.Sc.", "Viele Grüße\nDana", "Beste Grüße\ni.V. D. Weber")


def mails(count: int) -> Iterator[str]:
    """So many mails of three to seven sentences, the same ones each time; each sentence is in some of them."""
    chance = random.Random(2026)
    for number, sentences in zip(range(count), itertools.cycle((ENGLISH, GERMAN)), strict=False):
        yield _mail(chance, sentences, sentences[number // 2 % len(sentences)])


def _mail(chance: random.Random, sentences: Sequence[str], one: str) -> str:
    body = [*chance.sample(sentences, chance.randint(2, 6)), one]
    chance.shuffle(body)
    parts = [chance.choice(_GREETINGS), "", chance.choice((" ", "\n", "\n\n")).join(body), "", chance.choice(_ENDINGS)]
    return "\n".join(parts)
