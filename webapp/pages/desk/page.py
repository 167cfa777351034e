"""What the desk shows: a question as far as it is put, the verdict, and its grounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from referee import Card, Cards, Clause, Finding, Play, Ruling, Variant
from webapp.language import say, write
from webapp.pages.desk.card_fields import CardRow
from webapp.pages.desk.progress import RowState, describe, describe_missing, is_waiting
from webapp.pages.desk.team import OWN
from webapp.players.tokens import Token
from webapp.text.cards import Drawing
from webapp.text.formatting import capital, uncapital


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The same cards in an order that would be legal."""

    says: str
    """ "2♠ K♠ A♠", drawn"""
    text: str
    """ "2S KS AS" """
    slot: str
    """The slot it goes into."""
    fields: Mapping[str, str]
    """The question with that slot so filled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSwitch:
    """A checkbox; off by default."""

    name: str
    label: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskChoice:
    """Something that may be chosen out of a few."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    """Value and label."""
    chosen: str


@dataclass(frozen=True, slots=True)
class RarelyNeeded:
    """What of a question is rarely needed, and folded away until it is."""

    slots: tuple[CardRow, ...]
    switches: tuple[DeskSwitch, ...]
    choices: tuple[DeskChoice, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """What all of it is called."""
        return (
            *(slot.label for slot in self.slots),
            *(switch.label for switch in self.switches),
            *(choice.label for choice in self.choices),
        )

    @property
    def says(self) -> str:
        """The words that unfold it: "Rack, has not opened yet …"; empty if one thing is all."""
        first, *others = self.labels or ("",)
        if not others:
            return ""
        return f"{first}, {uncapital(others[0])}{' …' if others[1:] else ''}"

    @property
    def in_use(self) -> bool:
        """Whether anything of it is filled, on or chosen that isn’t usual."""
        used = (
            *(slot.text for slot in self.slots),
            *(switch.on for switch in self.switches),
            *(choice.chosen not in {"", choice.options[0][0]} for choice in self.choices),
        )
        return any(used)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """A question that is put in rows of cards, to the referee or for advice."""

    variant: Variant
    step: int | None
    slots: tuple[CardRow, ...]
    switches: tuple[DeskSwitch, ...]
    choices: tuple[DeskChoice, ...]
    steps: tuple[tuple[int, str], ...]
    """The steps to choose from, with what they ask for."""
    player: int | None
    key: str
    """The form key of recording the play."""
    fields: Mapping[str, str]
    """The question as the fields of its address, to be asked again later."""

    @property
    def groups(self) -> tuple[tuple[str, tuple[CardRow, ...]], ...]:
        """The rows, those together that are under one heading; without those rarely needed."""
        groups = groupby((slot for slot in self.slots if not slot.rare), lambda slot: slot.group)
        return tuple((heading, tuple(group)) for heading, group in groups)

    @property
    def rare(self) -> RarelyNeeded:
        """What is folded away: some of the rows, and everything that is no row."""
        rare = tuple(slot for slot in self.slots if slot.rare)
        return RarelyNeeded(rare, self.switches, self.choices)

    @property
    def now(self) -> str:
        """The row that the keys begin to fill: one that can’t be read, else an empty one."""
        wrong = [slot.name for slot in self.slots if slot.problem]
        empty = [slot.name for slot in self.slots if not slot.text and not slot.rare]
        return next(iter((*wrong, *empty, *(slot.name for slot in self.slots))), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMeld:
    """A meld recorded on the table in this round, to lay off on."""

    owner_id: int
    owner: str
    text: str
    """The cards as they lie; goes into the field ``onto`` (or ``meld`` of a swap)."""
    cards: tuple[Card, ...]
    own: bool = False
    """Whether it belongs to the player who asks, or to their team."""
    fits: bool | None = None
    """Whether what is laid off fits there; None if nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One finding of the referee, as the page shows it."""

    cards: str
    """The cards it is about ("2♠ K♠"), where these are not all and it does not name them, drawn."""
    about: Cards
    """The same, as cards."""
    says: str
    """The finding in a sentence, its cards drawn."""
    clause: Clause

    @property
    def line(self) -> str:
        """The finding with its cards, in a line."""
        return Markup(": ").join(filter(None, (self.cards, self.says)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk(CardPage):
    """A question to the referee, as far as it is put, and the answer."""

    pub: str | None
    """The game it is asked in; None at the open desk."""
    title: str
    """What the step asks for ("2 runs of 4")."""
    note: str
    """What to mind in this step ("Black 2s are wild and cost 20."), or empty."""
    ask: str
    """What is asked, by name: "laydown", "layoff", "meld"…"""
    asks: tuple[tuple[str, str], ...]
    """Every ask with its label."""
    states: tuple[RowState, ...]
    """How far the melds are that are being made."""
    typing: bool
    """Whether more cards are coming: then only what none of them can mend is wrong."""
    short: int
    """How many cards a hand that is closed with still needs."""
    table: tuple[TableMeld, ...]
    """In a game: what has been recorded as laid down in this round."""
    lays_on_own: bool
    """Whether cards are laid off on the melds of the team, unless the page says otherwise."""
    play: Play | None
    """The play that was ruled on; None while there is none."""
    ruling: Ruling | None
    """None while there is nothing to rule on."""
    hints: tuple[Hint, ...]
    notes: tuple[str, ...]
    """What else follows from the play, in sentences."""
    players: tuple[tuple[int, str], ...]
    """In a game: who may be asking, by id and name."""
    team: tuple[int, ...]
    """In a game: the player who asks and their partners, by id."""
    tokens: Mapping[int, Token]
    """How the players are shown."""
    records: bool
    """Whether such a play is recorded in this game, once it is legal."""
    can_record: bool
    """Whether this very play may be recorded as the player's lay-down."""
    can_dispute: bool
    """Whether the table may log that it argued about this play, and what it decided."""
    advice: bool
    """Whether it may be asked here what can be laid down."""

    @property
    def link(self) -> dict[str, str]:
        """The same, with the version of the rules that answers now."""
        return {**self.fields, "rules": self.variant.version}

    @property
    def keeps_melds(self) -> bool:
        """Whether the melds of a team stay when something else is asked about."""
        return any(slot.name.startswith(OWN) for slot in self.slots)

    @property
    def overline(self) -> str:
        """The line over the question: what is asked for ("Referee · 2 runs of 4")."""
        says = self.variant.step_says(self.step) if self.step else ""
        return f"{say('home.referee')} · {says or self.variant.name}"

    @property
    def does(self) -> str:
        """What is asked about: "Lay down"."""
        return dict(self.asks)[self.ask]

    @property
    def state_of(self) -> Mapping[str, RowState]:
        """How far the melds are, by their rows."""
        return {state.name: state for state in self.states}

    @property
    def waits(self) -> bool:
        """Whether more cards can still make it legal."""
        if not self.typing or (self.ruling and self.ruling.is_legal):
            return False
        return self.short > 0 or is_waiting(self.states) or self.ruling is None

    @property
    def legal(self) -> str:
        """The verdict: "yes", "no", or empty until there is one."""
        if self.ruling is None or self.waits:
            return ""
        return "yes" if self.ruling.is_legal else "no"

    @property
    def verdict(self) -> tuple[str, str]:
        """The verdict in a title and a sentence."""
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
        """What to say while there is no verdict."""
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
        """What is wrong with the first meld that no further card can mend, or with the play."""
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
        """The reason in a line: why not, or what the wilds stand for, or what was asked for."""
        if self.ruling and self.ruling.is_legal:
            card = Drawing(self.variant).card
            # In a set without suits it is plain what a wild stands for.
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
        """Why the play is legal, or why not: findings for a play that is not are left out."""
        laid = sum(len(slot.cards) for slot in self.slots)
        for finding in self.ruling.findings if self.ruling else ():
            if finding.against or (self.ruling and self.ruling.is_legal):
                yield _ground(finding, laid, self.variant)


def _ground(finding: Finding, laid: int, variant: Variant) -> Ground:
    """A finding about some of the `laid` cards, named as the page names them."""
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
