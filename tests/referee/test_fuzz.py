"""Whatever is asked is answered, and soon; `tests.fuzz` asks more."""

import pytest

from referee import variants
from tests.examples import examples, in_turn
from tests.fuzz import ask, games, links


@pytest.mark.parametrize("slug", in_turn([variant.slug for variant in variants.all()], quick=0))
def test_whatever_is_asked_is_answered(slug):
    count = examples(1_000)
    tally = ask(slug, count)

    assert tally.wrong == []
    assert tally.answered > count / 4


def test_a_bent_description_is_built_or_refused_and_what_is_built_rules():
    tally = games(200, seed=3)

    assert tally.wrong == []
    assert tally.answered > 10


def test_a_bent_link_is_read_or_refused():
    tally = links(300, seed=3)

    assert tally.wrong == []
    assert 0 < tally.answered < tally.tried
