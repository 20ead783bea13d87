"""The process that reads HTML: a page comes in, its text goes out, until the input ends.

A page that takes more than its budget ends the process.
"""

from __future__ import annotations

import sys

from integrations.gmail.html.page import text_of_html
from integrations.gmail.html.unpainted import unpainted_of_html
from integrations.gmail.isolated.html_reader import UNPAINTED
from integrations.isolated.child import serve

MEMORY = 1_000_000_000
_WARM_UP = '<style>p { color: red }</style><p style="color: blue">Reading it loads what is loaded late.'


def answered(question: str) -> str:
    """What is asked of the page."""
    return (unpainted_of_html if question[:1] == UNPAINTED else text_of_html)(question[1:])


if __name__ == "__main__":
    text_of_html(_WARM_UP)
    serve(answered, memory=MEMORY, budget=float(sys.argv[1]))
