"""Which cookie a name means."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from bot.api.cookies import cookies_of


def headers(*cookies: str) -> Headers:
    return Headers(raw=[(b"cookie", cookie.encode("latin-1")) for cookie in cookies])


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ([], {}),
        (["a=1; b=2"], {"a": "1", "b": "2"}),
        (["a=1", "b=2"], {"a": "1", "b": "2"}),
        (["a=x=y; b"], {"a": "x=y", "b": ""}),
        (['a="1"; b=%41'], {"a": '"1"', "b": "%41"}),
        (["a=1; a=1"], {"a": "1"}),
        (["a=1; a=2; b=3"], {"b": "3"}),
        (["a=1; b=3", "a=2"], {"b": "3"}),
        (["a=1; A=2"], {"a": "1", "A": "2"}),
        (["a=1; a=2; a=1"], {}),
    ],
)
def test_a_name_with_two_values_is_left_out(sent: list[str], read: dict[str, str]) -> None:
    """Another host of the domain may have added one of them; and nothing is unpacked that the browser did not pack."""
    assert cookies_of(headers(*sent)) == read


def test_many_cookies_take_no_time() -> None:
    """100 kB of them, each with a name of its own or all with one."""
    assert len(cookies_of(headers("; ".join(f"c{n}=1" for n in range(10_000))))) == 10_000
    assert cookies_of(headers("; ".join(f"c={n}" for n in range(10_000)))) == {}
