//! `seabattle completions` and `seabattle man`: what shells and readers of manuals want to know.

use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "seabattle", &mut text);
    Ok(io::stdout().write_all(&text)?)
}

/// All commands on one page.
pub(crate) fn page() -> anyhow::Result<()> {
    let mut command = Cli::command();
    command.build();
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        render_part(part, &mut text)?;
    }
    Ok(io::stdout().write_all(&text)?)
}

fn render_part(part: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    writeln!(text, ".SH \"SEABATTLE {}\"", part.get_name().to_uppercase())?;
    let man = Man::new(part.clone());
    man.render_synopsis_section(text)?;
    man.render_description_section(text)?;
    man.render_options_section(text)?;
    man.render_extra_section(text)
}
