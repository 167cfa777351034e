"""Which seats form a team: partners sit alternately, so turns pass from team to team."""


def teams(players: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the seats (from 0) of each team of `size` players; with size 1, a seat is a team."""
    count = players // size
    return tuple(tuple(range(team, players, count)) for team in range(count))
