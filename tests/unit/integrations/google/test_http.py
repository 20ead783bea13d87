"""One-shot connections of their own, and batches."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator, Sequence

import pytest

from integrations.google.calls import Answer, ApiCall, GoogleRefusal, Outcome
from integrations.google.http import BROKEN, AlreadySent, HttpPool, OneShot
from integrations.google.retry import Backoff, read_batch


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Accepts connections, reads a little and closes them."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(1024)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_a_handshake_that_fails_sent_nothing(listener: socket.socket) -> None:
    """When encryption cannot be agreed on, the request certainly did not leave."""
    shot = OneShot(timeout=1, proxied=False)
    with pytest.raises((ssl.SSLError, OSError)):
        shot.request(f"https://127.0.0.1:{listener.getsockname()[1]}/", method="POST", body="{}")
    assert not shot.sent
    shot.close()


def test_a_shot_is_fired_once(listener: socket.socket) -> None:
    """After a request left, the same shot refuses another, whatever became of the first."""
    shot = OneShot(timeout=1, proxied=False)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    with pytest.raises(BROKEN):
        shot.request(url, method="POST", body="{}")
    assert shot.sent
    with pytest.raises(AlreadySent):
        shot.request(url, method="POST", body="{}")
    shot.close()


def test_two_callers_never_hold_the_same_connection() -> None:
    """A connection that is checked out belongs to one caller; the last one returned is taken first."""
    pool = HttpPool(timeout=1, proxied=False)
    with pool.checked_out() as one, pool.checked_out() as other:
        assert one is not other
    with pool.checked_out() as again:
        assert again is one
    pool.close()


def test_a_connection_that_saw_an_error_is_not_used_again() -> None:
    """Nobody reads the rest of somebody else's answer."""
    pool = HttpPool(timeout=1, proxied=False)
    with pytest.raises(RuntimeError), pool.checked_out() as broken:
        raise RuntimeError
    with pool.checked_out() as fresh:
        assert fresh is not broken
    pool.close()


# Batches: chunks, and another go for what was only asked to wait ---------------------------------------------------


def calls(count: int) -> list[ApiCall]:
    return [ApiCall(api="gmail", resource="users.threads", method="get", params={"id": n}) for n in range(count)]


async def test_only_items_that_were_asked_to_wait_go_again_in_smaller_chunks() -> None:
    """Of 60 items 20 are refused with 429 and one with 404: the 20 go again, ten at a time, the one does not."""
    sizes: list[int] = []
    pauses: list[float] = []

    async def send(chunk: Sequence[ApiCall]) -> Sequence[Outcome]:
        first = len(sizes) < 3
        sizes.append(len(chunk))
        return [_answer(int(str(call.params["id"])), first) for call in chunk]

    def _answer(n: int, first: bool) -> Outcome:
        if n == 59:
            return GoogleRefusal(status=404)
        return GoogleRefusal(status=429, retry_after=2.0) if first and n % 3 == 0 else Answer(n)

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    outcomes = await read_batch(calls(60), send=send, backoff=Backoff(jitter=lambda: 0.5), sleep=sleep)
    assert sizes == [20, 20, 20, 10, 10]
    assert pauses == [2.0]
    assert outcomes == [*(Answer(n) for n in range(59)), GoogleRefusal(status=404)]


async def test_a_batch_gives_up_with_the_items_refusals() -> None:
    """When backoff ends, each item keeps its own refusal."""

    async def send(chunk: Sequence[ApiCall]) -> Sequence[Outcome]:
        return [GoogleRefusal(status=503)] * len(chunk)

    async def sleep(seconds: float) -> None:
        del seconds

    outcomes = await read_batch(calls(2), send=send, backoff=Backoff(jitter=lambda: 0.5), sleep=sleep)
    assert outcomes == [GoogleRefusal(status=503), GoogleRefusal(status=503)]
