"""Progress: how far each meld of a question is, and what to say until it’s finished."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee import Card, Cards, MeldRules, Need, Variant, find_missing, takes
from webapp.language import say, write
from webapp.pages.desk.card_fields import CardRow
from webapp.text.cards import Drawing
from webapp.text.formatting import capital, uncapital


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """The progress of one meld."""

    name: str
    """The name of the meld’s row, which is its form field."""
    text: str
    label: str
    """The meld’s name: "Run 2", or "Set" once that is clear; else the label of its row."""
    need: str
    """The meld that its cards should become: "run of 4"."""
    kinds: str
    """The kind that its cards are or can become, in the plural: "runs"; empty while it isn’t
    known."""
    cards: int
    missing: int | None
    """How many more cards it needs; None if no card can make it a meld."""
    gap: Card | None
    """The card that is missing in the middle of it, if no other card is; else None."""
    before: int
    """How many of its cards come before `gap`; −1 if there is no gap or it isn’t clear."""
    says: str
    """Its state in brief: "2 to go", "12 is missing", "✓ done", "✗ 2♥"."""
    mark: str
    """The verdict: "yes", "no", or empty while it can still be finished."""
    size: int
    """The number of cards that the meld needs: as the contract says, or the fewest of any meld."""
    bad: int
    """The position of the card that spoils it, from 0; −1 if none does."""
    takes: str
    """The cards that can be added, once it’s finished."""

    @property
    def gaps(self) -> int:
        """How many placeholders to draw for missing cards."""
        return min(self.missing or 0, 4)


def progress_of(
    variant: Variant, step: int | None, slots: Sequence[CardRow]
) -> tuple[RowState, ...]:
    """Return how far each meld of a question is, for the rows with `making`.

    If there is a contract, each row stands for one of the melds in it: if possible, for one that
    the cards in the row can become. Rows with cards choose first.
    """
    rules, melds = variant.melds_at(step), [slot for slot in slots if slot.making]
    wanted: list[tuple[str, Need]] = []
    contract = variant.contract_at(step)
    for need in contract.needs if contract and any(slot.needed for slot in melds) else ():
        same = [each for each in contract.needs if each.kind is need.kind] if contract else []
        nth = sum(other.kind is need.kind for _, other in wanted) + 1
        name = need.named(1, variant.speaker)
        wanted.append((f"{name} {nth}" if same[1:] else name, need))
    needs: dict[str, tuple[str, Need]] = {}
    for filled in (True, False):
        for slot in melds:
            if bool(slot.cards) is filled and wanted and slot.needed:
                fits = (
                    each for each in wanted if find_missing(slot.cards, rules, each[1]) is not None
                )
                needs[slot.name] = next(fits, wanted[0]) if filled else wanted[0]
                wanted.remove(needs[slot.name])
    return tuple(_state(slot, needs.get(slot.name), variant, rules) for slot in melds)


def _state(
    slot: CardRow, need: tuple[str, Need] | None, variant: Variant, rules: MeldRules
) -> RowState:
    name, asked = need or ("", None)
    cards, speaker = slot.cards, variant.speaker
    found = find_missing(cards, rules, asked) if cards else None
    missing = len(found.cards) if found else None if cards else asked.size if asked else 0
    clear = found and (not found.cards or len(cards) > 1)
    kind = speaker.nouns[found.kind.value] if found else None
    free = capital(kind) if kind and clear else slot.label
    size = asked.size if asked else min(rules.sets.min_size, rules.runs.min_size)
    bad = -1 if found or not cards else _spoiler(cards, rules, asked)
    is_gap = found and found.gap and missing == 1
    gap = found.cards[0] if found and is_gap else None
    below = gap.rank - 1 if gap else None
    if missing is None:
        says, mark = f"✗ {speaker.card(cards[bad])}", "no"
    elif cards and not missing:
        done = say("desk.done") if asked else say("desk.cards", n=len(cards), variant=variant)
        says, mark = f"✓ {done}", "yes"
    elif gap:
        says, mark = say("desk.gap", card=speaker.card(gap)), ""
    else:
        says, mark = say("desk.to-go", n=missing) if missing else "", ""
    return RowState(
        name=slot.name,
        text=slot.text,
        label=capital(name) if need else free,
        need=asked.said(speaker) if asked else uncapital(free),
        kinds=kind.many if kind else "",
        cards=len(cards),
        missing=missing,
        gap=gap,
        before=next((at for at, card in enumerate(cards, 1) if card.rank == below), -1),
        says=says,
        mark=mark,
        size=size,
        bad=bad,
        takes=" ".join(map(str, takes(cards, rules))) if mark == "yes" else "",
    )


def _spoiler(cards: Cards, rules: MeldRules, need: Need | None) -> int:
    """Return the position of the first card that no further card can make up for."""
    sizes = range(1, len(cards) + 1)
    return next((size - 1 for size in sizes if not find_missing(cards[:size], rules, need)), -1)


def is_waiting(states: Sequence[RowState]) -> bool:
    """Return whether some meld is unfinished but can be finished, and none is spoiled."""
    short = any(state.missing for state in states)
    return short and all(state.missing is not None for state in states)


def describe(states: Sequence[RowState], variant: Variant) -> tuple[str, str]:
    """Return the progress of an unfinished play, as a title and a sentence."""
    done = [state for state in states if state.mark == "yes"]
    now = next((state for state in states if state.missing), None)
    begun = any(state.cards for state in states)
    tap = say("desk.tap", variant=variant)
    if now is None:
        return tap, ""
    title = say("desk.so-far") if begun else capital(now.need)
    if done:
        kinds = {state.kinds for state in done}
        melds = kinds.pop() if len(kinds) == 1 else variant.speaker.nouns["meld"].many
        done_says = say("desk.melds-done", n=len(done), meld=uncapital(done[0].label), melds=melds)
        title = capital(done_says)
    if not now.cards:
        return title, say("desk.next", need=uncapital(now.label)) if done else tap
    alike = [state for state in states if state.label == now.label]
    nth = alike.index(now) + 1
    label = f"{now.label} {nth}" if nth > 1 else now.label
    return title, next(describe_missing([replace(now, label=label)], variant))


def describe_missing(states: Sequence[RowState], variant: Variant) -> Iterator[str]:
    """Yield what is still missing in a play that was asked about before it was finished."""
    for state in states:
        if state.gap:
            card = Drawing(variant).card(state.gap)
            yield write("desk.needs-card", meld=state.label, card=card)
        elif state.missing:
            yield say("desk.needs", meld=state.label, n=state.missing, variant=variant)
