"""A stand-in for each of the playground's processes: `standin.py ROLE …` behaves as that process does towards us.

What it was given lies in its working directory afterwards, as `ROLE.json` (the agent's commands as `agent-adopt.json`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.serve import run

CARD = {
    "type": "actions",
    "elements": [{"type": "button", "text": {"type": "plain_text", "text": name}} for name in ("Approve", "Reject")],
}


def slack() -> Starlette:
    messages: list[dict[str, object]] = []

    async def dm(request: Request) -> Response:
        return JSONResponse({"channel": "D0DANA"})

    async def message(request: Request) -> Response:
        said = await request.json()
        messages.append({"ts": "1.0", "user": said["user"], "text": said["text"]})
        messages.extend({"ts": f"1.{n}", "user": "U0CSIGN", "text": "card", "blocks": [CARD]} for n in (1, 2))
        return JSONResponse({"ok": True, "ts": "1.0"})

    async def state(request: Request) -> Response:
        return JSONResponse({"messages": {"D0DANA": messages}})

    async def settings(request: Request) -> Response:
        note("slack-settings", given=json.dumps(await request.json()))
        return JSONResponse({"ok": True})

    return Starlette(
        routes=[
            Route("/__admin/settings", settings, methods=["POST"]),
            Route("/__act/dm", dm),
            Route("/__act/message", message, methods=["POST"]),
            Route("/__admin/state", state),
        ]
    )


def google() -> Starlette:
    async def key(request: Request) -> Response:
        return JSONResponse({"type": "service_account"})

    return Starlette(routes=[Route("/__admin/service_account", key)])


def agent(command: str, rest: list[str]) -> None:
    note(f"agent-{command}", given=sys.stdin.read() if command == "adopt" else "")
    if command == "run":
        say(json.dumps({"ready": "bot", "url": f"http://127.0.0.1:{rest[0] if rest else 1}"}))
        wait_for_end()
    if command == "audit" and rest[0] == "export":
        say(json.dumps({"id": 1, "code": "run.created"}))
        say(json.dumps({"id": 1, "code": "run.created", "hash": "ab"}))
        wait_for_end()
    if command == "audit" and rest[0] == "verify":
        say("1 entry, whole")


def wait_for_end() -> None:
    """Ends on SIGTERM, as the agent does; that its parent is gone it does not notice."""
    threading.Event().wait()


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    say(json.dumps({"ready": "stubborn", "url": "http://127.0.0.1:1"}))
    threading.Event().wait()


def doomed() -> None:
    sys.stderr.write("it gets worse\nno more beans\n")
    sys.exit(3)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def note(role: str, given: str = "") -> None:
    known = {"pid": os.getpid(), "argv": sys.argv[2:], "environment": dict(os.environ), "given": given}
    unready = Path(f"{role}.unready")
    unready.write_text(json.dumps(known), encoding="utf-8")
    unready.rename(f"{role}.json")  # whoever finds it finds all of it, also where this ends in between


def main() -> None:
    role, *rest = sys.argv[1:]
    if role == "agent":
        return agent(rest[0], rest[1:])
    note(role)
    if role in {"stubborn", "doomed"}:
        return {"stubborn": stubborn, "doomed": doomed}[role]()
    if role == "page":
        return run(role, Starlette, ["--die-with-parent"])
    return run(role, {"slack": slack, "google": google}.get(role, Starlette), rest)


if __name__ == "__main__":
    main()
