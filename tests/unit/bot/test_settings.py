"""Settings: read once, and every problem names its variable and the cure."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from bot.env_file import ENV_FILE_VARIABLE
from bot.errors import BadSettings
from bot.settings import INSECURE_TRANSPORT, Settings, doubts, lacking, read
from bot.urls import at_port, is_loopback, origins

NO_FILE = {ENV_FILE_VARIABLE: ""}
ENOUGH = NO_FILE | {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "GEMINI_API_KEY": "k"}
EXAMPLE = Path(__file__).parents[3] / ".env.example"


def problems_of(environ: dict[str, str]) -> list[str]:
    """What `countersign run` would complain of."""
    try:
        read(environ)
    except BadSettings as error:
        return [*error.problems, *lacking(environ)]
    return lacking(environ)


def test_enough_is_enough() -> None:
    """Two Slack tokens and a Gemini key are all that is needed."""
    settings = read(ENOUGH)
    assert lacking(ENOUGH) == []
    assert settings.uses_socket_mode
    assert settings.agent_max_loop_steps == 8
    assert settings.agent_side_effects_enabled


def test_everything_that_is_missing_is_told_at_once() -> None:
    """Each missing variable is named with where to get it, all in one go."""
    problems = problems_of(dict(NO_FILE))
    assert [problem.split()[0] for problem in problems] == ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "GEMINI_API_KEY"]
    assert "xoxb-" in problems[0]
    assert "SLACK_SIGNING_SECRET" in problems[1]
    assert "VERTEX_AI_PROJECT_ID" in problems[2]


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"VERTEX_AI_PROJECT_ID": "p"}, "VERTEX_AI_LOCATION"),
        ({"GOOGLE_CLIENT_ID": "c"}, "GOOGLE_CLIENT_SECRET"),
        ({"GOOGLE_SERVICE_ACCOUNT_FILE": "key.json"}, "GOOGLE_DELEGATED_DOMAINS"),
        ({"GOOGLE_DELEGATED_DOMAINS": "acme.com"}, "GOOGLE_SERVICE_ACCOUNT_FILE"),
    ],
)
def test_what_belongs_together_is_asked_for(more: dict[str, str], named: str) -> None:
    """Half of a pair is told by the name of the other half."""
    (problem,) = problems_of(ENOUGH | more)
    assert problem.startswith(f"{named} is missing: ")


def test_without_an_app_token_a_signing_secret_is_enough() -> None:
    """Slack over HTTP needs the signing secret instead of the app token."""
    environ = {**ENOUGH, "SLACK_SIGNING_SECRET": "s"}
    del environ["SLACK_APP_TOKEN"]
    assert lacking(environ) == []
    assert not read(environ).uses_socket_mode


@pytest.mark.parametrize(
    ("name", "value", "cure"),
    [
        ("AUDIT_CHECKPOINTS_CHANNEL", "#audit-log", "must be the id of a channel, as in C0123456789"),
        ("SLACK_BOT_TOKEN", "xoxp-1", "must start with xoxb-: take the Bot User OAuth Token"),
        ("SLACK_APP_TOKEN", "xoxb-1", "must start with xapp-: take an App-Level Token"),
        ("SLACK_API_URL", "slack.com/api", "must be a web address"),
        ("GOOGLE_GEMINI_BASE_URL", "localhost:80", "must be a web address"),
        ("PUBLIC_URL", "https:///agent", "must be a web address"),
        ("PUBLIC_URL", "agent.example.com", "must be a web address"),
        ("PUBLIC_URL", "ftp://agent.example.com", "must be a web address"),
        ("PUBLIC_URL", "https://[::1", "must be a web address"),
        ("PUBLIC_URL", "https://agent.example.com:port", "must be a web address"),
        ("PUBLIC_URL", "https://a b.example", "must be a web address"),
        ("PUBLIC_URL", "https://agent..example", "must be a web address"),
        ("PUBLIC_URL", "http://agent.example.com", "must begin with https://"),
        ("PUBLIC_URL", "http://127.0.0.1.evil.example", "must begin with https://"),
        ("PUBLIC_URL", "https://me@agent.example.com", "must be nothing but an address"),
        ("PUBLIC_URL", "https://agent.example.com/?team=1", "must be nothing but an address"),
        ("PUBLIC_URL", "https://agent.example.com/bot/", "must have no path"),
        ("TRUSTED_PROXIES", "10.0.0.5/8", "must name addresses or networks"),
        ("TRUSTED_PROXIES", "balancer", "must name addresses or networks"),
        ("TRUSTED_PROXIES", "10.0.0.5, ::/0", "must not name every address"),
        ("HTTP_PORT", "80800", "must be less than or equal to 65535"),
        ("HTTP_PORT", "eighty", "must be a whole number"),
        ("AGENT_MAX_LOOP_STEPS", "many", "must be a whole number"),
        ("AGENT_MAX_TOKENS", "-1", "must be greater than or equal to 0"),
        ("AGENT_GRACE_SECONDS", "0", "must be greater than or equal to 1"),
        ("AGENT_MAX_CALLS_PER_STEP", "65", "must be less than or equal to 64"),
        ("AGENT_SAME_CALL_FAILED_AT", "1", "must be greater than or equal to 2"),
        ("AGENT_MAX_USD", "cheap", "must be a number"),
        ("AGENT_DAILY_USD_PER_USER", "NaN", "must be a finite number"),
        ("AGENT_SIDE_EFFECTS_ENABLED", "maybe", "must be true or false"),
        ("GOOGLE_DELEGATED_DOMAINS", "*", "must name domains, as in acme.com"),
        ("GOOGLE_DELEGATED_DOMAINS", "a@b.c", "must name domains, as in acme.com"),
        ("DATABASE_URL", "mysql://x/y", "must be sqlite+aiosqlite:///path/to/countersign.db"),
        ("DATABASE_URL", "sqlite+aiosqlite:///", "must be sqlite+aiosqlite:///path/to/countersign.db"),
        ("DATABASE_URL", "sqlite+aiosqlite:////x.db?mode=ro", "must end with the file’s name: there are no options"),
        ("DATABASE_URL", "sqlite+aiosqlite:///:memory:", "must be sqlite+aiosqlite:///path/to/countersign.db"),
        ("DATABASE_URL", "postgresql://me:sesame/open@host/db", "is no address of a server. In its password write %2F"),
        ("DATABASE_URL", "postgresql://me:sesame#open@host/db", "is no address of a server. In its password write %2F"),
        ("DATABASE_URL", "postgresql://me:sesame@[::1/db", "is no address of a server. In its password write %2F"),
    ],
)
def test_a_wrong_value_names_its_variable_and_the_cure(name: str, value: str, cure: str) -> None:
    """Whatever is wrong, the message begins with the variable's name and says what it must be, never what it is."""
    (problem,) = [problem for problem in problems_of(ENOUGH | {name: value}) if " is wrong: " in problem]
    assert problem.startswith(f"{name} is wrong: it {cure}")
    assert value not in problem or name == "DATABASE_URL"
    assert "sesame" not in problem


