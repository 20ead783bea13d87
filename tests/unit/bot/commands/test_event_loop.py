from __future__ import annotations

import asyncio
import sys
from importlib import util

import pytest

from bot.commands import service
from bot.commands.event_loop import new_event_loop
from bot.settings import Settings


def test_asyncios_own_loop_stands_in_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no uvloop, and an install without it serves all the same."""
    monkeypatch.setitem(sys.modules, "uvloop", None)
    loop = new_event_loop()
    loop.close()
    assert isinstance(loop, asyncio.SelectorEventLoop)


@pytest.mark.skipif(sys.platform == "win32", reason="there is none")
def test_the_service_runs_on_uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The service does, and its exit status is that of its end."""
    assert util.find_spec("uvloop"), "it is a dependency"
    found: list[str] = []

    def settled(*, complete: bool) -> Settings:
        return Settings()

    async def serve(_: Settings, *, announce: bool) -> None:
        found.append(type(asyncio.get_running_loop()).__module__)

    monkeypatch.setattr(service, "settled", settled)
    monkeypatch.setattr(service, "serve", serve)
    assert service.run.callback is not None
    with pytest.raises(SystemExit) as end:
        service.run.callback()
    assert (found, end.value.code) == (["uvloop"], 1)
