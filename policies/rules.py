"""How rules match: per tool and per argument, never by an expression over the arguments' JSON.

The two directions differ on purpose, so that in doubt the person is asked:

- An `allow` takes its value literally. Only ASCII is case-folded: `ſ` and the Kelvin sign fold to `s` and `k`, which
  would turn a stranger's address into an allowed one. `Dana <dana@acme.com>` and `a@acme.com, b@evil.com` are not
  addresses, and `@acme.com` is that domain alone. Together the allow rules must cover every destination of the call.
- A `deny` or an `ask` finds its address inside display names and lists, in any width and case and with any +tag, and
  `@acme.com` takes subdomains along. One matching value is enough.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from policies.errors import InvalidRecipient
from policies.mailboxes import mailbox_of
from policies.types import Addressing, Decision, ProposedAction, Role, Rule, RuleAuthor, TrustLevel

ANY = "*"
RECIPIENT = "recipient"
ROLE_PREFIX = "role:"

_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"\\]+@[^\s@<>()\[\],;:\"\\]+")
_TYPED = re.compile(r"<mailto:(?P<address>[^<>|]+)(?:\|(?P=address))?>")
_DELIVERABLE = re.compile(  # RFC 5321's dot-string in ASCII before the @, and a domain of at least two labels
    r"[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+(?:\.[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+)*"
    r"@(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W_](?:[\w-]*[^\W_])"
)
_LONGEST_LOCAL, _LONGEST = 64, 254  # characters before the @, and of a whole address (RFC 5321, §4.5.3.1)
_SEPARATORS = re.compile(r"[\s<>()\[\],;:\"\\]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One value of an action, with every name that a rule may use for it."""

    names: frozenset[str]
    value: str

    @property
    def is_destination(self) -> bool:
        """Whether it says where something arrives."""
        return ROLE_PREFIX + Role.DESTINATION in self.names


def is_mail(action: ProposedAction) -> bool:
    """Whether the tool writes mail."""
    return action.addressing is not Addressing.NONE


def hides_recipients(action: ProposedAction) -> bool:
    """Whether the arguments do not name the recipients of a mail, so that the provider has to be asked."""
    return action.addressing is Addressing.LOOKED_UP


def named_values(action: ProposedAction, recipients: Collection[str] | None) -> tuple[Named, ...]:
    """Every value that rules can name: of the arguments, and the recipients that trusted code looked up."""
    return (*_from_arguments(action), *_looked_up(action, recipients or ()))


def _from_arguments(action: ProposedAction) -> Iterator[Named]:
    for argument in action.arguments:
        names = {argument.name, ROLE_PREFIX + argument.role}
        if is_mail(action) and argument.role is Role.DESTINATION:
            names.add(RECIPIENT)
        for value in argument.values:
            yield Named(names=frozenset(names), value=value)


def named(value: str, role: Role, action: ProposedAction) -> Named:
    """A value that trusted code found, with the names that rules may use for it."""
    names = {ROLE_PREFIX + role}
    if is_mail(action) and role is Role.DESTINATION:
        names.add(RECIPIENT)
    return Named(names=frozenset(names), value=value)


def _looked_up(action: ProposedAction, recipients: Collection[str]) -> Iterator[Named]:
    return (named(value, Role.DESTINATION, action) for value in recipients)


# Deny and ask -----------------------------------------------------------------------------------------------------


def speaks_of(rule: Rule, action: ProposedAction) -> bool:
    """Whether the rule is about this tool."""
    return rule.tool in {ANY, action.tool}


def restricts(rule: Rule, action: ProposedAction, values: Sequence[Named]) -> bool:
    """Whether a deny or ask rule matches: one value is enough, and a rule that names no argument always does."""
    if not speaks_of(rule, action):
        return False
    if rule.argument is None:
        return True
    return any(rule.argument in named.names and _resembles(rule.value, named.value) for named in values)


