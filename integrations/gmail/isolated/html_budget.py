"""A budget for all the HTML of one look at mails: whoever sends many hostile pages gains no more than with two."""

from __future__ import annotations

from integrations.gmail.isolated.html_reader import HtmlReader, HtmlUnreadable

LOOK_CPU_SECONDS = 2.0
"""Of the processor's time. A hundred newsletters of 100 kB take as much."""
MOST_GIVEN_UP = 2
"""Each page that is given up may cost a process, and the next page the start of another one."""


class HtmlBudget:
    """Reads pages as the reader that it is made from, until they took `cpu` seconds of the processor's time together,
    or so many were given up. Made anew for each look.
    """

    def __init__(
        self, reader: HtmlReader, *, cpu: float = LOOK_CPU_SECONDS, most_given_up: int = MOST_GIVEN_UP
    ) -> None:
        self._reader = reader
        self._cpu = cpu
        self._chances = most_given_up

    async def text(self, html: str) -> str:
        """What a person would read; raises `HtmlUnreadable` for a page that is given up, and for every page when the
        budget is used up.
        """
        if self._cpu <= 0 or self._chances <= 0:
            raise HtmlUnreadable
        try:
            text, seconds = await self._reader.timed_text(html)
        except HtmlUnreadable:
            self._chances -= 1
            raise
        self._cpu -= seconds
        return text
