"""gmail_labels: archive a thread, mark it read or unread, put labels on it and take them off."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from integrations import base
from integrations.base import (
    Call,
    Done,
    NotDone,
    Preview,
    Reconciled,
    Result,
    ToolArgs,
    ToolContext,
    Wording,
)
from integrations.errors import ModelRetry
from integrations.gmail.arguments import ThreadId
from integrations.gmail.client import Mailbox
from integrations.gmail.heads import people, time_in_words, without_drafts
from integrations.gmail.results import thread_link, thread_object, thread_subject
from integrations.gmail.text import one_line, shortened
from integrations.gmail.tools.mail_tool import MailTool
from integrations.gmail.wire import GmailThread, MailLabel
from integrations.google.scopes import MAIL_MODIFY, MAIL_READ
from policies.characters import quoted
from policies.provenance import Impact, Touched
from policies.types import EffectClass, Label, Role

_INBOX, _UNREAD = "INBOX", "UNREAD"
_OURS = frozenset({_INBOX, _UNREAD, "STARRED", "IMPORTANT"})
"""Gmail's own labels that may be changed. Trash and spam delete after thirty days; the others Gmail keeps itself."""
SHOWN = 40
NAMED = 3

Names = Annotated[list[str], Role.OBJECT]


class LabelArgs(ToolArgs):
    """Arguments of `gmail_labels`."""

    thread_id: ThreadId
    archive: Annotated[
        bool | None,
        Role.NONE,
        Wording(yes="Take it out of the inbox"),
    ] = None
    read: Annotated[
        bool | None,
        Role.NONE,
        Wording(yes="Mark it as read"),
    ] = None
    add: Annotated[Names, Field(default_factory=list)]
    remove: Annotated[Names, Field(default_factory=list)]


_ADDED = {_INBOX: "Move to the inbox", _UNREAD: "Mark as unread"}
_REMOVED = {_INBOX: "Archive", _UNREAD: "Mark as read"}
_QUESTIONS = {
    "Archive": "Archive this mail?",
    "Move to the inbox": "Move this mail to the inbox?",
    "Mark as read": "Mark this mail as read?",
    "Mark as unread": "Mark this mail as unread?",
}
_PAST = {"Archive": "Archived", "Move": "Moved", "Mark": "Marked", "Add": "Added", "Remove": "Removed"}
_DONE = re.compile(rf"^(?:{'|'.join(_PAST)})\b")
_APART = "Only some messages of the thread had these before: {}. Taking it back makes all of them alike."
_NOT_KNOWN = "How the thread was before is not known: taking it back makes all its messages alike."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """The ids to add and to remove, and what each is called; of a way back, what will not be as it was."""

    add: Sequence[str]
    remove: Sequence[str]
    names: Mapping[str, str]
    note: str = ""

    def is_there(self, thread: GmailThread) -> bool:
        """Whether every message looks as it should already."""
        return all(set(self.add) <= labels and not set(self.remove) & labels for labels in _labels_of(thread))

    def way_back(self, before: GmailThread) -> _Change:
        """What takes it back: labels that no message changed stay as they are."""
        labels = _labels_of(before)
        had = {name: sum(name in each for each in labels) for name in [*self.add, *self.remove]}
        back = replace(
            self,
            add=[name for name in self.remove if had[name]],
            remove=[name for name in self.add if had[name] < len(labels)],
        )
        apart = [self._called(name) for name in [*back.add, *back.remove] if 0 < had[name] < len(labels)]
        return replace(back, note=_APART.format(", ".join(apart))) if apart else back

    def in_words(self) -> list[str]:
        """What happens, a sentence each."""
        added = [_ADDED.get(label, f"Add {quoted(self._called(label))}") for label in self.add]
        removed = [_REMOVED.get(label, f"Remove {quoted(self._called(label))}") for label in self.remove]
        return [*added, *removed]

    def as_question(self) -> str:
        """A single change by its name; several are named below the title."""
        match self.in_words():
            case [one]:
                return _QUESTIONS.get(one, f"{one} {'to' if self.add else 'from'} this mail?")
            case _:
                return "Change this mail’s labels?"

    def as_fields(self) -> Sequence[base.Field]:
        """Several changes: a single one is in the title."""
        said = self.in_words()
        return [base.Field(label="Change", value="; ".join(said))] if len(said) > 1 else []

    def as_done(self) -> str:
        """What was changed, as it is told afterwards."""
        said = [_DONE.sub(lambda verb: _PAST[verb[0]], text) for text in self.in_words()]
        return "; ".join(said)

    def _called(self, label: str) -> str:
        return self.names.get(label, label)


