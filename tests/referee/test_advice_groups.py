"""Groups of one number: whether there are any is counted as they would be made."""

from itertools import product

import pytest

from referee.advice.tables.groups import NO_GROUP_TERMS, _can_be, make_groups


@pytest.mark.parametrize("cap", [None, 1, 2], ids=["any jokers", "one joker", "two jokers"])
def test_tiles_and_jokers_are_groups_if_they_can_be_made_into_some(cap):
    seen = set()
    for counts in product(range(3), repeat=4):
        for free, fresh in product(range(4), range(2)):
            made = make_groups(counts, free, fresh, cap, NO_GROUP_TERMS)
            told = _can_be(counts, free, fresh, cap, NO_GROUP_TERMS)
            seen.add(told)

            assert told is (made is not None), (counts, free, fresh)
    assert seen == {True, False}
