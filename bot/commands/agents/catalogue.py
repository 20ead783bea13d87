"""The shipped agents and a team's own: what is wrong with their files, and what each lacks to be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from bot.agents import library
from bot.agents.definition import Input
from bot.agents.inputs import called
from bot.agents.library import Entry, Library
from bot.clock import SystemClock
from bot.commands.sheet import on_one_line
from bot.commands.terminal import fail
from bot.errors import Misconfigured
from bot.llm import choice
from bot.settings import Settings
from bot.wiring.tools import catalog_of, library_of, policy_of
from integrations.text import counted
from policies.errors import PolicyError


def validate(settings: Settings, paths: Sequence[Path]) -> int:
    """Print what is wrong with these files, or with all there are where none is named; the status."""
    asked = [file for path in paths for file in (library.files_of(path) if path.is_dir() else [path])]
    found = _library(settings, asked)
    names = {str(path) for path in asked}
    problems = [problem for problem in found.problems if not paths or problem.file in names]
    wrong = {problem.file for problem in problems}
    right = [entry for entry in found.entries.values() if entry.file not in wrong]
    if paths:
        right = [entry for entry in right if entry.file in names]
    for line in (*problems, *(line for entry in right for line in _verdict(entry, settings))):
        click.echo(on_one_line(str(line)))
    empty = [path for path in paths if path.is_dir() and not library.files_of(path)]
    for path in empty:
        click.echo(on_one_line(f"✗ {path}: there are no definitions in this folder."))
    return 1 if problems or empty else 0


def show(settings: Settings) -> None:
    """Print every agent there is, and whether the constitution lets it be used."""
    found, lacks = _library(settings, ()), _lacking(settings)
    for entry in found.entries.values():
        definition = entry.definition
        click.echo(on_one_line(f"{definition.name}  {definition.title}"))
        click.echo(f"  from    {entry.file}")
        click.echo(on_one_line(f"  inputs  {_inputs(definition.inputs) or 'none'}"))
        click.echo(f"  tools   {', '.join(definition.tools) or 'none'}")
        click.echo(f"  state   {_named(lacks[definition.name]) or 'available'}")
    if found.problems:
        wrong = counted(len({problem.file for problem in found.problems}), "file")
        click.echo(f"! {wrong} cannot be used. `countersign agents validate` says why.", err=True)


def _inputs(inputs: Mapping[str, Input]) -> str:
    """Each with what its value must be."""
    return ", ".join(
        f"{name} ({called(one)}{'' if one.required else '; may be left out'})" for name, one in inputs.items()
    )


def _library(settings: Settings, asked: Iterable[Path]) -> Library:
    try:
        return library_of(settings, asked)
    except Misconfigured as error:
        fail(error)


def _verdict(entry: Entry, settings: Settings) -> Iterator[str]:
    yield f"✓ {entry.file}: {entry.definition.name} is valid."
    if not entry.is_available:
        yield f"  It is not available here: it {_named(entry.lacks)}."
    yield from (f"  {warning}" for warning in _warnings(entry, settings))


def _lacking(settings: Settings) -> Mapping[str, Sequence[str]]:
    """What each agent lacks, an entry in the constitution among it."""
    try:
        catalog = catalog_of(library_of(settings), policy_of(settings))
        return {name: agent.lacks for name, agent in catalog.agents.items()}
    except PolicyError as error:
        fail(Misconfigured(str(error)))


def _named(lacks: Sequence[str]) -> str:
    return f"lacks {', '.join(lacks)}" if lacks else ""


def _warnings(entry: Entry, settings: Settings) -> Sequence[str]:
    """What of its model's configuration does not count."""
    written = entry.definition.model
    if written is None:
        return ()
    return choice.choose(
        written.model or settings.gemini_model,
        temperature=written.temperature,
        top_p=written.top_p,
        thinking_budget=written.thinking_budget,
        day=SystemClock().now().date(),
    ).warnings
