"""Reads one definition: from a text to frozen values, or to everything that is wrong with it, each with its line."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path as FilePath
from typing import cast

import rfc8785

from bot.agents import canonical, documents, flows, placeholders, spellings
from bot.agents.definition import (
    AgentStep,
    Definition,
    Flow,
    Input,
    Loop,
    ModelChoice,
    Output,
    Prompt,
    QueryStep,
    RunLimits,
    Schema,
    Sequential,
    Single,
    Step,
)
from bot.agents.flows import Finding
from bot.agents.form import DefinitionForm, FlowForm, ModelConfig, RunConfig, StepForm, filled, filled_in_part
from bot.agents.outputs import output_schema
from bot.agents.problems import DefinitionFault, InvalidDefinition, Problem
from bot.agents.processors import PROCESSORS
from bot.domain.limits import SpawnLimits
from policies.strict_yaml import Document, KeyPath

MAX_BYTES = 256 * 1024
SCHEMAS = "schemas"
"""The folder beside a definition that has the schemas which it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionSource:
    """A definition and the text that it was read from."""

    definition: Definition
    document: Document

    def problem(self, path: KeyPath, what: str, cure: str) -> Problem:
        """Something that is wrong at this place."""
        return Problem(file=self.document.name, line=self.document.line(path), what=what, cure=cure)


