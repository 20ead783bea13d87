"""The doctor on Gemini: whether the model answers one call of a few tokens."""

from __future__ import annotations

from contextlib import aclosing

from bot.commands.doctor.findings import Findings
from bot.llm import models
from bot.llm.failures import UnreadableAnswer
from bot.llm.model import ModelError, ModelMisconfigured, ModelRejected, ModelUnavailable, QuotaExhausted
from bot.llm.transport import DeveloperApi, Timeouts, Transport, VertexAi
from bot.llm.wire import user_text
from bot.settings import Settings
from bot.wiring.model import access_of, model_name

_PATIENCE = Timeouts(connect=10, first=20, total=20)
_QUOTAS = "https://aistudio.google.com/usage"


async def examine_model(settings: Settings, *, patience: Timeouts = _PATIENCE) -> Findings:
    """What keeps the model from answering; temporary trouble is a remark. Empty without a key or a project."""
    access, model = access_of(settings), _model(settings)
    if access is None:
        return Findings()
    try:
        await _ask(access, model, patience)
    except (ModelError, UnreadableAnswer) as error:
        return _read(error, access, settings)
    return Findings(good=[f"Gemini answers: {model}"])


async def _ask(access: DeveloperApi | VertexAi, model: str, patience: Timeouts) -> None:
    body = f'{{"generationConfig":{{"maxOutputTokens":16}},"contents":[{user_text("Say OK.")}]}}'.encode()
    async with (
        Transport(access=access, timeouts=patience) as transport,
        aclosing(transport.chunks(model, body)) as chunks,
    ):
        await anext(chunks, None)


def _read(error: ModelError | UnreadableAnswer, access: DeveloperApi | VertexAi, settings: Settings) -> Findings:
    model = _model(settings)
    match error:
        case ModelMisconfigured() if error.knows_model:
            problem = _no_access(access, error.detail)
        case ModelMisconfigured():
            cure = f"Correct GEMINI_MODEL, or leave it out for {models.DEFAULT_MODEL}."
            problem = f"Gemini knows no model “{model}”. {cure}"
        case ModelRejected():
            problem = f"Gemini refuses even a small request ({error.detail}). Check GEMINI_MODEL, here “{model}”."
        case QuotaExhausted() if not error.daily:
            problem = no_quota(settings)
        case ModelUnavailable() if error.reason in {"network", "timeout"}:
            place = "GOOGLE_GEMINI_BASE_URL" if isinstance(access, DeveloperApi) else "VERTEX_AI_ENDPOINT"
            problem = f"Gemini could not be reached ({error.reason}). Check the network, a proxy, and {place}."
        case _:
            return Findings(remarks=[_passing(error, model)])
    return Findings(problems=[problem])


def _passing(error: ModelError | UnreadableAnswer, model: str) -> str:
    match error:
        case QuotaExhausted():
            return f"Gemini's quota of the day for {model} is used up: it answers again tomorrow. See {_QUOTAS}"
        case ModelUnavailable():
            return f"Gemini accepts the key, but is busy at the moment ({error.reason})."
        case _:
            return f"Gemini accepts the key, but gave no answer that can be read ({error}). Try again later."


def no_quota(settings: Settings) -> str:
    """The problem of a key that is right and may not be used."""
    return f"Gemini's quota for {_model(settings)} is used up, or there is none for this project. See {_QUOTAS}"


def _no_access(access: DeveloperApi | VertexAi, detail: str) -> str:
    if isinstance(access, DeveloperApi):
        return f"Gemini does not accept GEMINI_API_KEY ({detail}). Make a key: https://aistudio.google.com/apikey"
    return (
        f"Vertex AI refuses access ({detail}). Check VERTEX_AI_PROJECT_ID, its Vertex AI API, and the machine's "
        "Google Cloud credentials (gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS)."
    )


def _model(settings: Settings) -> str:
    return model_name(settings)
