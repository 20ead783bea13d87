"""A probe of Gemini: one call of a few tokens, for the installer's questions and for the doctor."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum, auto

from bot.llm.failures import UnreadableAnswer
from bot.llm.model import ModelError, ModelMisconfigured, ModelRejected, ModelUnavailable, QuotaExhausted
from bot.llm.transport import DeveloperApi, Timeouts, Transport, VertexAi

PATIENCE = Timeouts(connect=10, first=20, total=20)


class Finding(Enum):
    """What the call came to."""

    GOOD = auto()
    ACCESS = auto()  # the key, the credentials or a permission
    MODEL = auto()  # there is none of this name
    REFUSED = auto()
    QUOTA = auto()  # used up, or none at all
    DAILY_QUOTA = auto()  # used up for today
    BUSY = auto()
    AWAY = auto()
    UNCLEAR = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The finding, and what was said beside it."""

    finding: Finding
    detail: str = ""


async def probe(access: DeveloperApi | VertexAi, *, model: str, patience: Timeouts = PATIENCE) -> Probed:
    """Ask once, within `patience`; never raises for what comes of it."""
    body: dict[str, object] = {
        "contents": [{"role": "user", "parts": [{"text": "Say OK."}]}],
        "generationConfig": {"maxOutputTokens": 16},
    }
    try:
        async with (
            Transport(access=access, model=model, timeouts=patience) as transport,
            aclosing(transport.chunks(body)) as chunks,
        ):
            await anext(chunks, None)
    except (ModelError, UnreadableAnswer) as error:
        return _read(error)
    return Probed(finding=Finding.GOOD)


def _read(error: ModelError | UnreadableAnswer) -> Probed:
    match error:
        case ModelMisconfigured():
            return Probed(finding=Finding.ACCESS if error.knows_model else Finding.MODEL, detail=error.detail)
        case ModelRejected():
            return Probed(finding=Finding.REFUSED, detail=error.detail)
        case QuotaExhausted():
            return Probed(finding=Finding.DAILY_QUOTA if error.daily else Finding.QUOTA)
        case ModelUnavailable() if error.reason in {"network", "timeout"}:
            return Probed(finding=Finding.AWAY, detail=error.reason)
        case ModelUnavailable():
            return Probed(finding=Finding.BUSY, detail=error.reason)
        case _:
            return Probed(finding=Finding.UNCLEAR, detail=str(error))
