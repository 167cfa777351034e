"""House rules on the new game form: each with what was written, and what is wrong with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee import Choice, Ladder, Option, Span, Variant
from webapp.services.wording import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """One house rule on the form: the field is ``option-<name>``."""

    option: Option
    text: str
    """The value as form text; for a switch "1" or empty."""
    problem: str
    presets: tuple[tuple[str, str, bool], ...] = ()
    """Lists to choose from: the value of the field ``preset``, a label, and whether it is this one.
    """
    checked: str = ""
    """Why a list can be played, in a sentence; empty while it cannot, and for what is no list."""

    @property
    def changed(self) -> bool:
        """Whether it is not as the source has it."""
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

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """The values of a choice: the text of the field, and a label that says which is usual."""
        kind, default = self.option.kind, self.option.default
        assert isinstance(kind, Choice), "asked of a choice alone"
        return tuple(
            (kind.show(value), f"{label} (as written)" if _same(value, default) else label)
            for value, label in kind.values
        )


def _same(value: object, other: object) -> bool:
    """Whether two values of an option are the same; true is not 1 here."""
    return value == other and type(value) is type(other)


def option_fields(variant: Variant, texts: Mapping[str, str], preset: str) -> Iterator[OptionField]:
    """The house rules of a game, with what was chosen of them so far.

    `texts` holds the form text by option name; what is missing has its default. `preset` names a
    list that takes the place of what was written ("phases:reconstructed"), or is empty.
    """
    chosen, _, preset = preset.partition(":")
    for option in variant.options:
        text = texts.get(option.name, option.kind.show(option.default))
        if option.name == chosen:
            text = next((t for name, _, t in _presets(option) if name == preset), text)
        problem = ""
        try:
            value = option.kind.parse(text)
        except ValueError as error:
            problem = str(error)
        presets = tuple(
            (f"{option.name}:{name}", label, not problem and text.split() == known.split())
            for name, label, known in _presets(option)
        )
        checked = _check_list(variant, option, value) if presets and not problem else ""
        yield OptionField(
            option=option, text=text[:4000], problem=problem, presets=presets, checked=checked
        )


def _presets(option: Option) -> Iterator[tuple[str, str, str]]:
    """The lists an option may be set to: name, label, and the text of the field."""
    if isinstance(option.kind, Ladder):
        for name, label, lines in option.kind.presets:
            yield name, label, "\n".join(lines)


def _check_list(variant: Variant, option: Option, value: object) -> str:
    """Say in a sentence why a list of contracts can be played."""
    contracts = variant.with_options({option.name: value}).contracts
    longest = max(contracts, key=lambda contract: contract.cards)
    steps = plural(len(contracts), variant.words.step)
    return (
        f"This list can be played: {steps}, and the longest, "
        f"{longest.says}, takes {longest.cards} of the {variant.most_dealt + 1} cards in hand."
    )
