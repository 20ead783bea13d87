from __future__ import annotations

from pathlib import Path

import pytest

from playground import environment
from playground.environment import Addresses

ROOT = Path("/somewhere/checkout")
KEY = Path("/data/service_account.json")
EMULATED = Addresses(slack="http://s", google="http://g", gemini="http://m")
REAL = Addresses(slack="http://s", google="http://g", gemini=None)

PERSON = {
    "PATH": "/bin",
    "HOME": "/home/p",
    "LC_ALL": "C.UTF-8",
    "HTTPS_PROXY": "http://proxy",
    "https_proxy": "http://proxy",
    "ALL_PROXY": "http://proxy",
    "SLACK_BOT_TOKEN": "xoxb-real",
    "SLACK_SIGNING_SECRET": "real",
    "GOOGLE_CLIENT_ID": "real",
    "GOOGLE_APPLICATION_CREDENTIALS": "/real.json",
    "DATABASE_URL": "postgresql://real",
    "ENCRYPTION_KEYS": "real",
    "VERTEX_AI_PROJECT_ID": "real",
    "GEMINI_API_KEY": "real-key",
    "GEMINI_MODEL": "gemini-x",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONPATH": "/more",
}


def _agent(addresses: Addresses) -> dict[str, str]:
    return environment.for_agent(
        PERSON, root=ROOT, addresses=addresses, database=Path("/data/countersign.db"), key_file=KEY
    )


@pytest.mark.parametrize("made", [environment.inherited(PERSON, root=ROOT), _agent(EMULATED)])
def test_nothing_of_the_persons_accounts_or_proxies_passes(made: dict[str, str]) -> None:
    """No child gets the person's tokens, database, keys or proxies, in any spelling."""
    leaked = {"real", "xoxb-real", "real-key", "/real.json", "postgresql://real", "http://proxy"}
    assert leaked.isdisjoint(made.values())


def test_what_programs_need_to_run_passes() -> None:
    """PATH, HOME and the locale pass; the checkout is importable from any directory, before what the person added."""
    made = environment.inherited(PERSON, root=ROOT)
    assert (made["PATH"], made["HOME"], made["LC_ALL"]) == ("/bin", "/home/p", "C.UTF-8")
    assert made["PYTHONPATH"] == "/somewhere/checkout:/more"


def test_byte_code_is_kept() -> None:
    """PYTHONDONTWRITEBYTECODE does not pass, because every start would compile the libraries anew."""
    assert "PYTHONDONTWRITEBYTECODE" not in environment.inherited(PERSON, root=ROOT)


def test_the_agent_is_told_where_the_emulators_are() -> None:
    """The agent has production's variables with the emulators' addresses, its own database and no settings file."""
    made = _agent(EMULATED)
    assert made["SLACK_API_URL"] == "http://s/api/"
    assert made["GOOGLE_API_ROOT_URL"] == "http://g"
    assert made["GOOGLE_OAUTH_TOKEN_URL"] == "http://g/token"
    assert made["GOOGLE_GEMINI_BASE_URL"] == "http://m"
    assert made["GEMINI_API_KEY"] == "playground-key"
    assert made["FIREBASE_SERVICE_ACCOUNT_FILE"] == str(KEY)
    assert made["FIREBASE_API_URL"] == "http://g"
    assert made["DATABASE_URL"] == "sqlite+aiosqlite:////data/countersign.db"
    assert made["COUNTERSIGN_ENV_FILE"] == ""
    assert (made["HTTP_PORT"], made["PUBLIC_URL"]) == ("0", "http://127.0.0.1:0")
    assert "HTTP_ORIGINS" not in made


def test_a_page_of_the_persons_own_may_ask() -> None:
    """The agent takes the person's HTTP_ORIGINS; the emulators do not need it."""
    person = {**PERSON, "HTTP_ORIGINS": "http://localhost:5173"}
    made = environment.for_agent(person, root=ROOT, addresses=EMULATED, database=Path("/data/db"), port=8123)
    assert made["HTTP_ORIGINS"] == "http://localhost:5173"
    assert (made["HTTP_PORT"], made["PUBLIC_URL"]) == ("8123", "http://127.0.0.1:8123")
    assert "HTTP_ORIGINS" not in environment.inherited(person, root=ROOT)


@pytest.mark.parametrize(("given", "told"), [({}, "the playground"), ({"HTTP_APPLICATION": "Desk"}, "Desk")])
def test_people_may_name_their_product(given: dict[str, str], told: str) -> None:
    """HTTP_APPLICATION is taken; without one the playground is what asks."""
    made = environment.for_agent({**PERSON, **given}, root=ROOT, addresses=EMULATED, database=Path("/data/db"))
    assert made["HTTP_APPLICATION"] == told


def test_with_a_key_the_real_model_answers_and_the_rest_stays_local() -> None:
    """Without a Gemini emulator the agent gets the person's key and model and no other base URL."""
    made = _agent(REAL)
    assert (made["GEMINI_API_KEY"], made["GEMINI_MODEL"]) == ("real-key", "gemini-x")
    assert "GOOGLE_GEMINI_BASE_URL" not in made
    assert made["SLACK_API_URL"] == "http://s/api/"


@pytest.mark.parametrize(("key", "real"), [(None, False), ("", False), (" ", False), ("k", True)])
def test_an_empty_key_is_no_key(key: str | None, real: bool) -> None:
    """Only a key with something in it chooses the real model."""
    given = {} if key is None else {"GEMINI_API_KEY": key}
    assert environment.has_real_model(given) is real
