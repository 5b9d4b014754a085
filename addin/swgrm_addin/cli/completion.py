"""Completion of commands and options in the user's shell: the options that print its script and install it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

VARIABLE = "_SWGRM_COMPLETE"  # by which the shell asks for completions, as click names it
POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $position)
    $env:COMP_LINE = $line.ToString()
    $env:COMP_WORD = $word
    $env:%(complete_var)s = "powershell_complete"
    try {
        %(prog_name)s | Where-Object { $_ } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_)
        }
    } finally {
        Remove-Item Env:COMP_LINE, Env:COMP_WORD, Env:%(complete_var)s
    }
}
"""
IN_POWERSHELL = (  # swgrm does not write into the profile, whose place, encoding and permission only PowerShell knows
    "Run this in PowerShell. To keep it, add the line to the file that $PROFILE names:\n"
    "  swgrm --show-completion | Out-String | Invoke-Expression"
)
START_FILES = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/completions/swgrm.fish"}
FIRST_LINES = {"zsh": "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"}  # the script needs it


def offer_powershell() -> None:
    """Add PowerShell to the shells that click knows."""
    from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

    class PowerShell(ShellComplete):
        """Completion in PowerShell, which completes the names of files itself if there is nothing else."""

        name = "powershell"
        source_template = POWERSHELL

        def get_completion_args(self) -> tuple[list[str], str]:
            words, word = split_arg_string(os.environ["COMP_LINE"]), os.environ.get("COMP_WORD", "")
            return words[1 : len(words) - bool(word)], word

        def format_completion(self, item: CompletionItem[str]) -> str:
            return item.value if item.type == "plain" else ""

    add_completion_class(PowerShell)


def _script() -> tuple[str, str]:
    """The name of the user's shell, and its script."""
    from click.shell_completion import get_completion_class

    offer_powershell()
    shell = "powershell" if sys.platform == "win32" else Path(os.environ.get("SHELL", "")).name
    kind = get_completion_class(shell)
    if kind is None:
        found = f"is `{shell}`" if shell else "is not known, because the variable SHELL is not set"
        raise click.UsageError(f"Completion is for bash, zsh, fish and PowerShell, and your shell {found}.")
    return shell, FIRST_LINES.get(shell, "") + kind(click.Command("swgrm"), {}, "swgrm", VARIABLE).source()


def _show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(_script()[1])
        ctx.exit()


def _install(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Add the script to the file that the shell reads when it starts, once."""
    if not wanted:
        return
    shell, script = _script()
    click.echo(_installed(shell, script) if shell in START_FILES else IN_POWERSHELL)
    ctx.exit()


def _installed(shell: str, script: str) -> str:
    file = Path.home() / START_FILES[shell]
    text = file.read_text("utf-8", errors="replace") if file.exists() else ""
    if script not in text:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as start:  # what is in it stays, byte for byte
            start.write(f"\n{script}" if text else script)
    return f"The completion for {shell} is in {file}. It works in shells that are started from now on."


INSTALL = click.option(
    "--install-completion",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_install,
    help="Install completion for your login shell; for PowerShell, show how.",
)
SHOW = click.option(
    "--show-completion",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show,
    help="Print the completion script of your login shell; in Windows, of PowerShell.",
)
