//! `seabattle completions`: prints a completion script for a shell.

use std::io::{self, Write};

use clap::{Command, ValueHint};
use clap_complete::Shell;

use crate::cli;

/// Wraps the generated function: `--bot=sa` completes as `--bot sa`, and record files come before options.
const BASH_WRAPPER: &str = r#"
_seabattle_wrapper() {
    local word="$2" before="$3"
    if [[ "${COMP_WORDS[COMP_CWORD]}" == "=" ]]; then
        word="" before="${COMP_WORDS[COMP_CWORD-1]}"
    elif [[ "$before" == "=" ]]; then
        before="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    case "${COMP_WORDS[1]}" in
        FILE_COMMANDS)
            if [[ "$word" != -* && "$before" != -* ]]; then
                COMPREPLY=()
                return 0
            fi
            ;;
    esac
    _seabattle "$1" "$word" "$before"
}

complete -F _seabattle_wrapper -o bashdefault -o default seabattle
"#;

pub(crate) fn print(shell: Shell) -> anyhow::Result<()> {
    let mut command = cli::command();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "seabattle", &mut script);
    if shell == Shell::Bash {
        script.extend_from_slice(BASH_WRAPPER.replace("FILE_COMMANDS", &file_commands(&command)).as_bytes());
    }
    Ok(io::stdout().write_all(&script)?)
}

/// Returns the commands whose first argument is a file, as a pattern of bash.
fn file_commands(command: &Command) -> String {
    let takes_file = |part: &&Command| {
        part.get_positionals().next().is_some_and(|argument| argument.get_value_hint() == ValueHint::FilePath)
    };
    let names = |part: &Command| {
        std::iter::once(part.get_name()).chain(part.get_all_aliases()).map(str::to_owned).collect::<Vec<_>>()
    };
    command.get_subcommands().filter(takes_file).flat_map(names).collect::<Vec<_>>().join("|")
}
