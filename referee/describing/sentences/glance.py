"""A game at a glance: a few lines, each with the clause that has the full rule."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

from referee.describing.description import Description
from referee.describing.schema import OF_SECTION, POINTS_ONLY, UNCHECKED
from referee.describing.sentences.mattering import matters
from referee.describing.sentences.words import Values, bonus_noun, nouns_of, number, wild_name
from referee.rulings import MeldKind
from referee.saying import ENGLISH

LINES: Final = 8
"""The most lines at a glance on a page of rules."""
_PILES: Final = ("any", "all")


class Line(NamedTuple):
    """One line at a glance.

    >>> from referee.describing import Line
    >>> Line(name="Deal", says="10 cards each", clause="deal").says
    '10 cards each'
    """

    name: str
    """The topic, in 1 or 2 words."""
    says: str
    clause: str
    """The clause with the full rule, as the referee cites it."""


def glance(
    game: Description,
    contract: str = "contract",
    wild: str = "",
    language: str = ENGLISH,
    most: int = LINES,
) -> tuple[Line, ...]:
    """Return a game in up to `most` lines; `contract` and `wild` are its words for these.

    With more than `LINES`, there are also lines that only matter to people who change the game.

    >>> from referee import variants
    >>> from referee.describing import check, glance
    >>> glance(check(variants.description_of("gin-rummy")))[0]
    Line(name='You need', says='1 deck, no jokers', clause='pack')
    """
    return _Glance(game, contract, wild, language).lines(most)


class _Glance:
    """Makes the lines of a game in a language."""

    def __init__(self, game: Description, contract: str, wild: str, language: str) -> None:
        self.game = game
        self.language = language
        self.values = Values(language)
        self.values.nouns = self.nouns = {
            **nouns_of(game, self.values.speech),
            "contract": contract,
        }
        self.wild_words = {"wild": wild} if wild else {}

    def say(self, key: str, *hows: str, n: int | None = None, **values: object) -> str:
        """Return a part of a line, by its key."""
        says = self.values.speech.template(f"glance.{key}", *hows, n=n)
        return says.format_map({**self.nouns, "n": n, **values})

    def line(self, name: str, says: str, clause: str) -> Line:
        """Return a line, given the key of its topic."""
        told = self.say(f"of.{name}")
        return Line(told[:1].upper() + told[1:], says[:1].upper() + says[1:], clause)

    def lines(self, most: int) -> tuple[Line, ...]:
        """Return up to `most` lines; those about laying melds and scoring are always included."""
        game = self.game
        players = self.line(
            "players", self._numbers([game.players[0], game.players[-1]]), "players"
        )
        if game.way == POINTS_ONLY:
            return (
                players,
                self.line("points", self.say("what-scored"), "points"),
                self.line("winner", self.say("leads", game.get("end.leads")), "leads"),
            )
        way = [*self._way()]
        scores = (*self._scores(), self._winner())
        first = (
            *([players] if most > LINES else []),
            self.line("need", self._pack(), "pack"),
            self.line("deal", self._deal(), "deal"),
            self._melds(),
            self._wilds(),
            *way,
        )
        left = most - len(first) - len(scores)
        told = {line.clause for line in way}
        more = chain(self._more(told), self._rare(told) if most > LINES else ())
        return (*first, *islice(more, max(left, 0)), *scores)

    def _numbers(self, counts: list[int]) -> str:
        """Return a range from the least to the most of some numbers: "2 to 8"."""
        low, high = min(counts), max(counts)
        if low == high:
            return str(low)
        return self.say("either" if high == low + 1 else "between", low=low, high=high)

    def _sizes(self, counts: list[int]) -> str:
        """Return 2 numbers as "4 or 6", and others as a range: "3 to 13"."""
        low, *others = sorted({*counts})
        if len(others) != 1:
            return self._numbers(counts)
        return self.say("either", low=low, high=others[0])

    def _pack(self) -> str:
        """Return what the fewest players need, and how many players first need something else."""
        game = self.game
        copies, jokers = game.by_players("pack.copies"), game.by_players("pack.jokers")
        # While somebody changes them, there may be no number yet for some players.
        told = [n for n in game.players if n in copies and n in jokers]
        if not told:
            return self._pack_of(0, 0)
        first, *others = told
        needs = self._pack_of(copies[first], jokers[first])
        for players in others:
            if (copies[players], jokers[players]) != (copies[first], jokers[first]):
                is_more = copies[players] >= copies[first] and jokers[players] >= jokers[first]
                how = "more" if is_more else "other"
                return f"{needs}; {self.say('from-players', how, n=players)}"
        return needs

    def _pack_of(self, copies: int, jokers: int) -> str:
        """Return a number of packs and jokers, and the cards that only this pack has."""
        game = self.game
        with_jokers = self.say("jokers", "" if jokers else "no", n=jokers)
        if game.has_tiles:
            ranks, often = game.pack.ranks, self.values.times(copies)
            tiles = self.say("tiles", low=ranks[0], high=ranks[-1], often=often)
            return _listed(tiles, with_jokers)
        packs = self.say("decks", "" if copies else "no", n=copies)
        if game.pack.kind.name == "french":
            return _listed(packs, with_jokers)
        special = self.values.say("pack.special", game.get("pack.special"))
        title = self.values.speech.find("packs", [game.pack.kind.name, "other"])
        return _listed(title.format(title=game.pack.kind.title), packs, with_jokers, special)

    def _deal(self) -> str:
        game = self.game
        usual = () if game.deals_differ else game.by_players("deal.cards").values()
        counts = [*usual, *game.deals.values()]
        upcard = game.get("deal.upcard") and not game.no_discard_pile
        dealt = self.say("dealt", count=self._sizes(counts))
        return f"{dealt}{self.say('upcard') if upcard else ''}"

    def _melds(self) -> Line:
        game = self.game
        kinds = [kind for kind in MeldKind if game.has(kind.value)]
        says = ", ".join(map(self._size, kinds))
        ace = game.get("run.ace") if game.has("run") and game.pack.ranks[0] == "A" else "both"
        around = game.has("run") and game.get("run.around")
        more = self.say("corner") if around else "" if ace == "both" else self.say("ace", ace)
        return self.line("melds", _listed(says, more), kinds[0].value)

    def _size(self, kind: MeldKind) -> str:
        """Return a kind of meld with its number of cards."""
        game, plural = self.game, self.values.word("melds", kind.value)
        sizes = {need.size for each in game.contracts for need in each.needs if need.kind is kind}
        if len(sizes) > 1:
            return self.values.word("of-size", melds=plural, size=self._sizes([*sizes]))
        least = next(iter(sizes), game.get(f"{kind.value}.min"))
        most = None if kind is MeldKind.FLUSH else game.get(f"{kind.value}.max")
        size = self._numbers([least, most]) if most else least
        return self.values.word("of-size", melds=plural, size=size)

    def _wilds(self) -> Line:
        game = self.game
        if not game.has("wild"):
            return self.line("wild", self.say("none"), "wild")
        name = wild_name(game, self.wild_words, self.language)
        title = self.line("wild", "", "wild").name
        if game.has_tiles:
            title = name.many.capitalize()
        cards: list[str] = game.get("wild.cards")
        moving = {"dealt", "turned", "turned-next", "JK"}
        own = self.wild_words and name == self.wild_words["wild"] and not {*cards} & moving
        says = name.many if own else self.values.joined(map(self._selected, cards))
        kinds: list[str] = game.get("wild.in")
        most = game.get("wild.most")
        where = self.say("up-to", n=most) if most else ""
        if len(kinds) == 1:
            where = self.say("only-in", melds=self.values.word("melds", kinds[0]))
        return Line(title, _listed(says[:1].upper() + says[1:], where), "wild")

    def _selected(self, word: str) -> str:
        how = word if word in {"dealt", "turned", "turned-next", "JK"} else ""
        if not how:
            return self.values.selected(word)
        return self.say("selected", how, joker=self.game.pack.kind.names[0])

    def _way(self) -> Iterator[Line]:
        """Yield lines on how melds are laid."""
        game = self.game
        if game.way == "contract":
            yield self.line("rounds", self.say("contracts", n=len(game.steps)), "contracts")
            if any(step.get("discard") == "never" for step in game.steps):
                yield self.line("last-round", self.say("whole-hand"), "no-discard")
            elif game.has("layoff"):
                yield self._layoff()
            return
        if game.way == "hand":
            yield self._knock()
            return
        pile = game.get("draw.pile")
        if game.has("opening"):
            yield self.line("first-melds", self._opening(), "opening")
        elif pile not in _PILES:
            yield self.line("laying", self.say("any-melds"), "melds")
        if game.has("rearrange"):
            whose = self.say("rearrange", game.get("rearrange.whose"))
            yield self.line("table", whose, "rearrange")
        elif pile in _PILES:
            free = pile == "all" and "free" in game.get("draw.top")
            depth = game.get("draw.depth") if pile == "all" else None
            how = "free" if free else pile if depth is None else "deep"
            yield self.line("pile", self.say("pile", how, n=depth), "draw")

    def _opening(self) -> str:
        """Return what first melds must be worth; a range if it depends on round or total."""
        game = self.game
        points = game.get("opening.points")
        by_step = [step["opening"] for step in game.steps if "opening" in step]
        by_total = [*game.get("opening.by-total").values()]
        if not (by_step or by_total):
            return self.say("opening", n=points)
        count = self._numbers(by_step or [points, *by_total])
        return self.say("opening-by", "round" if by_step else "total", count=count)

    def _layoff(self) -> Line:
        game = self.game
        onto = game.get("layoff.onto")
        # With contracts, you always have to be down first.
        down = game.way != "contract" and game.get("layoff.who") == "down"
        how = "down" if down and onto == "all" else onto
        # Where nobody has to go down, there's nothing to wait for.
        waits = any(matters(game, path) for path in ("layoff.when", "opening.then-table"))
        later = self.say("later") if waits and game.get("layoff.when") == "later" else ""
        return self.line("layoff", _listed(self.say("onto", how), later), "layoff")

    def _knock(self) -> Line:
        game = self.game
        knock = game.get("hand.knock")
        if knock:
            says = self.say("knock", "turned" if isinstance(knock, str) else "", points=knock)
            return self.line("knock", says, "knock")
        needs = game.get("hand.needs")
        says = self.values.say("hand.needs", needs) if needs else self.say("hand-of-melds")
        return self.line("show", says, "close")

    def _more(self, told: set[str]) -> Iterator[Line]:
        """Yield lines that are useful if there is room; `told` has the clauses already shown."""
        game = self.game
        if game.settlement == "knock":
            bonus = (f"{name} {game.settled_by[name]}" for name in ("gin", "undercut"))
            yield self.line("bonuses", ", ".join(bonus), "settle")
        if game.has("layoff") and "layoff" not in told:
            yield self._layoff()
        if game.way == "hand" and game.get("hand.last-turn"):
            yield self.line("last-turn", self.say("one-more"), "last-turn")
        if game.way != "hand":
            yield self.line("going-out", self.say("out", game.get("out.discard")), "discard")
        if game.has("swap"):
            yield self.line("swaps", self.say("swaps", game.get("swap.who")), "swap")
        if game.has("wild") and not game.get("wild.outnumber"):
            yield self.line("per-meld", self.say("no-more"), "wilds-share")
        if game.has("buy"):
            limit = game.get("buy.limit")
            yield self.line("buying", self.say("buying", "" if limit else "no", n=limit), "buy")

    def _rare(self, told: set[str]) -> Iterator[Line]:
        """Yield lines that matter only to people who change the game; `told` is as in `_more`."""
        game = self.game
        if matters(game, "rearrange.draw") and game.no_discard_pile:
            how = game.get("rearrange.draw")
            yield self.line("draw", self.say("draw", how), "draw-ends")
        elif "draw" not in told and not game.no_discard_pile:
            yield self.line("draw", self.say("draw"), "draw")
        if matters(game, "deal.direction"):
            to = self.say("to-the", game.get("deal.direction"))
            yield self.line("direction", to, "dealer")
        if game.get("score.out-at-once") is not None:
            points = self.values.number(game.get("score.out-at-once"))
            yield self.line("at-once", self.say("at-once", points=points), "at-once")
        rounds, is_open = game.get("end.rounds") or len(game.steps), game.get("end.open")
        if (rounds or is_open) and game.way != "contract" and self._winner().clause != "ends":
            how = "open" if is_open else ""
            yield self.line("end", self.say("end", how, n=rounds), "ends.rounds")
        for field in OF_SECTION[UNCHECKED]:
            if written := game.get(field.path):
                yield self.line("house-rule", written, field.clauses[0])

    def _scores(self) -> Iterator[Line]:
        """Yield lines on what melds score, and what cards left in hand count."""
        game = self.game
        if game.has("bonus"):
            melds = sorted(game.get("bonus.melds").items(), key=lambda meld: -meld[1]["points"])
            says = ", ".join(f"{self._bonus(name)} {one['points']}" for name, one in melds)
            yield self.line("bonuses", says, "bonus-melds")
            return
        if game.get("score.table"):
            yield self.line("table-points", self.say("per-card"), "table-values")
        if game.settlement in {"fixed", "penalty", "drop"}:
            each = number(game.settled_by["each"])
            yield self.line("round", self.say("from-each", points=each), "settle")
        else:
            yield self.line("held", self.say("per-card"), "values")

    def _bonus(self, name: str) -> str:
        return bonus_noun(self.values.speech, self.nouns, name)

    def _winner(self) -> Line:
        game = self.game
        leads, total = game.get("end.leads"), game.get("end.total")
        if game.get("end.eliminated") is not None:
            return self.line("winner", self.say("last-left"), "ends")
        if total is not None and leads in {"highest", "lowest"}:
            return self.line(
                "winner", self.say("to", leads, total=self.values.number(total)), "ends"
            )
        how = "once" if leads == "wins" and game.get("end.rounds") == 1 else leads
        return self.line("winner", self.say("leads", how), "leads")


def _listed(*parts: str) -> str:
    """Return the parts that aren’t empty, with commas between them."""
    return ", ".join(filter(None, parts))
