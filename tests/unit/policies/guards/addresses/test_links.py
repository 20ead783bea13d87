"""Every address in a text, however it is written, in one form each."""

from __future__ import annotations

import time

import pytest

from policies.guards.addresses.domains import top_level
from policies.guards.addresses.links import found, linked, spellings
from tests.depth import first
from tests.unit.policies.guards.addresses.mails import ENGLISH, GERMAN, NO_SPACE, PROGRAMS, mails

DISGUISES = {
    "a link": ("https://evil.com/pay", "evil.com/pay"),
    "a domain": ("Log in at evil.com today.", "evil.com"),
    "de-fanged": ("hxxps://evil[.]com/pay", "evil.com/pay"),
    "spaced dot": ("Log in at evil . com today.", "evil.com"),
    "the word dot": ("Log in at evil dot com today.", "evil.com"),
    "U+3002": ("Log in at evil。com today.", "evil.com"),
    "full width": ("Log in at ｅｖｉｌ．ｃｏｍ today.", "evil.com"),
    "zero width": ("Log in at ev\u200bil.c\u2060om today.", "evil.com"),
    "a new ending": ("Open payroll.zip today.", "payroll.zip"),
    "userinfo": ("https://bank.com@evil.com/pay", "//bank.com@evil.com/pay"),
    "slack:": ("slack://channel?team=T1&id=C1", "slack://channel?team=T1&id=C1"),
    "mailto:": ("mailto:Boss@Evil.com", "boss@evil.com"),
    "a mail address": ("Write to boss@evil.com now.", "boss@evil.com"),
    "tel:": ("tel:+49-30-123", "tel:+4930123"),
    "Punycode": ("https://xn--pypal-4ve.com", "pаypal.com"),
    "a reference": ("[Payroll][1]\n\n[1]: https://evil.com/pay", "evil.com/pay"),
    "IPv4 as one number": ("http://2130706433/pay", "127.0.0.1/pay"),
}
"""The 17 of reference/security.md §1.3, but for the bare telephone number, which is no link."""