def read_file(path: FilePath) -> DefinitionSource:
    """The definition in a file; raises `InvalidDefinition`."""
    try:
        text = bytes_of(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable(path, "The file is not a text in UTF-8.", "Save it as UTF-8.") from error
    return read(text, str(path), schemas=path.parent / SCHEMAS)


def bytes_of(path: FilePath) -> bytes:
    """The bytes of a regular file of bounded size; raises `InvalidDefinition`."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise _unreadable(path, "This is no regular file.", "Name a file that is one.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, f"The file cannot be read ({error.strerror}).", "Name a file that is there.") from error
    if len(data) > MAX_BYTES:
        raise _unreadable(path, f"The file is larger than {MAX_BYTES:,} bytes.", "Make it smaller.")
    return data


def read(text: str, name: str, *, suffix: str = "", schemas: FilePath | None = None) -> DefinitionSource:
    """The definition in a text. `suffix` says what it is where its name does not; raises `InvalidDefinition`."""
    document = documents.parse(text, name, suffix)
    if not isinstance(document.value, dict):
        raise _unreadable(document.name, "This is no map of keys.", "Write “name: …” and the other keys.")
    keys = cast("dict[str, object]", document.value)
    if documents.BODY in keys:
        return _checked(spellings.markdown(document), schemas)
    return _checked(spellings.canonical(document, keys, spellings.OTHERS), schemas)


def read_mapping(value: Mapping[str, object], name: str) -> DefinitionSource:
    """The definition in a mapping with canonical keys, which has no lines; raises `InvalidDefinition`."""
    return _checked(Document(name=name, value=value, lines={}), None)


def _unreadable(name: object, what: str, cure: str) -> InvalidDefinition:
    return InvalidDefinition([Problem(file=str(name), line=1, what=what, cure=cure)])


def _checked(document: Document, schemas: FilePath | None) -> DefinitionSource:
    builder = _Builder(schemas)
    try:
        form = filled(document)
    except InvalidDefinition as error:
        raise InvalidDefinition([*error.problems, *_beside(document, schemas)]) from None
    source = DefinitionSource(definition=builder.definition(form), document=document)
    found = [*builder.findings, *_findings(source.definition)]
    if not found:
        found = [*_without_form(source.definition)]
    if found:
        raise InvalidDefinition(source.problem(*each) for each in found)
    return source


_NEEDS: Mapping[object, frozenset[str]] = {
    "promptConfig": frozenset({"inputConfig"}),
    "flow": frozenset({"inputConfig", "outputConfig", "toolConfig"}),
}
"""What is wrong with these keys is only known where others are right."""


def _beside(document: Document, schemas: FilePath | None) -> Iterator[Problem]:
    """What is wrong with the keys whose form is right, where that of others is not."""
    form, wrong = filled_in_part(document)
    builder = _Builder(schemas)
    source = DefinitionSource(definition=builder.definition(form), document=document)
    for path, what, cure in (*builder.findings, *_findings(source.definition)):
        if not wrong & {str(path[0]), *_NEEDS.get(path[0], ())}:
            yield source.problem(path, what, cure)


def _findings(definition: Definition) -> Iterator[Finding]:
    """What is wrong with a definition whose form is right."""
    cure = f"The inputs are: {', '.join(definition.inputs) or 'none'}. Write $${{ for a literal ${{."
    prompts = {"query": definition.prompt.query, "systemPrompt": definition.prompt.system}
    for key, template in prompts.items():
        for written in placeholders.unknown(template, definition.inputs):
            yield ("promptConfig", key), f"There is no input for “{written}”.", cure
        if what := placeholders.too_many(template):
            yield ("promptConfig", key), what, "Name each value once, and refer to it in words."
    for place, tool in enumerate(definition.tools):
        if tool in definition.tools[:place]:
            yield ("toolConfig", "tools", place), f"The tool “{tool}” is listed twice.", "Keep one of them."
    if definition.process_output is not None and definition.process_output not in PROCESSORS:
        what = f"There is no function “{definition.process_output}” for the output."
        yield ("processOutput",), what, f"Write one of {', '.join(PROCESSORS)}."
    yield from flows.findings(definition)


def _without_form(definition: Definition) -> Iterator[Finding]:
    try:
        canonical.digest(definition)
    except (rfc8785.CanonicalizationError, UnicodeError) as error:
        yield (), f"It has a number or a character that JSON has no form for ({error}).", "Write another one."


class _Builder:
    """Makes the values of a form. What stands in the way of one is a finding."""

    def __init__(self, schemas: FilePath | None) -> None:
        self._schemas = schemas
        self.findings: list[Finding] = []

    def definition(self, form: DefinitionForm) -> Definition:
        output = form.outputConfig
        schema = self._schema(output.schema_, ("outputConfig", "schema"))
        return Definition(
            name=form.name,
            display_name=form.displayName,
            description=form.description,
            inputs={name: Input(**one.model_dump()) for name, one in form.inputConfig.inputs.items()},
            output=Output(name=output.outputName, description=output.description, schema=schema),
            process_output=form.processOutput,
            prompt=Prompt(query=form.promptConfig.query, system=form.promptConfig.systemPrompt),
            model=_model(form.modelConfig),
            tools=tuple(form.toolConfig.tools),
            limits=_limits(form.runConfig),
            flow=self._flow(form.flow),
        )

    def _schema(self, written: object, path: KeyPath) -> Schema:
        try:
            return output_schema.read(written, self._schemas)
        except DefinitionFault as fault:
            self.findings.append((path, fault.what, fault.cure))
            return {}

    def _flow(self, form: FlowForm | None) -> Flow:
        if form is None:
            return Single()
        self._only_its_keys(form)
        match form.type:
            case "single":
                return Single()
            case "sequential":
                return Sequential(steps=tuple(self._step(step, place) for place, step in enumerate(form.steps or ())))
            case "loop":
                until = None if form.until is None else self._schema(form.until, ("flow", "until"))
                return Loop(until=until, max_iterations=form.max_iterations)

    def _only_its_keys(self, form: FlowForm) -> None:
        allowed = {"single": set[str](), "sequential": {"steps"}, "loop": {"until", "max_iterations"}}[form.type]
        for key in sorted(form.model_fields_set - {"type"} - allowed):
            self.findings.append((("flow", key), f"A flow of type {form.type} has no “{key}”.", "Leave it out."))
        if form.type == "sequential" and not form.steps:
            self.findings.append((("flow",), "A sequential flow has no steps.", "Add “steps” with at least one."))

    def _step(self, form: StepForm, place: int) -> Step:
        if (form.agent is None) == (form.query is None):
            what = f"The step “{form.name}” must have an agent or a query, and not both."
            self.findings.append((("flow", "steps", place), what, "Write one of “agent” and “query”."))
        misplaced = ("inputs", "query") if form.query is not None else ("tools", "agent")
        if form.model_fields_set & {misplaced[0]}:
            what = f"A step with “{misplaced[1]}” has no “{misplaced[0]}”."
            self.findings.append((("flow", "steps", place, misplaced[0]), what, "Leave it out."))
        if form.agent is not None:
            return AgentStep(name=form.name, agent=form.agent, inputs=form.inputs or {}, limits=_spawn(form))
        return QueryStep(name=form.name, query=form.query or "", tools=tuple(form.tools or ()), limits=_spawn(form))


def _spawn(form: StepForm) -> SpawnLimits:
    timeout = None if form.timeout is None else timedelta(seconds=form.timeout)
    return SpawnLimits(timeout=timeout, max_steps=form.max_steps)


def _model(form: ModelConfig | None) -> ModelChoice | None:
    if form is None:
        return None
    return ModelChoice(model=form.model, temperature=form.temp, top_p=form.top_p, thinking_budget=form.thinkingBudget)


def _limits(form: RunConfig | None) -> RunLimits | None:
    return None if form is None else RunLimits(minutes=form.max_time_minutes, turns=form.max_turns)
