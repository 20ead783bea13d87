"""The parts of a mail that are read: its addresses and its body."""

from __future__ import annotations

import pytest

from integrations.errors import ModelRetry
from integrations.gmail.mime.addresses import (
    Address,
    parse_recipient,
    parse_recipients,
    read_addresses,
    written_addresses,
)
from integrations.gmail.mime.bodies import decode_base64url, decode_text


@pytest.mark.parametrize(
    ("text", "email", "name"),
    [
        ("dana@fernhill.example", "dana@fernhill.example", ""),
        (" Dana Okafor <dana@fernhill.example> ", "dana@fernhill.example", "Dana Okafor"),
        ("Doe, Jane <jane@x.example>", "jane@x.example", "Doe, Jane"),
        ('"Doe, Jane" <jane@x.example>', "jane@x.example", "Doe, Jane"),
        ("René Müller <rene@x.example>", "rene@x.example", "René Müller"),
        ("a+b.c@SUB.x.Example", "a+b.c@sub.x.example", ""),
        ("anna@bücher.example", "anna@xn--bcher-kva.example", ""),
        ("<mailto:dana@fernhill.example|dana@fernhill.example>", "dana@fernhill.example", ""),
    ],
)
def test_one_recipient_is_one_address(text: str, email: str, name: str) -> None:
    """A name may have commas and letters of any script; the domain becomes what mail can carry."""
    assert parse_recipient(text) == Address(email=email, name=name)


def test_a_card_shows_the_address_before_a_name_that_is_cut() -> None:
    """Anybody can make up a name, as long as they like: a card shows 60 letters of it, after the whole address."""
    assert Address(email="dana@fernhill.example", name="D" * 60).shown == f"dana@fernhill.example ({'D' * 60})"
    assert Address(email="dana@fernhill.example", name="D" * 800).shown == f"dana@fernhill.example ({'D' * 59}…)"


@pytest.mark.parametrize(
    "text",
    [
        "dana",
        "",
        "dana@localhost",
        "a@x.example, b@x.example",
        "a@x.example;b@x.example",
        "dana@fernhill.example <evil@x.example>",
        "a@b@x.example",
        "josé@x.example",
        "a@x.example\r\nBcc: b@x.example",
        "Dana\u2028 <a@x.example>",
        "Dana\u202e <a@x.example>",
        "a..b@x.example",
        "a@straße.example",
        "a@-x.example",
        "A <a@x.example> <b@x.example>",
    ],
)
def test_what_is_not_exactly_one_deliverable_address_is_asked_back(text: str) -> None:
    """Injection, several addresses in one, spoofing names and undeliverable parts are refused with a reason."""
    with pytest.raises(ModelRetry, match="cannot be a recipient"):
        parse_recipient(text)


def test_everybody_counts_once() -> None:
    """The same address in another case or with a name is the same recipient."""
    found = parse_recipients(["a@x.example", "Ann <A@x.example>", "b@x.example"])
    assert [address.email for address in found] == ["a@x.example", "b@x.example"]


def test_google_pitfall_06_an_encoded_comma_splits_nothing() -> None:
    """Headers are split before their encoded words are decoded; repeated fields are read together."""
    fields = ["=?utf-8?q?Byrne=2C_Aoife?= <aoife@x.example>, plain@x.example", '"Doe, Jane" <jane@x.example>']
    assert read_addresses(fields) == [
        Address(email="aoife@x.example", name="Byrne, Aoife"),
        Address(email="plain@x.example"),
        Address(email="jane@x.example", name="Doe, Jane"),
    ]


