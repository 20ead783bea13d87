"""The addresses of cards, and what waits for them while Slack is slow; the cookies that the API's document names."""

from __future__ import annotations

import asyncio

import pytest

from bot.api.agent.openapi import document
from bot.settings import Settings
from bot.slack.connection.errors import SlackError
from bot.wiring.accounts import cookies_in_force
from bot.wiring.agent_api import LINKS_AT_ONCE, MOST_LINKS, Links

ADDRESS = "https://acme.slack.com/archives/D1/p1"


async def test_a_slow_slack_does_not_fill_our_connections() -> None:
    """Few answers wait for the address of their card; all others are told at once, without it."""
    asked: list[str] = []
    all_wait, answers = asyncio.Event(), asyncio.Event()

    async def permalink(channel: str, ts: str) -> str:
        asked.append(ts)
        if len(asked) == LINKS_AT_ONCE:
            all_wait.set()
        await answers.wait()
        return ADDRESS

    links = Links(permalink=permalink)
    waiting = [asyncio.create_task(links.of("D1", str(n))) for n in range(LINKS_AT_ONCE)]
    await all_wait.wait()
    assert await links.of("D1", "one more") == ""
    assert len(asked) == LINKS_AT_ONCE
    answers.set()
    assert await asyncio.gather(*waiting) == [ADDRESS] * LINKS_AT_ONCE
    assert await links.of("D1", "later") == ADDRESS


async def test_an_address_is_asked_for_once() -> None:
    """It stays what it is; one that could not be had is asked for again, and not more are remembered than so many."""
    asked: list[str] = []

    async def permalink(channel: str, ts: str) -> str:
        asked.append(ts)
        if asked == ["0"]:
            raise SlackError
        return f"{ADDRESS}/{channel}/{ts}"

    links = Links(permalink=permalink)
    assert [await links.of("D1", "0") for _ in range(3)] == ["", f"{ADDRESS}/D1/0", f"{ADDRESS}/D1/0"]
    assert asked == ["0", "0"]
    for n in range(1, MOST_LINKS + 1):
        await links.of("D1", str(n))
    assert await links.of("D1", str(MOST_LINKS)) == f"{ADDRESS}/D1/{MOST_LINKS}"
    assert len(asked) == MOST_LINKS + 2
    await links.of("D1", "0")
    assert len(asked) == MOST_LINKS + 3


SLACK = {"slack_client_id": "1.2", "slack_client_secret": "secret"}
FIREBASE = {"firebase_project_id": "fernhill-product", "firebase_session_cookie": "mine"}


@pytest.mark.parametrize(
    ("given", "address", "cookies"),
    [
        (SLACK, "https://agent.acme.com", {"session": "__Host-countersign"}),
        (SLACK, "http://127.0.0.1:8080", {"session": "countersign"}),
        (FIREBASE, "https://agent.acme.com", {"firebase": "mine"}),
        (SLACK | FIREBASE, "https://agent.acme.com", {"session": "__Host-countersign", "firebase": "mine"}),
    ],
)
def test_the_document_names_the_cookies_in_force(given: dict[str, str], address: str, cookies: dict[str, str]) -> None:
    """A program that is made from it sends what counts here, by the ways of signing in that are on."""
    settings = Settings.model_validate({"public_url": address, **given})
    made = document("Countersign", "1", cookies_in_force(settings, address))
    schemes = made["components"]["securitySchemes"]
    assert {way: scheme["name"] for way, scheme in schemes.items()} == cookies
    assert made["security"] == [{way: []} for way in cookies]


def test_the_document_has_the_refusals_of_every_route() -> None:
    """With the headers that say what to do next."""
    made = document("Countersign", "1", {})
    for operation in (each for path in made["paths"].values() for each in path.values()):
        answers = operation["responses"]
        assert answers.keys() >= {"401", "403", "405", "421", "429", "500", "503"}
        assert [next(iter(answers[code]["headers"])) for code in ("405", "429", "503")] == [
            "Allow",
            "Retry-After",
            "Retry-After",
        ]


def test_the_document_says_what_a_request_needs() -> None:
    """A program that is made from it knows where to ask and which Origin to send; each route is described."""
    own, shop = "https://agent.acme.com", "https://shop.acme.com"
    made = document("Countersign", "1", {}, own=own, origins={own, shop})
    assert made["servers"] == [{"url": own}]
    operations = [(method, each) for path in made["paths"].values() for method, each in path.items()]
    assert all(each["description"] for _, each in operations)
    for method, operation in operations:
        asked = [one for one in operation["parameters"] if one["name"] == "Origin"]
        assert [one["schema"]["enum"] for one in asked] == ([[own, shop]] if method == "post" else [])
        assert all(one["required"] for one in asked)


def test_the_document_has_the_kinds_of_lines_and_the_codes() -> None:
    """With what each of them has; no description is a note to ourselves."""
    schemas = document("Countersign", "1", {})["components"]["schemas"]
    kinds = {ref.rpartition("/")[2] for ref in schemas["StreamLine"]["discriminator"]["mapping"].values()}
    assert kinds <= schemas.keys()
    assert schemas["CallLine"]["properties"].keys() == {"type", "toolName", "preview"}
    assert "wrong_origin" in schemas["ErrorBody"]["properties"]["code"]["enum"]
    assert "agent-execution" not in str(schemas)
