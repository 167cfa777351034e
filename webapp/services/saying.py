"""Small words that several pages share: names in a row, numbers with a sign, what a step asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from referee.variant import Variant

MINUS: Final = "\N{MINUS SIGN}"


def title_of(variant: Variant, step: int | None) -> str:
    """Say what a step asks for, as a heading; where steps differ, that they do.

    Empty where the game asks for nothing.
    """
    contract = variant.contract_at(step)
    if contract:
        return contract.title
    return f"Everybody on a {variant.words.step} of their own" if variant.contracts else ""


def step_says(variant: Variant, step: int) -> str:
    """Say what a player's own step asks for: "1 run of 7"; "all done" past the last one."""
    if not variant.contracts:
        return ""
    contract = variant.contract_at(step)
    return contract.says if contract else "all done"


def join_names(names: tuple[str, ...]) -> str:
    """Name some people in a sentence: "Ana", "Ana and Ben", "Ana, Ben and Cleo"."""
    *most, last = names or ("nobody",)
    return f"{', '.join(most)} and {last}" if most else last


def signed(number: int, *, plus: bool = True) -> str:
    """Write points with a sign, a true minus: "+65", "−25"; a plus only where it is wanted.

    >>> signed(65), signed(-25), signed(140, plus=False)
    ('+65', '−25', '140')
    """
    if number < 0:
        return f"{MINUS}{-number}"
    return f"+{number}" if plus else str(number)
