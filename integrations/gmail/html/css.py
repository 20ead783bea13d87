"""The style sheets of a mail: rules, with the declarations that bear on what is painted (CSS Syntax Level 3).

turbohtml reads the declarations and the selectors. At-rules and nesting are unfolded here, because it skips them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from turbohtml.cssom import StyleDeclaration

from integrations.gmail.html.colors import parse_color

DEPTH = 8
VIEWPORT = {"width": 1_024.0, "height": 768.0}
VALUE_LENGTH = 500

_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?|url\([^"')]*+\)|\\.|[{};]""", re.S | re.I
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([^\r\n\f]))", re.I)
_BRANCH = re.compile(r"""(?:"[^"]*"|'[^']*'|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|\\.|[^,\\])+""", re.S)
_FEATURE = re.compile(r"\((?:(min|max)-)?(?:device-)?(width|height)\s*(:|[<>]=?)\s*(\d*\.?\d+)(px|em|rem)?\)")
_HOLDING = frozenset(
    {
        "(prefers-color-scheme:light)",
        "(orientation:landscape)",
        "(color)",
        "(hover)",
        "(hover:hover)",
        "(pointer:fine)",
        "(prefers-reduced-motion:no-preference)",
        "(min-color:1)",
        "(min-resolution:1dppx)",
        "(scripting:none)",
    }
)
_VARIABLE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_AT_RULE = re.compile(r"(?:\s|/\*.*?\*/)*@", re.S)
_KIND = re.compile(r"@([\w-]+)")
_UNFOLDED = frozenset({"media", "supports", "layer", "document", "-moz-document"})
_TELLING = re.compile(
    r"--.*|display|visibility|opacity|color|-webkit-text-fill-color|background(-color|-image)?|font(-size)?|zoom"
    r"|overflow(-[xy])?|(max-)?(height|width)|text-indent|position|inset|left|top|right|bottom|margin(-left|-top)?"
    r"|clip(-path)?|transform|scale|translate|rotate|filter|mso-hide|content-visibility"
    r"|contain|mask(-image)?|letter-spacing|padding-(left|top)|min-height|text-decoration(-line)?"
)
_PREFIX = re.compile(r"-(?:webkit|moz|ms|o)-")
_LOGICAL = {
    **{
        f"{most}{side}-size": f"{most}{plain}"
        for most in ("", "max-", "min-")
        for side, plain in (("block", "height"), ("inline", "width"))
    },
    **{f"{kind}-inline{end}": f"{kind}-left" for kind in ("margin", "padding") for end in ("", "-start")},
    **{f"{kind}-block{end}": f"{kind}-top" for kind in ("margin", "padding") for end in ("", "-start")},
    **{f"inset-inline{end}": "left" for end in ("", "-start")},
    **{f"inset-block{end}": "top" for end in ("", "-start")},
}
_WIDE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_KEYWORDS = {
    "display": re.compile(
        r"[a-z-]*(none|block|inline|flex|grid|table|contents|list-item|ruby|flow|flow-root|cell|row)\b.*"
    ),
    "visibility": re.compile(r"visible|hidden|collapse"),
    "position": re.compile(r"static|relative|absolute|fixed|sticky|-webkit-sticky"),
    "opacity": re.compile(r"[+-]?[\d.]+(e-?\d+)?%?|(calc|min|max|clamp)\(.*"),
}

Declaration = tuple[str, str, bool]
"""The name of a property and its value, both in lower case and without escapes; whether it is important."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One selector with what it declares. `applies` is false where the rule is for another screen, or for paper."""

    selector: str
    style: Sequence[Declaration]
    applies: bool


def rules_of(css: str, media: str = "") -> Iterator[Rule]:
    """The rules of a sheet that declare something telling, in order; `media` is the sheet's own condition."""
    yield from _rules(css.replace("<!--", " ").replace("-->", " "), "", _is_media(media), DEPTH)


@lru_cache(maxsize=2_000)
def declarations(body: str) -> Sequence[Declaration]:
    """The telling declarations of a style that a browser would not drop."""
    found: list[Declaration] = []
    for each in (text for text, nested in _parts(body, in_rule=True) if nested is None):
        block = StyleDeclaration.parse(each)
        for name in block:
            value = " ".join(_decoded(_COMMENT.sub(" ", block[name])).lower().split())[:VALUE_LENGTH]
            name = _decoded(_COMMENT.sub("", name)).strip()
            name = name if name.startswith("--") else _plain_name(name.lower())
            if _TELLING.fullmatch(name) and _is_valid(name, value):
                found.append((name, value, block.important(name)))
    return found


