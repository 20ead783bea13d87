"""An emulator as a scene uses it: its state, its wire log, and what people do in it."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Self

import aiohttp

from playground.errors import EmulatorRefused
from playground.stage.fields import Fields, fields, rows

ANSWER_SECONDS = 20.0


class Emulator:
    """One emulator by its base URL; connects in `async with`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(trust_env=False, timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def get(self, path: str, **query: str) -> Fields:
        return await self._asked("GET", path, query=query)

    async def post(self, path: str, body: Fields) -> Fields:
        return await self._asked("POST", path, body=body)

    async def state(self) -> Fields:
        return await self.get("/__admin/state")

    async def log(self, after: int = 0) -> list[Fields]:
        """What it received and sent since the entry numbered `after`, oldest first."""
        return rows(await self.get("/__admin/log", after=str(after)), "entries")

    async def _asked(
        self, method: str, path: str, *, query: dict[str, str] | None = None, body: Fields | None = None
    ) -> Fields:
        assert self._session is not None, "an emulator is used inside its `async with`"
        data = None if body is None else json.dumps(body)
        headers = {"content-type": "application/json"}
        try:
            async with self._session.request(
                method, self._url + path, params=query, data=data, headers=headers
            ) as response:
                said = await response.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise EmulatorRefused(f"{method} {path}", type(error).__name__) from error
        return _answer(f"{method} {path}", response.status, said)


def _answer(asked: str, status: int, said: bytes) -> Fields:
    try:
        answer = fields(json.loads(said))
    except ValueError:
        raise EmulatorRefused(asked, said[:200].decode(errors="replace")) from None
    if status >= 400 or answer.get("ok") is False:
        raise EmulatorRefused(asked, answer.get("error", status))
    return answer
