"""What Reflect and Replan are asked with: the schemas as they are sent, and what of an answer satisfies them."""

from __future__ import annotations

from typing import Any

import pytest
from inline_snapshot import snapshot

from bot.llm.output_schema import widened
from bot.runtime.plans.reflections import Reflection, Replanning, UnreadableReflection, read, schema_of


def test_the_schema_of_reflect() -> None:
    """Without references; of the limits in it the API takes some (`bot.llm.output_schema`), and we check all."""
    assert widened(schema_of(Reflection)) == snapshot(
        {
            "additionalProperties": False,
            "description": "The judgement of one round.",
            "properties": {
                "modifications": {
                    "items": {
                        "additionalProperties": False,
                        "description": "One change to the plan.",
                        "properties": {
                            "kind": {
                                "description": "How a plan changes itself.",
                                "enum": ["add", "change", "obsolete"],
                                "title": "ChangeKind",
                                "type": "string",
                            },
                            "id": {"title": "Id", "type": "string"},
                            "title": {"title": "Title", "type": "string"},
                            "goal": {"title": "Goal", "type": "string"},
                            "agent": {"title": "Agent", "type": "string"},
                            "replaces": {"title": "Replaces", "type": "string"},
                            "why": {"title": "Why", "type": "string"},
                        },
                        "required": ["kind", "why"],
                        "title": "Modification",
                        "type": "object",
                    },
                    "maxItems": 20,
                    "title": "Modifications",
                    "type": "array",
                },
                "is_task_complete": {"title": "Is Task Complete", "type": "boolean"},
                "persistent_error": {"title": "Persistent Error", "type": "boolean"},
                "summary": {"title": "Summary", "type": "string"},
            },
            "required": ["is_task_complete", "summary"],
            "title": "Reflection",
            "type": "object",
        }
    )


def test_the_schema_of_replan_is_that_of_its_modifications() -> None:
    whole: Any = widened(schema_of(Reflection))
    sent = widened(schema_of(Replanning))
    assert sent.pop("properties") == {"modifications": whole["properties"]["modifications"]}
    assert sent == snapshot(
        {
            "additionalProperties": False,
            "description": "What is to be different, now that a task failed.",
            "title": "Replanning",
            "type": "object",
        }
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Invalid JSON"),
        ("[]", "Input should be an object"),
        ('{"is_task_complete": true}', "summary: Field required"),
        ('{"is_task_complete": true, "summary": " "}', "summary: String should have at least 1 character"),
        ('{"is_task_complete": true, "summary": "Done.", "more": 1}', "more: Extra inputs are not permitted"),
        ('{"is_task_complete": true, "summary": "S", "modifications": [{"kind": "drop", "why": "so"}]}', "kind: Input"),
        ('{"is_task_complete": true, "summary": "S", "modifications": [{"kind": "add"}]}', "why: Field required"),
    ],
)
def test_what_is_no_judgement_says_why(text: str, why: str) -> None:
    with pytest.raises(UnreadableReflection, match=why):
        read(Reflection, text)
