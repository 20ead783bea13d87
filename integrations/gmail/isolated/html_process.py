"""The process that reads HTML: a page comes in, its text goes out, until the input ends.

A page that takes more than its budget ends the process.
"""

from __future__ import annotations

import sys

from integrations.gmail.html.page import text_of_html
from integrations.gmail.html.unpainted import unpainted_of_html
from integrations.gmail.isolated.child import FAILED, LENGTH, UNPAINTED, cpu_budget, framed, limit_resources

MEMORY = 1_000_000_000
_WARM_UP = '<style>p { color: red }</style><p style="color: blue">Reading it loads what is loaded late.'


def main(budget: float) -> None:
    """Read pages; each may take `budget` seconds of the processor's time."""
    limit_resources(memory=MEMORY)
    text_of_html(_WARM_UP)
    while head := sys.stdin.buffer.read(LENGTH.size):
        page = sys.stdin.buffer.read(*LENGTH.unpack(head))
        with cpu_budget(budget):
            try:
                answer = framed(_asked(page.decode(errors="replace")))
            except (Exception, MemoryError):  # whatever hostile input does to a parser
                answer = LENGTH.pack(FAILED)
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


def _asked(page: str) -> str:
    return (unpainted_of_html if page[:1] == UNPAINTED else text_of_html)(page[1:])


if __name__ == "__main__":
    main(float(sys.argv[1]))
