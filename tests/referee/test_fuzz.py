"""Whatever is asked is answered, and soon; a hundred thousand of each game by `tests.fuzz`."""

import pytest

from referee import variants
from tests.fuzz import ask

LONG = ("mexican-rummy", "eleven-phases", "rummikub", "remigio", "rummy-500")
"""The games that are asked at length; of the others less is asked."""


@pytest.mark.slow
@pytest.mark.parametrize("slug", [variant.slug for variant in variants.all()])
def test_whatever_is_asked_is_answered(slug):
    count = 5_000 if slug in LONG else 1_000
    tally = ask(slug, count)

    assert tally.wrong == []
    assert tally.ruled > count / 4
