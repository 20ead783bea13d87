"""The pages that people see in their browsers: what somebody else wrote is a text, and nothing more."""

from __future__ import annotations

from bot.api.pages import HtmlPage, plain, shown

HOSTILE = "Dana** of <b>Fernhill</b>\n& co **"


def test_what_somebody_else_wrote_is_a_text() -> None:
    """A name in Slack is on one line; it makes no markup, and neither begins nor ends what we emphasise."""
    page = HtmlPage(
        title=HOSTILE, paragraphs=[f"You are **{plain(HOSTILE)}**, they say."], small=f"**{plain(HOSTILE)}**"
    )
    made = page.as_html()
    name = "Dana∗∗ of &lt;b&gt;Fernhill&lt;/b&gt; &amp; co ∗∗"
    assert f"<p>You are <strong>{name}</strong>, they say.</p>" in made
    assert f"<small><strong>{name}</strong></small>" in made
    assert "<b>" not in made


def test_a_form_sends_what_it_was_given() -> None:
    """Values cannot end their attribute."""
    page = HtmlPage(
        title="", paragraphs=(), action='/go"', hidden=[("t", '"><script>')], asks="want", choices=[('a"', "<i>")]
    )
    made = page.as_html()
    assert 'action="/go&quot;"' in made
    assert 'value="&quot;&gt;&lt;script&gt;"' in made
    assert '<button name="want" value="a&quot;">&lt;i&gt;</button>' in made


def test_the_button_that_ends_something_does_not_stand_out() -> None:
    """The style knows such a form by its class; the other forms have none."""
    form = HtmlPage(title="", paragraphs=(), action="/out", choices=[("yes", "Sign out")], ends=True)
    assert '<form method="post" action="/out" class="ends">' in form.as_html()
    assert "form:not(.ends) button:first-of-type" in form.as_html()
    assert "class=" not in HtmlPage(title="", paragraphs=(), choices=[("yes", "Connect")]).as_html()


def test_a_page_stands_in_nobodys_frame_and_is_kept_nowhere() -> None:
    """Old browsers and new ones are told."""
    headers = shown(HtmlPage(title="", paragraphs=())).headers
    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
