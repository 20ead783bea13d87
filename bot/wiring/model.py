"""Which way leads to the language model, from the settings."""

from __future__ import annotations

from bot.llm.transport import DeveloperApi, VertexAi
from bot.settings import Settings


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
