"""A list of rounds as it is written: its lines, and the melds of a contract."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

_CONTRACT: Final = "contract"
LENGTH: Final = "length"
"""The way to how many rounds a list has."""
NUMBERS: Final[Mapping[str | int, tuple[int, int]]] = {
    LENGTH: (1, 30),
    _CONTRACT: (2, 30),
    "deal": (1, 30),
    "opening": (0, 1000),
}
"""How low and high the numbers of a list of rounds go: the cards of a meld by “contract”."""
Needs = list[tuple[str, int]]
"""The melds of a contract, each a kind and how many cards it has at least."""


def table_of(line: object) -> dict[str, Any]:
    """A line of the rounds as a table, also if it is only a contract or a deal."""
    if isinstance(line, dict):
        return {**line}
    return {"deal" if isinstance(line, int) else _CONTRACT: line}


def line_of(table: Mapping[str, Any]) -> object:
    """A line of the rounds as it is written, as briefly as it can be."""
    said = {key: each for key, each in table.items() if each is not None}
    plain = [*said] in ([_CONTRACT], ["deal"])
    return next(iter(said.values())) if plain else said


def another(lines: Sequence[object]) -> object:
    """One more round like the last, which often is the only one without a discard."""
    return line_of({**table_of(lines[-1]), "discard": None})


def with_number(
    lines: Sequence[object], keys: Sequence[str | int], number: int
) -> list[object] | None:
    """A list of rounds with another number at the end of a way into it; None if nothing is there.

    The ways are `LENGTH`; a round, counted from 0, and what it has; and a round, “contract” and the
    place of a meld, counted from 0.
    """
    match keys:
        case (str(name),) if name == LENGTH:
            return [*lines[:number], *[another(lines)] * (number - len(lines))]
        case (int(at), str(name), *places) if at in range(len(lines)):
            table = table_of(lines[at])
            if name == _CONTRACT:
                needs = needs_of(str(table.get(name, "")))
                if not places or places[0] not in range(len(needs)):
                    return None
                place = int(places[0])
                needs[place] = (needs[place][0], number)
                table[name] = contract_of(needs)
            else:
                table[name] = number
            return [*lines[:at], line_of(table), *lines[at + 1 :]]
    return None


def needs_of(contract: str) -> Needs:
    """The melds of a contract: "2 sets of 3 + 1 run of 4"; none if it can’t be read.

    A set of a certain rank is of the kind "set| aces".
    """
    found: Needs = []
    for part in filter(None, map(str.strip, contract.split("+"))):
        count, _, rest = part.partition(" ")
        kind, _, size = rest.rpartition(" of ")
        size, _, rank = size.partition(" ")
        if not (count.isdigit() and size.isdigit()):
            return []
        kind = kind.removesuffix("es") if kind.endswith("hes") else kind.removesuffix("s")
        found += [(f"{kind}| {rank}" if rank else kind, int(size))] * int(count)
    return found


def contract_of(needs: Needs) -> str:
    """Melds written as a contract."""
    return " + ".join(
        f"{count} {kind}{('es' if kind.endswith('h') else 's') * (count > 1)} of {size}{rank}"
        for whole, size in dict.fromkeys(needs)
        for count in [needs.count((whole, size))]
        for kind, _, rank in [whole.partition("|")]
    )
