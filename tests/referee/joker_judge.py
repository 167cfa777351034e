"""The rule of jokers on a table, judged by trying everything: obviously right, and slow.

Sets are tuples of tiles. Every way to read the sets that changed is tried, every way in which the
jokers of the old table may be among those of the new one, every order in which they left, and every
tile that may have replaced each. What a set is, and what a joker stands for in one, is taken from
the referee, which is asked about that elsewhere.
"""

from collections import Counter
from itertools import combinations, permutations, product

from referee.cards import JOKER, Card
from referee.melds.grounds import legal_readings
from referee.rulings import MeldKind


class Judge:
    """One turn between two tables, all sets of which are legal.

    `one_each` and `moved_only` are what a judge must not forget: that one tile replaces one joker,
    and that a set left alone gives none.
    """

    def __init__(self, before, after, variant, *, one_each=True, moved_only=True):
        self.rules = variant.melds_at(None)
        self.rule = variant.rearrangement.jokers
        self.one_each = one_each
        self.before, self.after = self._changed(before, after)
        self.played = _tiles(self.after) - _tiles(self.before)
        self.left_alone = () if moved_only else (_tiles(before) - _tiles(self.before)).elements()

    def may_move(self):
        """Whether the jokers keep the rule of the table."""
        return any(
            self._keeps(old, new, dict(who))
            for old in product(*map(self._ways, self.before))
            for new in product(*map(self._ways, self.after))
            for who in self._pairs()
        )

    def _ways(self, cards):
        """Every way to read a set: what each of its tiles stands for."""
        found = set()
        jokers = [at for at, card in enumerate(cards) if card is JOKER]
        for reading in legal_readings(cards, self.rules):
            if reading.kind is MeldKind.RUN or not jokers:
                found.add(reading.stands)
                continue
            there = {card.suit for card in cards}
            missing = [suit for suit in self.rules.pack.suits if suit not in there]
            for suits in permutations(missing, len(jokers)):
                stands = list(cards)
                for at, suit in zip(jokers, suits, strict=True):
                    stands[at] = Card(reading.rank, suit)
                found.add(tuple(stands))
        return sorted(found, key=str)

    def _changed(self, before, after):
        """Leave out the sets that lie as before, each joker standing for the same tile."""
        before, after = list(before), list(after)
        for alike in (tuple.__eq__, self._alike):
            for old in list(before):
                new = next((new for new in after if alike(old, new)), None)
                if new is not None:
                    before.remove(old)
                    after.remove(new)
        return before, after

    def _alike(self, old, new):
        if Counter(old) != Counter(new):
            return False
        first = [Counter(stands) for stands in self._ways(old)]
        return any(Counter(stands) in first for stands in self._ways(new))

    def _pairs(self):
        """Every way in which the jokers of the old table may be among those of the new one."""
        left = _spots(self.before)
        for went in permutations(_spots(self.after), len(left)):
            yield zip(left, went, strict=True)

    def _keeps(self, old, new, who):
        gone = {at: to for at, to in who.items() if old[at[0]][at[1]] is not new[to[0]][to[1]]}
        stayed = {at: to for at, to in who.items() if at not in gone}
        if self.rule.retrieval.value == "locked":
            return not gone and self._locked(stayed)
        if self.rule.retrieval.value == "replace":
            there = self._there(new, {to: at for at, to in who.items()})
            if not any(self._replaced(order, {}, old, there, gone) for order in permutations(gone)):
                return False
        return not self.rule.new_set or self._in_new_sets(new, gone, stayed)

    def _there(self, new, came):
        """Every tile that may replace a joker: what it is, where it lay, which joker it is."""
        there = [(tile, None, None) for tile in self.played.elements() if tile is not JOKER]
        there += [(tile, "alone", None) for tile in self.left_alone if tile is not JOKER]
        for place, cards in enumerate(self.before):
            there += [(tile, place, None) for tile in cards if tile is not JOKER]
        for place, at in _spots(self.after):
            left = came.get((place, at))
            there.append((new[place][at], left[0] if left else None, left or "of the rack"))
        return there

    def _replaced(self, order, done, old, there, gone):
        """Whether jokers can have been replaced in this order, after others were."""
        if not order:
            return True
        (place, at), *others = order
        rest = list(old[place])
        stood = rest.pop(at)
        for (where, spot), by in done.items():
            if where == place:
                rest.remove(old[place][spot])
                rest += [there[index][0] for index in by]
        group = len(rest) == 2 and len({tile.rank for tile in rest}) == 1
        both = self.rule.both_colours and group and self.before[place].count(JOKER) == 1
        used = {index for by in done.values() for index in by} if self.one_each else set()
        free = [
            index
            for index, (_, source, joker) in enumerate(there)
            if index not in used
            and source != place
            and (source is None or not self.rule.from_rack)
            and (joker not in gone or joker in done)
            and (joker is None or not (both or self.rule.exact))
        ]
        return any(
            self._replaced(others, {**done, (place, at): by}, old, there, gone)
            for by in combinations(free, 2 if both else 1)
            if self._do([there[index][0] for index in by], rest, stood, both=both)
        )

    def _do(self, by, rest, stood, *, both):
        """Whether these tiles do in the place of a joker."""
        if self.rule.exact and not both:
            return by == [stood]
        alike = not both or {tile.rank for tile in by} == {rest[0].rank}
        return alike and self._is_set((*rest, *by))

    def _is_set(self, tiles):
        return bool(legal_readings(tiles, self.rules, as_laid=False))

    def _locked(self, stayed):
        """Whether each set with a joker lies whole in a new one, two in tiles of their own."""
        wanted = {}
        for place, cards in enumerate(self.before):
            went = {to[0] for at, to in stayed.items() if at[0] == place}
            if len(went) > 1:
                return False
            for to in went:
                wanted.setdefault(to, Counter()).update(cards)
        return all(not tiles - Counter(self.after[to]) for to, tiles in wanted.items())

    def _in_new_sets(self, new, gone, stayed):
        """Whether no old set goes on in a set that a retrieved joker went to, and in no other."""
        targets = {to[0] for to in gone.values()}
        others = [to for to in range(len(self.after)) if to not in targets]
        for place, cards in enumerate(self.before):
            alike = sum(_naturals(some) == _naturals(cards) for some in self.before)
            elsewhere = sum(self._goes_on(place, to, new, stayed) for to in others)
            here = any(self._goes_on(place, to, new, stayed) for to in targets)
            if here and elsewhere < alike:
                return False
        return True

    def _goes_on(self, place, to, new, stayed):
        tiles = _naturals(self.before[place])
        shared = tiles & _naturals(self.after[to])
        if not shared:
            return False
        stay = [went for at, went in stayed.items() if at[0] == place]
        if shared == tiles and all(went[0] == to for went in stay):
            return True
        jokers = [new[to][went[1]] for went in stay if went[0] == to]
        return self._is_set((*shared.elements(), *jokers))


def _tiles(sets):
    return Counter(tile for cards in sets for tile in cards)


def _naturals(cards):
    return Counter(tile for tile in cards if tile is not JOKER)


def _spots(table):
    return [
        (place, at)
        for place, cards in enumerate(table)
        for at, card in enumerate(cards)
        if card is JOKER
    ]
