"""Templates say and lay out; what they show was worked out before, in a view that is tested."""

from collections.abc import Iterator

import pytest
from jinja2 import Environment, nodes

from webapp import words
from webapp.factory import TEMPLATES

ARITHMETIC = (
    nodes.Add,
    nodes.Sub,
    nodes.Mul,
    nodes.Div,
    nodes.FloorDiv,
    nodes.Mod,
    nodes.Pow,
    nodes.Neg,
)
OPERATORS = (nodes.And, nodes.Or, nodes.Not, nodes.Compare)
MOST_OPERATORS = 2
PLAIN = {"capitalize", "default", "join", "length", "lower", "safe", "string", "truncate"}
"""Filters of Jinja that change how a value looks, and make no other value out of some."""

QUERIES = {"urlencode"}
METHODS = {"items", "label", "sections", "value_classes"}
"""What may be asked of a value; none of them takes a text apart."""


def computed(template: str) -> Iterator[str]:
    """What a template works out that a view should have: a word for each."""
    tree = Environment(autoescape=True).parse(template)
    yield from (f"arithmetic in line {node.lineno}" for node in tree.find_all(ARITHMETIC))
    yield from (f"a slice in line {node.lineno}" for node in tree.find_all(nodes.Slice))
    yield from (
        f"a variable that grows in line {node.lineno}" for node in tree.find_all(nodes.NSRef)
    )
    known = {*vars(words), "points", *PLAIN, *QUERIES}
    for each in tree.find_all(nodes.Filter):
        if each.name not in known:
            yield f"the filter {each.name} in line {each.lineno}"
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr not in METHODS:
            yield f"the call of {call.node.attr} in line {call.lineno}"
    for branch in tree.find_all((nodes.If, nodes.CondExpr)):
        test = branch.test
        count = sum(1 for _ in test.find_all(OPERATORS)) + isinstance(test, OPERATORS)
        if count > MOST_OPERATORS:
            yield f"a condition of {count} operators in line {branch.lineno}"


def test_a_template_computes_nothing() -> None:
    found = {path: [*computed(path.read_text("utf-8"))] for path in TEMPLATES.rglob("*.html")}

    assert len(found) > 100
    assert {path: what for path, what in found.items() if what} == {}


@pytest.mark.parametrize(
    "broken",
    [
        "{{ rounds + 1 }}",
        "{{ -points }}",
        "{{ seconds * 1000 }}",
        "{{ misses[:8] }}",
        "{{ rows|sum }}",
        "{{ rows|map(attribute='cards')|join }}",
        "{{ title.partition(' with') }}",
        "{% set ns.count = 1 %}",
        "{% if a and not b or c == d %}yes{% endif %}",
        "{{ 'yes' if a and not b and c }}",
    ],
)
def test_a_template_that_computes_is_found(broken: str) -> None:
    assert list(computed(broken))
