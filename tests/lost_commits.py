"""A way to PostgreSQL on which the connection is lost while the server commits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from sqlalchemy import make_url

_SOCKET, _COMMIT = ".s.PGSQL.5432", b"COMMIT"
_BEGIN, _READS = b"BEGIN", b"READ ONLY"


class Lost(StrEnum):
    """What of a commit does not arrive: the order, or the answer to it."""

    ORDER = "order"
    ANSWER = "answer"


@dataclass(slots=True)
class Way:
    """`url` leads over it. `lost` is of a writer’s next commit; with `ends` nobody gets through after."""

    url: str
    server: Path
    lost: Lost | None = None
    ends: bool = False
    is_over: bool = False
    served: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.served.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.is_over:
            answers, orders = await asyncio.open_unix_connection(self.server / _SOCKET)
            broke = asyncio.Event()
            await asyncio.gather(self._orders(reader, orders, broke), self._answers(answers, writer, broke))
            await orders.wait_closed()
        writer.close()
        await writer.wait_closed()

    async def _orders(self, reader: asyncio.StreamReader, orders: asyncio.StreamWriter, broke: asyncio.Event) -> None:
        reads = False
        while data := await reader.read(65_536):
            if self.is_over and not broke.is_set():  # it was let in before
                break
            reads = _READS in data if _BEGIN in data else reads
            if self.lost and _COMMIT in data and not reads:
                lost, self.lost, self.is_over = self.lost, None, self.ends
                broke.set()
                if lost is Lost.ORDER:
                    break
            orders.write(data)
        orders.close()

    async def _answers(self, answers: asyncio.StreamReader, writer: asyncio.StreamWriter, broke: asyncio.Event) -> None:
        while (data := await answers.read(65_536)) and not broke.is_set():
            writer.write(data)
        writer.close()


@asynccontextmanager
async def way_to(url: str, folder: Path) -> AsyncGenerator[Way]:
    """A way to the database of a URL, by a socket in this folder."""
    address = make_url(url)
    way = Way(address.update_query_dict({"host": str(folder)}).render_as_string(), Path(str(address.query["host"])))
    async with await asyncio.start_unix_server(way.serve, folder / _SOCKET):
        yield way
        await asyncio.gather(*way.served)
