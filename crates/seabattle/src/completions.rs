//! `seabattle completions`: completions for shells.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

pub(crate) fn print(shell: Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "seabattle", &mut text);
    Ok(io::stdout().write_all(&text)?)
}
