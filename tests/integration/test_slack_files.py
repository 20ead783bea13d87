"""Slack files for mails, against the Slack emulator: who may see which, and what is fetched."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from slack_sdk.web.async_client import AsyncWebClient
from starlette.requests import Request

from integrations.base import Requester
from integrations.errors import ModelRetry, ToolFailed
from integrations.slack.client import WebReader
from integrations.slack.files import WebFiles
from playground import people
from playground.people import DANA, MARA, THEO
from playground.serve import Served
from playground.slack import api
from playground.slack.emulator import Emulator
from playground.slack.methods import files
from playground.slack.records import File, Json
from playground.slack.settings import Settings
from playground.slack.workspace import Workspace

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Noon:
    """A clock that stands."""

    def now(self) -> datetime:
        return datetime(2026, 11, 24, 12, tzinfo=UTC)


@dataclass
class Slack:
    """The emulator, and the files of it as the app sees them."""

    emulator: Emulator
    files: WebFiles

    def shared(self, content: bytes, *, by: people.Person, channel: str | None = None) -> str:
        workspace = self.emulator.workspace
        file = files.add(workspace, name="plan.pdf", mimetype="application/pdf", content=content, user=by.user_id)
        file.shared = True
        file.channels += [channel] if channel else []
        return file.id


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slack() -> AsyncIterator[Slack]:
    emulator = Emulator(Settings())
    async with Served(emulator.app) as url:
        client = AsyncWebClient(token=people.BOT_TOKEN, base_url=f"{url}/api/", trust_env_in_session=False)
        yield Slack(emulator, WebFiles(client=client, rooms=WebReader(client=client, clock=Noon())))


def of(person: people.Person) -> Requester:
    return Requester(team=people.TEAM_ID, user=person.user_id)


async def not_fetched(slack: Slack, file_id: str, code: str, *, limit: int = 10) -> None:
    """Mara's mail fails with this code."""
    with pytest.raises(ToolFailed) as caught:
        await slack.files.content(of(MARA), file_id, limit=limit)
    assert caught.value.code == code


async def test_ones_own_file_is_fetched(slack: Slack) -> None:
    """Name, type, size, and exactly its bytes, wherever it was shared."""
    file_id = slack.shared(b"%PDF-\0\xff", by=MARA)
    file = await slack.files.file(of(MARA), file_id)
    assert (file.id, file.name, file.mime_type, file.size) == (file_id, "plan.pdf", "application/pdf", 7)
    assert await slack.files.content(of(MARA), file_id, limit=7) == b"%PDF-\0\xff"


async def test_a_file_of_a_channel_is_seen_by_those_who_can_read_there(slack: Slack) -> None:
    """Colleagues see files of public channels, members those of private ones, guests those where they were added."""
    public, private = (slack.shared(b"x", by=people.PRIYA, channel=c) for c in ("C0SALES", "C0FINANCE"))
    assert await slack.files.content(of(people.JONAS), public, limit=10) == b"x"
    assert await slack.files.content(of(MARA), private, limit=10) == b"x"
    for who, file_id in ((THEO, public), (DANA, private), (THEO, private)):
        with pytest.raises(ModelRetry) as caught:
            await slack.files.file(of(who), file_id)
        assert caught.value.code == "file_not_found"


async def test_somebody_elses_file_looks_like_none(slack: Slack) -> None:
    """A file that was shared nowhere the person can read, and one that does not exist, are told apart by nobody."""
    secret = slack.shared(b"x", by=DANA)
    messages = set[str]()
    for file_id in (secret, "F0NOTHING"):
        with pytest.raises(ModelRetry) as caught:
            await slack.files.content(of(MARA), file_id, limit=10)
        messages.add(caught.value.message.replace(file_id, "…"))
    assert len(messages) == 1


async def test_a_file_beyond_the_limit_is_not_read_to_its_end(slack: Slack) -> None:
    """Whatever size was told."""
    file_id = slack.shared(b"x" * 1_000, by=MARA)
    slack.emulator.workspace.world.files[file_id].length = 3
    await not_fetched(slack, file_id, "file_too_large")


async def test_the_token_is_shown_to_slack_alone(slack: Slack, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is kept elsewhere is not fetched."""
    file_id = slack.shared(b"x", by=MARA)
    real = files.described

    def _elsewhere(workspace: Workspace, file: File) -> Json:
        return real(workspace, file) | {"url_private_download": "https://files.slack.com.evil.example/x"}

    monkeypatch.setattr(files, "described", _elsewhere)
    await not_fetched(slack, file_id, "file_elsewhere")


async def test_slacks_sign_in_page_is_no_file(slack: Slack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Slack does not take the token it answers a page with 200; that is attached to no mail."""
    file_id = slack.shared(b"x", by=MARA)

    def _only_for_calls(request: Request) -> str:
        return people.BOT_TOKEN if request.url.path.startswith("/api/") else ""

    monkeypatch.setattr(api, "bearer", _only_for_calls)
    await not_fetched(slack, file_id, "file_not_fetched", limit=10_000)
