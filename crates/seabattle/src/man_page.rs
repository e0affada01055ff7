//! `seabattle man`: prints the manual page.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;

use crate::cli;

/// Prints one page with all commands.
pub(crate) fn print() -> anyhow::Result<()> {
    let mut command = cli::command();
    command.build();
    let mut text = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_extra_section(&mut text)?;
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        text.extend(section(part)?.into_bytes());
    }
    let text = String::from_utf8_lossy(&text).replace(".SH EXTRA", ".SH NOTES");
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// Renders one command as a section with subsections.
fn section(part: &Command) -> io::Result<String> {
    let mut text = Vec::new();
    let man = Man::new(part.clone());
    man.render_description_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_options_section(&mut text)?;
    man.render_extra_section(&mut text)?;
    let text = String::from_utf8_lossy(&text).replace(".SH EXTRA", ".SS NOTES").replace(".SH ", ".SS ");
    Ok(format!(".SH \"SEABATTLE {}\"\n{text}", part.get_name().to_uppercase()))
}
