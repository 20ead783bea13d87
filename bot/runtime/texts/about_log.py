"""Words about entries of the log, for the people whose they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import cast

from bot.domain.audit import AuditEntry
from bot.runtime.texts import about_times
from bot.runtime.texts.about_entries import sentence


def times(zone: str) -> str:
    """Whose time entries are told at."""
    return f"Times are those of {about_times.zone_of(zone)}."


def line(entry: AuditEntry, zone: str) -> str:
    """One entry, as “Mon 23 Nov 2026, 16:00 – <@U0DANA> set their trust level to autonomous”, at the time of the zone.
    Of what cannot be read only the code is said; SQLite may store anything in both.
    """
    code = str(entry.code)
    try:
        body = cast("Mapping[str, object]", json.loads(entry.body))
        at = about_times.without_zone(datetime.fromisoformat(str(body["at"])), zone)
        details = dict(cast("Mapping[str, object]", body.get("details") or {}))
        said = sentence(code, str(body.get("actor") or ""), details)
    except (ValueError, KeyError, AttributeError, TypeError, OverflowError, RecursionError):
        return code.replace(".", " ").replace("_", " ")
    return f"{at} – {said}"
