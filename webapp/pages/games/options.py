"""Options on the new game form: for a game of points alone, and any that an address names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from referee import Choice, Option, Span, Variant
from referee.saying import UnfitError
from webapp.language import language, say

STOP: Final = "stop"
"""The value of the field for the end of a game of points alone that goes on until you stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """An option on the form, whose field is `option-<name>`."""

    option: Option
    text: str
    """The value as the form has it."""
    problem: str
    """Why it can’t be read; or empty."""
    is_end: bool = False
    """Whether it’s one of the ways to end the game, of which the form chooses one."""

    @property
    def changed(self) -> bool:
        """Whether it differs from the game’s own value."""
        return self.text != self.option.kind.show(self.option.default)

    @property
    def plain_values(self) -> tuple[tuple[str, str], ...]:
        """The values of a choice, each with its text in the field and its short label."""
        kind = self.option.kind
        assert isinstance(kind, Choice), "asked of a choice alone"
        return tuple((kind.show(value), label) for value, label in kind.values)

    @property
    def number(self) -> str:
        """The number as typed; empty for a value with a name, such as no limit."""
        kind = self.option.kind
        assert isinstance(kind, Span), "asked of a number alone"
        return "" if self.text in dict(kind.named) else self.text


def option_fields(
    variant: Variant, texts: Mapping[str, str], ends: str = ""
) -> Iterator[OptionField]:
    """Yield the options of a game.

    `texts` has the typed values by name; an option that isn’t in it has its default. In a game of
    points alone, `ends` is the name of the option that ends the game, STOP for none of them, or
    empty if the form didn’t ask: an end that wasn’t chosen has its default, whatever was typed.
    """
    for option in variant.options:
        span = option.kind if isinstance(option.kind, Span) else None
        is_end = variant.points_only and span is not None
        usual = option.kind.show(option.default)
        text = texts.get(option.name, usual)
        if is_end and ends and ends != option.name:
            text = usual
        problem = ""
        span_says = say("changing.from-to", low=span.low, high=span.high) if span else ""
        try:
            value = option.kind.parse(text)
            # An end that was chosen needs its number.
            if is_end and ends == option.name and not isinstance(value, int):
                problem = span_says
        except UnfitError as error:
            problem = span_says or error.shown(language())
        yield OptionField(option=option, text=text[:4000], problem=problem, is_end=is_end)
