"""300 kB of HTML and CSS each that was made to take long."""

from __future__ import annotations

from collections.abc import Mapping

LENGTH = 300_000


def _again(piece: str) -> str:
    return piece * (LENGTH // len(piece))


def _sheet(rule: str, page: str) -> str:
    """Rules for a third of it, then elements; `{n}` counts both."""
    rules = "".join(rule.format(n=n) for n in range(10_000))[:100_000]
    return f"<style>{rules}</style>" + "".join(page.format(n=n) for n in range(25_000))[:199_000]


_PIECES = (
    *("<", "<a", "</a", "<!--", "<![CDATA[ >", "<div>", "a<b>", "<a b='", "<style>.a{", "&#", "<style>a{color:red}/*"),
    *("<!--<style>", "<div><p>", "<b>", "<a><p></a>", "<b><p></b>x", "<table>x", "<table><tr><td>", "<svg>", "<h1>"),
    *("<select><option>", "<template>", "<nobr><p>", "</p>", "<ul><li>", "<li>x", "<button>", "<frameset>"),
    *(
        "<dd><div>",
        "<form><p>",
        "<math><mi>",
        "<b></p>",
        "&amp;",
        "\0<p>",
        "<div><span><b><i><p>x",
        "<style>a{}</style>",
    ),
)
_STYLES = (
    *("@media screen{", "{", "a;", "a:not(", "\\61 ", "a{b:(", "@import 'a';", "a,", "a{b{", "a{--b:var(--b)}", "'"),
)
_BOMB = "".join(f"--a{n + 1}:var(--a{n}) var(--a{n});" for n in range(5_000))

HOSTILE: Mapping[str, str] = {
    **{piece: _again(piece) for piece in _PIECES},
    **{f"style: {piece}": f"<style>{_again(piece)}" for piece in _STYLES},
    "fonts": "".join(f"<b a={n}>" for n in range(30_000)),
    "fonts in paragraphs": "".join(f"<p><font a={n}>x" for n in range(18_000)),
    "foster parents": "<table>" + _again("<b>x<i>"),
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(35_000)) + ">x",
    "a long style": f'<p style="{_again("color:red;")}">x',
    "classes": '<p class="' + " ".join(f"a{n}" for n in range(45_000)) + '">x',
    "own styles": "".join(f'<p style="color:#{n:06x};display:block">x' for n in range(8_000)),
    "a rule for each": _sheet(".x{n}{{color:red}}", "<i class=x{n}>t</i>"),
    "rules for nobody": _sheet(".x{n}{{color:red}}", "<i>t</i>"),
    "rules for all": _sheet("i{{color:red}}", "<i>t</i>"),
    "deep rules": _sheet("div div div i,i{{color:red}}", "<div>"),
    "siblings": _sheet("i~i~i~i~b{{color:red}}", "<i>t</i>"),
    "has": _sheet("i:has(~b){{color:red}}", "<i>t</i>"),
    "nth": _sheet("i:nth-last-of-type(2n+{n}){{color:red}}", "<i>t</i>"),
    "variables": f"<style>*{{{_BOMB}color:var(--a5000)}}</style><p>x",
}
