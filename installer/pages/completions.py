# SPDX-License-Identifier: Apache-2.0
"""Completions of netwright-cli for bash, zsh and fish, from its commands' records."""


def names_of(arguments):
    return [n for a in arguments for n in a.names]


def single(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash(commands):
    """After a command: its subcommands and options; after an option with choices: those; else files."""
    words = [f"    {single(' '.join(c.words))}) below={single(' '.join(names_of(c.subcommands)))} options={single(' '.join(names_of(c.options)))} ;;"
             for c in commands]
    values = [f"    {single(' '.join((*c.words, n)))}) values={single(' '.join(a.choices))} ;;"
              for c in commands for a in c.options if a.choices for n in a.names]
    takes = [f"    {single(' '.join((*c.words, n)))}) takes=1 ;;" for c in commands for a in c.options if a.value for n in a.names]
    known = " ".join(single(" ".join(c.words)) for c in commands if c.words)
    return "\n".join([
        "# bash completion of netwright-cli",
        "_netwright_cli() {",
        "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' below='' options='' values='' takes='' word i next known",
        f"  local -a commands=({known})",
        "  for (( i = 1; i < COMP_CWORD; ++i )); do",
        "    word=${COMP_WORDS[i]} next=${command:+$command }$word",
        "    for known in \"${commands[@]}\"; do [[ $known != \"$next\" ]] || { command=$next; break; }; done",
        "  done",
        "  case ${command:+$command }$prev in", *takes, "  esac",
        "  case ${command:+$command }$prev in", *values, "  esac",
        "  if [[ -n $takes ]]; then mapfile -t COMPREPLY < <(if [[ -n $values ]]; then compgen -W \"$values\" -- \"$cur\"; else compgen -f -- \"$cur\"; fi); return; fi",
        "  case $command in", *words, "  esac",
        "  if [[ $cur == -* ]]; then below=$options; fi",
        "  mapfile -t COMPREPLY < <(compgen -W \"$below\" -- \"$cur\")",
        "  if [[ -z $below ]]; then mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); fi",
        "}",
        "complete -o filenames -F _netwright_cli netwright-cli", ""])


def zsh_spec(a):
    text = a.text.replace("[", "(").replace("]", ")").replace(":", " -").replace("\\", "\\\\")
    tail = "" if not a.value else f":value:({' '.join(a.choices)})" if a.choices else ":value:_files"
    return " ".join(single(f"{n}[{text}]{tail}") for n in a.names)


def zsh_function(c):
    name = "_" + "_".join(("netwright_cli", *c.words)).replace("-", "_")
    lines = [f"{name}() {{"]
    options = " \\\n    ".join(zsh_spec(a) for a in c.options)
    if not c.subcommands:
        return lines + [f"  _arguments -s {options} \\\n    '*:file:_files'", "}"]
    below = " ".join(single(f"{s.names[0]}:{s.text.replace(':', ' -')}") for s in c.subcommands)
    cases = [f"    {s.names[0]}) {name}_{s.names[0].replace('-', '_')} ;;" for s in c.subcommands]
    return lines + [f"  local state line; _arguments -C {options} \\\n    '1: :->command' '*:: :->rest'",
                    f"  case $state in command) local -a all=({below}); _describe command all ;;",
                    "  rest) case $line[1] in", *cases, "  esac ;;", "  esac", "}"]


def zsh(commands):
    lines = ["#compdef netwright-cli"]
    for c in commands:
        lines += zsh_function(c)
    return "\n".join(lines + ['_netwright_cli "$@"', ""])


def fish_condition(c):
    if not c.words:
        return "__fish_use_subcommand"
    seen = "; and ".join(f"__fish_seen_subcommand_from {w}" for w in c.words)
    below = " ".join(names_of(c.subcommands))
    return f"{seen}; and not __fish_seen_subcommand_from {below}" if below else seen


def fish(commands):
    lines = ["# fish completion of netwright-cli"]
    for c in commands:
        begin = f"complete -c netwright-cli -n {single(fish_condition(c))}"
        lines += [f"{begin} -f -a {s.names[0]} -d {single(s.text)}" for s in c.subcommands]
        for a in c.options:
            short = "".join(f" -s {n[1:]}" for n in a.names if not n.startswith("--"))
            long = "".join(f" -l {n[2:]}" for n in a.names if n.startswith("--"))
            value = "" if not a.value else f" -x -a {single(' '.join(a.choices))}" if a.choices else " -r"
            lines.append(f"{begin}{short}{long}{value} -d {single(a.text)}")
    return "\n".join(lines) + "\n"
