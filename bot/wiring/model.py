"""The language model, and which way leads to it, from the settings."""

from __future__ import annotations

from collections.abc import Callable

from bot.llm import models
from bot.llm.gemini import Gemini
from bot.llm.transport import DeveloperApi, VertexAi
from bot.settings import Settings
from bot.wiring.timings import Timings


def access_of(settings: Settings) -> DeveloperApi | VertexAi | None:
    """The variables of Vertex AI win over the key; without either there is no way."""
    if settings.vertex_ai_project_id:
        return VertexAi(
            project=settings.vertex_ai_project_id,
            location=settings.vertex_ai_location or "global",
            endpoint=settings.vertex_ai_endpoint,
        )
    if settings.gemini_api_key is None:
        return None
    key = settings.gemini_api_key.get_secret_value()
    return DeveloperApi(api_key=key, base_url=settings.google_gemini_base_url)


def model_name(settings: Settings) -> str:
    """The id of the configured model."""
    return settings.gemini_model or models.DEFAULT_MODEL


def build_model(settings: Settings, timings: Timings, *, retried: Callable[[str], None]) -> Gemini:
    """The language models; Vertex AI variables win over the key. `retried` hears why it is asked again."""
    access = access_of(settings) or DeveloperApi(api_key="", base_url=settings.google_gemini_base_url)
    return Gemini(access=access, timeouts=timings.model_timeouts, retries=timings.model_retries, retried=retried)
