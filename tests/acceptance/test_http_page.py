"""docs/http-api.md is true: each of its curl lines is sent to a bot, in the page's order, and answered as it says; its
script is run. tests/verification/browser/test_api.py has its page ask.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
import pytest_asyncio

from bot.api.agent.contract import ErrorCode
from bot.domain.runs import Run, RunState
from bot.runtime.over_http.admission import Turned
from playground.people import DANA, TEAM_ID
from tests.acceptance.http_side import client, start_api
from tests.acceptance.world import APPROVE, World

PAGE = Path(__file__).parents[2] / "docs/http-api.md"
STEPS_OF_A_REQUEST = 3
"""So few that the page's request for a time is paused."""

_PART = re.compile(
    r"^```(?P<kind>sh|json|python)\n(?P<code>.*?)^```$|^<!-- (?P<act>[^\n]*) -->$", re.MULTILINE | re.DOTALL
)
_COMMAND = re.compile(r"^curl .*?(?=^curl |\Z)", re.MULTILINE | re.DOTALL)

_TEXT = r'(?:[^"\\]|\\.)*'
_ANYTHING = {'{"…": "…"}': r"\{.*\}", '["…"]': r"\[.*\]", '"…"': f'(?:"{_TEXT}"|[0-9.]+)', "…": _TEXT}

Kind = Literal["act", "curl", "script", "answer"]


def parts(page: str) -> Iterator[tuple[Kind, str]]:
    """What happens on the page: what somebody does, a curl line, what it is answered, a script."""
    for found in _PART.finditer(page):
        if found["act"]:
            yield "act", found["act"]
        elif found["kind"] == "json":
            yield "answer", found["code"]
        elif found["kind"] == "python":
            yield "script", found["code"]
        else:
            for command in _COMMAND.findall(found["code"]):
                yield "curl", command


def values(text: str) -> list[Any]:
    """One answer, or the lines of a stream."""
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line]


def joined(lines: list[Any]) -> list[Any]:
    """The lines, with deltas that follow each other as one: into how many a text falls is nobody's promise. Neither is
    whether a call is told before the next step begins.
    """
    told: list[Any] = []
    for line in lines:
        if told and line.get("type") in {"delta", "thought_delta"} and told[-1]["type"] == line["type"]:
            told[-1] = {**line, "delta": told[-1]["delta"] + line["delta"]}
        elif told and line.get("type") == "status" and told[-1].get("type") == "tool_call":
            told.insert(-1, line)
        else:
            told.append(line)
    return told


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def shown(value: Any) -> re.Pattern[str]:
    """What an answer looks like of which the page shows this; “…” stands for anything."""
    pattern = re.escape(canonical(value))
    for word, anything in _ANYTHING.items():
        pattern = pattern.replace(re.escape(word), anything)
    return re.compile(pattern, re.DOTALL)


@dataclass(slots=True)
class Shell:
    """Where somebody types the page's lines; its variables are those of the page."""

    variables: dict[str, str]
    said: list[Any] = field(default_factory=list[Any])

    async def type(self, command: str) -> None:
        bash = ["bash", "-c", command]
        shell = await asyncio.create_subprocess_exec(*bash, stdout=PIPE, stderr=PIPE, env=self.variables)
        out, problem = await shell.communicate()
        assert shell.returncode == 0, f"{command}\n{problem.decode()}"
        self.said = values(out.decode())
        self._remember(self.said)

    async def run(self, script: str) -> str:
        """What a Python script prints."""
        python = [sys.executable, "-I", "-c", script]
        process = await asyncio.create_subprocess_exec(*python, stdout=PIPE, stderr=PIPE, env=self.variables)
        out, problem = await process.communicate()
        assert process.returncode == 0, problem.decode()
        return out.decode()

    def _remember(self, said: list[Mapping[str, Any]]) -> None:
        self.variables["LAST"] = str(len(said) - 1)
        for line in said:
            for variable, name in (("RUN", "runId"), ("THREAD", "threadId")):
                self.variables[variable] = str(line.get(name, self.variables.get(variable, "")))


@pytest_asyncio.fixture(loop_scope="module")
async def shell(fresh_idle: World, tmp_path: Path) -> AsyncGenerator[Shell]:
    """Dana's, at a bot with the API."""
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    await start_api(fresh_idle, agent_max_loop_steps=STEPS_OF_A_REQUEST)
    dana = await client(fresh_idle)
    (tmp_path / ".curlrc").write_text("silent\nshow-error\nmax-time = 60\nnoproxy = *\n", encoding="utf-8")
    path = "/usr/local/bin:/usr/bin:/bin"
    mine = {"AGENT": dana.url, "COOKIE": f"__session={dana.cookie}", "TEAM": TEAM_ID}
    yield Shell({"PATH": path, "CURL_HOME": str(tmp_path), **mine})


def has_ended(run: Run) -> bool:
    return run.state.is_final()


async def act(here: World, what: str, run_id: str) -> None:
    """Do what the page says that somebody does, about this run."""
    match what:
        case "Dana presses Approve.":
            (card,) = await here.card_in(here.dm_of(DANA))
            await here.click(DANA, card, APPROVE)
            run = await here.until(lambda: here.read(lambda work: work.runs.find(run_id)), when=has_ended)
            assert run.state is RunState.COMPLETED
        case "The model refuses the next request.":
            await here.gemini.fault("status", status=400)
        case _:
            raise AssertionError(f"nobody knows how to do this: {what}")


@pytest.mark.asyncio(loop_scope="module")
async def test_the_page_is_true(fresh_idle: World, shell: Shell) -> None:
    """All of the page's curl lines, in its order, are answered as it says."""
    told = 0
    for kind, text in parts(PAGE.read_text(encoding="utf-8")):
        match kind:
            case "act":
                await act(fresh_idle, text, shell.variables.get("RUN", ""))
            case "curl":
                await shell.type(text)
            case "script":
                assert "your calendar" in await shell.run(text)
            case "answer":
                told += 1
                page, answer = joined(values(text)), canonical(joined(shell.said))
                assert shown(page).fullmatch(answer), f"{canonical(page)}\nis on the page, and this came:\n{answer}"
    assert told >= 13
    assert len(await fresh_idle.sent(DANA)) == 1


def test_the_page_has_every_refusal() -> None:
    """Each code with which the API refuses stands in the page's table, and no other."""
    rows = re.findall(r"^\| \d{3} \| (.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {code for row in rows for code in re.findall(r"`(\w+)`", row)}
    source = "".join(path.read_text(encoding="utf-8") for path in (PAGE.parents[1] / "bot/api").rglob("*.py"))
    refused = re.findall(r'(?:Refusal\(\s*HTTPStatus\.\w+,\s*|_later\()"(\w+)"', source)
    assert shown == {*refused, *(why.value for why in Turned)}
    assert shown == {*get_args(ErrorCode)}
