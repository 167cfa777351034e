"""The scorepad’s view: makes the pad of a game from its state."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from sqlalchemy.orm import Session

from referee import Counts, Variant, variants
from referee.advice import no_advice
from webapp.db import GameCache
from webapp.game.facts import REASONS, Corrected, Counted, Finished, Noted, Voided
from webapp.game.money import settle, winnings_of
from webapp.game.replay import GameState
from webapp.game.state import Cell, LoggedFact
from webapp.game.teams import Team, is_by_team, read_teams
from webapp.language import language, say
from webapp.ledger.ledger import read_game, read_version
from webapp.pages.scorepad.by_team import describe_cell, opens_with
from webapp.pages.scorepad.chart import Chart, Curve, lay_out_chart
from webapp.pages.scorepad.commands import hands_of_last_round
from webapp.pages.scorepad.events import round_of, say_changed, say_entry, say_moves, say_problems
from webapp.pages.scorepad.pad import EndAsk, Pad, PadCell, PadRow, SeatColumn, Undo
from webapp.pages.scorepad.sentences import (
    close_of,
    laid_off_by,
    say_bonus,
    say_laid_off,
    say_winners,
)
from webapp.players.tokens import People, read_people, team_token
from webapp.text.formatting import (
    brief_title,
    capital,
    joined,
    name_step,
    on_step,
    say_ladder,
    say_points,
    title_of,
    uncapital,
    which_clock,
)


def read_pad(session: Session, pub: str) -> Pad:
    """Return the pad of a game; raise GameNotFoundError.

    A pad is made once for each version of its game and then cached. It can’t be out of date,
    because everything that changes it changes the version.
    """
    version = read_version(session, pub)
    cache = cast("GameCache", session.info["cache"])
    known = cache.get("pad", language(), which_clock(), pub, version)
    if isinstance(known, Pad):
        return known
    state = read_game(session, pub)
    pad = _show(pub, version, state, read_people(session, state))
    cache.keep(pad, "pad", language(), which_clock(), pub, version)
    return pad


def _show(pub: str, version: str, state: GameState, people: People) -> Pad:
    names = people.names
    score, variant = state.score, state.variant
    shown = tuple(names[who] for who in state.seats)
    number = None if state.finished else state.open_round
    teams = read_teams(state, names)
    winners = _names(teams, state.winners, shown)
    winnings = winnings_of(state)
    rows = _rows(state, number, names)
    there, missing = _counted_and_missing(state, number, names)
    seats = _seats(state, people, number)
    columns = tuple(_column(team, seats) for team in teams)
    after = number + 1 if number and number != variant.rounds else None
    # The points that first melds need are shown at each team, for this round, not the next.
    if variant.climbs_alone or score.opens_with:
        after = None
    return Pad(
        pub=pub,
        variant=variant,
        small=uncapital(variants.get(variant.slug, language()).name) if state.called else "",
        version=version,
        key=_key(state, version),
        rows=rows,
        seats=seats,
        columns=columns,
        by_team=is_by_team(state),
        round_number=number,
        rounds=variant.rounds or _asks_after(variant, number),
        title=_result(state, shown) if number is None else title_of(variant, score.step),
        contract=variant.contract_at(score.step) if number else None,
        next_title=title_of(variant, after) if after else "",
        note=variant.round_note(score.step) if number and score.step else state.overtaken,
        ladder=say_ladder(variant),
        dealer=shown[score.dealers[-1]],
        leaders=_names(teams, score.leaders, shown),
        over=score.over,
        finished=state.finished,
        on_paper=bool(state.totalled),
        winners=winners or _names(teams, score.winners, shown),
        decider=tuple(shown[place] for place in score.decider) if state.finished else (),
        undo=_undo(state.last, state, names),
        redo=_redo(state, names),
        changed=say_changed(state, names),
        problems=tuple(say_problems(state, names)),
        moves=tuple(say_moves(state, names)),
        bonus=say_bonus(state, names),
        margin=state.margin,
        winnings=winnings,
        payments=settle(winnings, names),
        clock=state.start.clock,
        started_at=state.entered[0].at,
        lacks_advice=bool(no_advice(variant)),
        advice_off=no_advice(variant) if state.start.advice else say("pad.advice-off"),
        chart=_chart(rows, columns),
        asks_end=_ask_to_end(state, shown),
        in_says=_say_counted(state, there, missing),
        missing=joined(missing),
    )


def _names(
    teams: tuple[Team, ...], places: Sequence[int], shown: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the names of the players in some places, partners together."""
    return tuple(shown[place] for team in teams for place in team.seats if place in places)


