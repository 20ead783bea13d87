"""What the emulator demands of a request, as Google does."""

from __future__ import annotations

from typing import Any

import pytest

from playground.gemini import rules, schema
from playground.gemini.catalogue import find
from playground.gemini.errors import ApiError
from playground.gemini.schema import DEVELOPER, VERTEX
from playground.gemini.signatures import SKIP, Signer

Json = dict[str, Any]
MODEL = find("gemini-3.8-flash", "v1")
SIGNER = Signer(DEVELOPER, MODEL.version)
TOOLS: list[Json] = [{"functionDeclarations": [{"name": "a"}, {"name": "b"}]}]


def user(*parts: Json | str) -> Json:
    return {"role": "user", "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}


def model(*parts: Json) -> Json:
    return {"role": "model", "parts": list(parts)}


def call(name: str, *, signed: bool = True, **more: Any) -> Json:
    part: Json = {"functionCall": {"name": name, "args": {"q": 1}, **more}}
    return part | {"thoughtSignature": SIGNER.sign(part)} if signed else part


def response(name: str, **more: Any) -> Json:
    return {"functionResponse": {"name": name, "response": {"output": 1}, **more}}


def check(*contents: Json, **more: Any) -> None:
    request = schema.normalised({"contents": list(contents), "tools": TOOLS, **more}, DEVELOPER)
    rules.check(request, model=MODEL, signer=SIGNER)


def refused(*contents: Json, **more: Any) -> str:
    with pytest.raises(ApiError) as caught:
        check(*contents, **more)
    assert caught.value.code == 400
    assert caught.value.body["error"]["status"] == "INVALID_ARGUMENT"
    return str(caught.value)


def test_a_proper_history() -> None:
    """Two steps with parallel calls, ids echoed, a text between: all is well."""
    check(
        user("hi"),
        model({"text": "Hello."}),
        user("now"),
        model({"text": "hm", "thought": True}, call("a", id="1"), call("b", signed=False, id="2")),
        user(response("a", id="1"), response("b", id="2")),
        model(call("a")),
        user(response("a")),
    )


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ([response("a")], "number of function response parts"),
        ([response("b"), response("a")], "in the order of the calls"),
        ([response("a", id="9"), response("b")], "does not match any function call"),
        (["later"], "number of function response parts"),
        ([{"functionResponse": {"name": "a"}}, response("b")], "required"),
    ],
)
def test_responses_must_equal_the_calls(parts: list[Json | str], problem: str) -> None:
    """Number, order, names and ids of the responses are those of the calls."""
    assert problem in refused(user("x"), model(call("a"), call("b", signed=False)), user(*parts))


def test_responses_need_calls() -> None:
    """A response without a call before it is refused."""
    assert "immediately after a function call turn" in refused(user("x"), model({"text": "y"}), user(response("a")))


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        ([], "contents is not specified"),
        ([user("x"), model({"text": "y"})], "end with a user role"),
        ([{"role": "system", "parts": [{"text": "x"}]}], "valid role"),
        ([user()], "must not be empty"),
        ([user({"thought": True})], "oneof field 'data'"),
        ([user({"text": "x", "functionCall": {"name": "a"}})], "oneof field 'data'"),
        ([user("x"), model({"functionCall": {"args": {}}}), user(response("a"))], "Name cannot be empty"),
        ([model(call("a")), user(response("a"))], "function call turn comes immediately after"),
        ([user("x"), model({"text": "y"}), model(call("a")), user(response("a"))], "function call turn comes"),
        ([user(call("a")), user(response("a"))], "in a turn of the role model"),
        ([user("x"), model(response("a")), user("y")], "in a turn of the role user"),
    ],
)
def test_turns(contents: list[Json], problem: str) -> None:
    """Roles, parts and the order of turns are those of the API."""
    assert problem in refused(*contents)


SETTINGS: list[tuple[Json, str]] = [
    ({"tools": []}, "need their function declarations"),
    ({"tools": [{"functionDeclarations": [{"name": "a b"}]}]}, "Invalid function name"),
    ({"tools": [{"functionDeclarations": [{"name": "a"}, {"name": "a"}]}]}, "Duplicate function declaration"),
    (
        {"tools": [{"functionDeclarations": [{"name": "a", "parameters": {}, "parametersJsonSchema": {}}]}]},
        "only one of parameters",
    ),
    ({"toolConfig": {"functionCallingConfig": {"mode": "SOMETIMES"}}}, "mode"),
    ({"tools": [], "toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}, "without function_declarations"),
    ({"tools": [], "toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}, "without function_declarations"),
    ({"toolConfig": {"functionCallingConfig": {"mode": "AUTO", "allowedFunctionNames": ["a"]}}}, "ANY or VALIDATED"),
    ({"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["c"]}}}, "name c is not in"),
]


@pytest.mark.parametrize(("more", "problem"), SETTINGS)
def test_settings(more: Json, problem: str) -> None:
    """Declarations and modes are checked."""
    contents = [user("x"), model(call("a")), user(response("a"))]
    if problem == "without function_declarations":
        contents = [user("x")]
    assert problem in refused(*contents, **more)


def test_every_step_of_the_turn_needs_its_signature() -> None:
    """The first call of each step of the current turn must carry its signature; the others need none."""
    unsigned = [model(call("a", signed=False)), user(response("a"))]
    signed = [model(call("a")), user(response("a"))]
    assert "missing a thought_signature" in refused(user("x"), *unsigned)
    assert "missing a thought_signature" in refused(user("x"), *signed, *unsigned)
    check(user("x"), *unsigned, model({"text": "done"}), user("next"))


@pytest.mark.parametrize("change", [{"args": {"q": 2}}, {"id": "other"}, {"name": "b"}])
def test_a_signature_belongs_to_its_call(change: Json) -> None:
    """A call that was changed does not fit its signature any more."""
    part = call("a", id="1")
    tampered = part | {"functionCall": part["functionCall"] | change}
    answer = response(tampered["functionCall"]["name"])
    assert "signature is not valid" in refused(user("x"), model(tampered), user(answer))


def test_a_signature_belongs_to_its_transport_and_model() -> None:
    """Signatures of the other transport or another model are refused."""
    part = call("a", signed=False)
    for signer in (Signer(VERTEX, MODEL.version), Signer(DEVELOPER, "gemini-4-argon")):
        foreign = part | {"thoughtSignature": signer.sign(part)}
        assert "signature is not valid" in refused(user("x"), model(foreign), user(response("a")))


@pytest.mark.parametrize("text", [SKIP.decode(), "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="])
def test_the_documented_stand_in(text: str) -> None:
    """The stand-in is taken, plain or in base64."""
    check(user("x"), model(call("a", signed=False) | {"thoughtSignature": text}), user(response("a")))


def test_merged_signed_texts_are_noticed() -> None:
    """A signed text that was merged with another does not fit its signature any more."""
    part: Json = {"text": "end."}
    signed = {"text": "Start and end.", "thoughtSignature": SIGNER.sign(part)}
    assert "signature is not valid" in refused(user("x"), model(signed), user("y"))


@pytest.mark.parametrize("text", ["%%%", "AAAA", ""])
def test_garbage_is_no_signature(text: str) -> None:
    """What is no base64 is no signature."""
    assert not SIGNER.is_valid({"text": "x", "thoughtSignature": text})
