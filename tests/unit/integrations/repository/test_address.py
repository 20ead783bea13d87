"""What people call a repository: it leads below the root, or nowhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.repository.address import BAD_NAME, OTHER_MACHINE, OUTSIDE, UNNAMED, names_of
from integrations.repository.errors import Unreadable

ROOT = "/srv/repositories"


@pytest.mark.parametrize(
    ("given_as", "names"),
    [
        ("website", ["website"]),
        ("  team/website.git/ ", ["team", "website.git"]),
        ("./team//./website", ["team", "website"]),
        ("file:website", ["website"]),
        ("file:///srv/repositories/website", ["website"]),
        ("file:/srv/repositories/website", ["website"]),
        ("FILE://localhost//srv//repositories/team/website", ["team", "website"]),
        ("/srv/repositories/website", ["website"]),
        ("file:web%20site%20%C3%BC", ["web site ü"]),
        ("file:web%2520site", ["web%20site"]),
        ("web%2e%2e", ["web%2e%2e"]),
        ("...", ["..."]),
    ],
)
def test_a_name_a_path_or_a_file_url_names_it(given_as: str, names: list[str]) -> None:
    """A URL is decoded once, a name is taken as it is; what is absolute begins with the root."""
    assert names_of(given_as, ROOT) == names


@pytest.mark.parametrize(
    ("given_as", "why"),
    [
        ("../secret", OUTSIDE),
        ("website/../../secret", OUTSIDE),
        ("file:..%2Fsecret", OUTSIDE),
        ("file:%2e%2e/secret", OUTSIDE),
        ("file:///srv/repositories/%2e%2e/secret", OUTSIDE),
        ("file:///etc", OUTSIDE),
        ("/srv/repositories-of-others/website", OUTSIDE),
        ("file:///srv", OUTSIDE),
        ("file:%2Fetc", OUTSIDE),
        ("file://host/srv/repositories/website", OTHER_MACHINE),
        ("file://127.0.0.1/srv/repositories/website", OTHER_MACHINE),
        ("", UNNAMED),
        (" . ", UNNAMED),
        ("file:", UNNAMED),
        ("file:///srv/repositories/", UNNAMED),
        ("file:website%00", BAD_NAME),
        ("file:website%FF", BAD_NAME),
        ("website\ud800", BAD_NAME),
    ],
)
def test_security_input_39_what_leads_elsewhere_is_refused(given_as: str, why: str) -> None:
    """Upward, outside, to another machine, to nothing, or to what no folder can be called."""
    with pytest.raises(Unreadable, match=re.escape(why)):
        names_of(given_as, ROOT)


@pytest.mark.parametrize(
    ("url", "scheme"),
    [
        ("https://github.com/acme/website", "https:"),
        ("HTTP://acme.com/website.git", "http:"),
        ("ssh://git@github.com/acme/website", "ssh:"),
        ("git@github.com:acme/website.git", "ssh:"),
        ("git+ssh://acme.com/website", "git+ssh:"),
        ("ext::sh -c touch% /tmp/x", "ext:"),
        ("C:\\website", "c:"),
    ],
)
def test_what_is_behind_a_network_is_not_read_yet(url: str, scheme: str) -> None:
    """It is said which scheme that is, and what to do."""
    with pytest.raises(Unreadable, match=re.escape(f"none behind “{scheme}”")) as refused:
        names_of(url, ROOT)
    assert "`git clone`" in str(refused.value)


_TOKENS = st.sampled_from(
    ["..", "%2e%2E", "%2f", "/", "//", ".", "file:", "//localhost", ROOT, "a", "%00", "%", "\\", ":"]
)


@given(st.lists(_TOKENS, max_size=8).map("".join) | st.text(), st.sampled_from(["/", ROOT, "/a"]))
def test_no_name_leads_upward(given_as: str, root: str) -> None:
    """Whatever is given: each name is one step down, or there is none."""
    try:
        names = names_of(given_as, root)
    except Unreadable:
        return
    assert names
    assert all(name not in {"", ".", ".."} and not {"/", "\0"} & set(name) for name in names)
