"""How to read a meld on the table, whatever was laid off on it or taken out of it."""

from collections.abc import Iterator

from referee.cards import Cards
from referee.melds.grounds import judge, legal_readings
from referee.melds.reading import read_flushes, read_runs, read_sets
from referee.melds.rules import MeldRules
from referee.rulings import Code, Finding, MeldKind, Reading, found


def standing(cards: Cards, rules: MeldRules) -> tuple[Reading, ...]:
    """Read a meld that is on the table; limits on wilds are not asked of it any more."""
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
    """Say that what is on the table is no meld, and why."""
    verdict = judge(cards, rules)
    cites = "set" if MeldKind.SET in verdict.meant else "run"
    yield found(Code.NO_MELD_THERE, cites, cards, "" if cards else "nothing", these=cards)
    yield from verdict.findings
