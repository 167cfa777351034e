"""A restore or a backup that is killed leaves what was there, or what was to come, whole.

Where it can be killed is tried point by point in tests/webapp/test_placing.py, with its twin.
"""

import pytest

from tests.crash.restores import run

pytestmark = [pytest.mark.crash, pytest.mark.release]


def test_a_killed_restore_or_backup_leaves_whole_scores() -> None:
    assert run(3).wrong == []
