"""Hosts: the one form of each, as a browser reads it."""

from __future__ import annotations

import pytest

from policies.guards.addresses.domains import domain_in, in_letters, one_form


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0", "0.0.0.0"),
        ("0x", "0.0.0.0"),
        ("255.1", "255.0.0.1"),
        ("1.2.65535", "1.2.255.255"),
        ("1.16777215", "1.255.255.255"),
        ("4294967295", "255.255.255.255"),
        ("255.255.255.255", "255.255.255.255"),
        ("0x7F.0X1", "127.0.0.1"),
        ("010.07", "8.0.0.7"),
        ("01234567", "0.5.57.119"),
        ("000000000177", "0.0.0.127"),
    ],
)
def test_numbers_are_the_ip_address_that_a_browser_reads(host: str, address: str) -> None:
    """One to four of them, decimal, octal or hexadecimal; the last one fills up (URL standard, "IPv4 parser")."""
    assert one_form(host) == address


@pytest.mark.parametrize(
    "host",
    [
        *("256.1", "1.2.3.256", "1.2.65536", "1.16777216", "4294967296", "1.2.3.4.0", "1.2.3.4.5.0", "08.1", "1.x"),
        *("0xg", "x.1", "0000000000177", "1.2.3.4a"),
    ],
)
def test_other_numbers_are_no_ip_address(host: str) -> None:
    """Too large, too many, with other digits, or longer than anybody writes them."""
    assert one_form(host) == host


@pytest.mark.parametrize(
    ("run", "domain"),
    [
        ("255.255.255.255", "255.255.255.255"),
        ("256.1.1.1", ""),
        ("1.1.1.257", ""),
        ("acme.comX", ""),
        ("acme.com-like-that", "acme.com"),
        ("acme.com_a-b", "acme.com"),
        ("见acme.com看", "acme.com"),
    ],
)
def test_the_domain_in_a_run_of_labels(run: str, domain: str) -> None:
    """Up to the last top-level domain, also before a hyphen; four numbers below 256."""
    assert domain_in(run) == domain


def test_what_is_no_text_in_a_host_stays_a_host() -> None:
    """Bytes that are no UTF-8 are replaced, as browsers do."""
    assert one_form("evil%ff.com") == "evil\ufffd.com"


def _label(letters: int) -> str:
    return "xn--" + ("a" * letters + "ü").encode("punycode").decode("ascii")


def test_punycode_is_read_in_labels_of_a_length_that_there_is() -> None:
    """63 characters at most (RFC 1035 §2.3.4)."""
    longest = next(letters for letters in range(63) if len(_label(letters)) == 63)
    assert one_form(f"{_label(longest)}.com") == f"{'a' * longest}ü.com"
    longer = f"{_label(longest + 1)}.com"
    assert one_form(longer) == longer


@pytest.mark.parametrize("letters", ["bÜcher", "i❤", "straßeﬁ"])
def test_punycode_of_what_is_in_no_name_is_not_read(letters: str) -> None:
    """Capital letters, signs, and letters that stand for others: no browser takes them."""
    host = "xn--" + letters.encode("punycode").decode("ascii").lower() + ".com"
    assert one_form(host) == host


def test_punycode_that_is_written_otherwise_than_browsers_do_is_not_read() -> None:
    """The domain of an address stands behind its last @."""
    assert in_letters('"a@b"@xn--bcher-kva.example') == '"a@b"@bücher.example'
    assert in_letters("a@xn--bcher-KVA.example") == "a@xn--bcher-KVA.example"
