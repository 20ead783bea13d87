"""Secrets: the keyring that encrypts them at rest and signs the log, and the filter that keeps them out of logs.

Ciphertexts are `v1:<key id>:<nonce>:<ciphertext>` in base64url, AES-256-GCM with the row they belong to as associated
data, so that a ciphertext that is moved to another row does not open. Each use has a subkey of its own (HKDF). A key's
id is the beginning of its SHA-256, so that it can be told apart without being known.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import cast

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bot.env_file import is_open_to_others, write_privately
from bot.errors import BotError, Misconfigured
from bot.secret_forms import HALF_A_BREAK, LONGEST_BREAK, SHORTEST_CHARACTERS, Bare, bare, forms


class BadKey(Misconfigured):
    """A key of `ENCRYPTION_KEYS` is not 32 bytes in base64."""

    def __init__(self) -> None:
        super().__init__(
            "ENCRYPTION_KEYS must hold keys of 32 random bytes in base64, newest first, separated by commas. Make one "
            "with: countersign keys new"
        )


class NoKeyFile(Misconfigured):
    """The key of a database is gone, and with a new one nothing in it could be read or verified."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"DATABASE_URL names a database whose key is not there: {path}. Put it back, or set ENCRYPTION_KEYS to the "
            "keys that the database was written with: with others neither its accounts nor its log can be read."
        )


class BadKeyFile(Misconfigured):
    """The key file holds something else."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} holds no key of 32 bytes in base64. Put the right file back, or set ENCRYPTION_KEYS; delete the "
            "file only together with its database."
        )


class OpenKeyFile(Misconfigured):
    """Others can read the key file, and with it everything that is encrypted."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"Others can read {path}, which opens all that is encrypted. Run: chmod 600 {path}")


_VERSION, _ID_CHARACTERS = "v1:", 8
KEY_ID = slice(len(_VERSION), len(_VERSION) + _ID_CHARACTERS)
"""Where a ciphertext has the id of the key that it lies under."""


class CannotOpen(BotError):
    """The ciphertext does not open: another key, or it was moved or changed."""


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _subkey(key: bytes, use: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=f"countersign {use} v1".encode()).derive(key)


class KeyRing:
    """Encrypts and signs with the newest key; opens and checks with any. Implements `ports.KeyRing`."""

    def __init__(self, keys: Sequence[str]) -> None:
        raw = [self._parse(key) for key in keys]
        ids = [hashlib.sha256(key).hexdigest()[:_ID_CHARACTERS] for key in raw]
        self._current = ids[0]
        self.ids = tuple(dict.fromkeys(ids))
        """The keys' ids, newest first."""
        self._ciphers = {key_id: AESGCM(_subkey(key, "secrets")) for key_id, key in zip(ids, raw, strict=True)}
        self._macs = {key_id: HMAC(_subkey(key, "audit"), SHA256()) for key_id, key in zip(ids, raw, strict=True)}
        self._raw = raw

    @property
    def texts(self) -> tuple[str, ...]:
        """The keys as they can be written, for the redaction filter: base64 has two alphabets, and padding or none."""
        ways = (base64.urlsafe_b64encode, base64.b64encode)
        return tuple(dict.fromkeys(way(key).decode().rstrip("=") for key in self._raw for way in ways))

    @cached_property
    def _signers(self) -> Sequence[Ed25519PrivateKey]:
        return [Ed25519PrivateKey.from_private_bytes(_subkey(key, "checkpoints")) for key in self._raw]

    @cached_property
    def public_keys(self) -> tuple[str, ...]:
        """What anyone checks our signatures with: a public key for each key, newest first."""
        return tuple(dict.fromkeys(_b64(one.public_key().public_bytes_raw()) for one in self._signers))

    @staticmethod
    def _parse(key: str) -> bytes:
        try:
            raw = _unb64(key.strip())
        except ValueError:
            raise BadKey from None
        if len(raw) != 32:
            raise BadKey
        return raw

    def seal(self, plain: str, *, bound_to: str) -> str:
        """Encrypt; only the same `bound_to` opens it again."""
        nonce = secrets.token_bytes(12)
        sealed = self._ciphers[self._current].encrypt(nonce, plain.encode(), bound_to.encode())
        return f"{_VERSION}{self._current}:{_b64(nonce)}:{_b64(sealed)}"

    def open(self, sealed: str, *, bound_to: str) -> str:
        """Decrypt; raises `CannotOpen`, also for bytes: SQLite stores anything."""
        if type(sealed) is not str:
            raise CannotOpen("the ciphertext is no text")
        key_id, _, rest = sealed.removeprefix(_VERSION).partition(":")
        nonce, _, text = rest.partition(":")
        cipher = self._ciphers.get(key_id)
        if not sealed.startswith(_VERSION) or cipher is None:
            raise CannotOpen(f"no key {key_id!r} is in ENCRYPTION_KEYS")
        try:
            return cipher.decrypt(_unb64(nonce), _unb64(text), bound_to.encode()).decode()
        except (InvalidTag, ValueError):
            raise CannotOpen("the ciphertext was changed or belongs to another row") from None

    def mac(self, body: bytes) -> tuple[str, str]:
        """The key's id and HMAC-SHA256 in hex."""
        return self._current, _made(self._macs[self._current], body)

    def check_mac(self, body: bytes, key_id: str, mac: object) -> bool:
        """Whether a key of ours, current or retired, made it. It may be anything: somebody may have written bytes."""
        keyed = self._macs.get(key_id)
        if keyed is None or not isinstance(mac, str) or not mac.isascii():
            return False
        return hmac.compare_digest(_made(keyed, body), mac)

    def sign(self, body: bytes) -> tuple[str, str]:
        """The public key of the newest key, and the Ed25519 signature (RFC 8032) that it checks."""
        return self.public_keys[0], _b64(self._signers[0].sign(body))


