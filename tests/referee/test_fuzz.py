"""Whatever is asked is answered, and soon; a hundred thousand of each game by `tests.fuzz`."""

import pytest

from referee import variants
from tests.fuzz import ask


@pytest.mark.slow
@pytest.mark.parametrize("slug", [variant.slug for variant in variants.all()])
def test_whatever_is_asked_is_answered(slug):
    tally = ask(slug, 5_000)

    assert tally.wrong == []
    assert tally.ruled > 1_250