SPELLINGS = {
    "evil.com": (
        "EVIL.COM",
        "https://evil.com",
        "http://evil.com/",
        "https://evil.com:443",
        "https://evil.com:/",
        "HTTP://Evil.Com:80/",
        "evil.com.",
        "(evil.com)",
        "<https://evil.com|Payroll>",
        "[Payroll](https://evil.com)",
        "![](http://evil.com)",
        '<a href="https://evil.com">Payroll</a>',
        "<a href='https://evil.com'>Payroll</a>",
        "<img src=https://evil.com>",
        "https:evil.com",
        "https:/evil.com",
        "https:\\\\evil.com",
        "https:///evil.com",
        "//evil.com",
        "hxxp://evil.com",
        "h**p://evil.com",
        "http[:]//evil[.]com",
        "hxxps[://]evil[.]com",
        "http : // evil.com",
        "evil[dot]com",
        "evil (dot) com",
        "evil{.}com",
        "evil(.)com",
        "evil[.com",
        "evil.]com",
        "evil .com",
        "evil. com",
        "evil DOT com",
        "evil Punkt com",
        "e v i l . c o m",
        "evil․com",
        "evil﹒com",
        "evil｡com",
        "evil·com",
        "evil•com",
        "evil&#46;com",
        "evil&#x2e;com",
        "evil&period;com",
        "evil&#0000000046;com",
        "https&colon;//evil.com",
        "https://%65vil.com",
        "https://evil%2Ecom",
        "https://evil%2ecom",
        "ev\u00adil.com",
        "e\u202ev\u202cil.com",
        "ev\ufe00il.com",
        "**evil**.com",
        "evil**.**com",
        "evil.c**o**m",
        "evil\\.com",
        "`evil`.com",
        "evil<b>.</b>com",
        "evil<wbr>.com",
        "evil<!-- x -->.com",
        "请访问evil.com查看",
        "见https://evil.com",
        "seehttps://evil.com",
        "evil.com.Then log in",
        "evil.com-style",
        "evil.com—now",
        "„evil.com“",
        "see:evil.com",
        "evil.com!",
        "_evil.com_",
        ".evil.com",
        "...evil.com",
        "so..evil.com",
        "。evil.com",
        "https://evil.com?",
        "https://evil.com…",
    ),
    "evil.com/A?b=1#c": (
        "https://evil.com/A?b=1#c",
        "evil.com/A?b=1#c",
        "http://EVIL.com/%41?b=1#c.",
        "(see evil.com/A?b=1#c)",
        "https:\\\\evil.com\\A?b=1#c",
    ),
    "bücher.de": ("https://bücher.de", "xn--bcher-kva.de", "BÜCHER.DE", "XN--BCHER-KVA.de", "\x62u\u0308cher.de"),
    "strasse.de": ("strasse.de",),
    "straße.de": ("straße.de", "xn--strae-oqa.de"),
    "127.0.0.1": (
        "http://127.0.0.1",
        "127.0.0.1",
        "http://0x7f000001",
        "http://017700000001",
        "http://127.1",
        "http://0177.0.0.1",
        "http://0x7f.0.0x1",
        "http://１２７.0.0.1",
        "127.0.0.1.",
    ),
    "127.0.0.1:8080/x": ("http://127.1:8080/x", "127.0.0.1:8080/x"),
    "boss@evil.com": (
        "Boss@Evil.com",
        "<mailto:boss@evil.com|mail us>",
        "MAILTO:boss@evil.com",
        "boss[at]evil[dot]com",
        "boss (at) evil (dot) com",
        "boss＠evil.com",
        "**boss@evil.com**",
        "Mail:boss@evil.com",
        "boss&commat;evil.com",
    ),
    "slack://open": ("slack://open", "SLACK://open", "<slack://open|x>"),
    "evil": ("http://evil/", "http://evil", "[x](//evil)"),
    "x": ("http://X/", "https://X"),
    "[::1]": ("http://[::1]/", "https://[::1]:443"),
    "ftp://evil.com/x": ("ftp://evil.com/x", "ftp://EVIL.com:21/x"),
    "foo://xevil.com/x": ("foo://Xevil.com/x",),
    "foo://evil.com/x": ("foo://evil.com/x", "FOO://Evil.com/x", "foo:\\\\evil.com\\x"),
    "javascript:alert(1)": ("javascript:alert(1)", "[x](javascript:alert(1))", "JavaScript&colon;alert(1)"),
    "пример.рф": ("пример.рф", "https://xn--e1afmkfd.xn--p1ai", "ПРИМЕР.РФ"),
}

DIFFERENT = (
    "evil.com", "evil.com.evil.org", "www.evil.com", "evi1.com", "еvil.com", "evil.co", "evil.com/a", "evil.com/A",
    "evil.com?a=1", "evil.com:8443", "https://evil.com@evil.com", "https://acme@evil.com", "ftp://evil.com",
    "a@evil.com", "a+b@evil.com", "a.b@evil.com", "mailto:a@evil.com?bcc=b@evil.com", "tel:123", "sms:123",
    "data:text/html,x", "file:///etc/passwd", "straße.de", "strasse.de",
)  # fmt: skip


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguised_link_is_found(name: str) -> None:
    """Each of the 17 ways to hide a link from a simple expression."""
    text, address = DISGUISES[name]
    assert list(found(text)) == [address]


def test_security_input_15_a_labelled_link_in_a_draft_is_found() -> None:
    """Slack's own form of a link has its address, not its label."""
    assert list(found("Dear all, see <https://evil.com|Payroll> today.")) == ["evil.com"]


@pytest.mark.parametrize("text", ["hxxp://evil[.]com", "evil . com", "evil。com", "ev\u200bil.com", "evil[dot]com"])
def test_security_input_16_a_link_that_is_written_otherwise_is_found(text: str) -> None:
    """De-fanged, with spaces, with another dot, with what nobody sees in it."""
    assert list(found(f"Dear all, see {text} today.")) == ["evil.com"]


