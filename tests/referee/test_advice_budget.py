"""The budget that bounds advice: a share is taken out, and what it leaves comes back."""

from __future__ import annotations

from referee.advice.budget import Budget


def test_a_share_is_taken_out_and_what_it_leaves_comes_back():
    whole = Budget(100)

    share = whole.share(1 / 4)
    assert (whole.left, share.left) == (75, 25)

    share.left -= 20
    whole.give_back(share)
    assert whole.left == 80


def test_what_a_share_spends_beyond_itself_is_taken_off():
    whole = Budget(100)
    share = whole.share(1 / 2)

    share.left -= 60
    whole.give_back(share)

    assert share.spent
    assert whole.left == 40
    assert not whole.spent


def test_a_budget_is_spent_at_zero():
    assert Budget(0).spent
    assert not Budget(1).spent
