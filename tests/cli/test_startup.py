"""A command loads what it needs and nothing else; every command says what it does, with an example."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import click
import pytest
from cli.conftest import Terminal, environment, program

from digestlog.cli import COMMANDS, cli

HEAVY = {
    "httpx",
    "httptools",
    "feedparser",
    "datasette",
    "lxml",
    "trafilatura",
    "htmldate",
    "sqlite_utils",
    "asyncio",
    "selectolax",
    "protego",
}
# The light commands, as they are typed; {db} is the file.
LIGHT = [
    ["--help"],
    ["--version"],
    ["--db", "{db}", "sources", "list"],
    ["--db", "{db}", "init"],
    ["sources", "-h"],
]


def loaded(code: str) -> set[str]:
    """The top-level modules that are loaded when a fresh Python has run this code."""
    code = f"import sys\ntry:\n    {code}\nfinally:\n    print('LOADED', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{code}"],
        capture_output=True,
        text=True,
        # Coverage of the child would load modules of its own.
        env=environment({"COVERAGE_PROCESS_START": "", "COVERAGE_PROCESS_CONFIG": ""}),
        timeout=60,
    )
    assert "LOADED" in done.stdout, done.stderr
    return {name.partition(".")[0] for name in done.stdout.rpartition("LOADED")[2].split()}


def test_importing_the_command_line_is_light() -> None:
    found = loaded("import digestlog.cli")
    assert {"click", "digestlog"} <= found
    assert not found & HEAVY
    assert "sqlite3" not in found


@pytest.mark.parametrize("args", LIGHT, ids=" ".join)
def test_light_commands_load_nothing_heavy(digestlog: Terminal, args: list[str]) -> None:
    digestlog("sources", "add", "e.org", "--method", "RSS")
    words = [arg.format(db=digestlog.path) for arg in args]
    assert not loaded(f"from digestlog.cli import main; main({words!r})") & HEAVY


def test_help_loads_no_command() -> None:
    code = "from digestlog.cli import main\n    sys.modules['sqlite3'] = None\n    main(['--help'])"
    assert "digestlog" in loaded(code)


def test_the_module_is_the_program() -> None:
    assert program("--help", text=True).stdout.startswith("Usage: digestlog [OPTIONS]")


# --- help -------------------------------------------------------------------------------------


def tree(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, click.Command]]:
    yield ctx.command_path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            child = command.get_command(ctx, name)
            assert child is not None, name
            yield from tree(child, click.Context(child, info_name=name, parent=ctx))


ALL = dict(tree(cli, click.Context(cli, info_name="digestlog", **cli.context_settings)))


@pytest.mark.parametrize("path", ALL)
def test_every_command_says_what_it_does_with_an_example(path: str) -> None:
    text = ALL[path].help or ""
    first, _, example = text.partition("Example")
    assert first.strip().splitlines()[0].endswith(".")
    assert path.split()[-1] in example


@pytest.mark.parametrize("path", ALL)
def test_every_option_is_explained(path: str) -> None:
    for parameter in ALL[path].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


@pytest.mark.parametrize("path", ALL)
def test_help_of_every_command(digestlog: Terminal, path: str) -> None:
    for option in ("-h", "--help"):
        result = digestlog.bare(*path.split()[1:], option)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: {path} ")
    assert not digestlog.path.exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_in_the_list_is_the_commands_own(digestlog: Terminal, name: str) -> None:
    line = COMMANDS[name][1]
    help_text = ALL[f"digestlog {name}"].help or ""
    assert help_text.strip().splitlines()[0] == line
    assert line in " ".join(digestlog.bare("--help").stdout.split())


def test_the_list_names_modules_of_this_package() -> None:
    for where, _ in COMMANDS.values():
        module = where.partition(":")[0]
        assert module.startswith("digestlog.cli.")


def test_an_unknown_command_is_none() -> None:
    assert cli.get_command(click.Context(cli), "nonsense") is None


def test_importing_the_program_does_not_run_it(capsys: pytest.CaptureFixture[str]) -> None:
    import_module("digestlog.__main__")
    assert capsys.readouterr() == ("", "")
