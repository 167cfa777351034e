"""What is told of the project is true: every reading has its reason, every path is there."""

import re
from pathlib import Path

import pytest

from referee import variants
from referee.rulebook import Basis
from referee.variant import Variant
from webapp._bootstrap import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("referee/**/*.md")])
ROOMS = ("referee", "webapp", "templates", "static", "tests", "docs")


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_every_reading_has_its_reason_and_every_reason_its_reading(variant: Variant) -> None:
    page = (ROOT / "docs" / "readings" / f"{variant.slug}.md").read_text(encoding="utf-8")
    reasons = re.findall(r"^## (\S+)$", page, re.MULTILINE)
    clauses = variant.rulebook.clauses

    assert sorted(reasons) == sorted(each.id for each in clauses if each.basis is Basis.READING)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]

    assert not [link for link in links if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_is_there(page: Path) -> None:
    named = re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w./*-]+)`", page.read_text(encoding="utf-8"))

    # What a run leaves behind is not there before it, and NOUN stands for one.
    kept = [name for name in named if "artefacts" not in name and "NOUN" not in name]

    assert not [name for name in kept if not list(ROOT.glob(name.rstrip("/")))]
