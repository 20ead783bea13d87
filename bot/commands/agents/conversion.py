"""One definition from any of its forms to any other."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click

from bot.agents import canonical, reader
from bot.agents.definition import Definition
from bot.agents.problems import InvalidDefinition
from bot.agents.reader import DefinitionSource
from bot.commands.sheet import on_one_line
from bot.commands.terminal import fail
from bot.errors import BotError
from integrations.agent_protobuf import codec
from integrations.agent_protobuf.codec import MessageForm
from integrations.errors import IntegrationError

PROTOBUF: Mapping[str, MessageForm] = {
    ".binpb": MessageForm.BINARY,
    ".pb": MessageForm.BINARY,
    ".textproto": MessageForm.TEXT,
    ".txtpb": MessageForm.TEXT,
    ".protojson": MessageForm.JSON,
}
"""The forms of protobuf messages, by the ends of their files' names."""


def convert(file: Path, form: str, output: Path | None) -> None:
    """Write the definition in this form; exit with each problem on a line where that is not possible."""
    try:
        data = _written(_read(file).definition, form)
    except InvalidDefinition as error:
        _refuse(error)
    except IntegrationError as error:
        fail(BotError(on_one_line(f"{file}: {error}")))
    if output is not None:
        _save(output, data)
    elif form == MessageForm.BINARY and sys.stdout.isatty():
        fail(BotError("A binary message is nothing for a terminal: name a file with -o."))
    else:
        click.echo(data, nl=False)


def _read(file: Path) -> DefinitionSource:
    form = PROTOBUF.get(file.suffix.lower())
    if form is None:
        return reader.read_file(file)
    return reader.read_mapping(codec.decode(reader.bytes_of(file), form), str(file))


def _written(definition: Definition, form: str) -> bytes:
    value = canonical.mapping(definition)
    match form:
        case "yaml":
            return canonical.yaml_text(value).encode()
        case "json":
            return canonical.json_text(value).encode()
        case _:
            return codec.encode(value, MessageForm(form))


def _save(output: Path, data: bytes) -> None:
    try:
        output.write_bytes(data)
    except OSError as error:
        fail(BotError(on_one_line(f"{output} cannot be written ({error.strerror}). Name another file with -o.")))


def _refuse(error: InvalidDefinition) -> NoReturn:
    for problem in error.problems:
        click.echo(on_one_line(str(problem)), err=True)
    sys.exit(1)
