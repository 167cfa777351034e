"""Cards to tap: which are wild, and which are taken out of the pack."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from referee.describing import Description, Values
from webapp.services.rulebook.parts import Control, Tap, tap
from webapp.services.wording import capital
from webapp.speaking import language, say

_JOKER: Final = "JK"
_NATURAL: Final = frozenset({"set.without", "set.last", "run.without", "aside.cards"})
"""Fields that no joker is named in."""
_MOVING: Final = ("dealt", "turned", "turned-next")


def with_cards(asked: Control, spec: Mapping[str, Any], value: Sequence[str]) -> Control:
    """Keys for ranks and the joker; and suits for the rank that was tapped last, which is last."""
    path, game = asked.path, Description(spec)
    wild = path != "pack.remove"
    ranks = game.pack.ranks if wild else game.pack.kind.ranks
    found = {rank: _suits_in(game, value, rank) for rank in ranks}
    rest = {rank: _without(game, value, rank, ranks) for rank in ranks}
    keys = [
        Tap(tap(path, rest[rank] if on else [*rest[rank], rank]), rank, bool(on))
        for rank, on in found.items()
    ]
    if not wild:
        return replace(asked, keys=tuple(keys))
    others = [word for word in value if word != _JOKER]
    if path not in _NATURAL:
        on = _JOKER in value
        joker = capital(Values(language()).rank(_JOKER))
        keys.append(Tap(tap(path, others if on else [*value, _JOKER]), joker, on))
    last = [word.split()[-1] for word in others if word.split()][-1:]
    rank = last[0] if last and last[0] in ranks else ""
    suits = [] if game.get("pack.ignore-suits") or not rank else [*game.pack.kind.suits]
    narrowed = []
    for suit in suits:
        now = {other for other in suits if (other.letter in found[rank]) != (other == suit)}
        if now:
            words = [*rest[rank], *_of_suits(rank, now, suits)]
            is_on = suit.letter in found[rank]
            narrowed.append(Tap(tap(path, words), suit.sign or suit.word, is_on))
    chips = tuple(_moving(game, value)) if path == "wild.cards" else ()
    return replace(asked, keys=tuple(keys), suits=tuple(narrowed), rank=rank, chips=chips)


def _moving(game: Description, value: Sequence[str]) -> Iterator[Tap]:
    """Wilds that the deal decides."""
    for word in _MOVING:
        on = word in value
        if on or game.way == "hand" or word == "dealt":
            others = [each for each in value if each not in _MOVING]
            sets = tap("wild.cards", others if on else [*others, word])
            yield Tap(sets, say("changing.moving", word), on)


def _ranks_in(game: Description, word: str) -> frozenset[str]:
    """The ranks that a word for cards names."""
    named = game.pack.kind.ranks_of(word.rsplit(maxsplit=1)[-1]) if word.split() else ()
    return frozenset(named) or frozenset(card.rank for card in game.pack.select(word))


def _suits_in(game: Description, words: Sequence[str], rank: str) -> frozenset[str]:
    """The suits of a rank that words for cards name; all of them for a rank taken out."""
    found = {card.suit for word in words for card in game.pack.select(word) if card.rank == rank}
    if not found and any(rank in _ranks_in(game, word) for word in words):
        return frozenset(suit.letter for suit in game.pack.kind.suits)
    return frozenset(found)


def _without(game: Description, words: Sequence[str], rank: str, ranks: Sequence[str]) -> list[str]:
    """Words for cards without those of a rank: a word for several ranks becomes one for each."""
    kept: list[str] = []
    for word in words:
        there = _ranks_in(game, word)
        if rank not in there:
            kept.append(word)
        elif len(there) > 1:
            head = word.split()[:-1]
            kept += [" ".join([*head, one]) for one in ranks if one in there and one != rank]
    return kept


def _of_suits(rank: str, chosen: Collection[Any], suits: Sequence[Any]) -> list[str]:
    """Words for the cards of a rank in some suits: one word for all of them, or for a color."""
    if len(chosen) == len(suits):
        return [rank]
    for colour in dict.fromkeys(suit.colour for suit in chosen):
        if colour and {*chosen} == {suit for suit in suits if suit.colour == colour}:
            return [f"{colour} {rank}"]
    return [f"{suit.word} {rank}" for suit in suits if suit in chosen]


def with_rank(
    game: Description, rows: Mapping[str, object], word: str, rank: str
) -> dict[str, object]:
    """A table of cards after a rank was tapped in one of its rows: it extends to it, or loses it.

    No two rows share a rank, neither before nor after.
    """
    pack = game.pack.kind
    of = {each: other for other in rows for each in pack.ranks_of(other)}
    if of.get(rank) == word:
        of[rank] = ""
    else:
        ends = [pack.ranks.index(each) for each in (rank, *pack.ranks_of(word))]
        of |= dict.fromkeys(pack.ranks[min(ends) : max(ends) + 1], word)
    low, *others = pack.ranks
    # An ace that isn't written first is above the king.
    is_high = of.get(low) != of.get(others[0]) and low not in pack.ranks_of(next(iter(rows)))
    order = (*others, low) if is_high else pack.ranks
    table: dict[str, object] = {}
    for other, ranks in groupby(filter(of.__contains__, order), of.__getitem__):
        first, *rest = ranks
        table["-".join([first, *rest[-1:]])] = rows[other or word]
    return table | {each: value for each, value in rows.items() if not pack.ranks_of(each)}
