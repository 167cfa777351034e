"""How each field is changed: a sentence to choose, a number to step, cards to tap, rows to fill.

What a value means is the sentence that the rulebook would have.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from referee import variants
from referee.describing import (
    BY_PATH,
    ENDS,
    PLAYERS,
    STEPS,
    VALUES,
    Description,
    Values,
    bonus_noun,
    changed,
    kinds,
    kinds_of_packs,
    matters,
    may_be_ruled,
    nouns_of,
    problems,
    tell,
    value_at,
)
from referee.describing import say as say_value
from referee.saying import WORDS, Catalogue, Said
from webapp.services.own.naming import title_of, usual
from webapp.services.rulebook.cards import with_cards, with_rank
from webapp.services.rulebook.parts import NUMBER, Bounds, Control, Step, Tap, step, tap
from webapp.services.rulebook.rounds import with_rounds
from webapp.services.rulebook.rows import with_rows
from webapp.services.rulebook.telling import label_in, usual_rules
from webapp.services.wording import capital
from webapp.speaking import language, say

_JOKER: Final = "JK"
_MOST_USUAL: Final = 6
_FACE: Final = "face"
_CARDS: Final = frozenset(
    {"wild.cards", "wild.runs-only", "pack.remove", "set.without", "set.last", "run.without"}
    | {"draw.blocked", "aside.cards"}
)
_ALONE: Final[Mapping[str, tuple[str, ...]]] = {"draw.top": ("any", "free")}
"""Words of a list that leave no room for others."""
_MOST_WILD: Final = 2
"""So many ranks at most get a row each where they become wild."""
_NOBODY: Final = "nobody"
"""A value that lets no one do it, as giving up the rule does."""
_MOST_NEEDED: Final = 12
_MOST_PLAYERS: Final = 10
_MOST_POINTS: Final = 1000


def control_of(spec: Mapping[str, Any], path: str, value: Any, at: int = 0) -> Control:  # noqa: ANN401 - what is there
    """How the value of a field is changed in a game.

    `at` is the round that is open, from 1, or the first rank of a row of cards.
    """
    if path == PLAYERS:
        return _players(value)
    if path == STEPS:
        return with_rounds(spec, value, at)
    if path in _CARDS:
        return with_cards(Control(path=path, title=title_of(path, spec)), spec, value or [])
    return _Asking(spec, path, at).control(value)


def wilds_in_hand(spec: Mapping[str, Any], value: Mapping[str, Any]) -> Control | None:
    """What wild 2s count if they are left in hand; `value` says what each card counts there.

    A rank that becomes wild seldom keeps the points of its neighbors. None if no rank is wild, if
    many are, or if all wilds count the same.
    """
    game = Description(spec)
    ranks = {card.rank for card in game.wild}
    words = [rank for rank in game.pack.ranks if rank in ranks]
    counts_apart = matters(game, "score.hand") and game.get("score.wild") is None
    if len(words) > _MOST_WILD or not counts_apart:
        return None
    control = _Asking(spec, "score.hand", 0).valued_alone(words, value)
    return control if control.steps else None


def _players(value: Sequence[int]) -> Control:
    low, high = value
    steps = (
        step(PLAYERS, (0,), Bounds(low, 2, high), says=say("changing.fewest")),
        step(PLAYERS, (1,), Bounds(high, low, _MOST_PLAYERS), says=say("changing.most")),
    )
    return Control(path=PLAYERS, title=say("changing.players"), steps=steps)


class _Asking:
    """A field of a game, and how it is asked for."""

    def __init__(self, spec: Mapping[str, Any], path: str, at: int) -> None:
        self._spec = spec
        self._path = path
        self._at = at
        self._game = Description(spec)

    def control(self, value: Any) -> Control:  # noqa: ANN401, PLR0911 - one for each kind
        """The control with a value of the field."""
        title, adds = title_of(self._path, self._spec), say("changing.more")
        asked = Control(path=self._path, title=title, adds=adds)
        if self._path == "pack.kind":
            return replace(asked, sentences=tuple(self._packs(value)))
        if self._path in VALUES:
            return self._values(asked, value or {})
        match BY_PATH[self._path].kind:
            case kinds.Switch():
                return replace(asked, sentences=self._sentences((True, False), value))
            case kinds.OneOf(words):
                kept = [word for word in words if word != _NOBODY or word == value]
                return replace(asked, sentences=self._sentences(kept, value))
            case kinds.SomeOf(words):
                return replace(asked, chips=tuple(self._some(words, value)))
            case kinds.Whole():
                return self._number(asked, value)
            case kinds.Named(known):
                return self._settlement(asked, value, known)
            case kinds.Text():
                return self._written(asked, value or "")
            case kinds.Numbers(known):
                return replace(asked, steps=tuple(self._numbers(known, value or {})))
        return self._rows(asked, value or {})

    def _written(self, asked: Control, text: str) -> Control:
        """A rule in your own words, with those that tables often write, each in one tap."""
        rules = usual_rules(self._spec, self._path)
        usual = tuple(Tap(self._tap(whole), says) for says, whole in rules)
        return replace(asked, sentences=usual, writes=tap(self._path), text=text)

    def _rows(self, asked: Control, value: Mapping[str, Any]) -> Control:
        """A table of its own shape."""
        if self._path == "out.needs":
            return self._needed(asked, value)
        titles = self._spec.get("text", {}).get("titles", {})
        if self._path == "bonus.melds":
            titles = {f"melds.{name}": capital(self._bonus(name)) for name in value}
        return with_rows(self._path, asked.title, value, titles)

    def _tap(self, *way: object) -> str:
        return tap(self._path, *way)

    def _packs(self, value: str) -> Iterator[Tap]:
        for name, kind in kinds_of_packs().items():
            title = Values(language()).speech.template("packs", name).format(title=kind.title)
            yield Tap(self._tap(name), f"{capital(title)}.", name == value)

    def _sentences(self, words: Iterable[Any], value: object) -> tuple[Tap, ...]:
        """A sentence for each word the referee rules on, and for the one in force."""
        return tuple(
            Tap(self._tap(word), self._says(word), word == value and type(word) is type(value))
            for word in words
            if word == value or may_be_ruled(self._path, word)
        )

    def _says(self, word: Any) -> str:  # noqa: ANN401 - a value of the field
        if self._path == "end.rounds" and self._game.steps:
            # Without a number of its own, a game has as many rounds as its list.
            listed = changed(self._spec, dict.fromkeys(ENDS))
            return tell(Description(listed), language=language())["ends"]
        told = usual(self._path, str(word).lower(), self._spec) or self._label(word)
        return told or f"{capital(self._value(word))}."

    def _value(self, value: object) -> str:
        return say_value(self._path, value, self._game, language())

    def _label(self, word: object) -> str:
        return label_in(self._spec, self._path, word)

    def _some(self, words: Iterable[str], value: Sequence[str]) -> Iterator[Tap]:
        alone = _ALONE.get(self._path, ())
        for word in words:
            if word in self._spec or self._path != "wild.in":
                others = [each for each in words if (each in value) != (each == word)]
                if alone:
                    others = [each for each in others if (each in alone) == (word in alone)]
                    others = [word] if word in alone else others
                says = usual(self._path, word, self._spec) or self._value([word])
                yield Tap(self._tap(others), capital(says), word in value)

    def _bonus(self, name: str) -> Said:
        """What a meld with a bonus is called."""
        speech = Catalogue.read(language(), WORDS)
        return bonus_noun(speech, nouns_of(self._game, speech), name)

    def _needed(self, asked: Control, value: Mapping[str, int]) -> Control:
        """How many melds with each bonus are needed, and with any."""
        steps = (
            step(
                *(self._path, (name,), Bounds(number, 1, _MOST_NEEDED)),
                says=f"{capital(self._bonus(name).many)}: …",
                drop=self._tap(name, None),
            )
            for name, number in value.items()
        )
        names = ["any", *(self._game.get("bonus.melds") or ())]
        more = (
            Tap(self._tap(name, 1), capital(self._bonus(name)))
            for name in names
            if name not in value
        )
        return replace(asked, steps=tuple(steps), more=tuple(more))

    def _usual(self, known: Iterable[object], way: tuple[str, ...], now: object) -> Iterator[Tap]:
        """The taps for numbers that tables play with."""
        for number in self._near(known, way, now):
            yield Tap(self._tap(*way, number), str(number).replace("-", "−"))

    def _near(self, known: Iterable[object], way: tuple[str, ...], now: object) -> Iterator[int]:
        """Numbers that tables play with, without those that clash with the rest of the rules."""
        nearest = now if type(now) is int else 0
        numbers = {number for number in known if type(number) is int and number != now}
        if now is None:
            # What a single game counts below 0 helps nobody who has no number yet.
            numbers = {number for number in numbers if number >= 0} or numbers
        near = sorted(numbers, key=lambda number: (abs(number - nearest), number))
        for number in sorted(near[:_MOST_USUAL]):
            value: object = number
            if way:
                value = {**(value_at(self._spec, self._path) or {}), way[0]: number}
            if not problems(changed(self._spec, {self._path: value})):
                yield number

    def _number(self, asked: Control, value: object) -> Control:
        kind = BY_PATH[self._path].kind
        assert isinstance(kind, kinds.Whole), "a number"
        if isinstance(kind, kinds.ByPlayers) and isinstance(value, dict):
            return self._by_players(asked, value, kind)
        chips = tuple(self._usual(variants.usual(self._path), (), value))
        number = value if type(value) is int else None
        says = self._label(...) or NUMBER
        bounds = Bounds(number, kind.low, kind.high, is_count=self._path == "end.rounds")
        one = step(
            *(self._path, (), bounds),
            title=asked.title,
            usual=chips,
            says=says,
        )
        words = (*kind.words, *((None,) if kind.none else ()))
        sentences = (*self._apart(number), *self._sentences(words, value))
        more = tuple(self._parted(number)) if isinstance(kind, kinds.ByPlayers) else ()
        return replace(
            asked,
            steps=(one,),
            sentences=sentences,
            more=more,
            adds=say("changing.by-players"),
        )

    def _apart(self, number: int | None) -> Iterator[Tap]:
        """The tap that lets a joker in hand count differently from other wilds."""
        ranks = {card.rank for card in self._game.wild}
        is_free = {_JOKER} < ranks and _JOKER not in self._game.get("score.hand")
        if self._path == "score.wild" and number is not None and is_free:
            yield Tap(tap("score.hand", _JOKER, number), say("changing.joker-apart"))

    def _parted(self, number: int | None) -> Iterator[Tap]:
        """The taps after which a number goes by how many play."""
        fewest, most = self._spec[PLAYERS]
        if number is not None and fewest < most:
            yield from self._split({f"{fewest}-{most}": number})

    def _by_players(
        self, asked: Control, value: Mapping[str, int], kind: kinds.ByPlayers
    ) -> Control:
        steps = (
            step(
                *(self._path, (key,), Bounds(number, kind.low, kind.high)),
                says=say(
                    "changing.for-players",
                    self._path.partition(".")[0],
                    players=Values(language()).span(key),
                ),
            )
            for key, number in value.items()
        )
        numbers = self._game.by_players(self._path)
        ((most, _),) = Counter(numbers[n] for n in self._game.players).most_common(1)
        alike = sorted([most, *self._near(variants.usual(self._path), (), most)])
        return replace(
            asked,
            steps=tuple(steps),
            chips=tuple(Tap(self._tap(n), say("changing.same", n=n)) for n in alike),
            more=tuple(self._split(value)),
            adds=say("changing.by-players"),
        )

    def _split(self, value: Mapping[str, int]) -> Iterator[Tap]:
        """The ways to part a range of players in two."""
        for key in value:
            low, _, high = key.partition("-")
            for at in range(int(low) + 1, int(high or low) + 1):
                parts: dict[str, int] = {}
                for other, number in value.items():
                    ends = [(low, str(at - 1)), (str(at), high)] if other == key else []
                    named = (a if a == b else f"{a}-{b}" for a, b in ends)
                    parts |= dict.fromkeys([*named] or [other], number)
                yield Tap(self._tap(parts), say("changing.different", number=at))

    def _settlement(
        self, asked: Control, value: object, known: Mapping[str, Mapping[str, int]]
    ) -> Control:
        name, given = kinds.named(value)
        numbers = given if isinstance(given, dict) else {}
        steps = (
            step(
                *(self._path, (name, word), Bounds(numbers.get(word, usually), 0, _MOST_POINTS)),
                says=say("changing.argument", word, name=capital(word.replace("-", " "))),
            )
            for word, usually in known.get(name, {}).items()
        )
        return replace(asked, sentences=self._sentences(known, name), arguments=tuple(steps))

    def _numbers(
        self, known: Mapping[str, kinds.Number], value: Mapping[str, int]
    ) -> Iterator[Step]:
        for name, one in known.items():
            bounds = Bounds(value.get(name, one.usual), one.low, one.high)
            yield step(self._path, (name,), bounds, says=say("changing.bonus", name))

    def _values(self, asked: Control, value: Mapping[str, Any]) -> Control:
        """A row for each line of a table of values, and the cards that have none of their own."""
        steps = []
        pack = self._game.pack
        for word, points in value.items():
            ranks = [rank for rank in pack.ranks if rank in pack.kind.ranks_of(word)]
            opened = pack.ranks[self._at - 1 : self._at] if self._at else ()
            rest = {other: each for other, each in value.items() if other != word}
            spare = not problems(changed(self._spec, {self._path: rest}))
            steps.append(
                replace(
                    self._valued(word, points, is_several=len(ranks) > 1),
                    rank=pack.ranks.index(ranks[0]) + 1 if ranks else 0,
                    keys=tuple(self._ranks(value, word)) if {*opened} & {*ranks} else (),
                    drop=self._tap(word, None) if spare else "",
                )
            )
        if steps and {*value.values()} != {1}:
            apart = (word for word in value if not pack.select(word) <= {*pack.cards})
            one = dict.fromkeys([f"{pack.ranks[0]}-{pack.ranks[-1]}", *apart], 1)
            each = Tap(self._tap(one), say("changing.each-one"))
            steps[0] = replace(steps[0], usual=(*steps[0].usual, each))
        words = [*pack.ranks, *([_JOKER] if self._game.most_jokers else []), *pack.specials]
        counts = {rank: value[word] for word in value for rank in pack.kind.ranks_of(word)}
        more = (
            Tap(self._tap(word, counts.get(word, 0)), capital(self._face(word)))
            for word in words
            if word not in value
        )
        return replace(asked, steps=tuple(steps), more=tuple(more), adds=say("changing.other-card"))

    def valued_alone(self, words: Iterable[str], value: Mapping[str, Any]) -> Control:
        """What each of these ranks counts, with or without a row of its own in a table."""
        counts = {rank: value[row] for row in value for rank in self._game.pack.kind.ranks_of(row)}
        steps = tuple(self._valued(word, counts[word]) for word in words if word in counts)
        return Control(path=self._path, title=title_of(self._path, self._spec), steps=steps)

    def _valued(self, word: str, points: object, *, is_several: bool = False) -> Step:
        """What cards count: a number, and what tables often have."""
        tables = [table for table in variants.usual(self._path) if isinstance(table, dict)]
        chips = [*self._usual((self._points(table, word) for table in tables), (word,), points)]
        if is_several or points == _FACE:
            face = Values(language()).word("face")
            chips.append(Tap(self._tap(word, _FACE), face, points == _FACE))
        return step(
            *(self._path, (word,), Bounds(points, -_MOST_POINTS, _MOST_POINTS)),
            title=self._face(word),
            face=self._face(word),
            usual=tuple(chips),
        )

    def _ranks(self, rows: Mapping[str, Any], word: str) -> Iterator[Tap]:
        """The ranks of a row, to take one out, and others, up to which it can go."""
        pack = self._game.pack
        row = pack.kind.ranks_of(word)
        for rank in pack.ranks:
            # An ace after the king is a row of its own: no range is written like that.
            if rank in row or rank != pack.ranks[0] or row[0] == pack.ranks[1]:
                table = with_rank(self._game, rows, word, rank)
                yield Tap(self._tap(table), rank, rank in row)

    def _face(self, word: str) -> str:
        """Cards as they are drawn: "2–9", "joker"."""
        special = (self._game.get("pack.special") or {}).get(word)
        if special:
            return str(special["name"])
        said = Values(language())
        return said.printed(word) if " " in word or word == _JOKER else word.replace("-", "–")

    def _points(self, table: Mapping[str, Any], word: str) -> object:
        """What cards count in a table: by the line that has them; None if it has none."""
        select = self._game.pack.select
        cards = select(word)
        found = (points for key, points in table.items() if cards and cards <= select(key))
        return next(found, None)
