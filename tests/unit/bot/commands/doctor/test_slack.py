"""What the doctor says of signing in with Slack."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from bot.commands.doctor.findings import Findings
from bot.commands.doctor.slack import examine_slack
from bot.settings import Settings
from playground.slack.openid import CLIENT_ID, CLIENT_SECRET
from tests.unit.bot.slack.emulated import Slack, slack_running


@pytest.fixture
async def slack() -> AsyncGenerator[Slack]:
    async with slack_running() as made:
        yield made


async def found(slack: Slack, **more: object) -> Findings:
    given: dict[str, object] = {
        "slack_api_url": f"{slack.url}/api/",
        "slack_client_id": CLIENT_ID,
        "slack_client_secret": CLIENT_SECRET,
        "public_url": "http://127.0.0.1:8080",
    }
    return await examine_slack(Settings.model_validate(given | more))


async def test_a_right_client_is_nothing_to_tell(slack: Slack) -> None:
    """Only `setup` says so. Without one Slack is not asked."""
    assert await found(slack) == Findings(good=["Slack knows the client: people can sign in with it"])
    assert len(slack.calls("openid.connect.token")) == 1
    assert await found(slack, slack_client_id=None) == Findings()
    assert len(slack.calls("openid.connect.token")) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"slack_client_id": "1.2"}, "(invalid_client_id). Copy both again"),
        ({"slack_client_secret": "wrong"}, "(bad_client_secret). Copy both again"),
        ({"slack_api_url": "http://slack.example/api/"}, "SLACK_API_URL begins with http://"),
    ],
)
async def test_a_wrong_client_is_told_with_the_next_step(slack: Slack, wrong: dict[str, object], words: str) -> None:
    """Client, secret, and what travels unencrypted: a line each. A missing address is told for all who need it."""
    (line,) = (await found(slack, **wrong)).problems
    assert words in line
    assert await found(slack, public_url=None) == Findings()


async def test_a_slack_that_is_away_is_no_wrong_setting(slack: Slack) -> None:
    """It is told, and does not count as something to mend."""
    await slack.fault(kind="ok_false", match={"path": "/api/openid.connect.token"}, error="internal_error", times=-1)
    assert await found(slack) == Findings()
    told = await found(slack, slack_api_url="http://127.0.0.1:9/api/")
    assert (told.problems, told.remarks, len(told.away)) == ([], [], 1)


@pytest.mark.parametrize(("public_url", "told"), [("http://127.0.0.1:8080", True), ("https://agent.acme.com", False)])
async def test_slack_leads_back_to_https_only(slack: Slack, public_url: str, told: bool) -> None:
    """Where it is Slack itself: an emulator leads to this machine."""
    remarks = (await found(slack, slack_api_url="https://127.0.0.2:9/api/", public_url=public_url)).remarks
    assert any("https addresses only" in remark for remark in remarks) is told