def _asks_after(variant: Variant, number: int | None) -> int | None:
    """Return the round after which a game asks to end; None if it doesn’t, or goes on after it."""
    after = variant.pad.asks_after
    return after if after and number and number <= after else None


def _ask_to_end(state: GameState, shown: tuple[str, ...]) -> EndAsk | None:
    """Return the question whether to end a game that reached its target or its last round."""
    score, pad, played = state.score, state.variant.pad, len(state.rounds)
    # Once a hand of the next round is in, the table plays on.
    if state.finished or state.counting or not played or not score.leaders:
        return None
    reasons = []
    there = [seat for seat in pad.seats_at_ask(score.totals) if score.places[seat]]
    if there:
        how = "passed" if all(score.totals[seat] > (pad.asks_at or 0) for seat in there) else ""
        names = joined([shown[seat] for seat in there])
        reasons.append(say("pad.reached", how, n=len(there), names=names, points=pad.asks_at))
    if pad.asks_after and played >= pad.asks_after:
        reasons.append(say("pad.played", n=played))
    if not reasons:
        return None
    best, names = score.leaders, joined([shown[seat] for seat in score.leaders])
    points = say_points(score.results[best[0]])
    return EndAsk(
        reasons=tuple(reasons),
        result=say("pad.if-finished", n=len(best), names=names, points=points),
        finish=say("pad.finish-now", n=len(best), names=names),
        play_on=say("pad.play-on", number=played + 1),
    )


