from __future__ import annotations

from pathlib import Path

import pytest

from playground.options import parse


def test_nothing_asked_for() -> None:
    """Without options the page takes a free port, the browser opens, and the data lie in .demo."""
    options = parse([])
    assert (options.port, options.browser, options.data, options.scripts) == (0, True, Path(".demo"), ())


def test_a_scene_has_data_of_its_own() -> None:
    """A scene plays in a directory of its own unless one is named."""
    assert parse(["--script", "a.yaml", "b.yaml"]).data is None
    assert parse(["--script", "a.yaml", "b.yaml"]).scripts == (Path("a.yaml"), Path("b.yaml"))
    assert parse(["--script", "a.yaml", "--data", "d"]).data == Path("d")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_is_a_port(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A port that is none ends the command with a message that says so."""
    with pytest.raises(SystemExit, match="2"):
        parse([f"--port={port}"])
    assert "is not a port" in capsys.readouterr().err