def _made(keyed: HMAC, body: bytes) -> str:
    """In hex. A copy of what was keyed once takes a third of the time of keying anew."""
    mac = keyed.copy()
    mac.update(body)
    return mac.finalize().hex()


def is_signed_by(public_key: str, body: bytes, signature: str) -> bool:
    """Whether the holder of this public key's secret signed these bytes. Both may be any text."""
    try:
        Ed25519PublicKey.from_public_bytes(_unb64(public_key)).verify(_unb64(signature), body)
    except (InvalidSignature, TypeError, ValueError):
        return False
    return True


def new_key() -> str:
    """A fresh key in the form that `ENCRYPTION_KEYS` takes."""
    return base64.urlsafe_b64encode(os.urandom(32)).decode()


def key_file(path: Path, *, make: bool) -> Sequence[str]:
    """The keys kept beside a SQLite file, a line each, newest first; where there are none one is made, or `NoKeyFile`
    is raised.

    Raises `BadKeyFile` for a file that holds something else, and `OpenKeyFile` for one that others can read.
    """
    if make and not path.exists():
        write_privately(path, new_key() + "\n")
    try:
        keys = path.read_text(encoding="ascii").split() or [""]
        KeyRing(keys)
    except FileNotFoundError:
        raise NoKeyFile(path) from None
    except (BadKey, UnicodeError):
        raise BadKeyFile(path) from None
    if is_open_to_others(path):
        raise OpenKeyFile(path)
    return keys


def add_to_key_file(path: Path) -> None:
    """Make a key and put it before those of the file."""
    keys = key_file(path, make=False)
    write_privately(path, "\n".join([new_key(), *keys]) + "\n")


