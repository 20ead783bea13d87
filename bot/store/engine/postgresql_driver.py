"""psycopg's connection, whose statements go through libpq without a cursor.

A cursor of psycopg registers with the event loop for each statement, looks for its values' types and describes all
columns, which takes several times as long as the rest. Here libpq's calls are made as its documentation has them
(“Asynchronous Command Processing” and “Pipeline Mode”): the loop watches the connection as long as it is open,
statements are prepared when they come a second time, values are texts whose types the statement names, and rows are
read by psycopg's loaders. A batch ends with one Sync; what begins a transaction goes with its first statement, and who
only read does not wait for the end of it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import select
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import psycopg
from psycopg import AsyncConnection as PsycopgConnection
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from bot.store.engine.connection import DriverResult
from bot.store.engine.shield import run_to_end
from bot.store.engine.statements import Bound

_PREPARED = 512
"""Statements that a connection keeps prepared: more than we have, and a bound."""

_SEEN = 4_096
_CANCEL_SECONDS = 5.0
_OLDEST_SECONDS = 1800.0
_ENDS_TRANSACTIONS = 170_000  # the first version of the server that does

_Dump: TypeAlias = Callable[[Any], "bytes | None"]


def _text(value: str) -> bytes:
    """Text without the character that PostgreSQL's text cannot hold: what a mail or a model says is stored all the
    same, as SQLite does.
    """
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode()


def _array(values: list[str]) -> bytes:
    escaped = (value.replace("\\", r"\\").replace('"', r"\"") for value in values)
    return _text("{" + ",".join(f'"{value}"' for value in escaped) + "}")


_DUMPS: Mapping[type[Any], _Dump] = {
    str: _text,
    int: lambda value: b"%d" % value,
    bool: lambda value: b"t" if value else b"f",
    float: lambda value: repr(value).encode(),
    dt.datetime: lambda value: value.isoformat(" ").encode(),
    bytes: lambda value: b"\\x" + value.hex().encode(),
    list: _array,
    type(None): lambda _: None,
}
"""Values as PostgreSQL reads them (its documentation, “Data Types”)."""


def _dumped(value: Any) -> bytes | None:
    """As PostgreSQL reads it; raises `TypeError` for what no column has."""
    kind = cast("type[Any]", type(value))
    if (dump := _DUMPS.get(kind)) is not None:
        return dump(value)
    for of, dump in _DUMPS.items():  # a word of an enumeration is text
        if issubclass(kind, of):
            return dump(value)
    raise TypeError(f"no column has {kind}")


def _all_dumped(values: Sequence[Any]) -> Sequence[bytes | None] | None:
    return [_dumped(value) for value in values] if values else None


Statement: TypeAlias = tuple[str, Sequence[Any]]
"""With its values in their order."""

Begin: TypeAlias = Sequence[Statement]
"""What begins a transaction."""


class PostgresqlConnection:
    """Implements `DatabaseConnection`."""

    def __init__(self, driver: PsycopgConnection[Any]) -> None:
        self._driver = driver
        self.libpq = driver.pgconn
        self._loop = asyncio.get_running_loop()
        self._oldest = self._loop.time() + _OLDEST_SECONDS
        self._loader = Transformer(driver)
        self._seen: set[str] = set()
        self._prepared: dict[str, bytes] = {}
        self._columns: dict[str, Sequence[str]] = {}
        self._begin: Sequence[tuple[str, Sequence[bytes | None] | None]] = ()
        self._turn = asyncio.Lock()
        self._asked = 0  # Syncs whose answer is still to come
        self._results: list[PGresult] = []
        self._waiter: asyncio.Future[None] | None = None
        self._is_watched = False
        self._is_outdated = False
        self.libpq.enter_pipeline_mode()
        self._socket = self.libpq.socket

    # Whether it can be used -----------------------------------------------------------------------------------

    @property
    def is_usable(self) -> bool:
        """Whether it is in no transaction, not too old, and the server did not end it."""
        if self._asked and self._is_spoken_to():
            self.hear()
        if self._is_broken() or self._is_outdated or self._loop.time() > self._oldest:
            return False
        if self._asked:  # the end of a transaction that only read; its answer comes before the next one's
            return True
        return self.libpq.transaction_status == TransactionStatus.IDLE and not self._is_spoken_to()

    def _is_spoken_to(self) -> bool:
        """Whether the server says something; where nobody asked for it, as it does at its end."""
        if self.is_lost:
            return False
        heard = select.poll()
        heard.register(self._socket, select.POLLIN)
        return bool(heard.poll(0))

    def _is_broken(self) -> bool:
        return self.libpq.status != ConnStatus.OK

    @property
    def is_lost(self) -> bool:
        """Whether nothing more is heard from the server here."""
        return self._driver.closed

    # Transactions ---------------------------------------------------------------------------------------------

    async def limit(self, statement: str) -> None:
        """Bound whole transactions by this statement, where the server can."""
        if self.is_limited:
            await self.run(statement, ())

    @property
    def is_limited(self) -> bool:
        """Whether the server ends transactions that take too long."""
        return self._driver.info.server_version >= _ENDS_TRANSACTIONS

    async def begin(self, statements: Begin) -> None:
        """Begin a transaction: this goes with its first statement."""
        self._begin = [(sql, _all_dumped(values)) for sql, values in statements]

    async def commit(self) -> None:
        """Commit; raises where the transaction had failed, and nothing was saved."""
        if self._is_empty():
            return
        result = await self._batch(("COMMIT", ()))
        if result.command_status != b"COMMIT":  # the server answers ROLLBACK to the COMMIT of a failed one
            raise psycopg.InternalError("the transaction was rolled back")

    def leave(self) -> None:
        """End a transaction that only read; nobody waits for that."""
        if self._is_empty() or self._is_broken():
            return
        try:
            self._queue("COMMIT", None)
            self.send()
        except psycopg.Error:  # what was read is read; this connection is not lent again
            self._unwatch()

    async def rollback(self) -> None:
        """End the transaction, if there is one and the server can be told. What failed may have been prepared for
        tables that changed since: all is to be prepared anew then.
        """
        if self._is_empty() or self.is_lost or self.libpq.transaction_status == TransactionStatus.IDLE:
            return
        if not self._is_outdated:
            await self._batch(("ROLLBACK", ()))
            return
        for kept in (self._seen, self._prepared, self._columns):
            kept.clear()
        await self._batch(("ROLLBACK", ()), ("DEALLOCATE ALL", ()))
        self._is_outdated = False

    def _is_empty(self) -> bool:
        """Whether what was begun was never sent; then there is nothing to end."""
        begun, self._begin = bool(self._begin), ()
        return begun

    # Statements -----------------------------------------------------------------------------------------------

    async def run(self, sql: str, values: Bound) -> DriverResult:
        """See the protocol. `$1` in the statement is the first of the values."""
        if self._is_outdated:  # where its BEGIN failed there is none, and this would be a transaction of its own
            raise psycopg.errors.InFailedSqlTransaction("the transaction failed before")
        assert isinstance(values, Sequence) or not values, "values are given in order"
        return self._answer(sql, await self._batch((sql, cast("Sequence[Any]", values))))

    async def _batch(self, *statements: Statement) -> PGresult:
        """Run these statements, after what begins the transaction if that is still to be sent; the last result."""
        given = [(sql, _all_dumped(values)) for sql, values in statements]
        async with self._turn:
            begin, self._begin = self._begin, ()
            try:
                for sql, values in [*begin, *given]:
                    self._queue(sql, values)
                *_, result = await self._answers()
            except psycopg.Error:
                if self._is_broken():  # libpq has closed the socket, whose number may be another's by now
                    self._unwatch()
                raise
        return result

    def _queue(self, sql: str, values: Sequence[bytes | None] | None) -> None:
        """Say it to libpq, which sends it with the Sync, or before where it is more than a few KiB."""
        name = self._prepared.get(sql) or self._prepare(sql)
        if name is None:
            self.libpq.send_query_params(sql.encode(), values)
        else:
            self.libpq.send_query_prepared(name, values)

    def _prepare(self, sql: str) -> bytes | None:
        """The name under which it is prepared from now on, if it came before."""
        if sql not in self._seen:
            if len(self._seen) < _SEEN:
                self._seen.add(sql)
            return None
        if len(self._prepared) >= _PREPARED:
            return None
        name = self._prepared[sql] = b"s%d" % len(self._prepared)
        self.libpq.send_prepare(name, sql.encode())
        return name

    def _answer(self, sql: str, result: PGresult) -> DriverResult:
        changed = result.command_tuples or 0
        if not result.nfields:
            return DriverResult((), (), changed)
        names = self._columns.get(sql)
        if names is None:
            names = [(result.fname(at) or b"").decode() for at in range(result.nfields)]
            if sql in self._prepared:
                self._columns[sql] = names
        self._loader.set_pgresult(result)
        rows = self._loader.load_rows(0, result.ntuples, tuple)
        self._loader.set_pgresult(None)
        return DriverResult(rows, names, changed)

    # Waiting --------------------------------------------------------------------------------------------------

    def send(self) -> None:
        """Send the batch."""
        self.libpq.pipeline_sync()
        self._asked += 1
        if not self._is_watched:
            self._loop.add_reader(self._socket, self.hear)
            self._is_watched = True
        if self.libpq.flush():
            self._loop.add_writer(self._socket, self._say)

    async def _answers(self) -> list[PGresult]:
        """Send the batch; the results of its statements. Raises `psycopg.Error` where one of them failed."""
        waiter = self._waiter = self._loop.create_future()
        try:
            self.send()
            await waiter
        except asyncio.CancelledError:
            self._is_outdated = True  # what was to be prepared behind the cut may not have been
            await run_to_end(self._cancel(), grace=2 * _CANCEL_SECONDS)
            raise
        finally:
            self._waiter = None
        results, self._results = self._results, []
        if error := _failure(results):
            self._is_outdated = True
            raise error
        return results

    def _say(self) -> None:
        """There is room for what was not sent yet. libpq takes what the server says meanwhile, so that is heard too."""
        try:
            if not self.libpq.flush():
                self._loop.remove_writer(self._socket)
        except psycopg.Error as error:
            self._fail(error)
        else:
            self.hear()

    def hear(self) -> None:
        """The server said something."""
        if not self._asked:  # and nobody asked: it is at its end, which `is_usable` sees
            self._unwatch()
            return
        try:
            self.libpq.consume_input()
            self._take()
        except psycopg.Error as error:
            self._fail(error)
            return
        if not self._asked and self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _take(self) -> None:
        """Take the results that came; those before the last Sync are of nobody who waits."""
        ends = 0
        while self._asked and not self.libpq.is_busy():  # else libpq would wait, and hold up the loop
            result = self.libpq.get_result()
            if result is None:
                ends += 1  # of a statement's results; two in a row are those of a connection that was lost
                if ends > 1:
                    raise psycopg.OperationalError("the connection was lost")
                continue
            ends = 0
            if result.status != ExecStatus.PIPELINE_SYNC:
                self._results.append(result)
                continue
            self._asked -= 1
            if self._asked:
                self._results.clear()

    def _fail(self, error: psycopg.Error) -> None:
        self._unwatch()
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(_failure(self._results) or error)

    def _unwatch(self) -> None:
        if self._is_watched:
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._is_watched = False

    async def _cancel(self) -> None:
        """Have the server give up what it is asked, and hear its answer; else this is closed."""
        try:
            async with asyncio.timeout(_CANCEL_SECONDS):
                await self._driver.cancel_safe(timeout=_CANCEL_SECONDS)
                self._waiter = self._loop.create_future()
                if self._asked:
                    await self._waiter
            self._results.clear()
        except (psycopg.Error, TimeoutError):
            await self.close()

    async def close(self) -> None:
        """Close it."""
        self._unwatch()
        await self._driver.close()


def _failure(results: Sequence[PGresult]) -> psycopg.Error | None:
    """The first error; what follows it was not done."""
    failed = (result for result in results if result.status == ExecStatus.FATAL_ERROR)
    return next(map(psycopg.errors.error_from_result, failed), None)
