"""Reads the two files that make the policy: `policy.yaml` (shipped rules) and `constitution.md` (tools and prose)."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from policies import strict_yaml
from policies.deciders import TURN_MINUTES, Approver, Deciders
from policies.errors import BadYaml, InvalidPolicy
from policies.rules import ANY, RECIPIENT, ROLE_PREFIX, is_recipient
from policies.strict_yaml import Document
from policies.types import Addressing, Contract, Decision, Role, Rule, RuleAuthor

FENCE = "---\n"
VERSION_LENGTH = 12

_TEXTS = ROLE_PREFIX + Role.CONTENT

Word = Annotated[str, Field(strict=True, min_length=1)]
Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The policy in force. `tools` and `agents` are the constitution's lists, in order; `constitution` is the prose for
    the model.
    """

    version: str
    tools: Sequence[str]
    rules: Sequence[Rule]
    constitution: str
    agents: Sequence[str] = ()

    @property
    def allowed_tools(self) -> frozenset[str]:
        """The constitution's lists as evidence needs them: an agent is called as a tool is."""
        return frozenset((*self.tools, *self.agents))


_AGENTS = re.compile(r"^agents:\n(?:  - .*\n)*", re.M)
"""Which agents are offered decides on no call, so an approval that was given before another one was listed stands."""

_Name = Annotated[str, Field(strict=True, pattern=r"^[a-z][a-z0-9_]*$")]


_Person = Annotated[str, Field(strict=True, pattern=r"^[UW][A-Z0-9]+$")]  # an id of Slack's
_Count = Annotated[int, Field(strict=True, ge=1)]


class _RuleForm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(strict=True, pattern=r"^[a-z][a-z0-9_]*$")]
    decision: Decision
    tool: Word
    argument: Word | None = None
    value: Word | None = None
    reason: Word
    approvers: Annotated[list[_Person], Field(min_length=1)] | None = None
    needed: _Count | None = None
    turn_minutes: _Count | None = None
    stand_ins: dict[_Person, _Person] | None = None


class _PolicyForm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rules: list[_RuleForm]


class _ConstitutionForm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tools: Annotated[list[_Name], Field(min_length=1)]
    agents: list[_Name] = []


SHIPPED = Path(__file__).parent


def load(folder: Path | None = None) -> Policy:
    """Read `policy.yaml` and `constitution.md` of a folder; raises `InvalidPolicy`. The shipped one counts in the place
    of one that is not there, but a folder with neither is a mistake.
    """
    files = [(folder or SHIPPED) / name for name in ("policy.yaml", "constitution.md")]
    if not any(file.is_file() for file in files):
        raise InvalidPolicy(str(folder), "it has neither policy.yaml nor constitution.md.")
    policy, constitution = (_text(file if file.is_file() else SHIPPED / file.name) for file in files)
    return parse(policy=policy, constitution=constitution)


def parse(*, policy: str, constitution: str) -> Policy:
    """The policy from both texts. The version is a short SHA-256 over both; raises `InvalidPolicy`."""
    front, prose = _split(constitution)
    lists = _validated(_ConstitutionForm, _document(front, "constitution.md", after=1))
    names = [*lists.tools, *lists.agents]
    forms = _validated(_PolicyForm, _document(policy, "policy.yaml")).rules
    _refuse_doubles("constitution.md", "tool", names)
    _refuse_doubles("policy.yaml", "rule", [form.id for form in forms])
    return Policy(
        version=_version(policy, _AGENTS.sub("", constitution, count=1)),
        tools=tuple(lists.tools),
        agents=tuple(lists.agents),
        rules=tuple(_rule(form, names) for form in forms),
        constitution=prose.strip(),
    )


def refuse_idle(policy: Policy, contracts: Mapping[str, Contract]) -> None:
    """Raises `InvalidPolicy` for a rule that no call could ever match, since people would rely on it, and for one about
    a text that a call may have without spelling it, such as that of a draft.

    `contracts` are those of every tool. A rule about a role of any tool is kept for future tools.
    """
    for rule in policy.rules:
        if rule.argument == _TEXTS and rule.decision is not Decision.ALLOW:
            why = f"rule “{rule.id}” is about “{_TEXTS}”: no rule hears of every text. Name the tool, or an argument."
            raise InvalidPolicy("policy.yaml", why)
        named, tools = rule.argument, [tool for tool in contracts if rule.tool in {ANY, tool}]
        if not named or not tools or (rule.tool == ANY and named.startswith(ROLE_PREFIX)):
            continue
        if not any(can_name(contracts[tool], named) for tool in tools):
            which = "no tool has" if rule.tool == ANY else f"{rule.tool} does not have"
            why = f"rule “{rule.id}” names the argument “{named}”, which {which}."
            raise InvalidPolicy("policy.yaml", why)


