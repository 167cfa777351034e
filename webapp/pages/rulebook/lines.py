"""A list of rounds as it’s written: its lines, and the melds of a contract."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from referee.describing import Description

_CONTRACT: Final = "contract"
_MOST: Final = 30
"""The most melds of a contract, and cards of a meld: more can’t be dealt."""
Needs = list[tuple[str, int]]
"""The melds of a contract, each as its kind and its least number of cards."""


def table_of(line: object) -> dict[str, Any]:
    """Return a line of the rounds as a table, even if it’s only a contract or a deal."""
    if isinstance(line, dict):
        return {**line}
    return {"deal" if isinstance(line, int) else _CONTRACT: line}


def line_of(table: Mapping[str, Any]) -> object:
    """Return a round, given as a table, in the shortest form that a description can have.

    That is the contract or the deal alone, if nothing else in the table is set.
    """
    said = {key: each for key, each in table.items() if each is not None}
    plain = [*said] in ([_CONTRACT], ["deal"])
    return next(iter(said.values())) if plain else said


def another(lines: Sequence[object]) -> object:
    """Return one more round like the last, with a discard: often only the last one has none."""
    return line_of({**table_of(lines[-1]), "discard": None})


def needs_of(contract: str) -> Needs:
    """Return the melds of a contract: "2 sets of 3 + 1 run of 4"; none if it can’t be read.

    A set of a certain rank has the kind "set| aces".
    """
    with suppress(ValueError):  # A text that isn’t a contract has no melds.
        contract = Description({}).contract_of({"contract": contract}).says
    found: Needs = []
    for part in filter(None, map(str.strip, contract.split("+"))):
        count, _, rest = part.partition(" ")
        kind, _, size = rest.rpartition(" of ")
        size, _, rank = size.partition(" ")
        if not all(n.isascii() and n.isdigit() and len(n) < 3 for n in (count, size)):  # noqa: PLR2004 - digits
            return []
        kind = kind.removesuffix("es") if kind.endswith("hes") else kind.removesuffix("s")
        found += [(f"{kind}| {rank}" if rank else kind, min(int(size), _MOST))] * int(count)
    return found[:_MOST]


def contract_of(needs: Needs) -> str:
    """Return melds as the text of a contract."""
    return " + ".join(
        f"{count} {kind}{('es' if kind.endswith('h') else 's') * (count > 1)} of {size}{rank}"
        for whole, size in dict.fromkeys(needs)
        for count in [needs.count((whole, size))]
        for kind, _, rank in [whole.partition("|")]
    )
