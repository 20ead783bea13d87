"""Secrets: sealed with their row, signed, and never shown."""

from __future__ import annotations

import base64
import errno
import html
import json
import stat
import time
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.redaction import REDACTED, Redactor, as_json
from bot.secrets import (
    BadKey,
    BadKeyFile,
    CannotOpen,
    KeyRing,
    NoKeyFile,
    OpenKeyFile,
    add_to_key_file,
    key_file,
    new_key,
)
from tests.depth import first

OLD, NEW = new_key(), new_key()


def test_only_the_same_row_opens_a_secret() -> None:
    """What was sealed for one row opens for that row, and for no other one."""
    keys = KeyRing([NEW])
    sealed = keys.seal("grüße", bound_to="row 1")
    assert keys.open(sealed, bound_to="row 1") == "grüße"
    with pytest.raises(CannotOpen):
        keys.open(sealed, bound_to="row 2")


def test_equal_secrets_look_different() -> None:
    """Nobody sees from two ciphertexts that they hold the same."""
    keys = KeyRing([NEW])
    assert len({keys.seal("same", bound_to="row") for _ in range(50)}) == 50
    assert "same" not in keys.seal("same", bound_to="row")


@pytest.mark.parametrize("part", [1, 2, 3], ids=["key id", "nonce", "ciphertext"])
def test_a_changed_ciphertext_does_not_open(part: int) -> None:
    """One changed character anywhere is noticed."""
    keys = KeyRing([NEW])
    parts = keys.seal("secret", bound_to="row").split(":")
    first = "A" if parts[part][0] != "A" else "B"
    parts[part] = first + parts[part][1:]
    with pytest.raises(CannotOpen):
        keys.open(":".join(parts), bound_to="row")


@pytest.mark.parametrize("text", ["", "v1", "v1:::", "v2:a:b:c", "nothing of ours"])
def test_what_is_no_ciphertext_does_not_open(text: str) -> None:
    """Anything else is refused in the same way."""
    with pytest.raises(CannotOpen):
        KeyRing([NEW]).open(text, bound_to="row")


def test_a_retired_key_still_opens_and_checks() -> None:
    """The newest key seals and signs, older ones open and check, a key that is gone does neither."""
    before, now, other = KeyRing([OLD]), KeyRing([NEW, OLD]), KeyRing([NEW])
    sealed, (key_id, mac) = before.seal("secret", bound_to="row"), before.mac(b"body")
    assert now.open(sealed, bound_to="row") == "secret"
    assert now.check_mac(b"body", key_id, mac)
    assert now.mac(b"body")[0] == other.mac(b"body")[0] != key_id
    assert not other.check_mac(b"body", key_id, mac)
    with pytest.raises(CannotOpen, match="ENCRYPTION_KEYS"):
        other.open(sealed, bound_to="row")


def test_a_mac_is_of_these_bytes_under_this_key() -> None:
    """Other bytes, or another key of the ring, do not have it."""
    keys = KeyRing([NEW, OLD])
    key_id, mac = keys.mac(b"body")
    assert keys.check_mac(b"body", key_id, mac)
    assert not keys.check_mac(b"bodY", key_id, mac)
    assert not keys.check_mac(b"body", KeyRing([OLD]).mac(b"")[0], mac)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "short",
        base64.urlsafe_b64encode(bytes(31)).decode(),
        "not base64 ü",
        base64.urlsafe_b64encode(bytes(32)).decode()[:-2],
    ],
    ids=["nothing", "short", "31 bytes", "no base64", "cut"],
)
def test_a_bad_key_is_refused_with_its_cure(key: str) -> None:
    """A key that is not 32 bytes in base64 is named with the variable and how to make one."""
    with pytest.raises(BadKey, match=r"ENCRYPTION_KEYS must hold.*countersign keys new"):
        KeyRing([NEW, key])


def test_a_key_may_stand_between_spaces() -> None:
    """Spaces around a key, and a missing padding, do not matter."""
    spaced = KeyRing([f" {NEW.rstrip('=')} "])
    assert spaced.mac(b"x") == KeyRing([NEW]).mac(b"x")


