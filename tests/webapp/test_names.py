"""Names on the pad: short forms never look alike, and nor do the letters on tokens."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from webapp.players.tokens import initials_of, short_forms

NAMES = st.lists(
    st.text("aänß '-. 7Öé", min_size=1, max_size=24).map(str.strip).filter(bool),
    min_size=2,
    max_size=10,
    unique_by=str.casefold,
)


@given(NAMES)
def test_no_two_players_at_a_table_have_a_form_in_common(names):
    written = [
        {form.casefold() for form in (name, *more)}
        for name, more in zip(names, short_forms(names), strict=True)
    ]
    assert not any(one & other for one, other in itertools.combinations(written, 2))


@given(NAMES)
def test_forms_get_shorter(names):
    for name, forms in zip(names, short_forms(names), strict=True):
        assert list(forms) == sorted(forms, key=len, reverse=True)
        assert all(len(form) <= len(name) + 1 for form in forms)


def test_tokens_that_share_a_letter_have_the_first_that_differs():
    assert initials_of(["Anna", "Annika", "Grandma", "ana"]) == ("A", "A", "G", "A")
    assert initials_of(["Anna", "Annika", "Maximiliane", "Grandma Edith"]) == (
        "Aa", "Ai", "M", "G",
    )  # fmt: skip


def test_a_family_of_grandmothers_gets_different_short_names():
    assert short_forms(["Grandma Edith", "Grandma Rosa", "Esperanza"]) == (
        ("G. Edith", "GE"), ("G. Rosa", "GR"), ("Espe", "E."),
    )  # fmt: skip
