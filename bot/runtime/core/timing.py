"""Timing: how long the model and the tools took and what came of it, told to the bus. It changes nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from bot.domain.actions import Action
from bot.domain.events import ModelAnswered, ToolAnswered
from bot.llm.model import FinishKind, ModelError, ModelUnavailable
from bot.runtime.core.event_bus import Bus
from integrations.errors import Ambiguous, BasisChanged, ToolError

_CUT = "cut"  # the time was over, the run was stopped, or the process leaves


@contextmanager
def model_timed(bus: Bus, run_id: str, model: str) -> Generator[Callable[[FinishKind], None]]:
    """Measure the block; it calls what it is given with how the model's turn ended."""
    began, finish = time.monotonic(), _CUT

    def ended(kind: FinishKind) -> None:
        nonlocal finish
        finish = kind.value

    try:
        yield ended
    except ModelUnavailable as error:
        finish = error.reason
        raise
    except ModelError as error:
        finish = type(error).__name__
        raise
    finally:
        bus.publish(ModelAnswered(run_id, model, finish, time.monotonic() - began))


@contextmanager
def tool_timed(bus: Bus, action: Action) -> Generator[None]:
    """Measure one attempt."""
    began, outcome = time.monotonic(), "crashed"
    try:
        yield
        outcome = "ok"
    except (ToolError, BasisChanged, Ambiguous) as error:
        outcome = error.code if isinstance(error, ToolError) else type(error).__name__
        raise
    except asyncio.CancelledError:
        outcome = _CUT
        raise
    finally:
        bus.publish(ToolAnswered(action.tool, outcome, action.attempt, time.monotonic() - began))
