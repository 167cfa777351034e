"""The desk’s page: a question as far as it’s filled in, the verdict, and its grounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from referee import Card, Cards, Clause, Finding, Play, Ruling, Variant
from webapp.language import say, write
from webapp.pages.desk.card_fields import CardRow
from webapp.pages.desk.decisions import Decision
from webapp.pages.desk.progress import RowState, describe, describe_missing, is_waiting
from webapp.pages.desk.team import OWN
from webapp.players.tokens import Token
from webapp.text.cards import Drawing
from webapp.text.formatting import capital, uncapital


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """An order of the same cards that would be legal."""

    says: str
    """The cards as drawn: "2♠ K♠ A♠"."""
    text: str
    """The cards as text: "2S KS AS"."""
    slot: str
    """The name of the row that it goes into."""
    fields: Mapping[str, str]
    """The fields of the question with that row filled in like this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSwitch:
    """A checkbox; off by default."""

    name: str
    label: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskChoice:
    """A field that offers a choice between a few values."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    """The options, each with value and label."""
    chosen: str


@dataclass(frozen=True, slots=True)
class RarelyNeeded:
    """The rarely needed parts of a question, folded away until they are needed."""

    slots: tuple[CardRow, ...]
    switches: tuple[DeskSwitch, ...]
    choices: tuple[DeskChoice, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all its parts."""
        return (
            *(slot.label for slot in self.slots),
            *(switch.label for switch in self.switches),
            *(choice.label for choice in self.choices),
        )

    @property
    def says(self) -> str:
        """The text that unfolds it: "Rack, has not opened yet …"; empty if it has one part only."""
        first, *others = self.labels or ("",)
        if not others:
            return ""
        return f"{first}, {uncapital(others[0])}{' …' if others[1:] else ''}"

    @property
    def in_use(self) -> bool:
        """Whether any part is filled in, switched on, or set to an unusual choice."""
        used = (
            *(slot.text for slot in self.slots),
            *(switch.on for switch in self.switches),
            *(choice.chosen not in {"", choice.options[0][0]} for choice in self.choices),
        )
        return any(used)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """A page with rows of cards, for the referee or for advice."""

    variant: Variant
    step: int | None
    slots: tuple[CardRow, ...]
    switches: tuple[DeskSwitch, ...]
    choices: tuple[DeskChoice, ...]
    steps: tuple[tuple[int, str], ...]
    """The steps to choose from, with their contracts."""
    player: int | None
    key: str
    """The form key for recording the play."""
    fields: Mapping[str, str]
    """The question as the fields of its address, to be asked again later."""

    @property
    def groups(self) -> tuple[tuple[str, tuple[CardRow, ...]], ...]:
        """The rows grouped by heading, without the rarely needed ones."""
        groups = groupby((slot for slot in self.slots if not slot.rare), lambda slot: slot.group)
        return tuple((heading, tuple(group)) for heading, group in groups)

    @property
    def rare(self) -> RarelyNeeded:
        """The parts that are folded away: some of the rows, and everything that isn’t a row."""
        rare = tuple(slot for slot in self.slots if slot.rare)
        return RarelyNeeded(rare, self.switches, self.choices)

    @property
    def now(self) -> str:
        """The name of the row that keys type into at first.

        It’s the first row with a problem, else the first empty one, else the first.
        """
        wrong = [slot.name for slot in self.slots if slot.problem]
        empty = [slot.name for slot in self.slots if not slot.text and not slot.rare]
        return next(iter((*wrong, *empty, *(slot.name for slot in self.slots))), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMeld:
    """A meld recorded on the table in this round, to lay off on."""

    owner_id: int
    owner: str
    text: str
    """The meld’s cards in order, as the field `onto` has them (or `meld` of a swap)."""
    cards: tuple[Card, ...]
    own: bool = False
    """Whether it belongs to the player who asks, or to their team."""
    fits: bool | None = None
    """Whether the cards to lay off fit there; None if there isn’t one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A finding of the referee, as the page shows it."""

    cards: str
    """The cards that the finding is about ("2♠ K♠"), drawn; empty if these are all cards of the
    play, if the sentence names them, or if the finding is in favor of the play."""
    about: Cards
    """The cards in `cards`, as values of the referee."""
    says: str
    """The finding in a sentence, with its cards drawn."""
    clause: Clause

    @property
    def line(self) -> str:
        """The finding and its cards, in one line."""
        return Markup(": ").join(filter(None, (self.cards, self.says)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk(CardPage):
    """A question to the referee as far as it’s filled in, and the answer."""

    pub: str | None
    """The game it’s asked in; None at the desk outside of games."""
    title: str
    """The contract of the step ("2 runs of 4")."""
    note: str
    """A special rule of this step ("Black 2s are wild and cost 20."), or empty."""
    ask: str
    """The name of the kind of question: "laydown", "layoff", "meld"…"""
    asks: tuple[tuple[str, str], ...]
    """All kinds of questions, with their labels."""
    states: tuple[RowState, ...]
    """How far each meld in the question is, row by row."""
    typing: bool
    """Whether cards are still being typed: then a meld that more cards can complete isn’t wrong."""
    short: int
    """How many cards are missing from the hand shown to close the round; 0 in other questions."""
    table: tuple[TableMeld, ...]
    """In a game, the melds recorded in this round."""
    lays_on_own: bool
    """Whether cards are laid off on the team’s own melds, unless the page says otherwise."""
    play: Play | None
    """The play that was ruled on; None until there is one."""
    ruling: Ruling | None
    """The ruling; None until there is something to rule on."""
    hints: tuple[Hint, ...]
    notes: tuple[str, ...]
    """Other consequences of the play, in sentences."""
    players: tuple[tuple[int, str], ...]
    """In a game, the players who could be asking, by id and name."""
    team: tuple[int, ...]
    """In a game, the player who asks and their partners, by id."""
    tokens: Mapping[int, Token]
    """The color, shape and initials of each player in the game, by id; none outside of games."""
    records: bool
    """Whether the game stores plays of this kind in its entries, once they are legal."""
    can_record: bool
    """Whether a button can record this play now: it’s legal, in this round, and a new one."""
    decision: Decision | None
    """What the table decided on a ruling like this one; None if nothing, or outside of games."""
    may_decide: bool
    """Whether the table can still decide anything: in a game that isn’t finished."""
    advice: bool
    """Whether advice is available here."""

    @property
    def can_dispute(self) -> bool:
        """Whether the table can log a dispute about this play."""
        return self.may_decide and self.ruling is not None

    @property
    def may_differ(self) -> bool:
        """Whether the rule can still be changed for this game: not in a game that is finished."""
        return self.pub is None or self.may_decide

    @property
    def clauses(self) -> Mapping[str, str]:
        """The titles of the clauses that the ruling rests on, by the clause’s id."""
        return {ground.clause.id: ground.clause.title for ground in self.grounds}

    @property
    def keeps_melds(self) -> bool:
        """Whether a team’s melds stay in the form when another kind of question is chosen."""
        return any(slot.name.startswith(OWN) for slot in self.slots)

    @property
    def overline(self) -> str:
        """The line above the question: what the contract is ("Referee · 2 runs of 4")."""
        says = self.variant.step_says(self.step) if self.step else ""
        return f"{say('home.referee')} · {says or self.variant.name}"

    @property
    def does(self) -> str:
        """The label of the kind of question: "Lay down"."""
        return dict(self.asks)[self.ask]

    @property
    def state_of(self) -> Mapping[str, RowState]:
        """How far each meld is, by the name of its row."""
        return {state.name: state for state in self.states}

    @property
    def waits(self) -> bool:
        """Whether cards are still being typed, and more of them can make the play legal."""
        if not self.typing or (self.ruling and self.ruling.is_legal):
            return False
        return self.short > 0 or is_waiting(self.states) or self.ruling is None

    @property
    def legal(self) -> str:
        """The verdict: "yes", "no", or empty while there is none."""
        if self.ruling is None or self.waits:
            return ""
        return "yes" if self.ruling.is_legal else "no"

    @property
    def verdict(self) -> tuple[str, str]:
        """The verdict, as a title and a sentence."""
        if self.legal == "yes":
            return say("own.legal"), self._ground
        if self.legal == "no" and not (is_waiting(self.states) or self.short):
            return say("own.not-legal"), self._wrong
        if self.legal == "no":
            short = Markup(" ").join(describe_missing(self.states, self.variant))
            return say("desk.not-yet"), short or self._ground
        return self._so_far

    @property
    def _so_far(self) -> tuple[str, str]:
        """The title and sentence shown while there is no verdict."""
        if problem := next((slot.problem for slot in self.slots if slot.problem), ""):
            return problem, ""
        fits = [meld for meld in self.table if meld.fits is not None]
        if fits:
            count = sum(bool(meld.fits) for meld in fits)
            tap = say("desk.tap-one") if count else ""
            return say("desk.fits", "" if count else "none", n=count), tap
        if self.short:
            return say("desk.so-far"), say("desk.short", n=self.short, variant=self.variant)
        return describe(self.states, self.variant)

    @property
    def _wrong(self) -> str:
        """What is wrong with the first meld that no further card can fix, or with the play."""
        spoiled = next((state for state in self.states if state.missing is None), None)
        cards = next(
            (slot.cards for slot in self.slots if spoiled and slot.name == spoiled.name), ()
        )
        for ground in self.grounds if spoiled else ():
            if ground.about and set(ground.about) <= set(cards):
                return ground.line
        return self._ground

    @property
    def _ground(self) -> str:
        """The main reason, in one line: why not, what wilds stand for, or what the contract is."""
        if self.ruling and self.ruling.is_legal:
            card = Drawing(self.variant).card
            # In a set without suits it’s obvious what a wild stands for.
            plain = self.variant.pack.notation.bare and not self.variant.runs.exists
            stand = [
                write("desk.stands", wild=card(slot.cards[place]), card=card(stands))
                for slot in self.slots
                if slot.reading and not plain
                for place, stands in slot.reading.stands_for.items()
            ]
            if stand:
                return capital(Markup(", ").join(stand)) + "."
            if self.variant.contract_at(self.step) and self.ask == "laydown":
                return say("desk.as-asked", contract=self.title)
        first = next(self.grounds, None)
        return first.line if first else ""

    @property
    def grounds(self) -> Iterator[Ground]:
        """The reasons for the ruling, one for each finding.

        Of an illegal play, only the findings against it are among them.
        """
        laid = sum(len(slot.cards) for slot in self.slots)
        for finding in self.ruling.findings if self.ruling else ():
            if finding.against or (self.ruling and self.ruling.is_legal):
                yield _ground(finding, laid, self.variant)


def _ground(finding: Finding, laid: int, variant: Variant) -> Ground:
    """Return a finding as a ground; it may be about only some of the `laid` cards."""
    some = finding.against and 0 < len(finding.cards) < laid
    about, key = finding.cards, finding.sentence.value
    named = variant.speaker.names(about, key, finding.how, finding.values)
    drawing = Drawing(variant)
    return Ground(
        cards=capital(drawing.cards(about)) if some and not named else "",
        about=about,
        says=drawing.say(key, finding.how, finding.values),
        clause=variant.rulebook.cited(finding.cites),
    )
