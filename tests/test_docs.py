"""What is told of the project is true: every reading has its reason, every path is there."""

import re
import shlex

import pytest

from referee import variants
from referee.rulebook import Basis
from referee.variant import Variant
from webapp._bootstrap import ROOT
from webapp.usage import COMMANDS, read

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("referee/**/*.md")])
ROOMS = ("referee", "webapp", "templates", "static", "tests", "docs")


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_every_reading_has_its_reason_and_every_reason_its_reading(variant: Variant) -> None:
    page = (ROOT / "docs" / "readings" / f"{variant.slug}.md").read_text(encoding="utf-8")
    reasons = re.findall(r"^## (\S+)$", page, re.MULTILINE)
    clauses = variant.rulebook.clauses

    assert sorted(reasons) == sorted(each.id for each in clauses if each.basis is Basis.READING)


def test_every_link_leads_somewhere() -> None:
    links = [
        (page, link)
        for page in PAGES
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
        if "://" not in link
    ]

    assert links
    assert not [(page, link) for page, link in links if not (page.parent / link).exists()]


def test_every_file_that_is_named_is_there() -> None:
    named = {
        name
        for page in PAGES
        for name in re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w./*-]+)`", page.read_text("utf-8"))
    }

    # What a run leaves behind is not there before it, and NOUN stands for one.
    kept = [name for name in named if "artefacts" not in name and "NOUN" not in name]

    assert kept
    assert not [name for name in kept if not list(ROOT.glob(name.rstrip("/")))]


def test_the_readme_is_for_players_and_short() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")

    assert len(page.splitlines()) <= 120
    assert "docs/pictures/laydown.jpg" in page
    # Large enough to be looked at, small enough to be loaded on a phone.
    assert 20_000 < (ROOT / "docs" / "pictures" / "laydown.jpg").stat().st_size < 250_000


def test_the_readme_counts_the_games() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    named = ("Mexican Rummy", "eleven phases", "Rummikub", "Remigio", "Rummy 500")

    assert f"and {len(variants.all()) - len(named)} more rummies" in page
    assert all(name in page for name in named)


@pytest.mark.parametrize("page", ["README.md", "docs/backups.md", "docs/server.md"])
def test_every_button_and_page_that_is_named_is_called_so(page: str) -> None:
    """In italics; what other programs call theirs stands with an arrow."""
    pages = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("webapp/**/*.py")]
    pages.append(ROOT / "webapp" / "words" / "en.toml")
    shown = "".join(path.read_text(encoding="utf-8") for path in pages)
    text = (ROOT / page).read_text(encoding="utf-8")
    named = {" ".join(words.split()) for words in re.findall(r"(?<![*\w])\*([^*]+)\*(?!\*)", text)}

    assert not {words for words in named if words not in shown and "→" not in words}


def test_every_setting_is_documented_and_every_documented_setting_is_read() -> None:
    sources = "".join(path.read_text("utf-8") for path in ROOT.glob("webapp/**/*.py"))
    read = set(re.findall(r'environ\w*(?:\.get\(|\[)"([A-Z_]+)"', sources))
    read |= set(re.findall(r'_number\(environment, "([A-Z_]+)"', sources))
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([A-Z_]+)`", page, re.MULTILINE))

    assert told == {name for name in read if name.startswith("LAYDOWN_")} | {"DATABASE_URL"}


def test_every_command_line_in_the_docs_can_be_read() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    text += (ROOT / "docs" / "deploy" / "laydown.service").read_text(encoding="utf-8")
    lines = re.findall(r"(?:-m webapp|(?<!--name )\blaydown) ((?:--)?[a-z][^`#\n|&;]*)", text)
    written = [line for line in lines if line.split()[0] in COMMANDS or line.startswith("--")]
    asked = [read(shlex.split(line)) for line in written if "--help" not in line]

    assert {"serve", "backup", "restore", "move", "export"} <= {each.command for each in asked}