def may_restrict(rule: Rule, action: ProposedAction) -> bool:
    """Whether the rule is about destinations, so that it could match one that was not looked up."""
    return speaks_of(rule, action) and rule.argument in {RECIPIENT, ROLE_PREFIX + Role.DESTINATION}


def _resembles(wanted: str | None, value: str) -> bool:
    if wanted is None or wanted == ANY:
        return True
    wanted, value = _loosely(wanted), _loosely(value)
    if wanted == value:
        return True
    addresses = [in_ascii(part.strip(".")) for part in _SEPARATORS.split(value) if "@" in part]
    wanted = in_ascii(wanted)
    if not wanted.startswith("@"):
        return mailbox_of(wanted) in map(mailbox_of, addresses)
    domains = [address.rpartition("@")[2] for address in addresses]
    return any(f".{domain}".endswith(f".{wanted[1:]}") for domain in domains)


def in_ascii(address: str) -> str:
    """The address with its domain in ASCII, if possible: bücher.example and xn--bcher-kva.example are the same."""
    local, at, domain = address.rpartition("@")
    try:
        return f"{local}{at}{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address


def _loosely(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


# Allow ------------------------------------------------------------------------------------------------------------


def counts(rule: Rule, level: TrustLevel) -> bool:
    """Whether an allow rule counts: from `delegated` upward, and an owner's rule only if it names mail recipients."""
    if rule.decision is not Decision.ALLOW or not level.at_least(TrustLevel.DELEGATED):
        return False
    if rule.argument is None and rule.value is not None:
        return False
    return rule.by is not RuleAuthor.OWNER or (rule.argument == RECIPIENT and is_recipient(rule.value or ""))


def covers(rule: Rule, named: Named) -> bool:
    """Whether an allow rule's argument and value are this value's, taken literally."""
    return rule.argument in named.names and _equals(rule.value, named.value)


def _equals(wanted: str | None, value: str) -> bool:
    if wanted is None or wanted == ANY:
        return True
    if not wanted.startswith("@"):
        return _fold(wanted) == _fold(value)
    return is_address(value) and _fold(value).endswith(_fold(wanted))


def _fold(text: str) -> str:
    return text.lower() if text.isascii() and "@" in text else text


# What people type -------------------------------------------------------------------------------------------------


def is_recipient(text: str) -> bool:
    """Whether this is one plain address or one `@domain`."""
    return is_address(f"x{text}" if text.startswith("@") else text)


def is_address(text: str) -> bool:
    """Whether this is one plain address. Invisible characters are refused, since they make another address."""
    return text.isprintable() and _ADDRESS.fullmatch(text) is not None


def recipient_rule(text: str, *, id: str, by: RuleAuthor = RuleAuthor.OWNER) -> Rule:
    """The allow-list entry for what a person typed: an address or `@domain`.

    Raises `InvalidRecipient`.
    """
    return Rule(id=id, decision=Decision.ALLOW, tool=ANY, argument=RECIPIENT, value=recipient_value(text), by=by)


def recipient_value(text: str) -> str:
    """What a rule is to name, for what a person typed: an address or `@domain`.

    Slack's form of a typed address, `<mailto:dana@acme.com|dana@acme.com>`, is understood. Raises `InvalidRecipient`,
    also for an address that no mail can be sent to, such as one in typographic quotes.
    """
    value = recipient_typed(text)
    if not _is_likely(f"x{value}" if value.startswith("@") else value) or ANY in value:
        raise InvalidRecipient(text)
    return value


def _is_likely(address: str) -> bool:
    """Whether mail can be sent there."""
    fits = len(address) <= _LONGEST and address.find("@") <= _LONGEST_LOCAL
    return fits and _DELIVERABLE.fullmatch(address) is not None


def recipient_typed(text: str) -> str:
    """What a person typed, as the allow-list keeps addresses."""
    value = text.strip()
    typed = _TYPED.fullmatch(value)
    return _fold(typed["address"] if typed else value)
