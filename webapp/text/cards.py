"""Sentences of the referee for a page, with their cards drawn small."""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from markupsafe import Markup, escape

from referee import Card, Variant
from referee.saying import Said, Speaker, is_named, spoken_card

_AS_TEXT = "\N{VARIATION SELECTOR-15}"
_SUIT_SIGNS = str.maketrans({sign: sign + _AS_TEXT for sign in "♠♥♦♣"})
_PIP = Markup('<b class="pip" data-suit="{}" role="img" aria-label="{}">{}</b>')


def signs(text: str) -> str:
    """Return a text with a mark after each suit sign, so that phones don’t draw it as an emoji."""
    return text.translate(_SUIT_SIGNS)


class Drawn(Said):
    """A card in a sentence: "7♣" as text, and on a page a small card."""

    __slots__ = ("picture",)

    picture: Markup

    def __new__(cls, says: str, picture: Markup, forms: Mapping[str, str]) -> Self:
        """Make a card from its text, its picture for a page, and its other forms in sentences.

        A picture has no article, so the forms "the" and "a" are the picture alone.
        """
        drawn = super().__new__(cls, says, **forms, the=picture, a=picture)
        drawn.picture = picture
        return drawn

    def __html__(self) -> Markup:
        """The small card."""
        return self.picture


class Drawing(Speaker):
    """Builds the sentences of one game for a page: cards are drawn, text is escaped."""

    def __init__(self, variant: Variant) -> None:
        self.plain = variant.speaker
        super().__init__(self.plain.catalogue, self.plain.pack, {})
        self.nouns = self.plain.nouns

    def text(self, says: str) -> Markup:
        """Return a text escaped for a page."""
        return escape(says)

    def value(self, value: Any) -> object:  # noqa: ANN401 - as that of a speaker
        """Return a value as a sentence has it: cards, alone or in a list, are drawn."""
        if isinstance(value, Card | tuple | list):
            return super().value(value)
        return self.plain.value(value)

    def name(self, card: Card) -> Markup:
        """Return a card as a picture; a tile, a joker or a rank alone as a word."""
        if card.suit is None or not card.suit.letter or is_named(card):
            return escape(super().name(card))
        return _PIP.format(card.suit.letter, spoken_card(card, self.catalogue), signs(card.sign))

    def card(self, card: Card) -> Said:
        """Return a card as a sentence has it: text, and on a page a picture if it can be drawn."""
        said, shown = self.plain.card(card), self.name(card)
        if shown == escape(said):
            return said
        forms = {form: says for form, says in said.forms.items() if form not in {"the", "a"}}
        return Drawn(said, shown, forms)

    def joined(self, values: Iterable[Any], word: str) -> Markup:
        """Return values as a list in a sentence; `word` is the one before the last: "and", "or"."""
        *most, last = [escape(self.value(each)) for each in values] or [Markup()]
        if not most:
            return escape(last)
        return Markup(", ").join(most) + self.catalogue.before(last.striptags(), word) + last