def _counted_and_missing(
    state: GameState, number: int | None, names: Mapping[int, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of those whose hands of the open round are counted, and of all others.

    They are players, or teams in a game counted by team. Both are empty until a hand is counted.
    """
    if number is None or not state.counting:
        return (), ()
    if is_by_team(state):
        units = {team.name: team.players for team in read_teams(state, names)}
    else:
        units = {names[who]: (who,) for who in state.players_of(number)}
    there = tuple(
        name for name, players in units.items() if all(who in state.counting for who in players)
    )
    return there, tuple(name for name in units if name not in there)


def _say_counted(state: GameState, there: Sequence[str], missing: Sequence[str]) -> str:
    """Return whose hands are counted: "Ana and Ben are in. 1 player to go."; empty if none are."""
    how = "team" if state.in_teams else "" if there[1:] else "alone"
    return say("pad.in", how, n=len(missing), names=joined(there)) if there else ""


def _chart(rows: tuple[PadRow, ...], columns: tuple[SeatColumn, ...]) -> Chart | None:
    """Return the chart of the running totals; None while no round is complete."""
    complete = [row for row in rows if row.complete]
    if not complete:
        return None
    curves = []
    for place, seat in enumerate(columns):
        if seat.place is None:
            continue
        number = complete[0].number
        begun = min(seat.since - number, len(complete))
        before = seat.totals((row.cells[place] for row in complete), number)[begun:-1]
        # They start where they joined, with the points they got for that. Points added at the end
        # belong to the last round.
        curve = Curve(
            name=seat.name,
            label=seat.token.forms[-1] if seat.partners else seat.name,
            token=seat.token.number,
            team=seat.token.team,
            first=bool(seat.standing),
            first_total=seat.carries.get(seat.since, 0),
            begun=begun,
            totals=(*before, seat.total) if begun < len(complete) else (),
        )
        curves.append(curve)
    return lay_out_chart(tuple(curves), complete[0].number)


def _key(state: GameState, version: str) -> str:
    """Return the form key of the taps on a pad in this state, the same one on every phone.

    So the same tap on two phones counts once. On a finished game a tap starts another game. Once
    that one is over too, the key is another, so that the tap starts one again.
    """
    return f"at-{version.replace('.', '-')}" if state.finished else f"at-{state.entered[-1].seq}"


def _result(state: GameState, shown: tuple[str, ...]) -> str:
    won = state.winners
    return say_winners(state, shown, won) if won else say("pad.over")


def _rows(state: GameState, number: int | None, names: Mapping[int, str]) -> tuple[PadRow, ...]:
    """Return the rows of the rounds that were played, the current one, and those still to come.

    There is always a first round, even if the game ended before anything was counted.
    """
    first = state.first_round
    last = max(first, len(state.rounds) + bool(state.counting))
    if number is not None:
        last = max(number, state.variant.rounds or number)
    return tuple(_row(state, row, names, now=row == number) for row in range(first, last + 1))


def _row(state: GameState, number: int, names: Mapping[int, str], *, now: bool) -> PadRow:
    counted = state.hands_of(number)
    there = [counted.get(who) for who in state.seats]
    complete = number <= len(state.rounds)
    contract = None if state.variant.climbs_alone else state.variant.contract_at(number)
    speaker = state.variant.speaker
    points = state.score.points[number - 1] if complete else None
    cells = [
        _cell(state, number, place, cell, points[place] if points else None)
        if cell
        else _blank(state, number, state.seats[place], now=now)
        for place, cell in enumerate(there)
    ]
    # The number of cards dealt, if it differs between rounds and there is no contract.
    is_said = bool(state.variant.contracts) or is_by_team(state)
    deal = "" if is_said else state.variant.step_says(number)
    return PadRow(
        number=number,
        label=contract.brief(speaker) if contract else deal,
        brief=brief_title(contract, speaker) if contract else capital(deal),
        cells=tuple(
            describe_cell(state, number, team, _together([(cells[at], there[at]) for at in team]))
            for team in state.teams
        ),
        complete=complete,
        notes=(
            *say_laid_off(state, number, names),
            *(
                entry.fact.text
                for entry in state.asides
                if isinstance(entry.fact, Noted) and entry.fact.round == number
            ),
        ),
    )


def _together(both: Sequence[tuple[PadCell, Cell | None]]) -> PadCell:
    """Return a team’s cell from those of its players; a single player’s is returned as it is."""
    cells = [shown for shown, _ in both]
    first, *others = cells
    if not others:
        return first
    counted = [cell for cell in cells if cell.seq]
    if not counted:
        return first
    return replace(
        first,
        seq=max(cell.seq for cell in counted),
        points=counted[0].points,
        typed="",
        left=sum(cell.left for _, cell in both if cell),
        table=sum(cell.table or 0 for cell in counted),
        below=next((cell.below for cell in counted if cell.out), ""),
        opens=True,
        out=any(cell.out for cell in counted),
        made=any(cell.made for cell in counted),
        corrected=any(cell.corrected for cell in counted),
        reason=next((cell.reason for cell in counted if cell.reason), ""),
    )


def _blank(state: GameState, number: int, who: int, *, now: bool) -> PadCell:
    """Return a cell that nobody has counted; `now` is whether its round is being played."""
    reached = number <= len(state.rounds) + 1
    away = reached and who not in state.players_of(number)
    away = away or not state.seating.plays(who, number)
    down = _on_table(state, number, who) if now and not away else None
    place = state.seats.index(who)
    averaged = away and number in state.seating.seats[place].averaged
    scored = averaged and number <= len(state.rounds)
    return PadCell(
        player_id=who,
        points=state.score.points[number - 1][place] if scored else None,
        below=say("pad.on-table", points=say_points(down))
        if down
        else say("pad.average")
        if scored
        else "",
        opens=now and not away,
        away=away,
    )


def _cell(state: GameState, number: int, place: int, cell: Cell, points: int | None) -> PadCell:
    """Return a counted cell; `points` is what the round scored, None until it’s complete."""
    hand, pad = cell.hand, state.variant.pad
    laid = laid_off_by(state, number, state.seats[place])
    kept = laid.kept.points if laid else cell.left
    table, counting = hand.table_points, points is None
    if points is None:
        points = kept if table is None else table - kept
    left = kept if kept != points and not hand.out else None
    below, (close, times) = "", close_of(state, hand) if hand.out else ("", "")
    if hand.out:
        gin = pad.has_gin and not cell.left
        # A cell has room for one word.
        word = state.variant.words.out.lower()
        below = "gin" if gin else say("count.out") if " " in word else word
    elif counting and pad.zero_sum:
        below = say("pad.in-hand")
    elif table:
        below = f"{say_points(table)} − {say_points(table - points)}"
    elif left is not None and left != -points and (left or pad.counts is Counts.ALL):
        below = say("pad.left", points=say_points(left))
    if hand.pairs:
        below = f"{below} ×{pad.pairs}".strip()
    if hand.penalties and pad.penalty is not None:
        below = f"{below} {'+' if pad.lead.rises else '−'}{hand.penalties * pad.penalty}".strip()
    return PadCell(
        player_id=state.seats[place],
        seq=cell.seq,
        points=points,
        typed=cell.typed,
        left=left,
        table=table,
        close=close,
        times=times,
        below=below,
        opens=True,
        reason=_reason(state, state.seats[place], cell),
        out=hand.out,
        made=hand.made,
        corrected=cell.corrected,
    )


def _reason(state: GameState, player: int, cell: Cell) -> str:
    """Return why a doubtful hand was saved; empty if no reason was given."""
    fact = state.entry(cell.seq).fact
    if not isinstance(fact, Counted) or player not in fact.doubted:
        return ""
    how = next((how for how, kept in REASONS.items() if kept == fact.reason), "")
    return say("count.why", how) if how else fact.reason


def _on_table(state: GameState, number: int, who: int) -> int | None:
    """Return the points that a player has recorded on the table in a round; None if none score."""
    pad, laid = state.variant.pad, state.lay_downs.get((number, who), ())
    return sum(each.points or 0 for each in laid) if pad.asks_table else None


def _column(team: Team, seats: Sequence[SeatColumn]) -> SeatColumn:
    """Return a team’s column; a single player’s is returned as it is."""
    partners = tuple(seats[place] for place in team.seats)
    first, *others = partners
    if not others:
        return first
    return replace(
        first,
        name=team.name,
        token=team_token([seat.token for seat in partners], [seat.name for seat in partners]),
        deals=any(seat.deals for seat in partners),
        starts=any(seat.starts for seat in partners),
        laid_down=any(seat.laid_down for seat in partners),
        takes=sum(seat.takes for seat in partners),
        above=next((seat.above for seat in partners if seat.above), ""),
        partners=partners,
    )


def _seats(state: GameState, people: People, number: int | None) -> tuple[SeatColumn, ...]:
    score, variant = state.score, state.variant
    names, tokens = people.names, people.tokens
    pad, now = variant.pad, number or 0
    # A game from paper has neither steps nor rounds won.
    alone = variant.climbs_alone and not state.totalled
    wins = pad.counts_wins and not state.totalled
    starter, places = state.starter, state.places
    deals = pad.deals
    columns = []
    for place, who in enumerate(state.seats):
        laid = state.lay_downs.get((now, who), ())
        columns.append(
            SeatColumn(
                player_id=who,
                name=names[who],
                token=tokens[who],
                total=score.results[place],
                leads=place in score.leaders,
                place=places[place],
                deals=number is not None and deals and place == score.dealers[-1],
                starts=number is not None and deals and place == starter,
                wins=place in state.winners,
                step=score.steps[place] if alone else None,
                step_says=on_step(variant, score.steps[place]) if alone else "",
                step_named=name_step(variant, score.steps[place]) if alone else "",
                laid_down=bool(laid),
                games_won=score.games_won[place] if wins else None,
                plays=score.playing[place],
                left=not state.seating.stays(who, now),
                since=state.seating.since[place],
                carries=state.seating.carries[place],
                takes=len(state.takes.get((now, who), ())),
                above=_above(state, place, number),
                standing=_standing(state, place),
                opens_with=opens_with(state, place),
            )
        )
    return tuple(columns)


def _above(state: GameState, place: int, number: int | None) -> str:
    """Return the word above a name: that they deal, or aren’t in the current round."""
    if state.finished:
        return ""
    pad = state.variant.pad
    if number is not None and pad.deals and place == state.score.dealers[-1]:
        return say("pad.above", "deals")
    if number is None or state.score.playing[place]:
        return ""
    who, seating = state.seats[place], state.seating
    rests = "rests" if seating.sits_out(who, number) else "left"
    return say("pad.above", "out" if seating.plays(who, number) else rests)


def _standing(state: GameState, place: int) -> str:
    """Return the word next to a total: that it wins, or leads once a round is complete."""
    players = next(len(team) for team in state.teams if place in team)
    if place in state.winners:
        return say("pad.wins-short", n=players)
    leads = place in state.score.leaders and not state.finished and bool(state.rounds)
    return say("pad.leads-short", n=players) if leads else ""


def _undo(entry: LoggedFact | None, state: GameState, names: Mapping[int, str]) -> Undo | None:
    end = state.entered[-1].fact
    # A table that ends a game early can only reopen it.
    if entry is None or (state.finished and end != Finished(by="rules")):
        return None
    if len(hands_of_last_round(state)) > 1:
        number = len(state.rounds)
        return Undo(seq=entry.seq, says=say("entry.round", number=number), round=number)
    return Undo(seq=entry.seq, says=say_entry(entry, state, names), round=_whole(entry))


def _redo(state: GameState, names: Mapping[int, str]) -> Undo | None:
    void = state.taken_back
    if void is None or state.finished:
        return None
    back = state.entry(void.fact.seq) if isinstance(void.fact, Voided) else void
    number = round_of(state, back.fact) or _whole(back)
    return Undo(seq=void.seq, says=say_entry(back, state, names), round=number)


def _whole(entry: LoggedFact) -> int | None:
    """Return the number of the round that an entry counted for everybody at once; else None."""
    fact = entry.fact
    if isinstance(fact, Corrected) or not isinstance(fact, Counted):
        return None
    return fact.round if len(fact.hands) > 1 else None