def test_the_key_file_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    """The first start makes it, nobody else may read it, and every later start has the same key."""
    path = tmp_path / "store.db.key"
    with pytest.raises(NoKeyFile, match="Put it back"):
        key_file(path, make=False)
    assert list(tmp_path.iterdir()) == []
    keys = key_file(path, make=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [key_file(path, make=make) for make in (True, False)] == [keys, keys]
    assert list(tmp_path.iterdir()) == [path]
    assert len(KeyRing(keys).ids) == 1


def test_a_new_key_goes_before_those_of_the_file(tmp_path: Path) -> None:
    """What was sealed before still opens, the next is sealed with the new one, and nobody else may read the file."""
    path = tmp_path / "store.db.key"
    (before,) = key_file(path, make=True)
    sealed = KeyRing([before]).seal("token", bound_to="row")
    add_to_key_file(path)
    keys = key_file(path, make=False)
    assert keys[1:] == [before]
    assert keys[0] != before
    assert KeyRing(keys).open(sealed, bound_to="row") == "token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_start_that_dies_while_it_makes_the_key_blocks_no_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key file is there whole or not at all; what was left half made is made anew."""
    path = tmp_path / "store.db.key"

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("bot.secrets.os.fsync", full)
        with pytest.raises(OSError, match="No space"):
            key_file(path, make=True)
    assert not path.exists()
    KeyRing(key_file(path, make=True))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660])
def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """With the command that mends it; then it is the same key."""
    path = tmp_path / "store.db.key"
    keys = key_file(path, make=True)
    path.chmod(mode)
    with pytest.raises(OpenKeyFile, match=rf"Others can read {path}, .* Run: chmod 600 {path}"):
        key_file(path, make=True)
    path.chmod(0o600)
    assert key_file(path, make=True) == keys


@pytest.mark.parametrize("content", [b"", b"c2hvcnQ=\n", b"\xff\xfe"])
def test_a_key_file_with_something_else_in_it_is_named(tmp_path: Path, content: bytes) -> None:
    """The error names the file, not a variable that was never set."""
    path = tmp_path / "store.db.key"
    path.write_bytes(content)
    with pytest.raises(BadKeyFile, match=r"store\.db\.key holds no key"):
        key_file(path, make=True)


SHAPES = [
    "xoxb-playground-bot",
    "xapp-1-A0-123-abc",
    "xoxc-1-2-3-abc",
    "xoxd-ab%2Bcd%2F",
    "ya29.a0AfH6SMBx-y_z.w",
    "1//0gLongRefreshToken-x",
    "AIzaSyD-1234567890abcdefghij_kl",
    "GOCSPX-abc_DEF-0123456789",
    "ghp_0123456789abcdef",
    "ghr_0123456789abcdef",
    "github_pat_11AA_22",
    "sk-proj-0123456789_abcdef-XYZ",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def",
    "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
]


@pytest.mark.parametrize("secret", SHAPES)
def test_whatever_looks_like_a_token_is_redacted(secret: str) -> None:
    """Tokens that nobody told the redactor of are known by their shape."""
    shown = Redactor()(f"before {secret}")
    assert shown == f"before {REDACTED}"


AWKWARD = 'p"ass&w/örd+1'
WRITTEN = [
    AWKWARD,
    json.dumps(AWKWARD),
    quote(AWKWARD, safe=""),
    'p"ass&amp;w/örd+1',
    html.escape(AWKWARD),
    *(base64.b64encode(before + AWKWARD.encode() + b"after").decode() for before in (b"", b"a", b"ab", b"abc")),
    *(base64.urlsafe_b64encode(before + AWKWARD.encode() + b"?>").decode() for before in (b"~~~", b">a", b"?")),
]
"""In every form in which a secret is sent."""

BROKEN = {
    "with a character without width": "a-know\u200bn-secret",
    "on two lines": "a-known-\r\nsecret",
    "with blanks in it": "a-kno w n - s e c r e t",
    "with a soft hyphen": "a-known\xad-secret",
    "with a line end in JSON": r"a-known\n-sec\u200bret",
    "with a line end in an address": "a-known%0Asecret".replace("%0A", "%0a-"),
    "with percent signs that it needs not": "a%2dknown%2Dsecret",
    "in hex": b"a-known-secret".hex(),
    "in hex of capitals, on two lines": b"a-known-secret".hex().upper().replace("6E", "6E\n"),
    "with a mark of a card": "a-known⟨U+200B⟩-secret",
}
"""What breaks a word that no eye sees broken, or that whoever copies it mends."""

