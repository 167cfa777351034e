"""A hand shown at the end of a round: what its cards come to is the multiplier that is lit."""

import pytest

from tests.webapp.table import Table
from tests.webapp.test_counting import CLOSED
from webapp.pages.counting.view import fill_count

COLOUR = "2H 2H 5H 6H 8H 9H JH QH KH JK"
"""A Color with a joker: three times."""


@pytest.mark.parametrize(
    ("announce", "shown", "close", "lit"),
    [
        ("detect", COLOUR, "", "colour"),
        ("detect", COLOUR, "closed", "colour"),
        ("detect", CLOSED, "", "closed-no-joker"),
        ("detect", "4S 4H", "closed", "closed"),
        ("strict", COLOUR, "", ""),
        ("strict", COLOUR, "closed", "closed"),
    ],
)
def test_the_cards_shown_choose_the_multiplier_if_they_count_as_what_they_are(
    database, announce, shown, close, lit
):
    table = Table(database, variant="remigio", options={"announce": announce})
    typed = table.typed(1, ana="out", ben="10", cleo="7", shown=shown, close=close)

    assert database.read(fill_count, table.pub, 1, typed).close == lit
