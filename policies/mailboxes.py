"""Which addresses lead to the same mailbox."""

from __future__ import annotations

GMAIL = frozenset({"gmail.com", "googlemail.com"})


def mailbox_of(email: str) -> str:
    """What one mailbox's addresses share: neither case nor a +tag counts, nor dots at gmail.com."""
    local, _, domain = email.lower().rpartition("@")
    name = local.partition("+")[0]
    return f"{name.replace('.', '')}@gmail.com" if domain in GMAIL else f"{name}@{domain}"
