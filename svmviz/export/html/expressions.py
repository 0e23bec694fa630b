"""Expressions of lessons as trees of JSON, which ``assets/page/goals.js`` evaluates."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable
from typing import Any

from svmviz.lessons.expressions import FUNCTIONS, Expression

# The names whose values the page knows while it solves, and those of a line of one's own.
LIVE_NAMES = frozenset(
    "task kernel n C number x1 x2 y step ended w b norm width beta alpha f yf xi E P D gap kkt "
    "support zero free at_C errors gamma moved same_f same_line own_width own_errors".split()
)
LINE_NAMES = frozenset(("own_width", "own_errors"))
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "and", ast.Or: "or", ast.USub: "minus", ast.Not: "not",
}  # fmt: skip


def names_in(expressions: Iterable[Expression]) -> set[str]:
    """Return the names of values that occur in expressions.

    ``norm``, which is a function and a value, is left out. What only a matrix has, a product or two
    indices, counts as the matrix ``K``.
    """
    nodes = [node for expression in expressions for node in ast.walk(expression.tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)} - FUNCTIONS.keys()
    is_of_matrix = any(isinstance(node, ast.MatMult | ast.Tuple) for node in nodes)
    return names | {"K"} if is_of_matrix else names


def tree_of(node: ast.expr) -> list[Any]:
    """Return a tree as JSON: a list of the kind of its root and its operands.

    Only what :data:`LIVE_NAMES` need is converted: no matrix.
    """
    match node:
        case ast.Constant(float(value)) if math.isinf(value):
            # JSON has no infinity.
            return ["binary", "/", ["value", 1.0], ["value", 0.0]]
        case ast.Constant(value):
            return ["value", value if isinstance(value, bool | str) else float(value)]  # pyright: ignore[reportArgumentType]
        case ast.Name(name):
            return ["name", name]
        case ast.BinOp(left, sign, right):
            return ["binary", SIGNS[type(sign)], tree_of(left), tree_of(right)]
        case ast.UnaryOp(sign, operand):
            return [SIGNS[type(sign)], tree_of(operand)]
        case ast.BoolOp(sign, operands):
            return [SIGNS[type(sign)], *map(tree_of, operands)]
        case ast.Compare(left, signs, operands):
            names = [SIGNS[type(sign)] for sign in signs]
            return ["compare", names, *map(tree_of, (left, *operands))]
        case ast.Subscript(array, index):
            return ["entry", tree_of(array), tree_of(index)]
        case ast.Call(ast.Name(name), arguments):
            return ["call", name, *map(tree_of, arguments)]
    raise AssertionError(node)
