"""Domain values for tests: every builder makes a valid one, and takes what the test is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from bot.domain.actions import Action, ActionState, Approval
from bot.domain.connections import Connection
from bot.domain.files import MessageFile
from bot.domain.limits import Limits
from bot.domain.questions import (
    AnswerPayload,
    ApprovePayload,
    ConnectPayload,
    PlanPayload,
    Question,
    QuestionKind,
    QuestionPayload,
    QuestionState,
    SettlePayload,
)
from bot.domain.runs import Run, RunState
from bot.domain.steps import Step
from bot.domain.threads import Audience, Message, Speaker, Thread, User
from integrations.errors import Lack
from policies.types import EffectClass

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
TEAM, DANA, MARA = "T1", "U1DANA", "U2MARA"
_numbers = count(1)


@dataclass(slots=True)
class HandClock:
    """A clock that stands until it is moved."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at

    def advance(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def run(**values: Any) -> Run:
    n = next(_numbers)
    given: dict[str, Any] = {
        "id": f"run_{n:06}",
        "thread_id": "thr_1",
        "team": TEAM,
        "user": DANA,
        "source_key": f"slack:T1:D1:{n}",
        "message_id": "msg_1",
        "state": RunState.QUEUED,
        "limits": Limits(steps=8),
        "ceiling": Limits(steps=8),
        "order_key": f"{n:06}",
        "created_at": NOW + timedelta(seconds=n),
    }
    return Run(**given | values)


def step(**values: Any) -> Step:
    n = next(_numbers)
    given: dict[str, Any] = {
        "id": f"step_{n:06}",
        "run_id": "run_1",
        "seq": n,
        "open": 0,
        "model": "gemini",
        "finish": "STOP",
        "started_at": NOW,
        "ended_at": NOW,
    }
    return Step(**given | values)


def action(**values: Any) -> Action:
    n = next(_numbers)
    given: dict[str, Any] = {
        "id": f"act_{n:06}",
        "run_id": "run_1",
        "step_id": "step_1",
        "thread_id": "thr_1",
        "team": TEAM,
        "user": DANA,
        "seq": n,
        "call_id": f"call_{n}",
        "call_id_given": True,
        "tool": "gmail_send",
        "effect": EffectClass.EXTERNAL,
        "caption": "Send “Benches” to helen@marsh.example",
        "args_proposed": "{}",
        "args": "{}",
        "args_hash": "0" * 64,
        "state": ActionState.PLANNED,
        "created_at": NOW,
    }
    return Action(**given | values)


def approval(hash_: str, *, until: datetime) -> Approval:
    return Approval(hash=hash_, by=DANA, at=NOW, expires_at=until)


PAYLOAD: dict[QuestionKind, QuestionPayload] = {
    payload.kind: payload
    for payload in (
        ApprovePayload(),
        AnswerPayload(text="Which one?", private=True, options=[]),
        ConnectPayload(provider="google", why=Lack.ACCOUNT, missing=frozenset(), account="", private=False),
        SettlePayload(where="Gmail"),
        PlanPayload(revision=3),
    )
}


def question(**values: Any) -> Question:
    n = next(_numbers)
    given: dict[str, Any] = {
        "id": f"q_{n:06}",
        "kind": QuestionKind.APPROVE,
        "run_id": "run_1",
        "step_id": "step_1",
        "action_id": "act_1",
        "thread_id": "thr_1",
        "team": TEAM,
        "user": DANA,
        "state": QuestionState.OPEN,
        "nonce": "n" * 32,
        "edition": 1,
        "hash": "0" * 64,
        "created_at": NOW + timedelta(seconds=n),
        "expires_at": NOW + timedelta(hours=24),
    }
    given["payload"] = PAYLOAD[values.get("kind", given["kind"])]
    return Question(**given | values)


def thread(**values: Any) -> Thread:
    given: dict[str, Any] = {
        "id": "thr_1",
        "team": TEAM,
        "channel": "D1",
        "root_ts": "1.1",
        "is_dm": True,
        "created_at": NOW,
    }
    return Thread(**given | values)


def message(text: str = "hello", **values: Any) -> Message:
    n = next(_numbers)
    given: dict[str, Any] = {
        "id": f"msg_{n:06}",
        "thread_id": "thr_1",
        "team": TEAM,
        "speaker": Speaker.PERSON,
        "author": DANA,
        "text": text,
        "audience": Audience.CHANNEL,
        "created_at": NOW + timedelta(seconds=n),
    }
    return Message(**given | values)


def file(**values: Any) -> MessageFile:
    """A file of the message, which nobody has fetched yet."""
    given: dict[str, Any] = {
        "id": f"file_{next(_numbers):06}",
        "message_id": "msg_1",
        "seq": 0,
        "slack_id": "F1",
        "name": "plan.txt",
    }
    return MessageFile(**given | values)


def person(**values: Any) -> User:
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "name": "Dana Okafor", "zone": "Europe/London"}
    return User(**given | values)


def connection(**values: Any) -> Connection:
    given: dict[str, Any] = {
        "team": TEAM,
        "user": DANA,
        "provider": "google",
        "account": "a1",
        "email": "dana@fernhill.example",
        "scopes": frozenset(),
        "secret": "",
    }
    return Connection(**given | values)
