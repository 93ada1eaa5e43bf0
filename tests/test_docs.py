"""The documents say what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_command_line_page_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "cli_docs.py"), "--check"])
    assert done.returncode == 0, "run: python scripts/cli_docs.py"


def test_the_readme_has_two_commands_and_ci_runs_the_second() -> None:
    demo, tests = re.findall(r"```sh\n(.*)\n```", README)
    assert demo.endswith("digestlog demo")
    assert tests.endswith("pytest")
    assert tests in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_changelog_has_an_unreleased_section() -> None:
    assert "\n## Unreleased\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
