"""House rules changed in the middle of a game: every round is counted again by the new ones."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy.orm import Session

from referee import Variant, variants
from referee.describing import changed, full_form
from webapp import ledger
from webapp.ledger import Kept, Sent
from webapp.ledger.facts import Amended, Fact, canonical
from webapp.ledger.story import Story
from webapp.services.own.drafts import slim
from webapp.services.refusals import GameFinishedError, RefusedError
from webapp.services.rulebook.base import Base, by_path
from webapp.services.rulebook.changes import Changes, read_changes
from webapp.services.rulebook.page import Asked, BookPage, answer, show_book
from webapp.services.sentences import tell_changes
from webapp.services.teams import read_teams
from webapp.services.tokens import People, Token, read_people, team_token
from webapp.services.wording import joined
from webapp.speaking import language, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """What a player has now, and would have by the new rules."""

    name: str
    token: Token
    now: int
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendingPage:
    """What changed house rules would come to in a game that is being played."""

    pub: str
    book: BookPage
    totals: tuple[Total, ...]
    """None if the rules can’t be played."""
    tells: tuple[str, ...]
    """What else would become different, in sentences."""
    stays: str
    """What can’t be counted again, in a sentence; or empty."""
    differs: bool
    """Whether anything was changed that isn’t so already."""
    problem: str
    """Why the game can’t be played like that; or empty."""
    seen: int
    """The last change of the rules, by its number in the game; 0 for none."""
    key: str


class AmendingRefusedError(RefusedError):
    """House rules aren’t changed; the sentence says why."""


def base_in(session: Session, pub: str) -> Base:
    """The game that a table plays, by the rules it has now.

    Raises GameNotFoundError and GameFinishedError.
    """
    return _base(_playing(session, pub))


def read_book(session: Session, pub: str, asked: Asked) -> BookPage:
    """Show the rules of a game that is being played, as an address asks for them.

    Raises GameNotFoundError, GameFinishedError, ChangesRefusedError.
    """
    return answer(base_in(session, pub), asked)


def read_amending(session: Session, pub: str, packed: str) -> AmendingPage:
    """Show what changed rules would come to; raises as `read_book`."""
    return _page(session, pub, _playing(session, pub), read_changes(packed))


def amend(session: Session, pub: str, packed: str, seen: int, sent: Sent) -> Kept:
    """Play by changed rules, from the first round on; nothing is entered if they are so already.

    `seen` is the last change of them that was looked at. Raises AmendingRefusedError,
    GameFinishedError, ChangesRefusedError, and as `ledger.enter`.
    """
    changes = read_changes(packed)

    def deed(story: Story) -> tuple[Fact, ...]:
        if story.finished:
            raise GameFinishedError
        if seen != _changed(story):
            raise AmendingRefusedError(say("amending.moved"))
        page = _page(session, pub, story, changes)
        if page.problem:
            raise AmendingRefusedError(page.problem)
        return _facts(story, _base(story).played(changes))

    form = ledger.Form.by_content(sent, f"amend {canonical([*changes.groups])}")
    return ledger.enter(session, pub, form, deed)


def _playing(session: Session, pub: str) -> Story:
    story = ledger.read_story(session, pub)
    if story.finished:
        raise GameFinishedError
    return story


def _base(story: Story) -> Base:
    """The game as it is frozen in its entries, whatever it is called and wherever it came from."""
    whole = json.loads(variants.kept(story.variant))
    spec = slim({"text": dict(story.variant.names), **whole})

    def remake(patch: dict[str, object]) -> Variant:
        now = {key: part for key, part in changed(spec, patch).items() if key != "text"}
        form = {**full_form(now), **({"text": whole["text"]} if "text" in whole else {})}
        chosen = {**story.options, **by_path(patch)}
        made = variants.kept_with(story.variant.slug, chosen, canonical(form))
        return variants.told_in(made, language())

    return Base(story.variant, spec, lambda patch: remake({**patch}))


def _page(session: Session, pub: str, story: Story, changes: Changes) -> AmendingPage:
    base = _base(story)
    book = show_book(base, changes)
    people = read_people(session, story)
    totals: tuple[Total, ...] = ()
    tells: tuple[str, ...] = ()
    stays, differs = "", False
    problem = book.clash or _against(story, base, changes)
    if not book.clash and changes.groups:
        facts = _facts(story, base.played(changes))
        try:
            after = story.followed_by(facts) if facts else story
        except ValueError:
            problem = problem or say("amending.other-cards")
        else:
            differs = bool(facts)
            tells = tuple(tell_changes(story, after, people.names, said=story.seats))
            totals = tuple(_totals(story, after, people))
            stays = _say_what_stays(story, after, people)
    return AmendingPage(
        pub=pub,
        book=book,
        totals=totals,
        tells=tells,
        stays=stays,
        differs=differs,
        problem=problem,
        seen=_changed(story),
        key=ledger.new_key(),
    )


def _totals(story: Story, after: Story, people: People) -> Iterator[Total]:
    if story.teams != after.teams:
        return
    for team in read_teams(story, people.names):
        tokens = [people.tokens[who] for who in team.players]
        names = [people.names[who] for who in team.players]
        yield Total(
            name=team.name,
            token=team_token(tokens, names) if names[1:] else tokens[0],
            now=story.score.results[team.seats[0]],
            new=after.score.results[team.seats[0]],
        )


def _say_what_stays(story: Story, after: Story, people: People) -> str:
    """Say whose hands were entered as a number, and so count what they did, if cards do not."""
    if story.variant.values == after.variant.values:
        return ""
    hands = [
        say("amending.hand", name=people.names[who], number=number)
        for number, hands in enumerate(story.rounds, 1)
        for who, hand in hands.items()
        if hand.left and not hand.entered.cards
    ]
    if not hands:
        return ""
    return say("amending.stays", hands=joined(hands))


def _changed(story: Story) -> int:
    """The last change of the house rules, by its number in the game; 0 if there was none."""
    return story.amended.seq if story.amended else 0


def _against(story: Story, base: Base, changes: Changes) -> str:
    """Why these players can’t have the rules: too many, too few, or other teams; or empty."""
    game = base.played(changes)
    number = len(story.rounds) + 1
    there = sum(story.seating.plays(who, number) for who in story.seats)
    if there not in game.players:
        return game.for_how_many
    return "" if game.teams(len(story.seats)) == story.teams else say("amending.teams")


def _facts(story: Story, game: Variant) -> tuple[Fact, ...]:
    """What is entered: nothing if the game is played by these rules already."""
    if game.form == story.variant.form:
        return ()
    if game.points_only:
        game = game.called(story.variant.name)
    rounds, over = story.next_change
    options, kept = dict(game.chosen), json.loads(variants.kept(game))
    return (Amended(options=options, game=kept, rounds=rounds, over=over),)
