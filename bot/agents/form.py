"""The form of a definition's canonical keys: pydantic checks names and types, and each error becomes a problem."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from bot.agents.definition import DEFAULT_ITERATIONS, MOST_ITERATIONS, InputType
from bot.agents.problems import InvalidDefinition, Problem
from bot.agents.spellings import seconds
from bot.domain.limits import LONGEST_WORK, MOST_AGENT_STEPS
from policies.strict_yaml import Document, KeyPath

MOST_TOOLS, MOST_INPUTS, MOST_IN_FLOW = 64, 64, 16
PROVIDERS = ("gemini", "google", "vertexai")

NAME = r"^[a-z][a-z0-9_]{0,62}$"
INPUT_NAME = r"^[A-Za-z][A-Za-z0-9_]{0,62}$"
OUTPUT_NAME = r"^[A-Za-z_][A-Za-z0-9_]{0,62}$"
TOOL_NAME = r"^[A-Za-z][A-Za-z0-9_.-]{0,127}$"


def _time(written: object) -> object:
    """Refuse words. Whatever else it is, pydantic says what is wrong with it."""
    if isinstance(written, str) and not written.isdecimal():
        raise ValueError("is no time: write minutes as a number, and seconds as a number or as in “90s” and “1h30m”")
    return written


def _gemini(provider: str) -> str:
    if provider.lower().replace("_", "").replace("-", "") not in PROVIDERS:
        raise ValueError(f"must be one of {', '.join(PROVIDERS)}: only Gemini is asked here")
    return provider


_TAKEN = frozenset(name for name in dir(BaseModel) if name.startswith("model_"))
"""Inputs become the fields of a pydantic model, and these are its own."""


def _free(name: str) -> str:
    if name in _TAKEN:
        raise ValueError("has a name that is taken here: give the input another one")
    return name


Text = Annotated[str, Field(min_length=1)]
Name = Annotated[str, Field(pattern=NAME)]
InputName = Annotated[str, Field(pattern=INPUT_NAME), AfterValidator(_free)]
OutputName = Annotated[str, Field(pattern=OUTPUT_NAME)]
ToolName = Annotated[str, Field(pattern=TOOL_NAME)]
Tools = Annotated[list[ToolName], Field(max_length=MOST_TOOLS)]
Turns = Annotated[int, Field(ge=1, le=MOST_AGENT_STEPS)]
Seconds = Annotated[
    float,
    BeforeValidator(_time),
    BeforeValidator(seconds),
    Field(ge=1, le=LONGEST_WORK / timedelta(seconds=1)),
]
Minutes = Annotated[float, BeforeValidator(_time), Field(gt=0, le=LONGEST_WORK / timedelta(minutes=1))]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, hide_input_in_errors=True)


class InputForm(_Form):
    """One input."""

    description: Text
    type: Annotated[InputType, Field(strict=False)]
    required: bool


class InputConfig(_Form):
    """What the agent takes."""

    inputs: Annotated[dict[InputName, InputForm], Field(max_length=MOST_INPUTS)]


class OutputConfig(_Form):
    """What the agent returns."""

    outputName: OutputName
    description: Text
    schema_: Annotated[object, Field(alias="schema")]


class PromptConfig(_Form):
    """What the agent is told."""

    query: Text
    systemPrompt: Text


class ModelConfig(_Form):
    """The model and how it is asked."""

    model: Text | None = None
    temp: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    thinkingBudget: Annotated[int, Field(ge=-1, le=1_000_000)] | None = None
    provider: Annotated[str, AfterValidator(_gemini)] | None = None


class ToolConfig(_Form):
    """The tools that the agent may use."""

    tools: Tools


class RunConfig(_Form):
    """The limits of the agent's work."""

    max_time_minutes: Minutes | None = None
    max_turns: Turns | None = None


class StepForm(_Form):
    """A step: an agent with its inputs, or a query with its tools; and what the run of it may use."""

    name: Name
    agent: Name | None = None
    inputs: dict[str, object] | None = None
    query: Text | None = None
    tools: Tools | None = None
    timeout: Seconds | None = None
    max_steps: Turns | None = None


class FlowForm(_Form):
    """How the work is divided."""

    type: Literal["single", "sequential", "loop"]
    steps: Annotated[list[StepForm], Field(min_length=1, max_length=MOST_IN_FLOW)] | None = None
    until: object = None
    max_iterations: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] = DEFAULT_ITERATIONS


class DefinitionForm(_Form):
    """A whole definition."""

    name: Name
    displayName: Text | None = None
    description: Text
    inputConfig: InputConfig
    outputConfig: OutputConfig
    processOutput: Text | None = None
    promptConfig: PromptConfig
    modelConfig: ModelConfig | None = None
    toolConfig: ToolConfig
    runConfig: RunConfig | None = None
    flow: FlowForm | None = None