KNOWN = ["a-known-secret", "a-known-secret-and-more", "a pass phrase of ours", "twice-and-twice", "a-1//0gKnown-ghp_x"]


KEYS = [
    "-----BEGIN CERTIFICATE----- eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
    "-----BEGIN PRIVATE KEY-----\nMIIEMIIEMIIEMIIEMIIEMIIEMIIE-----BEGIN X-----",
    "-----BEGIN X-----BEGIN RSA PRIVATE KEY----- a -----END A--",
]


@pytest.mark.parametrize(
    "secret", [*SHAPES, *KNOWN, *WRITTEN, "twice-and-twice-and-twice", *KEYS, *BROKEN.values(), "a-known-sec…"]
)
@pytest.mark.parametrize("around", [("before ", " behind"), ("x=", ""), ("„", "“")])
def test_no_half_of_a_secret_is_told(secret: str, around: tuple[str, str]) -> None:
    """Of a text that comes in pieces, in whatever ones, each piece that is told is redacted as the whole is."""
    redactor = Redactor([*KNOWN, AWKWARD])
    before, behind = around
    text = f"{before}{secret}{behind}"
    for size in range(1, len(text)):
        told, left = "", ""
        for at in range(0, len(text), size):
            left += text[at : at + size]
            until = redactor.told_until(left)
            told, left = told + redactor(left[:until]), left[until:]
        assert told + redactor(left) == redactor(text), size


def test_what_begins_no_secret_is_told_at_once() -> None:
    """Words, numbers and addresses do not wait for what follows."""
    for text in ("It goes on Friday.", "benches", "https://x.example/a/", "你好", "tasks", "x" * 100_000 + "!"):
        assert Redactor(["a-known-secret"]).told_until(text) == len(text)


HOSTILE = [
    *("eyJ", "sk-", "eyJaaaaaaaaaa.a.", "xoxb-", "xapp-", "AIza", "ya29.", "1//", "GOCSPX-", "ghp_", "github_pat_"),
    *("AIza/", "sk-.", "eyJ/", "eyJaaaaaaaaaa.", "a-", "a.aaaaaaaaaa.", "-----BEGIN ", "PRIVATE KEY"),
    *("-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n-----END ", "-----END ", "a" * 23 + "-", "A "),
]


@pytest.mark.parametrize("piece", first(3, HOSTILE))
def test_hostile_texts_take_linear_time(piece: str) -> None:
    """A hundred thousand characters of how tokens begin take a second or two at most, on a slow machine; in the square
    of their length it is a minute.
    """
    redactor = Redactor(["a-known-secret"])
    since = time.process_time()
    for behind in ("!", ".a.a"):
        text = f"-----BEGIN {piece * (100_000 // len(piece))}{behind}"
        redactor(text)
        redactor.so_far(text)
        redactor.told_until(text)
    assert time.process_time() - since < 5


def test_a_token_is_known_inside_of_a_word() -> None:
    """What stands before a JWT in its word goes with it; words with dots are none."""
    jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def"
    assert Redactor()(f"a.b x-{jwt}, token={jwt}. eyJs") == f"a.b {REDACTED}, token={REDACTED}. eyJs"
    words = "eyJa.eyJb.c and eyJaaaaaaaaaaaaaa.b.c and aaaaaaaaaaa.aaaaaaaaaaaa.a"
    assert Redactor()(words) == words
    assert Redactor().so_far("an eyJaAIza-b") == "an "


ABOUT_KEYS = (
    "It begins with -----BEGIN CERTIFICATE----- or -----BEGIN PRIVATE KEY----- and the other line is like it, "
    "-----BEGIN EC PRIVATE KEY-----, too."
)


def test_a_sentence_about_keys_is_no_key() -> None:
    """Certificates are no secrets; and a private key without an end is one where base64 follows."""
    redact = Redactor()
    assert redact(ABOUT_KEYS) == ABOUT_KEYS
    certificate = "-----BEGIN CERTIFICATE-----\n" + "MIIE" * 16
    assert redact.told_until(certificate) == len(redact(certificate)) == len(certificate)
    for label in ("PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"):
        cut = f"-----BEGIN {label}-----\nVersion: 2.0. Of ours\n\n" + "MIIE" * 16
        assert redact(f"Here: {cut}\nMI") == f"Here: {REDACTED}"
        assert redact(f"{cut}\n-----BEGIN CERTIFICATE-----") == f"{REDACTED}-----BEGIN CERTIFICATE-----"
        assert redact(f"{cut}\n-----END {label}----- it is") == f"{REDACTED} it is"
        assert {redact.so_far(f"Here: {cut}"[:end]) for end in range(20, 90)} <= {"Here: ", f"Here: {REDACTED}"}


