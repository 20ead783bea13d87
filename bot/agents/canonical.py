"""The canonical form of a definition: its keys in their order, as YAML or JSON, and its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta

from bot import canonical_json
from bot.agents.definition import (
    AgentStep,
    Definition,
    Flow,
    Input,
    Loop,
    ModelChoice,
    RunLimits,
    Sequential,
    Single,
    Step,
)
from policies import strict_yaml


def mapping(definition: Definition) -> dict[str, object]:
    """The definition with canonical keys, without those that say nothing."""
    output = definition.output
    return _without_none(
        {
            "name": definition.name,
            "displayName": definition.display_name,
            "description": definition.description,
            "inputConfig": {"inputs": {name: _input(one) for name, one in definition.inputs.items()}},
            "outputConfig": {
                "outputName": output.name,
                "description": output.description,
                "schema": output.schema,
            },
            "processOutput": definition.process_output,
            "promptConfig": {"query": definition.prompt.query, "systemPrompt": definition.prompt.system},
            "modelConfig": _model(definition.model),
            "toolConfig": {"tools": [*definition.tools]},
            "runConfig": _limits(definition.limits),
            "flow": _flow(definition.flow),
        }
    )


def yaml_text(value: Mapping[str, object]) -> str:
    """A canonical mapping as YAML."""
    return strict_yaml.write(value)


def json_text(value: Mapping[str, object]) -> str:
    """A canonical mapping as indented JSON."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def as_json(definition: Definition) -> str:
    """The canonical form as it is stored."""
    return json.dumps(mapping(definition), ensure_ascii=False)


def digest(definition: Definition) -> str:
    """SHA-256 over the canonical form as RFC 8785 writes it, in hex: the same for all spellings of one definition.

    Raises `ValueError` for numbers and characters that have no such form.
    """
    return hashlib.sha256(canonical_json.dumps(mapping(definition))).hexdigest()


def _without_none(value: Mapping[str, object]) -> dict[str, object]:
    return {key: item for key, item in value.items() if item is not None}


def _input(one: Input) -> dict[str, object]:
    return {"description": one.description, "type": one.type.value, "required": one.required}


def _model(model: ModelChoice | None) -> dict[str, object] | None:
    if model is None:
        return None
    written = {"model": model.model, "temp": model.temperature, "top_p": model.top_p}
    return _without_none({**written, "thinkingBudget": model.thinking_budget})


def _limits(limits: RunLimits | None) -> dict[str, object] | None:
    if limits is None:
        return None
    minutes = None if limits.minutes is None else _whole(limits.minutes)
    return _without_none({"max_time_minutes": minutes, "max_turns": limits.turns})


def _flow(flow: Flow) -> dict[str, object] | None:
    match flow:
        case Single():
            return None
        case Sequential():
            return {"type": "sequential", "steps": [_step(step) for step in flow.steps]}
        case Loop():
            return _without_none({"type": "loop", "until": flow.until, "max_iterations": flow.max_iterations})


def _step(step: Step) -> dict[str, object]:
    timeout = step.limits.timeout
    seconds = None if timeout is None else _whole(timeout / timedelta(seconds=1))
    limits = _without_none({"timeout": seconds, "max_steps": step.limits.max_steps})
    if isinstance(step, AgentStep):
        return {"name": step.name, "agent": step.agent, "inputs": dict(step.inputs), **limits}
    return {"name": step.name, "query": step.query, "tools": [*step.tools], **limits}


def _whole(number: float) -> float:
    return int(number) if float(number).is_integer() else number
