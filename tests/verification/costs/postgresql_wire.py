"""What goes to a PostgreSQL server, as libpq tells of it (PostgreSQL's documentation, libpq, `PQtrace`; Linux only)."""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryFile
from typing import Any
from unittest.mock import patch

from psycopg import AsyncConnection, pq
from psycopg.pq.abc import PGconn

from bot.store.engine.postgresql_driver import PostgresqlConnection
from tests.verification.costs.causes import Causes
from tests.verification.costs.meter import Meter
from tests.verification.costs.traffic import Traffic

_MESSAGE = re.compile(r"^([FB])\t\d+\t(\w+)(?:\t ?(.*?))?\n(?=[FB]\t|\Z)", re.S | re.M)
_PREPARED = re.compile(r'"(?P<name>[^"]*)" "(?P<text>.*)"', re.S)
_BOUND = re.compile(r'"[^"]*" "(?P<name>[^"]*)"')
_CHANGED = re.compile(r'"(?:INSERT 0|UPDATE|DELETE) [1-9]')
_MOST_BYTES = 1 << 24


class _Listener:
    """Reads what libpq writes down about one connection."""

    def __init__(self, connection: PGconn, meter: Meter, causes: Causes, stack: ExitStack) -> None:
        self._connection = connection
        self._meter = meter
        self._causes = causes
        self._file = stack.enter_context(TemporaryFile())  # noqa: SIM115 - the stack closes it
        self._read = 0
        self._prepared: dict[str, str] = {}
        self._bound = ""
        connection.trace(self._file.fileno())
        connection.set_trace_flags(pq.Trace.SUPPRESS_TIMESTAMPS)
        stack.callback(connection.untrace)

    def read(self) -> None:
        """Count what was written down since the last time, for the running task."""
        news = os.pread(self._file.fileno(), _MOST_BYTES, self._read)
        self._read += len(news)
        for message in _MESSAGE.finditer(news.decode(errors="replace")):
            self._message(message[1] + message[2], message[3] or "")

    @property
    def is_asking(self) -> bool:
        """Whether the server has still to answer."""
        return self._connection.transaction_status == pq.TransactionStatus.ACTIVE

    def _message(self, kind: str, text: str) -> None:
        match kind:
            case "FQuery":
                self._given(text.strip('"'))
            case "FParse" if prepared := _PREPARED.match(text):
                self._prepared[prepared["name"]] = prepared["text"]
            case "FBind" if bound := _BOUND.match(text):
                self._bound = bound["name"]
            case "FExecute":
                self._given(self._prepared[self._bound])
            case "BCommandComplete" if _CHANGED.match(text):
                self._meter.changed(id(self))
            case _:
                pass

    def _given(self, statement: str) -> None:
        self._meter.statement(id(self), statement, self._causes.current())


@contextmanager
def heard(meter: Meter, causes: Causes, traffic: Traffic) -> Generator[None]:
    """Whatever connections of this process are given in this block is counted: ours, and those of the jobs."""
    wait: Any = AsyncConnection.wait
    send, hear = PostgresqlConnection.send, PostgresqlConnection.hear
    listeners: dict[PGconn, _Listener] = {}

    def listener(connection: PGconn) -> _Listener:
        if connection not in listeners:
            listeners[connection] = _Listener(connection, meter, causes, stack)
        return listeners[connection]

    async def waited(self: AsyncConnection[Any], *args: object, **options: object) -> object:
        told = listener(self.pgconn)
        try:
            return await wait(self, *args, **options)
        finally:
            told.read()

    def sent(self: PostgresqlConnection) -> None:
        told = listener(self.libpq)
        send(self)
        told.read()

    def heard_by(self: PostgresqlConnection) -> None:
        told = listener(self.libpq)
        hear(self)
        told.read()

    traffic.busy.append(lambda: any(listener.is_asking for listener in listeners.values()))
    with ExitStack() as stack:
        stack.enter_context(patch.object(AsyncConnection, "wait", waited))
        stack.enter_context(patch.multiple(PostgresqlConnection, send=sent, hear=heard_by))
        yield
