"""The kinds of values an option (a house rule) can have: a choice, a number, a table, a list.

Each kind reads values from programs and from forms, and writes them for forms.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, Protocol

from referee.melds.contracts import Contract
from referee.saying import UnfitError, wrong


class OptionKind(Protocol):
    """The values an option can have.

    Values are JSON values. `check` takes one from a program and `parse` reads one from a form; both
    return it, and raise UnfitError if the option can’t have that value. `show` returns a value as
    the text that a form has.
    """

    def check(self, value: object) -> object: ...  # noqa: D102 - told above

    def parse(self, text: str) -> object: ...  # noqa: D102 - told above

    def show(self, value: object) -> str: ...  # noqa: D102 - told above


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with a few values, each with its label; a switch is a choice of no and yes.

    `check` takes a value from a program, and `parse` reads one from a form. Both return the value,
    and raise UnfitError if it isn’t one of these.

    >>> from referee import Choice
    >>> switch = Choice(((False, "No"), (True, "Yes")))
    >>> switch.check(True), switch.parse("true"), switch.show(True)
    (True, True, 'true')
    >>> switch.check(1)
    Traceback (most recent call last):
        ...
    referee.saying.UnfitError: It can be one of false, true.
    """

    values: tuple[tuple[object, str], ...]

    def check(self, value: object) -> object:
        """Return the value if it’s one of these, or raise UnfitError; true isn’t 1 here."""
        for known, _ in self.values:
            if known == value and type(known) is type(value):
                return known
        labels = ", ".join(self.show(known) for known, _ in self.values)
        raise UnfitError(wrong("can-be-one-of", labels=labels))

    def parse(self, text: str) -> object:
        """Return the value that `show` writes as this text; raise UnfitError if there isn’t one."""
        for known, _ in self.values:
            if self.show(known) == text.strip():
                return known
        return self.check(text)

    def show(self, value: object) -> str:
        """Return the value as JSON would write it, without quotes: "true", "null", "4"."""
        words = {True: "true", False: "false", None: "null"}
        return words[value] if isinstance(value, bool) or value is None else str(value)


CHANGE: Final = "/"
"""The prefix of a choice that sets a path of the description, and isn’t the name of an option."""


@dataclass(frozen=True, slots=True)
class Span:
    """An option that is a whole number from `low` to `high`, or one of a few words.

    `check` takes a value from a program, and `parse` reads one from a form. Both return the value,
    and raise UnfitError if it’s out of the range and not one of the words.

    >>> from referee import Span
    >>> target = Span(50, 500)
    >>> target.check(100), target.parse("250")
    (100, 250)
    >>> target.parse("20")
    Traceback (most recent call last):
        ...
    referee.saying.UnfitError: It can be a number from 50 to 500.
    """

    low: int
    high: int
    named: tuple[tuple[str, str], ...] = ()
    """The words that can be chosen instead of a number, each with its label."""

    def check(self, value: object) -> object:
        """Return the value if it’s in the range or one of the words; else raise UnfitError."""
        if isinstance(value, str) and value in dict(self.named):
            return value
        if type(value) is int and self.low <= value <= self.high:
            return value
        words = ", ".join(name for name, _ in self.named)
        how = "words" if words else ""
        raise UnfitError(wrong("can-be-number", how, low=self.low, high=self.high, words=words))

    def parse(self, text: str) -> object:
        """Read a number or a word, as `check` allows; blank means the first word, if any."""
        word = text.strip() or next(iter(dict(self.named)), "")
        digits = word.isascii() and word.isdigit() and len(word) <= len(str(self.high))
        return self.check(int(word) if digits else word)

    def show(self, value: object) -> str:
        """Return the number in digits, or the word."""
        return str(value)


class NumberTable(NamedTuple):
    """An option that is a number for each of a few rows, such as points for each bonus."""

    rows: tuple[tuple[str, str, int], ...]
    """Each row as its name, its label and its default number."""
    high: int
    """The highest number; the lowest is 0."""

    def check(self, value: object) -> object:
        """Return numbers by row name, rows that are left out at their defaults.

        Raise UnfitError if there are no rows, if a row doesn’t exist, or if a number is out of
        range.
        """
        unfit = UnfitError(wrong("can-be-table", high=self.high))
        if not isinstance(value, dict) or not value:
            raise unfit
        table = {name: default for name, _, default in self.rows}
        for name, number_ in value.items():
            if name not in table:
                raise UnfitError(wrong("no-row", name=str(name)[:40]))
            if type(number_) is not int or not 0 <= number_ <= self.high:
                raise unfit
        return table | value

    def parse(self, text: str) -> object:
        """Read one row per line (the name, a colon, the number) as `check` does."""
        table: dict[str, object] = {}
        for line in filter(str.strip, text.splitlines()):
            name, _, written = line.partition(":")
            word = written.strip()
            digits = word.isascii() and word.isdigit() and len(word) <= len(str(self.high))
            table[name.strip()] = int(word) if digits else word
        return self.check(table)

    def show(self, value: object) -> str:
        """Write one row per line: the name, a colon, the number."""
        assert isinstance(value, dict), "what `check` gave"
        return "\n".join(f"{name}: {number_}" for name, number_ in value.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """An option that is a list of contracts: a named list, or one that the players wrote.

    `presets` has the named lists as (name, label, contracts as text).
    """

    presets: tuple[tuple[str, str, tuple[str, ...]], ...]
    most_cards: int
    """The most cards a player can have when laying down; no contract can ask for more."""
    named: frozenset[str]
    """The presets whose value is their name; the value of other presets is their contracts."""
    most_steps: ClassVar[int] = 30

    def check(self, value: object) -> object:
        """Return the value for the name of a preset, or for a list of contracts in words.

        Raise UnfitError if there is no preset of that name, if the list is empty or has more than
        `most_steps` lines, or if a line isn’t a contract or needs more than `most_cards`.
        """
        if isinstance(value, str):
            if value in self.named:
                return value
            if value in {name for name, _, _ in self.presets}:
                return self.texts(value)
            raise UnfitError(wrong("no-such-list", name=value[:40]))
        if not isinstance(value, (list, tuple)) or not 0 < len(value) <= self.most_steps:
            raise UnfitError(wrong("can-be-contracts", most=self.most_steps))
        return tuple(self._contract(text).says for text in value)

    def parse(self, text: str) -> object:
        """Read the name of a list, or one contract per line, as `check` does."""
        lines = tuple(line.strip() for line in text.splitlines() if line.strip())
        if len(lines) == 1 and lines[0] in self.named:
            return lines[0]
        for name, _, contracts in self.presets:
            if lines == contracts and name in self.named:
                return name
        return self.check(lines)

    def show(self, value: object) -> str:
        """Write one contract per line."""
        return "\n".join(self.texts(value))

    def texts(self, value: object) -> tuple[str, ...]:
        """Return the contracts of a value that `check` returned, as text."""
        if isinstance(value, tuple):
            return value
        return next(contracts for name, _, contracts in self.presets if name == value)

    def _contract(self, text: object) -> Contract:
        if not isinstance(text, str):
            raise UnfitError(wrong("contract-in-words"))
        contract = Contract.parse(text)
        if contract.cards > self.most_cards:
            raise UnfitError(wrong("more-than-held", contract=contract.says))
        return contract