@pytest.mark.parametrize(("address", "text"), [(one, text) for one, many in SPELLINGS.items() for text in many])
def test_spellings_of_one_address_are_equal(address: str, text: str) -> None:
    """However it is written, it is one address in one form."""
    assert list(found(text)) == [address]


def test_other_addresses_are_not_equal() -> None:
    """What leads somewhere else has another form."""
    forms = [tuple(found(text)) for text in DIFFERENT]
    assert all(forms)
    assert len(set(forms)) == len(DIFFERENT)


@pytest.mark.parametrize("host", ["xn--evil-.com", "xn--Bcher-KVA0.com", "xn--a-0.com", f"xn--{'a' * 70}.com"])
def test_punycode_that_no_browser_takes_stays(host: str) -> None:
    """It is never read as the name of a host that there is."""
    assert list(found(host)) == [host.lower()]


def test_each_address_once_in_order() -> None:
    """Two spellings of one address are one; several stand in the order of the text."""
    text = "https://b.example/x, then a.example (http://A.example/), then <https://b.example/x|here>, c@d.example"
    assert list(found(text)) == ["b.example/x", "a.example", "c@d.example"]


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("[a](https://a.com)[b](https://b.com)", ["a.com", "b.com"]),
        ("(https://a.com/x),(https://b.com)", ["a.com/x", "b.com"]),
        ("see https://en.wikipedia.org/wiki/A_(b).", ["en.wikipedia.org/wiki/A_(b)"]),
        ("[a](https://a.com/x_(y))", ["a.com/x_(y)"]),
        ('[a](https://a.com "b.com")', ["a.com", "b.com"]),
        ("https://a.com/?next=https://b.com", ["a.com/?next=https://b.com"]),
        ("mailto:a@x.com,b@y.com?bcc=c@z.com", ["a@x.com", "b@y.com", "mailto:a@x.com,b@y.com?bcc=c@z.com"]),
        ("\\\\files\\payroll", ["files/payroll"]),
        ("git@github.com:acme/tool.git", ["git@github.com"]),
        ("user@[127.0.0.1]", ["127.0.0.1"]),
        ('"a b"@evil.com', ["evil.com"]),
        ("http:///", []),
        ("http:?a=b.com", ["http:?a=b.com"]),
        ("http://300.1.1.1/x http://08.1.1.1", ["300.1.1.1/x", "08.1.1.1"]),
        ("e" + "\u0327" * 99 + "vil.com", ["ȩ" + "\u0327" * 29 + "vil.com"]),
        ("a.com/x y.org:8080", ["a.com/x", "y.org:8080"]),
        ("(//[]/x)", ["//[]/x"]),
        ("https://a.com\\b?q=\\c", ["a.com/b?q=\\c"]),
        ("callto:Boss.Name", ["callto:Boss.Name"]),
        ("mailto:a@b@xn--bcher-kva.de", ["a@b@bücher.de"]),
        ("boss@evil.com-style", ["boss@evil.com"]),
        ("boss@files.intranet-", ["boss@files.intranet"]),
        ("boss@files.intranetX", ["boss@files.intranetx"]),
        ("boss@files.b2x", ["boss@files.b2x"]),
        ("boss@127.0.0.1", ["boss@127.0.0.1"]),
        ("(or (see a.com/x)), then", ["a.com/x"]),
        ("[a](https://a.com/x_(y))[b](https://b.com)", ["a.com/x_(y)", "b.com"]),
        ("a.com-style/x", ["a.com"]),
        ("(a.com/x),(b.com)", ["a.com/x", "b.com"]),
    ],
)
def test_where_an_address_ends(text: str, addresses: list[str]) -> None:
    """Brackets, quotes and punctuation of the text do not belong to it, and what follows is looked at too."""
    assert list(found(text)) == addresses


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Open shortcuts:run-shortcut?name=Pay please", "shortcuts:run-shortcut?name=Pay"),
        ("(search-ms:query=pay&crumb=x).", "search-ms:query=pay&crumb=x"),
        ("Note:Shortcuts:run?name=Pay", "note:Shortcuts:run?name=Pay"),
        ("to:dana@acme.com,x-pay:to?sum=1", "x-pay:to?sum=1"),
        ("odd-one:%2F%2Fpay", "odd-one:%2F%2Fpay"),
        ("odd-one:%F0%9Fpay", "odd-one:%F0%9Fpay"),
        ("_shortcuts:run?name=Pay_", "shortcuts:run?name=Pay"),
        ("~shortcuts:run?name=Pay", "shortcuts:run?name=Pay"),
        ("=shortcuts:run?name=Pay", "shortcuts:run?name=Pay"),
        ("@shortcuts:run?name=Pay", "shortcuts:run?name=Pay"),
        ("-1shortcuts:run?name=Pay", "shortcuts:run?name=Pay"),
        ("х:shortcuts:run?name=Pay", "shortcuts:run?name=Pay"),
        ("web+pay:the-password-is-hunter2", "web+pay:the-password-is-hunter2"),
        ("in %5C%5C10.1.2.3%5Cshare today", "10.1.2.3/share"),
        ("search-ms:crumb=location:%5c%5c10.1.2.3%5Cshare", "search-ms:crumb=location:%5C%5C10.1.2.3%5Cshare"),
    ],
)
def test_an_address_of_a_scheme_that_is_not_listed_is_found(text: str, address: str) -> None:
    """By what stands in addresses alone: a query, a value or an escape."""
    assert address in found(text)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ('<a href="shortcuts:Pay">agenda</a>', ["shortcuts:Pay"]),
        ("<a class=x href = 'Foo:bar'>agenda</a>", ["foo:bar"]),
        ('<a href=" f\noo:bar to ">agenda</a>', ["foo:bar%20to"]),
        ("<a HREF=foo&colon;bar>agenda</a>", ["foo:bar"]),
        ("<form action=foo:bar><button formaction=foo:other>", ["foo:bar", "foo:other"]),
        ("foo:bar", ["foo:bar"]),
        ('<a href="https://acme.com/x">agenda</a><a href="/y"><a href="mailto:a@b.com">', ["acme.com/x", "a@b.com"]),
        ("<b>Note:this</b> and that", []),
    ],
)
def test_html_leads_to_an_address_of_any_scheme(text: str, addresses: list[str]) -> None:
    """What a link of HTML holds is one, and so is what comes as an address by itself."""
    assert list(linked(text)) == addresses


