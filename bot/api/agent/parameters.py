"""What stands behind the “?” of a request: names that are known, each once, with numbers."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request

from bot.api.refusals import HttpRefusal

LONGEST_NAME = 200  # characters of what somebody else called something
_DIGITS = 18


def numbers(request: Request, known: Mapping[str, tuple[int, int | None]]) -> Mapping[str, int]:
    """Those that are given, by name; `known` says the least and the most of each. Raises `HttpRefusal` for any other
    name, one that stands twice, and what is no such number: whoever asks for something has it, or is told.
    """
    given = request.query_params.multi_items()
    names = [name for name, _ in given]
    for place, name in enumerate(names):
        if name not in known:
            raise _bad(name, "nothing has this name here")
        if name in names[:place]:
            raise _bad(name, "it stands there twice")
    return {name: _number(name, text, *known[name]) for name, text in given}


def _number(name: str, text: str, least: int, most: int | None) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
    if not is_number or int(text) < least or (most is not None and int(text) > most):
        raise _bad(name, f"it must be a number from {least}{f' to {most:,}' if most is not None else ''}")
    return int(text)


def _bad(name: str, why: str) -> HttpRefusal:
    shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", f"{shown}: {why}.", field=shown)