def test_known_secrets_are_redacted_wherever_they_stand() -> None:
    """The longest first, so that none leaves its tail; what is too short to be a secret stays."""
    redact = Redactor(["password1", "password1-and-more", "a", ""])
    assert redact("x=password1-and-more, y=password1, a") == f"x={REDACTED}, y={REDACTED}, a"


@pytest.mark.parametrize("written", WRITTEN)
def test_a_known_secret_is_redacted_in_every_form(written: str) -> None:
    """As in a URL, in JSON, in HTML, and inside of what is base64, such as a header with a name before it."""
    shown = Redactor([AWKWARD])(f"before {written} after")
    assert REDACTED in shown
    assert "ass" not in shown


@pytest.mark.parametrize("written", BROKEN.values(), ids=BROKEN)
def test_a_known_secret_is_redacted_however_it_is_broken(written: str) -> None:
    """What stands around it, and what is longer than it, stays as it is."""
    redact = Redactor(["a-known-secret", "x" * 30])
    assert (
        redact(f"100 % of\nit: {written} – and\u200b 20%20 more") == f"100 % of\nit: {REDACTED} – and\u200b 20%20 more"
    )


def test_a_secret_with_blanks_or_percent_signs_of_its_own() -> None:
    """It is read as every text is; one that is short without its blanks is looked for as it is."""
    assert Redactor(["pass phrase %41 of ours"])("a pass  phrase A of ours.") == f"a {REDACTED}."
    assert Redactor(["a b c d e"])("it is a b c d e, not abcde") == f"it is {REDACTED}, not abcde"


def test_the_beginning_of_a_secret_that_was_cut_off() -> None:
    """With eight characters of it before an ellipsis, broken or not; with fewer it may be a word."""
    redact = Redactor(["a-known-secret"])
    assert (
        redact("see a-known-…, a-kno wn-se … and a-known-secret…") == f"see {REDACTED}…, {REDACTED} … and {REDACTED}…"
    )
    assert redact("see a-known…, that-known-… and so on…") == "see a-known…, that-known-… and so on…"


@pytest.mark.parametrize(
    "secret",
    ["a-long-secret-of-ours", "a-long-se\u200bcret-of-ours", "AIzaSyD-1234567890abcdefghij_kl", "xoxb-1-2-abc"],
)
def test_no_beginning_of_a_secret_is_shown_while_it_arrives(secret: str) -> None:
    """However its text is cut, four of its characters are never shown; what is not held back goes on."""
    redact, text = Redactor(["a-long-secret-of-ours"]), f"It is {secret}, as you see"
    shown = [redact.so_far(text[:end]) for end in range(len(text) + 1)]
    assert all(secret[:5] not in each for each in shown)
    assert shown[-1] == f"It is {REDACTED}, as you see"
    assert all(after.startswith(before) or before.startswith(after) for before, after in pairwise(shown))
    assert redact.so_far("an ordinary text") == "an ordinary text"
    assert redact.so_far(f"It is a-long{' ' * 5_000}") == "It is "


def test_ordinary_text_is_left_alone() -> None:
    """Ids, addresses and prose pass."""
    text = "run_06f3k for dana@fernhill.example at https://x.example/1/2 (ya, 29. Nov), task-oriented-and-so-on; 11//2"
    assert Redactor(["a-long-secret"])(text) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("\ud800 and \udfff", '"\ufffd and \ufffd"'),
        ({"\udfff": ["\ud800"]}, '{"\ufffd": ["\ufffd"]}'),
        ([float("inf"), float("-inf"), float("nan"), 1e300, 2**80], f"[null, null, null, 1e+300, {2**80}]"),
        ("🪑", '"🪑"'),
        ("a\u2028b\u2029c\x85d", r'"a\u2028b\u2029c\u0085d"'),
    ],
)
def test_json_for_others_can_be_read(value: object, text: str) -> None:
    """What a model makes up as an argument may have numbers and texts that no JSON has."""
    assert as_json(value, Redactor([])) == text
    as_json(value, Redactor([])).encode()
