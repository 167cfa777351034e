"""The small ways in which a piece of Python can be changed: what `tests.mutants` tries."""

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RECKONED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CHANGED: Final = ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant
"""Conditions that are changed already."""

BUDGET: Final = r"_?MOST_(?:TRIED|WORK|COMBINATIONS|FEWER)|_MOST_(?:ARRANGED|CHECKED)|_READ|_FEW"
"""How much a search may try, how much is remembered, or up to where the quicker of two ways that
come to the same is taken, by its name: nothing can tell whether it is one more or one less."""

SPENT: Final = {"tried", "work"}
"""What counts how much a search has tried: a step may cost one more or one less."""

OTHER: Final = {"any": "all", "all": "any", "min": "max", "max": "min"}
"""Functions of the same arguments that answer otherwise."""

EMPTY: Final = {
    r".*\| None": "None",
    r"tuple|Cards": "()",
    r"list|Sequence": "[]",
    r"frozenset": "frozenset()",
    r"set": "set()",
    r"dict|Mapping": "{}",
    r"int": "0",
    r"str": '""',
}
"""What is nothing, by the beginning of the annotation of what a function answers."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change to one file: the text between two offsets, and what stands there instead."""

    path: str
    """Relative to the root of the project."""
    line: int
    within: int
    """The first line of the function that it is in, or 0."""
    start: int
    end: int
    """Both in bytes from the beginning of the file."""
    old: str
    new: str

    def __str__(self) -> str:
        """Where it is, and what it changes."""
        return f"{self.path}:{self.line}: {_short(self.old)} → {_short(self.new)}"

    def change(self, source: bytes) -> bytes:
        """The file with this change in it."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def find_mutants(path: str, text: str) -> list[Mutant]:
    """Every change to a file that this module can think of."""
    return _Changes(path, text).find()


class _Changes(ast.NodeVisitor):
    """The mutants of one file."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.within = 0
        self.found: list[Mutant] = []
        lengths = [len(line.encode()) for line in text.splitlines(keepends=True)]
        self.offsets = [0, *itertools.accumulate(lengths)]

    def find(self) -> list[Mutant]:
        self.visit(ast.parse(self.text))
        return self.found

    def _change(self, node: ast.expr, new: str) -> None:
        """Note that `new` may stand in the place of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.offsets[node.lineno - 1] + node.col_offset
        end = self.offsets[node.end_lineno - 1] + node.end_col_offset
        old = self.text.encode()[start:end].decode()
        self.found.append(Mutant(self.path, node.lineno, self.within, start, end, old, new))

    def _replace(self, node: ast.expr, new: ast.expr) -> None:
        self._change(node, f"({ast.unparse(new)})")

    def visit_Compare(self, node: ast.Compare) -> None:
        if _is_spent(node.left):
            return
        for at, operator in enumerate(node.ops):
            if _is_budget(node.comparators[at]):
                continue
            ops = [*node.ops[:at], COMPARED[type(operator)](), *node.ops[at + 1 :]]
            self._replace(node, ast.Compare(node.left, ops, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._replace(node, ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self._replace(node, node.operand)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in RECKONED:
            self._replace(node, ast.BinOp(node.left, RECKONED[type(node.op)](), node.right))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._change(node, str(not node.value))
        elif isinstance(node.value, int):
            self._change(node, str(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        if (lowest := _lowest_bit(node)) is not None:
            self.visit(lowest.right)
            return
        if isinstance(node.func, ast.Name) and node.func.id in OTHER:
            self._change(node.func, OTHER[node.func.id])
        for each in (node.func, *node.args):
            self.visit(each)
        for keyword in node.keywords:
            # Whether two lists are as long as each other is no rule, nor how much is remembered.
            if keyword.arg not in {"strict", "maxsize"}:
                self.visit(keyword.value)

    def visit_If(self, node: ast.If) -> None:
        self._negate(node.test)
        # What stands there for the type checker alone is never run.
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        """Turn a condition round, where no other change does."""
        if not isinstance(test, CHANGED) and ast.unparse(test) != "TYPE_CHECKING":
            self._replace(test, ast.UnaryOp(ast.Not(), test))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        around = self.within
        self.within = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        self._visit_body(node)
        self.within = around

    def _visit_body(self, node: ast.FunctionDef) -> None:
        said = ast.unparse(node.returns) if node.returns else ""
        for each in _returns(node):
            if said == "bool":
                self._negate(each)
                continue
            nothing = next((new for kind, new in EMPTY.items() if re.match(kind, said)), "")
            if nothing and ast.unparse(each) != nothing:
                self._change(each, nothing)
        for part in node.body:
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and not _is_budget(node.target):
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not all(map(_is_spent, node.targets)):
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if not _is_spent(node.target):
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave it: it says what cannot be otherwise."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave it: what stands in a sentence is asserted nowhere."""


def _is_budget(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and re.fullmatch(BUDGET, node.id) is not None


def _is_spent(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in SPENT


def _lowest_bit(node: ast.Call) -> ast.BinOp | None:
    """What `(x & -x).bit_length()` measures; `x | -x` is as long."""
    measured = node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(measured, ast.BinOp) and isinstance(measured.op, ast.BitAnd):
        x, minus_x = ast.unparse(measured.left), ast.unparse(measured.right)
        if ast.unparse(node) == f"({x} & {minus_x}).bit_length()" and minus_x == f"-{x}":
            return measured
    return None


def _returns(node: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a function answers, that of functions inside it left aside."""
    within: list[ast.AST] = list(node.body)
    for each in within:
        if isinstance(each, ast.Return) and each.value is not None:
            yield each.value
        if not isinstance(each, ast.FunctionDef | ast.Lambda):
            within.extend(ast.iter_child_nodes(each))


def _short(text: str) -> str:
    return " ".join(text.split())