def filled(document: Document) -> DefinitionForm:
    """The document as the form; raises `InvalidDefinition` with everything that does not fit."""
    try:
        return DefinitionForm.model_validate(document.value)
    except ValidationError as error:
        raise InvalidDefinition(_problems(document, error)) from None


_STAND_INS: Mapping[str, object] = {
    "name": "agent",
    "description": "An agent.",
    "inputConfig": {"inputs": {}},
    "outputConfig": {"outputName": "output", "description": "What it returns.", "schema": {"type": "string"}},
    "promptConfig": {"query": "Work.", "systemPrompt": "You work."},
    "toolConfig": {"tools": []},
}


def filled_in_part(document: Document) -> tuple[DefinitionForm, frozenset[str]]:
    """What of a document is right as a form, with stand-ins for the keys that are not, and the names of these."""
    keys = cast("Mapping[str, object]", document.value)
    try:
        return DefinitionForm.model_validate(keys), frozenset()
    except ValidationError as error:
        wrong = frozenset(str(item["loc"][0]) for item in error.errors(include_url=False))
    right = {key: value for key, value in keys.items() if key not in wrong}
    return DefinitionForm.model_validate({**_STAND_INS, **right}), wrong


def _problems(document: Document, error: ValidationError) -> Iterator[Problem]:
    for item in error.errors(include_url=False):
        path = tuple(part for part in item["loc"] if part != "[key]")
        what, cure = _said(item, path)
        yield Problem(file=document.name, line=document.line(path), what=what, cure=cure)


def _said(item: ErrorDetails, path: KeyPath) -> tuple[str, str]:
    name, kind, context = ".".join(map(str, path)) or "the whole file", item["type"], item.get("ctx", {})
    match kind:
        case "missing":
            return f"“{name}” is missing.", "Add it."
        case "extra_forbidden":
            return f"There is no key “{name}”.", _near(path)
        case "value_error":
            return f"“{name}” {str(item['msg']).removeprefix('Value error, ')}.", "Correct it there."
        case "string_pattern_mismatch":
            return f"“{name}” is not a name that can be used.", _NAMES[str(context["pattern"])]
        case _ if kind in _WRONG:
            what, cure = _WRONG[kind]
            return f"“{name}” {what}.", cure.format(**context)
        case _:
            return f"“{name}” is wrong: {item['msg']}.", "Correct it there."


_NAMES: Mapping[str, str] = {
    NAME: "Write a small letter, then small letters, digits and “_”, at most 63.",
    INPUT_NAME: "Write a letter, then letters, digits and “_”, at most 63.",
    OUTPUT_NAME: "Write a letter or “_”, then letters, digits and “_”, at most 63.",
    TOOL_NAME: "List each tool by its own name; wildcards are not read.",
}
_WRONG: Mapping[str, tuple[str, str]] = {
    "string_type": ("must be a text", "Put it in quotes."),
    "string_too_short": ("is empty", "Write a text."),
    "int_type": ("must be a whole number", "Write it without quotes."),
    "int_from_float": ("must be a whole number", "Write it without a fraction."),
    "float_type": ("must be a number", "Write it without quotes."),
    "bool_type": ("must be true or false", "Write it so, without quotes."),
    "list_type": ("must be a list", "Write one item a line, each after “- ”."),
    "dict_type": ("must be a map of keys", "Write its keys below it, indented."),
    "model_type": ("must be a map of keys", "Write its keys below it, indented."),
    "too_long": ("has too many entries", "Write at most {max_length}."),
    "too_short": ("is empty", "Write at least {min_length}."),
    "enum": ("has a value that there is not", "Write {expected}."),
    "literal_error": ("has a value that there is not", "Write {expected}."),
    "greater_than": ("is too small", "Write more than {gt}."),
    "greater_than_equal": ("is too small", "Write at least {ge}."),
    "less_than_equal": ("is too large", "Write at most {le}."),
}
"""By pydantic's kind of error: what is wrong, and the cure."""


_FORMS: Sequence[type[_Form]] = (
    *(DefinitionForm, InputConfig, InputForm, OutputConfig, PromptConfig, ModelConfig, ToolConfig, RunConfig),
    *(FlowForm, StepForm),
)
_KEYS = [info.alias or name for form in _FORMS for name, info in form.model_fields.items()]


def _near(path: KeyPath) -> str:
    """The key that was probably meant."""
    close = difflib.get_close_matches(str(path[-1]), _KEYS, n=1, cutoff=0.7)
    return f"Did you mean “{close[0]}”?" if close and close[0] != path[-1] else "Leave it out, or correct it."
