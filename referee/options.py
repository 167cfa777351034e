"""What an option (a house rule) may be set to: one of a few values, a number, a table, a list.

Each kind reads values from programs and from forms, and shows them to both.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, Protocol

from referee.melds.contracts import Contract
from referee.saying import UnfitError, wrong


class OptionKind(Protocol):
    """What an option may be set to.

    Values are what JSON can hold. `check` takes one from a program, `parse` one from a form;
    both raise UnfitError. `show` gives the form's text of a value.
    """

    def check(self, value: object) -> object: ...  # noqa: D102 - told above

    def parse(self, text: str) -> object: ...  # noqa: D102 - told above

    def show(self, value: object) -> str: ...  # noqa: D102 - told above


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with a few values, each with its label; a switch is a choice of no and yes.

    `check` takes a value from a program and `parse` one from a form. Both return the value; they
    raise UnfitError if it isn’t one of them.

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
        """Take one of the values as it is; true is not 1 here."""
        for known, _ in self.values:
            if known == value and type(known) is type(value):
                return known
        labels = ", ".join(self.show(known) for known, _ in self.values)
        raise UnfitError(wrong("can-be-one-of", labels=labels))

    def parse(self, text: str) -> object:
        """Find the value that is shown so."""
        for known, _ in self.values:
            if self.show(known) == text.strip():
                return known
        return self.check(text)

    def show(self, value: object) -> str:
        """Write the value as JSON would: "true", "null", "4"."""
        words = {True: "true", False: "false", None: "null"}
        return words[value] if isinstance(value, bool) or value is None else str(value)


CHANGE: Final = "/"
"""What the name of a choice begins with that is no option, but a path in the description."""


@dataclass(frozen=True, slots=True)
class Span:
    """An option that is a whole number from `low` to `high`, or one of a few named values.

    `check` takes a value from a program and `parse` one from a form. Both return the value; they
    raise UnfitError if it’s out of the range and not one of the words.

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
    """Values that are words, each with its label."""

    def check(self, value: object) -> object:
        """Take a number of the range, or a word that is known."""
        if isinstance(value, str) and value in dict(self.named):
            return value
        if type(value) is int and self.low <= value <= self.high:
            return value
        words = ", ".join(name for name, _ in self.named)
        how = "words" if words else ""
        raise UnfitError(wrong("can-be-number", how, low=self.low, high=self.high, words=words))

    def parse(self, text: str) -> object:
        """Read a number or a word; blank is the first word there is."""
        word = text.strip() or next(iter(dict(self.named)), "")
        digits = word.isascii() and word.isdigit() and len(word) <= len(str(self.high))
        return self.check(int(word) if digits else word)

    def show(self, value: object) -> str:
        """Write the number in digits, the word as it is."""
        return str(value)


class NumberTable(NamedTuple):
    """A number for each of a few rows; what is left out has its default."""

    rows: tuple[tuple[str, str, int], ...]
    """The name of each row, its label, and its default."""
    high: int

    def check(self, value: object) -> object:
        """Take numbers by the names of the rows."""
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
        """Read rows, one a line: the name, a colon, the number."""
        table: dict[str, object] = {}
        for line in filter(str.strip, text.splitlines()):
            name, _, written = line.partition(":")
            word = written.strip()
            digits = word.isascii() and word.isdigit() and len(word) <= len(str(self.high))
            table[name.strip()] = int(word) if digits else word
        return self.check(table)

    def show(self, value: object) -> str:
        """Write the rows one a line."""
        assert isinstance(value, dict), "what `check` gave"
        return "\n".join(f"{name}: {number_}" for name, number_ in value.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A list of contracts, either a named one or one of the table's own.

    `presets` gives named lists as (name, label, contracts as text).
    """

    presets: tuple[tuple[str, str, tuple[str, ...]], ...]
    most_cards: int
    """The most cards a hand can hold when it is laid down: a contract of more cannot be met."""
    named: frozenset[str]
    """The presets that are kept by their name, and the others as their contracts."""
    most_steps: ClassVar[int] = 30

    def check(self, value: object) -> object:
        """Take the name of a preset, or a list of contracts in words."""
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
        """Take a name, or contracts one a line."""
        lines = tuple(line.strip() for line in text.splitlines() if line.strip())
        if len(lines) == 1 and lines[0] in self.named:
            return lines[0]
        for name, _, contracts in self.presets:
            if lines == contracts and name in self.named:
                return name
        return self.check(lines)

    def show(self, value: object) -> str:
        """Write the contracts one a line."""
        return "\n".join(self.texts(value))

    def texts(self, value: object) -> tuple[str, ...]:
        """The contracts of a value that `check` gave, in words."""
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
