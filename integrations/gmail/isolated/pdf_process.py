"""The process that reads one PDF from its input and writes the text: `python -m … <characters> <seconds>`.

A hostile file can make a parser loop or take all memory, so the system bounds this process: time, memory, no files.
It ends with 3 for a file that wants a password, with 4 for one that cannot be read.
"""

from __future__ import annotations

import io
import sys

from integrations.isolated.child import limit_resources

MEMORY = 1_500_000_000
PAGES = 500


def pdf_text(data: bytes, *, characters: int) -> str | None:
    """The text of the pages, up to so many characters; None for a file that wants a password."""
    from pypdf import PdfReader  # takes a while to load, in this process only

    reader = PdfReader(io.BytesIO(data), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        return None
    pieces, left = list[str](), characters
    for page in reader.pages[:PAGES]:
        piece = page.extract_text()[:left]
        pieces.append(piece)
        left -= len(piece)
        if left <= 0:
            break
    return "\n\n".join(pieces).strip()


def main(characters: int, seconds: int) -> int:
    """Read, and write what it says."""
    data = sys.stdin.buffer.read()
    limit_resources(memory=MEMORY, cpu_seconds=seconds)
    try:
        text = pdf_text(data, characters=characters)
    except (Exception, RecursionError, MemoryError):  # whatever a damaged file does to the parser
        return 4
    if text is None:
        return 3
    sys.stdout.buffer.write(text.encode(errors="replace"))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
