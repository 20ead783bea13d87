from __future__ import annotations

from typing import Any

import pytest

from bot.slack.connection.rich_text import RichText, mentions, readable, typed_text, typed_words

AGENT = "U0CSIGN"


def text(words: str, **style: bool) -> dict[str, Any]:
    return {"type": "text", "text": words} | ({"style": style} if style else {})


def section(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": list(parts)}


def read(elements: list[dict[str, Any]]) -> list[RichText]:
    return [RichText.model_validate(element) for element in elements]


def test_security_input_12_only_typed_words_count() -> None:
    """Quotes, code, what was struck through and whatever is no rich text are not the author's own words."""
    elements = [
        section({"type": "user", "user_id": AGENT}, text(" pay "), text("evil@x.example", code=True), text(" now")),
        section(text("struck@evil.example", strike=True)),
        {"type": "rich_text_quote", "elements": [text("quoted@evil.example")]},
        {"type": "rich_text_preformatted", "elements": [text("pasted@evil.example")]},
    ]
    assert typed_words(read(elements), agent=AGENT) == "pay  now"


def test_lists_mentions_links_and_emoji() -> None:
    """Points of a list are typed; a link counts with the label that its author sees."""
    elements = [
        section(
            text("tell "), {"type": "user", "user_id": "U0DANA"}, text(" in "), {"type": "channel", "channel_id": "C1"}
        ),
        {
            "type": "rich_text_list",
            "elements": [
                section({"type": "link", "url": "mailto:dana@x.example", "text": "dana@x.example"}),
                section(
                    {"type": "link", "url": "https://evil.example", "text": "here"}, {"type": "emoji", "name": "tada"}
                ),
                section({"type": "link", "url": "https://ok.example/a"}, {"type": "broadcast", "range": "here"}),
            ],
        },
    ]
    typed = "tell <@U0DANA> in <#C1>\ndana@x.example\nhere:tada:\nhttps://ok.example/a@here"
    assert typed_words(read(elements), agent=AGENT) == typed


@pytest.mark.parametrize(("border", "typed"), [(1, "What is this?"), (0, "What is this?\nask eve@evil.example")])
def test_a_list_in_a_quote_is_no_word_of_its_author(border: int, typed: str) -> None:
    """Slack writes it as a list with a border."""
    quoted = {"type": "rich_text_list", "border": border, "elements": [section(text("ask eve@evil.example"))]}
    assert typed_words(read([section(text("What is this?")), quoted]), agent=AGENT) == typed


def test_what_is_not_known_yet_says_nothing() -> None:
    """An element of a kind that Slack adds later is no error, whatever it holds; mentions in it count."""
    later = {"type": "rich_text_later", "text": {"a": 1}, "elements": [None, 3, {"type": "user", "user_id": AGENT}]}
    elements = read([later, section({"type": "later", "text": 5}, text("hi")), {"type": None}])
    assert typed_words(elements, agent=AGENT) == "hi"
    assert mentions(elements, "", AGENT)


def test_an_element_is_kept_as_it_came() -> None:
    """What is stored of a message is what Slack sent."""
    sent = section(text("a", bold=True), {"type": "user", "user_id": AGENT, "border": 1})
    assert RichText.model_validate(sent).model_dump(mode="json", exclude_unset=True) == sent


def test_mentions() -> None:
    """A mention is found in rich text at any depth, and in the plain form."""
    assert mentions(read([section({"type": "user", "user_id": AGENT})]), "", AGENT)
    assert mentions([], f"hi <@{AGENT}>", AGENT)
    assert mentions([], f"hi <@{AGENT}|countersign>", AGENT)
    assert not mentions(read([section(text(f"<@{AGENT}>"))]), "", AGENT)


def test_readable() -> None:
    """People and destinations are named where known, links say where they go, entities are undone."""
    names = {"U0DANA": "Dana"}
    people = f"<@{AGENT}>, ask <@U0DANA> and <@U0X> in <#C1|sales> &lt;now&gt;"
    links = "<https://x.example|x> <mailto:a@b.c|a@b.c> <!here>"
    shown = readable(f"{people} {links}", agent=AGENT, name_of=names.get)
    assert shown == "ask @Dana and <@U0X> in #sales <now> x (https://x.example) a@b.c @here"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("ask <@U0GUEST|eve@evil.example> and <@U0DANA>", "ask <@U0GUEST> and <@U0DANA>"),
        ("in <#C1|evil.example/pay>, <!subteam^S1|@evil.example>", "in <#C1>, <!subteam^S1>"),
        (f"<@{AGENT}> a &amp; b", "a & b"),
        ("see <https://x.example|x.example>", "see x.example (https://x.example)"),
        ("see `evil.example`, ~evil.example~", "see  ,"),
    ],
)
def test_typed_text(text: str, typed: str) -> None:
    """In a text without rich text, names that others chose stay ids, and what is only shown is left out."""
    assert typed_text(text, agent=AGENT) == typed
