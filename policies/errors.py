"""Errors of the policy layer."""

from __future__ import annotations

from collections.abc import Sequence


class PolicyError(Exception):
    """Policy could not be read or applied."""


class UnknownLevel(PolicyError):
    """There is no such trust level."""

    def __init__(self, text: str, *, choices: Sequence[str]) -> None:
        super().__init__(f"There is no trust level “{text}”. Choose one of: {', '.join(choices)}.")


class InvalidPolicy(PolicyError):
    """The policy file or the constitution is not valid."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where} is not a valid policy: {why}")


class BadYaml(PolicyError):
    """A text is not YAML as it is read here (`policies.strict_yaml`). `line` counts from 1."""

    def __init__(self, name: str, line: int, why: str) -> None:
        self.name, self.line, self.why = name, line, why
        super().__init__(f"{name}:{line}: {why}.")


class InvalidEvidence(PolicyError):
    """Stored evidence cannot be read back."""


class InvalidRecipient(PolicyError):
    """This is neither an address nor a domain that mail may be allowed to."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"“{text}” is neither an address nor a domain. Write one address (dana@acme.com) or one domain (@acme.com)."
        )
