"""A backup holds all that was saved before it; and the check would see one that does not."""

import shutil
from pathlib import Path

import pytest

from tests.crash.backups import run
from webapp.db import sqlite_file

pytestmark = pytest.mark.crash


def copy_file(url: str, folder: Path) -> Path:
    """The fault: the file alone is copied, without what stands in its log."""
    file = sqlite_file(url)
    assert file
    return Path(shutil.copyfile(file, folder / "copy.db"))


def test_a_backup_beside_eight_phones_holds_what_was_saved() -> None:
    outcome = run(2)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["saved"] > 10


@pytest.mark.release
def test_the_check_sees_a_copy_without_its_log() -> None:
    # The log may just have been written back into the file; a few evenings make that unlikely.
    outcomes = (run(2, seed=seed, take=copy_file) for seed in range(4))

    assert any("lacks" in sentence for outcome in outcomes for sentence in outcome.wrong)
