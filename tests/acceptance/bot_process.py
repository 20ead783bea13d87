"""Starts bots: a program that has imported everything forks a bot whenever a line asks for one.

A fork is there in a tenth of a second where a fresh interpreter takes a second and more, and what it runs is the real
command line (`countersign run`). A line on stdin is `{"environment": {…}, "said": file, "halt": point, "timings": {…}}`
and the answer `{"pid": …}`. The bot's stdout and stderr go into the file. With `arguments` it is another command, in a
`folder`, whose stderr and exit status have files of their own, `complained` and `ended`.

A bot waits less patiently here than the product does, and one that is told to halts for ever at a point, so that it can
be killed exactly there. When stdin ends, because the asking process is done or dead, every bot ends with this program,
whatever it does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import traceback
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, NoReturn

from bot import cli
from bot.runtime.actions.execute import ActionExecutor
from bot.wiring import app
from integrations.calendar.tools.answer import CalendarEventAnswer
from integrations.calendar.tools.cancel import CalendarEventCancel
from integrations.calendar.tools.create import CalendarEventCreate
from integrations.calendar.tools.update import CalendarEventUpdate
from integrations.gmail.tools.draft_create import GmailDraftCreate
from integrations.gmail.tools.draft_send import GmailDraftSend
from integrations.gmail.tools.draft_update import GmailDraftUpdate
from integrations.gmail.tools.reply import GmailReply
from integrations.gmail.tools.send import GmailSend
from tests.acceptance.mortal import PRACTISED, QUICK
from tests.verification.chaos import points, warming

_EFFECTS = (
    *(CalendarEventAnswer, CalendarEventCancel, CalendarEventCreate, CalendarEventUpdate),
    *(GmailDraftCreate, GmailDraftSend, GmailDraftUpdate, GmailReply, GmailSend),
)


def main() -> None:
    signal.signal(signal.SIGCHLD, _reap)
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)  # one group with all bots
    warming.warm()
    if PRACTISED in sys.argv[1:]:
        warming.practise(*sys.argv[2:])
    _answer({"ready": "bot processes"})
    for line in sys.stdin:
        wanted: dict[str, Any] = json.loads(line)
        warming.warm_for(wanted["environment"].get("GOOGLE_API_ROOT_URL"))
        pid = os.fork()
        if pid == 0:
            if "arguments" in wanted:
                _obey(**wanted)
            _live(**wanted)
        _answer({"pid": pid})
    os.killpg(0, signal.SIGKILL)


def _reap(*_: object) -> None:
    """Wait for every ended child at once, so that no zombie stays and its processor time is counted."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _answer(told: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def _live(environment: dict[str, str], said: str, halt: str, timings: dict[str, float]) -> NoReturn:
    """The child: the command line, with these variables only."""
    _begin(environment, said, said)
    _hurry(timings)
    _halt_at(halt)
    if points.VARIABLE in environment:
        points.install(environment[points.VARIABLE])
    os._exit(_status_of(["run"]))


def _obey(
    environment: dict[str, str], said: str, arguments: list[str], folder: str, complained: str, ended: str
) -> NoReturn:
    """The child: one command as the product has it, with these variables only."""
    _begin(environment, said, complained)
    os.chdir(folder)
    status = _status_of(arguments)
    with open(f"{ended}.new", "w", encoding="ascii") as file:
        file.write(str(status))
    os.rename(f"{ended}.new", ended)
    os._exit(status)


def _begin(environment: dict[str, str], said: str, complained: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for mine, given in ((0, nothing), (1, _written(said)), (2, _written(complained))):
        os.dup2(given, mine)


def _written(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def _status_of(arguments: list[str]) -> int:
    status: int | str | None = 70
    try:
        cli.main(arguments)
    except SystemExit as end:
        status = end.code
    except BaseException:  # a child's outer edge: it must not go on as a second parent
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return status if isinstance(status, int) else int(status is not None)


def _hurry(timings: dict[str, float]) -> None:
    """What is not named is hurried, too; with nothing named at all the bot waits as the product does."""
    if not timings:
        return
    timings = {**QUICK, **timings}
    seconds = timings.pop("tool_seconds")
    hold = timedelta(seconds=timings.pop("hold_seconds"))
    hurried = replace(app.Timings(settling_pauses=(0.05, 0.05), google_sleep=_soon, longest_hold=hold), **timings)
    app.running = partial(app.running, timings=hurried)
    for tool in _EFFECTS:
        tool.timeout_seconds = seconds


async def _soon(seconds: float) -> None:
    """Google gets a tenth of the time."""
    await asyncio.sleep(seconds / 10)


def _halt_at(point: str) -> None:
    """`claimed`: the claim is committed and nothing of the effect has begun."""

    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    if point == "claimed":
        ActionExecutor.execute = never


if __name__ == "__main__":
    main()
