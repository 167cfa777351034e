"""What is installed: the command `laydown`.

In the wheel, `webapp`, `referee`, `templates` and `static` are in this package (`hatch_build.py`),
so that one name is taken among the packages of a machine, and not two that others may have, too.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent

if (_HERE / "webapp").is_dir():
    # First, so that somebody else's `webapp` or `referee` is not found in place of ours.
    sys.path.insert(0, str(_HERE))
