"""A way to PostgreSQL on which the connection is lost while the server commits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from sqlalchemy import make_url

_SOCKET = ".s.PGSQL.5432"


class Lost(StrEnum):
    """What of a commit does not arrive: the order, or the answer to it."""

    ORDER = "order"
    ANSWER = "answer"


async def messages(reader: asyncio.StreamReader) -> AsyncGenerator[bytes]:
    """What a client says, whole (PostgreSQL's documentation, “Message Formats”). Only its first message has no kind."""
    kind = b""
    with suppress(asyncio.IncompleteReadError, ConnectionError):  # whoever spoke may leave in the middle
        while True:
            length = await reader.readexactly(4)
            yield kind + length + await reader.readexactly(int.from_bytes(length) - 4)
            kind = await reader.readexactly(1)


@dataclass(slots=True)
class Statements:
    """What one client prepared, and runs next."""

    prepared: dict[bytes, str] = field(default_factory=dict[bytes, str])
    bound: str = ""

    def run_by(self, message: bytes) -> str:
        """The statement that is run by this message, if one is."""
        kind, words = message[:1], message[5:].split(b"\0")
        match kind:
            case b"P":
                self.prepared[words[0]] = words[1].decode()
            case b"B":
                self.bound = self.prepared[words[1]]
            case b"E":
                return self.bound
            case _:
                pass
        return ""


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
            await _closed(orders)
        await _closed(writer)

    async def _orders(self, reader: asyncio.StreamReader, orders: asyncio.StreamWriter, broke: asyncio.Event) -> None:
        statements, is_reading = Statements(), False
        async for message in messages(reader):
            if self.is_over and not broke.is_set():  # it was let in before
                break
            run = statements.run_by(message)
            if run.startswith("BEGIN"):
                is_reading = "READ ONLY" in run
            if self.lost and run == "COMMIT" and not is_reading:
                lost, self.lost, self.is_over = self.lost, None, self.ends
                broke.set()
                if lost is Lost.ORDER:
                    break
            orders.write(message)
        orders.close()

    async def _answers(self, answers: asyncio.StreamReader, writer: asyncio.StreamWriter, broke: asyncio.Event) -> None:
        with suppress(ConnectionError):
            while (data := await answers.read(65_536)) and not broke.is_set():
                writer.write(data)
        writer.close()


async def _closed(writer: asyncio.StreamWriter) -> None:
    """Closed, whether or not the other end still was there."""
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@asynccontextmanager
async def way_to(url: str, folder: Path) -> AsyncGenerator[Way]:
    """A way to the database of a URL, by a socket in this folder."""
    address = make_url(url)
    way = Way(address.update_query_dict({"host": str(folder)}).render_as_string(), Path(str(address.query["host"])))
    async with await asyncio.start_unix_server(way.serve, folder / _SOCKET):
        yield way
        await asyncio.gather(*way.served)