def can_name(contract: Contract, named: str) -> bool:
    """Whether a rule may name a value of this tool so. What writes mail has recipients, which may be looked up."""
    if contract.addressing is not Addressing.NONE and named in {RECIPIENT, f"{ROLE_PREFIX}{Role.DESTINATION}"}:
        return True
    return named in contract.roles or named in {f"{ROLE_PREFIX}{role}" for role in contract.roles.values()}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidPolicy(path.name, f"it cannot be read ({error}).") from error


def _split(constitution: str) -> tuple[str, str]:
    text = constitution.replace("\r\n", "\n")
    parts = text.split(FENCE, 2)
    if len(parts) < 3 or parts[0]:
        raise InvalidPolicy("constitution.md", "it must begin with front matter between two lines of “---”.")
    return parts[1], parts[2]


def _document(text: str, where: str, *, after: int = 0) -> Document:
    """What the text says. It stands after so many lines of its file."""
    try:
        return strict_yaml.read("\n" * after + text, where)
    except BadYaml as error:
        raise InvalidPolicy(f"{where}:{error.line}", f"{error.why}.") from error


def _validated(form: type[Form], document: Document) -> Form:
    try:
        return form.model_validate(document.value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole file"
        why = "there is no such key" if first["type"] == "extra_forbidden" else first["msg"]
        raise InvalidPolicy(f"{document.name}:{document.line(first['loc'])}", f"at “{place}”: {why}.") from error


def _refuse_doubles(where: str, what: str, names: Sequence[str]) -> None:
    double = next((name for name, count in Counter(names).items() if count > 1), None)
    if double is not None:
        raise InvalidPolicy(where, f"the {what} “{double}” is there twice.")


def _rule(form: _RuleForm, tools: Sequence[str]) -> Rule:
    if form.tool != ANY and form.tool not in tools:
        raise InvalidPolicy("policy.yaml", f"rule “{form.id}” names “{form.tool}”, which is not a listed tool.")
    if form.value is not None and form.argument is None:
        raise InvalidPolicy("policy.yaml", f"rule “{form.id}” has a value but names no argument.")
    if form.argument == RECIPIENT and not _names_recipients(form.value):
        why = f"rule “{form.id}” names the recipient “{form.value}”: write an address, a domain (@acme.com) or “*”."
        raise InvalidPolicy("policy.yaml", why)
    if form.argument is not None and form.argument.startswith(ROLE_PREFIX):
        _refuse_unknown_role(form.id, form.argument.removeprefix(ROLE_PREFIX))
    said = form.model_dump(exclude={"approvers", "needed", "turn_minutes", "stand_ins"})
    return Rule(**said, by=RuleAuthor.SHIPPED, deciders=_deciders(form))


def _deciders(form: _RuleForm) -> Deciders | None:
    """Who has to agree besides. Raises `InvalidPolicy` where the keys contradict each other."""
    if form.approvers is None:
        if (form.needed, form.turn_minutes, form.stand_ins) != (None, None, None):
            raise InvalidPolicy("policy.yaml", f"rule “{form.id}” says how approvers decide but names no approvers.")
        return None
    if form.decision is not Decision.ASK:
        raise InvalidPolicy("policy.yaml", f"rule “{form.id}” names approvers, so its decision must be “ask”.")
    stand_ins = form.stand_ins or {}
    if strangers := sorted(stand_ins.keys() - set(form.approvers)):
        why = f"rule “{form.id}” names who stands in for {strangers[0]}, who is none of its approvers."
        raise InvalidPolicy("policy.yaml", why)
    deciders = Deciders(
        approvers=tuple(Approver(user=user, stand_in=stand_ins.get(user, "")) for user in form.approvers),
        needed=1 if form.needed is None else form.needed,
        turn_minutes=TURN_MINUTES if form.turn_minutes is None else form.turn_minutes,
    )
    if deciders.fault:
        raise InvalidPolicy("policy.yaml", f"rule “{form.id}”: {deciders.fault}.")
    return deciders


def _names_recipients(value: str | None) -> bool:
    """Whether it names anybody, one address, or one domain."""
    return value is None or value == ANY or (ANY not in value and is_recipient(value))


def _refuse_unknown_role(rule: str, role: str) -> None:
    if role not in set(Role):
        why = f"rule “{rule}” names the role “{role}”; the roles are {', '.join(Role)}."
        raise InvalidPolicy("policy.yaml", why)


def _version(policy: str, constitution: str) -> str:
    """Comments count, too: after a change of one of ours, whatever waits for a click at an upgrade is asked again."""
    digest = hashlib.sha256()
    for text in (policy, constitution):
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:VERSION_LENGTH]
