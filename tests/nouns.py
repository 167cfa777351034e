"""Which nouns belong to a game, and which are those of another."""

import re
from collections.abc import Iterable

from referee.variant import Variant

OF_CARDS = "card suit rank hand wild natural pack deck ace jack queen king"
OF_TILES = "tile rack"
"""What nobody says at a table of tiles, and at one of cards."""


def out_of_place(variant: Variant, sentences: Iterable[str]) -> set[str]:
    """Give the sentences that speak of another kind of game; what they quote is the asker's."""
    words = OF_CARDS if variant.pack.kind == "tiles" else OF_TILES
    foreign = re.compile(rf"\b({words.replace(' ', '|')})s?\b", re.IGNORECASE)
    said = {re.sub("“[^”]*”", "“…”", sentence) for sentence in sentences}
    return {sentence for sentence in said if foreign.search(sentence)}
