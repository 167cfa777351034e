"""The mutants are those that were meant, and tests that are too weak let one live."""

from pathlib import Path

import pytest

from referee import variants
from referee.melds.grounds import legal_readings
from tests.changes import Mutant, find_mutants
from tests.mutants import BAR, Hunt, choose, main, pursue
from tests.priority import forget

RULE = '''\
def may_lay_down(cards: int, *, opened: bool) -> bool:
    """Whether so many cards may be laid down."""
    return not opened and cards >= 3
'''
STRONG = """\
from rules.laying import may_lay_down

def test_three_cards_may_be_laid_down_and_two_may_not():
    assert may_lay_down(3, opened=False)
    assert not may_lay_down(2, opened=False)

def test_nobody_lays_down_twice():
    assert not may_lay_down(3, opened=True)
"""
WEAK = """\
from rules.laying import may_lay_down

def test_many_cards_may_be_laid_down():
    assert may_lay_down(9, opened=False)
"""


def project(root: Path, tests: str) -> Hunt:
    """Make a project of one rule."""
    for name, text in {"rules/laying.py": RULE, "tests/test_laying.py": tests}.items():
        (root / name).parent.mkdir()
        (root / name).write_text(text, encoding="utf-8")
    return Hunt(
        root=root,
        rooms=["rules"],
        copied=["rules", "tests"],
        tests="tests",
        cases="none",
    )


def changes(text: str) -> set[str]:
    """What each mutant of a file has there instead."""
    return {mutant.change(text.encode()).decode() for mutant in find_mutants("rules.py", text)}


@pytest.mark.parametrize(
    ("text", "mutants"),
    [
        ("if a < b: c()", {"if (a <= b): c()"}),
        ("if a in b: c()", {"if (a not in b): c()"}),
        ("if a and b: c()", {"if (a or b): c()"}),
        ("if not a: c()", {"if (a): c()"}),
        ("(b & -b).bit_length()", {"(b & (b)).bit_length()"}),
        (
            "a = (b & -c).bit_length()",
            {"a = ((b | -c)).bit_length()", "a = (b & (c)).bit_length()"},
        ),
        ("if a: c()", {"if (not a): c()"}),
        ("a = b if c else d", {"a = b if (not c) else d"}),
        ("a = [b for b in c if b]", {"a = [b for b in c if (not b)]"}),
        ("a = b + 3", {"a = (b - 3)", "a = b + 4"}),
        ("a: int = 3", {"a: int = 4"}),
        ("a = f(3, b=True)", {"a = f(4, b=True)", "a = f(3, b=False)"}),
        ("a = any(b)", {"a = all(b)"}),
        ("def a() -> tuple[int, ...]: return b", {"def a() -> tuple[int, ...]: return ()"}),
        ("def a() -> int | None: return b", {"def a() -> int | None: return None"}),
        ("def a() -> bool: return b", {"def a() -> bool: return (not b)"}),
        ("a = '♠' + b", {"a = ('♠' - b)"}),
    ],
)
def test_a_mutant_differs_in_one_thing(text: str, mutants: set[str]) -> None:
    assert changes(text) == mutants


@pytest.mark.parametrize(
    "text",
    [
        "if TYPE_CHECKING: import a",
        "assert a < b",
        "a = f'{b + 1}'",
        "a = zip(b, c, strict=True)",
        "@dataclass(frozen=True)\nclass A: b: Literal[1]",
        "def a() -> tuple[int, ...]: return ()",
        "_MOST_TRIED: Final = 9\nif a > _MOST_TRIED: b",
        "@lru_cache(maxsize=64)\ndef a() -> None: b",
        "self.tried = 0\nself.tried += 1\nif self.work < 0: b",
    ],
)
def test_what_is_no_rule_is_left_as_it_is(text: str) -> None:
    assert changes(text) == set()


def test_no_test_is_spared_a_question_that_another_asked() -> None:
    game = variants.get("mexican-rummy")
    legal_readings(game.pack.parse("7C 7D 7H"), game.melds_at(1))
    assert legal_readings.cache_info().currsize

    forget()

    assert not legal_readings.cache_info().currsize


def test_the_same_seed_chooses_the_same_mutants() -> None:
    mutants = [Mutant("rules.py", line, 0, 0, 1, "a", "b") for line in range(100)]

    assert choose(mutants, 10, 1) == choose(mutants, 10, 1) != choose(mutants, 10, 2)
    assert len(set(choose(mutants, 1000, 1))) == 100


@pytest.mark.slow
def test_tests_that_hold_the_rule_kill_every_mutant(tmp_path: Path) -> None:
    hunt = project(tmp_path, STRONG)

    assert main(["--workers", "1"], hunt) == 0
    assert (tmp_path / "rules" / "laying.py").read_text(encoding="utf-8") == RULE


@pytest.mark.slow
def test_weak_tests_let_mutants_live_and_these_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hunt = project(tmp_path, WEAK)

    assert main([], hunt) == 1
    told = capsys.readouterr().out.splitlines()
    lives = [line for line in told if line.startswith("lives: ")]
    assert "lives: rules/laying.py:3: cards >= 3 → (cards > 3)" in lives
    assert "lives: rules/laying.py:3: 3 → 4" in lives
    assert told[-1].startswith(f"{4 - len(lives)} of 4 killed")
    assert (4 - len(lives)) * 100 < BAR * 4


@pytest.mark.slow
def test_tests_that_fail_by_themselves_kill_nothing(tmp_path: Path) -> None:
    hunt = project(tmp_path, STRONG.replace("not may_lay_down(2", "may_lay_down(2"))

    with pytest.raises(SystemExit, match="before anything is changed"):
        list(pursue(hunt, hunt.mutants(), 1))
