"""The controls for a field, by its kind: choices to tap, numbers and words to type.

A choice has what it sets as JSON: a path, and the whole value. All numbers of a field are typed
together; each has a key, so that the same form works for a single number, for numbers by players,
by rank, by round or by row, and for the parts of a row.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from referee import variants
from referee.describing import (
    BY_PATH,
    JOKER,
    MOVING,
    PLAYERS,
    SECTIONS,
    STEPS,
    WAYS,
    Description,
    Values,
    bonus_noun,
    face,
    kinds,
    kinds_of_packs,
    may_be_ruled,
    nouns_of,
    start_of,
    value_at,
)
from referee.describing import say as say_value
from referee.saying import WORDS, Catalogue
from webapp.language import language, say
from webapp.own_games.names import title_of, usual
from webapp.own_games.sentences import label_in, say_contract, usual_rules
from webapp.pages.rulebook.lines import another, needs_of, table_of
from webapp.text.formatting import capital, say_points

LENGTH: Final = "length"
"""The key for the number of rounds in a list."""
NEW: Final = ("set", "run", "flush")
"""The kinds of meld that a contract can get, as keys for their number of cards."""
MOST_ROUNDS: Final = 30
_MOST_USUAL: Final = 6
_MOST_STEPPED: Final = 100
"""The highest number that gets buttons + and −. Fields that can go higher have points or seconds,
which nobody would count up one by one."""
_NOBODY: Final = "nobody"
"""The value by which nobody can do what the rule is about, which has the effect of dropping it."""


class Choice(NamedTuple):
    """A choice to tap: its text, and what it sets."""

    sets: str
    says: str
    on: bool = False


class Number(NamedTuple):
    """A number to type: its key, its label, and its value."""

    key: str
    says: str
    value: object = None
    less: str = ""
    more: str = ""
    """What its button + sets (`less` is the same for −); empty if that can’t be tapped."""

    @property
    def before(self) -> str:
        """The text before the number."""
        return self.says.partition("…")[0].strip()

    @property
    def after(self) -> str:
        """The text after the number."""
        return self.says.partition("…")[2].strip(" .,;:")


class Round(NamedTuple):
    """A round in a list of rounds, with the control to change it if it’s open."""

    number: int
    says: str
    drawn: tuple[tuple[str, int], ...]
    control: "Control | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """The control for one field."""

    path: str
    title: str
    choices: tuple[Choice, ...] = ()
    """Choices that exclude each other."""
    marks: tuple[Choice, ...] = ()
    """Choices that can each apply or not."""
    keys: tuple[Choice, ...] = ()
    """The ranks that the field can include, each as a choice that is on or off."""
    suits: tuple[tuple[str, tuple[Choice, ...]], ...] = ()
    """For each rank that is included: its name, and choices of its cards: all, a color, a suit."""
    numbers: tuple[Number, ...] = ()
    usual: tuple[Choice, ...] = ()
    """Numbers that tables play with."""
    ticks: tuple[Number, ...] = ()
    """Ticks saved together with the numbers, each with whether it’s on."""
    adds: tuple[Choice, ...] = ()
    names: bool = False
    """Whether a row is added by its name."""
    writes: bool = False
    text: str = ""
    rounds: tuple[Round, ...] = ()
    folded: bool = False
    unfolds: str = ""
    """The label of the link that shows a number for each case; empty if there is no link."""

    @property
    def is_plain(self) -> bool:
        """Whether it only has what explains itself, such as a button that drops a rule.

        Then it needs no heading.
        """
        says = [*self.numbers, *self.ticks, *self.keys, *self.rounds, *self.choices, *self.marks]
        return not (says or self.writes)

    @property
    def is_wide(self) -> bool:
        """Whether its numbers are in sentences too long to be side by side."""
        return any(len(one.says) > 16 for one in self.numbers)  # noqa: PLR2004

    @property
    def choosable(self) -> tuple[Choice, ...]:
        """All its choices, from whichever field."""
        of_rounds = [c for r in self.rounds if r.control for c in r.control.choosable]
        steps = [Choice(s, "") for n in self.numbers for s in (n.less, n.more) if s]
        suits = [one for _, each in self.suits for one in each]
        taps = (*self.choices, *self.marks, *self.keys, *suits, *self.usual, *self.adds)
        return (*taps, *steps, *of_rounds)


def sets(path: str, value: object) -> str:
    """Return what a choice sets, as JSON."""
    return json.dumps([path, value], ensure_ascii=False, separators=(",", ":"))


def controls_of(spec: Mapping[str, Any], path: str, at: int) -> Iterator[Control]:
    """Yield the controls for a path, whether the game has it or not; `at` is the open round."""
    if path in SECTIONS:
        yield _table(spec, path)
        return
    yield Asking(spec, path, at).control()
    if path == "deal.cards" and spec.get(STEPS):
        yield _deals(spec, at)
    table = path.partition(".")[0]
    if path in BY_PATH and BY_PATH[path].drops and table in spec:
        gone = Choice(sets(table, None), say("changing.drop"))
        yield Control(path=table, title=title_of(table, spec), adds=(gone,))


def _table(spec: Mapping[str, Any], path: str) -> Control:
    """Return the control of a whole table: a way to lay down, or one that a game can be without."""
    title = title_of(path, spec)
    if path in WAYS:
        ways = tuple(
            Choice(
                sets(way, spec.get(way) or start_of(way, spec)),
                f"{title_of(way, spec)}.",
                way in spec,
            )
            for way in WAYS
        )
        return Control(path=path, title=title, choices=ways)
    there = path in spec
    value = None if there else start_of(path, spec)
    says = say("changing.drop") if there else f"{title}."
    return Control(path=path, title=title, adds=(Choice(sets(path, value), says),))


def _deals(spec: Mapping[str, Any], at: int) -> Control:
    says = say("changing.by-round")
    if not at and not any("deal" in table_of(line) for line in spec[STEPS]):
        return Control(path=STEPS, title=says, unfolds=says)
    numbers = tuple(
        Number(f"d{n}", say("changing.in-round", number=n), table_of(line).get("deal"))
        for n, line in enumerate(spec[STEPS], 1)
    )
    return Control(path=STEPS, title=says, numbers=numbers)


class Asking:
    """A field of a game’s description, and the controls that ask for its value."""

    def __init__(self, spec: Mapping[str, Any], path: str, at: int = 0) -> None:
        self.spec, self.path, self.at = spec, path, at
        self.game = Description(spec)
        self.value: Any = value_at(spec, path)
        self.kind: Any = BY_PATH[path].kind if path in BY_PATH else None

    def control(self) -> Control:  # noqa: PLR0911 - one for each kind
        """Return the field’s control."""
        asked = Control(path=self.path, title=title_of(self.path, self.spec))
        if self.path == STEPS:
            return self._rounds(asked)
        if self.path == "pack.kind":
            return replace(asked, choices=tuple(self._packs()))
        match self.kind:
            case kinds.Switch():
                return replace(asked, choices=self._choices((True, False)))
            case kinds.OneOf(words):
                kept = [word for word in words if word != _NOBODY or word == self.value]
                return replace(asked, choices=self._choices(kept))
            case kinds.SomeOf():
                return replace(asked, marks=tuple(self._some(self.kind)))
            case kinds.Cards():
                return self._cards(asked)
            case kinds.Text():
                adds = tuple(
                    Choice(sets(self.path, whole), says)
                    for says, whole in usual_rules(self.spec, self.path)
                )
                return replace(asked, writes=True, text=self.value or "", adds=adds)
        numbers, ticks, choices = tuple(self.numbers()), tuple(self._ticks()), self._beside()
        if self._for_all:
            asked = replace(asked, unfolds=say("changing.by-players"))
        names = isinstance(self.kind, kinds.Rows) and self.kind.typed is not None
        return replace(
            asked,
            numbers=numbers,
            usual=tuple(self._usual()) if len(numbers) == 1 else (),
            ticks=ticks,
            choices=choices,
            adds=tuple(self._adds()),
            names=names,
        )

    @property
    def is_needed(self) -> bool:
        """Return whether the field needs a value, and can’t have a word or no limit instead."""
        needs = isinstance(self.kind, kinds.Whole) and not self.kind.none
        return needs or self.path in {PLAYERS, STEPS}

    def _usual(self) -> Iterator[Choice]:
        """Yield the numbers that other tables play with, the nearest ones."""
        if isinstance(self.kind, kinds.Whole):
            now = self.value if type(self.value) is int else 0
            known = {n for n in variants.usual(self.path) if type(n) is int} - {self.value}
            # A number below 0 that one single game uses is no help before there is a number.
            known = {n for n in known if n >= 0 or now < 0}
            near = sorted(known, key=lambda number: (abs(number - now), number))[:_MOST_USUAL]
            for number in sorted(near):
                yield Choice(sets(self.path, number), say_points(number))

    @property
    def _for_all(self) -> bool:
        """Return whether one number applies to all numbers of players, and is asked for alone."""
        return isinstance(self.kind, kinds.ByPlayers) and type(self.value) is int and not self.at

    def _choices(self, words: Iterable[Any]) -> tuple[Choice, ...]:
        now = kinds.named(self.value)[0] if isinstance(self.kind, kinds.Named) else self.value
        return tuple(
            Choice(sets(self.path, word), self._says(word), word == now and type(word) is type(now))
            for word in words
            if word == now or may_be_ruled(self.path, word)
        )

    def _says(self, word: Any) -> str:  # noqa: ANN401 - a value of the field
        told = usual(self.path, str(word).lower(), self.spec) or label_in(
            self.spec, self.path, word
        )
        return told or f"{capital(say_value(self.path, word, self.game, language()))}."

    def _packs(self) -> Iterator[Choice]:
        for name, kind in kinds_of_packs().items():
            title = Values(language()).speech.template("packs", name).format(title=kind.title)
            yield Choice(sets(self.path, name), f"{capital(title)}.", name == self.value)

    def _some(self, kind: kinds.SomeOf) -> Iterator[Choice]:
        now = self.value or []
        for word in kind.words:
            if word in self.spec or self.path != "wild.in":
                others = [each for each in kind.words if (each in now) != (each == word)]
                if word in kind.alone:
                    others = [word]
                elif word in others:
                    others = [each for each in others if each not in kind.alone]
                says = usual(self.path, word, self.spec) or say_value(
                    self.path, [word], self.game, language()
                )
                yield Choice(sets(self.path, others), capital(says), word in now)

    def _cards(self, asked: Control) -> Control:
        """Return the control with ranks to tap, and for each which cards: all, a color, a suit."""
        pack, now = self.game.pack, [*(self.value or ())]
        # A range is one word for its ranks, and each of them can be tapped.
        of = {word: pack.kind.ranks_of(word.split()[-1]) or (word,) for word in now}
        apart = [
            one
            for word in now
            for one in ([word] if " " in word or len(of[word]) == 1 else of[word])
        ]
        keys, suits = [], []
        for rank in self._ranks():
            mine = [word for word in apart if word.split()[-1] == rank]
            rest = [word for word in apart if word not in mine]
            says = capital(Values(language()).rank(rank)) if rank == JOKER else rank
            keys.append(Choice(sets(self.path, rest if mine else [*rest, rank]), says, bool(mine)))
            tints = tuple(self._tints(rank, mine, rest)) if mine else ()
            if len(tints) > 1:
                suits.append((say("changing.which", rank=rank), tints))
        marks = []
        if self.path == "wild.cards":
            rest = [each for each in apart if each not in MOVING]
            for word in MOVING:
                on, says = word in now, say("changing.moving", word)
                marks.append(Choice(sets(self.path, rest if on else [*rest, word]), says, on))
        return replace(asked, keys=tuple(keys), suits=tuple(suits), marks=tuple(marks))

    def _ranks(self) -> Iterator[str]:
        """Yield the ranks that can be tapped: those of the deck, or of another field."""
        pack, of = self.game.pack, BY_PATH[self.path].of
        there = [*pack.kind.ranks] if self.path == "pack.remove" else [*pack.ranks]
        there += [] if self.path in _NATURAL else [JOKER]
        words = [*(self.game.get(of) or ()), *(self.value or ())] if of else []
        fitting = {
            rank for word in words for rank in pack.kind.ranks_of(word.split()[-1]) or (word,)
        }
        yield from (rank for rank in there if rank in fitting or not of)

    def _tints(self, rank: str, mine: list[str], rest: list[str]) -> Iterator[Choice]:
        """Yield the choices for a rank: all its cards, those of a color, and those of a suit."""
        suits = self.game.pack.kind.suits
        if rank == JOKER or self.path == "pack.remove" or self.game.get("pack.ignore-suits"):
            return
        colors = dict.fromkeys(suit.colour for suit in suits if suit.colour)
        for tint in (rank, *(f"{one} {rank}" for one in (*colors, *(s.word for s in suits)))):
            if tint == rank or rank in mine:
                words = [tint]
            else:
                words = [word for word in mine if word != tint] + [tint] * (tint not in mine)
            yield Choice(sets(self.path, [*rest, *words]), capital(self._which(tint)), tint in mine)

    def _which(self, word: str) -> str:
        """Return cards of a rank in a few letters: "all", "red 2", "♠2"."""
        tint, _, rank = word.rpartition(" ")
        sign = {suit.word: suit.sign for suit in self.game.pack.kind.suits}.get(tint, "")
        if sign:
            return f"{sign}{rank}"
        return Values(language()).selected(word) if tint else say("changing.all")

    def numbers(self) -> Iterator[Number]:  # noqa: C901, PLR0912 - one for each kind
        """Yield the numbers of the field, each with its key."""
        value, kind = self.value, self.kind
        if self.path == PLAYERS:
            yield Number("0", say("changing.fewest"), value[0])
            yield Number("1", say("changing.most"), value[1])
        match kind:
            case kinds.ByPlayers() if not self._for_all:
                yield Number("", say("changing.for-all"))
                counts, about = self.game.by_players(self.path), self.path.partition(".")[0]
                for n in self.game.players:
                    says = say("changing.for-players", about, players=n)
                    yield Number(f"{n}", says, counts.get(n))
            case kinds.Whole():
                yield self._stepped(kind)
            case kinds.CardValues():
                yield from self._values()
            case kinds.Numbers(known):
                for name, one in known.items():
                    now = (value or {}).get(name, one.usual)
                    yield Number(name, _before(say("changing.bonus", name)), now)
            case kinds.Named(known):
                name, given = kinds.named(value)
                numbers = given if isinstance(given, dict) else {}
                for word, usually in known.get(name, {}).items():
                    says = say("changing.argument", word, name=capital(word.replace("-", " ")))
                    yield Number(word, _before(says), numbers.get(word, usually))
            case kinds.Record(parts):
                for part, each in parts.items():
                    if isinstance(each, kinds.Whole):
                        yield Number(part, say("changing.whole", part), (value or {}).get(part))
            case kinds.Rows(_, kinds.Record(parts)):
                for key, row in (value or {}).items():
                    yield from self._parts(f"{key}/", parts, row, self._called(key, row))
            case kinds.Rows(_, _, _, names):
                for key in {**names, **dict.fromkeys(self._bonuses()), **(value or {})}:
                    yield Number(key, _before(self._called(key, {})), (value or {}).get(key))

    def _stepped(self, kind: kinds.Whole) -> Number:
        """Return a number, with a button on either side if it counts only a few things."""
        now = self.value if type(self.value) is int else None
        less = more = ""
        if kind.high <= _MOST_STEPPED or self.path == "end.rounds":
            first = max(kind.low, 0) if now is None else now + 1
            less = sets(self.path, now - 1) if now is not None and now > kind.low else ""
            more = sets(self.path, first) if first <= kind.high else ""
        return Number("", label_in(self.spec, self.path, ...) or "…", now, less, more)

    def _values(self) -> Iterator[Number]:
        """Yield the value of each card: by its rank, or for cards with a row of their own.

        A card that counts as what it stands for, such as a false joker, has no number to type.
        """
        pack, table = self.game.pack, self.value or {}
        counts = {
            rank: face(rank) if points == kinds.FACE else points
            for word, points in table.items()
            for rank in pack.kind.ranks_of(word)
        }
        own = [word for word in table if not pack.kind.ranks_of(word)]
        jokers = [JOKER] if self.game.most_jokers else []
        stand_ins = {word for word in own if table[word] == kinds.FACE}
        for word in dict.fromkeys([*pack.ranks, *jokers, *pack.specials, *own]):
            if word in stand_ins:
                continue
            special = (self.game.get("pack.special") or {}).get(word)
            says = special["name"] if special else Values(language()).printed(word)
            yield Number(word, _before(says), table[word] if word in own else counts.get(word))

    def _bonuses(self) -> Iterable[str]:
        return ("any", *(self.game.get("bonus.melds") or ())) if self.path == "out.needs" else ()

    def _called(self, key: str, row: Mapping[str, Any]) -> str:
        speech = Catalogue.read(language(), WORDS)
        if self.path in {"bonus.melds", "out.needs"}:
            return capital(bonus_noun(speech, nouns_of(self.game, speech), key))
        if self.path in {"hand.needs", "opening.needs"}:
            name, _, size = key.partition(" of ")
            melds = say("changing.melds", name.replace(" ", "-"))
            return say("changing.melds-of", melds=melds, size=size) if size else melds
        if self.path == "opening.by-total":
            return say("changing.from-total-add", total=key)
        if self.path == "hand.special" and "title" not in row:
            return say("changing.hand-called", row["is"])
        return str(row.get("title") or row.get("name") or capital(key.replace("-", " ")))

    def _parts(
        self, before: str, parts: Mapping[str, Any], row: Mapping[str, Any], called: str
    ) -> Iterator[Number]:
        for part, kind in parts.items():
            if isinstance(kind, kinds.Whole) and not (
                row.get("wins") and part in {"times", "without"}
            ):
                says = say("changing.part", part, title=called) or part
                yield Number(f"{before}{part}", _before(says), row.get(part))

    def _ticks(self) -> Iterator[Number]:
        rows: Mapping[str, Any] = self.value or {}
        match self.kind:
            case kinds.Record(parts):
                yield from (
                    Number(p, say("changing.whole", p), rows.get(p) is not False)
                    for p, k in parts.items()
                    if isinstance(k, kinds.Switch)
                )
            case kinds.Rows(_, kinds.Record(parts)):
                for key, row in rows.items():
                    for part in (p for p, k in parts.items() if isinstance(k, kinds.Switch)):
                        yield Number(
                            f"{key}/{part}",
                            say("changing.part", part, title=self._called(key, row)),
                            bool(row.get(part)),
                        )

    def _beside(self) -> tuple[Choice, ...]:
        """Return the choices next to a number."""
        match self.kind:
            case kinds.Named(known):
                return self._choices(known)
            case kinds.Whole(_, _, none, words) if words or none:
                return self._choices((*words, *((None,) if none else ())))
        return ()

    def _adds(self) -> Iterator[Choice]:
        """Yield the rows to add, and those to remove."""
        now: Mapping[str, Any] = self.value or {}
        if not isinstance(self.kind, kinds.Rows) or not isinstance(self.kind.row, kinds.Record):
            return
        for key, row in self.kind.usual.items():
            if key not in now:
                yield Choice(sets(self.path, {**now, key: row}), say("changing.adds", key))
        for key, row in now.items():
            rest = {other: one for other, one in now.items() if other != key}
            yield Choice(
                sets(self.path, rest or None), say("changing.remove", what=self._called(key, row))
            )

    def _rounds(self, asked: Control) -> Control:
        lines = [*(self.value or ())]
        rounds = tuple(self._round(number, table_of(line)) for number, line in enumerate(lines, 1))
        adds = [
            Choice(sets(STEPS, each), says) for says, each in _lists(self.spec) if each != lines
        ]
        if lines and self.game.way != "contract":
            adds.append(Choice(sets(STEPS, None), say("changing.no-rounds")))
        more = sets(STEPS, [*lines, another(lines)]) if 0 < len(lines) < MOST_ROUNDS else ""
        less = sets(STEPS, lines[:-1]) if len(lines) > 1 else ""
        length = (Number(LENGTH, say("changing.length"), len(lines), less, more),) if lines else ()
        return replace(asked, numbers=length, rounds=rounds, adds=tuple(adds))

    def _round(self, number: int, line: Mapping[str, Any]) -> Round:
        speech = Catalogue.read(language(), WORDS)
        nouns = nouns_of(self.game, speech)
        needs = needs_of(str(line.get("contract", "")))
        says = (
            say_contract(line["contract"], nouns)
            if "contract" in line
            else say("changing.dealt", n=line["deal"])
            if "deal" in line
            else say("changing.opens", n=line["opening"])
            if "opening" in line
            else capital(say_value("out.needs", line.get("needs") or {}, self.game, language()))
        )
        drawn = tuple((_plain(kind), size) for kind, size in needs)
        if number != self.at:
            return Round(number, says, drawn, None)
        numbers = []
        for place, (kind, size) in enumerate(needs):
            pure = "pure" if kind.startswith("pure") else ""
            melds = capital(nouns.get(_plain(kind), kind))
            numbers.append(
                Number(f"r{number}.{place}", say("changing.meld", pure, kind=melds), size)
            )
        if needs:
            new = (kind for kind in NEW if kind in self.spec)
            numbers += [
                Number(f"r{number}.{kind}", f"+ {say('changing.meld', kind=capital(nouns[kind]))}")
                for kind in new
            ]
        numbers.append(Number(f"r{number}.deal", say("changing.deal"), line.get("deal")))
        if "opening" in line:
            numbers.append(Number(f"r{number}.opening", say("changing.opening"), line["opening"]))
        for name in ("any", *(self.game.get("bonus.melds") or ())) if not needs else ():
            called = capital(bonus_noun(speech, nouns, name))
            usual = line.get("needs", self.game.get("out.needs"))
            says = say("changing.to-go-out", melds=called)
            numbers.append(Number(f"r{number}.needs.{name}", says, usual.get(name)))
        never = line.get("discard") == "never"
        ticks = (Number(f"r{number}.discard", say("changing.whole-hand"), never),) if needs else ()
        rest = [one for at, one in enumerate(self.value, 1) if at != number]
        gone = (
            (Choice(sets(STEPS, rest), say("changing.remove-round", number=number)),)
            if rest
            else ()
        )
        control = Control(
            path=STEPS,
            title=say("changing.in-round", number=number),
            numbers=tuple(numbers),
            ticks=ticks,
            adds=gone,
        )
        return Round(number, says, drawn, control)


_NATURAL: Final = frozenset({"set.without", "set.last", "run.without", "aside.cards"})
"""Fields that can’t name a joker."""


def _before(says: str) -> str:
    return says if "…" in says else f"{says} …"


def _plain(kind: str) -> str:
    return kind.removeprefix("pure ").partition("|")[0]


def _lists(spec: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield lists of rounds to choose from, by name: this game’s own, and those of other games."""
    labels: Any = spec.get("text", {}).get("options", {})
    for name, option in spec.get("options", {}).items():
        said = labels.get(name, {}).get("labels", {})
        for preset, lines in option.get("presets", {}).items():
            yield said.get(preset, capital(preset.replace("-", " "))), [*lines]
    contract = Description(spec).way == "contract"
    for game in variants.all(language()):
        steps = variants.description_of(game.slug).get(STEPS)
        if steps and bool(game.contracts) == contract and game.slug != spec.get("slug"):
            yield say("changing.as-in", game=game.name), steps
