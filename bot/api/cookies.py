"""The cookies of a request, where it is certain which one a name means."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import Headers


def cookies_of(headers: Headers) -> Mapping[str, str]:
    """Names and values as the browser sent them (RFC 6265 §4.2), without quotes and escapes of anybody's.

    Another host of the same domain can add a cookie of a name that we gave, and a browser sends both in an order that
    says nothing (§5.4). So a name that comes with two values is left out.
    """
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    for header in headers.getlist("cookie"):
        for part in header.split(";"):
            name, _, value = (piece.strip(" \t") for piece in part.partition("="))
            if found.setdefault(name, value) != value:
                doubtful.add(name)
    return {name: value for name, value in found.items() if name not in doubtful}
