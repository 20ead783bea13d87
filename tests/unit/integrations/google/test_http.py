"""One-shot connections on their own."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator

import pytest

from integrations.google.http import BROKEN, AlreadySent, HttpPool, OneShot


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
