"""Who plays together: partners sit alternately, so that a turn passes from team to team."""


def teams(players: int, size: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each team; where the size is 1, each player is a team."""
    count = players // size
    return tuple(tuple(range(team, players, count)) for team in range(count))
