"""Carrying a staging book into the book of the house: who is who, what is new, what is there.

Entries and seals are not touched. Players are the same where their names are; into an empty book
all comes as it was, numbers and the roster's log too. Some games are carried at once, so that
phones save meanwhile; what was broken off goes on when the file is imported again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp import ledger
from webapp.db import Database
from webapp.exchange.planning import find_new
from webapp.keeping.carrying import count_on
from webapp.ledger.facts import canonical, seated_by
from webapp.ledger.intake import take_in
from webapp.ledger.numbering import SAME, read_numberings
from webapp.ledger.records import Intake
from webapp.ledger.roster import read_persons
from webapp.models import Game, OwnGame, OwnVersion, Player
from webapp.services.own.catalogue import id_of, slug_of
from webapp.services.own.drafts import write_draft
from webapp.services.roster import find_player

BATCH: Final = 3
"""Games that are kept in one transaction; a phone waits no longer than for these."""

HOUSE: Final = ("own_game", "own_version", "player", "player_name", "roster_entry")
"""What is of no one game."""


@dataclass(frozen=True, slots=True)
class Who:
    """What players and own games of a staging book are in the book of the house, by number."""

    intake: int
    players: Mapping[int, int]
    own: Mapping[int, int]

    def variant(self, slug: str) -> str:
        """The slug by which a game is known here."""
        number = id_of(slug)
        return slug if number is None else slug_of(self.own.get(number, number))


def merge(database: Database, staged: Database, device: str = "") -> int:
    """Carry what is new of a staging book into the book; answers how many games.

    Nothing new leaves the book as it is. Raises DatabaseError and IntakeError.
    """
    games = find_new(database, staged)
    empty = database.read(is_empty)
    house = staged.read(_read_house)
    if not games and not (empty and any(house.values())):
        return 0
    wanted = set(house["player"]) if empty else staged.read(_seated, games)
    who = database.write(_settle, house, wanted, device, empty=empty)
    for first in range(0, len(games), BATCH):
        batch = staged.read(_read_games, games[first : first + BATCH])
        database.write(_keep_games, batch, who)
    return len(games)


def is_empty(session: Session) -> bool:
    """Whether a book holds nothing at all."""
    tables = (Game.metadata.tables[name] for name in (*HOUSE, "game"))
    return not any(session.execute(select(table).limit(1)).first() for table in tables)


def _read_house(session: Session) -> dict[str, dict[Any, dict[str, Any]]]:
    """The rows of the staging book that are of no one game, by table and key."""
    players = session.execute(select(col(Player.id))).scalars()
    persons = read_persons(session, [number or 0 for number in players])
    found: dict[str, dict[Any, dict[str, Any]]] = {}
    for each in HOUSE:
        table = Game.metadata.tables[each]
        rows = session.execute(select(table).order_by(*table.primary_key)).mappings()
        found[table.name] = {
            tuple(row[key.name] for key in table.primary_key): dict(row) for row in rows
        }
    found["player"] = {
        number: {**row, "person": persons[number]} for (number,), row in found["player"].items()
    }
    return found


def _seated(session: Session, games: Sequence[str]) -> set[int]:
    """The persons who sit in some games of a staging book."""
    found: set[int] = set()
    for first in range(0, len(games), 100):
        for game in _read_games(session, games[first : first + 100]):
            found |= set(game["players"].values())
    return set(read_persons(session, found).values())


def _settle(
    session: Session,
    house: dict[str, dict[Any, dict[str, Any]]],
    wanted: Iterable[int],
    device: str,
    *,
    empty: bool,
) -> Who:
    """Make room for the import: its players and own games, found or added."""
    people = house["player"]
    if empty:
        _copy_house(session, house)
        players = {number: number for number in people}
        own = {number: number for (number,) in house["own_game"]}
        added: dict[str, object] = {
            "players": sorted(players),
            "own": sorted(own),
            "changes": len(house["roster_entry"]),
        }
    else:
        before = set(session.execute(select(col(Player.id))).scalars())
        persons = {who: _find_or_add(session, people[who]) for who in sorted(wanted)}
        players = {
            who: persons[row["person"]] for who, row in people.items() if row["person"] in persons
        }
        own, new = _settle_own(session, house)
        after = {who for who in persons.values() if who not in before}
        added = {"players": sorted(after), "own": sorted(new), "changes": 0}
    intake = Intake(added=canonical(added), device=device)
    session.add(intake)
    session.flush()
    return Who(intake.id or 0, players, own)


def _copy_house(session: Session, house: dict[str, dict[Any, dict[str, Any]]]) -> None:
    """Put everything that is of no one game into an empty book, as it was."""
    merged = []
    for each in HOUSE:
        table = Game.metadata.tables[each]
        names = {column.name for column in table.columns}
        rows = [
            {name: value for name, value in row.items() if name in names}
            for row in house[table.name].values()
        ]
        if table.name == "player":
            merged = [row for row in rows if row["same_as"] is not None]
            rows = [{**row, "same_as": None} for row in rows]
        if rows:
            session.execute(insert(table), rows)
        count_on(session.connection(), table)
    for row in merged:
        this = update(Player).where(col(Player.id) == row["id"])
        session.execute(this.values(same_as=row["same_as"]))


def _find_or_add(session: Session, row: Mapping[str, Any]) -> int:
    """Who has a name here; who is new, or has none any more, is added."""
    erased = ledger.UNSEEN in row["folded"]
    found = None if erased else find_player(session, row["name"])
    if found is not None:
        return found
    folded = row["folded"]
    if erased:
        last = session.execute(select(func.max(col(Player.id)))).scalar_one() or 0
        _, folded = ledger.somebody(last + 1)
    player = Player(
        name=row["name"], folded=folded, token=row["token"], created_at=row["created_at"]
    )
    session.add(player)
    session.flush()
    return player.id or 0


def _settle_own(
    session: Session, house: dict[str, dict[Any, dict[str, Any]]]
) -> tuple[dict[int, int], list[int]]:
    """Find each own game here, or add it; one whose name is taken is not offered."""
    here = {
        (row.title.casefold(), _rules_of(row.spec)): row.game_id
        for row in session.execute(
            select(col(OwnGame.title), col(OwnVersion.game_id), col(OwnVersion.spec)).join(
                OwnVersion, col(OwnVersion.game_id) == col(OwnGame.id)
            )
        )
    }
    titles = {title for title, _ in here}
    ruled = set(here.values())
    bare = {
        row.title.casefold(): row.id
        for row in session.execute(select(col(OwnGame.id), col(OwnGame.title)))
        if row.id not in ruled
    }
    found: dict[int, int] = {}
    new: list[int] = []
    for (number,), game in house["own_game"].items():
        versions = [row for row in house["own_version"].values() if row["game_id"] == number]
        title = game["title"].casefold()
        same = (here.get((title, _rules_of(row["spec"]))) for row in versions)
        # One whose rules were deleted is known by its name alone.
        known = next((each for each in same if each is not None), None)
        known = known if versions else bare.get(title)
        if known is None:
            hidden = game["hidden"] or title in titles
            own = OwnGame(title=game["title"], hidden=hidden, at=game["at"])
            session.add(own)
            session.flush()
            known = own.id or 0
            new.append(known)
            for row in versions:
                spec = write_draft({**json.loads(row["spec"]), "slug": slug_of(known)})
                session.add(OwnVersion(**{**row, "game_id": known, "spec": spec}))
            session.flush()
        found[number] = known
    return found, new


def _rules_of(spec: str) -> str:
    rules = json.loads(spec)
    rules.pop("slug", None)
    return canonical(rules)


def _read_games(session: Session, pubs: Sequence[str]) -> list[dict[str, Any]]:
    """Games of a staging book as `take_in` takes them."""
    games = select(col(Game.id), col(Game.pub), col(Game.variant), col(Game.started_at))
    found = []
    for row in session.execute(games.where(col(Game.pub).in_(pubs)).order_by(col(Game.id))).all():
        entries = Game.metadata.tables["entry"]
        wanted = select(entries).where(entries.c.game_id == row.id).order_by(entries.c.seq)
        rows = session.execute(wanted).all()
        numbering = read_numberings(session, row.id, row.id).get(row.id, SAME)
        seated = {who for each in rows for who in seated_by(each.kind, each.payload)}
        players = dict(numbering.players) or {who: who for who in seated}
        found.append(
            {
                "pub": row.pub,
                "variant": row.variant,
                "begun": row.started_at,
                "rows": rows,
                "players": players,
            }
        )
    return found


def _keep_games(session: Session, games: Iterable[Mapping[str, Any]], who: Who) -> None:
    for game in games:
        players = {of: who.players[to] for of, to in game["players"].items()}
        variant = who.variant(game["variant"])
        take_in(session, **{**game, "players": players, "variant": variant}, intake=who.intake)
