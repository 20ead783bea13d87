"""RSA keys: made when first needed, shown as JWK and as certificates, used to sign and check JWTs.

RFC 7515 (JWS), RFC 7517 (JWK); the two addresses of Google's keys are in "OpenID Connect" of Google Identity.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, cast

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

BITS = 2048
EXPONENT = 65537
CERTIFIED_FOR = timedelta(days=3650)


class Malformed(Exception):
    """The text is not a JWT."""


class SigningKey:
    """One RSA key pair with the id of its public half."""

    @cached_property
    def _private(self) -> RSAPrivateKey:
        return generate_private_key(EXPONENT, BITS)

    @cached_property
    def id(self) -> str:
        public = self._private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return hashlib.sha1(public, usedforsecurity=False).hexdigest()

    @property
    def private_pem(self) -> str:
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

    @property
    def jwk(self) -> dict[str, str]:
        numbers = self._private.public_key().public_numbers()
        modulus = numbers.n.to_bytes(BITS // 8, "big")
        exponent = numbers.e.to_bytes(3, "big")
        return {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": self.id, "n": _text(modulus), "e": _text(exponent)}

    def certificate(self, now: datetime) -> str:
        """A self-signed certificate in PEM: the form in which Google's older address gives the key."""
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "playground.signon")])
        builder = x509.CertificateBuilder(name, name, self._private.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + CERTIFIED_FOR)
        return builder.sign(self._private, SHA256()).public_bytes(Encoding.PEM).decode()

    def signed(self, claims: Mapping[str, object]) -> str:
        """The claims as a JWT signed with RS256."""
        header = {"alg": "RS256", "kid": self.id, "typ": "JWT"}
        told = f"{_text(json.dumps(header).encode())}.{_text(json.dumps(claims).encode())}"
        return f"{told}.{_text(self._private.sign(told.encode(), PKCS1v15(), SHA256()))}"

    def holds(self, token: str) -> bool:
        """Whether the JWT is signed by this key, as its header says."""
        told, _, signature = token.rpartition(".")
        header = _object(told.partition(".")[0])
        if header.get("alg") != "RS256" or header.get("kid") not in {None, self.id}:
            return False
        try:
            self._private.public_key().verify(_bytes(signature), told.encode(), PKCS1v15(), SHA256())
        except InvalidSignature:
            return False
        return True


def claims_of(token: str) -> dict[str, Any]:
    """The claims of a JWT, its signature unchecked; raises `Malformed`."""
    pieces = token.split(".")
    if len(pieces) != 3:
        raise Malformed
    return _object(pieces[1])


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(_bytes(text))
    except ValueError as error:
        raise Malformed from error
    if not isinstance(value, dict):
        raise Malformed
    return cast("dict[str, Any]", value)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise Malformed from error