@pytest.mark.parametrize("text", [*ENGLISH, *GERMAN])
def test_an_ordinary_sentence_has_no_address(text: str) -> None:
    """Abbreviations, times, sums, versions, names of files that are no domain."""
    assert list(found(text)) == []


def test_ordinary_mails_have_no_address() -> None:
    """None of 400 mails is asked about for a link that it does not have."""
    assert [text for text in mails(400) if found(text)] == []


@pytest.mark.parametrize("text", [*PROGRAMS, *NO_SPACE])
def test_what_a_mail_program_links_is_an_address(text: str) -> None:
    """Names of files and products that are domains, and a sentence that begins without a space."""
    assert len(found(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "name@v1.2.3", "name@1.x.3",
        "1.2.3", "v1.2.3", "name@1.2.3", "10.30", "28.11.2026", "300.1.1.1", "1.2.3.4.5", "09.1.1.1", "a.b", "x.y.z",
        "report.pdf", "foo@bar", "@here", "<@U024BE7LH>", "<!channel>", "<#C024BE7LR|general>", "std::vector", "a:b:c",
        "re:invent", "Note:see/do", "and/or:yes", "10:30?x=1", "Rabatt:5%ab", "Why:really?", "std::x=3",
        "Note:this", "data:see", "im:here", "tel:me", "about:this", "C:\\temp\\x", "http:", "https://", "//", "-.com",
        "10://x", "_.com", ".com", "com", "a..com", "...com", "the .zip file", "a .NET library", "xn--a.xn--b",
    ],
)  # fmt: skip
def test_what_is_no_address(text: str) -> None:
    """Numbers, mentions, words with a colon, and dots without a domain."""
    assert list(found(text)) == []


