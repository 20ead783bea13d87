"""What else may be called as a draft is: the person's drafts about the same, looked up before it is sent unasked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from integrations.gmail.client import Mailbox
from integrations.gmail.heads import subject_of
from integrations.gmail.outgoing.card import TITLE_LENGTH, touched_draft
from policies.guards import words
from policies.provenance import Impact, Touched

LOOKED_AT = 20
WORDS = 12


async def with_drafts_about(impact: Impact, mailbox: Mailbox) -> Impact:
    """The impact with the drafts that may be meant by the same subject. One round trip where there are none but those
    that it changes, as the heads of these are known; raises `ToolError` where not all could be looked at.
    """
    known = {touched.id for touched in impact.objects}
    found = [
        touched_draft(draft.id, subject_of(draft.message, TITLE_LENGTH))
        for subject in map(_sought, impact.objects)
        if subject
        for draft in await mailbox.drafts_about(subject, known=known, most=LOOKED_AT)
    ]
    return replace(impact, beside=[*impact.beside, *found])


def _sought(touched: Touched) -> Sequence[str]:
    """The words of its title that a title of the same words has, too; the last one of a long title may be cut."""
    title = words.words_of(touched.title)
    whole = title[:-1] if touched.title.endswith("…") else title
    return [word for word in whole if not words.is_filler(word)][:WORDS]
