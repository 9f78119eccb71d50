"""Print what makes a shell complete commands, options, robots of the gallery and quantities.

The script is complete in itself: nothing of jounce runs while you type.
"""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass

#: What help calls a file that an option takes.
_FILES = ("FILE", "HTML", "URDF")

EXAMPLES = (
    "jounce completion bash > ~/.local/share/bash-completion/completions/jounce",
    "jounce completion zsh > ~/.zfunc/_jounce    # a folder of $fpath",
    "jounce completion fish > ~/.config/fish/completions/jounce.fish",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")


def run(args: argparse.Namespace) -> None:
    """Print its script."""
    print({"bash": bash, "zsh": zsh, "fish": fish}[args.shell](), end="")


# ------------------------------------------------------------------ what there is to complete


@dataclass(frozen=True)
class Value:
    """What may stand in one place: words, and files or folders besides."""

    words: tuple[str, ...] = ()
    files: bool = False
    folders: bool = False


@dataclass(frozen=True)
class Option:
    """An option: its spellings, how many words follow, what each of them is, and its help."""

    flags: tuple[str, ...]
    count: int
    value: Value
    help: str


@dataclass(frozen=True)
class Command:
    """A command: its options, and what its arguments are; the last one's may be repeated."""

    name: str
    help: str
    options: tuple[Option, ...]
    arguments: tuple[Value, ...]
    repeated: bool


def commands() -> list[Command]:
    """All commands, as their parsers have them."""
    from jounce import cli

    whole = cli.parser()
    (choice,) = (x for x in whole._actions if isinstance(x, argparse._SubParsersAction))
    helps = {x.dest: x.help or "" for x in choice._choices_actions}
    return [_command(name, helps[name], sub) for name, sub in choice.choices.items()]


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> Command:
    options, arguments, repeated = [], [], False
    for action in parser._actions:
        if action.option_strings:
            several = action.nargs if isinstance(action.nargs, int) else 1
            count = 0 if action.nargs == 0 else several
            help_ = _one_line(action.help or "")
            options.append(Option(tuple(action.option_strings), count, _value(action), help_))
        else:
            arguments.append(_value(action))
            repeated = action.nargs in ("*", "+")
    return Command(name, _one_line(text), tuple(options), tuple(arguments), repeated)


def _one_line(text: str) -> str:
    """Help as it stands beside a word: a short sentence without a full stop."""
    return " ".join(text.replace("%%", "%").split()).rstrip(".")


def _value(action: argparse.Action) -> Value:
    """What an argument may be, by its choices, its name, or what its help calls it."""
    if action.choices is not None:
        return Value(tuple(map(str, action.choices)))
    if action.dest in ("robot", "prior"):
        from jounce.io import gallery

        return Value(tuple(gallery()), files=True)
    if action.dest == "quantities":
        return Value(_quantities())
    if action.metavar in ("DIR", "FOLDER"):
        return Value(folders=True)
    return Value(files=not action.option_strings or action.metavar in _FILES)


def _quantities() -> tuple[str, ...]:
    """Names that need no quotes: quantities and their derivatives in time and state."""
    from jounce.catalog.derivative import derivative_names
    from jounce.catalog.tables import ROBOT

    first = ("dt", "dtt", "dq", "dv", "da", "dtau", "dpi", "derivatives", "hessian")
    names = []
    for name, row in ROBOT.items():
        has = derivative_names(row)
        names += [name, *(f"{name}.{x}" for x in first if x in has)]
    return tuple(names)


# ------------------------------------------------------------------ bash

_BASH = r"""# jounce's commands, options, robots and quantities; made by `jounce completion bash`.
_jounce() {
  local current=${COMP_WORDS[COMP_CWORD]} command="" option="" skip=0 place=0 k
  local words="" files=""
  for ((k = 1; k < COMP_CWORD; k++)); do
    if ((skip > 0)); then
      skip=$((skip - 1))
      ((skip == 0)) && option=""
    elif [[ -z $command ]]; then
      [[ ${COMP_WORDS[k]} != -* ]] && command=${COMP_WORDS[k]}
    elif [[ ${COMP_WORDS[k]} == -* ]]; then
      option="$command ${COMP_WORDS[k]}"
      case $option in
@COUNTS@
        *) skip=0 ;;
      esac
      ((skip == 0)) && option=""
    else
      place=$((place + 1))
    fi
  done
  if [[ -z $command ]]; then
    words="@COMMANDS@"
  elif [[ -n $option ]]; then
    case $option in
@VALUES@
    esac
  elif [[ $current == -* ]]; then
    case $command in
@OPTIONS@
    esac
  else
    case "$command $place" in
@PLACES@
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $files ]]; then
    compopt -o filenames
    local IFS=$'\n'
    COMPREPLY+=($(compgen "$files" -- "$current"))
  fi
}
complete -F _jounce jounce
"""


def _assigned(value: Value) -> str:
    """What bash sets for a value."""
    parts = [f'words="{" ".join(value.words)}"'] if value.words else []
    if value.files or value.folders:
        parts.append(f"files={'-f' if value.files else '-d'}")
    return "; ".join(parts) or ":"


def bash() -> str:
    """The script for bash."""
    all_ = commands()
    counts, values, options, places = [], [], [], []
    for command in all_:
        for option in command.options:
            if option.count:
                pattern = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
                counts.append(f"        {pattern}) skip={option.count} ;;")
                values.append(f"      {pattern}) {_assigned(option.value)} ;;")
        flags = " ".join(flag for option in command.options for flag in option.flags)
        options.append(f'      {command.name}) words="{flags}" ;;')
        for k, value in enumerate(command.arguments):
            last = command.repeated and k == len(command.arguments) - 1
            pattern = f'"{command.name} "*' if last else f'"{command.name} {k}"'
            places.append(f"      {pattern}) {_assigned(value)} ;;")
    names = " ".join((*(command.name for command in all_), "--help", "--version"))
    parts = {"COUNTS": counts, "VALUES": values, "OPTIONS": options, "PLACES": places}
    text = _BASH.replace("@COMMANDS@", names)
    for key, lines in parts.items():
        text = text.replace(f"@{key}@", "\n".join(lines))
    return text


# ------------------------------------------------------------------ zsh


def zsh() -> str:
    """The script for zsh."""
    all_ = commands()
    lines = [
        "#compdef jounce",
        "# jounce's commands, options, robots and quantities; made by `jounce completion zsh`.",
        "_jounce() {",
        "  local context state state_descr line",
        "  typeset -A opt_args",
        "  _arguments -C '(- *)'{-h,--help}'[help]' '(- *)--version[version]' \\",
        "    '1: :->command' '*:: :->arguments'",
        "  case $state in",
        "  command)",
        "    local -a commands=(",
        *(f"      {_quoted(f'{x.name}:{x.help}')}" for x in all_),
        "    )",
        "    _describe command commands ;;",
        "  arguments)",
        "    case $line[1] in",
    ]
    for command in all_:
        specs = [_option_spec(option) for option in command.options]
        for k, value in enumerate(command.arguments):
            last = command.repeated and k == len(command.arguments) - 1
            specs.append(_quoted(f"{'*' if last else k + 1}: :{_action(value)}"))
        joined = " \\\n        ".join(specs)
        lines.append(f"    {command.name})\n      _arguments -S \\\n        {joined} ;;")
    lines += [
        "    esac ;;",
        "  esac",
        "}",
        'if [[ $funcstack[1] == _jounce ]]; then _jounce "$@"; else compdef _jounce jounce; fi',
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A word between single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


def _option_spec(option: Option) -> str:
    """What `_arguments` is told of an option, which may be repeated."""
    text = option.help.translate(str.maketrans({"[": r"\[", "]": r"\]", ":": r"\:"}))
    value = f": :{_action(option.value)}" * option.count
    return " ".join(_quoted(f"*{flag}[{text}]{value}") for flag in option.flags)


def _action(value: Value) -> str:
    """What `_arguments` does to complete a value."""
    words = f"compadd - {' '.join(value.words)}"
    if value.files and value.words:
        return f"{{{words}; _files}}"
    if value.files:
        return "_files"
    if value.folders:
        return "_files -/"
    return f"({' '.join(value.words)})" if value.words else " "


# ------------------------------------------------------------------ fish


def fish() -> str:
    """The script for fish."""
    all_ = commands()
    lines = [
        "# jounce's commands, options, robots and quantities; made by `jounce completion fish`.",
        "complete -c jounce -f",
        "complete -c jounce -n __fish_use_subcommand -l version -d 'Print the version'",
        "complete -c jounce -n __fish_use_subcommand -s h -l help -d 'Print help'",
    ]
    for command in all_:
        here = f"-n '__fish_seen_subcommand_from {command.name}'"
        lines.append(
            f"complete -c jounce -n __fish_use_subcommand -a {command.name}"
            f" -d {shlex.quote(command.help)}"
        )
        for option in command.options:
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            )
            takes = f" {_fish_value(option.value, 'r')}" if option.count else ""
            text = shlex.quote(option.help)
            lines.append(f"complete -c jounce {here} {flags}{takes} -d {text}")
        for value in dict.fromkeys(command.arguments):
            lines.append(f"complete -c jounce {here} {_fish_value(value, '')}".rstrip())
    return "\n".join(lines) + "\n"


def _fish_value(value: Value, required: str) -> str:
    """Flags of fish for a value; required: r for that of an option."""
    if value.files:
        flag = f"-{required}F"
    elif value.folders:
        return f"-{required}fa '(__fish_complete_directories)'"
    else:
        flag = f"-{required}f"
    words = f" -a {shlex.quote(' '.join(value.words))}" if value.words else ""
    return flag + words