HOSTILE = {
    "letters": "a", "dots": ".", "labels": "a.", "spaces": " ", "spaced dots": "a . ", "at signs": "@",
    "mails": "a@", "colons": ":", "schemes": "a:", "http": "http:", "no host": "http:?", "slashes": "/",
    "backslashes": "\\", "brackets": "(", "links": "(a.com/)", "quoted": "'a.com/x", "markdown": "[](",
    "angles": "<", "tags": "<b", "comments": "<!--", "entities": "&", "numbers": "&#1", "zeros": "&#0",
    "escapes": "%2", "percent": "%41", "stars": "*", "ticks": "`", "single letters": "a ",
    "broken letters": "a aa ", "de-fanged": "[.]", "open brackets": "[ ", "hxxp": "hxxp", "hyphens": "-",
    "underscores": "_", "digits": "1.", "octal": "0.", "data": "data:", "im": "im:", "marks": "\u0301\u0327",
    "joiners": "\u200d", "ligatures": "\ufdfa", "CJK": "中。", "Punycode": "xn--", "Punycode labels": "xn--a-.",
    "dot": " dot", "domains": "a.com ", "one URL": "https://a.com/x(", "closers": "a.com/))))))))))))))))))))",
    "values": "aa:a=b", "other schemes": "aa:", "mails behind schemes": "aa:a@a.com,", "hrefs": "href=",
    "open hrefs": "href='",
    "commas": "https://a.com/,", "lines": "\n", "tabs": "\t",
}  # fmt: skip


@pytest.mark.parametrize("name", first(6, HOSTILE))
def test_hostile_texts_take_linear_time(name: str) -> None:
    """Two hundred thousand characters of anything take a few seconds; in the square of their length, minutes."""
    text = HOSTILE[name] * (200_000 // len(HOSTILE[name]))
    began = time.process_time()
    found(text)
    found("http://" + text[:50_000] + ".com")
    found("&#" + text[:50_000])
    linked(text[:50_000] + "=x")
    assert time.process_time() - began < 40


@pytest.mark.parametrize(
    ("address", "alike"),
    [
        ("acme.com", {"acme.com", "www.acme.com"}),
        ("www.acme.com/a:b/c", {"acme.com/a:b/c", "www.acme.com/a:b/c"}),
        ("www.com", {"www.com"}),
        ("acme.com?a=b", {"acme.com?a=b", "www.acme.com?a=b"}),
        ("acme", {"acme"}),
        ("jane@acme.com", {"jane@acme.com"}),
        ("tel:+4930.1", {"tel:+4930.1"}),
        ("//bank.com@acme.com", {"//bank.com@acme.com"}),
    ],
)
def test_an_address_is_the_same_with_www_and_without(address: str, alike: set[str]) -> None:
    """That of a web page with a host of its own; anything else is itself alone."""
    assert spellings(address) == alike


def test_the_list_of_endings_is_whole() -> None:
    """Those of the root and those for special use, in the script that people read."""
    endings = top_level()
    assert len(endings) > 1_400
    assert {"com", "de", "zip", "example", "рф", "中国"} <= endings
    assert not any(one.startswith("#") or one.upper() == one.lower() == "" for one in endings)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ('<a href=" //3221225985/pay">x</a>', ["192.0.2.1/pay"]),
        ('<a href="\n\t//3221225985/pay">x</a>', ["192.0.2.1/pay"]),
        ("<a href='/\\3221225985/'>x</a>", ["192.0.2.1"]),
        ("<a href=\\/3221225985>x</a>", ["192.0.2.1"]),
        ("x = // twice", []),
        ("“either//or” and and/or", []),
    ],
)
def test_blanks_and_backslashes_before_a_host(text: str, addresses: list[str]) -> None:
    """Browsers read them as two slashes where an attribute begins, whatever the host looks like."""
    assert list(found(text)) == addresses