_KEY_BEGINS, _KEY_ENDS = "-----BEGIN ", re.compile("-----END [A-Z ]+-----")
_KEY_BEGIN = r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,40}-----"
_KEY_TEXT = r"(?:[^-]++|-(?!----BEGIN ))*"
"""What follows there, until the next one begins: so many that have no end are looked for once each."""
_SHAPES = re.compile(
    r"xox[abcdeprs]-[\w%+/=-]+|xapp-[\w-]+|AIza[\w-]{20,}|ya29\.[\w.-]+|\b1//[\w-]{12,}|GOCSPX-[\w-]+"
    r"|gh[oprsu]_\w+|github_pat_\w+|\bsk-[\w-]{20,}"
    rf"|{_KEY_BEGIN}(?:{_KEY_TEXT}?{_KEY_ENDS.pattern}|(?=(?:[^-]|-(?!----BEGIN ))*?[\w+/=]{{24}}){_KEY_TEXT}+)"
    r"|(?<![\w-])(?=[\w-]++\.[\w-]{10,}+\.)[\w-]*?eyJ[\w-]{10,}+\.[\w-]{10,}+\.[\w-]*+"
)
"""Each takes time in the length of the text alone, since nobody knows what a text holds. So a JWT is looked for once in
each word that has two dots behind it, and not from each `eyJ` anew to the word's end; it takes the word's beginning
along. A private key without an end is one where base64 follows, and not in a sentence about keys.
"""
_KEY_MAY_BEGIN = re.compile(rf"{_KEY_BEGIN}|-----BEGIN [A-Z ]*-{{0,4}}$")
_ENDS_SHORT = re.compile(r"(?:AIza|\b1//|\bsk-)[\w-]*$")
_ENDS_DOTTED = re.compile(r"(?:eyJ[\w.-]*|xox[abcdeprs]?-?|xapp-?|ya29\.?|GOCSPX-?)$")
"""The end of a text that is still arriving: what a shape above finds only once there is more of it."""
_SHORT, _DOTTED = re.compile(r"[\w-]*"), re.compile(r"[\w.-]*")
REDACTED = "[redacted]"
_STARTS = (
    *(f"xox{kind}-" for kind in "abcdeprs"),
    *(f"gh{kind}_" for kind in "oprsu"),
    *("xapp-", "AIza", "ya29.", "1//", "GOCSPX-", "github_pat_", "eyJ", _KEY_BEGINS),
)
_STARTS_A_WORD = "sk-"
"""How each of these shapes begins."""
_FIRST = frozenset(start[0] for start in (*_STARTS, _STARTS_A_WORD))
_LONGEST_START = max(map(len, _STARTS))
_STARTED = re.compile("|".join([*map(re.escape, _STARTS), rf"\b{_STARTS_A_WORD}"]))
_NO_SPACE = "".join(map(chr, range(33, 127)))
_ODD_IN_JSON = re.compile("[\ud800-\udfff\x85\u2028\u2029]")
_CUT = re.compile(r"\s*…")
_BEGINNING_CHARACTERS = 4
"""How much of a secret at the end of a text that is still arriving may be one that begins."""


class Redactor:
    """Replaces secrets in text: the ones it was told of, in every form in which they are sent, also where blanks, line
    ends or characters without width break them, or where “…” cuts one off; and whatever has the shape of a token.
    """

    def __init__(self, known: Sequence[str] = ()) -> None:
        long = [secret for secret in known if len(secret) >= SHORTEST_CHARACTERS]
        read = {form: bare(form) for secret in long for form in forms(secret)}
        self._bare = sorted({one for one in read.values() if len(one) >= SHORTEST_CHARACTERS})
        self._short = sorted((form for form, one in read.items() if len(one) < SHORTEST_CHARACTERS), key=len)[::-1]
        self._begun = _Begun(self._bare)

    def __call__(self, text: str) -> str:
        """The text without secrets."""
        for since, until in reversed(self._spans(text)):
            text = f"{text[:since]}{REDACTED}{text[until:]}"
        for secret in self._short:
            text = text.replace(secret, REDACTED)
        if "…" in text:
            text = self._without_cut_ones(text)
        return _SHAPES.sub(REDACTED, text)

    def _spans(self, text: str) -> Sequence[tuple[int, int]]:
        read = bare(text)
        found = [secret for secret in self._bare if secret in read]
        return Bare(text).spans(found) if found else ()

    def _without_cut_ones(self, text: str) -> str:
        """The text without the beginnings of secrets that a text was cut in, which an ellipsis says."""
        told, at = "", 0
        for mark in _CUT.finditer(text):
            before = text[at : mark.start()]
            until = self._begun.place(before, least=SHORTEST_CHARACTERS)
            told += before if until == len(before) else f"{before[:until]}{REDACTED}"
            told, at = told + mark[0], mark.end()
        return told + text[at:]

    def told_until(self, text: str) -> int:
        """How much of a text that goes on can be told by now. From there on stands what may be the beginning of a
        secret, which has the shape of none by itself.
        """
        until = min(self._begun.place(text), _shape_begun(text))
        while cut := [since for since, end in self._whole(text, until) if since < until < end]:
            until = min(cut)
        return until

    def _whole(self, text: str, until: int) -> Sequence[tuple[int, int]]:
        """Where secrets stand, and tokens; not looked for where nothing of the text is held back."""
        if until == len(text):
            return ()
        return [*self._spans(text), *(token.span() for token in _SHAPES.finditer(text))]

    def so_far(self, text: str) -> str:
        """The same of a text that is still arriving: an end that may become a secret is left out."""
        shown = self(text)
        until = min(self._begun.place(shown, least=_BEGINNING_CHARACTERS), _open_key(shown)[0])
        return _without_half_a_shape(shown[:until])


