"""What people wrote is in no error's text: errors reach the log with their traceback."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from integrations.calendar.wire import Attendee
from integrations.gmail.tools.search import SearchArgs
from integrations.gmail.tools.send import SendArgs
from integrations.gmail.wire import GmailThread
from policies.errors import InvalidEvidence
from policies.evidence import evidence_from_json

SECRET = "the safe is behind the oak"


@pytest.mark.parametrize(
    "read",
    [
        lambda: SearchArgs.model_validate_json(f'{{"query": ["{SECRET}"]}}'),
        lambda: SearchArgs.model_validate_json(f'{{"query": "{SECRET}'),
        lambda: SendArgs.model_validate({"to": [], "subject": {SECRET: 1}, "body": SECRET, "more": SECRET}),
        lambda: GmailThread.model_validate({"id": "t", "messages": SECRET}),
        lambda: Attendee.model_validate({"email": {"text": SECRET}}),
    ],
    ids=["a type", "no JSON", "an unknown argument", "what Google says", "a guest"],
)
def test_no_input_stands_in_an_error(read: Callable[[], object]) -> None:
    """Arguments and Google's answers are checked, and an error says where it is wrong, not what stands there."""
    with pytest.raises(ValidationError) as error:
        read()
    assert SECRET not in str(error.value)
    assert "validation error" in str(error.value)


def test_stored_evidence_stays_silent_too() -> None:
    """Also what its error was made from says nothing of the addresses in it."""
    with pytest.raises(InvalidEvidence) as error:
        evidence_from_json({"recipients": {"address": SECRET}, "rules": [SECRET]})
    assert SECRET not in f"{error.value} {error.value.__cause__}"
