"""The language model, and which way leads to it, from the settings."""

from __future__ import annotations

from collections.abc import Callable

from bot.agents.definition import ModelChoice
from bot.llm import models
from bot.llm.choice import choose
from bot.llm.gemini import Gemini
from bot.llm.model import Parameters
from bot.llm.transport import DeveloperApi, VertexAi
from bot.settings import Settings
from bot.wiring.timings import Timings
from integrations.ports import Clock


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


def model_of(settings: Settings, clock: Clock, written: ModelChoice) -> tuple[str, Parameters]:
    """The id of the model that an agent asks, and how: what its definition says of both, as far as it counts."""
    chosen = choose(
        written.model or model_name(settings),
        temperature=written.temperature,
        top_p=written.top_p,
        thinking_budget=written.thinking_budget,
        day=clock.now().date(),
    )
    return chosen.model, chosen.parameters