def test_a_slash_at_the_end_of_an_origin_does_not_count() -> None:
    """So is PUBLIC_URL taken, too."""
    assert origins("https://a.acme.com/, http://localhost:3000/") == {"https://a.acme.com", "http://localhost:3000"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("app.acme.com", "write https:// before “app.acme.com”."),
        ("*", "“*” is not taken: name each address"),
        ("https://*.acme.com", "“https://*.acme.com” is not taken: name each address"),
        ("https://a.acme.com, http://x.example", "“http://x.example”: it must begin with https://"),
        ("https://a.acme.com//", "write https://a.acme.com for “https://a.acme.com/”."),
        ("https://a.acme.com:443", "write https://a.acme.com for “https://a.acme.com:443”."),
        ("https://a.acme.com/app", "leave out the path of “https://a.acme.com/app”"),
        ("https://[::1", "“https://[::1”: it must be a web address"),
        ("https://a.acme.com, https://me:sesame@b.acme.com", "an origin has no “@”: leave out what stands before it."),
    ],
)
def test_of_several_origins_the_wrong_one_is_told(given: str, told: str) -> None:
    """With how it is written right; a password that does not belong there is not repeated."""
    (problem,) = problems_of(ENOUGH | {"HTTP_ORIGINS": given})
    assert problem.startswith(f"HTTP_ORIGINS is wrong: {told}")
    assert "sesame" not in problem


