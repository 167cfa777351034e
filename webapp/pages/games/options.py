"""Options on the new game form: those of a game of points alone, and any that an address names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee import Choice, Option, Span, Variant
from referee.saying import UnfitError
from webapp.language import language, say


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """One option on the form: the field is ``option-<name>``."""

    option: Option
    text: str
    """The value as form text."""
    problem: str
    """Why it can’t be read; or empty."""

    @property
    def changed(self) -> bool:
        """Whether it is not as the game has it."""
        return self.text != self.option.kind.show(self.option.default)

    @property
    def plain_values(self) -> tuple[tuple[str, str], ...]:
        """The values of a choice: the text of the field, and the label alone."""
        kind = self.option.kind
        assert isinstance(kind, Choice), "asked of a choice alone"
        return tuple((kind.show(value), label) for value, label in kind.values)

    @property
    def number(self) -> str:
        """What is typed for a number; empty for a value that has a name, as for no number."""
        kind = self.option.kind
        assert isinstance(kind, Span), "asked of a number alone"
        return "" if self.text in dict(kind.named) else self.text


def option_fields(variant: Variant, texts: Mapping[str, str]) -> Iterator[OptionField]:
    """The options of a game; `texts` has the form text by name, and what is missing is as usual."""
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
