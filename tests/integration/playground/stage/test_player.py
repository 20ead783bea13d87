from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.parse import urlencode

from playground.stage.player import Player
from playground.stage.scene import read_scene
from playground.stage.stage import Stage
from playground.stage.witness import Witness
from tests.contract.playground.google.browser import decide, look
from tests.integration.playground.stage.conftest import Agent, Played

TEXT = {"type": "STRING"}
SEARCH = {
    "name": "calendar_search",
    "description": "Searches the calendar.",
    "parameters": {"type": "OBJECT", "properties": {"start": TEXT, "end": TEXT}},
}
ASK = {
    "contents": [{"role": "user", "parts": [{"text": "what is on my calendar tomorrow?"}]}],
    "tools": [{"functionDeclarations": [SEARCH]}],
}


async def played_scene(stage: Stage, directory: Path, steps: str) -> tuple[bool, str]:
    file = directory / "scene.yaml"
    file.write_text(f"title: A test\nabout: It tests.\nsteps:\n{steps}", encoding="utf-8")
    said: list[str] = []
    return await Player(stage=stage, say=said.append).play(read_scene(file)), "\n".join(said)


async def test_a_scene_that_holds(stage: Stage, tmp_path: Path) -> None:
    """A scene whose every expectation holds ends well, and its transcript has each step under its label."""
    held, said = await played_scene(
        stage, tmp_path, "  - say: {as: dana, text: hello}\n  - expect_sent: {from: dana, count: 0}\n  - verify_audit\n"
    )
    assert held
    assert "     request  Dana Okafor to Countersign: “hello”\n" in said
    assert "    verified  whole\n" in said
    assert said.endswith("Everything went as the scene says.")


async def test_a_scene_stops_at_what_is_missing(stage: Stage, tmp_path: Path) -> None:
    """The first expectation that is not met ends the scene, and says what was there instead."""
    held, said = await played_scene(
        stage, tmp_path, "  - say: {as: dana, text: hello}\n  - expect_card\n  - verify_audit\n"
    )
    assert not held
    assert "      FAILED  no such card; the agent said nothing" in said
    assert "verified" not in said


async def test_what_held_must_hold_to_the_end(stage: Stage, tmp_path: Path) -> None:
    """What an expectation saw once is looked at again when the scene is over."""

    async def broken() -> str:
        return "a second mail"

    stage.lasting["mail"] = broken
    held, said = await played_scene(stage, tmp_path, "  - say: {as: dana, text: hello}\n")
    assert not held
    assert "at the end of the scene: a second mail" in said


async def test_a_refusing_emulator_fails_the_scene(stage: Stage, tmp_path: Path) -> None:
    """When an emulator refuses an act the scene fails in words, not with a traceback."""
    held, said = await played_scene(stage, tmp_path, f"  - say: {{as: dana, text: {'x' * 40_001}}}\n")
    assert not held
    assert "was refused: msg_too_long" in said


async def test_the_models_calls_are_seen_in_a_stream(stage: Stage, agent: Agent, played: Played) -> None:
    """A function call that the model streamed is a line of the transcript, once."""
    witness, gemini = Witness(stage), played.addresses.gemini
    url = f"{gemini}/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse"
    async with agent.http.post(url, json=ASK, headers={"x-goog-api-key": "k"}) as answer:
        assert answer.status == 200, await answer.text()
        await answer.read()
    [line] = await witness.lines()
    assert (line.label, line.said.split()[0]) == ("tool call", "calendar_search")
    assert await witness.lines() == []


async def test_accepted_and_refused_writes_are_seen(stage: Stage, agent: Agent, played: Played) -> None:
    """What changes something at Google is a line with what Google said; reading is none."""
    witness, google = Witness(stage), played.addresses.google
    headers = {"authorization": "Bearer ya29.playground-dana"}
    async with agent.http.get(f"{google}/gmail/v1/users/me/messages", headers=headers) as answer:
        assert answer.status == 200
    async with agent.http.post(
        f"{google}/gmail/v1/users/me/drafts/send", json={"id": "none"}, headers=headers
    ) as answer:
        assert answer.status == 404
    [line] = await witness.lines()
    assert line.said == "POST /gmail/v1/users/me/drafts/send → refused with 404"


async def test_a_way_on_is_no_refusal(stage: Stage, played: Played) -> None:
    """Google's sign-in answers a yes with the address to go on to, which is how it accepts."""
    witness, google = Witness(stage), played.addresses.google
    asked = {
        "client_id": "playground-client",
        "redirect_uri": "http://127.0.0.1:8765/oauth/google/callback",
        "response_type": "code",
        "scope": "openid email",
        "state": "s1",
        "prompt": "consent",
        "login_hint": "dana@fernhill.example",
    }
    consent = await asyncio.to_thread(look, f"{google}/o/oauth2/v2/auth?{urlencode(asked)}")
    await asyncio.to_thread(decide, consent, google, "allow")
    [line] = await witness.lines()
    assert line.said == "POST /o/oauth2/v2/auth → 302"


async def test_an_audit_entry_is_told_once(stage: Stage, played: Played) -> None:
    """An entry that comes again when it was sealed is not told again."""
    witness = Witness(stage)
    entry = {"id": 7, "at": "2026-01-01", "code": "action.approved", "actor": "U0DANA", "body": {"tool": "gmail_reply"}}
    played.audit.hear(json.dumps(entry))
    [line] = await witness.lines()
    assert line.said == "action.approved · U0DANA · gmail_reply"
    played.audit.hear(json.dumps(entry | {"sealed": True}))
    assert await witness.lines() == []