def test_origins_are_as_browsers_write_them() -> None:
    """In small letters; blanks and empty places between commas are nothing."""
    assert read(ENOUGH | {"HTTP_ORIGINS": " https://App.Acme.com ,, http://localhost:3000"}).origins == {
        "https://app.acme.com",
        "http://localhost:3000",
    }


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://agent.example.com", "https://agent.example.com"),
        ("HTTPS://Agent.Example.COM:443/", "https://agent.example.com"),
        (" https://agent.example.com:8443// ", "https://agent.example.com:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://LOCALHOST:80", "http://localhost"),
        ("http://[0:0:0:0:0:0:0:1]:8080/", "http://[::1]:8080"),
        ("http://127.0.0.1:0", "http://127.0.0.1:0"),
    ],
)
def test_the_public_address_is_written_in_one_way(given: str, kept: str) -> None:
    """However it was typed: browsers write it like this, and what they send back is compared with it."""
    assert read(ENOUGH | {"PUBLIC_URL": given}).public_url == kept


def test_several_wrong_values_are_told_at_once() -> None:
    """All that is wrong is told in one go."""
    problems = problems_of(ENOUGH | {"HTTP_PORT": "x", "AGENT_MAX_LOOP_STEPS": "y"})
    assert {problem.split()[0] for problem in problems} == {"HTTP_PORT", "AGENT_MAX_LOOP_STEPS"}


def test_all_that_is_wrong_and_missing_is_told_at_once(tmp_path: Path) -> None:
    """Of the file, of the values and of what nobody configured: nobody mends one thing to be told the next."""
    path = tmp_path / "settings.env"
    path.write_text("COLOUR=green\nHTTP_PORT=x\nAGENT_MAX_TOKENS=1\nAGENT_MAX_TOKENS=2\n", encoding="utf-8")
    environ = {ENV_FILE_VARIABLE: str(path), "SLACK_BOT_TOKEN": "xoxp-1", INSECURE_TRANSPORT: "1"}
    told = [problem.split()[0] for problem in problems_of(environ)]
    assert told == [
        "COLOUR",
        "AGENT_MAX_TOKENS",
        "SLACK_BOT_TOKEN",
        "HTTP_PORT",
        INSECURE_TRANSPORT,
        "SLACK_APP_TOKEN",
        "GEMINI_API_KEY",
    ]


@pytest.mark.parametrize(("given", "steps"), [("-3", 1), ("0", 1), ("1", 1), ("15", 15), ("16", 15), ("400", 15)])
def test_the_step_limit_is_clamped(given: str, steps: int) -> None:
    """AGENT_MAX_LOOP_STEPS counts between 1 and 15, whatever it says; that it counts otherwise than it says is told."""
    environ = ENOUGH | {"AGENT_MAX_LOOP_STEPS": given}
    assert read(environ).agent_max_loop_steps == steps
    told = f"AGENT_MAX_LOOP_STEPS is {given} and counts as {steps}: it is held between 1 and 15."
    assert doubts(environ) == ([] if given == str(steps) else [told])


def test_nothing_is_doubted_of_what_cannot_be_read() -> None:
    """A value that reading refuses gets no warning beside the error."""
    assert doubts(NO_FILE | {"AGENT_MAX_LOOP_STEPS": "many"}) == []


