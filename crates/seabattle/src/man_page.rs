//! `seabattle man`: the manual page.

use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::Cli;

/// All commands on one page.
pub(crate) fn print() -> anyhow::Result<()> {
    let mut command = Cli::command();
    command.build();
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        render_command(part, &mut text)?;
    }
    Ok(io::stdout().write_all(&text)?)
}

fn render_command(part: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    writeln!(text, ".SH \"SEABATTLE {}\"", part.get_name().to_uppercase())?;
    let man = Man::new(part.clone());
    man.render_synopsis_section(text)?;
    man.render_description_section(text)?;
    man.render_options_section(text)?;
    man.render_extra_section(text)
}
