"""Whatever is asked is answered, and soon: more by `tests.fuzz`, bent games by `tests.bent`."""

import pytest

from referee import variants
from tests.bent import bend, bend_links
from tests.examples import examples
from tests.fuzz import ask

LONG = ("mexican-rummy", "eleven-phases", "rummikub", "remigio", "rummy-500")
"""The games that are asked at length; of the others less is asked."""


@pytest.mark.slow
@pytest.mark.parametrize("slug", [variant.slug for variant in variants.all()])
def test_whatever_is_asked_is_answered(slug):
    count = examples(5_000 if slug in LONG else 1_000)
    tally = ask(slug, count)

    assert tally.wrong == []
    assert tally.ruled > count / 4


def test_a_bent_description_is_built_or_refused_and_what_is_built_rules():
    tally = bend(300, seed=3)

    assert tally.wrong == []
    assert tally.rulings


def test_a_bent_link_is_read_or_refused():
    tally = bend_links(300, seed=3)

    assert tally.wrong == []
    assert 0 < tally.sound < tally.bent
