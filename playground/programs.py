"""The programs that the playground runs as processes, and how each is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import playground
from playground import environment
from playground.data_directory import DataDirectory
from playground.environment import Addresses
from playground.processes import Command

ROOT = Path(playground.__file__).parent.parent
TETHER = "--die-with-parent"
AGENT_TETHER = ("-m", "playground.tether")


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """The arguments for this Python that start each program; tests put stand-ins here."""

    slack: tuple[str, ...] = ("-m", "playground.slack")
    google: tuple[str, ...] = ("-m", "playground.google")
    gemini: tuple[str, ...] = ("-m", "playground.gemini")
    page: tuple[str, ...] = ("-m", "playground.page")
    agent: tuple[str, ...] = ("-m", "bot.cli")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """Makes the commands of one playground, with its data directory and an allow-list of the person's environment.
    `installation` are the agent's further variables.
    """

    programs: Programs
    data: DataDirectory
    person: Mapping[str, str]
    installation: Mapping[str, str]

    def emulator(self, name: str) -> Command:
        arguments: Mapping[str, tuple[str, ...]] = {
            "slack": self.programs.slack,
            "google": self.programs.google,
            "gemini": self.programs.gemini,
        }
        return self._command(name, (*arguments[name], TETHER), environment.inherited(self.person, root=ROOT))

    def page(self, addresses: Addresses, *, supervisor: str, port: int) -> Command:
        """The web page; `--gemini` is empty when the real model answers, since there is no emulator to show."""
        emulators = ("--slack", addresses.slack, "--google", addresses.google, "--gemini", addresses.gemini or "")
        arguments = (*emulators, "--supervisor", supervisor)
        return self._command(
            "page",
            (*self.programs.page, *arguments, "--port", str(port), TETHER),
            environment.inherited(self.person, root=ROOT),
        )

    def agent(self, name: str, *arguments: str, addresses: Addresses, tethered: bool = False, port: int = 0) -> Command:
        """A command of the agent's own command line: `run`, `adopt`, `audit …`; `name` names its log.

        A command that runs until it is stopped is `tethered`, and cannot use its stdin. It listens on `port`, 0 is a
        free one.
        """
        program = (*AGENT_TETHER, *self.programs.agent) if tethered else self.programs.agent
        return self._command(
            name,
            (*program, *arguments),
            {
                **environment.for_agent(
                    self.person,
                    root=ROOT,
                    addresses=addresses,
                    database=self.data.database,
                    key_file=self.data.key_file,
                    port=port,
                ),
                **self.installation,
            },
        )

    def _command(self, name: str, arguments: tuple[str, ...], variables: Mapping[str, str]) -> Command:
        return Command(
            name=name,
            arguments=arguments,
            environment=variables,
            directory=self.data.path,
            log=self.data.log(name),
        )