class _Begun:
    """Finds out whether the end of a text is how a secret of ours begins, also one that is broken; its forms are bare.

    It is asked about every piece of an answer, so it reads the end alone, and looks at a place only where four
    characters open a secret.
    """

    def __init__(self, forms: Sequence[str]) -> None:
        self._forms = forms
        self._openings = frozenset(form[:n] for form in forms for n in range(1, _BEGINNING_CHARACTERS + 1))
        self._longest = max(map(len, forms), default=0)

    def place(self, text: str, *, least: int = 1) -> int:
        """Where it begins, with so many characters at least; else the end of the text."""
        end = HALF_A_BREAK.search(text, max(0, len(text) - LONGEST_BREAK))
        until = end.start() if end else len(text)
        since = self._end_of(text, until)
        read = bare(text[since:until])
        places = range(max(0, len(read) - self._longest), len(read) - least + 1)
        opened = (at for at in places if read[at : at + _BEGINNING_CHARACTERS] in self._openings)
        begins = next((at for at in opened if self._begins(read[at:])), None)
        return len(text) if begins is None else since + Bare(text[since:until]).starts[begins]

    def _end_of(self, text: str, until: int) -> int:
        """From where on it has as many characters as the longest secret, besides what may break one."""
        window = 4 * self._longest + 1
        while window < until and len(bare(text[until - window : until])) < self._longest:
            window *= 2
        return max(0, until - window)

    def _begins(self, beginning: str) -> bool:
        return any(form.startswith(beginning) for form in self._forms)


def _without_half_a_shape(text: str) -> str:
    """The text without an end that may become a token. Only its last word is looked at, so that what begins many times
    in one word is looked for once.
    """
    backwards, until = text[::-1], len(text)
    for ends, word, before in ((_ENDS_SHORT, _SHORT, len("1//")), (_ENDS_DOTTED, _DOTTED, 0)):
        found = word.match(backwards)
        since = len(text) - (found.end() if found else 0) - before
        if half := ends.search(text, max(0, since)):
            until = min(until, half.start())
    return text[:until]


def _shape_begun(text: str) -> int:
    """Where something stands that is the beginning of a token, or may be; else the end of the text."""
    key, ended = _open_key(text)
    if key < len(text):
        return key
    word = max(len(text.rstrip(_NO_SPACE)), ended)
    if started := _STARTED.search(text, word):
        return started.start()
    places = range(max(word, len(text) - _LONGEST_START), len(text))
    return next((at for at in places if text[at] in _FIRST and _may_be_shape(text, at)), len(text))


def _open_key(text: str) -> tuple[int, int]:
    """Where a private key stands that has no end, or may; else the end of the text. And where the last one ends."""
    place = text.rfind(_KEY_BEGINS)
    begin = _KEY_MAY_BEGIN.match(text, place) if place != -1 else None
    if begin is None:
        return len(text), 0
    end = _KEY_ENDS.search(text, begin.end())
    return (len(text), end.end()) if end else (place, 0)


def _may_be_shape(text: str, place: int) -> bool:
    """Whether the end of the text, from this place on, is how a token begins."""
    end = text[place:]
    in_a_word = place > 0 and (text[place - 1].isalnum() or text[place - 1] == "_")
    return any(one.startswith(end) for one in _STARTS) or (not in_a_word and _STARTS_A_WORD.startswith(end))


def as_json(value: object, redact: Callable[[str], str], *, indent: int | None = None) -> str:
    """JSON without secrets that every program can read, on one line unless it is to be indented: a number that is none
    is null, and half of a character U+FFFD.
    """

    def plain(value: object) -> str:
        return value.isoformat() if isinstance(value, datetime) else str(value)

    read = json.loads(json.dumps(value, default=plain), parse_constant=lambda _: None)
    return readable_json(json.dumps(redacted(read, redact), ensure_ascii=False, indent=indent))


def readable_json(text: str) -> str:
    """The JSON text with U+FFFD for each half of a character, and escaped what ends a line for Python and httpx."""
    return _ODD_IN_JSON.sub(lambda odd: "\ufffd" if odd[0] > "\u2029" else f"\\u{ord(odd[0]):04x}", text)


def redacted(value: object, redact: Callable[[str], str]) -> object:
    """The same JSON value with every text redacted, also names, since they can come from outside."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(name): redacted(item, redact) for name, item in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [redacted(item, redact) for item in cast("list[object]", value)]
    return value
