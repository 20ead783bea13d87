"""The doctor on Gemini: whether the model answers, by the same call that `setup` makes."""

from __future__ import annotations

from collections.abc import Iterator

from bot.commands.doctor.findings import Findings
from bot.llm import models
from bot.llm.probing import PATIENCE, Finding, Probed, probe
from bot.llm.transport import DeveloperApi, Timeouts, VertexAi
from bot.settings import Settings
from bot.wiring.model import access_of

_QUOTAS = "https://aistudio.google.com/usage"


async def examine_model(settings: Settings, *, patience: Timeouts = PATIENCE) -> Findings:
    """What keeps the model from answering; temporary trouble is a remark. Empty without a key or a project."""
    found = Findings()
    access = access_of(settings)
    if access is None:
        return found
    model = settings.gemini_model or models.DEFAULT_MODEL
    probed = await probe(access, model=model, patience=patience)
    found.problems += _problems(access, model, probed)
    found.remarks += _remarks(model, probed)
    return found


def _problems(access: DeveloperApi | VertexAi, model: str, probed: Probed) -> Iterator[str]:
    match probed.finding:
        case Finding.ACCESS:
            yield _no_access(access, probed.detail)
        case Finding.MODEL:
            yield (
                f"Gemini knows no model “{model}”. Correct GEMINI_MODEL, or leave it out for {models.DEFAULT_MODEL}."
            )
        case Finding.REFUSED:
            yield f"Gemini refuses even a small request ({probed.detail}). Check GEMINI_MODEL, here “{model}”."
        case Finding.QUOTA:
            yield f"Gemini's quota for {model} is used up, or there is none for this project. See {_QUOTAS}"
        case Finding.AWAY:
            yield f"Gemini could not be reached ({probed.detail}). Check the network, a proxy, and {_place(access)}."
        case _:
            return


def _remarks(model: str, probed: Probed) -> Iterator[str]:
    match probed.finding:
        case Finding.DAILY_QUOTA:
            yield f"Gemini's quota of the day for {model} is used up: it answers again tomorrow. See {_QUOTAS}"
        case Finding.BUSY:
            yield f"Gemini accepts the key, but is busy at the moment ({probed.detail})."
        case Finding.UNCLEAR:
            yield f"Gemini accepts the key, but gave no answer that can be read ({probed.detail}). Try again later."
        case _:
            return


def _no_access(access: DeveloperApi | VertexAi, detail: str) -> str:
    if isinstance(access, DeveloperApi):
        return f"Gemini does not accept GEMINI_API_KEY ({detail}). Make a key: https://aistudio.google.com/apikey"
    return (
        f"Vertex AI refuses access ({detail}). Check VERTEX_AI_PROJECT_ID, its Vertex AI API, and the machine's "
        "Google Cloud credentials (gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS)."
    )


def _place(access: DeveloperApi | VertexAi) -> str:
    return "GOOGLE_GEMINI_BASE_URL" if isinstance(access, DeveloperApi) else "VERTEX_AI_ENDPOINT"
