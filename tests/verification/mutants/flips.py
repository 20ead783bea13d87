"""Every small change of a module's functions that a mistake could make: one comparison, one condition, one constant.

Left out are texts for people (strings with a space), annotations, the types of casts, defaults and what stands outside
functions.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import cast

Function = ast.FunctionDef | ast.AsyncFunctionDef
Change = tuple[str, str, object]
"""What is changed of a node: in words, its attribute, and the other value of that."""

_COMPARES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_BINARY: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_CALLS = {"any": "all", "all": "any", "min": "max", "max": "min", "rpartition": "partition", "partition": "rpartition"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One change of a function, which goes by its qualified name: the line, what it does, and the code with it."""

    function: str
    line: int
    change: str
    code: CodeType


def flips(source: str, file: str) -> Iterator[Flip]:
    """All of a module, each compiled."""
    tree = ast.parse(source)
    for name, function in functions(tree):
        for node in _inside(function):
            for change, attribute, value in _changes(node):
                before = getattr(node, attribute)
                setattr(node, attribute, value)
                try:
                    changed = compile(copy.deepcopy(tree), file, "exec", dont_inherit=True)
                finally:
                    setattr(node, attribute, before)
                yield Flip(function=name, line=getattr(node, "lineno", 0), change=change, code=_code(changed, name))


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Those of the module and the methods of its classes; what is defined inside one belongs to it."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, Function))


def _code(module: CodeType, name: str) -> CodeType:
    """The code of a function in that of its module."""
    code = module
    for part in name.split("."):
        code = next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == part)
    return code


def _inside(function: Function) -> Iterator[ast.AST]:
    """What it does: its statements without its docstring, and without the names of types."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    for statement in body:
        yield from _walked(statement)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for name, value in ast.iter_fields(node):
        if name == "annotation" or isinstance(node, ast.JoinedStr | ast.Assert):
            continue
        nodes = cast("list[object]", value) if isinstance(value, list) else [value]
        for each in nodes[1:] if name == "args" and _is_cast(node) else nodes:
            if isinstance(each, ast.AST):
                yield from _walked(each)


def _is_cast(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast"


def _changes(node: ast.AST) -> Iterator[Change]:
    yield from _of_conditions(node)
    yield from _of_operators(node)
    yield from _of_values(node)


def _of_conditions(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.BoolOp(op=op, values=values):
            other = ast.And if isinstance(op, ast.Or) else ast.Or
            yield _said(op, other), "op", other()
            for at, each in enumerate(values):
                yield f"without “{ast.unparse(each)}”", "values", [*values[:at], *values[at + 1 :], values[at - 1]]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "without “not”", "operand", _turned(operand)
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield "the condition turned round", "test", _turned(test)
        case ast.comprehension(ifs=ifs):
            for at, each in enumerate(ifs):
                yield f"without “if {ast.unparse(each)}”", "ifs", [*ifs[:at], *ifs[at + 1 :]]
        case _:
            return


def _of_operators(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                if other := _COMPARES.get(type(op)):
                    yield _said(op, other), "ops", [*ops[:at], other(), *ops[at + 1 :]]
        case ast.BinOp(op=op) if other := _BINARY.get(type(op)):
            yield _said(op, other), "op", other()
        case ast.Name(id=name) if name in _CALLS:
            yield f"{name} → {_CALLS[name]}", "id", _CALLS[name]
        case ast.Attribute(attr=name) if name in _CALLS:
            yield f"{name} → {_CALLS[name]}", "attr", _CALLS[name]
        case _:
            return


def _of_values(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Constant(value=bool(value)):
            yield f"{value} → {not value}", "value", not value
        case ast.Constant(value=int(value)):
            yield f"{value} → {value + 1}", "value", value + 1
        case ast.Constant(value=str(value)) if " " not in value.strip():
            yield f"“{value}” → “{value}X”", "value", f"{value}X"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "returns None", "value", ast.copy_location(ast.Constant(value=None), value)
        case _:
            return


def _turned(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=test), test)


def _said(before: ast.AST, after: type[ast.AST]) -> str:
    return f"{type(before).__name__} → {after.__name__}"
