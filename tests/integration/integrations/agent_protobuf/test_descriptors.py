"""The descriptors of agent definitions, which a compiler makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]
PROTO = "integrations/agent_protobuf/agent.proto"


def test_the_descriptors_are_those_of_the_proto_file(tmp_path: Path):
    """What is committed is what the compiler makes of `agent.proto`, byte for byte."""
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I.", f"--python_out={tmp_path}", f"--pyi_out={tmp_path}"]
    subprocess.run([*command, PROTO], cwd=ROOT, check=True)
    for made in sorted(tmp_path.rglob("agent_pb2.*")):
        assert made.read_text() == (ROOT / PROTO).with_name(made.name).read_text()
    assert len(list(tmp_path.rglob("agent_pb2.*"))) == 2
