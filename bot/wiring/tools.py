"""The tools and agents of this bot, joined to what they work with, and the policy about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.agents import library
from bot.agents.catalog import AgentCatalog, AgentInfo
from bot.agents.definition import Definition
from bot.agents.library import SHIPPED, Entry, Library
from bot.errors import Misconfigured
from bot.settings import Settings
from bot.tools.agents import AgentTool
from bot.tools.plans import PlanTool
from bot.tools.registry import Registry
from integrations.briefing.toolset import briefing_tools
from integrations.calendar.toolset import calendar_tools
from integrations.gmail.incoming.contacts import MailContacts
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.toolset import mail_tools
from integrations.google.client import GoogleClient
from integrations.memory.toolset import memory_tools
from integrations.people.acquaintances import KnownPeople
from integrations.people.google_contacts import GoogleContacts
from integrations.people.toolset import people_tools
from integrations.ports import Acquaintances, Briefings, Clock, Contacts, Memories, Schedules, SlackFiles
from integrations.repository.client import FolderRepositories
from integrations.schedules.toolset import schedule_tools
from integrations.slack.client import WebReader
from integrations.slack.files import WebFiles
from integrations.slack.people import WebContacts
from integrations.slack.toolset import slack_tools
from policies import loader
from policies.errors import PolicyError
from policies.loader import Policy
from policies.types import Contract

log = structlog.get_logger()


def registry_of(
    *,
    google: GoogleClient,
    html: HtmlReader,
    client: AsyncWebClient,
    members: WebContacts,
    memories: Memories,
    schedules: Schedules,
    briefings: Briefings,
    clock: Clock,
    agents: Sequence[Definition] = (),
) -> Registry:
    """Every tool there is. Nothing is asked of what they work with until one of them is called."""
    rooms = WebReader(client=client, clock=clock)
    return Registry(
        [
            *mail_tools(google, html=html, files=slack_files_of(client, clock)),
            *people_tools(_places(google, members), members),
            *calendar_tools(google, members),
            *memory_tools(memories),
            *slack_tools(rooms),
            *schedule_tools(schedules, clock),
            *briefing_tools(briefings),
            PlanTool(),
            *map(AgentTool, agents),
        ]
    )


def acquaintances_of(google: GoogleClient, members: WebContacts) -> Acquaintances:
    """The people that somebody knows, for the question who named an address."""
    return KnownPeople(places=_places(google, members), members=members)


def _places(google: GoogleClient, members: WebContacts) -> Sequence[Contacts]:
    """Where contacts stand, the most trusted place first."""
    return [members, GoogleContacts(google), MailContacts(google)]


def slack_files_of(client: AsyncWebClient, clock: Clock) -> SlackFiles:
    """The files that people share in Slack."""
    return WebFiles(client=client, rooms=WebReader(client=client, clock=clock))


def known_tools(agents: Sequence[Definition] = ()) -> Registry:
    """Every tool without anything that it works with: what each is, and no more."""
    parts = ("google", "html", "client", "members", "memories", "schedules", "briefings", "clock")
    nothing: dict[str, Any] = dict.fromkeys(parts)
    return registry_of(**nothing, agents=agents)


def known_contracts() -> Mapping[str, Contract]:
    """What every tool declares to policy, for callers that have none of the tools' dependencies yet."""
    return known_tools().contracts


# Agents and policy: what is shipped, and what AGENTS_DIR and POLICIES_DIR have; repositories ---------------------


def policy_of(settings: Settings) -> Policy:
    """The policy in force. Raises `InvalidPolicy`; `Misconfigured` where POLICIES_DIR is no folder."""
    folder = Path(settings.policies_dir) if settings.policies_dir else None
    if missing := _missing(folder):
        raise Misconfigured(missing)
    return loader.load(folder)


def policy_problems(folder: Path | None = None) -> list[str]:
    """What is wrong with the policy of a folder (default: the shipped one), which a start would refuse."""
    if missing := _missing(folder):
        return [missing]
    try:
        loader.refuse_idle(loader.load(folder), known_contracts())
    except PolicyError as error:
        return [str(error)]
    return []


def _missing(folder: Path | None) -> str:
    if folder is None or folder.is_dir():
        return ""
    return f"POLICIES_DIR names {folder}, which is no folder: make it, or leave POLICIES_DIR empty."


def library_of(settings: Settings, asked: Iterable[Path] = ()) -> Library:
    """All definitions, and these files, which keep the names that they were asked by. Raises `Misconfigured` where
    AGENTS_DIR is no folder.
    """
    files = [*library.files_of(SHIPPED), *_own(settings), *asked]
    return library.load({path.resolve(): path for path in files}.values(), known_contracts().keys())


def agents_of(found: Library) -> Sequence[Definition]:
    """Those that can work here. Raises `Misconfigured` where one cannot be read: nobody is to miss it unawares."""
    if found.problems:
        listed = "\n".join(f"  {problem}" for problem in found.problems)
        raise Misconfigured(f"AGENTS_DIR has definitions that cannot be used. Correct or remove them:\n{listed}")
    for entry in found.entries.values():
        if not entry.is_available:
            log.info("agent.unavailable", agent=entry.definition.name, lacks=", ".join(entry.lacks))
    return [entry.definition for entry in found.entries.values() if entry.is_available]


def catalog_of(found: Library, policy: Policy) -> AgentCatalog:
    """What people are told of each agent, of which the constitution lists some."""
    return AgentCatalog(agents={one.definition.name: _info(one, policy) for one in found.entries.values()})


def repositories_of(settings: Settings) -> FolderRepositories:
    """Those of REPOSITORIES_DIR; none where it is empty. Raises `Misconfigured` where it is no folder."""
    folder = Path(settings.repositories_dir) if settings.repositories_dir else None
    if folder and not folder.is_dir():
        cure = "make it, or leave REPOSITORIES_DIR empty"
        raise Misconfigured(f"REPOSITORIES_DIR names {folder}, which is no folder: {cure}.")
    return FolderRepositories(folder)


def _info(entry: Entry, policy: Policy) -> AgentInfo:
    definition = entry.definition
    listed = [] if definition.name in policy.agents else ["an entry under “agents” in constitution.md"]
    tools = [tool for tool in definition.tools if tool in policy.allowed_tools]
    return AgentInfo(definition=definition, tools=tools, lacks=[*entry.lacks, *listed])


def _own(settings: Settings) -> Sequence[Path]:
    if settings.agents_dir is None:
        return ()
    folder = Path(settings.agents_dir)
    if not folder.is_dir():
        raise Misconfigured(f"AGENTS_DIR names {folder}, which is no folder: make it, or leave AGENTS_DIR empty.")
    return library.files_of(folder)