class GmailLabels(MailTool[LabelArgs]):
    """Changes labels; the same change twice is the same as once, so a doubtful attempt is looked at or done again."""

    name = "gmail_labels"
    effect = EffectClass.PRIVATE_WRITE
    scopes = frozenset({MAIL_READ, MAIL_MODIFY})
    can_reconcile = True
    args = LabelArgs

    def caption(self, args: LabelArgs) -> str:
        """Says what is changed."""
        said = [
            *([] if args.archive is None else ["archive {}" if args.archive else "move {} to the inbox"]),
            *([] if args.read is None else ["mark {} as read" if args.read else "mark {} as unread"]),
            *(f"add {_shown(name)} to {{}}" for name in args.add),
            *(f"remove {_shown(name)} from {{}}" for name in args.remove),
        ]
        first, *others = said or ["change nothing on {}"]
        text = ", ".join([first.format("a mail thread"), *(other.format("it") for other in others)])
        return f"{text[:1].upper()}{text[1:]}"

    async def preview(self, args: LabelArgs, ctx: ToolContext) -> Preview:
        """The thread, and what changes on it."""
        mailbox = await self._mailbox(ctx)
        thread, change = await _looked_up(args, mailbox)
        return Preview(
            title=change.as_question(),
            fields=[
                base.Field(label="Mail", value=thread_subject(thread)),
                *_newest(thread, ctx.requester.zone),
                *([base.Field(label="Messages", value=str(len(thread.messages)))] if len(thread.messages) > 1 else []),
                *change.as_fields(),
            ],
            account=mailbox.account_id,
            about=quoted(thread_subject(thread)),
            impact=Impact(objects=[Touched(kind="mail_thread", id=thread.id, title=thread_subject(thread))]),
        )

    async def execute(self, args: LabelArgs, call: Call) -> Result:
        """Change them."""
        mailbox = await self._approved(call)
        thread, change = await _looked_up(args, mailbox)
        await mailbox.relabel(thread.id, add=change.add, remove=change.remove)
        return _result(thread, change, change.way_back(thread), mailbox.email)

    async def _outcome(self, args: LabelArgs, call: Call, mailbox: Mailbox) -> Reconciled:
        """Whether the thread has the labels that it should have."""
        thread, change = await _looked_up(args, mailbox)
        back = replace(change, add=change.remove, remove=change.add, note=_NOT_KNOWN)
        return Done(_result(thread, change, back, mailbox.email)) if change.is_there(thread) else NotDone()


async def _looked_up(args: LabelArgs, mailbox: Mailbox) -> tuple[GmailThread, _Change]:
    thread, labels = await asyncio.gather(mailbox.row(args.thread_id), mailbox.labels())
    add, remove = [_named(name, labels) for name in args.add], [_named(name, labels) for name in args.remove]
    if args.archive is not None:
        (remove if args.archive else add).append(_INBOX)
    if args.read is not None:
        (remove if args.read else add).append(_UNREAD)
    add, remove = list(dict.fromkeys(add)), list(dict.fromkeys(remove))
    if (not add and not remove) or set(add) & set(remove):
        raise ModelRetry("invalid_arguments", "Say what to change: archive, read, add or remove, and no label in both.")
    return thread, _Change(add=add, remove=remove, names={label.id: label.name for label in labels})


def _named(name: str, labels: Sequence[MailLabel]) -> str:
    """The id of a label that may be changed; raises `ModelRetry` with those that there are."""
    wanted = one_line(name).casefold()
    usable = [label for label in labels if label.type == "user" or label.id in _OURS]
    for label in usable:
        if wanted in {label.name.casefold(), label.id.casefold()}:
            return label.id
    if wanted in {"trash", "spam"}:
        raise ModelRetry("not_allowed", "Nothing is put into the trash or marked as spam from here.", private=False)
    known = ", ".join(label.name for label in usable[:SHOWN]) or "none"
    raise ModelRetry("label_not_found", f"There is no label “{shortened(name, 60)}”.", hint=f"The labels are: {known}.")


def _labels_of(thread: GmailThread) -> list[set[str]]:
    """The labels of each message that is no draft: those are Gmail's to keep."""
    return [set(message.label_ids) for message in without_drafts(thread)]


def _newest(thread: GmailThread, zone: str) -> Sequence[base.Field]:
    """Who wrote in it, and when its newest message came: a subject alone tells no two mails apart."""
    said = without_drafts(thread)
    if not said:
        return []
    wrote = list(dict.fromkeys(str(person) for message in said for person in people(message, "From")[:1]))
    more = f" and {len(wrote) - NAMED} more" if len(wrote) > NAMED else ""
    by = [base.Field(label="From", value=f"{', '.join(wrote[:NAMED])}{more}")] if wrote else []
    return [*by, base.Field(label="Newest" if len(said) > 1 else "Date", value=time_in_words(said[-1], zone))]


def _result(thread: GmailThread, change: _Change, back: _Change, account: str) -> Result:
    subject = thread_subject(thread)
    names = {"add": [change.names[i] for i in back.add], "remove": [change.names[i] for i in back.remove]}
    told: dict[str, object] = {"to_take_it_back": {"thread_id": thread.id, **names}} if back.add or back.remove else {}
    noted = {"note": back.note} if back.note else {}
    return Result(
        data={"thread_id": thread.id, "changed": change.in_words(), **told, **noted},
        summary=f"{change.as_done()}: {quoted(subject)}",
        label=Label.CONFIG,
        objects=[thread_object(thread)],
        link=thread_link(thread.id, account),
    )


def _shown(name: str) -> str:
    """A label in a caption; its braces are the model's own."""
    return quoted(name, 30).replace("{", "{{").replace("}", "}}")
