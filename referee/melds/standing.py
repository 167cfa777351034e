"""Read melds on the table, including those changed by lay-offs and swaps."""

from collections.abc import Iterator

from referee.cards import Cards
from referee.melds.grounds import judge, legal_readings
from referee.melds.reading import read_flushes, read_runs, read_sets
from referee.melds.rules import MeldRules
from referee.rulings import Code, Finding, MeldKind, Reading, found


def standing(cards: Cards, rules: MeldRules) -> tuple[Reading, ...]:
    """Return the ways to read a meld that is on the table.

    If it has legal readings, only these are returned. Otherwise limits, such as on the number of
    wilds, are ignored except for the smallest size, because lay-offs and swaps can break them. The
    result is empty if the cards still aren’t a meld.

    >>> from referee import parse_cards, standing, variants
    >>> rules = variants.get("mexican-rummy").melds_at(2)
    >>> [run] = standing(parse_cards("4D 5D 2S 7D"), rules)
    >>> run.stands
    (4D, 5D, 6D, 7D)
    """
    legal = legal_readings(cards, rules)
    if legal:
        return legal
    found = [] if len(cards) < rules.sets.min_size else list(read_sets(cards, rules))
    if rules.runs.exists and len(cards) >= rules.runs.min_size:
        found += read_runs(cards, rules)
    if rules.flush is not None and len(cards) >= rules.flush:
        found += read_flushes(cards, rules)
    if not found and rules.wilds.moves_freely:
        return legal_readings(cards, rules, as_laid=False)
    return tuple(found)


def no_meld_there(cards: Cards, rules: MeldRules) -> Iterator[Finding]:
    """Yield the findings that cards on the table aren’t a meld, and why."""
    verdict = judge(cards, rules)
    named = {MeldKind.SET: "set", MeldKind.PAIR: "opening-pairs"}
    cites = next((named[kind] for kind in verdict.meant if kind in named), "run")
    yield found(Code.NO_MELD_THERE, cites, cards, "" if cards else "nothing", these=cards)
    yield from verdict.findings
