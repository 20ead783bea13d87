"""Long descriptions of tools: text files beside the code that they describe."""

from __future__ import annotations

from importlib.resources import files


def prose(module: str, name: str) -> str:
    """The text of the file `name` beside a module, its lines joined to paragraphs as a model reads them."""
    text = files(module.rpartition(".")[0]).joinpath(name).read_text(encoding="utf-8")
    paragraphs = text.strip().split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
