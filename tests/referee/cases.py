"""The conformance cases, line by line."""

import json
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent.parent / "cases"


LINES = [
    (path.stem, line)
    for path in sorted(HERE.glob("*.jsonl"))
    for line in path.read_text().splitlines()
]


CASES = [line for _, line in LINES]


@cache
def every_case():
    return [json.loads(line) for line in CASES]
