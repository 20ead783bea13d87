"""Gmail's search words where the API differs from what people mean.

`after:2026/11/01` means midnight in California to the API (guide "Searching for messages"); epoch seconds are exact.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

_DATED = re.compile(
    r'(?P<quoted>"[^"]*")|(?P<word>\b(?:after|before|newer|older)):(?:(?P<y>\d{4})[/-](?P<m>\d{1,2})[/-](?P<d>\d{1,2})'
    r"|(?P<american>\d{1,2}/\d{1,2}/\d{4}))\b",
    re.IGNORECASE,
)


def localised(query: str, zone: str) -> str:
    """The query with its dates as midnight in the person's zone. What is quoted, and no date, stays as it is.

    Gmail's help has both forms, "after:2004/04/16" and "after:04/16/2004" ("Search operators you can use with Gmail").
    """

    def replaced(match: re.Match[str]) -> str:
        if match["quoted"]:
            return match[0]
        american = match["american"]
        month, number, year = american.split("/") if american else (match["m"], match["d"], match["y"])
        try:
            day = date(int(year), int(month), int(number))
        except ValueError:
            return match[0]
        midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone))
        word = {"newer": "after", "older": "before"}.get(match["word"].lower(), match["word"].lower())
        return f"{word}:{int(midnight.timestamp())}"

    return _DATED.sub(replaced, query)