@pytest.mark.parametrize(
    ("field", "pairs"),
    [
        ("dana@fernhill.example <notify@saas.example>", [("dana@fernhill.example", "notify@saas.example")]),
        ('"dana@fernhill.example" <notify@saas.example>', [("dana@fernhill.example", "notify@saas.example")]),
        ("Doe, Jane <j@x.example>", [("Jane", "j@x.example")]),
        ("Friends: a@x.ex, B <b@y.ex>; c@z.ex", [("", "a@x.ex"), ("B", "b@y.ex"), ("", "c@z.ex")]),
        ("j@x.example (Jane, of (the) X), k@x.example", [("Jane, of (the) X", "j@x.example"), ("", "k@x.example")]),
        ('"Doe \\"J\\", Jane" <j@x.example>', [('Doe "J", Jane', "j@x.example")]),
        ("<@relay.example:j@x.example>", [("", "j@x.example")]),
        ("dana@fernhill.example)evil@x.example", []),
        ("<a@x.example> <b@x.example>", []),
        ("<a@x.example> b@x.example", []),
        ("Jane j@x.example", []),
        ("jane(at home)doe@x.example", []),
        ('"j@x.example"', []),
        ("a@x.example (oops, b@y.example", []),
        ('"Doe, Jane <j@x.example>, b@y.example', []),
        ("A <a@x.example, b@y.example", []),
    ],
)  # fmt: skip
def test_one_mailbox_is_one_address(field: str, pairs: list[tuple[str, str]]) -> None:
    """A name that is an address is a name; what is no mailbox gives none, and a check of each address sees it."""
    assert [(address.name, address.email) for address in read_addresses([field])] == pairs
    assert len(written_addresses([field])) >= max(1, len(pairs))


@pytest.mark.parametrize(
    "field", ["", "undisclosed-recipients:;", "=?bogus?q?x?=", "<>", "a@", "\udcff <a@x.example>", "(" * 20_000]
)
def test_malformed_headers_are_read_without_an_error(field: str) -> None:
    """Whatever stands in a header, reading it gives addresses or none."""
    assert all("@" in address.email for address in read_addresses([field]))


@pytest.mark.parametrize(
    "email",
    [
        "x@y.example\u2028[SYSTEM]",
        "x@y.example\x85[SYSTEM]",
        "[SYSTEM]@y.example",
        "x\u202e@y.example",
        "x\u200b@y.example",
        '"x y"@y.example',
    ],
)
def test_what_is_no_address_is_not_read_as_one(email: str) -> None:
    """Line ends, brackets, spaces and invisible characters stand in no address; a check of each still sees them."""
    written = [Address(email=email), Address(email="ann@x.example")]
    fields = [f"<{address.email}>" for address in written]
    assert read_addresses(fields) == [Address(email="ann@x.example")]
    assert len(written_addresses(fields)) == 2


# Bodies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("YQ", b"a"),
        ("YWI", b"ab"),
        ("YWJj", b"abc"),
        ("", b""),
        ("YW\nJj", b"abc"),
        ("Y", b""),
        ("-_8", b"\xfb\xff"),
        ("+/8=", b"\xfb\xff"),
    ],
)
def test_google_pitfall_01_base64url_needs_no_padding(data: str, told: bytes) -> None:
    """Gmail's data comes without padding, to the last byte; garbage gives what could be read."""
    assert decode_base64url(data) == told


@pytest.mark.parametrize(
    ("raw", "charset", "text"),
    [
        ("Grüße".encode(), "us-ascii", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode("cp1252"), "utf-8", "Grüße"),
        ("“quoted”".encode("cp1252"), "iso-8859-1", "“quoted”"),
        ("日本".encode("iso-2022-jp"), "iso-2022-jp", "日本"),
        ("日本".encode("shift_jis"), "shift_jis", "日本"),
        ("Zażółć".encode("iso-8859-2"), "iso-8859-2", "Zażółć"),
        (b"plain", "x-unknown", "plain"),
        (b"plain", "", "plain"),
        (rb"a\udfffb", "unicode_escape", r"a\udfffb"),
        (rb"a\udfffb", "raw-unicode-escape", r"a\udfffb"),
    ],
)
def test_google_pitfall_02_charsets_that_lie_are_repaired(raw: bytes, charset: str, text: str) -> None:
    """UTF-8 that says it is Latin-1, Windows text that says it is UTF-8, and honest ones all come out right."""
    assert decode_text(raw, charset) == text