def test_a_step_limit_in_the_file_is_looked_at_too(tmp_path: Path) -> None:
    """A line of `.env` counts as the environment does."""
    file = tmp_path / ".env"
    file.write_text("AGENT_MAX_LOOP_STEPS=99\n", encoding="utf-8")
    (told,) = doubts({ENV_FILE_VARIABLE: str(file)})
    assert told.startswith("AGENT_MAX_LOOP_STEPS is 99 and counts as 15")


@pytest.mark.parametrize("given", ["false", "0", "no", "off", "FALSE"])
def test_the_kill_switch_is_understood(given: str) -> None:
    """Every usual word for no switches side effects off."""
    assert not read(ENOUGH | {"AGENT_SIDE_EFFECTS_ENABLED": given}).agent_side_effects_enabled


def test_an_empty_value_is_none() -> None:
    """A variable that is set to nothing counts as not set."""
    assert problems_of(ENOUGH | {"GEMINI_API_KEY": ""})[0].startswith("GEMINI_API_KEY is missing")
    assert read(ENOUGH | {"HTTP_PORT": ""}).http_port == 8080


def test_slacks_address_is_a_folder() -> None:
    """Methods are joined to the address, so it ends in a slash whether it was written or not."""
    assert read(ENOUGH | {"SLACK_API_URL": "http://127.0.0.1:1/api"}).slack_api_url == "http://127.0.0.1:1/api/"


# The file ------------------------------------------------------------------------------------------------------------


def env_file(folder: Path, text: str) -> dict[str, str]:
    """An environment that names a file with this text."""
    path = folder / "settings.env"
    path.write_text(text, encoding="utf-8")
    return {ENV_FILE_VARIABLE: str(path)}


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    """What the file says counts where the environment says nothing."""
    environ = env_file(tmp_path, "HTTP_PORT=1\nHTTP_HOST=localhost\n") | {"HTTP_PORT": "2"}
    settings = read(environ)
    assert (settings.http_port, settings.http_host) == (2, "localhost")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("SLACK_BOT_TOKN=xoxb-1", r"SLACK_BOT_TOKN in .*settings\.env .* Did you mean SLACK_BOT_TOKEN\?"),
        ("SLACK_BOT_TOKN=", r"SLACK_BOT_TOKN in .*settings\.env .* Did you mean SLACK_BOT_TOKEN\?"),
        ("COLOUR=green", r"COLOUR in .* Remove the line; \.env\.example lists every variable\."),
    ],
)
def test_an_unknown_key_in_the_file_is_refused(tmp_path: Path, line: str, told: str) -> None:
    """A misspelt name is told with the one that was meant, even without a value; one that resembles none is to go."""
    with pytest.raises(BadSettings, match=told):
        read(env_file(tmp_path, line))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("HTTP_PORT=1\n\nAGENT_SIDE_EFFECTS_ENABLED: false\n", 3),
        ('SLACK_BOT_TOKEN="xoxb-1\nHTTP_PORT=1\n', 1),
        ("# ours\nSLACK_BOT_TOKEN xoxb-1\n", 2),
        ("HTTP_PORT\n", 1),
    ],
)
def test_a_line_that_cannot_be_read_is_refused(tmp_path: Path, text: str, line: int) -> None:
    """Nothing in the file is left out in silence, a kill switch least of all; the line is told, not what it holds."""
    with pytest.raises(BadSettings, match=rf"^Line {line} of .* cannot be read\. Write NAME=value") as caught:
        read(env_file(tmp_path, text))
    assert "xoxb-1" not in str(caught.value)


def test_a_key_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    """Of two lines for one variable nobody can say which was meant."""
    text = "AGENT_SIDE_EFFECTS_ENABLED=false\nHTTP_PORT=1\nagent_side_effects_enabled=true\n"
    with pytest.raises(BadSettings, match=r"^AGENT_SIDE_EFFECTS_ENABLED stands in .* 2 times\. Keep one line\.$"):
        read(env_file(tmp_path, text))


