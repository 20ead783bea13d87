"""The tools of this bot, joined to what they work with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.agents.definition import Definition
from bot.tools.agents import AgentTool
from bot.tools.arguments import roles_of
from bot.tools.registry import Registry
from integrations.briefing.toolset import briefing_tools
from integrations.calendar.toolset import calendar_tools
from integrations.gmail.incoming.contacts import MailContacts
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.toolset import mail_tools
from integrations.google.client import GoogleClient
from integrations.memory.toolset import memory_tools
from integrations.people.google_contacts import GoogleContacts
from integrations.people.toolset import people_tools
from integrations.ports import Briefings, Clock, Memories, Schedules, SlackFiles
from integrations.schedules.toolset import schedule_tools
from integrations.slack.client import WebReader
from integrations.slack.files import WebFiles
from integrations.slack.people import WebContacts
from integrations.slack.toolset import slack_tools
from policies.types import Role


def registry_of(
    *,
    google: GoogleClient,
    html: HtmlReader,
    client: AsyncWebClient,
    memories: Memories,
    schedules: Schedules,
    briefings: Briefings,
    clock: Clock,
    agents: Sequence[Definition] = (),
) -> Registry:
    """Every tool there is. Nothing is asked of what they work with until one of them is called."""
    rooms = WebReader(client=client, clock=clock)
    members = WebContacts(client=client, clock=clock)
    places = [members, GoogleContacts(google), MailContacts(google)]
    return Registry(
        [
            *mail_tools(google, html=html, files=slack_files_of(client, clock)),
            *people_tools(places, members),
            *calendar_tools(google, members),
            *memory_tools(memories),
            *slack_tools(rooms),
            *schedule_tools(schedules, clock),
            *briefing_tools(briefings),
            *map(AgentTool, agents),
        ]
    )


def slack_files_of(client: AsyncWebClient, clock: Clock) -> SlackFiles:
    """The files that people share in Slack."""
    return WebFiles(client=client, rooms=WebReader(client=client, clock=clock))


def arguments_of(registry: Registry) -> Mapping[str, Mapping[str, Role]]:
    """The arguments of every tool, with their roles."""
    return {tool.name: roles_of(tool) for tool in registry}


def known_arguments() -> Mapping[str, Mapping[str, Role]]:
    """The same, for callers that have none of the tools' dependencies yet."""
    parts = ("google", "html", "client", "memories", "schedules", "briefings", "clock")
    nothing: dict[str, Any] = dict.fromkeys(parts)
    return arguments_of(registry_of(**nothing))
