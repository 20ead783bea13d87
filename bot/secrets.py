"""Secrets at rest: the keyring that encrypts them and signs the log, and the file that keys are kept in.

Ciphertexts are `v1:<key id>:<nonce>:<ciphertext>` in base64url, AES-256-GCM with the row they belong to as associated
data, so that a ciphertext that is moved to another row does not open. Each use has a subkey of its own (HKDF). A key's
id is the beginning of its SHA-256, so that it can be told apart without being known.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bot.env_file import is_open_to_others, write_privately
from bot.errors import BotError, Misconfigured


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