def _plain_name(name: str) -> str:
    """A property by its usual name: without a maker's prefix, and by the side that it means in a mail's direction."""
    if name == "-webkit-text-fill-color":
        return name
    name = _PREFIX.sub("", name)
    return _LOGICAL.get(name, name)


def _rules(css: str, parent: str, applies: bool, depth: int) -> Iterator[Rule]:
    for prelude, body in _parts(css, in_rule=bool(parent)):
        if body is None:
            continue
        if prelude.startswith("@"):
            kind = _KIND.match(prelude)
            if kind and kind[1].lower() in _UNFOLDED and depth:
                holds = _holds(kind[1].lower(), prelude[kind.end() :])
                yield from _rules(body, parent, applies and holds, depth - 1)
            continue
        selectors = [_nested(each.strip(), parent) for each in _BRANCH.findall(prelude)]
        style = declarations(body)
        if style:
            yield from (Rule(selector, style, applies) for selector in selectors)
        if "{" in body and depth:
            yield from _rules(body, f":is({', '.join(selectors)})", applies, depth - 1)


def _nested(selector: str, parent: str) -> str:
    if not parent:
        return selector
    return selector.replace("&", parent) if "&" in selector else f"{parent} {selector}"


def _parts(css: str, *, in_rule: bool) -> Iterator[tuple[str, str | None]]:
    """What stands before each pair of braces, with what stands between them; what ends without any, with None."""
    depth = start = opened = 0
    prelude = ""
    for token in _TOKEN.finditer(css):
        match token[0]:
            case "{":
                if depth == 0:
                    prelude, opened = _COMMENT.sub(" ", css[start : token.start()]).strip(), token.end()
                depth += 1
            case "}":
                depth = max(0, depth - 1)
                if depth == 0:
                    if prelude:
                        yield prelude, css[opened : token.start()]
                    prelude, start = "", token.end()
            case ";" if depth == 0 and (in_rule or _AT_RULE.match(css, start)):
                yield css[start : token.start()], None
                start = token.end()
            case _:
                pass
    if depth == 0:
        yield css[start:], None
    elif prelude:
        yield prelude, css[opened:]


def _decoded(text: str) -> str:
    """Without escapes (CSS Syntax §4.3.7)."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda found: _character(found[1]) if found[1] else found[2], text)


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _is_valid(name: str, value: str) -> bool:
    """Whether a browser would keep it: an unknown value leaves the one before in force."""
    if not value or name.startswith("--") or "var(" in value or value in _WIDE:
        return bool(value)
    if name in {"color", "background-color", "-webkit-text-fill-color"}:
        return value == "currentcolor" or parse_color(value) is not None
    allowed = _KEYWORDS.get(name)
    return allowed is None or allowed.fullmatch(value) is not None


def _holds(kind: str, condition: str) -> bool:
    return _is_media(condition) if kind == "media" else not condition.strip().lower().startswith("not")


def _is_media(condition: str) -> bool:
    """Whether a condition holds on the screen of a computer; what is not known here does not."""
    queries = condition.lower().split(",") if condition.strip() else []
    return not queries or any(map(_is_query, queries))


def _is_query(query: str) -> bool:
    words = query.replace("(", " (").split()
    negated = words[:1] == ["not"]
    words = [word for word in words if word not in {"not", "only", "and"}]
    kind = "" if not words or words[0].startswith("(") else words.pop(0)
    features = re.findall(r"\([^()]*\)", re.sub(r"\s+", "", "".join(words)))
    return (kind in {"", "all", "screen"} and all(map(_is_feature, features))) != negated


def _is_feature(feature: str) -> bool:
    found = _FEATURE.fullmatch(feature)
    if found is None:
        return feature in _HOLDING
    limit, size, how, number, unit = found.groups()
    wanted = float(number) * (1 if unit in {None, "px"} else 16)
    here = VIEWPORT[size]
    if limit == "max" or how.startswith("<"):
        return here <= wanted
    return here >= wanted if limit == "min" or how.startswith(">") else here == wanted


def substituted(value: str, variables: Mapping[str, str]) -> str:
    """The value with its `var()` filled in; what cannot be, or grows beyond reason, is left as it is."""
    for _ in range(DEPTH):
        filled = _VARIABLE.sub(lambda found: variables.get(found[1]) or (found[2] or found[0]).strip(), value)
        if filled == value or len(filled) > VALUE_LENGTH:
            break
        value = filled
    return value
