"""Options on the new game form: for a game of points alone, and any that an address names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee import Choice, Option, Span, Variant
from referee.saying import UnfitError
from webapp.language import language, say


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """An option on the form, whose field is `option-<name>`."""

    option: Option
    text: str
    """The value as the form has it."""
    problem: str
    """Why it can’t be read; or empty."""

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


def option_fields(variant: Variant, texts: Mapping[str, str]) -> Iterator[OptionField]:
    """Yield the options of a game.

    `texts` has the typed values by name, others have their default.
    """
    for option in variant.options:
        text = texts.get(option.name, option.kind.show(option.default))
        problem = ""
        try:
            option.kind.parse(text)
        except UnfitError as error:
            span = option.kind if isinstance(option.kind, Span) else None
            wrong = span and say("changing.from-to", low=span.low, high=span.high)
            problem = wrong or error.shown(language())
        yield OptionField(option=option, text=text[:4000], problem=problem)
