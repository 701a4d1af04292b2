"""The examples of README and documentation run as they stand, and what they point to is there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run_as_printed(document: Path) -> None:
    result = doctest.testfile(str(document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_readme_has_examples() -> None:
    assert (ROOT / "README.md").read_text().count(">>> ") >= 6


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", document.read_text())
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_readme_first_screen() -> None:
    """One sentence, a picture of the table, the two commands."""
    first = (ROOT / "README.md").read_text().splitlines()[:12]
    assert any(line.startswith("![") for line in first)
    assert any("make play" in line for line in first)
    assert any("make test" in line for line in first)


def test_make_targets_named_in_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for document in DOCUMENTS for name in re.findall(r"(?:`|\$ )make ([a-z]+)", document.read_text())}
    assert named
    assert named <= targets