def test_other_editors_files_are_read(tmp_path: Path) -> None:
    """A mark of the byte order, line ends of Windows, `export` and words after a value are understood."""
    settings = read(env_file(tmp_path, "\ufeffHTTP_PORT=1\r\nexport HTTP_HOST='localhost' # here\r\n"))
    assert (settings.http_port, settings.http_host) == (1, "localhost")


def test_blanks_around_a_value_do_not_count() -> None:
    """A token that was read from a file brings a line end along."""
    settings = read(ENOUGH | {"SLACK_BOT_TOKEN": " xoxb-1\n", "AGENT_SIDE_EFFECTS_ENABLED": "false ", "HTTP_HOST": " "})
    assert settings.slack_bot_token is not None
    assert settings.slack_bot_token.get_secret_value() == "xoxb-1"
    assert not settings.agent_side_effects_enabled
    assert settings.http_host == "127.0.0.1"


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    """A file that was asked for and cannot be read is an error; the usual one may be absent."""
    for path in (tmp_path / "missing.env", tmp_path):
        with pytest.raises(BadSettings, match=f"cannot be read: .* {ENV_FILE_VARIABLE}"):
            read({ENV_FILE_VARIABLE: str(path)})
    (tmp_path / "binary.env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSettings, match="it is not UTF-8 text"):
        read({ENV_FILE_VARIABLE: str(tmp_path / "binary.env")})


def test_the_usual_file_is_read_where_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`.env` of the working directory counts; without one nothing is read."""
    monkeypatch.chdir(tmp_path)
    assert read({}).http_port == 8080
    (tmp_path / ".env").write_text("HTTP_PORT=4\n", encoding="utf-8")
    assert read({}).http_port == 4


def test_the_example_lists_every_variable(tmp_path: Path) -> None:
    """`.env.example` has every variable and no other, and can be read as it is. Only HTTP_HOST is not set there: in the
    image it has another default, and `docker run --env-file` would take a value, or an empty one, over it.
    """
    text = EXAMPLE.read_text(encoding="utf-8")
    names = re.findall(r"^(?:# (?=HTTP_HOST))?([A-Z_]+)=", text, re.M)
    assert re.findall(r"^# ?([A-Z_]+)=", text, re.M) == ["HTTP_HOST"]
    assert sorted(names) == sorted(name.upper() for name in Settings.model_fields)
    assert read(env_file(tmp_path, text)) == read(dict(NO_FILE))


# The environment -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SLACK_BOT_TOKN", "SLACK_BOT_TOKEN"),
        ("GEMENI_API_KEY", "GEMINI_API_KEY"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("AGENT_SIDE_EFFECT_ENABLED", "AGENT_SIDE_EFFECTS_ENABLED"),
        ("slack_bot_token", "SLACK_BOT_TOKEN"),
    ],
)
def test_a_near_miss_is_warned_of(name: str, meant: str) -> None:
    """A variable that looks like ours and is not is told, with the one that was meant."""
    (warning,) = doubts(NO_FILE | {name: "x", "HTTP_PORT": "1"})
    assert warning.startswith(f"{name} is not a variable of this program")
    assert warning.endswith(f"Did you mean {meant}?")


@pytest.mark.parametrize(
    "name", ["HTTP_PROXY", "HTTPS_PROXY", "GOOGLE_API_KEY", "GITLAB_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS", "PATH"]
)
def test_other_programs_variables_are_left_alone(name: str) -> None:
    """What belongs to others is neither refused nor warned of."""
    assert doubts(NO_FILE | {name: "x"}) == []


def test_secrets_are_known_to_the_redactor() -> None:
    """Every secret value is among those that are kept out of logs, each key of a list by itself."""
    settings = read(ENOUGH | {"ENCRYPTION_KEYS": "one, two", "SLACK_SIGNING_SECRET": "s"})
    assert set(settings.secrets()) == {"xoxb-1", "xapp-1", "k", "one", "two", "s"}
    assert "xoxb-1" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SLACK_BOT_TOKEN", "xoxb-…"),
        ("SLACK_BOT_TOKEN", "xoxb-"),
        ("SLACK_BOT_TOKEN", "xoxb-your-token"),
        ("SLACK_BOT_TOKEN", "xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx"),
        ("SLACK_BOT_TOKEN", "xoxb-placeholder-token"),
        ("SLACK_BOT_TOKEN", "xoxb-000000000000-000000000000"),
        ("SLACK_CLIENT_SECRET", "replace-with-real"),
        ("GEMINI_API_KEY", "REPLACE_THIS"),
        ("GEMINI_API_KEY", "put-your-key-here"),
        ("SLACK_APP_TOKEN", "xapp-xxxxxxxx"),
        ("SLACK_APP_TOKEN", "xapp-1-…"),
        ("SLACK_APP_TOKEN", "xapp-1-A0-..."),
        ("GEMINI_API_KEY", "AIzaSy..."),
        ("GEMINI_API_KEY", "{{ gemini_key }}"),
        ("SLACK_SIGNING_SECRET", "INSERT_SECRET_HERE"),
        ("SLACK_SIGNING_SECRET", "${SIGNING_SECRET}"),
        ("GEMINI_API_KEY", "changeme"),
        ("GEMINI_API_KEY", "Your API key"),
        ("GOOGLE_CLIENT_SECRET", "<client secret>"),
        ("SLACK_SIGNING_SECRET", "..."),
        ("ENCRYPTION_KEYS", "CHANGE_ME"),
        ("DATABASE_URL", "postgresql://user:password@host/database"),
    ],
)
def test_a_placeholder_is_refused(name: str, value: str) -> None:
    """What only shows where a secret belongs is told as that, and not tried."""
    with pytest.raises(BadSettings) as caught:
        read(ENOUGH | {name: value})
    assert [*caught.value.problems] == [f"{name} is wrong: it is a placeholder: put the real value there."]


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o602, 0o660])
def test_a_file_of_secrets_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """With the command that mends it; without a secret in it anybody may read it."""
    path = tmp_path / "settings.env"
    path.write_text("GEMINI_API_KEY=a-key\n", encoding="utf-8")
    path.chmod(mode)
    with pytest.raises(BadSettings, match=rf"Others can read {path}, which holds secrets\. Run: chmod 600 {path}"):
        read({ENV_FILE_VARIABLE: str(path)})
    path.write_text("HTTP_PORT=1\n", encoding="utf-8")
    assert read({ENV_FILE_VARIABLE: str(path)}).http_port == 1
    path.write_text("GEMINI_API_KEY=a-key\n", encoding="utf-8")
    path.chmod(0o600)
    assert read({ENV_FILE_VARIABLE: str(path)}).gemini_api_key is not None


def test_a_file_of_secrets_on_a_read_only_mount_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So Docker and Kubernetes hand secrets over, with a mode that nobody inside can change."""
    path = tmp_path / "settings.env"
    path.write_text("GEMINI_API_KEY=a-key\n", encoding="utf-8")
    path.chmod(0o444)
    real = os.statvfs(path)

    def mounted(where: Path) -> os.statvfs_result:
        assert where == path
        return os.statvfs_result([*real[:8], real.f_flag | os.ST_RDONLY, *real[9:]])

    monkeypatch.setattr("os.statvfs", mounted)
    assert read({ENV_FILE_VARIABLE: str(path)}).gemini_api_key is not None


@pytest.mark.parametrize(
    ("host", "url"), [("::1", "http://[::1]:8080"), ("127.0.0.1", "http://127.0.0.1:8080"), ("::", "http://[::]:8080")]
)
def test_where_it_is_served_is_an_address(host: str, url: str) -> None:
    """One of IPv6 stands in brackets; this machine's own is known as that."""
    assert at_port(host, 8080) == url
    assert is_loopback(url) == (host != "::")
