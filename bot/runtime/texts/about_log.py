"""Words about entries of the log, for the people whose they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import cast

from bot.domain.audit import AuditEntry
from bot.runtime.texts import about_times


def line(entry: AuditEntry, zone: str) -> str:
    """One entry, as “Mon 23 Nov 2026, 16:00 GMT – action completed: gmail_send (allow)”. Of what cannot be read only
    the code is said.
    """
    try:
        body = cast("Mapping[str, object]", json.loads(entry.body))
        at = about_times.short(datetime.fromisoformat(str(body["at"])), zone)
        details = cast("Mapping[str, object]", body.get("details") or {})
        tool, verdict = details.get("tool"), details.get("verdict")
    except (ValueError, KeyError, AttributeError, TypeError):
        return _named(entry)
    about = f": {tool}" if tool else ""
    return f"{at} – {_named(entry)}{about}{f' ({verdict})' if verdict else ''}"


def _named(entry: AuditEntry) -> str:
    return entry.code.replace(".", " ").replace("_", " ")
