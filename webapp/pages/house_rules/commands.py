"""Changing the house rules during a game: every round is counted again with the new ones."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from referee import Variant, variants
from referee.describing import changed, full_form
from webapp.game.facts import Amended, Fact, canonical
from webapp.game.own_names import give_name
from webapp.game.replay import GameState
from webapp.game.teams import read_teams
from webapp.language import language, say
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written
from webapp.own_games.patches import slim
from webapp.pages.house_rules.staying import say_what_stays
from webapp.pages.rulebook.base import Base, by_path
from webapp.pages.rulebook.draft import Draft, drafted, in_game
from webapp.pages.rulebook.view import FormPage
from webapp.pages.rulebook.view import show as show_form
from webapp.pages.scorepad.sentences import describe_changes
from webapp.players.tokens import People, Token, read_people, team_token
from webapp.text.refusals import GameFinishedError, RefusedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A player’s or a team’s total now, and with the new rules."""

    name: str
    token: Token
    now: int
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendingPage:
    """What changed house rules would mean for a game in progress."""

    pub: str
    book: FormPage
    totals: tuple[Total, ...]
    """Everybody’s totals; none if nothing is changed or the new rules can’t be applied."""
    tells: tuple[str, ...]
    """Other consequences, in sentences."""
    stays: str
    """What can’t be counted again, as sentences; empty if everything can."""
    differs: bool
    """Whether anything would change."""
    problem: str
    """Why the game can’t be played like that; empty if it can."""
    seen: int
    """The number of the entry that last changed the rules; 0 if none did."""
    key: str


class AmendingRefusedError(RefusedError):
    """House rules can’t be changed; the message says why."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """The rules of a game in progress, and a draft of changes."""

    base: Base
    draft: Draft
    amended: int
    """The number of the entry that last changed the rules; 0 if none did."""

    @property
    def has_moved(self) -> bool:
        """Whether the rules were changed since the draft was last used."""
        return bool(self.draft.patch) and self.draft.seen != self.amended


def read_drafted(session: Session, pub: str, key: str) -> Drafted:
    """Return the rules of a game in progress, with a draft of changes.

    Raises GameNotFoundError or GameFinishedError.
    """
    state = _playing(session, pub)
    return _drafted(session, pub, state, key)


def _drafted(session: Session, pub: str, state: GameState, key: str) -> Drafted:
    base = _base(state)
    draft = drafted(session, base.game, key, in_game(pub))
    return Drafted(base, draft, _changed(state))


def read_amending(session: Session, pub: str, key: str) -> AmendingPage:
    """Return what the changes of a draft would mean; raise as `read_drafted`."""
    state = _playing(session, pub)
    return _page(session, pub, state, _drafted(session, pub, state, key))


def amend(session: Session, pub: str, key: str, seen: int, form_key: FormKey) -> Written:
    """Play by the rules of a draft, from the first round on; enter nothing if nothing changes.

    `seen` is the last change of the rules that the page showed. Raises AmendingRefusedError if
    there was another since or the players can’t play by the draft, GameFinishedError, and as
    `ledger.enter`.
    """
    asked = drafted(session, ledger.read_game(session, pub).variant, key, in_game(pub))

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        if seen != _changed(state):
            raise AmendingRefusedError(say("amending.moved"))
        base = _base(state)
        page = _page(session, pub, state, Drafted(base, asked, seen))
        if page.problem:
            raise AmendingRefusedError(page.problem)
        return facts_of(state, base.played(asked.patch))

    submission = ledger.Submission.by_content(
        form_key, f"amend {canonical([*asked.patch.items()])}"
    )
    return ledger.enter(session, pub, submission, decide)


def _playing(session: Session, pub: str) -> GameState:
    state = ledger.read_game(session, pub)
    if state.finished:
        raise GameFinishedError
    return state


def _base(state: GameState) -> Base:
    """Return the game with the rules in its entries, whatever its name and origin."""
    game = variants.in_language(state.variant, language())
    whole = json.loads(variants.kept(state.variant))
    spec = slim({**whole, "text": {**whole.get("text", {}), **_text_of(game)}})

    def remake(patch: Mapping[str, object]) -> Variant:
        now = {key: part for key, part in changed(spec, patch).items() if key != "text"}
        form = {**full_form(now), **({"text": whole["text"]} if "text" in whole else {})}
        chosen = {**state.options, **by_path(patch)}
        made = variants.kept_with(state.variant.slug, chosen, canonical(form))
        return variants.in_language(made, language())

    return Base(game, spec, remake)


def _text_of(game: Variant) -> Mapping[str, object]:
    """Return the texts of a game: its own words, and also its prose if it’s played as published."""
    try:
        published = variants.get(game.slug, language())
    except variants.UnknownVariantError:
        return game.names
    if published.form != game.form:
        return game.names
    text: Mapping[str, object] = variants.description_of(game.slug, language())["text"]
    return text


def _page(session: Session, pub: str, state: GameState, here: Drafted) -> AmendingPage:
    base, patch = here.base, here.draft.patch
    book = show_form(base, here.draft)
    people = read_people(session, state)
    totals: tuple[Total, ...] = ()
    tells: tuple[str, ...] = ()
    stays, differs = "", False
    clash = book.problems[0].says if book.problems else ""
    problem = clash or _against(state, base.played(patch))
    if not clash and patch:
        facts = facts_of(state, base.played(patch))
        try:
            after = state.with_facts(facts) if facts else state
        except ValueError:
            problem = problem or say("amending.other-cards")
        else:
            differs = bool(facts)
            tells = tuple(describe_changes(state, after, people.names, said=state.seats))
            totals = tuple(_totals(state, after, people))
            stays = say_what_stays(state, after, people.names)
    return AmendingPage(
        pub=pub,
        book=book,
        totals=totals,
        tells=tells,
        stays=stays,
        differs=differs,
        problem=problem,
        seen=_changed(state),
        key=ledger.new_key(),
    )


def _totals(state: GameState, after: GameState, people: People) -> Iterator[Total]:
    if state.teams != after.teams:
        return
    for team in read_teams(state, people.names):
        tokens = [people.tokens[who] for who in team.players]
        names = [people.names[who] for who in team.players]
        yield Total(
            name=team.name,
            token=team_token(tokens, names) if names[1:] else tokens[0],
            now=state.score.results[team.seats[0]],
            new=after.score.results[team.seats[0]],
        )


def _changed(state: GameState) -> int:
    """Return the number of the entry that last changed the house rules; 0 if none did."""
    return state.amended.seq if state.amended else 0


def _against(state: GameState, game: Variant) -> str:
    """Return why these players can’t play by the rules, such as too many of them; or empty."""
    number = len(state.rounds) + 1
    there = sum(state.seating.stays(who, number) for who in state.seats)
    if there not in game.players:
        return game.for_how_many
    return "" if game.teams(len(state.seats)) == state.teams else say("amending.teams")


def facts_of(state: GameState, game: Variant) -> tuple[Amended, ...]:
    """Return the entry that makes a game go by new rules; none if they are its rules already."""
    if game.form == state.variant.form:
        return ()
    game = give_name(game, state.called)
    rounds, over = state.next_change
    options, kept = dict(game.chosen), json.loads(variants.kept(game))
    caps = game.cap is not None
    return (Amended(options=options, game=kept, rounds=rounds, over=over, caps=caps),)
