"""Tries the house rules of a description, one value at a time.

Every value needs a check of the game, so this is for tests and for saving a game, not for reading
it.
"""

from collections.abc import Iterator
from typing import Final

from referee.describing.canonical import canonical, rules_hash
from referee.describing.checking import check_rules
from referee.describing.complaints import Complaint, Refused, complaint
from referee.describing.options import values_of
from referee.describing.patch import patched
from referee.describing.schema import Spec
from referee.describing.sentences import sentences_of
from referee.options import CHANGE
from referee.saying import wrong

_MOST_TRIED: Final = 100
"""The most games to check while somebody waits."""


def try_house_rules(spec: Spec) -> None:
    """Raise Refused if a value of a house rule makes no game, or changes no sentence.

    Also raise it if there are more than 100 values to try.

    >>> from referee import variants
    >>> from referee.describing import try_house_rules
    >>> try_house_rules(variants.description_of("gin-rummy"))
    """
    values = sum(len(values_of(spec, option)) for option in spec.get("options", {}).values())
    if values > _MOST_TRIED:
        raise Refused([complaint("options", "values-untried", values=values, most=_MOST_TRIED)])
    complaints = [*check_option_values(spec)]
    if complaints:
        raise Refused(complaints)


def check_option_values(spec: Spec) -> Iterator[Complaint]:
    """Yield a complaint for each edition or value that makes no game, or changes no sentence.

    Each value of a house rule is tried on its own. One that changes the rules has to change a
    sentence of the rulebook also. Raise Refused if the description itself isn’t a game.
    """
    as_it_is, told = rules_hash(spec), sentences_of(check_rules(spec))
    for name, patch in spec.get("editions", {}).items():
        try:
            check_rules(patched(spec, {f"{CHANGE}{path}": value for path, value in patch.items()}))
        except Refused as error:
            yield Complaint(f"editions.{name}", error.complaints[0].told)
    for name, option in spec.get("options", {}).items():
        for value in values_of(spec, option):
            shown = wrong("as-unlimited") if value is None else canonical(value)[:60]
            named = isinstance(value, str) and value in option.get("choices", {})
            where = f"options.{name}.choices.{value}" if named else f"options.{name}"
            try:
                game = check_rules(patched(spec, {name: value}))
            except Refused as error:
                yield complaint(where, "with-value", value=shown, why=error.complaints[0])
                continue
            if rules_hash(game.spec) != as_it_is and sentences_of(game) == told:
                yield complaint(where, "untold", value=shown)
