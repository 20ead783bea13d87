"""Where a request comes from, behind proxies and without them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.api.proxies import MOST_HOPS, client_of
from bot.api.server import serve
from bot.settings import Settings
from bot.urls import LOOPBACK, Network, networks
from tests.unit.bot.api.wire import asked

PROXIES = networks("10.0.0.5, 10.1.0.0/16, 2001:db8::/32")


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.5", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.5", "192.0.2.8, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.5", "192.0.2.7, 10.1.2.3,10.0.0.5", "192.0.2.7"),
        ("10.0.0.5", "10.0.0.5, 192.0.2.7", "192.0.2.7"),
        ("::ffff:10.0.0.5", "192.0.2.7:5000", "192.0.2.7"),
        ("2001:db8::1", "[2001:aa::7]:443", "2001:aa::7"),
        ("10.0.0.5", "2001:AA:0::7", "2001:aa::7"),
        ("10.0.0.5", "10.1.2.3", "10.1.2.3"),
        ("10.0.0.5", "", "10.0.0.5"),
        ("10.0.0.5", "192.0.2.7, unknown", "10.0.0.5"),
        ("10.0.0.5", "192.0.2.7, 10.1.2.3, _hidden", "10.0.0.5"),
        ("10.0.0.5", "192.0.2.7, [::1", "::1"),
        ("10.0.0.6", "192.0.2.7", "10.0.0.6"),
        ("192.0.2.9", "10.0.0.5", "192.0.2.9"),
        ("testclient", "192.0.2.7", "testclient"),
    ],
)
def test_the_last_address_that_is_no_proxys(peer: str, forwarded: str, client: str) -> None:
    """What stands before it anybody can have written, and what is no address gives nobody a new one."""
    assert client_of(peer, forwarded, PROXIES) == client


def test_nobody_has_so_many_proxies() -> None:
    """However long the header is, a few of them are looked at."""
    assert client_of("10.0.0.5", "192.0.2.7" + ",10.1.2.3" * MOST_HOPS, PROXIES) == "10.1.2.3"


async def _address(request: Request) -> Response:
    assert request.client is not None
    return PlainTextResponse(request.client.host)


@pytest.mark.parametrize(("proxies", "client"), [((), "127.0.0.1"), (PROXIES, "127.0.0.1"), (LOOPBACK, "192.0.2.7")])
async def test_a_route_is_told_it(proxies: Sequence[Network], client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two such headers the last one is nearer; the server's own reading of them is off."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    async with serve([Route("/in", _address)], host="127.0.0.1", port=0, proxies=proxies) as served:
        headers = ["X-Forwarded-For: 192.0.2.8", "x-forwarded-for: 192.0.2.7"]
        assert (await asked(served, "GET /in", *headers)).text == client


@pytest.mark.parametrize(
    ("given", "trusted"),
    [
        ({}, ()),
        ({"public_url": "http://127.0.0.1:8080"}, ()),
        ({"public_url": "https://agent.example.com"}, LOOPBACK),
        ({"public_url": "https://agent.example.com", "trusted_proxies": " "}, LOOPBACK),
        ({"public_url": "https://agent.example.com", "trusted_proxies": "10.0.0.5"}, networks("10.0.0.5")),
        ({"trusted_proxies": "10.0.0.5"}, networks("10.0.0.5")),
    ],
)
def test_who_is_trusted(given: dict[str, str], trusted: object) -> None:
    """Those that are named; else this machine, where people come over https and so by a proxy; else nobody."""
    assert Settings.model_validate(given).proxies == trusted
